"""Whole turns: the best ways to finish one, and how a match goes on from there. Written to be compiled.

All that a turn can leave is a set of cards laid at home, what lies on top of both piles, and one card given or none. In
whatever order that came about it is looked at once: the sets are gone through as binary numbers, each before those
that contain it, and the card given comes last (F15: the order between both sides makes no difference).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from gramy.bots.face_to_face.plain import gone, two_cheapest, with_help
from gramy.bots.face_to_face.value import TOPS, Sums, chance, forget_turn, logit
from gramy.cards import code_of, count, lowest, select
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import END, HELP_DOWN, HELP_UP, Side, State, apply, deal, legal_moves
from gramy.playout import below, following_word

FIELDS = 7  # that a turn changes of a table, see `fields`
NETWORK, GREEDY, OPEN, CHEAPEST = range(4)
"""Minds, what a player goes by: what was learned, or what `go` goes by, among promising turns or openly among all of
them; or what `g2` goes by, which lays two cards."""
CHEAP = 6
UNDECIDED = -1
WON = 1e9


class Desk(NamedTuple):
    """Where a search writes its notes: arrays when compiled, lists otherwise."""

    reach: MutableSequence[int]
    tables: MutableSequence[int]
    worths: MutableSequence[float]
    sums: Sums


def worth(
    left: State, hand: int, tops: tuple[int, int, int, int], gone: int, mind: int, net: Sequence[int], desk: Desk
) -> float:
    """How good it is to leave the table like this: of the hand's cards, by their numbers, what is on top and gone."""
    if mind == CHEAPEST:
        return -two_cheapest(left) - 1e6 * int(left.laid > 2)
    if mind != NETWORK:
        return -with_help(left)
    return logit(left, hand, tops, gone, net, desk.sums)


def turns(state: State, most: int, mind: int, net: Sequence[int], desk: Desk) -> int:
    """Note the best tables that a turn can leave, best first, at most so many; how many were noted. One that wins is
    noted alone. Only promising turns are looked at if the mind says so."""
    seat, hand, reach = state.seat, state.me.hand, desk.reach
    size, noted = count(hand), 0
    forget_turn(desk.sums)
    for laid in range(1 << size):
        reach[laid] = 0
    reach[0] = 1 << size * TOPS + size
    for laid in range(1 << size):
        tops, kept = reach[laid], hand
        for k in range(size):
            kept ^= (laid >> k & 1) << select(hand, k)
        while tops:
            at = lowest(tops)
            tops &= tops - 1
            up_by, down_by = at // TOPS, at % TOPS
            up = state.me.up if up_by == size else 1 << select(hand, up_by)
            down = state.me.down if down_by == size else 1 << select(hand, down_by)
            home = at_home(state, up, down, kept)
            ups, downs, help_up, help_down, may_end = legal_moves(home, seat)
            way = gone(home.me) - gone(state.me)
            if mind < OPEN:
                ups, downs, help_up, help_down = promising(home, way, ups, downs, help_up, help_down)
            if home.laid == 0:
                help_up, help_down = 0, 0
            if kept | home.me.deck == 0:
                may_end = 1
            while may_end | help_up | help_down:
                left, to_up, to_down, away = home, size, size, laid
                if may_end:
                    may_end = 0
                elif help_up:
                    to_up = count(hand & (help_up & -help_up) - 1)
                    away |= 1 << to_up
                    left = apply(home, seat, code_of(HELP_UP, lowest(help_up)))
                    help_up &= help_up - 1
                else:
                    to_down = count(hand & (help_down & -help_down) - 1)
                    away |= 1 << to_down
                    left = apply(home, seat, code_of(HELP_DOWN, lowest(help_down)))
                    help_down &= help_down - 1
                if left.me.hand | left.me.deck == 0:
                    note(desk, 0, left, WON)
                    return 1
                value = worth(left, hand, (up_by, down_by, to_up, to_down), away, mind, net, desk)
                if noted < most or value > desk.worths[noted - 1]:
                    noted = min(noted + 1, most)
                    note(desk, room_for(desk, noted - 1, value), left, value)
            while ups:
                k = count(hand & (ups & -ups) - 1)
                reach[laid | 1 << k] |= 1 << k * TOPS + down_by
                ups &= ups - 1
            while downs:
                k = count(hand & (downs & -downs) - 1)
                reach[laid | 1 << k] |= 1 << up_by * TOPS + k
                downs &= downs - 1
    return noted


def at_home(state: State, up: int, down: int, kept: int) -> State:
    """The turn as it is when cards were laid at home: these are on top, and these still in the hand."""
    me = state.me
    laid = state.laid + count(me.hand) - count(kept)
    home = Side(up, down, kept, me.deck)
    return State(home, state.foe, state.seat, laid, state.helped, 0, NOBODY, state.lenient, state.grace)


def promising(home: State, way: int, ups: int, downs: int, help_up: int, help_down: int) -> tuple[int, int, int, int]:
    """Of the cards that may come next, when the piles have gone so far in this turn: a third one at home only if it
    goes back, leads to one that does, or goes not far; help beside two only if they were cheap, and the two cards
    that help least on each pile. With an empty deck all of them."""
    me = home.me
    if me.deck == 0:
        return ups, downs, help_up, help_down
    if home.laid >= 2:
        ups &= me.up - 1 | me.hand << 10 | 31 * me.up
        downs &= -me.down | me.hand >> 10 | me.down - (me.down >> 4)
        if way > CHEAP:
            help_up, help_down = 0, 0
    if count(help_up) > 2:
        help_up &= -1 << select(help_up, count(help_up) - 2)
    if count(help_down) > 2:
        help_down &= (2 << select(help_down, 1)) - 1
    return ups, downs, help_up, help_down


def room_for(desk: Desk, last: int, value: float) -> int:
    """Make room in the list of the best: which place a value takes."""
    place = last
    while place > 0 and value > desk.worths[place - 1]:
        desk.worths[place] = desk.worths[place - 1]
        for k in range(FIELDS):
            desk.tables[place * FIELDS + k] = desk.tables[place * FIELDS - FIELDS + k]
        place -= 1
    return place


def fields(left: State) -> tuple[int, int, int, int, int, int, int]:
    """What a turn changes of a table."""
    return left.me.up, left.me.down, left.me.hand, left.foe.up, left.foe.down, left.laid, left.helped


def note(desk: Desk, place: int, left: State, value: float) -> None:
    """Write down a table and what it is worth."""
    at = place * FIELDS
    for number in fields(left):
        desk.tables[at] = number
        at += 1
    desk.worths[place] = value


def noted_table(state: State, tables: Sequence[int], place: int) -> State:
    """A table that was written down in this turn."""
    at = place * FIELDS
    me = Side(tables[at], tables[at + 1], tables[at + 2], state.me.deck)
    foe = Side(tables[at + 3], tables[at + 4], state.foe.hand, state.foe.deck)
    winner = state.seat if me.hand | me.deck == 0 else NOBODY
    return State(me, foe, state.seat, tables[at + 5], tables[at + 6], 0, winner, state.lenient, state.grace)


# --- how it goes on ---------------------------------------------------------------------------------------------------


def drawn(pool: int, number: int, word: int) -> tuple[int, int]:
    """So many cards of the pool at random, and the next random word."""
    picked = 0
    for _ in range(number):
        word = following_word(word)
        card = 1 << select(pool, below(word, count(pool)))
        pool ^= card
        picked |= card
    return picked, word


def next_turn(left: State, word: int) -> tuple[State, int]:
    """End the turn and draw."""
    state = apply(left, left.seat, code_of(END, 0))
    picked, word = drawn(state.me.deck, state.draw, word)
    if picked:
        state = deal(state, picked)
    return state, word


def prospect(
    state: State, seat: int, most: int, ahead: int, mind: int, net: Sequence[int], desk: Desk, word: int
) -> float:
    """The seat's chance to win, in the world of this random word: as it looks to who has the last of so many turns from
    now on, both players doing their best. The best tables that this last turn can leave are noted."""
    while state.winner == NOBODY:
        turns(state, most if ahead == 1 else 1, mind, net, desk)
        if ahead == 1:
            value = chance(desk.worths[0])
            return value if state.seat == seat else 1.0 - value
        ahead -= 1
        state = noted_table(state, desk.tables, 0)
        if state.winner == NOBODY:
            state, word = next_turn(state, word)
    return float(int(state.winner == seat))


def trials(
    state: State,
    unseen: int,
    tables: Sequence[int],
    candidates: Sequence[int],
    words: Sequence[int],
    most: int,
    ahead: int,
    mind: int,
    net: Sequence[int],
    desk: Desk,
    sums: MutableSequence[float],
) -> None:
    """Add up the prospects of each candidate, a table that this turn can leave, in the worlds of these words. `unseen`
    is what the other has in hand and deck; in each world his hand is drawn from it, the same for all candidates. The
    candidate UNDECIDED is the turn itself: one compiled function serves to find candidates and to try them."""
    held = count(state.foe.hand)
    for word in words:
        hand, later = drawn(unseen, held, word)
        foe = Side(state.foe.up, state.foe.down, hand, unseen & ~hand)
        world = State(state.me, foe, state.seat, state.laid, state.helped, 0, NOBODY, state.lenient, state.grace)
        for k in range(len(candidates)):
            at, luck = world, later
            if candidates[k] != UNDECIDED:
                at = noted_table(world, tables, candidates[k])
                if at.winner == NOBODY:
                    at, luck = next_turn(at, later)
            sums[k] += prospect(at, state.seat, most, ahead, mind, net, desk, luck)
