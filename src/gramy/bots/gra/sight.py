"""Hands as far as some values tell them apart: what a round needs to know of cards when only those values matter.

With the sixes alone in sight, a card either has a six or not, and a hand of five is one of six. Nothing is lost by it
as long as nobody bids on another value. Faces in sight are counted in the order of `values`, all others are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import comb
from typing import Any, TypeAlias

from gramy.games.gra.rules import PAIRS

COPIES = 2
DECK = COPIES * len(PAIRS)

Hand: TypeAlias = tuple[int, ...]
"""How many cards of each kind."""

Shown: TypeAlias = tuple[int, ...]
"""How many faces of each value in sight are turned up."""


class Sight:
    """Some values, and hands of one size as they look when only these are told apart."""

    def __init__(self, values: Sequence[int], size: int) -> None:
        self.values, self.size = tuple(values), size
        self.kind_of = {pair: self._kind(pair) for pair in PAIRS}
        self.kinds = sorted(set(self.kind_of.values()))
        self.copies = [COPIES * list(self.kind_of.values()).count(kind) for kind in self.kinds]

    def _kind(self, pair: tuple[int, int]) -> tuple[int, int]:
        """Both faces by their position in sight, counted from 1; 0 is any face out of sight."""
        low, high = sorted(self.values.index(face) + 1 if face in self.values else 0 for face in pair)
        return low, high

    @cached_property
    def hands(self) -> list[Hand]:
        hands: list[Hand] = [()]
        for copies in self.copies:
            hands = [(*hand, more) for hand in hands for more in range(min(copies, self.size - sum(hand)) + 1)]
        return [hand for hand in hands if sum(hand) == self.size]

    @cached_property
    def states(self) -> list[tuple[int, Shown]]:
        """Every hand, by its number, with everything that it can show."""
        return [(at, shown) for at, hand in enumerate(self.hands) for shown in sorted(self.ways(hand))]

    @cached_property
    def number_of(self) -> dict[Hand, int]:
        return {hand: at for at, hand in enumerate(self.hands)}

    @cached_property
    def state_of(self) -> dict[tuple[int, Shown], int]:
        return {state: at for at, state in enumerate(self.states)}

    def ways(self, hand: Hand, free: int = -1) -> Counter[Shown]:
        """In how many ways, card by card, a hand shows what it can. A card that has the value at position `free` and
        nothing else in sight is turned by a coin, which is half a way for each face."""
        found: Counter[Shown] = Counter({(0,) * len(self.values): 1})
        for (low, high), cards in zip(self.kinds, hand, strict=True):
            if low == high:
                continue
            coin = 0.5**cards if (low, high) == (0, free + 1) else 1
            more: Counter[Shown] = Counter()
            for shown, times in found.items():
                for up in range(cards + 1):
                    turned = [0, *shown]
                    turned[high] += up
                    turned[low] += cards - up
                    # A Counter is typed for whole numbers, and holds halves as well.
                    more[tuple(turned[1:])] += times * comb(cards, up) * coin  # type: ignore[assignment]
            found = more
        return found

    def seen(self, cards: Iterable[tuple[int, int]]) -> Hand:
        """Cards, as pairs of faces, as a hand."""
        kinds = Counter(self.kind_of[card] for card in cards)
        return tuple(kinds[kind] for kind in self.kinds)

    def shown(self, faces: Sequence[int]) -> Shown:
        return tuple(faces.count(value) for value in self.values)

    def without(self, hand: Hand, high: int) -> Hand:
        """A hand as it looks when only the first so many values are in sight."""
        kinds = sorted({_blurred(kind, high) for kind in self.kinds})
        found: Counter[tuple[int, int]] = Counter()
        for kind, cards in zip(self.kinds, hand, strict=True):
            found[_blurred(kind, high)] += cards
        return tuple(found[kind] for kind in kinds)


def _blurred(kind: tuple[int, int], high: int) -> tuple[int, int]:
    low, other = sorted(face if face <= high else 0 for face in kind)
    return low, other


def joint(mine: Sight, theirs: Sight) -> Any:
    """The chance of each pair of hands, as an array: one row for each of mine."""
    import numpy as np

    here, there = np.array(mine.hands), np.array(theirs.hands)
    chances = np.ones((len(here), len(there)))
    for kind, copies in enumerate(mine.copies):
        ways = [[comb(copies, own) * comb(max(0, copies - own), other) for other in range(DECK)] for own in range(DECK)]
        chances *= np.array(ways, float)[here[:, kind, None], there[None, :, kind]]
    return chances / (comb(DECK, mine.size) * comb(DECK - mine.size, theirs.size))
