"""CFR+ and best responses in one bidding: a bid tree, the chances of the deal, and what each private state can claim.

Nothing here knows what is dealt. `solver` describes the cards of GRA in this form, `liars_dice` plain dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gramy import games
from gramy.bots.gra.bid_tree import BidNode
from gramy.bots.kernel import kernel
from training.gra.cfr import Array, BidTreeArrays, Opponent, Traverser, Workspace, traverse

TINY = 1e-300
"""Keeps divisions by a sum of 0 defined."""

HANDS_AT_ONCE = 100
"""Best responses are computed for so many hands at a time, to save memory."""


class Bidding(NamedTuple):
    """A bidding between two seats. Lists of two have one element a seat: the opener's, then the responder's.

    A private state is a hand with the part of it that is shown. States of one information set have the same hits.
    """

    nodes: Sequence[BidNode]
    deal: Array  # [hand of the opener, hand of the responder], the probability of both together
    hand: Sequence[Array]  # [private state], in ascending order
    info_set: Sequence[Array]  # [private state]
    hits: Sequence[Array]  # [value, private state]
    forgets: tuple[bool, bool]  # whether a seat has imperfect recall: an information set has states of several hands


class BiddingSolver:
    """The regrets and the average strategies of both seats in a bidding."""

    def __init__(self, bidding: Bidding) -> None:
        self.deal, self.hand, self.info_set, self.hits = bidding.deal, bidding.hand, bidding.info_set, bidding.hits
        self.forgets = bidding.forgets
        self.tree = tree_arrays(bidding.nodes)
        self.info_sets = [int(info_set.max()) + 1 for info_set in self.info_set]
        self.exact = [bool((info_set == np.arange(len(info_set))).all()) for info_set in self.info_set]
        self.max_hits = max(int(hits.max()) for hits in self.hits)
        self.info_set_hits = [
            np.zeros((len(hits), info_sets), np.int64)
            for hits, info_sets in zip(self.hits, self.info_sets, strict=True)
        ]
        for seat in (0, 1):
            self.info_set_hits[seat][:, self.info_set[seat]] = self.hits[seat]
        edges = len(self.tree.child)
        self.regret = [np.zeros((edges, info_sets), np.float32) for info_sets in self.info_sets]
        self.strategy_sum = [np.zeros((edges, info_sets), np.float32) for info_sets in self.info_sets]

    def update(self, seat: int, opponent_reach: Array, weight: Array, iteration_weight: float) -> Array:
        """Update the regrets of a seat, and return the counterfactual value of each private state at the root.

        `opponent_reach` and `weight` are by private state: how likely the other seat comes into this bidding, and how
        much a state of this seat counts in its information set.
        """
        deal, info_set, hand = self._deal(seat), self.info_set[seat], self.hand[seat]
        regret = self.regret[seat]
        if not self.forgets[seat]:
            weight = np.ones(len(hand)) if self.exact[seat] else weight
            traverser = Traverser(seat, self.hits[seat], hand, info_set, weight, regret)
            chance = self._opponent_chance(seat, deal, opponent_reach)
            return self._traverse(traverser, chance, opponent_reach, iteration_weight)
        # With imperfect recall there are few information sets. Each is updated once, for the mixture of its hands.
        mixture = np.zeros((self.info_sets[seat], len(deal)))
        np.add.at(mixture, (info_set, hand), weight)
        rows = mixture @ deal
        rows /= np.maximum(rows.sum(1), TINY)[:, None]
        every = np.arange(self.info_sets[seat])
        traverser = Traverser(seat, self.info_set_hits[seat], every, every, np.ones(len(every)), regret)
        chance = self._opponent_chance(seat, rows, opponent_reach)
        values = self._traverse(traverser, chance, opponent_reach, iteration_weight)
        return values[info_set] * deal.sum(1)[hand]

    def best_response_values(self, seat: int, opponent_reach: Array) -> Array:
        """Return the value of each private state of a seat for a best response to the other seat's average strategy."""
        deal, hand = self._deal(seat), self.hand[seat]
        found = []
        for first in range(0, len(deal), HANDS_AT_ONCE):
            rows = deal[first : first + HANDS_AT_ONCE]
            some = slice(*np.searchsorted(hand, (first, first + len(rows))))
            traverser = Traverser(
                seat,
                np.ascontiguousarray(self.hits[seat][:, some]),
                hand[some] - first,
                self.info_set[seat][some],
                np.ones(some.stop - some.start),
                self.regret[seat],
            )
            chance = self._opponent_chance(seat, rows, opponent_reach)
            found.append(self._traverse(traverser, chance, opponent_reach, 0.0))
        return np.concatenate(found)

    def _deal(self, seat: int) -> Array:
        """Return the probability of each pair of hands, one row for each hand of a seat."""
        return self.deal if seat == 0 else self.deal.T

    def _opponent_chance(self, seat: int, rows: Array, opponent_reach: Array) -> Array:
        """Return the probability of each information set of the other seat together with each row of hands."""
        other = 1 - seat
        if self.exact[other]:
            return np.ascontiguousarray((rows[:, self.hand[other]] * opponent_reach).T)
        by_hand = np.zeros((self.info_sets[other], rows.shape[1]))
        np.add.at(by_hand, (self.info_set[other], self.hand[other]), opponent_reach)
        return np.ascontiguousarray(by_hand @ rows.T)

    def _traverse(self, traverser: Traverser, chance: Array, opponent_reach: Array, iteration_weight: float) -> Array:
        """Traverse the tree, and return the values at the root. An iteration weight of 0 asks for a best response."""
        other, best_response = 1 - traverser.seat, int(iteration_weight == 0)
        info_sets, states, nodes = self.info_sets[other], len(traverser.column), len(self.tree.seat)
        marginal = self.deal.sum(traverser.seat)
        opponent = Opponent(
            self.info_set_hits[other],
            chance,
            np.bincount(self.info_set[other], opponent_reach * marginal[self.hand[other]], info_sets),
            self.strategy_sum[other] if best_response else self.regret[other],
            self.strategy_sum[other],
        )
        most_edges, most_info_sets = int(self.tree.edge_count.max()), max(self.info_sets)
        work = Workspace(
            reach=np.ones((nodes, info_sets)),
            reachable=np.ones(nodes, np.int64),
            value=np.empty((nodes, states)),
            strategy=np.empty((most_edges, most_info_sets)),
            action_values=np.empty((most_edges, states)),
            edge_reach=np.empty(info_sets),
            totals=np.empty(most_info_sets),
            hit_sums=np.empty((self.max_hits + 2, chance.shape[1])),
        )
        run = kernel(games.gra.RULES, traverse)
        run(self.tree, traverser, opponent, best_response, iteration_weight, work)
        return work.value[0]


def tree_arrays(nodes: Sequence[BidNode]) -> BidTreeArrays:
    """Return a bid tree as arrays."""
    edges = [edge for node in nodes for edge in node.edges]
    edge_count = np.array([len(node.edges) for node in nodes])
    return BidTreeArrays(
        seat=np.array([node.seat for node in nodes]),
        first_edge=np.cumsum(edge_count) - edge_count,
        edge_count=edge_count,
        child=np.array([edge.child for edge in edges]),
        number=np.array([edge.claim[0] for edge in edges]),
        value=np.array([edge.claim[1] for edge in edges]),
        bidder=np.array([edge.bidder for edge in edges]),
    )
