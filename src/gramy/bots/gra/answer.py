"""The best answer of one hand to a stored play: what it may still hold, and what each move is worth against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import TypeAlias

from gramy.bots.gra.sight import Hand
from gramy.bots.gra.store import WHOLE, Card, Play, renamed
from gramy.bots.gra.tree import Claim, Edge

Weights: TypeAlias = dict[int, float]
"""How likely each label of the other seat is."""


class Answer:
    """A seat's cards and faces against the other seat's play, after these bids. `value` is the one to bid on next,
    where that has to be known (see `Play.next_values`); before the first bid any high one, if it is not named."""

    def __init__(
        self, play: Play, cards: Sequence[Card], faces: Sequence[int], said: tuple[Claim, ...], value: int = 0
    ) -> None:
        at, self.names = play.part(said, value)
        self.play, self.at, self.part, self.owner = play, at, play.parts[at], play.shape.owner
        cards, faces, self.said = renamed(self.names, cards, faces, said)
        self.value = self.names.get(value, value)
        sight = self.part.sights[1 - self.owner]
        self.hand, shown = sight.seen(cards), sight.shown(faces)
        wild = shown[0] if self.part.wild else 0
        self.own = {of: shown[i] + (wild if of != 1 else 0) for i, of in enumerate(self.part.values)}
        self.shown = [label[1] for label in self.part.labels[self.owner]]

    def chance(self) -> float:
        """The chance to win the round."""
        weights = self._weights()
        return self._value(self.part.tree.node_of[self.said], weights) / sum(weights.values())

    def moves(self) -> dict[Claim, float]:
        """The chance to win the round after each move; nothing where the other seat has left its play."""
        node = self.part.tree.node_of.get(self.said)
        if node is None:
            return {}
        weights = self._weights()
        total = sum(weights.values())
        edges = {edge.move: edge for edge in self.part.tree.nodes[node].edges}
        seat = 1 - self.owner
        for claim in self.part.tree.claims(self.said):
            edges.setdefault(claim, Edge(claim, -1, claim, seat))  # as good as checked
        return {
            (move[0], self.names.get(move[1], move[1])): self._after(edge, weights) / total
            for move, edge in edges.items()
            if self.said or move[1] == self.value
        }

    def _weights(self) -> Weights:
        """What the other seat may hold, by what was said. What it would never have done says nothing."""
        weights: Weights = defaultdict(float)
        copies = self.part.sights[0].copies
        for hand, label, share in holdings(self.play, self.at):
            ways = 1
            for there, mine, theirs in zip(copies, self.hand, hand, strict=True):
                ways *= comb(there - mine, theirs)
            if ways:
                weights[label] += ways * share
        for length, claim in enumerate(self.said):
            if length % 2 == self.owner:
                node = self.part.tree.node_of[self.said[:length]]
                row = [edge.move for edge in self.part.tree.nodes[node].edges].index(claim)
                weights = self._played(node, row, weights) or weights
        return weights

    def _played(self, node: int, row: int, weights: Weights) -> Weights:
        """The labels that go on by an edge of the other seat's, with their weights."""
        found = {
            label: weight * self.play.share(self.at, node, row, label) / WHOLE for label, weight in weights.items()
        }
        return {label: weight for label, weight in found.items() if weight}

    def _value(self, at: int, weights: Weights) -> float:
        node = self.part.tree.nodes[at]
        if node.seat != self.owner:
            return max(self._after(edge, weights) for edge in node.edges)
        return sum(self._after(edge, self._played(at, row, weights)) for row, edge in enumerate(node.edges))

    def _after(self, edge: Edge, weights: Weights) -> float:
        """The weight of what is won after a move."""
        if not weights:
            return 0.0
        if edge.node >= 0:
            return self._value(edge.node, weights)
        number, value = edge.claim
        at, wild = self.part.values.index(value), self.part.wild and value != 1
        need = number - self.own[value]
        true = 0.0
        for label, weight in weights.items():
            shown = self.shown[label]
            if shown[at] + (shown[0] if wild else 0) >= need:
                true += weight
        return true if edge.bidder != self.owner else sum(weights.values()) - true


@lru_cache(64)
def holdings(play: Play, at: int) -> list[tuple[Hand, int, float]]:
    """What the owner of a play may hold in a part: hand, label, and how often such a hand shows that."""
    part, owner = play.parts[at], play.shape.owner
    sight, first = part.sights[owner], play.parts[0].sights[owner]
    found, begins = [], play.firsts[at] if owner == 0 else 0
    for hand in sight.hands:
        above = sight.without(hand, part.high)
        ways = sight.ways(hand, free=part.high)
        total: dict[tuple[int, ...], float] = defaultdict(float)
        for shown, times in ways.items():
            total[shown[: part.high]] += times
        for shown, times in ways.items():
            high = shown[: part.high]
            share = play.option(begins + first.state_of[first.number_of[above], high])
            if share:
                label = part.labels[owner][sight.without(hand, part.keen[owner]), shown]
                found.append((hand, label, share * times / total[high]))
    return found
