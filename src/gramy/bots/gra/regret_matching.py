"""CFR+ on a bid graph (`bid_graph`): one update of the strategy of one seat against the other.

Where paths of bids meet in a node, both seats' reach probabilities are averaged over the paths, each weighted by how
often it is played. The value of a type there is that against the averaged reach. Both are exact on a path of its own.
Every action is tried a little (`TREMBLE`), so that a strategy has an answer to bids that should not be made.

All functions are compiled if Numba is installed (`gramy.compiled`). None makes an array or a slice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

TREMBLE = 0.0005
"""The least probability of each action while a strategy is learnt."""


class GraphArrays(NamedTuple):
    """A bid graph: arrays by node, then by edge. A child of -1 is the end of the round: the standing bid is checked."""

    seat: Any
    number: Any
    value: Any
    jokers: Any
    first_edge: Any
    edge_count: Any
    child: Any
    row: Any  # the row of an edge in the strategy of its seat
    average_row: Any  # the row in its average strategy, -1 for none


class Side(NamedTuple):
    """What a seat holds, by hand type in the last dimension, and what it learns."""

    hits: Any  # [are ones jokers][value][type]
    factors: Any  # [type][rank], half of the joint weight of two types
    reach: Any  # [node][type]
    norm: Any  # [node], the sum of its reach
    value: Any  # [node][type], won by the seat, weighted by the reach of the other seat
    regret: Any  # [row][type]
    strategy: Any  # [row][type]
    model: Any  # [row][type], how a player of a simple kind acts; one row of zeros if there is no such model
    average: Any  # [average row][type], not normalised
    value_sum: Any  # [average row][type], the values of these actions, summed with the weights of the iterations


class GraphWorkspace(NamedTuple):
    """Arrays that an update fills."""

    mass: Any  # [node], how often it is reached
    spread: Any  # [node], by what the reach of the seat that has just bid is divided
    edge_norm: Any  # [edge], the reach of the acting seat along it
    action_values: Any  # [edge of a node][type]
    mean_values: Any  # [type]
    bins: Any  # [hits][rank]


def update(
    graph: GraphArrays, sides: tuple[Side, Side], seat: int, weight: float, model_share: float, work: GraphWorkspace
) -> None:
    """Update the regrets and the strategy of a seat; add the strategy to its average with this weight.

    Seat 1 acts by its model with probability `model_share`, and freely otherwise.
    """
    spread_reach(graph, sides, work)
    mine = sides[seat]
    for node in range(len(graph.seat) - 1, -1, -1):
        if graph.seat[node] == seat:
            own_values(graph, sides, seat, node, work)
            learn(graph, mine, node, weight, model_share if seat == 1 else 0.0, work)
        else:
            other_values(graph, sides, seat, node, work)


def spread_reach(graph: GraphArrays, sides: tuple[Side, Side], work: GraphWorkspace) -> None:
    """Compute the reach probabilities of both seats from the root down."""
    nodes = len(graph.seat)
    for node in range(1, nodes):
        work.mass[node] = 0.0
        work.spread[node] = 0.0
        for side in range(2):
            for own in range(sides[side].reach.shape[1]):
                sides[side].reach[node, own] = 0.0
    for node in range(nodes):
        actor, waiting = sides[graph.seat[node]], sides[1 - graph.seat[node]]
        if node:
            # The seat that waits has just bid. With one parent this restores the reach along that edge.
            divisor = work.spread[node] / work.mass[node]
            for own in range(waiting.reach.shape[1]):
                waiting.reach[node, own] /= divisor
            for own in range(actor.reach.shape[1]):
                actor.reach[node, own] /= work.mass[node] / divisor
        for side in range(2):
            total = 0.0
            for own in range(sides[side].reach.shape[1]):
                total += sides[side].reach[node, own]
            sides[side].norm[node] = total
        for at in range(graph.edge_count[node]):
            edge = graph.first_edge[node] + at
            child, row = graph.child[edge], graph.row[edge]
            if child < 0:
                continue
            along = 0.0
            for own in range(actor.reach.shape[1]):
                along += actor.reach[node, own] * actor.strategy[row, own]
            still = waiting.norm[node]
            work.edge_norm[edge] = along
            work.mass[child] += along * still
            work.spread[child] += still * along * still
            for own in range(actor.reach.shape[1]):
                actor.reach[child, own] += actor.reach[node, own] * actor.strategy[row, own] * still
            for own in range(waiting.reach.shape[1]):
                waiting.reach[child, own] += waiting.reach[node, own] * along


def own_values(graph: GraphArrays, sides: tuple[Side, Side], seat: int, node: int, work: GraphWorkspace) -> None:
    """Compute the value of each action of a seat in a node where it acts."""
    mine, other = sides[seat], sides[1 - seat]
    for at in range(graph.edge_count[node]):
        child = graph.child[graph.first_edge[node] + at]
        if child < 0:
            count_claims(graph, sides, seat, node, -1, work)
            for own in range(mine.reach.shape[1]):
                work.action_values[at, own] = work.mean_values[own]
        else:
            share = other.norm[node] / other.norm[child]
            for own in range(mine.reach.shape[1]):
                work.action_values[at, own] = mine.value[child, own] * share


def other_values(graph: GraphArrays, sides: tuple[Side, Side], seat: int, node: int, work: GraphWorkspace) -> None:
    """Compute the values of a seat in a node where the other one acts: the sum over its actions."""
    mine, other = sides[seat], sides[1 - seat]
    for own in range(mine.reach.shape[1]):
        mine.value[node, own] = 0.0
    for at in range(graph.edge_count[node]):
        edge = graph.first_edge[node] + at
        child = graph.child[edge]
        if child < 0:
            count_claims(graph, sides, seat, node, graph.row[edge], work)
            for own in range(mine.reach.shape[1]):
                mine.value[node, own] += work.mean_values[own]
        else:
            share = work.edge_norm[edge] / other.norm[child]
            for own in range(mine.reach.shape[1]):
                mine.value[node, own] += mine.value[child, own] * share


def count_claims(
    graph: GraphArrays, sides: tuple[Side, Side], seat: int, node: int, row: int, work: GraphWorkspace
) -> None:
    """Write to `work.mean_values` what a seat wins when the standing bid of a node is checked.

    `row` is the check in the strategy of the other seat, or -1 if the seat itself checks.
    """
    mine, other, bins = sides[seat], sides[1 - seat], work.bins
    number, value, jokers = graph.number[node], graph.value[node], graph.jokers[node]
    rank, most = bins.shape[1], bins.shape[0] - 1
    for hits in range(most + 1):
        for at in range(rank):
            bins[hits, at] = 0.0
    for their in range(other.reach.shape[1]):
        reach = other.reach[node, their]
        if row >= 0:
            reach *= other.strategy[row, their]
        hits = other.hits[jokers, value, their]
        for at in range(rank):
            bins[hits, at] += reach * other.factors[their, at]
    for hits in range(most - 1, -1, -1):
        for at in range(rank):
            bins[hits, at] += bins[hits + 1, at]
    for own in range(mine.reach.shape[1]):
        needed = min(most, max(0, number - mine.hits[jokers, value, own]))
        true, total = 0.0, 0.0
        for at in range(rank):
            true += bins[needed, at] * mine.factors[own, at]
            total += bins[0, at] * mine.factors[own, at]
        work.mean_values[own] = true if row >= 0 else total - true


def learn(graph: GraphArrays, mine: Side, node: int, weight: float, model_share: float, work: GraphWorkspace) -> None:
    """Compute the values of a node, add the regrets of its actions, cut them off at 0, and match the strategy."""
    edges, first = graph.edge_count[node], graph.first_edge[node]
    types, free = mine.reach.shape[1], 1 - model_share
    for own in range(types):
        mine.value[node, own] = 0.0
        work.mean_values[own] = 0.0
    for at in range(edges):
        row = graph.row[first + at]
        for own in range(types):
            mine.value[node, own] += mine.strategy[row, own] * work.action_values[at, own]
        if model_share > 0:
            for own in range(types):
                work.mean_values[own] += model_share * mine.model[row, own] * work.action_values[at, own]
        average = graph.average_row[first + at]
        if average >= 0:
            for own in range(types):
                mine.average[average, own] += weight * mine.reach[0, own] * mine.strategy[row, own]
                mine.value_sum[average, own] += weight * work.action_values[at, own]
    for own in range(types):  # regrets are against what the seat gets where it acts freely
        work.mean_values[own] = (mine.value[node, own] - work.mean_values[own]) / free
    for at in range(edges):
        row = graph.row[first + at]
        for own in range(types):
            regret = mine.regret[row, own] + work.action_values[at, own] - work.mean_values[own]
            mine.regret[row, own] = max(0.0, regret)
    for own in range(types):
        work.mean_values[own] = 0.0
    for at in range(edges):
        row = graph.row[first + at]
        for own in range(types):
            work.mean_values[own] += mine.regret[row, own]
    match_regrets(graph, mine, node, model_share, work)


def match_regrets(graph: GraphArrays, mine: Side, node: int, model_share: float, work: GraphWorkspace) -> None:
    """Write the strategy in a node, in proportion to the regrets; their sums are in `work.mean_values`."""
    edges, first = graph.edge_count[node], graph.first_edge[node]
    free = (1 - model_share) * (1 - TREMBLE * edges)
    for at in range(edges):
        row = graph.row[first + at]
        for own in range(mine.reach.shape[1]):
            total = work.mean_values[own]
            share = mine.regret[row, own] / total if total > 0 else 1.0 / edges
            mine.strategy[row, own] = free * share + (1 - model_share) * TREMBLE
        if model_share > 0:
            for own in range(mine.reach.shape[1]):
                mine.strategy[row, own] += model_share * mine.model[row, own]
