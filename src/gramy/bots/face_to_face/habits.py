"""How a player of Face to Face has played so far in a match: how often they gave a card, and how many they lay a turn.

The network is told the habits of the other player, so that it need not play alike against everybody. They follow from
public moves of this match alone: cards are laid face up.
"""

from __future__ import annotations

from typing import NamedTuple

from gramy.cards import where
from gramy.matches import Entry

GIVINGS = 7
"""How often a player gives: no turn yet; never in 1 or 2, 3 to 5, or more turns; in up to a quarter of the turns, in up
to a half, in more."""
PACES = 5
"""Cards that a player lays: no turn yet; two in every turn; up to 2.5 a turn, up to 3.25, more."""
HABITS = GIVINGS * PACES
"""Habits are one number: the giving times PACES, plus the pace."""
UNKNOWN = 0
"""The habits of a player who has not finished a turn."""


class Conduct(NamedTuple):
    """What a player has done in the turns that they have finished."""

    turns: int
    given: int  # turns with a card given
    laid: int  # cards, those given among them


def habits_of(turns: int, given: int, laid: int) -> int:
    """Return the habits of a player by what they did in the turns that they have finished. It can be compiled."""
    if turns == 0:
        return UNKNOWN
    never = where(turns <= 2, 1, where(turns <= 5, 2, 3))
    giving = where(given == 0, never, where(4 * given <= turns, 4, where(2 * given <= turns, 5, 6)))
    pace = where(laid <= 2 * turns, 1, where(2 * laid <= 5 * turns, 2, where(4 * laid <= 13 * turns, 3, 4)))
    return giving * PACES + pace


def conduct(seat: int, history: tuple[Entry, ...]) -> Conduct:
    """Return what a seat has done in the turns that it has finished, by the public moves of the match."""
    turns, given, laid, given_now, laid_now = 0, 0, 0, 0, 0
    for entry in history:
        if entry.seat != seat:
            continue
        if entry.text == "end":
            turns, given, laid = turns + 1, given + given_now, laid + laid_now
            given_now, laid_now = 0, 0
        else:
            given_now |= int(entry.text.startswith("help"))
            laid_now += 1
    return Conduct(turns, given, laid)


def habits(history: tuple[Entry, ...]) -> tuple[int, int]:
    """Return the habits of both seats, by the public moves of the match."""
    return habits_of(*conduct(0, history)), habits_of(*conduct(1, history))
