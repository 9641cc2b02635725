"""The game tree of a bidding between two players, under an action abstraction of one seat.

The abstraction is one-sided: it limits the bids of one seat, while the other may make any bid. The limited seat checks
every bid that it has no reply to. Its strategy is therefore complete: the value that it guarantees in this small tree
also holds in the whole game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import NamedTuple, TypeAlias

from gramy.bots.gra.observation import CHECK, Action
from gramy.cards import positions
from gramy.games.gra.rules import NO_BID, Bid, higher

OPENER, RESPONDER = 0, 1
"""The two seats of a bidding."""

TERMINAL = -1

Bids: TypeAlias = tuple[Action, ...]
"""The bids of a round so far, the opening bid first: the public history."""


class ActionAbstraction(NamedTuple):
    """The limits of a seat's bids. After the opening both seats bid only on `values`, unless the tree has `replies`."""

    seat: int
    cards_in_play: int
    quantity_first: bool
    values: tuple[int, ...]
    max_number: int
    max_bids: int  # bids of this seat in a round
    max_jump: int  # how far a raise may exceed the lowest bid on its value
    kept: bytes | None = None  # which of these bids are in the tree (see `BidTree`); None: all


class BidEdge(NamedTuple):
    """An action. It leads to the node `child`, or to a terminal, where the bid `claim` of `bidder` is checked."""

    action: Action
    child: int
    claim: Action
    bidder: int


class BidNode(NamedTuple):
    """A decision node: the seat to act, the bids so far, and the edges for its actions."""

    seat: int
    bids: Bids
    edges: tuple[BidEdge, ...]


def higher_bids(abstraction: ActionAbstraction, bids: Bids, values: Sequence[int]) -> list[Action]:
    """Return all higher bids on some values, lowest first."""
    standing = Bid(*bids[-1], 0, 0) if bids else NO_BID
    found = [
        (number, value)
        for value in values
        for number in positions(higher(standing, value, abstraction.cards_in_play, int(abstraction.quantity_first)))
    ]
    return sorted(found) if abstraction.quantity_first else found


def bits(packed: bytes) -> Iterator[int]:
    """Return the bits of some bytes, the lowest of each byte first."""
    return (byte >> at & 1 for byte in packed for at in range(8))


class BidTree:
    """All biddings that open on some values.

    With `replies` the opening bid is the lowest on its value, and the other seat may reply to it on any of `replies`.

    A tree can be pruned. `kept` of the abstraction has a bit for each bid within the limits, node by node in
    breadth-first order, the lowest bit of a byte first. It says of a bid of the abstracted seat whether the seat ever
    makes it, and of a bid of the other seat whether the abstracted seat ever replies with a bid. Otherwise it checks.
    """

    def __init__(
        self, abstraction: ActionAbstraction, openings: tuple[int, ...], replies: tuple[int, ...] = ()
    ) -> None:
        self.abstraction, self.openings, self.replies = abstraction, openings, replies

    @cached_property
    def nodes(self) -> list[BidNode]:
        """All nodes in breadth-first order: a node comes before its children."""
        nodes: list[BidNode] = []
        queue: list[Bids] = [()]
        kept = bits(self.abstraction.kept) if self.abstraction.kept is not None else repeat(1)
        while len(nodes) < len(queue):
            bids = queue[len(nodes)]
            edges = []
            for edge in self._edges(bids, kept):
                if edge.child != TERMINAL:
                    edge = edge._replace(child=len(queue))
                    queue.append((*bids, edge.action))
                edges.append(edge)
            nodes.append(BidNode(len(bids) % 2, bids, tuple(edges)))
        return nodes

    @cached_property
    def node_of(self) -> dict[Bids, int]:
        """The index of the node after some bids."""
        return {node.bids: at for at, node in enumerate(self.nodes)}

    @property
    def edge_count(self) -> int:
        """The number of edges of all nodes together."""
        return sum(len(node.edges) for node in self.nodes)

    def legal_bids(self, bids: Bids) -> list[Action]:
        """Return the legal next bids in the tree. The abstracted seat may reply to them or check them."""
        if not bids:
            return [
                bid for bid in higher_bids(self.abstraction, bids, self.openings) if bid[0] == 1 or not self.replies
            ]
        unlimited = len(bids) % 2 != self.abstraction.seat
        values = self.replies if unlimited and self.replies else self.abstraction.values
        return higher_bids(self.abstraction, bids, values)

    def bids_within_limits(self, bids: Bids) -> list[Action]:
        """Return the next bids that the abstracted seat may make or reply to, before the tree is pruned."""
        abstraction, seat = self.abstraction, len(bids) % 2
        if (len(bids) + (seat != abstraction.seat)) // 2 >= abstraction.max_bids:
            return []
        legal = self.legal_bids(bids)
        lowest = {value: number for number, value in reversed(legal)}
        return [bid for bid in legal if self._within_limits(bids, bid, lowest)]

    def _edges(self, bids: Bids, kept: Iterator[int]) -> list[BidEdge]:
        """Return the edges of a node. A child of 0 stands for a node that the caller numbers.

        `kept` gives the next bits of the pruned tree.
        """
        abstraction, seat = self.abstraction, len(bids) % 2
        edges = [BidEdge(CHECK, TERMINAL, bids[-1], 1 - seat)] if bids else []
        answered = [bid for bid in self.bids_within_limits(bids) if next(kept)]
        if seat == abstraction.seat:
            return [*edges, *(BidEdge(bid, 0, bid, seat) for bid in answered)]
        # Of the bids on a value that are checked at once, the lowest dominates all others.
        legal = self.legal_bids(bids)
        checked = {value: number for number, value in reversed(legal) if (number, value) not in answered}
        made = [bid for bid in legal if bid in answered or checked[bid[1]] == bid[0]]
        return [*edges, *(BidEdge(bid, 0 if bid in answered else TERMINAL, bid, seat) for bid in made)]

    def _within_limits(self, bids: Bids, bid: Action, lowest: dict[int, int]) -> bool:
        """Return whether the abstracted seat makes this bid, or has a reply to it."""
        number, value = bid
        return number <= self.abstraction.max_number and (
            not bids or number <= lowest[value] + self.abstraction.max_jump
        )
