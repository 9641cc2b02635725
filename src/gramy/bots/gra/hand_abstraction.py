"""Card abstraction: hands that differ only in faces of other values are one abstract hand.

If only sixes are distinguished, a card either has a six or not, and there are six abstract hands of five cards. No
information is lost as long as nobody bids on another value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from math import comb
from typing import TypeAlias

from gramy.games.gra.rules import PAIRS

COPIES = 2
DECK_SIZE = COPIES * len(PAIRS)

CardClass: TypeAlias = tuple[int, int]
"""Both faces of a card as positions in the distinguished values, counted from 1 and sorted; 0 is any other face."""

AbstractHand: TypeAlias = tuple[int, ...]
"""The number of cards of each class."""

ShownFaces: TypeAlias = tuple[int, ...]
"""The number of chosen faces of each distinguished value."""


class HandAbstraction:
    """The abstract hands of one size, when only some values are distinguished."""

    def __init__(self, values: Sequence[int], size: int) -> None:
        self.values, self.size = tuple(values), size
        self.class_of = {pair: self._class_of(pair) for pair in PAIRS}
        self.classes = sorted(set(self.class_of.values()))
        self.class_sizes = [COPIES * list(self.class_of.values()).count(kind) for kind in self.classes]

    def _class_of(self, pair: tuple[int, int]) -> CardClass:
        low, high = sorted(self.values.index(face) + 1 if face in self.values else 0 for face in pair)
        return low, high

    @cached_property
    def hands(self) -> list[AbstractHand]:
        """All abstract hands."""
        hands: list[AbstractHand] = [()]
        for available in self.class_sizes:
            hands = [(*hand, more) for hand in hands for more in range(min(available, self.size - sum(hand)) + 1)]
        return [hand for hand in hands if sum(hand) == self.size]

    @cached_property
    def private_states(self) -> list[tuple[int, ShownFaces]]:
        """All abstract hands, by their index, with all faces that they can show."""
        return [(at, shown) for at, hand in enumerate(self.hands) for shown in sorted(self.ways_to_show(hand))]

    @cached_property
    def index_of(self) -> dict[AbstractHand, int]:
        """The index of each abstract hand."""
        return {hand: at for at, hand in enumerate(self.hands)}

    @cached_property
    def state_of(self) -> dict[tuple[int, ShownFaces], int]:
        """The index of each private state."""
        return {state: at for at, state in enumerate(self.private_states)}

    def ways_to_show(self, hand: AbstractHand, random_value: int = -1) -> Counter[ShownFaces]:
        """Return the number of ways, card by card, in which a hand can show each combination of faces.

        A card on which only the value at position `random_value` is distinguished is turned at random: each of its
        faces counts as half a way.
        """
        found: Counter[ShownFaces] = Counter({(0,) * len(self.values): 1})
        for (low, high), cards in zip(self.classes, hand, strict=True):
            if low == high:
                continue
            probability = 0.5**cards if (low, high) == (0, random_value + 1) else 1
            more: Counter[ShownFaces] = Counter()
            for shown, ways in found.items():
                for up in range(cards + 1):
                    turned = [0, *shown]
                    turned[high] += up
                    turned[low] += cards - up
                    # Counter is typed for whole numbers, and works with halves as well.
                    more[tuple(turned[1:])] += ways * comb(cards, up) * probability  # type: ignore[assignment]
            found = more
        return found

    def abstract_hand(self, cards: Iterable[tuple[int, int]]) -> AbstractHand:
        """Return the abstract hand of some cards."""
        classes = Counter(self.class_of[card] for card in cards)
        return tuple(classes[kind] for kind in self.classes)

    def hand_index(self, cards: Iterable[tuple[int, int]]) -> int:
        """Return the index of the abstract hand of some cards."""
        return self.index_of[self.abstract_hand(cards)]

    def shown_faces(self, faces: Sequence[int]) -> ShownFaces:
        """Return how many of the faces show each distinguished value."""
        return tuple(faces.count(value) for value in self.values)

    def coarsen(self, hand: AbstractHand, values: Sequence[int]) -> AbstractHand:
        """Return a hand as it looks when only these of the values are distinguished."""
        places = {0, *(at for at, value in enumerate(self.values, 1) if value in values)}
        coarse = [_coarse_class(kind, places) for kind in self.classes]
        found: Counter[CardClass] = Counter()
        for kind, cards in zip(coarse, hand, strict=True):
            found[kind] += cards
        return tuple(found[kind] for kind in sorted(set(coarse)))


def _coarse_class(kind: CardClass, places: Collection[int]) -> CardClass:
    low, high = sorted(face if face in places else 0 for face in kind)
    return low, high
