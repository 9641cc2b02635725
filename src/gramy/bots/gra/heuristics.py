"""Rule-based bots of GRA: they compare the probabilities of the standing bid and of the lowest legal bids.

The probabilities come from the binomial model (`bid_probability`). These bots use no search and no opponent model.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gramy.bots.gra.bid_probability import Hits, count_hits, hit_probability
from gramy.bots.gra.observation import CHECK, Action, format_action, parse_faces, variant_of
from gramy.bots.protocol import Bot
from gramy.cards import lowest
from gramy.contract import START, View
from gramy.games.gra.rules import NO_BID, VALUES, Bid, higher
from gramy.matches import Entry

ALL_VALUES = range(1, VALUES + 1)
DIRECTIONS = ("left", "right")


class BiddingState(NamedTuple):
    """The public facts of the bidding. `bid` has no bidder and no opening: `jokers` says whether ones count for all."""

    bid: Bid
    cards_in_play: int
    quantity_first: bool
    jokers: bool


def bidding_state(view: View) -> BiddingState:
    """Return the bidding that a view shows."""
    board = view.board
    bid = Bid(board.bid.number, board.bid.value, 0, 0) if board.bid else NO_BID
    return BiddingState(bid, board.in_play, variant_of(view).quantity_first == 1, board.ones_are_jokers)


def probability(state: BiddingState, number: int, value: int, own: Hits, unknown: int) -> float:
    """Return the probability that a bid is true, given the own hits and the number of unknown cards."""
    return hit_probability(number - own[value], unknown, state.jokers and value != 1)


@lru_cache(1 << 12)
def lowest_raises(state: BiddingState) -> list[Action]:
    """Return the lowest legal bid on each value, in the order of bids."""
    rows = ((value, higher(state.bid, value, state.cards_in_play, state.quantity_first)) for value in ALL_VALUES)
    raises = [(lowest(row), value) for value, row in rows if row]
    return sorted(raises) if state.quantity_first else raises


@lru_cache(1 << 16)
def likeliest_action(state: BiddingState, own: Hits, unknown: int) -> Action:
    """Return the action whose claim is most probable. The opening is the highest bid that is certain."""
    if state.bid.number == 0:
        certain = [(own[value], value) for value in ALL_VALUES if own[value]]
        return max(certain) if state.quantity_first else certain[-1]
    best, action = 1 - probability(state, state.bid.number, state.bid.value, own, unknown), CHECK
    for number, value in lowest_raises(state):
        chance = probability(state, number, value, own, unknown)
        if chance > best + 1e-9:
            best, action = chance, (number, value)
    return action


def as_legal_move(view: View, action: Action, direction: str) -> str:
    """Return an action as a legal move, with the direction where the rules ask for one."""
    text = format_action(action)
    return text if action == CHECK or text in view.moves else f"{text} {direction}"


def best_faces(view: View) -> str:
    """Return the choice of faces with the most hits on one value; of equals the one on the higher value."""
    jokers = variant_of(view).jokers == 1
    return max(view.moves, key=lambda move: faces_score(parse_faces(move), jokers))


def faces_score(faces: list[int], jokers: bool) -> float:
    """Return the hits on the best value of these faces, plus a tenth of that value."""
    own = count_hits(faces, jokers)
    return max(own[value] + value / 10 for value in faces)


@dataclass(frozen=True)
class Naive(Bot):
    """Takes the action whose claim is most probable. It never bluffs, and ignores what other players have bid."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        if view.board.phase == "choosing":
            return best_faces(view)
        state, faces = bidding_state(view), view.board.hand.faces
        action = likeliest_action(state, count_hits(faces, state.jokers), state.cards_in_play - len(faces))
        return as_legal_move(view, action, rng.choice(DIRECTIONS))


@dataclass(frozen=True)
class NoisyBidder(Bot):
    """Raises to the most probable bid, with typical mistakes of beginners."""

    check_below: float
    """It checks only a bid that is less probable than this."""
    own_hit_bonus: float
    """It overrates a bid by this much for each hit in its own hand."""
    overbid_rate: float
    """How often it bids one more than it should."""
    random_rate: float
    """How often it makes a random move."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        at_random = rng.random() < self.random_rate
        if view.board.phase == "choosing":
            return rng.choice(view.moves) if at_random else best_faces(view)
        state, faces = bidding_state(view), view.board.hand.faces
        own, unknown = count_hits(faces, state.jokers), state.cards_in_play - len(faces)
        raises = lowest_raises(state)
        if at_random:
            actions = [CHECK, *raises] if state.bid.number else raises
            return as_legal_move(view, rng.choice(actions), rng.choice(DIRECTIONS))
        if not raises or (state.bid.number and probability(state, *state.bid[:2], own, unknown) < self.check_below):
            return "check"
        ratings = [
            (probability(state, *bid, own, unknown) + self.own_hit_bonus * own[bid[1]], rng.random(), bid)
            for bid in raises
        ]
        _, _, (number, value) = max(ratings)
        overbid = number < state.cards_in_play and rng.random() < self.overbid_rate
        return as_legal_move(view, (number + overbid, value), rng.choice(DIRECTIONS))


NAIVE = Naive()
EASY = NoisyBidder(check_below=0.05, own_hit_bonus=0.3, overbid_rate=0.6, random_rate=0.7)
MEDIUM = NoisyBidder(check_below=0.15, own_hit_bonus=0.2, overbid_rate=0.15, random_rate=0.45)
HEURISTIC = NoisyBidder(check_below=0.15, own_hit_bonus=0.2, overbid_rate=0.15, random_rate=0.2)
"""The heuristic part of the hard bot."""
