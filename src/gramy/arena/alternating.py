"""Two bots that share a table of more than two: they sit alternately, and each has every seat equally often."""

from __future__ import annotations

from gramy.arena.deals import Setting
from gramy.arena.seating import rotations
from gramy.errors import BadOptions
from gramy.messages import Message


def seated_alternately(setting: Setting) -> Setting:
    """Return the comparison of the same two bots, seated alternately; raises BadOptions if they are not two rivals."""
    if setting.cooperative or len(setting.entrants) != 2:
        raise BadOptions(Message("alternate_form", {}, "arena"))
    return setting._replace(seatings=alternating(setting.game.players))


def alternating(players: int) -> tuple[tuple[int, ...], ...]:
    """Return every seating in which two entrants sit alternately; with an odd number two neighbours are the same."""
    seats = tuple(seat % 2 for seat in range(players))
    exchanged = tuple(1 - entrant for entrant in seats)
    return tuple(dict.fromkeys([*rotations(seats), *rotations(exchanged)]))
