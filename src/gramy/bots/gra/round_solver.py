"""A solver of the rest of a round between two players, from what both may hold at a standing bid.

It is CFR+ on a bid graph (`bid_graph`, `regret_matching`). It needs NumPy and compiled code.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from gramy import games
from gramy.bots.gra.bid_graph import GraphNode, GraphRoot, bid_graph
from gramy.bots.gra.hand_types import RANK, hand_types, type_hits
from gramy.bots.gra.observation import Action
from gramy.bots.gra.regret_matching import GraphArrays, GraphWorkspace, Side, update
from gramy.bots.kernel import kernel

LEAST_ENTRY = 0.001
"""The least probability with which a type comes into a part of the round."""

TINY = 1e-30
"""Keeps divisions by a sum of 0 defined."""


class GraphLayout(NamedTuple):
    """A bid graph as arrays, and the number of rows and of average rows of each seat."""

    arrays: GraphArrays
    rows: tuple[int, int]
    average_rows: tuple[int, int]


@lru_cache(16)
def graph_layout(root: GraphRoot) -> GraphLayout:
    """Return a bid graph as arrays. The root and the replies to it have rows in an average strategy."""
    import numpy as np

    nodes = bid_graph(root)
    averaged = {0, *nodes[0].children}
    rows, average_rows = [0, 0], [0, 0]
    row_of, average_row_of = [], []
    for at, node in enumerate(nodes):
        for _ in node.actions:
            row_of.append(rows[node.seat])
            rows[node.seat] += 1
            average_row_of.append(average_rows[node.seat] if at in averaged else -1)
            average_rows[node.seat] += at in averaged
    counts = [len(node.actions) for node in nodes]
    columns = (
        [node.seat for node in nodes],
        [node.standing[0] for node in nodes],
        [node.standing[1] for node in nodes],
        [int(node.jokers) for node in nodes],
        [sum(counts[:at]) for at in range(len(counts))],
        counts,
        [child for node in nodes for child in node.children],
        row_of,
        average_row_of,
    )
    arrays = GraphArrays(*(np.array(column, np.int64) for column in columns))
    return GraphLayout(arrays, (rows[0], rows[1]), (average_rows[0], average_rows[1]))


class RoundSolver:
    """The strategies of both seats in the rest of a round. Seat 0 acts first.

    `ranges` has the probability of each hand type, for each seat. The product of a row of both `factors` is how much
    likelier two types are together than if the hands were independent.
    """

    def __init__(
        self, root: GraphRoot, cards: tuple[int, int], ranges: tuple[Any, Any], factors: tuple[Any, Any]
    ) -> None:
        self.root, self.nodes, self.layout = root, bid_graph(root), graph_layout(root)
        self.iterations, self.weights, self.model_share = 0, 0.0, 0.0
        self.met: Any = 0.0  # what each type of seat 0 met, summed with the weights of the iterations
        self.won: Any = 0.0  # the same for what each type of seat 1 won
        self.sides = tuple(self._side(seat, cards[seat], factors[seat]) for seat in (0, 1))
        self.workspace = self._workspace(max(cards))
        self._update = kernel(games.gra.RULES, update)
        self.set_ranges(*ranges)

    @property
    def work(self) -> int:
        """The work of an iteration: the numbers in both strategies."""
        return sum(side.strategy.size for side in self.sides)

    def range(self, seat: int) -> Any:
        """Return how likely each type of a seat is at the root."""
        return self.sides[seat].reach[0].copy()

    def set_ranges(self, first: Any, second: Any) -> None:
        """Set the probability of each type at the root."""
        self.sides[0].reach[0], self.sides[1].reach[0] = first, second

    def expect(self, model: Any, share: float) -> None:
        """Let seat 1 act by a model, by [row][type], with this probability at each decision."""
        first, second = self.sides
        self.sides, self.model_share = (first, second._replace(model=model)), share

    def set_factors(self, first: Any, second: Any) -> None:
        """Set what types tell of each other."""
        self.sides[0].factors[:], self.sides[1].factors[:] = first, second

    def iterate(self, iterations: int, alternative: Any = None, certain: Any = 0.0) -> None:
        """Improve both strategies by this number of iterations.

        With an alternative, each type of seat 1 chooses whether it comes into this part of the round, or wins with the
        probability that it has there (the re-solving gadget of Burch, Johanson and Bowling, 2014). `certain` is what
        comes in without a choice.
        """
        import numpy as np

        held = self.sides[1].reach[0].copy()
        regrets = np.zeros((2, len(held)))
        for _ in range(iterations):
            self.begin_iteration()
            self.met = self.met + self.iterations**2 * self.mass(0)
            self.improve(0)
            won = self.improve(1)
            self.won = self.won + self.iterations**2 * won
            if alternative is not None:
                total = np.maximum(regrets.sum(0), TINY)
                enters = np.where(regrets.sum(0) > 0, regrets[0] / total, 0.5)
                mean = enters * won + (1 - enters) * alternative
                regrets = np.maximum(0, regrets + (np.stack([won, alternative]) - mean) * self.mass(1))
                total = regrets.sum(0)
                enters = np.where(total > 0, regrets[0] / np.maximum(total, TINY), 0.5)
                self.sides[1].reach[0] = certain + held * np.maximum(enters, LEAST_ENTRY)

    def begin_iteration(self) -> None:
        """Count an iteration. Iteration t has weight t² in the average strategies."""
        self.iterations += 1
        self.weights += self.iterations**2

    def improve(self, seat: int) -> Any:
        """Improve the strategy of a seat, and return what each of its types won before."""
        self._update(
            self.layout.arrays, self.sides, seat, float(self.iterations**2), float(self.model_share), self.workspace
        )
        return self.sides[seat].value[0] / self.mass(seat)

    def strategy(self, bid: Action | None = None) -> dict[Action, Any]:
        """Return the average strategy at the root, or of the reply to a bid: for each action its share by type."""
        import numpy as np

        node, weights, _ = self._averages(bid)
        totals = weights.sum(0)
        shares = np.where(totals > 0, weights / np.maximum(totals, TINY), 1 / len(node.actions))
        return dict(zip(node.actions, shares, strict=True))

    def action_values(self, bid: Action | None = None) -> dict[Action, Any]:
        """Return the probability to win the round after each action at the root, or after each reply to a bid."""
        node, _, won = self._averages(bid)
        met = self.met if bid is None else self.weights * self.mass(1, self.range(0) * self.strategy()[bid])
        return dict(zip(node.actions, won / met, strict=True))

    def mass(self, seat: int, held: Any = None) -> Any:
        """Return how likely what the other seat holds is together with each type of a seat."""
        import numpy as np

        mine, other = self.sides[seat], self.sides[1 - seat]
        return np.maximum(mine.factors @ (other.factors.T @ (other.reach[0] if held is None else held)), TINY)

    def waiting_value(self) -> Any:
        """Return the probability to win the round, by type of the seat that does not act at the root."""
        return self.won / self.weights

    def _averages(self, bid: Action | None) -> tuple[GraphNode, Any, Any]:
        """Return the root or the node after a bid, with the sums of the strategy and of the values of its actions."""
        at = 0 if bid is None else self.nodes[0].children[self.nodes[0].actions.index(bid)]
        node, arrays = self.nodes[at], self.layout.arrays
        first = arrays.average_row[arrays.first_edge[at]]
        side, rows = self.sides[node.seat], slice(first, first + len(node.actions))
        return node, side.average[rows], side.value_sum[rows]

    def _side(self, seat: int, cards: int, factors: Any) -> Side:
        import numpy as np

        types, nodes = len(hand_types(cards)), len(self.nodes)
        rows, single = self.layout.rows[seat], np.float32
        strategy = np.zeros((rows, types), single)
        arrays = self.layout.arrays
        for node in range(nodes):
            if arrays.seat[node] == seat:
                first = arrays.row[arrays.first_edge[node]]
                strategy[first : first + arrays.edge_count[node]] = 1 / arrays.edge_count[node]
        return Side(
            type_hits(cards),
            np.array(factors, float, order="C"),
            np.zeros((nodes, types)),
            np.zeros(nodes),
            np.zeros((nodes, types)),
            np.zeros((rows, types), single),
            strategy,
            np.zeros((1, types), single),
            np.zeros((self.layout.average_rows[seat], types)),
            np.zeros((self.layout.average_rows[seat], types)),
        )

    def _workspace(self, cards: int) -> GraphWorkspace:
        import numpy as np

        nodes, edges = len(self.nodes), len(self.layout.arrays.child)
        types = max(side.reach.shape[1] for side in self.sides)
        widest = max(len(node.actions) for node in self.nodes)
        return GraphWorkspace(
            np.zeros(nodes),
            np.zeros(nodes),
            np.zeros(edges),
            np.zeros((widest, types)),
            np.zeros(types),
            np.zeros((cards + 2, RANK)),
        )
