"""The bids that may follow a standing bid between two players, as a graph in which late bids forget early ones.

After the first three bids from its root, a node is known by the last two bids and the seat to act. So the next decision
of the seat that acts at the root has perfect recall, and whatever comes later is approximated. It is then solved anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gramy.bots.gra.bid_tree import TERMINAL
from gramy.bots.gra.observation import CHECK, Action
from gramy.cards import positions
from gramy.games.gra.rules import VALUES, Bid, higher

RECALLED_BIDS = 3
"""Number of bids from the root within which a node stands for one sequence of bids."""

JUMPS = (2, 1, 0)
"""How far a raise may exceed the lowest bid on its value: at the root, in the reply to it, and later."""


class GraphRoot(NamedTuple):
    """The public state that a graph begins with. `standing` is CHECK before the opening."""

    standing: Action
    cards_in_play: int
    jokers: bool  # whether ones count for every value, unless the round is opened on ones


class GraphNode(NamedTuple):
    """A standing bid with the seat to act: 0 is the one that acts at the root. Edges are actions, a check first."""

    seat: int
    standing: Action
    jokers: bool
    actions: tuple[Action, ...]
    children: tuple[int, ...]


NodeKey: TypeAlias = tuple[Action, Action, int, bool]
"""The bid before the standing one, the standing bid, the depth, and whether ones are jokers."""


@lru_cache(16)
def bid_graph(root: GraphRoot) -> tuple[GraphNode, ...]:
    """Return the nodes of a graph, each before its children."""
    first: NodeKey = (CHECK, root.standing, 0, root.jokers)
    actions: dict[NodeKey, tuple[Action, ...]] = {}
    waiting = [first]
    while waiting:
        key = waiting.pop()
        if key not in actions:
            actions[key] = actions_at(root, key)
            waiting += [_following(key, bid) for bid in actions[key] if bid != CHECK]
    keys = sorted(actions, key=lambda key: (key != first, key[1], key))
    index = {key: at for at, key in enumerate(keys)}
    return tuple(
        GraphNode(
            key[2] % 2,
            key[1],
            key[3],
            actions[key],
            tuple(TERMINAL if bid == CHECK else index[_following(key, bid)] for bid in actions[key]),
        )
        for key in keys
    )


def actions_at(root: GraphRoot, key: NodeKey) -> tuple[Action, ...]:
    """Return the actions in a node: a check, and the raises that the graph has, lowest first."""
    _, standing, depth, _ = key
    jump = JUMPS[min(depth, len(JUMPS) - 1)]
    most = min(root.cards_in_play, max(highest_number(root.cards_in_play, root.jokers), root.standing[0] + 1))
    found = []
    for value in range(1, VALUES + 1):
        row = positions(higher(Bid(*standing, 0, 0), value, most, 1))
        found += [(number, value) for number in (row if standing == CHECK else row[: jump + 1])]
    return ((CHECK,) if standing != CHECK else ()) + tuple(sorted(found))


def highest_number(cards_in_play: int, jokers: bool) -> int:
    """Return the highest number that a graph has bids on. More is nearly never true."""
    return min(cards_in_play, (3 * cards_in_play + 3) // 4 + jokers)


def _following(key: NodeKey, bid: Action) -> NodeKey:
    """Return the key of the node after a bid."""
    _, standing, depth, jokers = key
    depth = depth + 1 if depth < RECALLED_BIDS else RECALLED_BIDS + (depth - RECALLED_BIDS + 1) % 2
    return standing, bid, depth, jokers and (standing != CHECK or bid[1] != 1)
