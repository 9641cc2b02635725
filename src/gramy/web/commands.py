"""The change of a table that each command of a client asks for."""

from __future__ import annotations

from functools import partial

from gramy.table import removal, stand_ins, state, votes
from gramy.table.state import NO_CLIENT_SEED, Step
from gramy.web import wire


def step_for(command: wire.Command, seat: int) -> Step:
    """Return the change of the table that a seat's command asks for."""
    match command:
        case wire.Move():
            return partial(state.play, seat=seat, at=command.at, move=command.move, round=command.round)
        case wire.Undo():
            return partial(state.undo, seat=seat, at=command.at, round=command.round)
        case wire.Say():
            return partial(state.say, seat=seat, phrase=command.phrase, at=command.at, round=command.round)
        case wire.Rematch():
            return partial(state.ask_rematch, seat=seat, client_seed=command.client_seed or NO_CLIENT_SEED)
        case wire.Leave():
            return partial(state.leave, seat=seat)
        case wire.Absent():
            return partial(votes.cast, voter=seat, absent=command.seat, choice=command.choice)
        case wire.Remove():
            return partial(removal.remove, opener=seat, removed=command.seat)
        case wire.Acknowledge():
            return partial(stand_ins.acknowledge, seat=seat)
