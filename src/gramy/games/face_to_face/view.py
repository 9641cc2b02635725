"""The board as each seat sees it, the effects of its moves, and the public events of a move."""

from functools import cache, lru_cache
from typing import Any

from msgspec.structs import replace

from gramy.cards import Rows, bit_of, lowest, positions, row_of
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import DOWN, END, HELP_UP, NAME, PILES, UP, Side, State, draws, required
from gramy.messages import Event, Message, Payload


class Half(Payload, frozen=True):
    """One player's half of the table; `hand` is None for everybody but its owner."""

    up: int
    down: int
    hand: tuple[int, ...] | None
    in_hand: int
    in_deck: int


class Board(Payload, frozen=True):
    """The table as a seat sees it. `laid` cards were laid this turn, `required` more must be before it may end; `end`
    draws `draws` cards."""

    turn: int | None
    laid: int
    required: int
    helped: bool
    draws: int
    halves: tuple[Half, Half]


def board(state: State, seat: int | None) -> Board:
    """C7: tops and sizes are public; a seat sees its own hand; nobody sees a deck."""
    public = _public_board(state)
    if seat is None:
        return public
    own = state.me if (seat == 1) == (state.seat == 1) else state.foe
    half = replace(public.halves[seat], hand=positions(own.hand))
    return replace(public, halves=(half, public.halves[1]) if seat == 0 else (public.halves[0], half))


@lru_cache(64)  # the viewers of a table ask for their boards of a state one after the other
def _public_board(state: State) -> Board:
    first, second = (state.foe, state.me) if state.seat == 1 else (state.me, state.foe)
    return Board(
        turn=None if state.seat == NOBODY else state.seat,
        laid=state.laid,
        required=required(state),
        helped=bool(state.helped),
        draws=draws(state),
        halves=(_public_half(first), _public_half(second)),
    )


def _public_half(side: Side) -> Half:
    # a server makes mostly halves: the top of a pile, which is one bit, is read without another call
    up, down = side.up.bit_length() - 1, side.down.bit_length() - 1
    return Half(up, down, None, side.hand.bit_count(), side.deck.bit_count())


def effects(state: State, seat: int, menu: Rows) -> list[dict[str, Any]]:
    """How far a card moves the pile, forwards or (a trick, a help) backwards; how many cards `end` draws."""
    found: list[dict[str, Any]] = []
    for row, pile in enumerate((state.me.up, state.me.down, state.foe.up, state.foe.down)):
        top, way, helps = lowest(pile), 1 if row in (UP, HELP_UP) else -1, row >= HELP_UP
        found += [{"steps": way * (card - top), "helps": helps} for card in positions(menu[row])]
    if menu[END]:
        found.append({"draws": draws(state)})
    return found


def events(before: State, seat: int, code: int, after: State) -> tuple[Event, ...]:
    row = row_of(code)
    if row == END:
        return _ended(seat, before.laid, after.draw)
    return _laid(seat, row, bit_of(code), lowest((before.me.up, before.me.down, before.foe.up, before.foe.down)[row]))


@cache  # the logs of all tables consist of these few events
def _ended(seat: int, laid: int, draws: int) -> tuple[Event, ...]:
    return (Message("ended", {"seat": seat, "laid": laid, "draws": draws}, NAME),)


@cache
def _laid(seat: int, row: int, card: int, top: int) -> tuple[Event, ...]:
    trick = (row == UP and card < top) or (row == DOWN and card > top)
    return (Message("laid", {"seat": seat, "card": card, "on": PILES[row], "top": top, "trick": trick}, NAME),)
