"""The best whole turns of a position of Face to Face. All of it can be compiled.

A turn can leave any set of cards laid on the own piles, one of them on top of each pile, and one card given or none. A
state that several orders lead to is considered once: the sets are visited as binary numbers, each before the sets that
contain it, and the card given comes last (F15: the order between both sides makes no difference).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gramy.bots.face_to_face.evaluation import TOP_NUMBERS, Accumulators, begin_turn, evaluate
from gramy.bots.face_to_face.greedy import greedy_cost
from gramy.bots.face_to_face.heuristic import g2_cost, go_cost, progress
from gramy.bots.kernel import Floats, Ints
from gramy.cards import code_of, count, lowest, select
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import HELP_DOWN, HELP_UP, Side, State, apply, legal_moves

NETWORK_PROMISING, GO_PROMISING, NETWORK, GO, G2 = range(5)
"""Policies, by what a player maximises: the network's evaluation, or minus the cost of `go`, both over promising turns;
the same two over all turns; minus the cost of `g2` over turns of two cards."""
GREEDY = 16
"""The first of the policies that minimise `greedy_cost` over all turns, one for each model."""
CHEAP = 6
"""Progress of the own piles up to which a turn of two cards may also help."""
WON = 1e9
"""The value of a state that is won."""
FIELDS = 7
"""Numbers that a turn changes, see `changed_fields`."""


class Workspace(NamedTuple):
    """The buffers of a search, and its result: the best states that a turn can leave, with their values."""

    tops: Ints  # for each set of cards laid, the bit set of pairs of tops that it can leave
    positions: Ints  # FIELDS numbers for each of the best states
    values: Floats
    accumulators: Accumulators


def value_of(
    left: State, hand: int, tops: tuple[int, int, int, int], laid: int, policy: int, workspace: Workspace
) -> float:
    """Return the value of leaving this state, to a policy. For `hand`, `tops` and `laid` see `evaluate`."""
    if policy == G2:
        return -g2_cost(left) - 1e6 * int(left.laid > 2)
    if policy >= GREEDY:
        return -greedy_cost(left, policy - GREEDY)
    if policy in (NETWORK, NETWORK_PROMISING):
        return evaluate(left, hand, tops, laid, workspace.accumulators)
    return -go_cost(left)


def best_turns(state: State, limit: int, policy: int, workspace: Workspace) -> int:
    """Write the best states that a turn can leave into the workspace, best first, at most `limit`; return how many.

    A state that wins is written alone.
    """
    seat, hand, reachable = state.seat, state.me.hand, workspace.tops
    size, found = count(hand), 0
    begin_turn(workspace.accumulators)
    for laid in range(1 << size):
        reachable[laid] = 0
    reachable[0] = 1 << size * TOP_NUMBERS + size
    for laid in range(1 << size):
        tops, kept = reachable[laid], hand
        for k in range(size):
            kept ^= (laid >> k & 1) << select(hand, k)
        while tops:
            pair = lowest(tops)
            tops &= tops - 1
            up_by, down_by = pair // TOP_NUMBERS, pair % TOP_NUMBERS
            up = state.me.up if up_by == size else 1 << select(hand, up_by)
            down = state.me.down if down_by == size else 1 << select(hand, down_by)
            home = after_home_cards(state, up, down, kept)
            ups, downs, help_up, help_down, may_end = legal_moves(home, seat)
            moved = progress(home.me) - progress(state.me)
            if policy <= GO_PROMISING:
                ups, downs, help_up, help_down = promising(home, moved, ups, downs, help_up, help_down)
            if home.laid == 0:
                help_up, help_down = 0, 0
            if kept | home.me.deck == 0:
                may_end = 1
            while may_end | help_up | help_down:
                left, foe_up_by, foe_down_by, gone = home, size, size, laid
                if may_end:
                    may_end = 0
                elif help_up:
                    foe_up_by = count(hand & (help_up & -help_up) - 1)
                    gone |= 1 << foe_up_by
                    left = apply(home, seat, code_of(HELP_UP, lowest(help_up)))
                    help_up &= help_up - 1
                else:
                    foe_down_by = count(hand & (help_down & -help_down) - 1)
                    gone |= 1 << foe_down_by
                    left = apply(home, seat, code_of(HELP_DOWN, lowest(help_down)))
                    help_down &= help_down - 1
                if left.me.hand | left.me.deck == 0:
                    write_position(workspace, 0, left, WON)
                    return 1
                value = value_of(left, hand, (up_by, down_by, foe_up_by, foe_down_by), gone, policy, workspace)
                if found < limit or value > workspace.values[found - 1]:
                    found = min(found + 1, limit)
                    write_position(workspace, insert_place(workspace, found - 1, value), left, value)
            while ups:
                k = count(hand & (ups & -ups) - 1)
                reachable[laid | 1 << k] |= 1 << k * TOP_NUMBERS + down_by
                ups &= ups - 1
            while downs:
                k = count(hand & (downs & -downs) - 1)
                reachable[laid | 1 << k] |= 1 << up_by * TOP_NUMBERS + k
                downs &= downs - 1
    return found


def after_home_cards(state: State, up: int, down: int, kept: int) -> State:
    """Return the state after cards were laid on the own piles: the new tops, and the cards still in the hand."""
    me = state.me
    laid = state.laid + count(me.hand) - count(kept)
    home = Side(up, down, kept, me.deck)
    return State(home, state.foe, state.seat, laid, state.helped, 0, NOBODY, state.lenient, state.grace)


def promising(home: State, moved: int, ups: int, downs: int, help_up: int, help_down: int) -> tuple[int, int, int, int]:
    """Return the promising ones of the legal next cards, when the own piles have `moved` so far in this turn.

    A third card at home must go ten back, make that possible, or make a small step. Help beside two cards is promising
    only if those were cheap, and only with the two cards that help least on each pile. With an empty deck all are.
    """
    me = home.me
    if me.deck == 0:
        return ups, downs, help_up, help_down
    if home.laid >= 2:
        ups &= me.up - 1 | me.hand << 10 | 31 * me.up
        downs &= -me.down | me.hand >> 10 | me.down - (me.down >> 4)
        if moved > CHEAP:
            help_up, help_down = 0, 0
    if count(help_up) > 2:
        help_up &= -1 << select(help_up, count(help_up) - 2)
    if count(help_down) > 2:
        help_down &= (2 << select(help_down, 1)) - 1
    return ups, downs, help_up, help_down


# --- states in a workspace --------------------------------------------------------------------------------------------


def insert_place(workspace: Workspace, last: int, value: float) -> int:
    """Make room for a value in the sorted list of the best; return its place."""
    place = last
    while place > 0 and value > workspace.values[place - 1]:
        workspace.values[place] = workspace.values[place - 1]
        for k in range(FIELDS):
            workspace.positions[place * FIELDS + k] = workspace.positions[place * FIELDS - FIELDS + k]
        place -= 1
    return place


def changed_fields(left: State) -> tuple[int, int, int, int, int, int, int]:
    """Return the numbers of a state that a turn changes."""
    return left.me.up, left.me.down, left.me.hand, left.foe.up, left.foe.down, left.laid, left.helped


def write_position(workspace: Workspace, place: int, left: State, value: float) -> None:
    """Write a state and its value to a place of the list."""
    at = place * FIELDS
    for number in changed_fields(left):
        workspace.positions[at] = number
        at += 1
    workspace.values[place] = value


def read_position(state: State, positions: Sequence[int], place: int) -> State:
    """Return the state at a place of the list; `state` is the turn that it was found for."""
    at = place * FIELDS
    me = Side(positions[at], positions[at + 1], positions[at + 2], state.me.deck)
    foe = Side(positions[at + 3], positions[at + 4], state.foe.hand, state.foe.deck)
    winner = state.seat if me.hand | me.deck == 0 else NOBODY
    return State(me, foe, state.seat, positions[at + 5], positions[at + 6], 0, winner, state.lenient, state.grace)
