"""The features of a position of Quick & Easy: the numbers that the network of `evaluation` reads.

A position is described as a player leaves it, before the draw, by what that player knows: their own cards, and of every
other card the set of cards that it may be. `FeatureLayout` names every feature with its meaning. Weights are stored in
this order, so it must not change without new training. `extract` can be compiled.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from math import log2
from typing import NamedTuple

from gramy.bots.kernel import Floats, Ints
from gramy.cards import count, lowest
from gramy.games.quick_easy.rules import DECK, HAND, LOWEST_CARDS, State, colour, fits, higher, left, lower

MAX_PLAYERS = 5
NUMBERS = 10
"""Numbers on the cards, from 1 to 10. A rank is a number minus one."""

EMPTY, NO_COLOUR = 50, 5
"""Stand for the top of an empty pile, after the fifty cards, and for its colour."""

STEPS = 20
"""Rows of `reach`. Row 0 holds every card that fits; row `9 + n` those that also widen the gap between the piles by at
least n, which may be negative."""

MAX_CANDIDATES = 10
"""A card that may be any of more cards than this is left out of `next_hand` and `later_hands`."""


class SeatLayout(NamedTuple):
    """The features of one hand. Its better card decides: the one that widens the gap most, or narrows it least."""

    small_steps: int  # P(the gap widens by at least n), summed over n from -8 to 0, in units of 10
    turns: int  # the same, summed over n from 1 to 10, in units of 5
    stuck: int  # probability that no card fits
    missing: int  # 1 without cards, 0.3 with one, 0 with two


class FeatureLayout(NamedTuple):
    """All features by name: where each begins, or (`SIZES`) how many numbers it takes.

    Cards left are those not laid yet. A card turns a pile if it has the pile's colour and leads it back. A block of
    cards has 30 numbers: ten in the colour of the rising pile, ten in that of the falling pile, ten in the others.
    """

    gap: int  # numbers between the tops, in units of 10
    cards_left: int  # in units of 50
    deck_empty: int  # 1 if it is
    deck_size: int  # in units of 50
    fit_up: int  # share of the cards left that fit the rising pile
    fit_down: int
    turn_up_share: int  # share of the cards left that turn the rising pile
    turn_down_share: int
    turn_up_count: int  # their number, in units of 5
    turn_down_count: int
    fit_any: int  # share of the cards left that fit a pile
    narrow_by_two: int  # share of those that narrow the gap by at most 2
    keep_gap: int  # share of those that do not narrow the gap
    widen_by_four: int  # share of those that widen the gap by at least 4
    seats: int  # `SeatLayout` of each hand: the other players in order of play, and last the own one after the draw
    vagueness: int  # mean entropy of the other players' cards, in units of 6 bits
    players: int  # in units of 5
    top_up: int  # one-hot: the number on the rising pile, 0 if it is empty
    top_down: int  # one-hot: the rank on the falling pile, 10 if it is empty
    same_colour: int  # 1 if both tops have one colour, or both piles are empty
    unseen: int  # block: cards that this player does not see; in the other colours their number, times 0.3
    own_hand: int  # block: cards of this player
    next_hand: int  # block: expected cards of the next player, as far as they are known closely
    later_hands: int  # block: the same for all other players


SEAT = SeatLayout(0, 1, 2, 3)
BLOCK = 3 * NUMBERS
SIZES = FeatureLayout(
    gap=1,
    cards_left=1,
    deck_empty=1,
    deck_size=1,
    fit_up=1,
    fit_down=1,
    turn_up_share=1,
    turn_down_share=1,
    turn_up_count=1,
    turn_down_count=1,
    fit_any=1,
    narrow_by_two=1,
    keep_gap=1,
    widen_by_four=1,
    seats=len(SEAT) * MAX_PLAYERS,
    vagueness=1,
    players=1,
    top_up=NUMBERS + 1,
    top_down=NUMBERS + 1,
    same_colour=1,
    unseen=BLOCK,
    own_hand=BLOCK,
    next_hand=BLOCK,
    later_hands=BLOCK,
)
AT = FeatureLayout(*accumulate((0, *SIZES[:-1])))
"""Where each feature begins."""
FEATURES = sum(SIZES)


class Extractor(NamedTuple):
    """Tables and buffers of `extract`; one for each thread. `up` and `down` hold the rows of `reach` for each top."""

    up: Ints
    down: Ints
    reach: Ints  # the rows for both piles from_positions, in this position
    features: Floats  # the result


def new_extractor() -> Extractor:
    """Return an extractor with empty buffers."""
    up, down = _reaches()
    return Extractor(up, down, array("q", [0] * STEPS), array("d", [0] * FEATURES))


@cache
def _reaches() -> tuple[Ints, Ints]:
    """Return, for each top and each row, the cards that belong to it on the rising and on the falling pile."""
    up, down = array("q"), array("q")
    for top in range(EMPTY + 1):
        bit = 0 if top == EMPTY else 1 << top
        rising, falling = fits(State(bit, bit, (DECK & ~bit, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 2, 0, 0))
        low, high = (-1, 10) if top == EMPTY else (top % 10, top % 10)
        up.append(rising)
        down.append(falling)
        for step in range(1, STEPS):
            gain = step - 9
            up.append(rising & lower(min(10, max(0, low - gain + 1))))
            down.append(falling & ~lower(min(10, max(0, high + gain))))
    return up, down


def extract(state: State, known: Ints, extractor: Extractor) -> None:
    """Write the features of a position into `extractor.features`; `known[card]` is the set that a held card is from."""
    seat, into, reach = state.seat, extractor.features, extractor.reach
    up = lowest(state.up) if state.up else EMPTY
    down = lowest(state.down) if state.down else EMPTY
    for step in range(STEPS):
        reach[step] = extractor.up[up * STEPS + step] | extractor.down[down * STEPS + step]
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
    into[AT.gap] = (high - low) * 0.1
    into[AT.cards_left] = cards * 0.02
    into[AT.deck_empty] = 1.0 if in_deck == 0 else 0.0
    into[AT.deck_size] = in_deck * 0.02
    into[AT.fit_up] = count(out & extractor.up[up * STEPS]) / cards
    into[AT.fit_down] = count(out & extractor.down[down * STEPS]) / cards
    into[AT.turn_up_share] = turns_up / cards
    into[AT.turn_down_share] = turns_down / cards
    into[AT.turn_up_count] = turns_up * 0.2
    into[AT.turn_down_count] = turns_down * 0.2
    into[AT.fit_any] = count(out & reach[0]) / cards
    into[AT.narrow_by_two] = count(out & reach[9 - 2]) / cards
    into[AT.keep_gap] = count(out & reach[9]) / cards
    into[AT.widen_by_four] = count(out & reach[9 + 4]) / cards
    for feature in range(AT.seats, FEATURES):
        into[feature] = 0.0
    bits, others = 0.0, 0
    for after in range(1, state.players + 1):
        other = (seat + after) % state.players
        hand = state.hands[other]
        one, two = 0, 0
        if other != seat:
            if hand:
                one = known[lowest(hand)] & unseen
                bits += log2(count(one))
                others += 1
            if hand & (hand - 1):
                two = known[lowest(hand & (hand - 1))] & unseen
                bits += log2(count(two))
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
        place = MAX_PLAYERS - 1 if other == seat else after - 1
        _add_seat(one, two, reach, into, AT.seats + len(SEAT) * place)
        if other == seat:
            _add_cards(hand, 1.0, rising, falling, into, AT.own_hand)
        else:
            _add_candidates(one, rising, falling, into, AT.next_hand if after == 1 else AT.later_hands)
            _add_candidates(two, rising, falling, into, AT.next_hand if after == 1 else AT.later_hands)
    into[AT.vagueness] = bits / others / 6 if others else 0.0
    into[AT.players] = state.players * 0.2
    into[AT.top_up + low + 1] = 1.0
    into[AT.top_down + high] = 1.0
    into[AT.same_colour] = 1.0 if rising == falling else 0.0
    _add_unseen(unseen, rising, falling, into)


def _add_unseen(unseen: int, rising: int, falling: int, into: Floats) -> None:
    """Fill the block of the cards that this player does not see."""
    rest = unseen
    if rising != NO_COLOUR:
        for rank in range(NUMBERS):
            into[AT.unseen + rank] = float(unseen >> 10 * rising + rank & 1)
        rest &= ~colour(rising)
    if falling not in (NO_COLOUR, rising):
        for rank in range(NUMBERS):
            into[AT.unseen + NUMBERS + rank] = float(unseen >> 10 * falling + rank & 1)
        rest &= ~colour(falling)
    for rank in range(NUMBERS):
        into[AT.unseen + 2 * NUMBERS + rank] = count(rest & LOWEST_CARDS << rank) * 0.3


def _add_candidates(cards: int, rising: int, falling: int, into: Floats, block: int) -> None:
    """Add one card that may be any of these, each with the same probability."""
    if 0 < count(cards) <= MAX_CANDIDATES:
        _add_cards(cards, 1 / count(cards), rising, falling, into, block)


def _add_cards(cards: int, amount: float, rising: int, falling: int, into: Floats, block: int) -> None:
    """Add an amount to the place of each card in a block."""
    while cards:
        suit, rank = lowest(cards) // 10, lowest(cards) % 10
        cards &= cards - 1
        if suit == rising:
            into[block + rank] += amount
        elif suit == falling:
            into[block + NUMBERS + rank] += amount
        else:
            into[block + 2 * NUMBERS + rank] += amount


def _add_seat(one: int, two: int, reach: Ints, into: Floats, at: int) -> None:
    """Fill the features of a hand of one card from each of two sets."""
    if one == 0:
        into[at + SEAT.missing] = 1.0
        return
    if two == 0:
        into[at + SEAT.missing] = 0.3
    first = 1 / count(one)
    second = 1 / count(two) if two else 0.0
    small_steps, turns = 0.0, 0.0
    for step in range(1, STEPS):
        better = 1 - (1 - count(one & reach[step]) * first) * (1 - count(two & reach[step]) * second)
        if step <= 9:
            small_steps += better
        else:
            turns += better
    into[at + SEAT.small_steps] = small_steps * 0.1
    into[at + SEAT.turns] = turns * 0.2
    into[at + SEAT.stuck] = (1 - count(one & reach[0]) * first) * (1 - count(two & reach[0]) * second)
