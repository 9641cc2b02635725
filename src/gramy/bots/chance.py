"""A player of any game that lays, bids and says whatever comes to mind: the floor that every bot must stand above."""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.contract import View
from gramy.matches import Entry


@dataclass(frozen=True)
class Chance:
    """Every offered move is as likely as any other; nothing is said."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        return rng.choice(view.moves)

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return ()


RANDOM = Chance()
