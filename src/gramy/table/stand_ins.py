"""What a player is told about the moves that a bot made for them: changes of `Seat.bot_played`."""

from __future__ import annotations

from gramy.table.seat import BotPlayed
from gramy.table.state import Moment, TableState, with_seat


def count_time_up(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Count a move that a bot made for a person whose time is up."""
    person = state.seats[seat]
    before = person.bot_played
    if before is None or before.round != state.round:
        before = BotPlayed("time", moment.date, state.round, 0)
    lines = len(state.match.log) if state.match else 0
    counted = before._replace(moves=before.moves + 1, line=lines)
    return with_seat(state, moment, seat, person._replace(bot_played=counted))


def acknowledge(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Drop the report about the bot's moves: the player has read it."""
    if state.seats[seat].bot_played is None:
        return state
    return with_seat(state, moment, seat, state.seats[seat]._replace(bot_played=None))
