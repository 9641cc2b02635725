"""Equilibrium play in rounds between two, by regret matching (CFR+), and what it is sure of, by best responses.

Each seat's play is found in a game in which that seat, the owner, keeps to a plan and the other does not. A best
response to the owner's play in this small game is one in the whole game, so the owner is sure of what it leaves him.
"""

from __future__ import annotations

from collections import defaultdict
from math import comb
from typing import Any, NamedTuple

import numpy as np

from gramy import games
from gramy.bots.gra import regret
from gramy.bots.gra.shape import Part, Shape, parts
from gramy.bots.gra.sight import COPIES, DECK, Sight, joint
from gramy.bots.kernel import kernel
from gramy.games.gra.rules import PAIRS, VALUES

Array = Any

MANY = 300_000_000
"""Numbers in a table of regrets, from which on the owner learns against a seat that goes by labels, too."""

AT_ONCE = 100
"""Hands that are answered for at once."""

SMALL = 1e-300


class Field:
    """A part of the bidding with everything that a walk over it needs."""

    def __init__(self, part: Part, blurred: tuple[bool, bool]) -> None:
        self.part, self.blurred = part, blurred
        nodes = part.tree.nodes
        edges = [edge for node in nodes for edge in node.edges]
        numbers = np.array([len(node.edges) for node in nodes])
        self.bids = regret.Bids(
            seat=np.array([node.seat for node in nodes]),
            first=np.cumsum(numbers) - numbers,
            edges=numbers,
            node=np.array([edge.node for edge in edges]),
            number=np.array([edge.claim[0] for edge in edges]),
            value=np.array([edge.claim[1] for edge in edges]),
            bidder=np.array([edge.bidder for edge in edges]),
        )
        self.joint = joint(*part.sights)
        self.hand = [np.array([hand for hand, _ in sight.states]) for sight in part.sights]
        self.label = [np.arange(len(hand)) for hand in self.hand]
        for seat, sight in enumerate(part.sights):
            if blurred[seat]:
                known = part.labels[seat]
                self.label[seat] = np.array([known[part.label(seat, *state)] for state in sight.states])
        self.labels = [int(label.max()) + 1 for label in self.label]
        self.hits = [np.array([part.hits(seat, value) for value in range(VALUES + 1)]) for seat in (0, 1)]
        self.label_hits = [np.zeros((VALUES + 1, labels), np.int64) for labels in self.labels]
        for seat in (0, 1):
            self.label_hits[seat][:, self.label[seat]] = self.hits[seat]
        self.regret = [np.zeros((len(edges), labels), np.float32) for labels in self.labels]
        self.average = [np.zeros((len(edges), labels), np.float32) for labels in self.labels]

    def learn(self, learner: int, reach: Array, own: Array, step: float) -> Array:
        """The learner's values where the bidding begins, after a walk against the other seat's regrets; `reach` of the
        other seat and what `own` states count are by state."""
        chances = self.joint if learner == 0 else self.joint.T
        label, hand = self.label[learner], self.hand[learner]
        if self.part.keen[learner] or not self.blurred[learner]:
            share = own if self.blurred[learner] else np.ones(len(hand))
            weights = self._weights(learner, chances, reach)
            return self._walk(learner, reach, weights, hand, self.hits[learner], label, share, step)
        # A play that forgets the hand learns by labels alone, which are few: each stands for its average hand.
        of_label = np.zeros((self.labels[learner], len(chances)))
        np.add.at(of_label, (label, hand), own)
        rows = of_label @ chances
        rows /= np.maximum(rows.sum(1), SMALL)[:, None]
        labels = np.arange(self.labels[learner])
        weights = self._weights(learner, rows, reach)
        hits = self.label_hits[learner]
        found = self._walk(learner, reach, weights, labels, hits, labels, np.ones(len(labels)), step)
        return found[label] * chances.sum(1)[hand]

    def best(self, learner: int, reach: Array) -> Array:
        """What the learner's best answer to the other seat's average is worth to each state, some hands at a time."""
        chances, hand = self.joint if learner == 0 else self.joint.T, self.hand[learner]
        found = []
        for first in range(0, len(chances), AT_ONCE):
            rows = chances[first : first + AT_ONCE]
            some = slice(*np.searchsorted(hand, (first, first + len(rows))))
            share = np.ones(some.stop - some.start)
            hits = np.ascontiguousarray(self.hits[learner][:, some])
            weights = self._weights(learner, rows, reach)
            found.append(
                self._walk(learner, reach, weights, hand[some] - first, hits, self.label[learner][some], share, 0.0)
            )
        return np.concatenate(found)

    def _weights(self, learner: int, rows: Array, reach: Array) -> Array:
        """How likely each label of the other seat is, with each of the rows: how likely its hands are."""
        other = 1 - learner
        if not self.blurred[other]:
            return np.ascontiguousarray((rows[:, self.hand[other]] * reach).T)
        shown = np.zeros((self.labels[other], rows.shape[1]))
        np.add.at(shown, (self.label[other], self.hand[other]), reach)
        return np.ascontiguousarray(shown @ rows.T)

    def _walk(
        self,
        learner: int,
        reach: Array,
        weights: Array,
        column: Array,
        hits: Array,
        label: Array,
        share: Array,
        step: float,
    ) -> Array:
        """A walk for states that have these columns, hits and labels; the best answer, if the step is 0."""
        other, best = 1 - learner, int(step == 0)
        labels, states, nodes = self.labels[other], len(column), len(self.bids.seat)
        prior = self.joint.sum(learner)
        mass = np.bincount(self.label[other], reach * prior[self.hand[other]], labels)
        value = np.empty((nodes, states))
        widest, longest = int(self.bids.edges.max()), max(self.labels)
        kernel(games.gra, regret.walk, lean=False)(
            self.bids,
            learner,
            best,
            step,
            weights,
            self.label_hits[other],
            hits,
            column,
            label,
            share,
            self.regret[learner],
            self.average[other] if best else self.regret[other],
            self.average[other],
            mass,
            np.ones((nodes, labels)),
            np.ones(nodes, np.int64),
            value,
            regret.Scratch(
                np.empty((widest, longest)),
                np.empty((widest, states)),
                np.empty(labels),
                np.empty(longest),
                np.empty((DECK + 2, weights.shape[1])),
            ),
        )
        return value[0]


class Root(NamedTuple):
    """How a seat comes into the bidding: it takes an option of its group (its hand), which leads to states of every
    field by some shares."""

    group: Array
    links: list[tuple[Array, Array, Array]]

    def play(self, table: Array) -> Array:
        """Each option's chance within its group, in proportion to the table."""
        total, options = np.bincount(self.group, table), np.bincount(self.group)
        return np.where(total[self.group] > 0, table / np.maximum(total, SMALL)[self.group], 1 / options[self.group])

    def reach(self, play: Array, at: int, states: int) -> Array:
        option, state, share = self.links[at]
        return np.bincount(state, play[option] * share, states)

    def best(self, values: Array) -> float:
        """What the best option of every group is worth together."""
        found = np.full(self.group.max() + 1, -1.0)
        np.maximum.at(found, self.group, values)
        return float(found.sum())


class Solver:
    """Learns a play of one shape, in averages that get better with every round of learning."""

    def __init__(self, shape: Shape) -> None:
        self.shape, owner = shape, shape.owner
        self.parts = parts(shape)
        sizes = [[len(sight.states) * part.tree.moves for sight in part.sights] for part in self.parts]
        blurred = [seat == owner or max(size[seat] for size in sizes) > MANY for seat in (0, 1)]
        self.fields = [Field(part, (blurred[0], blurred[1])) for part in self.parts]
        self.roots = [opening(shape), replier(shape)] if shape.ones else [opener(shape), answerer(shape)]
        self.regret = [np.zeros(len(root.group)) for root in self.roots]
        self.average = [np.zeros(len(root.group)) for root in self.roots]
        self.learnt = 0

    def learn(self, times: int) -> None:
        for _ in range(times):
            self.learnt += 1
            for learner in (0, 1):
                values = self._values(learner, self.learnt**2)  # the first rounds, which know little, count little
                root, play = self.roots[learner], self.roots[learner].play(self.regret[learner])
                got = np.bincount(root.group, play * values)
                self.regret[learner] = np.maximum(0, self.regret[learner] + values - got[root.group])

    def sure(self) -> float:
        """The owner's chance to win the round against the best answer to his average play."""
        other = 1 - self.shape.owner
        return 1 - self.roots[other].best(self._values(other, 0))

    def gap(self) -> float:
        """How far the averages are from an equilibrium of the small game."""
        return self.roots[0].best(self._values(0, 0)) + self.roots[1].best(self._values(1, 0)) - 1

    def _values(self, learner: int, step: int) -> Array:
        """What each option of a seat is worth: while learning, or as a best answer (step 0)."""
        other, roots = 1 - learner, self.roots
        plays = [root.play(table) for root, table in zip(roots, self.regret if step else self.average, strict=True)]
        if step:
            self.average[other] += step * plays[other]
        values = np.zeros(len(roots[learner].group))
        for at, field in enumerate(self.fields):
            reach = roots[other].reach(plays[other], at, len(field.hand[other]))
            own = roots[learner].reach(self._counting(learner, plays[learner]), at, len(field.hand[learner]))
            times = field.part.times
            if other == 0:
                reach = reach / times
            found = field.learn(learner, reach, own, step) if step else field.best(learner, reach)
            option, state, share = roots[learner].links[at]
            values += np.bincount(option, share * found[state], len(values)) * (times if learner == 1 else 1)
        return values

    def _counting(self, learner: int, play: Array) -> Array:
        """What options count when states with one label learn together. They count as they are played, and a little all
        alike, but for an owner who forgets no hand: his come from the same option."""
        if learner == self.shape.owner and all(part.keen[learner] for part in self.parts):
            return np.ones(len(play))
        return 0.9 * play + 0.1 * self.roots[learner].play(np.zeros(len(play)))


def same(sight: Sight) -> Root:
    """Into one field: every state is an option."""
    states = np.arange(len(sight.states))
    return Root(np.array([hand for hand, _ in sight.states]), [(states, states, np.ones(len(states)))])


def opener(shape: Shape) -> Root:
    """The one who opens picks what to show together with the part he opens in, knowing his whole hand. Hands that see
    the same in all parts are one group."""
    first, *more = fields = parts(shape)
    if not more:
        return same(first.sights[0])
    low = next((part for part in more if len(part.values) > len(first.values)), None)
    group: list[int] = []
    links: list[list[tuple[int, int, float]]] = [[] for _ in fields]
    chances = [joint(*part.sights).sum(1) for part in fields]
    states = [_by_hand(part.sights[0]) for part in fields]
    for at_group, ((top, lows), likely) in enumerate(whole_hands(first, low, 0).items()):
        for at, part in enumerate(fields):
            for seen in sorted(lows) if part is low else [top]:
                for state in states[at][seen]:
                    links[at].append((len(group), state, likely / chances[at][seen]))
                    group.append(at_group)
    return Root(np.array(group), [_columns(link) for link in links])


def answerer(shape: Shape) -> Root:
    """The one who answers picks what to show of the high values; low faces are left to chance."""
    first, *more = parts(shape)
    root = same(first.sights[1])
    for part in more:
        alike = len(part.values) == len(first.values)
        root.links.append(root.links[0] if alike else _columns(by_chance(part, first.sights[1], 1)))
    return root


def opening(shape: Shape) -> Root:
    """The one who opens picks what to show of the high values together with the part; low faces are left to chance."""
    first, second = parts(shape)
    root = same(first.sights[0])
    option, state, share = _columns(by_chance(second, first.sights[0], 0))
    group = np.concatenate([root.group, root.group])
    return Root(group, [*root.links, (option + len(root.group), state, share)])


def replier(shape: Shape) -> Root:
    """The one who answers an opener who also opens with a one picks, knowing his whole hand, what to show, and the low
    value that he will answer a one on, if on any: he hears nothing in between that could change his mind."""
    first, second = parts(shape)
    coarse, fine = first.sights[1], second.sights[1]
    states = _by_hand(fine)
    chances = [joint(*part.sights).sum(0) for part in (first, second)]
    group: list[int] = []
    links: list[list[tuple[int, int, float]]] = [[], []]
    for at_group, ((top, lows), likely) in enumerate(whole_hands(first, second, 1).items()):
        for seen in sorted(lows):
            for state in states[seen]:
                above = coarse.state_of[top, fine.states[state][1][:-1]]
                links[0].append((len(group), above, likely / chances[0][top]))
                links[1].append((len(group), state, likely / chances[1][seen]))
                group.append(at_group)
    return Root(np.array(group), [_columns(link) for link in links])


def whole_hands(first: Part, low: Part | None, seat: int) -> dict[tuple[int, frozenset[int]], float]:
    """How likely whole hands of a seat are that look different in some part: by how the high values tell them apart,
    and all that they are with one of the low values each."""
    size, groups = first.sights[seat].size, defaultdict[tuple[int, frozenset[int]], float](float)
    others = [value for value in range(1, VALUES + 1) if value not in first.values]
    sights = [Sight((*first.values, value), size) for value in others]
    for hand in Sight(range(1, VALUES + 1), size).hands:
        cards = [pair for pair, number in zip(PAIRS, hand, strict=True) for _ in range(number)]
        weight = 1
        for number in hand:
            weight *= comb(COPIES, number)
        lows = frozenset(low.sights[seat].number_of[sight.seen(cards)] for sight in sights if low is not None)
        groups[first.sights[seat].number_of[first.sights[seat].seen(cards)], lows] += weight / comb(DECK, size)
    return groups


def by_chance(part: Part, coarse: Sight, seat: int) -> list[tuple[int, int, float]]:
    """Which states of a part with a low value come of what is shown of the high values, and how often."""
    fine = part.sights[seat]
    link = []
    for number, hand in enumerate(fine.hands):
        ways = fine.ways(hand, free=len(coarse.values))
        total: dict[tuple[int, ...], float] = defaultdict(float)
        for shown, times in ways.items():
            total[shown[:-1]] += times
        above = coarse.number_of[fine.without(hand, part.high)]
        for shown, times in ways.items():
            option = coarse.state_of[above, shown[:-1]]
            link.append((option, fine.state_of[number, shown], times / total[shown[:-1]]))
    return link


def _by_hand(sight: Sight) -> list[list[int]]:
    states: list[list[int]] = [[] for _ in sight.hands]
    for at, (hand, _) in enumerate(sight.states):
        states[hand].append(at)
    return states


def _columns(rows: list[tuple[int, int, float]]) -> tuple[Array, Array, Array]:
    option, state, share = zip(*rows, strict=True)
    return np.array(option), np.array(state), np.array(share)
