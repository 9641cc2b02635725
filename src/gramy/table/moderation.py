"""Transitions of a table that the host orders: taking a name away, and closing the table."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from gramy.table.seat import PERSON
from gramy.table.state import Moment, TableState
from gramy.table.store import CLOSED


def at_seat_of(state: TableState, moment: Moment, *, token: str | None, step: Callable[..., TableState]) -> TableState:
    """Change the seat that the owner of a token has now: since the host's order they may have moved or left."""
    seat = None if token is None else state.seat_of(token, None)
    return state if seat is None else step(state, moment, seat=seat)


def remove_name(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Take a person's name away. Pages show the number of the seat instead."""
    if state.seats[seat].kind != PERSON or not state.seats[seat].name:
        return state
    seats = (*state.seats[:seat], state.seats[seat]._replace(name=""), *state.seats[seat + 1 :])
    named = replace(state, seats=seats)
    return replace(named, match=None if named.match is None else named.match.named(named.names))


def close(state: TableState, moment: Moment) -> TableState:
    """End a table for good: its match ends without a result, nobody sits down, and there is no rematch."""
    return state if state.status == CLOSED else replace(state, status=CLOSED, rematch=frozenset(), touched=moment.date)
