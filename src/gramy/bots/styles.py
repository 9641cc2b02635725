"""Styles of talk: what a bot says, whichever way it plays."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gramy.bots.protocol import Bot
from gramy.contract import View
from gramy.matches import Entry

Talk: TypeAlias = Callable[[View, tuple[Entry, ...], random.Random], tuple[str, ...]]
"""Returns the phrases that a seat says now, like `Bot.say`."""


def say_nothing(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return no phrases: the silent style."""
    return ()


@dataclass(frozen=True)
class StyledBot(Bot):
    """Plays like one bot, and talks in a style of its own."""

    player: Bot
    talk: Talk

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        return self.player.choose(view, history, rng, budget)

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return self.talk(view, history, rng)

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        return self.player.eagerness(view, history, rng)
