"""The chance to win with a table left like this, learned from matches of this player against itself.

A network of one hidden layer looks at where every card lies from every pile: of the own hand and deck from the own
piles, of all cards that the other has from his, and of what could be given to him. It is told what the player who left
the table knows: of the other hand only how many cards it has. Each of these facts is a row of weights, one for each
hidden unit; half of the units see the table upside down, so a fact about a falling pile is the row of the same fact
about a rising one with its halves exchanged. What the units add up to is the log-odds to win.

Weights are whole numbers, four of them in one word: sums are exact in any order, so compiled and plain play come to the
same, sums for one pile can be kept for the next table of a turn, and adding a row takes eight additions.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from itertools import accumulate
from math import tanh
from typing import NamedTuple

from gramy.cards import count, highest, lowest, where
from gramy.games.face_to_face.rules import HAND, Side, State, draws

UNITS = 32
"""Hidden units: eight that speak for the player, eight against him, and the same sixteen for the table upside down."""
LANE = 15  # bits of a word for one unit's sum
WORDS = UNITS // 4
ONE = 256  # of the log-odds, in the units of the weights
TOPS = HAND + 1  # a pile's top is one of the hand's cards, or what it was
CARDS, STEPS = 61, 118  # tops; how far a card can lie from a top, from -58 on

UP, DOWN, OTHER_UP, OTHER_DOWN, COUNTS = range(5)  # what sums are kept for

(
    IN_HAND,  # a card of the hand, so far from an own pile
    IN_DECK,
    HAND_HAND,  # a card of the hand, and the hand has the one ten back from it
    HAND_DECK,
    DECK_HAND,
    DECK_DECK,
    TOP,
    NEAREST,  # how far the pile goes for the nearest card of the hand; 0 for none
    SECOND,
    GIVING,  # a card of the hand, so far from a pile of the other
    GIVING_LATER,  # of the deck
    LEAST_HELP,  # how far a card given from the hand takes his pile back at least; 0 for none
    OF_OTHER,  # a card that the other has not laid, so far from his pile
    PAIR_OF_OTHER,
    TOP_OF_OTHER,
    APART,  # from here on facts that are the same upside down: how far apart the own piles are
    APART_OF_OTHER,
    KEPT_AND_DRAWN,
    DECK_LEFT,
    HELD_BY_OTHER,
    DECK_OF_OTHER,
    SINGLE,  # one card is left, and no turn can be finished with it
    ALWAYS,  # otherwise
    ROWS,
) = accumulate(
    (0, *(STEPS,) * 6, *(CARDS,) * 3, *(STEPS,) * 2, CARDS, *(STEPS,) * 2, CARDS, *(120,) * 2, 49, 53, 7, 53, 1, 1)
)
SIZE = ROWS * WORDS + 1
"""The network as one row of words: the rows, and what the log-odds are if no unit speaks."""

ONES = sum(1 << LANE * unit for unit in range(4))
EVEN = (1 << LANE) - 1 | (1 << LANE) - 1 << 2 * LANE


class Sums(NamedTuple):
    """What was added up already, for the network. `kept` are the sums of one turn: for each pile, each top that it can
    get and each part of the hand that may be gone; `known` says which of them are there. `whole` are those for the
    whole hand, card by card, and `cards` those of each card. `decks` are sums over all that is outside the hand, for
    each seat, pile and top, and `counted` the two sets of cards that they were made for: what has changed since is put
    right. `facts` and `total` are for what is being added up."""

    kept: MutableSequence[int]
    known: MutableSequence[int]
    whole: MutableSequence[int]
    cards: MutableSequence[int]
    decks: MutableSequence[int]
    counted: MutableSequence[int]
    facts: MutableSequence[int]
    total: MutableSequence[int]


NUMBERS = 5 * TOPS
MOST_FACTS = 200  # about one pile
SUMS = (
    *(NUMBERS * 64 * WORDS, NUMBERS, NUMBERS * WORDS, NUMBERS * HAND * WORDS),
    *(8 * CARDS * WORDS, 8 * CARDS * 2, MOST_FACTS, WORDS),
)
"""How long each of them is."""


# --- facts: each function notes rows from a place on, and says where it ended -----------------------------------------


def note_cards(kind: int, cards: int, pile: int, top: int, facts: MutableSequence[int], at: int) -> int:
    """How far each of the cards lies from a top, counted in the pile's direction."""
    while cards:
        card = lowest(cards)
        facts[at] = kind + 58 + where(pile & 1 == 1, top - card, card - top)
        cards &= cards - 1
        at += 1
    return at


def ten_on(cards: int, pile: int) -> int:
    """The places from which these cards are ten back."""
    return where(pile & 1 == 1, cards >> 10, cards << 10)


def paired(cards: int, pile: int) -> int:
    """The cards from which another one of them is ten back."""
    return cards & ten_on(cards, pile)


def note_decks(
    pile: int, deck: int, pairs: int, others: int, their_pairs: int, top: int, facts: MutableSequence[int], at: int
) -> int:
    """Cards of the own deck, and for an own pile the pairs among them; for one of the other all that he has."""
    if pile <= DOWN:
        at = note_cards(IN_DECK, deck, pile, top, facts, at)
        return note_cards(DECK_DECK, pairs, pile, top, facts, at)
    at = note_cards(GIVING_LATER, deck, pile, top, facts, at)
    at = note_cards(OF_OTHER, others, pile, top, facts, at)
    return note_cards(PAIR_OF_OTHER, their_pairs, pile, top, facts, at)


def note_top(pile: int, top: int, facts: MutableSequence[int], at: int) -> int:
    """Where the top is."""
    facts[at] = where(pile <= DOWN, TOP, TOP_OF_OTHER) + where(pile & 1 == 1, 61 - top, top)
    return at + 1


def note_card(pile: int, card: int, deck: int, top: int, facts: MutableSequence[int], at: int) -> int:
    """A card of the hand, whatever else is in it."""
    if pile > DOWN:
        return note_cards(GIVING, 1 << card, pile, top, facts, at)
    at = note_cards(IN_HAND, 1 << card, pile, top, facts, at)
    at = note_cards(HAND_DECK, 1 << card & ten_on(deck, pile), pile, top, facts, at)
    return note_cards(DECK_HAND, ten_on(1 << card, pile) & deck, pile, top, facts, at)


def note_hand(pile: int, hand: int, top: int, facts: MutableSequence[int], at: int) -> int:
    """The hand as a whole: which cards are nearest, which pairs there are."""
    above, beneath, falling = hand & -2 << top, hand & (1 << top) - 1, pile & 1
    if pile > DOWN:
        way = 0
        if falling and above:
            way = lowest(above) - top
        elif not falling and beneath:
            way = top - highest(beneath)
        facts[at] = LEAST_HELP + way
        return at + 1
    for kind in (NEAREST, SECOND):
        way = 0
        if falling and beneath:
            way = top - highest(beneath)
            beneath ^= 1 << top - way
        elif not falling and above:
            way = lowest(above) - top
            above &= above - 1
        facts[at] = kind + way
        at += 1
    return note_cards(HAND_HAND, paired(hand, pile), pile, top, facts, at)


def note_counts(left: State, facts: MutableSequence[int], at: int) -> int:
    """Numbers of cards."""
    kept, rest, draw = count(left.me.hand), count(left.me.deck), draws(left)
    facts[at] = KEPT_AND_DRAWN + 7 * kept + draw
    facts[at + 1] = DECK_LEFT + rest - draw
    facts[at + 2] = HELD_BY_OTHER + count(left.foe.hand)
    facts[at + 3] = DECK_OF_OTHER + count(left.foe.deck)
    facts[at + 4] = where(kept + rest == 1, SINGLE, ALWAYS)
    return at + 5


def apart(side: Side) -> int:
    """How far apart the piles of a side are, from 0 on."""
    return 58 + lowest(side.down) - lowest(side.up)


# --- sums of their rows -----------------------------------------------------------------------------------------------


def add_up(
    net: Sequence[int], facts: Sequence[int], number: int, mirrored: int, sign: int, sums: MutableSequence[int], at: int
) -> None:
    """Add the rows of so many facts, or take them away; mirrored, with their halves exchanged."""
    for k in range(number):
        first = facts[k] * WORDS
        for word in range(WORDS):
            sums[at + word] += sign * net[first + (word ^ mirrored * WORDS // 2)]


def plus(sums: MutableSequence[int], at: int, others: Sequence[int], place: int) -> None:
    for word in range(WORDS):
        sums[at + word] += others[place + word]


def minus(sums: MutableSequence[int], at: int, others: Sequence[int], place: int) -> None:
    for word in range(WORDS):
        sums[at + word] -= others[place + word]


def clear(sums: MutableSequence[int], at: int) -> None:
    for word in range(WORDS):
        sums[at + word] = 0


def decks_for(left: State, pile: int, top: int, net: Sequence[int], sums: Sums) -> int:
    """Where the sum for a pile over all cards outside the own hand is; it is brought up to date."""
    number = (left.seat * 4 + pile) * CARDS + top
    at, deck, others = number * WORDS, left.me.deck, left.foe.hand | left.foe.deck
    before, theirs = sums.counted[2 * number], sums.counted[2 * number + 1]
    sums.counted[2 * number], sums.counted[2 * number + 1] = deck, others
    for sign in (-1, 1):  # what is there no longer, then what is new
        pairs = paired(before, pile) & ~paired(deck, pile)
        their_pairs = paired(theirs, pile) & ~paired(others, pile)
        facts = note_decks(pile, before & ~deck, pairs, theirs & ~others, their_pairs, top, sums.facts, 0)
        add_up(net, sums.facts, facts, pile & 1, sign, sums.decks, at)
        before, deck, theirs, others = deck, before, others, theirs
    return at


def forget_turn(sums: Sums) -> None:
    """A new turn begins: nothing is known about it."""
    for number in range(NUMBERS):
        sums.known[number] = 0


def begin(left: State, hand: int, pile: int, top: int, number: int, net: Sequence[int], sums: Sums) -> None:
    """Make the sum for a pile and the whole hand of the turn, and those for each of its cards."""
    whole, at, deck = number * WORDS, number * HAND * WORDS, left.me.deck
    decks = decks_for(left, pile, top, net, sums)
    clear(sums.whole, whole)
    plus(sums.whole, whole, sums.decks, decks)
    while hand:
        clear(sums.cards, at)
        facts = note_card(pile, lowest(hand), deck, top, sums.facts, 0)
        add_up(net, sums.facts, facts, pile & 1, 1, sums.cards, at)
        plus(sums.whole, whole, sums.cards, at)
        hand &= hand - 1
        at += WORDS


def settle(left: State, hand: int, pile: int, top: int, number: int, gone: int, net: Sequence[int], sums: Sums) -> int:
    """Where the sum for one pile is, when `gone` numbers the cards of the hand that were laid; it is made if it is not
    known."""
    at = (number * 64 + gone) * WORDS
    if sums.known[number] >> gone & 1:
        return at
    if pile != COUNTS and sums.known[number] == 0:
        begin(left, hand, pile, top, number, net, sums)
    sums.known[number] |= 1 << gone
    clear(sums.kept, at)
    if pile == COUNTS:
        facts = note_counts(left, sums.facts, 0)
    else:
        plus(sums.kept, at, sums.whole, number * WORDS)
        laid = gone
        while laid:
            minus(sums.kept, at, sums.cards, (number * HAND + lowest(laid)) * WORDS)
            laid &= laid - 1
        facts = note_top(pile, top, sums.facts, note_hand(pile, left.me.hand, top, sums.facts, 0))
    add_up(net, sums.facts, facts, where(pile == COUNTS, 0, pile & 1), 1, sums.kept, at)
    return at


def logit(left: State, hand: int, tops: tuple[int, int, int, int], gone: int, net: Sequence[int], sums: Sums) -> float:
    """The log-odds to win. The cards that the hand had are numbered: those that are gone, and those on top of each
    pile; a pile whose top is none of them has a number beyond."""
    me, foe = left.me, left.foe
    clear(sums.total, 0)
    plus(sums.total, 0, net, (APART + apart(me)) * WORDS)
    plus(sums.total, 0, net, (APART_OF_OTHER + apart(foe)) * WORDS)
    piles = lowest(me.up), lowest(me.down), lowest(foe.up), lowest(foe.down), 0
    up_by, down_by, to_up, to_down = tops
    numbers = up_by, down_by, to_up, to_down, left.helped
    for pile in range(5):
        part = where(pile == COUNTS, count(gone), gone)
        at = settle(left, hand, pile, piles[pile], pile * TOPS + numbers[pile], part, net, sums)
        plus(sums.total, 0, sums.kept, at)
    return spoken(sums.total, net[ROWS * WORDS]) / ONE


def spoken(total: Sequence[int], bias: int) -> int:
    """What the units say that have something to say: sums above zero, for the player and against him."""
    said = 0
    for word in range(WORDS):
        lanes = total[word] + (ONES << LANE - 1)  # no lane is negative now, and its first bit tells what was
        lanes &= (lanes >> LANE - 1 & ONES) * ((1 << LANE - 1) - 1)
        pairs = (lanes & EVEN) + (lanes >> LANE & EVEN)
        units = (pairs & (1 << 2 * LANE) - 1) + (pairs >> 2 * LANE)
        said += units if word & 2 == 0 else -units
    return said + bias


def chance(logit: float) -> float:
    """The chance that has these log-odds."""
    return 0.5 + 0.5 * tanh(0.5 * logit)
