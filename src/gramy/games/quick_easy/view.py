"""The board as each seat sees it, the effects of its moves, and the public events of a move."""

from functools import cache
from typing import Any

from gramy.cards import Rows, bit_of, count, lowest, positions, row_of
from gramy.contract import NOBODY
from gramy.games.quick_easy.rules import END, NAME, PILES, START, UP, State, draws, format_card, required, unstarted
from gramy.messages import Event, Message, Payload


class Board(Payload, frozen=True):
    """The table as a seat sees it. `hand` is the seat's own, None for a spectator; `in_hand` counts everybody's cards.
    `laid` cards were laid this turn, `required` more must be before it may end; `end` draws `draws` cards."""

    turn: int | None
    up: str | None
    down: str | None
    hand: tuple[str, ...] | None
    in_hand: tuple[int, ...]
    in_deck: int
    laid: int
    required: int
    draws: int


def board(state: State, seat: int | None) -> Board:
    """C7: tops and sizes are public; a seat sees its own hand; nobody sees the deck."""
    return Board(
        turn=None if unstarted(state) else state.seat,
        up=format_card(lowest(state.up)) if state.up else None,
        down=format_card(lowest(state.down)) if state.down else None,
        hand=None if seat is None else tuple(format_card(card) for card in positions(state.hands[seat])),
        in_hand=tuple(count(hand) for hand in state.hands[: state.players]),
        in_deck=count(state.deck),
        laid=state.laid,
        required=required(state),
        draws=0 if unstarted(state) else draws(state),
    )


def effects(state: State, seat: int, menu: Rows) -> list[dict[str, Any]]:
    """How far a card moves the pile, forwards or (turned by its colour) backwards; how many cards `end` draws."""
    found = [
        _effect(row, card, pile) for row, pile in enumerate((state.up, state.down)) for card in positions(menu[row])
    ]
    if menu[END] & 1:
        found.append({"draws": draws(state)})
    if state.seat == NOBODY:
        found.append({})
    return found


def _effect(row: int, card: int, pile: int) -> dict[str, Any]:
    if not pile:
        return {"steps": 0, "turns": False}
    steps = card % 10 - lowest(pile) % 10 if row == UP else lowest(pile) % 10 - card % 10
    return {"steps": steps, "turns": steps <= 0}


def events(before: State, seat: int, code: int, after: State) -> tuple[Event, ...]:
    row = row_of(code)
    if code == START:
        return _started(seat)
    if row == END:
        return _ended(seat, before.laid, after.draw)
    return _laid(seat, row, bit_of(code), (before.up, before.down)[row])


@cache  # the logs of all tables consist of these few events
def _started(seat: int) -> tuple[Event, ...]:
    return (Message("starts", {"seat": seat}),)


@cache
def _ended(seat: int, laid: int, draws: int) -> tuple[Event, ...]:
    return (Message("ended", {"seat": seat, "laid": laid, "draws": draws}, NAME),)


@cache
def _laid(seat: int, row: int, card: int, pile: int) -> tuple[Event, ...]:
    values: dict[str, object] = {"seat": seat, "card": format_card(card), "on": PILES[row], "top": None, "trick": False}
    if pile:
        top = lowest(pile)
        trick = card % 10 < top % 10 if row == UP else card % 10 > top % 10
        values |= {"top": format_card(top), "trick": trick}
    return (Message("laid", values, NAME),)
