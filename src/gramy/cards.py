"""Sets of cards as the bits of an integer, and menus of moves as rows of such sets.

`gramy.compiled` replaces the smallest functions by single machine instructions. Every set fits 64 bits, so an
expression has the same value in plain Python and compiled.
"""

from collections.abc import Iterable, MutableSequence
from functools import lru_cache
from typing import Any

Rows = tuple[int, ...]

PerSeat = tuple[int, int, int, int, int, int]
"""A number for each of the six seats that a game may have."""

ROW = 64
"""The number of moves in a row. A move is a bit of a row; its code holds both."""


def code_of(row: int, bit: int) -> int:
    """Return the code of the move at a bit of a row."""
    return row << 6 | bit


def row_of(code: int) -> int:
    """Return the row of a move."""
    return code >> 6


def bit_of(code: int) -> int:
    """Return the bit of a move in its row."""
    return code & 63


def count(cards: int) -> int:
    """Return the number of cards in the set."""
    return cards.bit_count()


def lowest(cards: int) -> int:
    """Return the position of the lowest card; the set must not be empty."""
    return (cards & -cards).bit_length() - 1


def highest(cards: int) -> int:
    """Return the position of the highest card; the set must not be empty."""
    return cards.bit_length() - 1


def select(cards: int, k: int) -> int:
    """Return the position of the k-th card from below, by halving: no branch to mispredict."""
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = count((cards >> at) & ((1 << width) - 1))
        beyond = int(k >= below)
        k -= below * beyond
        at += width * beyond
    return at


def nth(cards: int, k: int) -> int:
    """Return the k-th card from below as a set of its own."""
    return 1 << select(cards, k)


def deposit(bits: int, cards: int) -> int:
    """Return the cards of a set whose bits are 1: the lowest bit stands for the lowest card, and so on."""
    chosen = 0
    while cards:
        chosen |= (cards & -cards) * (bits & 1)
        cards &= cards - 1
        bits >>= 1
    return chosen


def where(test: bool, this: int, that: int) -> int:
    """Return `this if test else that`, compiled to a select instead of a jump: for tests that no processor predicts."""
    return this if test else that


def leaves_one(cards: int) -> int:
    """Return the cards whose removal leaves at least one in the set."""
    return where(cards & (cards - 1) == 0, where(cards == 0, 0, ~cards), -1)


def count_moves(rows: Rows) -> int:
    """Return the number of moves in a menu."""
    moves = 0
    for row in rows:
        moves += count(row)
    return moves


def pick(rows: Rows, k: int) -> int:
    """Return the code of the k-th move of a menu, counted row by row."""
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
    """Return whether the menu has this move."""
    return code >= 0 and rows[row_of(code)] >> bit_of(code) & 1 == 1


def without(rows: Rows, others: Rows) -> Rows:
    """Return the moves of a menu that are not in another."""
    return tuple(row & ~other for row, other in zip(rows, others, strict=True))


def codes(rows: Rows) -> list[int]:
    """Return the codes of all moves of a menu, in order."""
    return [at << 6 | bit for at, row in enumerate(rows) if row for bit in positions(row)]


@lru_cache(1024)  # one snapshot asks several times for the same hand and the same legal moves
def positions(cards: int) -> tuple[int, ...]:
    """Return the positions of the cards of a set, lowest first."""
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return tuple(found)


def from_positions(cards: Iterable[int]) -> int:
    """Return the set of the cards at these positions: the inverse of `positions`."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def number_at(numbers: tuple[int, ...], index: int) -> int:
    """Return the number at an index, compiled to selects instead of a jump: no processor predicts whose turn it is."""
    return numbers[index]


def replace_at(numbers: PerSeat, seat: int, value: int) -> PerSeat:
    """Return the numbers with another one at a seat."""
    return (
        value if seat == 0 else numbers[0],
        value if seat == 1 else numbers[1],
        value if seat == 2 else numbers[2],
        value if seat == 3 else numbers[3],
        value if seat == 4 else numbers[4],
        value if seat == 5 else numbers[5],
    )


def per_seat(numbers: Iterable[int]) -> PerSeat:
    """Return up to six numbers, filled up with zeros."""
    first = [*numbers, 0, 0, 0, 0, 0, 0]
    return first[0], first[1], first[2], first[3], first[4], first[5]


def spread(cards: int, size: int, out: MutableSequence[int], at: int) -> int:
    """Write the lowest bits of a set as numbers, each 0 or 1, from an index on; return the index after the last one."""
    for bit in range(size):
        out[at + bit] = cards >> bit & 1
    return at + size


def spread_wide(cards: int, size: int, out: MutableSequence[int], at: int) -> int:
    """Like `spread`, but compiled to one store, which may write up to 64 numbers: the caller overwrites the rest."""
    return spread(cards, size, out, at)


def write_bytes(word: int, size: int, out: MutableSequence[int], at: int) -> int:
    """Write the lowest bytes of a word as numbers; return the index after the last one.

    Compiled, it is one store of 8 numbers: the caller overwrites the rest.
    """
    for byte in range(size):
        out[at + byte] = word >> 8 * byte & 255
    return at + size


def item(array: Any, index: int) -> int:
    """Return the integer at an index of a NumPy array, counted row by row; the index must not be negative."""
    return int(array.item(index))


def write(numbers: tuple[int, ...], out: MutableSequence[int], at: int) -> int:
    """Write numbers from an index on, which must not be negative; return the index after the last one."""
    for number in numbers:
        out[at] = number
        at += 1
    return at


def fold_hash(mark: int, numbers: Any) -> int:
    """Return a hash of a hash and numbers, which may be nested in tuples."""
    for part in numbers:
        if isinstance(part, tuple):
            mark = fold_hash(mark, part)
        else:
            mark = (mark ^ part & 0xFFFFFFFF ^ part >> 32) * 0x9E3779B1 & 0x7FFFFFFFFFFFFFFF
            mark ^= mark >> 29
    return mark
