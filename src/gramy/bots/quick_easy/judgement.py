"""What it is worth to leave the table like this: the team's chance to win, learned from its own play.

`describe` puts a table into numbers by what the player who leaves it knows: his own cards, and of every other card what
its holder said. A small network makes a chance of them. All is written for both worlds, plain and compiled: numbers in
flat arrays, the rules by their own functions.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence
from functools import cache
from math import exp, log2
from pathlib import Path
from typing import NamedTuple, TypeAlias

from gramy.bots.weights import read_weights
from gramy.cards import count, lowest
from gramy.games.quick_easy.rules import DECK, HAND, TENS, State, colour, fits, higher, left, lower

Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]

EMPTY, NO_COLOUR = 50, 5
"""The index of a pile without a card, after the fifty tops, and its colour."""

STEPS = 20
"""What a card makes of the room between the piles: 0 is whatever fits, step s at least s - 9 more room."""

TURNS = 10
"""Ways to play two cards: one of them on either pile, both on one in either order, or one on each."""

TABLE, SEAT, SEATS = 14, 4, 5
SUMS = TABLE + SEAT * SEATS + 2
"""What is reckoned: of the table, of every seat (the own one last), how vague the talk is, and how many play."""

TOPS = 11 + 11 + 1
"""The number on top of each pile, or none, and whether both are of one colour."""

PLACES = 30
"""Where a card lies, as far as that matters: its number, in the rising pile's colour, the falling one's, or others."""

OUT, OWN, NEXT, LATER = (SUMS + TOPS + PLACES * block for block in range(4))
"""The places of the cards that this player has not seen, of his own, of the next player's, and of the others'."""

VAGUE = 10
"""A card that may be any of more than so many is nowhere in particular."""

FEATURES = SUMS + TOPS + PLACES * 4
HIDDEN, LANES = 32, 8
"""Units of the network, and how many are reckoned at once."""

WEIGHTS = FEATURES * HIDDEN + HIDDEN + HIDDEN + 1
BIASES, OUTPUTS = FEATURES * HIDDEN, (FEATURES + 1) * HIDDEN
SPAN = (1 << WEIGHTS.bit_length()) - 1
"""A mask that leaves every index of a weight as it is, and tells the compiler that none is negative: only then does it
reckon several units with one instruction."""


class Judge(NamedTuple):
    """The tables and weights that a judgement needs, and room to work in, so that every thought has its own."""

    up: Ints
    down: Ints
    weights: Floats
    reach: Ints
    features: Floats
    found: Ints
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
        array("q", [0] * FEATURES),
        array("q", [0] * 2 * TURNS),
    )


def file(pro: bool) -> Path:
    """Where the weights of a game are kept."""
    return Path(__file__).with_name("pro.bin" if pro else "base.bin")


@cache
def _weights(pro: bool) -> Floats:
    return array("d", read_weights(file(pro), "f", WEIGHTS))


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
    size = 0
    for feature in range(FEATURES):
        if judge.features[feature] != 0:
            judge.found[size] = feature
            size += 1
    total = judge.weights[WEIGHTS - 1]
    for unit in range(0, HIDDEN, LANES):
        total += _spoken(judge, size, unit)
    return total


def _spoken(judge: Judge, size: int, unit: int) -> float:
    """What this unit and the next seven say to the features that were found. Written out, as they stay in registers."""
    weights = judge.weights
    at = (BIASES + unit) & SPAN
    a, b, c, d = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
    e, f, g, h = weights[at + 4], weights[at + 5], weights[at + 6], weights[at + 7]
    for index in range(size):
        much = judge.features[judge.found[index]]
        at = (judge.found[index] * HIDDEN + unit) & SPAN
        a += weights[at] * much
        b += weights[at + 1] * much
        c += weights[at + 2] * much
        d += weights[at + 3] * much
        e += weights[at + 4] * much
        f += weights[at + 5] * much
        g += weights[at + 6] * much
        h += weights[at + 7] * much
    at = (OUTPUTS + unit) & SPAN
    total = max(a, 0.0) * weights[at] + max(b, 0.0) * weights[at + 1]
    total += max(c, 0.0) * weights[at + 2] + max(d, 0.0) * weights[at + 3]
    total += max(e, 0.0) * weights[at + 4] + max(f, 0.0) * weights[at + 5]
    return total + max(g, 0.0) * weights[at + 6] + max(h, 0.0) * weights[at + 7]


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
    rising = up // 10 if up != EMPTY else NO_COLOUR
    falling = down // 10 if down != EMPTY else NO_COLOUR
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
        if other == seat:
            _put(hand, 1.0, rising, falling, into, OWN)
        else:
            _guess(one, rising, falling, into, NEXT if after == 1 else LATER)
            _guess(two, rising, falling, into, NEXT if after == 1 else LATER)
    into[SUMS - 2] = vague / others / 6 if others else 0.0
    into[SUMS - 1] = state.players * 0.2
    into[SUMS + low + 1] = 1.0
    into[SUMS + 11 + high] = 1.0
    into[SUMS + 22] = 1.0 if rising == falling else 0.0
    _spread(unseen, rising, falling, into)


def _spread(unseen: int, rising: int, falling: int, into: Floats) -> None:
    """Where the cards lie that have not been seen."""
    rest = unseen
    if rising != NO_COLOUR:
        for number in range(10):
            into[OUT + number] = float(unseen >> 10 * rising + number & 1)
        rest &= ~colour(rising)
    if falling not in (NO_COLOUR, rising):
        for number in range(10):
            into[OUT + 10 + number] = float(unseen >> 10 * falling + number & 1)
        rest &= ~colour(falling)
    for number in range(10):
        into[OUT + 20 + number] = count(rest & TENS << number) * 0.3


def _guess(cards: int, rising: int, falling: int, into: Floats, block: int) -> None:
    """A card in a hand that may be any of these."""
    if 0 < count(cards) <= VAGUE:
        _put(cards, 1 / count(cards), rising, falling, into, block)


def _put(cards: int, much: float, rising: int, falling: int, into: Floats, block: int) -> None:
    """Add as much to the place of each card."""
    while cards:
        suit, number = lowest(cards) // 10, lowest(cards) % 10
        cards &= cards - 1
        if suit == rising:
            into[block + number] += much
        elif suit == falling:
            into[block + 10 + number] += much
        else:
            into[block + 20 + number] += much


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
