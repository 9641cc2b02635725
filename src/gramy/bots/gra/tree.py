"""The bids of a round between two as a tree, when one of them, the owner, has a plan that leaves much out.

The owner bids only what the plan allows; the other seat may bid anything. A bid of the other seat that the plan does
not follow up is checked by the owner at once. So the tree is small, and yet the owner's play in it is an answer to
everything: what he is sure of here, he is sure of in the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from gramy.cards import positions
from gramy.games.gra.rules import NO_BID, Bid, higher

Claim: TypeAlias = tuple[int, int]
"""A bid as number and value."""

CHECK: Claim = (0, 0)


class Plan(NamedTuple):
    """What the owner leaves out: bids on values other than `values`, by either seat after the opening, and of more than
    `most`; raises by more than `jump` above the lowest on a value; more than `raises` bids of his own."""

    owner: int  # 0 opens the round, 1 answers
    cards: int
    quantity_first: bool
    values: tuple[int, ...]
    most: int
    raises: int
    jump: int


class Edge(NamedTuple):
    """A move: to a node, or (`node` is -1) to the end, where `claim` is judged, which `bidder` made."""

    move: Claim
    node: int
    claim: Claim
    bidder: int


class Node(NamedTuple):
    """A moment of the bidding; seat 0 opens."""

    seat: int
    said: tuple[Claim, ...]
    edges: tuple[Edge, ...]


def raises(plan: Plan, said: Sequence[Claim], values: Sequence[int]) -> list[Claim]:
    """All higher bids on some values, lowest first."""
    standing = Bid(*said[-1], 0, 0) if said else NO_BID
    claims = [
        (number, value)
        for value in values
        for number in positions(higher(standing, value, plan.cards, int(plan.quantity_first)))
    ]
    return sorted(claims) if plan.quantity_first else claims


class Tree:
    """All that can be said under a plan after an opening on some values, in the order of its length. With `replies` the
    opening is the least on its value, and the other seat may answer it on those values, too."""

    def __init__(self, plan: Plan, openings: tuple[int, ...], replies: tuple[int, ...] = ()) -> None:
        self.plan, self.openings, self.replies = plan, openings, replies

    @cached_property
    def nodes(self) -> list[Node]:
        nodes: list[Node] = []
        waiting: list[tuple[Claim, ...]] = [()]
        while len(nodes) < len(waiting):
            said = waiting[len(nodes)]
            edges = []
            for edge in self._edges(said):
                edges.append(edge._replace(node=len(waiting)) if edge.node >= 0 else edge)
                if edge.node >= 0:
                    waiting.append((*said, edge.move))
            nodes.append(Node(len(said) % 2, said, tuple(edges)))
        return nodes

    @cached_property
    def node_of(self) -> dict[tuple[Claim, ...], int]:
        return {node.said: at for at, node in enumerate(self.nodes)}

    @property
    def moves(self) -> int:
        """How many moves there are in all moments together."""
        return sum(len(node.edges) for node in self.nodes)

    def claims(self, said: tuple[Claim, ...]) -> list[Claim]:
        """The bids that may come next, followed or not."""
        if not said:
            return [claim for claim in raises(self.plan, said, self.openings) if claim[0] == 1 or not self.replies]
        replying = len(said) % 2 != self.plan.owner
        return raises(self.plan, said, self.replies if replying and self.replies else self.plan.values)

    def _edges(self, said: tuple[Claim, ...]) -> list[Edge]:
        """Moves at a moment; an edge that goes on has any node but -1."""
        plan, seat = self.plan, len(said) % 2
        edges = [Edge(CHECK, -1, said[-1], 1 - seat)] if said else []
        claims = self.claims(said)
        lowest = {value: number for number, value in reversed(claims)}
        going_on = (len(said) + (seat != plan.owner)) // 2 < plan.raises
        followed = [claim for claim in claims if going_on and self._followed(said, claim, lowest)]
        if seat == plan.owner:
            return [*edges, *(Edge(claim, 0, claim, seat) for claim in followed)]
        # Of what is checked at once, nobody says more than the least.
        ended = {value: number for number, value in reversed(claims) if (number, value) not in followed}
        said_then = [claim for claim in claims if claim in followed or ended[claim[1]] == claim[0]]
        return [*edges, *(Edge(claim, 0 if claim in followed else -1, claim, seat) for claim in said_then)]

    def _followed(self, said: tuple[Claim, ...], claim: Claim, lowest: dict[int, int]) -> bool:
        """Whether a bid is one that the owner makes, or has an answer to."""
        number, value = claim
        return number <= self.plan.most and (not said or number <= lowest[value] + self.plan.jump)
