"""Chance in a round between two players: the deal of both hands, and low faces that are turned at random."""

from __future__ import annotations

from collections import defaultdict
from math import comb
from typing import NamedTuple

import numpy as np

from gramy.bots.gra.abstraction import Subgame
from gramy.bots.gra.hand_abstraction import COPIES, DECK_SIZE, HandAbstraction
from gramy.games.gra.rules import PAIRS, VALUES
from training.gra.cfr import Array


class Transitions(NamedTuple):
    """Arrays of equal length: a choice of faces leads to a private state of a subgame with a probability."""

    option: Array
    state: Array
    probability: Array


def deal_probabilities(mine: HandAbstraction, theirs: HandAbstraction) -> Array:
    """Return the probability of each pair of hands, one row for each of mine."""
    own_hands, other_hands = np.array(mine.hands), np.array(theirs.hands)
    found = np.ones((len(own_hands), len(other_hands)))
    for at, available in enumerate(mine.class_sizes):
        ways = [
            [comb(available, own) * comb(max(0, available - own), other) for other in range(DECK_SIZE)]
            for own in range(DECK_SIZE)
        ]
        found *= np.array(ways, float)[own_hands[:, at, None], other_hands[None, :, at]]
    return found / (comb(DECK_SIZE, mine.size) * comb(DECK_SIZE - mine.size, theirs.size))


def full_hands(first: Subgame, low: Subgame | None, seat: int) -> dict[tuple[int, frozenset[int]], float]:
    """Return the probability of each full hand of a seat, as far as the subgames distinguish it.

    A full hand is described by its abstract hand in the first subgame, and by the set of its abstract hands in the
    subgame with a low value. The set has one abstract hand for each low value.
    """
    hands = first.hands[seat]
    found = defaultdict[tuple[int, frozenset[int]], float](float)
    low_values = [value for value in range(1, VALUES + 1) if value not in first.values]
    with_low = [HandAbstraction((*first.values, value), hands.size) for value in low_values]
    for hand in HandAbstraction(range(1, VALUES + 1), hands.size).hands:
        cards = [pair for pair, number in zip(PAIRS, hand, strict=True) for _ in range(number)]
        ways = 1
        for number in hand:
            ways *= comb(COPIES, number)
        lows = frozenset(low.hands[seat].index_of[each.abstract_hand(cards)] for each in with_low if low is not None)
        found[hands.hand_index(cards), lows] += ways / comb(DECK_SIZE, hands.size)
    return found


def random_low_faces(low: Subgame, first: HandAbstraction, seat: int) -> Transitions:
    """Return the transitions from what a seat shows of the high values to the states of a subgame with a low value."""
    fine = low.hands[seat]
    rows = []
    for index, hand in enumerate(fine.hands):
        ways_to_show = fine.ways_to_show(hand, random_value=len(first.values))
        total: dict[tuple[int, ...], float] = defaultdict(float)
        for shown, ways in ways_to_show.items():
            total[shown[:-1]] += ways
        coarse = first.index_of[fine.coarsen(hand, low.common_values)]
        for shown, ways in ways_to_show.items():
            option = first.state_of[coarse, shown[:-1]]
            rows.append((option, fine.state_of[index, shown], ways / total[shown[:-1]]))
    return transitions(rows)


def transitions(rows: list[tuple[int, int, float]]) -> Transitions:
    """Return transitions from rows of option, state and probability."""
    option, state, probability = zip(*rows, strict=True)
    return Transitions(np.array(option), np.array(state), np.array(probability))
