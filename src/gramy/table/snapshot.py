"""What a viewer is sent: everything there is to show, made at that moment of what that seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Raw, json
from msgspec.structs import replace

from gramy.contract import Event, Outcome, Payload
from gramy.matches import Match, as_read
from gramy.table.bot_turns import played_by_bots
from gramy.table.clock import Clock
from gramy.table.seat import PERSON
from gramy.table.services import Viewer
from gramy.table.store import FINISHED, PLAYING

if TYPE_CHECKING:
    from gramy.table.table import Table

NOTHING: dict[str, Any] = {
    "lines": 0,
    "view": None,
    "effects": {},
    "refusals": {},
    "log": {"from": 0, "lines": []},
}
"""Of a match that has not begun."""

_encode = json.Encoder().encode


class CachedParts(NamedTuple):
    """What all viewers are shown alike and a move does not change, encoded already."""

    table: Raw
    phrases: Raw
    deal: Raw
    friendly: bool
    manned: bool  # only people play, and without a clock: no bot will think


class Line(Payload, frozen=True):
    """A line of a log as somebody may read it, with what followed."""

    seat: int
    move: str
    events: Sequence[Event]


def snapshot(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The table for a viewer, with the lines of the log that were not sent to him yet."""
    if viewer.round != table.round:
        viewer.round, viewer.lines = table.round, 0
    answers, viewer.answers = viewer.answers, []
    if table.presence.changed():
        table.cached_parts = None
    cached_parts = table.cached_parts = table.cached_parts or _lasting(table)
    return {
        "type": "snapshot",
        "version": table.version,
        "answers": answers,
        "you": viewer.seat,
        "table": cached_parts.table,
        "phrases": cached_parts.phrases,
        "deal": cached_parts.deal,
        **(NOTHING if table.match is None else _match(table, table.match, viewer)),
        "away": table.presence.missing(table.services.times.away) if table.status == PLAYING else [],
        "clock": None if table.clock is None else _clock(table, table.clock),
        "hints": cached_parts.friendly and viewer.seat is not None,
        "thinking": [] if cached_parts.manned else played_by_bots(table),
        "rematch": sorted(table.rematch),
    }


def summary(table: Table) -> dict[str, Any]:
    """The table as a lobby shows it."""
    return {
        "table": table.id,
        "game": table.game.name,
        "options": table.game.option_texts,
        "status": table.status,
        "round": table.round,
        "public": table.public,
        "seats": [seat.view(table.presence.online(number)) for number, seat in enumerate(table.seats)],
    }


def log_lines(match: Match, seat: int | None, start: int = 0) -> list[Line]:
    """Lines of a log as a seat may read them, with what followed."""
    return [
        Line(entry.seat, as_read(entry, seat).text, events)
        for entry, events in zip(match.log[start:], match.events_by_line[start:], strict=True)
    ]


def _lasting(table: Table) -> CachedParts:
    return CachedParts(
        table=Raw(_encode(summary(table))),
        phrases=Raw(_encode(table.game.phrases())),
        deal=Raw(_encode(_deal(table))),
        friendly=table.friendly,
        manned=table.clock is None and all(seat.kind == PERSON and not seat.stand_in for seat in table.seats),
    )


def _match(table: Table, match: Match, viewer: Viewer) -> dict[str, Any]:
    game, state, seat = table.game, match.state, viewer.seat
    start, viewer.lines = viewer.lines, len(match.log)
    menu = None if seat is None else game.menu(state, seat)
    view = match.view(seat, menu)
    acting = seat is not None and table.status == PLAYING and (seat in view.to_act or view.moves)
    return {
        "lines": len(match.log),
        "view": replace(view, outcome=Outcome((), "abandoned")) if table.abandoned else view,
        "effects": game.effects(state, seat, menu) if acting and seat is not None else {},
        "refusals": game.refusals(state, seat, menu) if acting and seat is not None else {},
        "log": {"from": start, "lines": log_lines(match, seat, start)},
    }


def _clock(table: Table, clock: Clock) -> dict[str, Any]:
    return {"left": clock.read(table.services.now()), "running": list(clock.running)}


def _deal(table: Table) -> dict[str, Any]:
    """Where the cards come from; the seed only when they have all been seen."""
    deal, following = table.deals
    return {
        "commitment": deal.commitment,
        "client_seeds": deal.client_seeds,
        "seed": deal.seed if table.status == FINISHED else None,
        "next": following.commitment,
    }
