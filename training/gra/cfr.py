"""CFR+ on a bid tree: one traversal that updates the regrets of one seat, or computes its best response.

Counterfactual regret minimisation with regret matching+ (Tammelin 2014), alternating updates and weighted averaging. A
*private state* is a seat's abstract hand with the faces it shows; an *information set* is the part of it that the
strategy depends on. Values are counterfactual: weighted by chance and by the opponent's reach probability.

Numba compiles these functions. None makes an array or a slice, so they run without reference counting (`lean`).
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

Array: TypeAlias = Any
"""A NumPy array."""

MIN_REACH = 1e-9
"""Smaller reach probabilities are treated as 0 in an update. A best response follows every one."""


class BidTreeArrays(NamedTuple):
    """A bid tree as arrays: three by node, then four by edge. A child of -1 is a terminal."""

    seat: Array
    first_edge: Array
    edge_count: Array
    child: Array
    number: Array
    value: Array
    bidder: Array


class Traverser(NamedTuple):
    """The seat whose values are computed."""

    seat: int
    hits: Array  # [value, private state]
    column: Array  # [private state], its column in `Opponent.chance`
    info_set: Array  # [private state]
    weight: Array  # [private state], its share in the regrets of its information set
    regret: Array  # [edge, information set]


class Opponent(NamedTuple):
    """The other seat. Its strategy in a node is in proportion to the rows of `strategy`: regrets, or strategy sums."""

    hits: Array  # [value, information set]
    chance: Array  # [information set, column], the probability of both together
    prior: Array  # [information set], its probability before the first bid
    strategy: Array  # [edge, information set]
    strategy_sum: Array  # [edge, information set], the average strategy, not normalised


class Workspace(NamedTuple):
    """Arrays that a traversal fills. The first rows of `reach` and `reachable` must be 1."""

    reach: Array  # [node, information set of the opponent]
    reachable: Array  # [node]
    value: Array  # [node, private state]
    strategy: Array  # [edge of a node, information set]
    action_values: Array  # [edge of a node, private state]
    edge_reach: Array  # [information set of the opponent], the reach of one edge
    totals: Array  # [information set]
    hit_sums: Array  # [hits, column]


def match_regrets(weights: Array, first: int, edges: int, info_sets: int, out: Array, totals: Array) -> None:
    """Write the strategy in a node: in proportion to the rows of its edges, or uniform where they are all 0."""
    for info_set in range(info_sets):
        totals[info_set] = 0.0
    for edge in range(edges):
        for info_set in range(info_sets):
            totals[info_set] += weights[first + edge, info_set]
    for edge in range(edges):
        for info_set in range(info_sets):
            total = totals[info_set]
            out[edge, info_set] = weights[first + edge, info_set] / total if total > 0 else 1.0 / edges


def terminal_values(
    tree: BidTreeArrays, edge: int, traverser: Traverser, opponent: Opponent, work: Workspace, row: int
) -> None:
    """Write the utility of each private state at a terminal to a row of `work.action_values`.

    The claim of the edge is checked there, and `work.edge_reach` has the opponent's reach probabilities. Row h of
    `work.hit_sums` becomes the weight of the opponent's information sets with at least h hits.
    """
    number, value = tree.number[edge], tree.value[edge]
    reach, hit_sums, chance = work.edge_reach, work.hit_sums, opponent.chance
    columns, most = chance.shape[1], 0
    for info_set in range(len(reach)):
        most = max(most, opponent.hits[value, info_set])
    for hits in range(most + 2):
        for column in range(columns):
            hit_sums[hits, column] = 0.0
    for info_set in range(len(reach)):
        probability, hits = reach[info_set], opponent.hits[value, info_set]
        if probability > 0:  # strategies are mostly pure, so that few information sets get here
            for column in range(columns):
                hit_sums[hits, column] += probability * chance[info_set, column]
    for hits in range(most - 1, -1, -1):
        for column in range(columns):
            hit_sums[hits, column] += hit_sums[hits + 1, column]
    wins_if_true = tree.bidder[edge] == traverser.seat
    for state in range(len(traverser.column)):
        column = traverser.column[state]
        true = hit_sums[min(most + 1, max(0, number - traverser.hits[value, state])), column]
        work.action_values[row, state] = true if wins_if_true else hit_sums[0, column] - true


def propagate_reach(
    tree: BidTreeArrays,
    traverser: Traverser,
    opponent: Opponent,
    best_response: int,
    iteration_weight: float,
    work: Workspace,
) -> None:
    """Compute the opponent's reach probabilities from the root down, and add to its average strategy in an update."""
    info_sets, reach, edge_reach = len(opponent.prior), work.reach, work.edge_reach
    min_reach = 0.0 if best_response else MIN_REACH
    for node in range(len(tree.seat)):
        first, edges = tree.first_edge[node], tree.edge_count[node]
        acting = tree.seat[node] != traverser.seat
        if acting and work.reachable[node]:
            match_regrets(opponent.strategy, first, edges, info_sets, work.strategy, work.totals)
        for edge in range(edges):
            child = tree.child[first + edge]
            reaching = 0
            if work.reachable[node]:
                for info_set in range(info_sets):
                    along = reach[node, info_set] * work.strategy[edge, info_set] if acting else reach[node, info_set]
                    edge_reach[info_set] = along if along > min_reach else 0.0
                    reaching += int(along > min_reach)
                if acting and not best_response:
                    for info_set in range(info_sets):
                        weight = iteration_weight * opponent.prior[info_set]
                        opponent.strategy_sum[first + edge, info_set] += weight * edge_reach[info_set]
            if child >= 0:
                work.reachable[child] = int(reaching > 0)
                if reaching:
                    for info_set in range(info_sets):
                        reach[child, info_set] = edge_reach[info_set]


def opponent_node(tree: BidTreeArrays, node: int, traverser: Traverser, opponent: Opponent, work: Workspace) -> None:
    """Compute the values of a node where the opponent acts: the sum over its edges."""
    first, edges = tree.first_edge[node], tree.edge_count[node]
    states, info_sets, value = len(traverser.column), len(opponent.prior), work.value
    for state in range(states):
        value[node, state] = 0.0
    match_regrets(opponent.strategy, first, edges, info_sets, work.strategy, work.totals)
    for edge in range(edges):
        child = tree.child[first + edge]
        if child >= 0:
            for state in range(states):
                value[node, state] += value[child, state]
            continue
        for info_set in range(info_sets):
            work.edge_reach[info_set] = work.reach[node, info_set] * work.strategy[edge, info_set]
        terminal_values(tree, first + edge, traverser, opponent, work, 0)
        for state in range(states):
            value[node, state] += work.action_values[0, state]


def compute_action_values(
    tree: BidTreeArrays, node: int, traverser: Traverser, opponent: Opponent, work: Workspace
) -> None:
    """Compute the value of each action in a node where the traverser acts."""
    first = tree.first_edge[node]
    for info_set in range(len(opponent.prior)):
        work.edge_reach[info_set] = work.reach[node, info_set]
    for edge in range(tree.edge_count[node]):
        child = tree.child[first + edge]
        if child >= 0:
            for state in range(len(traverser.column)):
                work.action_values[edge, state] = work.value[child, state]
        else:
            terminal_values(tree, first + edge, traverser, opponent, work, edge)


def take_best_action(tree: BidTreeArrays, node: int, traverser: Traverser, work: Workspace) -> None:
    """Compute the values of a node as the maximum over its actions."""
    value, action_values, states = work.value, work.action_values, len(traverser.column)
    for state in range(states):
        value[node, state] = action_values[0, state]
    for edge in range(1, tree.edge_count[node]):
        for state in range(states):
            value[node, state] = max(value[node, state], action_values[edge, state])


def update_regrets(tree: BidTreeArrays, node: int, traverser: Traverser, work: Workspace) -> None:
    """Compute the values of a node under regret matching, add the regrets of its actions, and cut them off at 0."""
    first, edges = tree.first_edge[node], tree.edge_count[node]
    regret, info_set, value = traverser.regret, traverser.info_set, work.value
    states, info_sets = len(info_set), regret.shape[1]
    match_regrets(regret, first, edges, info_sets, work.strategy, work.totals)
    for state in range(states):
        value[node, state] = 0.0
    for edge in range(edges):
        for state in range(states):
            value[node, state] += work.strategy[edge, info_set[state]] * work.action_values[edge, state]
    for edge in range(edges):
        for state in range(states):
            advantage = work.action_values[edge, state] - value[node, state]
            regret[first + edge, info_set[state]] += traverser.weight[state] * advantage
        for own in range(info_sets):
            regret[first + edge, own] = max(0.0, regret[first + edge, own])


def traverse(
    tree: BidTreeArrays,
    traverser: Traverser,
    opponent: Opponent,
    best_response: int,
    iteration_weight: float,
    work: Workspace,
) -> None:
    """Traverse the tree once and leave the counterfactual values of the root in the first row of `work.value`.

    With `best_response` the traverser takes the best action in each private state and nothing is updated. Otherwise it
    plays by its regrets, which are updated, and the opponent's strategy is added to its average with this weight.
    """
    propagate_reach(tree, traverser, opponent, best_response, iteration_weight, work)
    for node in range(len(tree.seat) - 1, -1, -1):
        if not work.reachable[node]:
            for state in range(len(traverser.column)):
                work.value[node, state] = 0.0
        elif tree.seat[node] != traverser.seat:
            opponent_node(tree, node, traverser, opponent, work)
        else:
            compute_action_values(tree, node, traverser, opponent, work)
            if best_response:
                take_best_action(tree, node, traverser, work)
            else:
                update_regrets(tree, node, traverser, work)
