"""The legal bids of GRA, arranged for the picker: a number, a value and, where the game asks for it, a direction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

BID = re.compile(r"bid (\d+)x(\d)(?: (left|right))?")


class Bid(NamedTuple):
    """A bid; `way` is None where it names no direction."""

    number: int
    value: int
    way: str | None = None

    @property
    def move(self) -> str:
        """The bid as a move."""
        return f"bid {self.number}x{self.value}" + (f" {self.way}" if self.way else "")


def parse_bids(moves: Iterable[str]) -> list[Bid]:
    """Return the bids among moves."""
    found = (BID.fullmatch(move) for move in moves)
    return [Bid(int(one[1]), int(one[2]), one[3]) for one in found if one]


def numbers(bids: Sequence[Bid], value: int) -> list[int]:
    """Return the numbers that may be bid on a value, ascending."""
    return sorted({bid.number for bid in bids if bid.value == value})


def values(bids: Sequence[Bid]) -> list[int]:
    """Return the values that may be bid, ascending."""
    return sorted({bid.value for bid in bids})


def nearest(
    bids: Sequence[Bid], picked: Bid | None, held: Callable[[int], int], most: Callable[[int], int]
) -> Bid | None:
    """Return the legal bid to start from: the picked value with the closest number.

    Without a pick it is the lowest bid on the value that the player holds most, among those that can be true if there
    are any. `most` is the highest number of a value that can be true.
    """
    if not bids:
        return None
    way = (picked.way if picked else None) or "left" if bids[0].way else None
    if picked and picked.value in values(bids):
        number = min(numbers(bids, picked.value), key=lambda one: abs(one - picked.number))
        return Bid(number, picked.value, way)
    lowest = [Bid(numbers(bids, value)[0], value, way) for value in values(bids)]
    possible = [bid for bid in lowest if bid.number <= most(bid.value)] or lowest
    return max(possible, key=lambda bid: (held(bid.value), bid.value))


def stepped(bids: Sequence[Bid], bid: Bid, key: str) -> Bid:
    """Return the bid after an arrow key: up and down change the number, left and right the value."""
    step = 1 if key in ("up", "right") else -1
    if key in ("up", "down"):
        return bid._replace(number=_neighbour(numbers(bids, bid.value), bid.number, step))
    value = _neighbour(values(bids), bid.value, step)
    number = min(numbers(bids, value), key=lambda one: abs(one - bid.number))
    return bid._replace(number=number, value=value)


def _neighbour(found: list[int], now: int, step: int) -> int:
    return found[max(0, min(len(found) - 1, found.index(now) + step))]
