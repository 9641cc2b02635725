"""A bot that evaluates moves by Monte-Carlo rollouts over sampled deals, for any number of players and every variant.

The method is Monte-Carlo sampling of determinizations with importance weights. `belief` samples and weighs deals.
`rollout` plays all moves in the same deals, then the best few again. The utility is the probability to win the match.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias

from gramy import games, playout
from gramy.bots.gra.belief import FACES, SEATS, Observation, RoundModel, hit_table
from gramy.bots.gra.bid_probability import claim_probabilities
from gramy.bots.gra.match_value import round_utilities
from gramy.bots.gra.observation import bids_of_round, own_cards, parse_bid, parse_faces, variant_of
from gramy.bots.gra.opponent_model import profiles_seen
from gramy.bots.gra.rollout import UNDECIDED, Candidates, Evidence, evaluate_candidates
from gramy.bots.kernel import floats, integers, is_compiled, kernel, out_of_time, zeros
from gramy.bots.protocol import Bot, seat_of
from gramy.cards import from_positions
from gramy.contract import View
from gramy.games.gra.rules import PAIRS
from gramy.matches import Entry

COMPILED_ROLLOUTS = 2_000_000
"""Rollouts for one second of budget."""

PLAIN_ROLLOUTS = 6_000
"""The same by plain functions. A deadline ends them on a slow machine."""

PLAIN_BATCH = 8
"""Deals after which plain functions look whether there is time for more."""

FINALISTS = 6
"""The number of candidates that get the second half of the rollouts."""

LIKELY = 0.7
"""The probability of a claim that plain functions examine further."""

Candidate: TypeAlias = tuple[int, ...]
"""A row of `rollout.Candidates`."""


class UtilityEstimate(NamedTuple):
    """The mean utility of each candidate, and the total weight of the deals behind it."""

    utilities: dict[Candidate, float]
    weight: float


@cache
def cached_hit_table(compiled: bool) -> Any:
    """Return the table of hit probabilities: an array if kernels are compiled, else a list."""
    return floats(hit_table())


@dataclass(frozen=True)
class DealSampler(Bot):
    """Plays the move with the highest estimated probability to win the match."""

    effort: float
    """The share of the budget that it uses."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        values = self.evaluate(view, history, rng, budget)
        return max(values, key=lambda move: values[move])

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """Return the probability to win the match after each legal move."""
        rollouts = int(budget * self.effort * (COMPILED_ROLLOUTS if is_compiled() else PLAIN_ROLLOUTS))
        candidates = {move: candidate_of(view, move) for move in view.moves}
        distinct = list(dict.fromkeys(candidates.values()))  # the same faces in another order are one candidate
        position = read_position(view, history)
        values, weight = estimate(position, distinct, rollouts // 2, rng)
        finalists = sorted(distinct, key=lambda row: values[row], reverse=True)[:FINALISTS]
        if not is_compiled() and view.board.phase == "bidding":  # few deals would favour a lucky one of many bids
            finalists = list(dict.fromkeys(candidates[move] for move in plausible_moves(view, history)))
        again = estimate(position, finalists, rollouts // 2, rng)
        for row in finalists:
            values[row] = (values[row] * weight + again.utilities[row] * again.weight) / (weight + again.weight)
        limit = min(values[row] for row in finalists)  # a dropped candidate never overtakes a finalist
        return {
            move: values[row] if row in again.utilities else min(values[row], limit) for move, row in candidates.items()
        }


class Position(NamedTuple):
    """What a view and a history say about a round, as the kernel takes it."""

    model: RoundModel
    unseen: list[int]
    bids: Any
    utilities: Any


def read_position(view: View, history: tuple[Entry, ...]) -> Position:
    """Return the position that a seat sees."""
    bids = bids_of_round(history) if view.board.phase == "bidding" else []
    model = RoundModel(
        observe(view), integers(six_sizes(view.board.sizes)), cached_hit_table(is_compiled()), opponents(view, history)
    )
    utilities = floats(round_utilities(view, seat_of(view)))
    return Position(model, unseen_cards(view), integers([number for bid in bids for number in bid]), utilities)


def estimate(position: Position, candidates: Sequence[Candidate], rollouts: int, rng: random.Random) -> UtilityEstimate:
    """Estimate the utility of each candidate by `rollouts` roll-outs in total."""
    totals = floats([0.0] * len(candidates))
    evaluate = partial(
        kernel(games.gra.RULES, evaluate_candidates),
        position.model,
        Evidence(integers(position.unseen), position.bids),
        Candidates(integers([number for row in candidates for number in row]), position.utilities, totals),
        zeros(SEATS * FACES),
    )
    left, weight = max(1, rollouts // len(candidates)), 0.0
    while left and not (weight and out_of_time()):
        deals = left if is_compiled() else min(left, PLAIN_BATCH)
        weight += float(evaluate(deals, playout.first_word(rng.getrandbits(32))))
        left -= deals
    utilities = {row: float(total) / weight for row, total in zip(candidates, totals, strict=True)}
    return UtilityEstimate(utilities, weight)


def opponents(view: View, history: tuple[Entry, ...]) -> Any:
    """Return the profiles of all seats as numbers."""
    return floats([number for profile in profiles_seen(view, history) for number in profile])


def plausible_moves(view: View, history: tuple[Entry, ...]) -> list[str]:
    """Return the moves that plain probability recommends: a check, and on each value the lowest and highest likely bid.

    If no bid is likely, the most probable one is among them.
    """
    claims = claim_probabilities(view, history)
    bids = [move for move in view.moves if move != "check"]
    likely = [move for move in bids if claims[move] >= LIKELY] or sorted(bids, key=lambda move: -claims[move])[:1]
    ends: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for move in sorted(likely, key=parse_bid):
        ends.setdefault((parse_bid(move)[1], tuple(move.split()[2:])), []).append(move)
    return [move for move in view.moves if move == "check"] + [
        move for same in ends.values() for move in dict.fromkeys((same[0], same[-1]))
    ]


def candidate_of(view: View, move: str) -> Candidate:
    """Return a legal move as a candidate: the own faces, number, value and step."""
    if move.startswith("choose"):
        return (*face_counts(parse_faces(move)), UNDECIDED, 0, 1)
    own = face_counts(view.board.hand.faces)
    if move == "check":
        return (*own, 0, 0, 1)
    words = move.split()
    direction = words[2] if len(words) > 2 else view.board.way
    return (*own, *parse_bid(move), 1 if direction == "left" else -1)


def observe(view: View) -> Observation:
    """Return the round that a view shows, as numbers."""
    board, variant = view.board, variant_of(view)
    return Observation(
        seat=seat_of(view),
        turn=board.turn,
        active=from_positions(board.active),
        step=1 if board.way == "left" else -1,
        cards_in_play=board.in_play,
        quantity_first=variant.quantity_first,
        jokers=variant.jokers,
        ones_are_jokers=int(board.ones_are_jokers),
        number=board.bid.number if board.bid else 0,
        value=board.bid.value if board.bid else 0,
        bidder=board.bid.bidder if board.bid else 0,
    )


def six_sizes(sizes: Sequence[int]) -> list[int]:
    """Return the hand sizes of six seats, 0 for those that are not there."""
    return [*sizes, 0, 0, 0, 0, 0, 0][:SEATS]


def unseen_cards(view: View) -> list[int]:
    """Return the cards that are not in the own hand, each as 8 times its lower face plus its higher face."""
    deck = [8 * low + high for low, high in PAIRS for _ in range(2)]
    for low, high in own_cards(view):
        deck.remove(8 * low + high)
    return deck


def face_counts(faces: Sequence[int]) -> tuple[int, ...]:
    """Return how many faces show each value; position 0 is not used."""
    return tuple(faces.count(value) for value in range(FACES))
