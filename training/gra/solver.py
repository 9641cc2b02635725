"""Approximate equilibrium strategies for rounds between two players, by CFR+ in a one-sided abstraction.

The abstraction restricts only the seat whose strategy is computed; the other seat may do anything. A best response to
that seat in this small game is therefore a best response in the whole game. It bounds what the seat can lose.
"""

from __future__ import annotations

import numpy as np

from gramy import games
from gramy.bots.gra.abstraction import Abstraction, Subgame, subgames
from gramy.bots.gra.hand_abstraction import DECK_SIZE
from gramy.bots.kernel import kernel
from gramy.games.gra.rules import VALUES
from training.gra.cfr import Array, BidTreeArrays, Opponent, Traverser, Workspace, traverse
from training.gra.chance import deal_probabilities
from training.gra.face_decision import TINY, FaceDecision, face_decisions

MAX_REGRETS = 300_000_000
"""If a table of regrets by private state would be larger, the unrestricted seat learns by information sets, too."""

HANDS_AT_ONCE = 100
"""Best responses are computed for so many hands at a time, to save memory."""

UNIFORM_SHARE = 0.1
"""How much of the weight of private states with one information set does not depend on how often they are played."""


class SubgameSolver:
    """The regrets and the average strategies of both seats in a subgame.

    `by_info_set` says for each seat whether its strategy depends on information sets, or on private states (exact).
    """

    def __init__(self, subgame: Subgame, by_info_set: tuple[bool, bool]) -> None:
        self.subgame, self.by_info_set = subgame, by_info_set
        self.tree = tree_arrays(subgame)
        self.deal = deal_probabilities(*subgame.hands)
        self.hand = [np.array([hand for hand, _ in hands.private_states]) for hands in subgame.hands]
        self.info_set = [np.arange(len(hand)) for hand in self.hand]
        for seat, hands in enumerate(subgame.hands):
            if by_info_set[seat]:
                index = subgame.info_sets[seat]
                self.info_set[seat] = np.array(
                    [index[subgame.info_set(seat, *state)] for state in hands.private_states]
                )
        self.info_sets = [int(info_set.max()) + 1 for info_set in self.info_set]
        self.hits = [np.array([subgame.hits(seat, value) for value in range(VALUES + 1)]) for seat in (0, 1)]
        self.info_set_hits = [np.zeros((VALUES + 1, info_sets), np.int64) for info_sets in self.info_sets]
        for seat in (0, 1):
            self.info_set_hits[seat][:, self.info_set[seat]] = self.hits[seat]
        edges = len(self.tree.child)
        self.regret = [np.zeros((edges, info_sets), np.float32) for info_sets in self.info_sets]
        self.strategy_sum = [np.zeros((edges, info_sets), np.float32) for info_sets in self.info_sets]

    def update(self, seat: int, opponent_reach: Array, weight: Array, iteration_weight: float) -> Array:
        """Update the regrets of a seat, and return the counterfactual value of each private state at the root.

        `opponent_reach` and `weight` are by private state: how likely the other seat comes into this subgame, and how
        much a state of this seat counts in its information set.
        """
        deal, info_set, hand = self._deal(seat), self.info_set[seat], self.hand[seat]
        regret = self.regret[seat]
        if self.subgame.recalled[seat] or not self.by_info_set[seat]:
            if not self.by_info_set[seat]:
                weight = np.ones(len(hand))
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
        if not self.by_info_set[other]:
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
            hit_sums=np.empty((DECK_SIZE + 2, chance.shape[1])),
        )
        run = kernel(games.gra.RULES, traverse)
        run(self.tree, traverser, opponent, best_response, iteration_weight, work)
        return work.value[0]


def tree_arrays(subgame: Subgame) -> BidTreeArrays:
    """Return the bid tree of a subgame as arrays."""
    nodes = subgame.tree.nodes
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


class Solver:
    """Computes a strategy in one abstraction. The average strategy improves with every iteration."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction
        self.subgames = subgames(abstraction)
        sizes = [
            [len(hands.private_states) * subgame.tree.edge_count for hands in subgame.hands]
            for subgame in self.subgames
        ]
        first, second = (seat == abstraction.seat or max(size[seat] for size in sizes) > MAX_REGRETS for seat in (0, 1))
        self.subgame_solvers = [SubgameSolver(subgame, (first, second)) for subgame in self.subgames]
        self.face_decisions: tuple[FaceDecision, FaceDecision] = face_decisions(abstraction)
        self.regret = [np.zeros(len(decision.info_set)) for decision in self.face_decisions]
        self.strategy_sum = [np.zeros(len(decision.info_set)) for decision in self.face_decisions]
        self.iterations = 0

    def iterate(self, iterations: int) -> None:
        """Run so many iterations of CFR+. Iteration t has weight t² in the average strategy."""
        for _ in range(iterations):
            self.iterations += 1
            for seat in (0, 1):
                values = self._option_values(seat, self.iterations**2)
                decision = self.face_decisions[seat]
                expected = np.bincount(decision.info_set, decision.strategy(self.regret[seat]) * values)
                self.regret[seat] = np.maximum(0, self.regret[seat] + values - expected[decision.info_set])

    def guaranteed_value(self) -> float:
        """Return the probability that the abstracted seat wins the round against a best response to its average."""
        return 1 - self._best_response_value(1 - self.abstraction.seat)

    def exploitability(self) -> float:
        """Return what both seats together can gain by best responses to the averages, in this small game (NashConv)."""
        return self._best_response_value(0) + self._best_response_value(1) - 1

    def _best_response_value(self, seat: int) -> float:
        return self.face_decisions[seat].best_response_value(self._option_values(seat, 0))

    def _option_values(self, seat: int, iteration_weight: int) -> Array:
        """Return the counterfactual value of each option of a seat, for an update or (weight 0) for a best response."""
        other, decisions = 1 - seat, self.face_decisions
        weights = self.regret if iteration_weight else self.strategy_sum
        strategies = [decision.strategy(of_seat) for decision, of_seat in zip(decisions, weights, strict=True)]
        if iteration_weight:
            self.strategy_sum[other] += iteration_weight * strategies[other]
        values = np.zeros(len(decisions[seat].info_set))
        for at, solver in enumerate(self.subgame_solvers):
            reach = decisions[other].reach(strategies[other], at, len(solver.hand[other]))
            own = decisions[seat].reach(self._state_weights(seat, strategies[seat]), at, len(solver.hand[seat]))
            multiplicity = solver.subgame.multiplicity
            if other == 0:
                reach = reach / multiplicity
            if iteration_weight:
                found = solver.update(seat, reach, own, iteration_weight)
            else:
                found = solver.best_response_values(seat, reach)
            option, state, probability = decisions[seat].transitions[at]
            subgame_values = np.bincount(option, probability * found[state], len(values))
            values += subgame_values * (multiplicity if seat == 1 else 1)
        return values

    def _state_weights(self, seat: int, strategy: Array) -> Array:
        """Return how much options count when private states with one information set are updated together.

        They count as they are played, mixed with a uniform share. With perfect recall all count 1, since all states of
        an information set follow from one option.
        """
        if seat == self.abstraction.seat and all(subgame.recalled[seat] for subgame in self.subgames):
            return np.ones(len(strategy))
        uniform = self.face_decisions[seat].strategy(np.zeros(len(strategy)))
        return (1 - UNIFORM_SHARE) * strategy + UNIFORM_SHARE * uniform
