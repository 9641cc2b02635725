"""The protocol of a bot.

A bot has no memory: everything that it uses is passed to it. The same view, history and random generator give the same
move, a bot can be called from any thread, and one bot can play at many tables.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping
from typing import Protocol

from gramy.contract import View
from gramy.matches import Entry


class Bot(Protocol):
    """A player. `view` and `history` are those of its own seat: `match.view(seat)` and `match.history(seat)`."""

    @abstractmethod
    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        """Return one of the view's moves; there must be at least one.

        `budget` is in seconds of a quiet core. A bot converts it to a fixed number of simulations, so that the same
        budget always gives the same move.
        """

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        """Return the phrases to say now, on anyone's turn; none by default."""
        return ()

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        """Return how gladly the bot would take the start, from 0 to 1, where the players agree on who starts.

        Of several bots the one with the highest number starts. By default the number is random.
        """
        return rng.random()


def seat_of(view: View) -> int:
    """Return the seat of a player's view. A spectator's view has none and is never passed to a bot."""
    assert view.seat is not None
    return view.seat


def keenest(eagerness: Mapping[int, float], rng: random.Random) -> int:
    """Return the seat that wants the start most; of several equal ones, one at random."""
    most = max(eagerness.values())
    return rng.choice([seat for seat, keen in eagerness.items() if keen == most])
