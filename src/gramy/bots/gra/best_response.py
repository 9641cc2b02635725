"""The best response of one hand to a stored strategy: a belief about the other hand, and the value of each action.

The belief is Bayesian: the prior of the deal times the other seat's reach probability, by information set of that seat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import TypeAlias

from gramy.bots.gra.bid_tree import OPENER, TERMINAL, BidEdge, Bids
from gramy.bots.gra.hand_abstraction import AbstractHand
from gramy.bots.gra.observation import Action, Card
from gramy.bots.gra.strategy_tables import SCALE, StrategyTable, rename_values

Belief: TypeAlias = dict[int, float]
"""The weight of each information set of the other seat; not normalised."""


class BestResponse:
    """A seat's cards and faces against the other seat's strategy, after some bids.

    `next_value` is the value of the next bid, where it matters (see `StrategyTable.next_values`); 0 is any high one.
    """

    def __init__(
        self, opponent: StrategyTable, cards: Sequence[Card], faces: Sequence[int], bids: Bids, next_value: int = 0
    ) -> None:
        at, self.renaming = opponent.subgame_after(bids, next_value)
        self.opponent, self.opponent_seat = opponent, opponent.abstraction.seat
        self.at, self.subgame = at, opponent.subgames[at]
        cards, faces, self.bids = rename_values(self.renaming, cards, faces, bids)
        self.next_value = self.renaming.get(next_value, next_value)
        hands = self.subgame.hands[1 - self.opponent_seat]
        self.hand, shown = hands.abstract_hand(cards), hands.shown_faces(faces)
        ones = shown[0] if self.subgame.jokers else 0
        self.own_hits = {value: shown[i] + (ones if value != 1 else 0) for i, value in enumerate(self.subgame.values)}
        self.opponent_shows = [shown for _, shown in self.subgame.info_sets[self.opponent_seat]]

    def win_probability(self) -> float:
        """Return the probability to win the round."""
        belief = self._belief()
        return self._value(self.subgame.tree.node_of[self.bids], belief) / sum(belief.values())

    def action_values(self) -> dict[Action, float]:
        """Return the probability to win the round after each action; nothing if the other seat left its strategy."""
        node = self.subgame.tree.node_of.get(self.bids)
        if node is None:
            return {}
        belief = self._belief()
        total = sum(belief.values())
        edges = {edge.action: edge for edge in self.subgame.tree.nodes[node].edges}
        seat = 1 - self.opponent_seat
        for bid in self.subgame.tree.legal_bids(self.bids):
            edges.setdefault(bid, BidEdge(bid, TERMINAL, bid, seat))  # the other seat checks it
        return {
            (number, self.renaming.get(value, value)): self._edge_value(edge, belief) / total
            for (number, value), edge in edges.items()
            if self.bids or value == self.next_value
        }

    def _belief(self) -> Belief:
        """Return the belief after the bids. A bid with probability 0 in the other seat's strategy is ignored."""
        belief: Belief = defaultdict(float)
        class_sizes = self.subgame.hands[0].class_sizes
        for hand, info_set, probability in hand_distribution(self.opponent, self.at):
            ways = 1
            for available, mine, theirs in zip(class_sizes, self.hand, hand, strict=True):
                ways *= comb(available - mine, theirs)
            if ways:
                belief[info_set] += ways * probability
        for length, bid in enumerate(self.bids):
            if length % 2 == self.opponent_seat:
                node = self.subgame.tree.node_of[self.bids[:length]]
                row = [edge.action for edge in self.subgame.tree.nodes[node].edges].index(bid)
                belief = self._after_action(node, row, belief) or belief
        return belief

    def _after_action(self, node: int, row: int, belief: Belief) -> Belief:
        """Return the belief after an action of the other seat."""
        weights = self.opponent.action_weights_by_info_set(self.at, node, row, belief)
        return {info_set: belief[info_set] * weight / SCALE for info_set, weight in weights}

    def _value(self, at: int, belief: Belief) -> float:
        """Return the value of a node, times the weight of the belief."""
        node = self.subgame.tree.nodes[at]
        if node.seat != self.opponent_seat:
            return max(self._edge_value(edge, belief) for edge in node.edges)
        after = [self._after_action(at, row, belief) for row in range(len(node.edges))]
        decided = {info_set for part in after for info_set in part}
        # The table has no action where its seat has left the strategy. We take it to check: row 0 after any bid.
        after[0] |= {info_set: weight for info_set, weight in belief.items() if info_set not in decided}
        return sum(self._edge_value(edge, part) for edge, part in zip(node.edges, after, strict=True))

    def _edge_value(self, edge: BidEdge, belief: Belief) -> float:
        """Return the value of an action, times the weight of the belief."""
        if not belief:
            return 0.0
        if edge.child != TERMINAL:
            return self._value(edge.child, belief)
        number, value = edge.claim
        at, jokers = self.subgame.values.index(value), self.subgame.jokers and value != 1
        needed = number - self.own_hits[value]
        true = 0.0
        for info_set, weight in belief.items():
            shown = self.opponent_shows[info_set]
            if shown[at] + (shown[0] if jokers else 0) >= needed:
                true += weight
        return true if edge.bidder != self.opponent_seat else sum(belief.values()) - true


@lru_cache(64)
def hand_distribution(table: StrategyTable, at: int) -> list[tuple[AbstractHand, int, float]]:
    """Return the hands of a table's seat in a subgame: hand, information set, and how often such a hand shows that."""
    subgame, seat = table.subgames[at], table.abstraction.seat
    hands, first = subgame.hands[seat], table.subgames[0].hands[seat]
    found, offset = [], table.option_offsets[at] if seat == OPENER else 0
    for hand in hands.hands:
        coarse = first.index_of[hands.coarsen(hand, subgame.common_values)]
        ways_to_show = hands.ways_to_show(hand, random_value=subgame.common)
        total: dict[tuple[int, ...], float] = defaultdict(float)
        for shown, ways in ways_to_show.items():
            total[shown[: subgame.common]] += ways
        for shown, ways in ways_to_show.items():
            high = shown[: subgame.common]
            weight = table.weight(offset + first.state_of[coarse, high])
            if weight:
                info_set = subgame.info_sets[seat][hands.coarsen(hand, subgame.recalled[seat]), shown]
                found.append((hand, info_set, weight * ways / total[high]))
    return found
