"""Hand types: all that a hand shows, which is what decides the bids of a round between two players.

A seat has 6, 21, 56, 126 or 252 types. What is on the other side of its cards only changes, a little, how likely the
types of the other seat are; the search counts that in the mean over all hands of a type.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, TypeAlias

from gramy.games.gra.rules import VALUES

HandType: TypeAlias = tuple[int, ...]
"""How many faces a hand shows of each value, from one to six."""

RANK = 8
"""Numbers a type by which the weight of two types together is approximated."""


@cache
def hand_types(cards: int) -> tuple[HandType, ...]:
    """Return all types of a hand."""
    return tuple(
        tuple(faces.count(value) for value in range(1, VALUES + 1))
        for faces in combinations_with_replacement(range(1, VALUES + 1), cards)
    )


@cache
def type_index(cards: int) -> dict[HandType, int]:
    """Return the index of each type."""
    return {shown: at for at, shown in enumerate(hand_types(cards))}


@cache
def type_hits(cards: int) -> Any:
    """Return how many faces count for each value, by [are ones jokers][value][type]; value 0 is not used."""
    import numpy as np

    shown = np.array(hand_types(cards), np.int64).T
    plain = np.vstack([np.zeros_like(shown[:1]), shown])
    jokers = plain + plain[1]
    jokers[:2] = plain[:2]
    return np.stack([plain, jokers])


@cache
def type_shares(cards: int) -> Any:
    """Return how likely each type is if every card shows a random value."""
    import numpy as np

    ways = [factorial(cards) / prod(map(factorial, shown)) for shown in hand_types(cards)]
    return np.array(ways) / VALUES**cards
