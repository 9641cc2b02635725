"""The ways to finish a turn of Quick & Easy, and the room that a turn leaves between the piles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gramy.cards import code_of, codes, lowest
from gramy.games.quick_easy.rules import END, State, apply, legal_moves, won


class TurnOption(NamedTuple):
    """A way to finish the turn: the move to make now, and the position that the turn leaves before the draw."""

    move: int
    left: State


def turn_options(state: State, move: int | None = None) -> Iterator[TurnOption]:
    """Yield every way to finish the turn."""
    *rows, may_end = legal_moves(state, state.seat)
    if may_end or won(state):
        yield TurnOption(code_of(END, 0) if move is None else move, state)
    for code in codes(tuple(rows)):
        yield from turn_options(apply(state, state.seat, code), code if move is None else move)


def gap(up: int, down: int) -> int:
    """Return how many numbers lie between the tops: 11 while both piles are empty."""
    return (lowest(down) % 10 + 1 if down else 11) - (lowest(up) % 10 + 1 if up else 0)
