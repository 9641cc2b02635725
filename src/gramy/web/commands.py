"""The change of a table that each command of a client asks for."""

from __future__ import annotations

from functools import partial

from gramy.fair import NO_COMMITMENT
from gramy.table import dealing, removal, stand_ins, state, votes, waiting_room
from gramy.table.clock import TimeControl
from gramy.table.state import Step
from gramy.web import wire


def step_for(command: wire.Command, seat: int) -> Step:
    """Return the change of the table that a seat's command asks for."""
    match command:
        case wire.Move():
            play = partial(state.play, seat=seat, at=command.at, move=command.move, round=command.round)
            return partial(state.by_person, seat=seat, step=play)
        case wire.Undo():
            undo = partial(state.undo, seat=seat, at=command.at, round=command.round)
            return partial(state.by_person, seat=seat, step=undo)
        case wire.Say():
            say = partial(state.say, seat=seat, phrase=command.phrase, at=command.at, round=command.round)
            return partial(state.by_person, seat=seat, step=say)
        case wire.Commit():
            commit = partial(dealing.commit, seat=seat, round=command.round, attempt=command.attempt)
            return partial(commit, commitment=command.commitment or NO_COMMITMENT, made_for=command.seat)
        case wire.Reveal():
            reveal = partial(dealing.reveal, seat=seat, round=command.round, attempt=command.attempt)
            return partial(reveal, client_seed=command.client_seed)
        case wire.Rematch():
            return partial(state.ask_rematch, seat=seat)
        case wire.Leave():
            return partial(state.leave, seat=seat)
        case wire.Absent():
            return partial(votes.cast, voter=seat, absent=command.seat, choice=command.choice)
        case wire.Remove():
            remove = partial(removal.remove, opener=seat, removed=command.seat, name=command.name)
            return partial(remove, block=command.block)
        case wire.Acknowledge():
            return partial(stand_ins.acknowledge, seat=seat)
        case wire.SetBot():
            return partial(waiting_room.set_bot, opener=seat, seat=command.seat, level=command.level)
        case wire.StartMatch():
            return partial(waiting_room.start, opener=seat, bots=command.bots)
        case wire.Configure():
            control = time_control(command.clock)
            return partial(waiting_room.configure, opener=seat, options=command.options, control=control)
        case wire.Rename():
            return partial(waiting_room.rename, seat=seat, name=command.name)
        case wire.HandOver():
            return partial(waiting_room.hand_over, opener=seat, seat=command.seat, name=command.name)


def time_control(clock: wire.ClockSettings | None) -> TimeControl | None:
    """Return a clock's settings as the table has them."""
    return None if clock is None else TimeControl(clock.minutes, clock.seconds)
