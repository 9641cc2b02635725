"""Regret matching (CFR+) and best responses on a tree of bids, for both worlds: numbers and arrays only.

A walk is one pass over the tree for one seat, the learner, against what the other seat plays. A *state* is a seat's
hand and the faces it shows; a *label* is what its play depends on, the state itself or less of it; a *column* is what
its beliefs depend on, mostly the hand. `path` is how likely the other seat's labels make its moves as far as a node;
`value` is the learner's chance to win from a node on, times the chance of his column and of the other seat getting
there. Inner loops run along rows, so that a compiler can do many steps at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Floats = Any
"""Arrays of numpy."""

FAINT = 1e-9
"""A path less likely than this is given up while learning; a best response follows every one."""


class Bids(NamedTuple):
    """A tree as arrays: a node's seat and edges; an edge's next node (-1: the end), and the claim judged at the end."""

    seat: Any
    first: Any
    edges: Any
    node: Any
    number: Any
    value: Any
    bidder: Any


class Scratch(NamedTuple):
    """Room to work in: shares and values by edge, labels at an end, totals by label, hits by column."""

    shares: Floats
    values: Floats
    ends: Floats
    totals: Floats
    sums: Floats


def spread(table: Floats, first: int, edges: int, labels: int, out: Floats, totals: Floats) -> None:
    """The shares of a node's edges for all labels: in proportion to what stands in the table, or all alike."""
    for label in range(labels):
        totals[label] = 0.0
    for edge in range(edges):
        for label in range(labels):
            totals[label] += table[first + edge, label]
    for edge in range(edges):
        for label in range(labels):
            out[edge, label] = table[first + edge, label] / totals[label] if totals[label] > 0 else 1.0 / edges


def judge(
    number: int,
    winning: int,
    weights: Floats,
    path: Floats,
    theirs: Floats,
    mine: Floats,
    column: Floats,
    out: Floats,
    sums: Floats,
) -> None:
    """The value of every state of the learner where a claim is judged; `weights` has a row for each label of the other
    seat, and his columns. He wins if the claim holds (`winning` 1), or if it does not (0)."""
    columns, most = weights.shape[1], 0
    for label in range(len(path)):
        most = max(most, theirs[label])
    for hits in range(most + 2):
        for at in range(columns):
            sums[hits, at] = 0.0
    for label in range(len(path)):
        chance, hits = path[label], theirs[label]
        if chance > 0:  # most play is pure, and most labels are gone by the end
            for at in range(columns):
                sums[hits, at] += chance * weights[label, at]
    for hits in range(most - 1, -1, -1):
        for at in range(columns):
            sums[hits, at] += sums[hits + 1, at]
    for state in range(len(out)):
        true = sums[min(most + 1, max(0, number - mine[state])), column[state]]
        out[state] = true if winning else sums[0, column[state]] - true


def walk(
    bids: Bids,
    learner: int,
    best: int,
    step: float,
    weights: Floats,
    theirs: Floats,
    mine: Floats,
    column: Floats,
    label: Floats,
    share: Floats,
    regret: Floats,
    played: Floats,
    average: Floats,
    mass: Floats,
    path: Floats,
    alive: Floats,
    value: Floats,
    scratch: Scratch,
) -> None:
    """One walk. The other seat plays by the table `played`. With `best` the learner answers as well as can be; else he
    plays by his regrets and they are renewed, and the other seat's play is added to its `average`, `step` times.

    `theirs` and `mine` have a row of hits for each value; `share` is how a state counts for its label, `mass` how
    likely a label is. `path` and `alive` come with their first rows filled, `value` goes out with it.
    """
    nodes, states, labels = len(bids.seat), len(column), len(mass)
    shares, values, ends, totals = scratch.shares, scratch.values, scratch.ends, scratch.totals
    faint = 0.0 if best else FAINT
    for at in range(nodes):
        first, edges = bids.first[at], bids.edges[at]
        moving = bids.seat[at] != learner
        if moving and alive[at]:
            spread(played, first, edges, labels, shares, totals)
        for edge in range(edges):
            follower = bids.node[first + edge]
            going = 0
            if alive[at]:
                for other in range(labels):
                    along = path[at, other] * shares[edge, other] if moving else path[at, other]
                    ends[other] = along if along > faint else 0.0
                    going += int(along > faint)
                if moving and not best:
                    for other in range(labels):
                        average[first + edge, other] += step * mass[other] * ends[other]
            if follower >= 0:
                alive[follower] = int(going > 0)
                if going:
                    path[follower, :] = ends
    for at in range(nodes - 1, -1, -1):
        first, edges = bids.first[at], bids.edges[at]
        if not alive[at]:  # where the other seat never comes, there is nothing to win and nothing to learn
            value[at, :] = 0.0
            continue
        if bids.seat[at] != learner:
            value[at, :] = 0.0
            spread(played, first, edges, labels, shares, totals)
            for edge in range(edges):
                claim = first + edge
                follower = bids.node[claim]
                if follower >= 0:
                    for state in range(states):
                        value[at, state] += value[follower, state]
                    continue
                for other in range(labels):
                    ends[other] = path[at, other] * shares[edge, other]
                winning, about = int(bids.bidder[claim] == learner), bids.value[claim]
                judge(
                    bids.number[claim],
                    winning,
                    weights,
                    ends,
                    theirs[about],
                    mine[about],
                    column,
                    values[0],
                    scratch.sums,
                )
                for state in range(states):
                    value[at, state] += values[0, state]
            continue
        for edge in range(edges):
            claim = first + edge
            if bids.node[claim] >= 0:
                values[edge, :] = value[bids.node[claim]]
            else:
                winning, about = int(bids.bidder[claim] == learner), bids.value[claim]
                judge(
                    bids.number[claim],
                    winning,
                    weights,
                    path[at],
                    theirs[about],
                    mine[about],
                    column,
                    values[edge],
                    scratch.sums,
                )
        if best:
            value[at, :] = values[0]
            for edge in range(1, edges):
                for state in range(states):
                    value[at, state] = max(value[at, state], values[edge, state])
            continue
        spread(regret, first, edges, regret.shape[1], shares, totals)
        value[at, :] = 0.0
        for edge in range(edges):
            for state in range(states):
                value[at, state] += shares[edge, label[state]] * values[edge, state]
        for edge in range(edges):
            for state in range(states):
                regret[first + edge, label[state]] += share[state] * (values[edge, state] - value[at, state])
            for own in range(regret.shape[1]):
                regret[first + edge, own] = max(0.0, regret[first + edge, own])
