"""A search at play time for rounds between two players: the rest of the round is solved anew at every decision.

What both seats may hold follows from the bids that were made and from the strategies that were found for them, by
Bayes' theorem (continual re-solving). A solution depends on the public state only, so it is the same for every hand.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any, NamedTuple, TypeAlias, TypeVar

from gramy.bots.gra.bid_graph import GraphRoot
from gramy.bots.gra.bid_tree import Bids
from gramy.bots.gra.hand_types import type_shares
from gramy.bots.gra.observation import CHECK, Action
from gramy.bots.gra.plain_player import opening_likelihood, plain_strategy
from gramy.bots.gra.regret_matching import TREMBLE
from gramy.bots.gra.round_solver import RoundSolver

BELIEVED = 0.5
"""How much of what the other seat may hold follows from its bids."""

PLAIN_SHARE = 0.15
"""How often the other seat is expected to act like a plain player. With 0.2 a best response gains three times as much
in rounds of one card each."""

RANDOM_SHARE = 0.1
"""How much of what the other seat may hold is taken to be shown at random."""

WORK = 40_000_000
"""Work for one second of budget. The other half of the second is for the solution of an earlier bid."""

LEAST_ITERATIONS, MOST_ITERATIONS = 30, 300

SOLUTIONS = 16
"""How many solutions of a round are kept, at most a megabyte each."""

T = TypeVar("T")

Strategy: TypeAlias = dict[Action, Any]
"""For each action its probability, by hand type."""


class RoundStart(NamedTuple):
    """A round before its first bid. Lists of two have one element a seat: the opener's, then the responder's."""

    cards: tuple[int, int]
    jokers: bool
    ranges: tuple[Any, Any]  # [type], how likely each type is
    plain_ranges: tuple[Any, Any]  # [type], the same for plain players (`plain_belief`)
    factors: tuple[Any, Any]  # [type][rank], see `RoundSolver`
    face_weights: tuple[Any, Any]  # [type], the shares in which a seat chooses among the types that it can show
    values: tuple[Any, Any]  # [type], the probability to win the round
    opening: Strategy
    reply_values: dict[Action, Any]  # after each opening by type of the responder, the probability to win the round


class Solution(NamedTuple):
    """What a solver has found for a public state, by the type of the acting seat."""

    strategy: Strategy
    action_values: dict[Action, Any]  # the probability to win the round after each action
    replies: dict[Action, Strategy]  # after each bid, by the type of the other seat
    reply_values: dict[Action, Any]  # after each bid, by the type of the other seat, its probability to win the round
    held: Any  # what the acting seat may hold
    believed: Any  # what the other seat may hold by Bayes' theorem
    entered: Any  # with what the other seat came into this part of the round, by its type


class RoundSearch:
    """Solves the public states of one round, each with so much work (`iterations_for`)."""

    def __init__(self, start: RoundStart, budget: float) -> None:
        self.start, self.budget = start, budget
        self.solution = lru_cache(SOLUTIONS)(self._solution)

    def strategy(self, bids: Bids) -> Strategy:
        """Return the strategy of the seat that acts after these bids."""
        return played(self.solution(bids).strategy if bids else self.start.opening)

    def _solution(self, bids: Bids) -> Solution:
        """Return the solution of the public state after these bids."""
        held, alternative, posterior = self._situation(bids)
        cards, factors, turn = self.start.cards, self.start.factors, len(bids) % 2
        other = 1 - turn
        prior = (1 - RANDOM_SHARE) * self.start.ranges[other] + RANDOM_SHARE * type_shares(cards[other])
        solver = RoundSolver(
            graph_root(self.start, bids), (cards[turn], cards[other]), (held, prior), (factors[turn], factors[other])
        )
        solver.expect(plain_strategy(solver.root, cards[other]), PLAIN_SHARE)
        iterations = iterations_for(self.budget, solver.work)
        if posterior is None:
            solver.iterate(iterations)
        else:
            solver.set_ranges(held, (1 - BELIEVED) * prior)
            solver.iterate(iterations, alternative, BELIEVED * posterior)
        best = {bid: best_value(solver.action_values(bid)) for bid in solver.nodes[0].actions if bid != CHECK}
        replies = {bid: solver.strategy(bid) for bid in best}
        return Solution(
            solver.strategy(),
            solver.action_values(),
            replies,
            best,
            held,
            posterior if posterior is not None else prior,
            solver.range(1),
        )

    def _situation(self, bids: Bids) -> tuple[Any, Any, Any]:
        """Return what the acting seat may hold after these bids, and two facts about the other seat, by its type.

        They are what it could win by its best bid instead of its last one, and how likely it is by Bayes' theorem.
        """
        start = self.start
        if not bids:
            return start.ranges[0], None, None
        if len(bids) == 1:
            return start.ranges[1], start.values[0], self._after_opening(bids[0])
        mine, reply = bids[-2:]
        if len(bids) == 2:
            held, believed, strategy, values = start.ranges[0], start.ranges[1], start.opening, start.reply_values
            replies = self.solution(bids[:1]).strategy
        else:
            before = self.solution(bids[:-2])
            held, believed, strategy, values = before.held, before.believed, before.strategy, before.reply_values
            replies = nearest(before.replies, mine)
        return after(held, strategy, mine), nearest(values, mine), after(believed, replies, reply)

    def _after_opening(self, bid: Action) -> Any:
        """Return what the opener may hold after its opening, by Bayes' theorem."""
        start = self.start
        free = after(start.ranges[0], start.opening, bid)
        plain = start.plain_ranges[0] * opening_likelihood(start.cards[0], start.jokers and bid[1] != 1, bid)
        return (1 - PLAIN_SHARE) * free + PLAIN_SHARE * plain / plain.sum()


def played(strategy: Strategy) -> Strategy:
    """Return a strategy without the trembles with which it was learnt."""
    shares = {action: maximum(share - TREMBLE, 0.0) for action, share in strategy.items()}
    total = sum(shares.values())
    return {action: share / total for action, share in shares.items()}


def graph_root(start: RoundStart, bids: Bids) -> GraphRoot:
    """Return the root of the graph of what may follow."""
    return GraphRoot(bids[-1] if bids else CHECK, sum(start.cards), start.jokers and (not bids or bids[0][1] != 1))


def iterations_for(budget: float, work: int) -> int:
    """Return how often a solver improves both strategies, if each time takes so much work."""
    return min(MOST_ITERATIONS, max(LEAST_ITERATIONS, int(budget * WORK / work)))


def best_value(values: dict[Action, Any]) -> Any:
    """Return the value of the best action, by type."""
    return reduce(maximum, values.values())


def maximum(first: Any, second: Any) -> Any:
    """Return the greater of two numbers, for each type."""
    import numpy as np

    return np.maximum(first, second)


def after(held: Any, strategy: Strategy, bid: Action) -> Any:
    """Return what a seat may hold after a bid. A bid that its strategy does not have says what the nearest one says."""
    bids = {action: share for action, share in strategy.items() if action != CHECK}
    found = held * nearest(bids, bid) if bids else held
    return found / found.sum()


def nearest(known: dict[Action, T], bid: Action) -> T:
    """Return what is known of a bid, or else of the one that is nearest to it: on the same value if there is any."""
    if bid in known:
        return known[bid]
    return known[min(known, key=lambda other: (other[1] != bid[1], abs(other[0] - bid[0]), other))]
