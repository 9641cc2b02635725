"""The opener of a table removes a person, who may not come back, or frees the seat of one who may."""

from __future__ import annotations

from msgspec.structs import replace

from gramy.messages import Message
from gramy.table.dealing import REVEAL, WAIT, phase_of
from gramy.table.seat import PERSON
from gramy.table.state import Moment, Refused, TableState, give_seat_to_bot, give_up, withdraw_rematch


def remove(
    state: TableState, moment: Moment, *, opener: int, removed: int, name: str | None = None, block: bool = True
) -> TableState:
    """Take a person's seat away and block their guest. The seat is open again, or a bot's once a match has begun.

    `name` is whom the opener means: meanwhile somebody else may have taken the seat. Without `block` the person may
    sit down again; that is possible only before the deal.
    """
    if state.people.opener != opener:
        raise Refused(Message("only_opener_removes"))
    if removed == opener or removed >= len(state.seats) or state.seats[removed].kind != PERSON:
        raise Refused(Message("nobody_to_remove"))
    if name not in (None, state.seats[removed].name):
        raise Refused(Message("nobody_to_remove"))
    if phase_of(state) == REVEAL:  # otherwise removing a person would be a way to another deal
        raise Refused(Message("remove_after_deal"))
    if not block and phase_of(state) != WAIT:
        raise Refused(Message("only_before_deal"))
    guest = state.seats[removed].guest or ""
    without = give_up(state, moment, seat=removed, guest=guest) if guest else state
    if without.seats[removed].kind == PERSON:  # the match is over
        without = give_seat_to_bot(without, moment, removed)
    blocked = replace(without, people=without.people.blocking(guest)) if guest and block else without
    return withdraw_rematch(blocked, moment, seat=removed)
