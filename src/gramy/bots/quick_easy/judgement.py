"""What it is worth to leave the table like this: the team's chance to win, learned from its own play.

`describe` puts a table into numbers by what the player who leaves it knows: his own cards, and of every other card what
its holder said. A small network makes a chance of them. All is written for both worlds, plain and compiled: numbers in
flat arrays, the rules by their own functions.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import MutableSequence
from functools import cache
from importlib.resources import files
from math import exp, log2
from typing import NamedTuple, TypeAlias

from gramy.cards import count, lowest
from gramy.games.quick_easy.rules import DECK, HAND, State, colour, fits, higher, left, lower

Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]

EMPTY = 50
"""The index of a pile without a card, after the fifty tops."""

STEPS = 20
"""What a card makes of the room between the piles: 0 is whatever fits, step s at least s - 9 more room."""

TURNS = 10
"""Ways to play two cards: one of them on either pile, both on one in either order, or one on each."""

TABLE, SEAT, SEATS = 14, 4, 5
FEATURES = TABLE + SEAT * SEATS + 2
HIDDEN = 24
WEIGHTS = FEATURES * HIDDEN + HIDDEN + HIDDEN + 1


class Judge(NamedTuple):
    """The tables and weights that a judgement needs, and room to work in, so that every thought has its own."""

    up: Ints
    down: Ints
    weights: Floats
    reach: Ints
    features: Floats
    hidden: Floats
    turns: Ints


def judge(pro: bool) -> Judge:
    """A judge of the base or the pro game."""
    up, down = _reaches()
    return Judge(
        up,
        down,
        _weights(pro),
        array("q", [0] * STEPS),
        array("d", [0] * FEATURES),
        array("d", [0] * HIDDEN),
        array("q", [0] * 2 * TURNS),
    )


@cache
def _weights(pro: bool) -> Floats:
    kept = json.loads(files(__package__).joinpath("weights.json").read_text("utf-8"))
    return array("d", kept["pro" if pro else "base"])


@cache
def _reaches() -> tuple[Ints, Ints]:
    """For each top and each step, the cards that leave at least so much room on the rising and on the falling pile."""
    up, down = array("q"), array("q")
    for top in range(EMPTY + 1):
        bit = 0 if top == EMPTY else 1 << top
        rising, falling = fits(State(bit, bit, (DECK & ~bit, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 2, 0))
        low, high = (-1, 10) if top == EMPTY else (top % 10, top % 10)
        up.append(rising)
        down.append(falling)
        for step in range(1, STEPS):
            gain = step - 9
            up.append(rising & lower(min(10, max(0, low - gain + 1))))
            down.append(falling & ~lower(min(10, max(0, high + gain))))
    return up, down


def value(state: State, known: Ints, judge: Judge) -> float:
    """The team's chance to win, on the scale of `chance`, for a table that `state.seat` leaves before drawing."""
    describe(state, known, judge)
    hidden, weights = judge.hidden, judge.weights
    for unit in range(HIDDEN):
        hidden[unit] = weights[FEATURES * HIDDEN + unit]
    for feature in range(FEATURES):
        size = judge.features[feature]
        if size != 0:
            for unit in range(HIDDEN):
                hidden[unit] += weights[feature * HIDDEN + unit] * size
    total = weights[WEIGHTS - 1]
    for unit in range(HIDDEN):
        total += max(hidden[unit], 0.0) * weights[(FEATURES + 1) * HIDDEN + unit]
    return total


def chance(value: float) -> float:
    """From 0 to 1."""
    return 1 / (1 + exp(-value))


def describe(state: State, known: Ints, judge: Judge) -> None:
    """The table in numbers, into `judge.features`; `known[card]` are the cards that a held card may be, as was said."""
    seat, into, reach = state.seat, judge.features, judge.reach
    up = lowest(state.up) if state.up else EMPTY
    down = lowest(state.down) if state.down else EMPTY
    for step in range(STEPS):
        reach[step] = judge.up[up * STEPS + step] | judge.down[down * STEPS + step]
    out = state.deck
    for hand in state.hands:
        out |= hand
    unseen = out & ~state.hands[seat]
    cards, in_deck = left(state), count(state.deck)
    low = up % 10 if up != EMPTY else -1
    high = down % 10 if down != EMPTY else 10
    turns_up = count(out & colour(up // 10) & lower(low)) if up != EMPTY else 0
    turns_down = count(out & colour(down // 10) & higher(high)) if down != EMPTY else 0
    into[0] = (high - low) * 0.1
    into[1] = cards * 0.02
    into[2] = 1.0 if in_deck == 0 else 0.0
    into[3] = in_deck * 0.02
    into[4] = count(out & judge.up[up * STEPS]) / cards
    into[5] = count(out & judge.down[down * STEPS]) / cards
    into[6] = turns_up / cards
    into[7] = turns_down / cards
    into[8] = turns_up * 0.2
    into[9] = turns_down * 0.2
    into[10] = count(out & reach[0]) / cards
    into[11] = count(out & reach[7]) / cards
    into[12] = count(out & reach[9]) / cards
    into[13] = count(out & reach[13]) / cards
    for at in range(TABLE, FEATURES):
        into[at] = 0.0
    vague, others = 0.0, 0
    for after in range(1, state.players + 1):
        other = (seat + after) % state.players
        hand = state.hands[other]
        one, two = 0, 0
        if other != seat:
            if hand:
                one = known[lowest(hand)] & unseen
                vague += log2(count(one))
                others += 1
            if hand & (hand - 1):
                two = known[lowest(hand & (hand - 1))] & unseen
                vague += log2(count(two))
                others += 1
        else:
            one = hand & -hand
            two = hand & (hand - 1)
            drawn = min(HAND - count(hand), in_deck)
            if drawn == 2:
                one = unseen
            if drawn >= 1:
                two = unseen
            if one == 0:
                one, two = two, 0
        slot = TABLE + SEAT * (SEATS - 1 if other == seat else after - 1)
        _expect(one, two, reach, into, slot)
    into[FEATURES - 2] = vague / others / 6 if others else 0.0
    into[FEATURES - 1] = state.players * 0.2


def _expect(one: int, two: int, reach: Ints, into: Floats, slot: int) -> None:
    """What a hand of a card from each of two sets will make of the table, by its better card."""
    if one == 0:
        into[slot + 3] = 1.0
        return
    if two == 0:
        into[slot + 3] = 0.3
    first = 1 / count(one)
    second = 1 / count(two) if two else 0.0
    forwards, backwards = 0.0, 0.0
    for step in range(1, STEPS):
        both = 1 - (1 - count(one & reach[step]) * first) * (1 - count(two & reach[step]) * second)
        if step <= 9:
            forwards += both
        else:
            backwards += both
    into[slot] = forwards * 0.1
    into[slot + 1] = backwards * 0.2
    into[slot + 2] = (1 - count(one & reach[0]) * first) * (1 - count(two & reach[0]) * second)
