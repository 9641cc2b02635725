"""What a viewer is sent: everything there is to show, made at that moment of what that seat may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gramy.game import Outcome, plain
from gramy.match import Match, as_read
from gramy.table.store import FINISHED, PLAYING
from gramy.table.surroundings import Viewer

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


def snapshot(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The table for a viewer, with the lines of the log that were not sent to him yet."""
    if viewer.round != table.round:
        viewer.round, viewer.lines = table.round, 0
    answers, viewer.answers = viewer.answers, []
    return {
        "type": "snapshot",
        "version": table.version,
        "answers": answers,
        "you": viewer.seat,
        **_for_everybody(table),
        **(NOTHING if table.match is None else _match(table, table.match, viewer)),
        "away": table.presence.missing(table.around.times.away) if table.status == PLAYING else [],
        "clock": _clock(table),
        "hints": table.friendly and viewer.seat is not None,
        "thinking": table.played_by_bots(),
        "rematch": sorted(table.rematch),
    }


def _for_everybody(table: Table) -> dict[str, Any]:
    """What all viewers are shown alike, made once for each version of the table."""
    version, shown = table.shown
    if version != table.version:
        shown = {"table": summary(table), "phrases": table.game.phrases(), "deal": _deal(table)}
        table.shown = table.version, shown
    return shown


def summary(table: Table) -> dict[str, Any]:
    """The table as a lobby shows it."""
    return {
        "table": table.id,
        "game": table.game.name,
        "options": table.game.words,
        "status": table.status,
        "round": table.round,
        "public": table.public,
        "seats": [seat.view(table.presence.online(number)) for number, seat in enumerate(table.seats)],
    }


def told(match: Match, seat: int | None, start: int = 0) -> list[dict[str, Any]]:
    """Lines of a log as a seat may read them, with what followed."""
    return [
        {"seat": entry.seat, "move": as_read(entry, seat).text, "events": plain(events)}
        for entry, events in zip(match.log[start:], match.told[start:], strict=True)
    ]


def _match(table: Table, match: Match, viewer: Viewer) -> dict[str, Any]:
    seat, start, viewer.lines = viewer.seat, viewer.lines, len(match.log)
    live = table.status == PLAYING and seat is not None
    seen = {
        "lines": len(match.log),
        "view": plain(match.view(seat)),
        "effects": plain(table.game.effects(match.state, seat)) if live and seat is not None else {},
        "refusals": plain(table.game.refusals(match.state, seat)) if live and seat is not None else {},
        "log": {"from": start, "lines": told(match, seat, start)},
    }
    if table.abandoned:
        seen["view"]["outcome"] = plain(Outcome((), "abandoned"))
    return seen


def _clock(table: Table) -> dict[str, Any] | None:
    if table.clock is None:
        return None
    return {"left": table.clock.read(table.around.now()), "running": list(table.clock.running)}


def _deal(table: Table) -> dict[str, Any]:
    """Where the cards come from; the seed only when they have all been seen."""
    deal, following = table.deals
    return {
        "commitment": deal.commitment,
        "luck": list(deal.luck),
        "seed": deal.seed if table.status == FINISHED else None,
        "next": following.commitment,
    }
