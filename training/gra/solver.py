"""Approximate equilibrium strategies for rounds between two players, by CFR+ in a one-sided abstraction.

The abstraction restricts only the seat whose strategy is computed; the other seat may do anything. A best response to
that seat in this small game is therefore a best response in the whole game. It bounds what the seat can lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gramy.bots.gra.abstraction import Abstraction, Subgame, subgames
from gramy.bots.gra.hand_abstraction import HandAbstraction
from gramy.games.gra.rules import VALUES
from training.gra.bidding import Bidding, BiddingSolver
from training.gra.cfr import Array
from training.gra.chance import deal_probabilities
from training.gra.face_decision import FaceDecision, face_decisions

MAX_REGRETS = 300_000_000
"""The unrestricted seat learns by private states. If these have more regrets than this in any subgame, it learns by
information sets, as the other seat does, unless the caller gives `opponent_values`."""

UNIFORM_SHARE = 0.1
"""How much of the weight of private states with one information set does not depend on how often they are played."""


def info_sets_by_values(hands: HandAbstraction, values: Sequence[int]) -> Array:
    """Return the information set of each private state, if a seat knows what it shows and its cards with some values.

    `hands` must distinguish all values.
    """
    coarse = HandAbstraction(values, hands.size)
    known = [
        coarse.abstract_hand([pair for pair, number in zip(hands.classes, hand, strict=True) for _ in range(number)])
        for hand in hands.hands
    ]
    keys = [(known[hand], shown) for hand, shown in hands.private_states]
    index = {key: at for at, key in enumerate(sorted(set(keys)))}
    return np.array([index[key] for key in keys])


class Memory(NamedTuple):
    """What a seat knows of its own cards while its strategy is computed: `info_set` of each private state.

    `forgets` says whether an information set has states of several hands (imperfect recall).
    """

    info_set: Array
    forgets: bool


def memory_of(subgame: Subgame, seat: int, by_info_set: bool, values: Sequence[int] | None = None) -> Memory:
    """Return the memory of a seat: its information sets or all private states; with `values` by these values."""
    if values is not None:
        return Memory(info_sets_by_values(subgame.hands[seat], values), forgets=True)
    if not by_info_set:
        return Memory(np.arange(len(subgame.hands[seat].private_states)), forgets=False)
    index = subgame.info_sets[seat]
    info_set = np.array([index[info_set] for info_set in subgame.info_sets_of_states(seat)])
    return Memory(info_set, forgets=not subgame.perfect_recall[seat])


def bidding_of(subgame: Subgame, memories: tuple[Memory, Memory]) -> Bidding:
    """Return a subgame as the solver of biddings takes it."""
    hand = [np.array([hand for hand, _ in hands.private_states]) for hands in subgame.hands]
    hits = [np.array([subgame.hits(seat, value) for value in range(VALUES + 1)]) for seat in (0, 1)]
    (opener, forgets_first), (responder, forgets_second) = memories
    deal = deal_probabilities(*subgame.hands)
    return Bidding(subgame.tree.nodes, deal, hand, [opener, responder], hits, (forgets_first, forgets_second))


class RoundSolver:
    """Computes an equilibrium of a round: choices of faces, each followed by biddings.

    A bidding counts as often as its multiplicity says. The average strategy improves with every iteration.
    """

    def __init__(
        self,
        biddings: Sequence[BiddingSolver],
        face_decisions: tuple[FaceDecision, FaceDecision],
        multiplicities: Sequence[int] = (1,),
    ) -> None:
        self.biddings, self.face_decisions, self.multiplicities = biddings, face_decisions, multiplicities
        self.regret = [np.zeros(len(decision.info_set)) for decision in face_decisions]
        self.strategy_sum = [np.zeros(len(decision.info_set)) for decision in face_decisions]
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

    def exploitability(self) -> float:
        """Return what both seats together can gain by best responses to the averages, in this small game (NashConv)."""
        return self.best_response_value(0) + self.best_response_value(1) - 1

    def best_response_value(self, seat: int) -> float:
        """Return the probability that a seat wins the round by a best response to the other seat's average."""
        return self.face_decisions[seat].best_response_value(self._option_values(seat, 0))

    def _option_values(self, seat: int, iteration_weight: int) -> Array:
        """Return the counterfactual value of each option of a seat, for an update or (weight 0) for a best response."""
        other, decisions = 1 - seat, self.face_decisions
        weights = self.regret if iteration_weight else self.strategy_sum
        strategies = [decision.strategy(of_seat) for decision, of_seat in zip(decisions, weights, strict=True)]
        if iteration_weight:
            self.strategy_sum[other] += iteration_weight * strategies[other]
        values = np.zeros(len(decisions[seat].info_set))
        for at, solver in enumerate(self.biddings):
            reach = decisions[other].reach(strategies[other], at, len(solver.hand[other]))
            own = decisions[seat].reach(self._state_weights(seat, strategies[seat]), at, len(solver.hand[seat]))
            multiplicity = self.multiplicities[at]
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
        """Return how much options count when private states with one information set are updated together."""
        return np.ones(len(strategy))


class Solver(RoundSolver):
    """Computes the strategy of one seat in its abstraction.

    With `opponent_values` the unrestricted seat knows of its hand, while it learns, only what it shows and the cards
    with these values. That saves time and memory. The guaranteed value always comes from a best response that knows
    the whole hand.
    """

    def __init__(self, abstraction: Abstraction, opponent_values: Sequence[int] | None = None) -> None:
        self.abstraction = abstraction
        self.subgames = subgames(abstraction)
        sizes = [
            [len(hands.private_states) * subgame.tree.edge_count for hands in subgame.hands]
            for subgame in self.subgames
        ]
        by_info_set = [seat == abstraction.seat or max(size[seat] for size in sizes) > MAX_REGRETS for seat in (0, 1)]
        values = [None if seat == abstraction.seat else opponent_values for seat in (0, 1)]
        biddings = []
        for subgame in self.subgames:
            first, second = (memory_of(subgame, seat, by_info_set[seat], values[seat]) for seat in (0, 1))
            biddings.append(BiddingSolver(bidding_of(subgame, (first, second))))
        super().__init__(
            biddings,
            face_decisions(abstraction),
            [subgame.multiplicity for subgame in self.subgames],
        )

    def guaranteed_value(self) -> float:
        """Return the probability that the abstracted seat wins the round against a best response to its average."""
        return 1 - self.best_response_value(1 - self.abstraction.seat)

    def _state_weights(self, seat: int, strategy: Array) -> Array:
        """Return the same for an abstraction.

        Options count as they are played, mixed with a uniform share. With perfect recall all count 1, since all
        states of an information set follow from one option.
        """
        if seat == self.abstraction.seat and all(subgame.perfect_recall[seat] for subgame in self.subgames):
            return np.ones(len(strategy))
        uniform = self.face_decisions[seat].strategy(np.zeros(len(strategy)))
        return (1 - UNIFORM_SHARE) * strategy + UNIFORM_SHARE * uniform
