"""Monte-Carlo rollouts of a round: candidate moves are played to the end of the round in the same sampled deals.

In a rollout each player samples an action by a softmax over the probabilities of the binomial model, unless its profile
(`opponent_model`) says that it checks always or never. The rules of the bidding are the game's own functions. All
functions are compiled if Numba is installed (`gramy.compiled`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import exp
from typing import NamedTuple

from gramy.bots.gra.belief import (
    FACES,
    PROFILE,
    SEATS,
    Observation,
    RoundModel,
    hits,
    likelihood,
    plausibility,
    sample_deal,
)
from gramy.cards import lowest
from gramy.games.gra.rules import Bid, following, higher
from gramy.playout import following_word

CANDIDATE = FACES + 3
"""Numbers a candidate: the own faces, then a move's number, value and step. The number 0 is a check. The number
UNDECIDED leaves the opening bid to the seat that opens."""

UNDECIDED = -1

ROLLOUT_TEMPERATURE = 0.03
"""Temperature of the softmax by which players bid in rollouts."""

DOUBT = 0.4
"""How much less probable than the best raise the claim of a check may be, for players in rollouts to prefer the check.
With 0 they would nearly always raise, as a low bid on another value is likely, and the bot would bluff far too much."""


class Evidence(NamedTuple):
    """The unseen cards, which sampling shuffles, and the bids of the round: seat, number, value, seat, ..."""

    unseen: MutableSequence[int]
    bids: Sequence[int]


class Candidates(NamedTuple):
    """Candidates in rows of CANDIDATE numbers, the utility of a round by [winner][loser], and a total a candidate."""

    rows: Sequence[int]
    utilities: Sequence[float]
    totals: MutableSequence[float]


def certain_opening(observation: Observation, faces: Sequence[int], seat: int) -> tuple[int, int]:
    """Return the highest bid that is certain for a seat, as number and value."""
    number, value = 0, 0
    for other in range(1, FACES):
        found = faces[seat * FACES + other]
        if found and (found >= number or not observation.quantity_first):
            number, value = found, other
    return number, value


def sample_reply(
    model: RoundModel, faces: Sequence[int], seat: int, standing: Bid, jokers: int, word: int
) -> tuple[int, int, int]:
    """Return a seat's reply to a bid as number and value (two zeros for a check), and the next random word.

    The reply is drawn by reservoir sampling: each option replaces the one before with its share of the total so far.
    """
    word = following_word(word)
    type_drawn = (word & 0xFFFFFFFF) / 4294967296.0
    always, never = model.profiles[seat * PROFILE], model.profiles[seat * PROFILE + 1]
    if type_drawn < always:
        return 0, 0, word
    total = 0.0  # the first bid replaces the check of a player that never checks
    if type_drawn >= always + never:
        total = exp(
            (1 + DOUBT - plausibility(model, faces, seat, standing.number, standing.value, jokers))
            / ROLLOUT_TEMPERATURE
        )
    number, value = 0, 0
    for other in range(1, FACES):
        row = higher(standing, other, model.observation.cards_in_play, model.observation.quantity_first)
        if row:
            least = lowest(row)
            weight = exp(plausibility(model, faces, seat, least, other, jokers) / ROLLOUT_TEMPERATURE)
            total += weight
            word = following_word(word)
            if (word & 0xFFFFFFFF) * total < weight * 4294967296.0:
                number, value = least, other
    return number, value, word


def play_round_out(
    model: RoundModel, faces: Sequence[int], number: int, value: int, step: int, word: int
) -> tuple[int, int, int]:
    """Make a move (a check if the number is 0) and play the round to its end.

    Return the winner, the loser and the next random word.
    """
    observation = model.observation
    seat, jokers = observation.turn, observation.ones_are_jokers
    bid = Bid(observation.number, observation.value, observation.bidder, 0)
    if bid.number == 0 and value == 1:
        jokers = 0
    while number:
        bid = Bid(number, value, seat, 0)
        seat = following(seat, step, observation.active)
        number, value, word = sample_reply(model, faces, seat, bid, jokers, word)
    found = 0
    for other in range(SEATS):
        if observation.active >> other & 1:
            found += hits(faces, other, bid.value, jokers)
    if found >= bid.number:
        return bid.bidder, seat, word
    return seat, bid.bidder, word


def evaluate_candidates(
    model: RoundModel,
    evidence: Evidence,
    candidates: Candidates,
    faces: MutableSequence[int],
    deals: int,
    word: int,
) -> float:
    """Play every candidate once in each of so many sampled deals, and return the sum of the deals' weights.

    The weighted utility of each rollout is added to the total of its candidate.
    """
    weights = 0.0
    observation, rows = model.observation, candidates.rows
    base = observation.seat * FACES
    for _ in range(deals):
        word = sample_deal(model, evidence.unseen, faces, word)
        weight = likelihood(model, faces, evidence.bids)
        weights += weight
        for at in range(0, len(rows), CANDIDATE):
            for value in range(1, FACES):
                faces[base + value] = rows[at + value]
            number, value, step = rows[at + FACES], rows[at + FACES + 1], rows[at + FACES + 2]
            if number == UNDECIDED:
                number, value = certain_opening(observation, faces, observation.turn)
            winner, loser, word = play_round_out(model, faces, number, value, step, word)
            candidates.totals[at // CANDIDATE] += weight * candidates.utilities[winner * SEATS + loser]
    return weights
