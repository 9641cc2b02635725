"""Regret matching (CFR+) and best responses on a tree of bids, for both worlds: numbers and flat arrays only.

A walk is one pass over the tree for one seat, the learner, against what the other seat plays. A *state* is a seat's
hand and the faces it shows; a *label* is what its play depends on, the state itself or less of it. `path` is how likely
the other seat's labels make its moves as far as a node; `value` is the learner's chance to win from a node on, times
the chance of his hand and of the other seat getting there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Floats = Any
"""Arrays of numpy, or lists."""


class Bids(NamedTuple):
    """A tree as arrays: a node's seat and edges; an edge's next node (-1: the end), and the claim judged at the end."""

    seat: Any
    first: Any
    edges: Any
    node: Any
    number: Any
    value: Any
    bidder: Any


def spread(table: Floats, first: int, edges: int, label: int, out: Floats) -> None:
    """The shares of a node's edges for a label: in proportion to what stands in the table, or all alike."""
    total = 0.0
    for edge in range(edges):
        total += table[first + edge, label]
    for edge in range(edges):
        out[edge, label] = table[first + edge, label] / total if total > 0 else 1.0 / edges


def judge(
    number: int,
    winning: int,
    weights: Floats,
    path: Floats,
    theirs: Floats,
    mine: Floats,
    hand: Floats,
    out: Floats,
    sums: Floats,
    live: Floats,
) -> None:
    """The value of every state of the learner where a claim is judged; `weights` has a row for each of his hands and a
    column for each label of the other seat. He wins if the claim holds (`winning` 1), or if it does not (0)."""
    alive = 0
    for label in range(len(path)):
        if path[label] > 0:  # most play is pure, and most labels are gone by the end
            live[alive] = label
            alive += 1
    before = -1
    for state in range(len(out)):
        if hand[state] != before:
            before = hand[state]
            for need in range(len(sums)):
                sums[need] = 0.0
            for at in range(alive):
                label = live[at]
                sums[theirs[label]] += weights[before, label] * path[label]
            for need in range(len(sums) - 2, -1, -1):
                sums[need] += sums[need + 1]
        true = sums[max(0, number - mine[state])]
        out[state] = true if winning else sums[0] - true


def walk(
    bids: Bids,
    learner: int,
    best: int,
    step: float,
    weights: Floats,
    theirs: Floats,
    mine: Floats,
    hand: Floats,
    label: Floats,
    share: Floats,
    regret: Floats,
    played: Floats,
    average: Floats,
    mass: Floats,
    path: Floats,
    value: Floats,
    shares: Floats,
    values: Floats,
    ends: Floats,
    sums: Floats,
    live: Floats,
) -> None:
    """One walk. The other seat plays by the table `played`. With `best` the learner answers as well as can be; else he
    plays by his regrets and they are renewed, and the other seat's play is added to its `average`, `step` times.

    `theirs` and `mine` have a row of hits for each value; `share` is how a state counts for its label, `mass` how
    likely a label is. `path` comes with its first row filled, `value` goes out with it. The last five are scratch.
    """
    nodes, states, labels = len(bids.seat), len(hand), len(mass)
    for at in range(nodes):
        first, edges = bids.first[at], bids.edges[at]
        moving = bids.seat[at] != learner
        for other in range(labels):
            if moving:
                spread(played, first, edges, other, shares)
            for edge in range(edges):
                along = path[at, other] * shares[edge, other] if moving else path[at, other]
                if moving and not best:
                    average[first + edge, other] += step * mass[other] * along
                if bids.node[first + edge] >= 0:
                    path[bids.node[first + edge], other] = along
    for at in range(nodes - 1, -1, -1):
        first, edges = bids.first[at], bids.edges[at]
        if bids.seat[at] != learner:
            for state in range(states):
                value[at, state] = 0.0
            for other in range(labels):
                spread(played, first, edges, other, shares)
            for edge in range(edges):
                follower = bids.node[first + edge]
                if follower < 0:
                    for other in range(labels):
                        ends[other] = path[at, other] * shares[edge, other]
                    claim = first + edge
                    winning = int(bids.bidder[claim] == learner)
                    about = bids.value[claim]
                    judge(
                        bids.number[claim],
                        winning,
                        weights,
                        ends,
                        theirs[about],
                        mine[about],
                        hand,
                        values[0],
                        sums,
                        live,
                    )
                for state in range(states):
                    value[at, state] += value[follower, state] if follower >= 0 else values[0, state]
            continue
        for edge in range(edges):
            claim = first + edge
            if bids.node[claim] >= 0:
                for state in range(states):
                    values[edge, state] = value[bids.node[claim], state]
            else:
                winning, about = int(bids.bidder[claim] == learner), bids.value[claim]
                judge(
                    bids.number[claim],
                    winning,
                    weights,
                    path[at],
                    theirs[about],
                    mine[about],
                    hand,
                    values[edge],
                    sums,
                    live,
                )
        for state in range(states):
            value[at, state] = values[0, state]
            for edge in range(1, edges):
                value[at, state] = max(value[at, state], values[edge, state])
        if best:
            continue
        for own in range(regret.shape[1]):
            spread(regret, first, edges, own, shares)
        for state in range(states):
            own, total = label[state], 0.0
            for edge in range(edges):
                total += shares[edge, own] * values[edge, state]
            value[at, state] = total
            for edge in range(edges):
                regret[first + edge, own] += share[state] * (values[edge, state] - total)
        for own in range(regret.shape[1]):
            for edge in range(edges):
                regret[first + edge, own] = max(0.0, regret[first + edge, own])
