"""Prune the tree of a strategy: the bids that it makes stay, and the bids that it ever replies to with a bid."""

from __future__ import annotations

import numpy as np

from gramy.bots.gra.abstraction import Abstraction
from gramy.bots.gra.bid_tree import TERMINAL
from training.gra.archive import own_weights, round_options
from training.gra.cfr import Array
from training.gra.solver import Solver


def kept_bids(solver: Solver, weights: dict[int, Array]) -> bytes:
    """Return which bids stay in the tree, as `Abstraction.kept`. `weights` are those of each node of the seat."""
    abstraction, (subgame,) = solver.abstraction, solver.subgames
    nodes, flags = subgame.tree.nodes, []
    queue = [0]
    for at in queue:
        rows = {edge.action: (row, edge.child) for row, edge in enumerate(nodes[at].edges)}
        for bid in subgame.tree.bids_within_limits(nodes[at].bids):
            row, child = rows.get(bid, (0, TERMINAL))
            if child == TERMINAL:
                keeps = False
            elif nodes[at].seat == abstraction.seat:
                keeps = weights[at][row].any()
            else:
                keeps = weights[child][1:].any()  # the first action is a check
            flags.append(bool(keeps))
            if keeps:
                queue.append(child)
    return np.packbits(np.array(flags, np.uint8), bitorder="little").tobytes()


def pruned_abstraction(solver: Solver, least: float) -> Abstraction:
    """Return the abstraction with only the bids that the average strategy makes with a probability of at least that."""
    (weights,) = own_weights(solver, least)
    return solver.abstraction._replace(kept=kept_bids(solver, weights))


def prune(solver: Solver, least: float) -> Solver:
    """Return a solver with the same average strategy in the pruned tree. Its smaller probabilities become 0."""
    abstraction, (weights,) = solver.abstraction, own_weights(solver, least)
    seat, nodes, node_of = abstraction.seat, solver.subgames[0].tree.nodes, solver.subgames[0].tree.node_of
    pruned = Solver(abstraction._replace(kept=kept_bids(solver, weights)))
    pruned.iterations = solver.iterations
    pruned.strategy_sum[seat] = round_options(solver.face_decisions[seat], solver.strategy_sum[seat])
    (subgame,), (bidding,) = pruned.subgames, pruned.biddings
    for at, node in enumerate(subgame.tree.nodes):
        if node.seat == seat:
            before = node_of[node.bids]
            row_of = {edge.action: row for row, edge in enumerate(nodes[before].edges)}
            rows = [row_of[edge.action] for edge in node.edges]
            first = bidding.tree.first_edge[at]
            bidding.strategy_sum[seat][first : first + len(rows)] = weights[before][rows]
    return pruned
