"""Observations and actions as numbers, for programs that learn.

A game lists the numbers of its observation (`Feature`) and its actions (`ActionBlock`). An action is the number of a
move: the blocks in order, and in a block the bits of one row of the menu. `docs/environments.md` has the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from gramy.cards import Rows, bit_of, code_of, row_of, spread


class Feature(NamedTuple):
    """Some numbers of an observation that have one meaning; each is from `low` to `high`."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


class ActionBlock(NamedTuple):
    """Consecutive actions: `size` bits of a row of the menu, from the bit `first` on."""

    name: str
    row: int
    first: int
    size: int
    meaning: str


class GameObservation(Protocol):
    """The contents of a game's module `observation`: what a seat may know, and its moves, as numbers for learning."""

    def observation(self, options: Any, /) -> tuple[Feature, ...]:
        """Return what the numbers of an observation mean, in order."""

    def observe(self, state: Any, seat: int, out: MutableSequence[int], at: int = 0, /) -> None:
        """* Write what the seat may know as whole numbers that fit 8 bits, from an index on."""

    def actions(self, options: Any, /) -> tuple[ActionBlock, ...]:
        """Return the actions, in order: each code that a legal move can have with these options, once."""


Spans: TypeAlias = tuple[tuple[int, int, int], ...]
"""The row, the first bit and the size of each block of actions: numbers alone, as compiled functions take them."""


def width(parts: Iterable[Feature | ActionBlock]) -> int:
    """Return how many numbers or actions these are."""
    return sum(part.size for part in parts)


def slices(parts: Iterable[Feature | ActionBlock]) -> dict[str, slice]:
    """Return where each feature or block of actions is, by its name."""
    found, at = {}, 0
    for part in parts:
        found[part.name] = slice(at, at + part.size)
        at += part.size
    return found


def spans(blocks: Iterable[ActionBlock]) -> Spans:
    """Return the row, the first bit and the size of each block."""
    return tuple((block.row, block.first, block.size) for block in blocks)


def action_codes(blocks: Iterable[ActionBlock]) -> tuple[int, ...]:
    """Return the code of the move of each action, by the action's number."""
    return tuple(code_of(block.row, block.first + bit) for block in blocks for bit in range(block.size))


def action_of(blocks: Iterable[ActionBlock], code: int) -> int:
    """Return the action that makes the move with this code; raises ValueError for a code that no block has."""
    at = 0
    for block in blocks:
        if row_of(code) == block.row and 0 <= bit_of(code) - block.first < block.size:
            return at + bit_of(code) - block.first
        at += block.size
    raise ValueError(f"no action has the code {code}")


def write_mask(rows: Rows, blocks: Spans, out: MutableSequence[int], at: int) -> int:
    """Write 1 for each action that a menu has and 0 for the others; return the index after the last one."""
    for row, first, size in blocks:
        at = spread(rows[row] >> first, size, out, at)
    return at
