"""The first decision of a round: which faces to show, and for the opener also which subgame to open in.

It is a node of the game tree above all subgames. Its information sets are full hands; its actions are called options.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gramy.bots.gra.abstraction import Abstraction, subgames
from gramy.bots.gra.hand_abstraction import HandAbstraction
from training.gra.bidding import TINY
from training.gra.cfr import Array
from training.gra.chance import Transitions, deal_probabilities, full_hands, random_low_faces, transitions


class FaceDecision(NamedTuple):
    """The information set of each option, and for each subgame the private states that options lead to."""

    info_set: Array
    transitions: list[Transitions]

    def strategy(self, weights: Array) -> Array:
        """Return the probability of each option, in proportion to the weights, or uniform where they are all 0."""
        total, options = np.bincount(self.info_set, weights), np.bincount(self.info_set)
        proportional = weights / np.maximum(total, TINY)[self.info_set]
        return np.where(total[self.info_set] > 0, proportional, 1 / options[self.info_set])

    def reach(self, strategy: Array, at: int, states: int) -> Array:
        """Return the reach probability of each private state of a subgame."""
        option, state, probability = self.transitions[at]
        return np.bincount(state, strategy[option] * probability, states)

    def best_response_value(self, values: Array) -> float:
        """Return the sum over all information sets of the value of the best option."""
        best = np.full(self.info_set.max() + 1, -1.0)
        np.maximum.at(best, self.info_set, values)
        return float(best.sum())


def face_decisions(abstraction: Abstraction) -> tuple[FaceDecision, FaceDecision]:
    """Return the decisions of opener and responder."""
    if abstraction.max_number_after_one:
        return _opener_with_random_low_faces(abstraction), _responder_with_low_reply(abstraction)
    return _opener(abstraction), _responder(abstraction)


def _one_subgame(hands: HandAbstraction) -> FaceDecision:
    """Return the decision if there is one subgame: every private state is an option."""
    states = np.arange(len(hands.private_states))
    info_set = np.array([hand for hand, _ in hands.private_states])
    return FaceDecision(info_set, [Transitions(states, states, np.ones(len(states)))])


def _opener(abstraction: Abstraction) -> FaceDecision:
    """Return the decision of an opener that knows its full hand and chooses faces and subgame together."""
    first, *more = every = subgames(abstraction)
    if not more:
        return _one_subgame(first.hands[0])
    low = next((subgame for subgame in more if len(subgame.values) > len(first.values)), None)
    info_set: list[int] = []
    rows: list[list[tuple[int, int, float]]] = [[] for _ in every]
    marginals = [deal_probabilities(*subgame.hands).sum(1) for subgame in every]
    states = [_states_by_hand(subgame.hands[0]) for subgame in every]
    for hand, ((high_hand, low_hands), probability) in enumerate(full_hands(first, low, 0).items()):
        for at, subgame in enumerate(every):
            for abstract_hand in sorted(low_hands) if subgame is low else [high_hand]:
                for state in states[at][abstract_hand]:
                    rows[at].append((len(info_set), state, probability / marginals[at][abstract_hand]))
                    info_set.append(hand)
    return FaceDecision(np.array(info_set), [transitions(some) for some in rows])


def _responder(abstraction: Abstraction) -> FaceDecision:
    """Return the decision of a responder that chooses what to show of the high values. Low faces are random."""
    first, *more = subgames(abstraction)
    decision = _one_subgame(first.hands[1])
    for subgame in more:
        same_values = len(subgame.values) == len(first.values)
        decision.transitions.append(
            decision.transitions[0] if same_values else random_low_faces(subgame, first.hands[1], 1)
        )
    return decision


def _opener_with_random_low_faces(abstraction: Abstraction) -> FaceDecision:
    """Return the decision of an opener that may open with a one: what to show of the high values, and the subgame."""
    first, second = subgames(abstraction)
    decision = _one_subgame(first.hands[0])
    option, state, probability = random_low_faces(second, first.hands[0], 0)
    info_set = np.concatenate([decision.info_set, decision.info_set])
    after_one = Transitions(option + len(decision.info_set), state, probability)
    return FaceDecision(info_set, [*decision.transitions, after_one])


def _responder_with_low_reply(abstraction: Abstraction) -> FaceDecision:
    """Return the decision of a responder whose opponent may open with a one.

    It knows its full hand. It chooses what to show together with the low value, if any, on which it will reply to a
    one. It gets no information in between that could change the choice.
    """
    first, second = subgames(abstraction)
    coarse, fine = first.hands[1], second.hands[1]
    states = _states_by_hand(fine)
    marginals = [deal_probabilities(*subgame.hands).sum(0) for subgame in (first, second)]
    info_set: list[int] = []
    rows: list[list[tuple[int, int, float]]] = [[], []]
    for hand, ((high_hand, low_hands), probability) in enumerate(full_hands(first, second, 1).items()):
        for low_hand in sorted(low_hands):
            for state in states[low_hand]:
                coarse_state = coarse.state_of[high_hand, fine.private_states[state][1][:-1]]
                rows[0].append((len(info_set), coarse_state, probability / marginals[0][high_hand]))
                rows[1].append((len(info_set), state, probability / marginals[1][low_hand]))
                info_set.append(hand)
    return FaceDecision(np.array(info_set), [transitions(some) for some in rows])


def _states_by_hand(hands: HandAbstraction) -> list[list[int]]:
    """Return the private states of each abstract hand."""
    states: list[list[int]] = [[] for _ in hands.hands]
    for at, (hand, _) in enumerate(hands.private_states):
        states[hand].append(at)
    return states
