"""Beliefs about hidden cards: deals sampled from the unseen cards, and the likelihood of the bids under each of them.

The sampled deals are particles of importance sampling. The proposal deals cards uniformly and turns them as people
mostly do; the weight is the likelihood of the bids. Bidders follow a softmax over the probabilities of the binomial
model (`bid_probability`). All functions are compiled if Numba is installed (`gramy.compiled`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import exp
from typing import NamedTuple

from gramy.bots.gra.bid_probability import HIT_PROBABILITY, JOKER_HIT_PROBABILITY, binomial_tail
from gramy.cards import lowest
from gramy.games.gra.rules import NO_BID, VALUES, Bid, higher
from gramy.playout import below, following_word

SEATS = 6
FACES = VALUES + 1
"""Numbers a seat in an array of faces: how many faces it shows of each value. Position 0 is not used."""

PROFILE = 3
"""Numbers a profile."""

TABLE_SIZE = 32
"""The table of hit probabilities covers fewer than this many unknown cards and needed hits."""

LIKELIHOOD_TEMPERATURE = 0.12
"""Temperature of the softmax by which other seats are taken to have bid."""

BLUFF_RATE = 0.03
"""How often a bid carries no information."""

OPENING_DECAY = 0.15
"""Factor on the likelihood of an opening bid for each hit that it lacks in the bidder's own hand."""

FAVOURITE, FAVOURITE_OR_HIGH = 200, 230
"""How 256 hands are turned: 200 to their most frequent value, 30 with every card to its higher face, 26 at random."""


class Observation(NamedTuple):
    """A round as a seat sees it. The standing bid is `number` and `value` by `bidder`; all 0 before the opening."""

    seat: int
    turn: int
    active: int
    step: int
    cards_in_play: int
    quantity_first: int
    jokers: int  # whether the variant with jokers is played
    ones_are_jokers: int  # whether ones count for every value in this round
    number: int
    value: int
    bidder: int


class RoundModel(NamedTuple):
    """An observation with the hand sizes, the table of hit probabilities (`hit_table`) and the players' profiles.

    `profiles` has PROFILE numbers a seat, the fields of `opponent_model.Profile`.
    """

    observation: Observation
    sizes: Sequence[int]
    hit_probabilities: Sequence[float]
    profiles: Sequence[float]


def hit_table() -> list[float]:
    """Return the probability of at least so many hits among unknown cards, by [jokers][unknown cards][needed hits]."""
    return [
        binomial_tail(needed, unknown, probability)
        for probability in (HIT_PROBABILITY, JOKER_HIT_PROBABILITY)
        for unknown in range(TABLE_SIZE)
        for needed in range(TABLE_SIZE)
    ]


def hits(faces: Sequence[int], seat: int, value: int, jokers: int) -> int:
    """Return how many faces of a seat count for a value."""
    ones = faces[seat * FACES + 1] if jokers and value != 1 else 0
    return faces[seat * FACES + value] + ones


def plausibility(model: RoundModel, faces: Sequence[int], seat: int, number: int, value: int, jokers: int) -> float:
    """Return the probability of a bid for a seat that knows its own faces and draws no conclusions from bids."""
    needed = max(0, number - hits(faces, seat, value, jokers))
    unknown = model.observation.cards_in_play - model.sizes[seat]
    return model.hit_probabilities[((jokers if value != 1 else 0) * TABLE_SIZE + unknown) * TABLE_SIZE + needed]


def sample_deal(model: RoundModel, unseen: MutableSequence[int], faces: MutableSequence[int], word: int) -> int:
    """Deal the unseen cards to the other seats and choose their faces. Return the next random word.

    A card is 8 times its lower face plus its higher face. `unseen` is shuffled, `faces` is overwritten.
    """
    observation = model.observation
    left = len(unseen)
    for seat in range(SEATS):
        if seat == observation.seat or not observation.active >> seat & 1:
            continue
        base = seat * FACES
        for at in range(base, base + FACES):
            faces[at] = 0
        end = left
        for _ in range(model.sizes[seat]):  # the drawn cards are moved behind the remaining ones
            word = following_word(word)
            at = below(word, left)
            left -= 1
            unseen[at], unseen[left] = unseen[left], unseen[at]
        favourite, most = 0, -1
        for value in range(1, FACES):
            found = 0
            for at in range(left, end):
                low, high = unseen[at] // 8, unseen[at] % 8
                found += int(low == value or high == value or (observation.jokers == 1 and low == 1))
            if found >= most:
                favourite, most = value, found
        word = following_word(word)
        manner = below(word, 256)
        for at in range(left, end):
            low, high = unseen[at] // 8, unseen[at] % 8
            word = following_word(word)
            face = high if below(word, 2) else low
            if manner < FAVOURITE:
                if low == favourite or high == favourite:
                    face = favourite
                elif observation.jokers and low == 1:
                    face = 1
            elif manner < FAVOURITE_OR_HIGH:
                face = high
            faces[base + face] += 1
    return word


def likelihood(model: RoundModel, faces: Sequence[int], bids: Sequence[int]) -> float:
    """Return the likelihood of the other seats' bids under these faces. `bids` is seat, number, value, seat, ..."""
    weight = 1.0
    standing = NO_BID
    for at in range(0, len(bids), 3):
        seat, number, value = bids[at], bids[at + 1], bids[at + 2]
        if seat != model.observation.seat:
            bluffs = max(BLUFF_RATE, model.profiles[seat * PROFILE + 2])
            if standing.number == 0:
                lacking = max(0, number - hits(faces, seat, value, model.observation.ones_are_jokers))
                weight *= bluffs + (1 - bluffs) * OPENING_DECAY**lacking
            else:
                weight *= bluffs + (1 - bluffs) * raise_probability(model, faces, seat, standing, number, value)
        standing = Bid(number, value, seat, 0)
    return weight


def raise_probability(
    model: RoundModel, faces: Sequence[int], seat: int, standing: Bid, number: int, value: int
) -> float:
    """Return the probability that a seat makes this bid, rather than a check or the lowest bid on another value."""
    jokers, temperature = model.observation.ones_are_jokers, LIKELIHOOD_TEMPERATURE
    this = exp(plausibility(model, faces, seat, number, value, jokers) / temperature)
    others = exp((1 - plausibility(model, faces, seat, standing.number, standing.value, jokers)) / temperature)
    for other in range(1, FACES):
        row = higher(standing, other, model.observation.cards_in_play, model.observation.quantity_first)
        if row and other != value:
            others += exp(plausibility(model, faces, seat, lowest(row), other, jokers) / temperature)
    return this / (this + others)
