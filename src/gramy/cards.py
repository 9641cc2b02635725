"""Sets of cards as the bits of an integer, and menus of moves as rows of such sets.

Plain Python lives here; `gramy.compiled` swaps the smallest functions for single machine instructions. Every set
fits 64 bits, so the same expressions mean the same in both worlds.
"""

from collections.abc import Iterable
from typing import Any

Rows = tuple[int, ...]

Six = tuple[int, int, int, int, int, int]
"""One number for each seat there can be."""

ROW = 64
"""How many moves one row spans: a move is a bit of a row, and its code is both in one number."""


def code_of(row: int, bit: int) -> int:
    """The code of the move at a bit of a row."""
    return row << 6 | bit


def row_of(code: int) -> int:
    """The row of a move."""
    return code >> 6


def bit_of(code: int) -> int:
    """The bit of a move in its row."""
    return code & 63


def count(cards: int) -> int:
    """How many cards are in the set."""
    return cards.bit_count()


def lowest(cards: int) -> int:
    """The position of the lowest card; the set must not be empty."""
    return (cards & -cards).bit_length() - 1


def highest(cards: int) -> int:
    """The position of the highest card; the set must not be empty."""
    return cards.bit_length() - 1


def select(cards: int, k: int) -> int:
    """The position of the k-th card from below, by halving: no branch to mispredict."""
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = count((cards >> at) & ((1 << width) - 1))
        beyond = int(k >= below)
        k -= below * beyond
        at += width * beyond
    return at


def either(test: bool, this: int, that: int) -> int:
    """`this if test else that`, compiled to a select instead of a jump: for tests that luck decides."""
    return this if test else that


def besides(cards: int) -> int:
    """The cards whose removal leaves at least one in the set."""
    return either(cards & (cards - 1) == 0, either(cards == 0, 0, ~cards), -1)


def total(rows: Rows) -> int:
    """How many moves a menu offers."""
    moves = 0
    for row in rows:
        moves += count(row)
    return moves


def pick(rows: Rows, k: int) -> int:
    """The code of the k-th move of a menu, counted row by row."""
    at = 0
    before = 0
    upto = 0
    for row in rows:
        upto += count(row)
        beyond = int(k >= upto)
        at += beyond
        before = upto if beyond else before
    return code_of(at, select(rows[at], k - before))


def contains(rows: Rows, code: int) -> bool:
    """Whether the menu has this move."""
    return code >= 0 and rows[row_of(code)] >> bit_of(code) & 1 == 1


def without(rows: Rows, others: Rows) -> Rows:
    """The moves of a menu that are not on another."""
    return tuple(row & ~other for row, other in zip(rows, others, strict=True))


def codes(rows: Rows) -> list[int]:
    """All moves of a menu, in order."""
    return [at << 6 | bit for at, row in enumerate(rows) if row for bit in positions(row)]


def positions(cards: int) -> list[int]:
    """The cards of a set as positions, lowest first."""
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found


def together(cards: list[int]) -> int:
    """The set of the cards at these positions: the inverse of `positions`."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def put(six: Six, seat: int, value: int) -> Six:
    """The same numbers with another one at a seat."""
    return (
        value if seat == 0 else six[0],
        value if seat == 1 else six[1],
        value if seat == 2 else six[2],
        value if seat == 3 else six[3],
        value if seat == 4 else six[4],
        value if seat == 5 else six[5],
    )


def six(numbers: Iterable[int]) -> Six:
    """Up to six numbers, filled up with zeros."""
    first = [*numbers, 0, 0, 0, 0, 0, 0]
    return first[0], first[1], first[2], first[3], first[4], first[5]


def mixed(mark: int, numbers: Any) -> int:
    """Folds numbers, however deeply nested in tuples, into one mark."""
    for part in numbers:
        if isinstance(part, tuple):
            mark = mixed(mark, part)
        else:
            mark = (mark ^ part & 0xFFFFFFFF ^ part >> 32) * 0x9E3779B1 & 0x7FFFFFFFFFFFFFFF
            mark ^= mark >> 29
    return mark
