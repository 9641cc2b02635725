"""The bots of one match, by seat."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Protocol

from gramy.arena.entrant import Entrant, load_bot
from gramy.contract import View
from gramy.matches import Entry


class Players(Protocol):
    """The bots of one match, by seat."""

    def choose(self, seat: int, view: View, history: tuple[Entry, ...]) -> str:
        """Return the move of the bot in a seat."""

    def say(self, seat: int, view: View, history: tuple[Entry, ...]) -> tuple[str, ...]:
        """Return what the bot in a seat says now."""

    def eagerness(self, seat: int, view: View, history: tuple[Entry, ...]) -> float:
        """Return how gladly the bot in a seat would take the start, from 0 to 1."""


class LocalPlayers(Players):
    """Bots that play in this thread. Each seat has a random generator from its own seed."""

    def __init__(self, game: str, entrants: Sequence[Entrant], seeds: Sequence[str]) -> None:
        self._bots = [load_bot(game, entrant) for entrant in entrants]
        self._budgets = [entrant.budget for entrant in entrants]
        self._rngs = [random.Random(seed) for seed in seeds]

    def choose(self, seat: int, view: View, history: tuple[Entry, ...]) -> str:
        move = self._bots[seat].choose(view, history, self._rngs[seat], self._budgets[seat])
        if not isinstance(move, str):
            raise TypeError(f"choose returned {move!r}, not a move")
        return move

    def say(self, seat: int, view: View, history: tuple[Entry, ...]) -> tuple[str, ...]:
        return tuple(self._bots[seat].say(view, history, self._rngs[seat]))

    def eagerness(self, seat: int, view: View, history: tuple[Entry, ...]) -> float:
        keen = float(self._bots[seat].eagerness(view, history, self._rngs[seat]))
        if not math.isfinite(keen):
            raise ValueError(f"eagerness returned {keen}, not a number from 0 to 1")
        return min(max(keen, 0.0), 1.0)
