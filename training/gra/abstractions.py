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


class TablePlan(NamedTuple):
    """How a strategy of a large round by quantity first is computed: a draft, then the strategy in its pruned tree.

    Of its hand the seat knows what it shows, and its cards with `recall_values`. While the unrestricted seat learns, it
    knows what it shows and its cards with `opponent_values`; None: all its cards.
    """

    recall_values: tuple[int, ...]
    opponent_values: tuple[int, ...] | None
    iterations: int
    max_jump: int = 2
    drafted: bool = True  # otherwise the strategy is computed in the whole tree, which is stored


MAX_NUMBER, MAX_BIDS = 5, 2
"""The limits of a seat's bids in large rounds. With a third bid the drafts were too large to converge."""

DRAFT_ITERATIONS = 60
"""The iterations of a draft. It is cheap, as its hands forget much, and it finds the bids that matter."""

DRAFT_PROBABILITY = 0.01
"""A bid stays in the tree after the draft if some hand makes it with at least this probability."""

PLAYED_PROBABILITY = 0.02
"""Smaller probabilities of the computed strategy become 0, so that its tree is small. It loses up to 0.0003 by that."""

PERFECT_RECALL_SIZE = 2
"""Hands of up to so many cards always know all their cards: there are 465 states of two cards."""

FIVES_AND_SIXES, FROM_FOUR = (5, 6), (4, 5, 6)
ALL_VALUES = tuple(range(1, VALUES + 1))

PLANS = {
    # A hand of one card has 30 states, so the other seat, with up to 6,939 states, is affordable.
    "1v4 opens": TablePlan(ALL_VALUES, FIVES_AND_SIXES, 300),
    "1v4 answers": TablePlan(FIVES_AND_SIXES, None, 300),
    "4v1 opens": TablePlan(FROM_FOUR, None, 300),
    "4v1 answers": TablePlan(ALL_VALUES, FROM_FOUR, 150),
    # 4,880 states of three cards and 465 of two: both sides know everything.
    "2v3 opens": TablePlan(ALL_VALUES, None, 150),
    "2v3 answers": TablePlan(ALL_VALUES, None, 150),
    "3v2 opens": TablePlan(ALL_VALUES, None, 150),
    "3v2 answers": TablePlan(ALL_VALUES, None, 120),
    # Learning against all 4,880 states of three cards is too slow here; so against the 564 with fives and sixes.
    "3v3 opens": TablePlan(ALL_VALUES, FIVES_AND_SIXES, 120),
    "3v3 answers": TablePlan(ALL_VALUES, FIVES_AND_SIXES, 120),
    # A hand of four cards has 2,013 states with fives and sixes, on either side.
    "4v2 opens": TablePlan(FIVES_AND_SIXES, None, 220),
    "4v2 answers": TablePlan(ALL_VALUES, FIVES_AND_SIXES, 80),
    # By drafts both seats of 2v4 guaranteed 0.001 less. With seven cards drafts were not tried.
    "2v4 opens": TablePlan(ALL_VALUES, FIVES_AND_SIXES, 150, max_jump=1, drafted=False),
    "2v4 answers": TablePlan((), None, 150, max_jump=1, drafted=False),
    "3v4 opens": TablePlan((), FIVES_AND_SIXES, 150, max_jump=1, drafted=False),
    "3v4 answers": TablePlan((), FIVES_AND_SIXES, 120, max_jump=1, drafted=False),
    "4v3 opens": TablePlan((), FROM_FOUR, 200, max_jump=1, drafted=False),
    "4v3 answers": TablePlan((), FIVES_AND_SIXES, 80, max_jump=1, drafted=False),
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
        return Abstraction(round, seat, VALUES, MAX_NUMBER, MAX_BIDS, plan.max_jump, size, recall_values=values)
    if round.quantity_first:  # higher raises of smaller rounds do not fit into memory, or gain nothing
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
