"""The evaluation of a position of Face to Face: the chance to win, by a small neural network with accumulators.

The network has one hidden layer of rectified linear units. As in an NNUE of computer chess, the sums of a unit's inputs
are kept and updated instead of computed anew. Weights are integers, four of them packed into one word: sums are exact
in every order, so compiled and plain code agree, and adding a row takes eight additions. All of it can be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh
from typing import NamedTuple

from gramy.bots.face_to_face.features import (
    COUNTS,
    ROWS,
    TOPS,
    Outside,
    add_card,
    add_counts,
    add_hand,
    add_outside,
    add_top,
    foe_spread_row,
    own_spread_row,
    paired,
)
from gramy.bots.kernel import Ints
from gramy.cards import count, lowest, where
from gramy.games.face_to_face.rules import HAND, State

UNITS = 32
"""Hidden units: eight with output weight +1, eight with -1, and the same sixteen for the position upside down."""
LANE = 15
"""Bits of a word for the sum of one unit."""
WORDS = UNITS // 4
ONE = 256
"""Log-odds of 1, in units of the weights."""
SIZE = ROWS * WORDS + 1
"""Words of the packed network: the rows, and the output's bias."""

TOP_NUMBERS = HAND + 1
"""What may be on top of a pile after the turn's cards: one of the hand's cards, by its number, or the old top."""
SLOTS = 5 * TOP_NUMBERS
"""A part of a position and its top (for COUNTS: whether a card was given) make a slot."""

ONES = sum(1 << LANE * unit for unit in range(4))
EVEN = (1 << LANE) - 1 | (1 << LANE) - 1 << 2 * LANE


class Accumulators(NamedTuple):
    """The packed network, and sums of its rows that are kept. The sums but `outside` and its key belong to one turn."""

    network: Ints
    habits: Ints  # for each seat, how it has played
    turn: Ints  # for each slot and each subset of the hand that was laid
    turn_known: Ints  # for each slot, the bit set of those subsets whose sums are there
    full_hand: Ints  # for each slot: cards outside the hand, and all cards of the hand one by one
    card: Ints  # for each slot and card of the hand: that card alone
    outside: Ints  # for each seat, pile and top: cards outside the hand
    outside_cards: Ints  # the own deck and the other's cards that each of those was computed for
    rows: Ints  # buffer for active features
    total: Ints  # buffer for the result


ACCUMULATOR_SIZES = (
    2,
    SLOTS * 64 * WORDS,
    SLOTS,
    SLOTS * WORDS,
    SLOTS * HAND * WORDS,
    8 * TOPS * WORDS,
    8 * TOPS * 2,
    200,  # more than the active features of one pile
    WORDS,
)
"""The sizes of all fields after `network`."""


# --- sums of rows -----------------------------------------------------------------------------------------------------


def add_rows(acc: Accumulators, number: int, mirrored: int, sign: int, sums: Ints, at: int) -> None:
    """Add (or with `sign` -1 subtract) the rows of the active features; if `mirrored`, with their halves exchanged."""
    for k in range(number):
        first = acc.rows[k] * WORDS
        for word in range(WORDS):
            sums[at + word] += sign * acc.network[first + (word ^ mirrored * WORDS // 2)]


def add(sums: Ints, at: int, others: Sequence[int], place: int) -> None:
    """Add one sum to another."""
    for word in range(WORDS):
        sums[at + word] += others[place + word]


def subtract(sums: Ints, at: int, others: Sequence[int], place: int) -> None:
    """Subtract one sum from another."""
    for word in range(WORDS):
        sums[at + word] -= others[place + word]


def clear(sums: Ints, at: int) -> None:
    """Set a sum to 0."""
    for word in range(WORDS):
        sums[at + word] = 0


def update_outside(left: State, pile: int, top: int, acc: Accumulators) -> int:
    """Bring the sum of a pile over the cards outside the own hand up to date; return its place."""
    number = (left.seat * 4 + pile) * TOPS + top
    at, deck, foe = number * WORDS, left.me.deck, left.foe.hand | left.foe.deck
    old_deck, old_foe = acc.outside_cards[2 * number], acc.outside_cards[2 * number + 1]
    acc.outside_cards[2 * number], acc.outside_cards[2 * number + 1] = deck, foe
    for sign in (-1, 1):  # subtract what has gone, then add what is new
        pairs = paired(old_deck, pile) & ~paired(deck, pile)
        foe_pairs = paired(old_foe, pile) & ~paired(foe, pile)
        changed = Outside(old_deck & ~deck, pairs, old_foe & ~foe, foe_pairs)
        rows = add_outside(pile, top, changed, acc.rows, 0)
        add_rows(acc, rows, pile & 1, sign, acc.outside, at)
        old_deck, deck, old_foe, foe = deck, old_deck, foe, old_foe
    return at


def forget_network(acc: Accumulators) -> None:
    """Forget all sums: the network has changed."""
    for at in range(len(acc.outside)):
        acc.outside[at] = 0
    for at in range(len(acc.outside_cards)):
        acc.outside_cards[at] = 0


def begin_turn(acc: Accumulators) -> None:
    """Forget the sums of the last turn."""
    for slot in range(SLOTS):
        acc.turn_known[slot] = 0


def begin_slot(left: State, hand: int, pile: int, top: int, slot: int, acc: Accumulators) -> None:
    """Compute the sum of a slot for the whole hand of the turn, and those of each of its cards."""
    full, at, deck = slot * WORDS, slot * HAND * WORDS, left.me.deck
    outside = update_outside(left, pile, top, acc)
    clear(acc.full_hand, full)
    add(acc.full_hand, full, acc.outside, outside)
    while hand:
        clear(acc.card, at)
        rows = add_card(pile, top, lowest(hand), deck, acc.rows, 0)
        add_rows(acc, rows, pile & 1, 1, acc.card, at)
        add(acc.full_hand, full, acc.card, at)
        hand &= hand - 1
        at += WORDS


def slot_sum(left: State, hand: int, pile: int, top: int, slot: int, laid: int, acc: Accumulators) -> int:
    """Return the place of the sum of a slot after the cards `laid` (by their numbers); compute it if it is not known.

    For COUNTS `laid` is the number of cards.
    """
    at = (slot * 64 + laid) * WORDS
    if acc.turn_known[slot] >> laid & 1:
        return at
    if pile != COUNTS and acc.turn_known[slot] == 0:
        begin_slot(left, hand, pile, top, slot, acc)
    acc.turn_known[slot] |= 1 << laid
    clear(acc.turn, at)
    if pile == COUNTS:
        rows = add_counts(left, acc.habits[1 - left.seat], acc.rows, 0)
    else:
        add(acc.turn, at, acc.full_hand, slot * WORDS)
        rest = laid
        while rest:
            subtract(acc.turn, at, acc.card, (slot * HAND + lowest(rest)) * WORDS)
            rest &= rest - 1
        rows = add_hand(pile, top, left.me.hand, acc.rows, 0)
        rows = add_top(pile, top, acc.habits[1 - left.seat], acc.rows, rows)
    add_rows(acc, rows, where(pile == COUNTS, 0, pile & 1), 1, acc.turn, at)
    return at


# --- output -----------------------------------------------------------------------------------------------------------


def evaluate(left: State, hand: int, tops: tuple[int, int, int, int], laid: int, acc: Accumulators) -> float:
    """Return the log-odds to win for the player who leaves this state.

    The cards of the turn's `hand` are numbered. `laid` is the set of those that have gone, and `tops` says which of
    them is on top of each pile; the size of the hand stands for a pile's old top.
    """
    me, foe, other = left.me, left.foe, acc.habits[1 - left.seat]
    clear(acc.total, 0)
    add(acc.total, 0, acc.network, own_spread_row(me, other) * WORDS)
    add(acc.total, 0, acc.network, foe_spread_row(foe, other) * WORDS)
    piles = lowest(me.up), lowest(me.down), lowest(foe.up), lowest(foe.down), 0
    up_by, down_by, foe_up_by, foe_down_by = tops
    numbers = up_by, down_by, foe_up_by, foe_down_by, left.helped
    for pile in range(5):
        key = where(pile == COUNTS, count(laid), laid)
        at = slot_sum(left, hand, pile, piles[pile], pile * TOP_NUMBERS + numbers[pile], key, acc)
        add(acc.total, 0, acc.turn, at)
    return output(acc.total, acc.network[ROWS * WORDS]) / ONE


def output(total: Sequence[int], bias: int) -> int:
    """Return the output for the packed inputs of all units: the sum of the positive ones, each with its sign."""
    result = 0
    for word in range(WORDS):
        lanes = total[word] + (ONES << LANE - 1)  # no lane is negative now, and its highest bit says whether it was
        lanes &= (lanes >> LANE - 1 & ONES) * ((1 << LANE - 1) - 1)
        pairs = (lanes & EVEN) + (lanes >> LANE & EVEN)
        units = (pairs & (1 << 2 * LANE) - 1) + (pairs >> 2 * LANE)
        result += units if word & 2 == 0 else -units
    return result + bias


def probability(logit: float) -> float:
    """Return the probability that has these log-odds."""
    return 0.5 + 0.5 * tanh(0.5 * logit)
