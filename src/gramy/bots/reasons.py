"""Why a move is advised: the contract between advice and the file `reasons.py` of each game.

A game lists its detectors, the most informative first. A detector is a pure function of what the seat may know and of
the evaluation's figures. It returns a reason if its condition holds, and the first reason is given. Hidden cards are in
neither, so positions that the seat cannot tell apart, with the same figures, get the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from gramy.contract import View
from gramy.matches import Entry
from gramy.messages import Message, Reason

EVEN = 0.02
"""Chances to win that differ by less differ less than the estimates' errors."""

CERTAIN = 1e-9
"""Distance from 0 and 1 up to which a computed probability is certain."""


class Recommendation(NamedTuple):
    """An advised move beside another one, with what the seat may know and how the legal moves were evaluated.

    `instead` is the other move: the one that was made (if `made`), or the best one with a lower chance, or None.
    `claims` has the probabilities of moves that claim something.
    """

    view: View
    history: tuple[Entry, ...]
    move: str
    instead: str | None
    made: bool
    chances: Mapping[str, float]
    claims: Mapping[str, float]

    @property
    def even(self) -> bool:
        """Whether the other move is about as good. Then the faults of the other move are no reason."""
        if self.made or self.instead is None:
            return False
        return self.chances[self.move] - self.chances.get(self.instead, 0.0) < EVEN


Explain: TypeAlias = Callable[[Recommendation], Reason]
"""A game's function that returns why a move is advised."""

Known = TypeVar("Known")
"""What the detectors of a game take: a recommendation, or what the game reads from it."""


def first_reason(detectors: Sequence[Callable[[Known], Reason | None]], known: Known) -> Reason | None:
    """Return the reason of the first detector that has one."""
    return next((reason for detector in detectors if (reason := detector(known)) is not None), None)


def by_figures(advised: Recommendation) -> Reason:
    """Return the reason that is true in every game: the only move, or the chances to win by both moves."""
    if advised.instead is None:
        return Message("why_only_move")
    chance = advised.chances[advised.move]
    second = advised.chances.get(advised.instead, min(advised.chances.values()))
    figures = {"chance": shown_chance(chance), "second": shown_chance(second)}
    if advised.made:
        return Message("why_more_than_made", figures)
    if not advised.even:
        return Message("why_next_best", figures)
    others = [other for move, other in advised.chances.items() if move != advised.move]
    as_good = sum(abs(chance - other) < EVEN for other in others)
    return Message("why_all_even", {}) if as_good == len(others) else Message("why_even", {"number": as_good})


def shown_chance(chance: float) -> float:
    """Return a probability in whole per cent; 0 and 1 only where it is certain."""
    if chance < CERTAIN or chance > 1 - CERTAIN:
        return float(round(chance))
    return min(max(round(chance, 2), 0.01), 0.99)
