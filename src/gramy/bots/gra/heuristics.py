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
    """Raises to the most probable bid, with typical mistakes of people."""

    check_below: float
    """It checks only a bid that is less probable than this, so it believes too much."""
    own_hit_bonus: float
    """It overrates a bid by this much for each hit in its own hand."""
    overbid_rate: float
    """How often it bids one more than it should."""
    hasty_rate: float
    """How often it goes by its own cards alone: it does not count the others, and doubts nothing."""
    blind_rate: float = 0.0
    """How often it overlooks that its own cards disprove a bid. Otherwise it checks such a bid, and makes none."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        if view.board.phase == "choosing":
            return best_faces(view)
        state, faces = bidding_state(view), view.board.hand.faces
        own, unknown = count_hits(faces, state.jokers), state.cards_in_play - len(faces)
        blind = rng.random() < self.blind_rate
        most = [state.cards_in_play if blind else hits + unknown for hits in own]
        raises = [(number, value) for number, value in lowest_raises(state) if number <= most[value]]
        hasty, overbids = rng.random() < self.hasty_rate, rng.random() < self.overbid_rate
        if not raises or (state.bid.number and state.bid.number > most[state.bid.value]):
            return "check"
        if hasty:
            number, value = max(raises, key=lambda bid: (own[bid[1]] - bid[0], bid[1]))
        elif state.bid.number and probability(state, *state.bid[:2], own, unknown) < self.check_below:
            return "check"
        else:
            number, value = max(raises, key=lambda bid: (self._rating(state, bid, own, unknown), rng.random()))
        overbid = overbids and number < most[value]
        return as_legal_move(view, (number + overbid, value), rng.choice(DIRECTIONS))

    def _rating(self, state: BiddingState, bid: Action, own: Hits, unknown: int) -> float:
        return probability(state, *bid, own, unknown) + self.own_hit_bonus * own[bid[1]]


NAIVE = Naive()
EASY = NoisyBidder(check_below=0.05, own_hit_bonus=0.3, overbid_rate=0.4, hasty_rate=0.65, blind_rate=0.3)
MEDIUM = NoisyBidder(check_below=0.1, own_hit_bonus=0.3, overbid_rate=0.3, hasty_rate=0.3)
HEURISTIC = NoisyBidder(check_below=0.15, own_hit_bonus=0.2, overbid_rate=0.15, hasty_rate=0.2)
"""The heuristic part of the hard bot."""
