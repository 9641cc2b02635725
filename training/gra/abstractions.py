"""The abstraction of each round, and how far its strategy is computed. The sizes were found by experiments."""

from __future__ import annotations

from typing import NamedTuple

from gramy.bots.gra.abstraction import Abstraction, TwoPlayerRound
from gramy.bots.gra.bid_tree import OPENER, RESPONDER
from gramy.bots.gra.strategy_tables import table_name
from gramy.games.gra.rules import FULL, VALUES

LARGEST_HAND, MOST_CARDS = 4, 7
"""With bids by quantity first there are tables for hands of up to so many cards, and so many in all."""

MOST_CARDS_COMPLETE = 4
"""With bids by quantity first the trees of rounds up to so many cards are computed, and stored, as a whole."""


class BidLimits(NamedTuple):
    """The limits of a seat's bids by quantity first, as in `Abstraction`."""

    max_number: int
    max_bids: int
    max_jump: int


class TablePlan(NamedTuple):
    """How a strategy of a large round by quantity first is computed: a draft in the limits, then in its pruned tree.

    While the unrestricted seat learns, it knows of its hand what it shows and the cards with `opponent_values`; None:
    all of it.
    """

    limits: BidLimits
    recall_values: tuple[int, ...]  # of its own hand the seat knows what it shows, and its cards with these values
    opponent_values: tuple[int, ...] | None
    iterations: int


DRAFT_ITERATIONS = 60
"""The iterations of a draft. It is cheap, as its hands forget much, and it finds the bids that matter."""

DRAFT_PROBABILITY = 0.01
"""A bid stays in the tree after the draft if some hand makes it with at least this probability."""

PLAYED_PROBABILITY = 0.02
"""Smaller probabilities of the computed strategy become 0, so that its tree is small. It loses up to 0.0003 by that."""

PERFECT_RECALL_SIZE = 2
"""Hands of up to so many cards always know all their cards: there are 465 states of two cards."""

ALL_VALUES = tuple(range(1, VALUES + 1))
WIDE = BidLimits(max_number=5, max_bids=2, max_jump=2)
FIVES_AND_SIXES, FROM_FOUR = (5, 6), (4, 5, 6)

PLANS = {
    "1v4 opens": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 300),
    "1v4 answers": TablePlan(WIDE, FIVES_AND_SIXES, None, 300),
    "2v3 opens": TablePlan(WIDE, ALL_VALUES, None, 150),
    "2v3 answers": TablePlan(WIDE, ALL_VALUES, None, 150),
    "3v2 opens": TablePlan(WIDE, ALL_VALUES, None, 150),
    "3v2 answers": TablePlan(WIDE, ALL_VALUES, None, 120),
    "4v1 opens": TablePlan(WIDE, FROM_FOUR, None, 300),
    "4v1 answers": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 300),
    "3v3 opens": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 120),
    "3v3 answers": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 120),
    "2v4 opens": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 120),
    "2v4 answers": TablePlan(WIDE, FIVES_AND_SIXES, None, 120),
    "4v2 opens": TablePlan(WIDE, FIVES_AND_SIXES, None, 120),
    "4v2 answers": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 120),
    "3v4 opens": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 80),
    "3v4 answers": TablePlan(WIDE, FIVES_AND_SIXES, FIVES_AND_SIXES, 80),
    "4v3 opens": TablePlan(WIDE, FIVES_AND_SIXES, FIVES_AND_SIXES, 80),
    "4v3 answers": TablePlan(WIDE, ALL_VALUES, FIVES_AND_SIXES, 80),
}
"""The plans of all rounds with more cards than `MOST_CARDS_COMPLETE`, by table."""


def plan_of(round: TwoPlayerRound, seat: int) -> TablePlan | None:
    """Return the plan of a seat's strategy; None if it is computed in the whole tree of its abstraction."""
    if not round.quantity_first or round.cards_in_play <= MOST_CARDS_COMPLETE:
        return None
    return PLANS[table_name(round, seat)]


def abstraction_of(round: TwoPlayerRound, seat: int) -> Abstraction:
    """Return the abstraction in which the strategy of a seat is computed, before its tree is pruned."""
    opener, responder, cards = round.opener_cards, round.responder_cards, round.cards_in_play
    plan = plan_of(round, seat)
    if plan is not None:
        hand = opener if seat == OPENER else responder
        perfect = hand <= PERFECT_RECALL_SIZE or plan.recall_values == ALL_VALUES
        values = () if perfect else plan.recall_values
        size = hand if perfect else PERFECT_RECALL_SIZE
        return Abstraction(round, seat, VALUES, *plan.limits, recall_size=size, recall_values=values)
    if round.quantity_first:
        jump = 2 if cards == MOST_CARDS_COMPLETE else seat + 1
        return Abstraction(round, seat, VALUES, cards, 3 if cards == 2 else 2, jump, recall_size=2)
    if round.jokers:
        after_one = (cards + 4) // 2 if seat == OPENER and cards > 4 else 0
        return Abstraction(round, seat, 2 if cards <= 4 else 1, min(cards, 9), cards, cards, FULL, after_one)
    if opener == 1 or (responder == 1 and opener <= 3):
        high_values = 3 if (opener, responder, seat) == (1, 1, RESPONDER) else 2
        max_number = 4 if seat == RESPONDER else min(cards, 5)
        max_bids = 3 if (opener, responder) == (1, 5) else 2
        if cards <= 4 or seat == OPENER:
            max_bids = cards
        return Abstraction(round, seat, high_values, min(cards, max_number), max_bids, cards, FULL)
    return Abstraction(round, seat, 1, min(cards, 7), cards, cards, FULL)


def draft_abstraction(abstraction: Abstraction) -> Abstraction:
    """Return the abstraction of the draft: larger hands know only the faces that they show."""
    return abstraction._replace(recall_size=PERFECT_RECALL_SIZE, recall_values=())


def draft_opponent_values(round: TwoPlayerRound, seat: int) -> tuple[int, ...]:
    """Return the values of its cards that the unrestricted seat knows in the draft, besides the faces that it shows."""
    hand = round.responder_cards if seat == OPENER else round.opener_cards
    return FIVES_AND_SIXES if hand <= PERFECT_RECALL_SIZE else ()


def target_exploitability(round: TwoPlayerRound) -> float:
    """Return the exploitability in the abstraction at which the iterations stop."""
    if round.jokers:
        return 0.0005
    small = round.cards_in_play <= 4 or (round.opener_cards, round.responder_cards) == (3, 3)
    return 0.0002 if small else 0.001
