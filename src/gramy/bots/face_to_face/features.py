"""The features of a position of Face to Face: the inputs of the network of `evaluation`.

A position is described as a player leaves it, before the draw, by what that player knows: of the other hand only its
size, and of the other player how they have played (`habits`). Features are binary. Each is a row of weights, and a
position activates some hundred of them; `RowLayout` names the groups with their meanings. Weights are stored in this
order, so it must not change without new training.

Half of the hidden units see the position upside down (card c as 61 - c, rising piles as falling ones). A feature of a
falling pile is thus the row of the same feature of a rising pile, with its two halves exchanged.

Every `add_...` function writes the active rows from a place on and returns the next free place. All can be compiled.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from gramy.bots.face_to_face.habits import GIVINGS, HABITS, PACES
from gramy.bots.kernel import Ints
from gramy.cards import count, highest, lowest, where
from gramy.games.face_to_face.rules import HAND, Side, State, draws

TOPS = 61
"""Rows for the top of a pile, or for a step forward: 0 to 60."""
DISTANCES, ZERO = 118, 58
"""Rows for the distance of a card from a top in the pile's direction, -58 to 59, and the row of distance 0."""

SPREADS = 120
"""Rows for how far apart two piles are."""
KEPT_AND_DRAWN = (HAND + 1) ** 2
"""Rows for the cards kept and drawn."""
DECK_SIZES = 53
"""Rows for the size of a deck, 0 to 52."""

UP, DOWN, FOE_UP, FOE_DOWN, COUNTS = range(5)
"""The parts of a position whose features are summed apart: the four piles, and the numbers of cards."""


class RowLayout(NamedTuple):
    """The groups of features by name: where each begins, or (`SIZES`) how many rows it has.

    A distance is that of a card from the top of a pile. A pair is two cards of which one is ten back from the other; it
    is placed by the distance of the one that is laid first. Groups marked * have rows of their own for each of the
    other player's GIVINGS.
    """

    hand: int  # distance: each card of the hand, from each own pile
    deck: int  # distance: each card of the own deck
    hand_hand: int  # pairs: both cards in the hand
    hand_deck: int  # pairs: the first in the hand, the one ten back in the deck
    deck_hand: int  # pairs: the first in the deck, the one ten back in the hand
    deck_deck: int  # pairs: both in the deck
    top: int  # * the top of each own pile
    nearest: int  # the smallest step forward of each own pile by a card of the hand; 0 for none
    second: int  # the second smallest
    gift: int  # distance: each card of the hand, from each pile of the other player
    later_gift: int  # distance: each card of the own deck, from the same
    least_gift: int  # the smallest step back of the other's pile by a card of the hand; 0 for none
    foe: int  # distance: each card that the other player has not laid, from each of their piles
    foe_pair: int  # pairs of those cards
    foe_top: int  # * the top of each pile of the other player
    spread: int  # * from here on the same upside down: how far apart the own piles are
    foe_spread: int  # * how far apart the other's piles are
    kept_and_drawn: int  # * 7 times the cards kept in the hand, plus the cards to draw
    deck_left: int  # cards in the own deck after the draw
    foe_hand_size: int
    foe_deck_size: int  # *
    last_card: int  # one card is left, and no turn can be finished with it
    not_last_card: int  # otherwise
    habits: int  # how the other player has played


SIZES = RowLayout(
    hand=DISTANCES,
    deck=DISTANCES,
    hand_hand=DISTANCES,
    hand_deck=DISTANCES,
    deck_hand=DISTANCES,
    deck_deck=DISTANCES,
    top=GIVINGS * TOPS,
    nearest=TOPS,
    second=TOPS,
    gift=DISTANCES,
    later_gift=DISTANCES,
    least_gift=TOPS,
    foe=DISTANCES,
    foe_pair=DISTANCES,
    foe_top=GIVINGS * TOPS,
    spread=GIVINGS * SPREADS,
    foe_spread=GIVINGS * SPREADS,
    kept_and_drawn=GIVINGS * KEPT_AND_DRAWN,
    deck_left=DECK_SIZES,
    foe_hand_size=HAND + 1,
    foe_deck_size=GIVINGS * DECK_SIZES,
    last_card=1,
    not_last_card=1,
    habits=HABITS,
)
AT = RowLayout(*accumulate((0, *SIZES[:-1])))
"""Where each group begins."""
ROWS = sum(SIZES)
SYMMETRIC = AT.spread
"""Rows from here on mean the same upside down."""


class Outside(NamedTuple):
    """Cards outside the own hand: the own deck and the first cards of its pairs; the same of the other player."""

    deck: int
    pairs: int
    foe: int
    foe_pairs: int


def ten_on(cards: int, pile: int) -> int:
    """Return the cards from which these are ten back."""
    return where(pile & 1 == 1, cards >> 10, cards << 10)


def paired(cards: int, pile: int) -> int:
    """Return those of the cards from which another of them is ten back."""
    return cards & ten_on(cards, pile)


def spread(side: Side) -> int:
    """Return how far apart the piles of a side are, from 0 on."""
    return 58 + lowest(side.down) - lowest(side.up)


def add_distances(group: int, cards: int, pile: int, top: int, rows: Ints, at: int) -> int:
    """Add the distance of each of the cards from a top."""
    while cards:
        card = lowest(cards)
        rows[at] = group + ZERO + where(pile & 1 == 1, top - card, card - top)
        cards &= cards - 1
        at += 1
    return at


def add_outside(pile: int, top: int, outside: Outside, rows: Ints, at: int) -> int:
    """Add the features of a pile that depend on the cards outside the own hand."""
    if pile <= DOWN:
        at = add_distances(AT.deck, outside.deck, pile, top, rows, at)
        return add_distances(AT.deck_deck, outside.pairs, pile, top, rows, at)
    at = add_distances(AT.later_gift, outside.deck, pile, top, rows, at)
    at = add_distances(AT.foe, outside.foe, pile, top, rows, at)
    return add_distances(AT.foe_pair, outside.foe_pairs, pile, top, rows, at)


def add_top(pile: int, top: int, other: int, rows: Ints, at: int) -> int:
    """Add the top of a pile; `other` are the habits of the other player."""
    rows[at] = where(pile <= DOWN, AT.top, AT.foe_top) + other // PACES * TOPS + where(pile & 1 == 1, 61 - top, top)
    return at + 1


def add_card(pile: int, top: int, card: int, deck: int, rows: Ints, at: int) -> int:
    """Add the features of a pile and one card of the hand that do not depend on the rest of the hand."""
    if pile > DOWN:
        return add_distances(AT.gift, 1 << card, pile, top, rows, at)
    at = add_distances(AT.hand, 1 << card, pile, top, rows, at)
    at = add_distances(AT.hand_deck, 1 << card & ten_on(deck, pile), pile, top, rows, at)
    return add_distances(AT.deck_hand, ten_on(1 << card, pile) & deck, pile, top, rows, at)


def add_hand(pile: int, top: int, hand: int, rows: Ints, at: int) -> int:
    """Add the features of a pile and the hand as a whole: the nearest cards, and pairs."""
    above, beneath, falling = hand & -2 << top, hand & (1 << top) - 1, pile & 1
    if pile > DOWN:
        step = 0
        if falling and above:
            step = lowest(above) - top
        elif not falling and beneath:
            step = top - highest(beneath)
        rows[at] = AT.least_gift + step
        return at + 1
    for group in (AT.nearest, AT.second):
        step = 0
        if falling and beneath:
            step = top - highest(beneath)
            beneath ^= 1 << top - step
        elif not falling and above:
            step = lowest(above) - top
            above &= above - 1
        rows[at] = group + step
        at += 1
    return add_distances(AT.hand_hand, paired(hand, pile), pile, top, rows, at)


def add_counts(left: State, other: int, rows: Ints, at: int) -> int:
    """Add the numbers of cards, and the habits of the other player."""
    kept, rest, draw, giving = count(left.me.hand), count(left.me.deck), draws(left), other // PACES
    rows[at] = AT.kept_and_drawn + giving * KEPT_AND_DRAWN + (HAND + 1) * kept + draw
    rows[at + 1] = AT.deck_left + rest - draw
    rows[at + 2] = AT.foe_hand_size + count(left.foe.hand)
    rows[at + 3] = AT.foe_deck_size + giving * DECK_SIZES + count(left.foe.deck)
    rows[at + 4] = where(kept + rest == 1, AT.last_card, AT.not_last_card)
    rows[at + 5] = AT.habits + other
    return at + 6


def own_spread_row(side: Side, other: int) -> int:
    """Return the row for how far apart the own piles are."""
    return AT.spread + other // PACES * SPREADS + spread(side)


def foe_spread_row(side: Side, other: int) -> int:
    """Return the row for how far apart the piles of the other player are."""
    return AT.foe_spread + other // PACES * SPREADS + spread(side)
