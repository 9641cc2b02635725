"""Snapshots: all that a viewer may see of a table, made when they are sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Raw, json
from msgspec.structs import replace

from gramy.contract import Outcome
from gramy.matches import Entry, Match, as_read
from gramy.messages import Event, Payload
from gramy.table.dealing import COMMIT, REVEAL, deal_of, phase_of
from gramy.table.seat import PERSON
from gramy.table.state import TableState
from gramy.table.store import FINISHED, PLAYING

BEFORE_MATCH: dict[str, Any] = {
    "lines": 0,
    "view": None,
    "effects": {},
    "refusals": {},
    "log": {"from": 0, "lines": []},
}
"""The parts about the match before there is one."""

_encode = json.Encoder().encode


class Seen(NamedTuple):
    """How much of the log a viewer has: so many lines of this round."""

    round: int = 0
    lines: int = 0


NOTHING_SEEN = Seen()
NOBODY_AWAY: Mapping[int, float] = {}


class CachedParts(NamedTuple):
    """The encoded parts that are the same for all viewers and that a move does not change."""

    table: Raw
    phrases: Raw
    deal: Raw
    allows_hints: bool
    only_people: bool  # no bot will move: only people play, and no clock runs


class LogLine(Payload, frozen=True):
    """A line of a log as a seat may read it, with the events that followed."""

    seat: int
    move: str
    events: Sequence[Event]


def cached_parts(state: TableState, table: dict[str, Any]) -> CachedParts:
    """Return the parts of all snapshots that stay the same until more than the match changes."""
    return CachedParts(
        table=Raw(_encode(table)),
        phrases=Raw(_encode(state.game.phrases())),
        deal=Raw(_encode(deal_payload(state))),
        allows_hints=state.allows_hints,
        only_people=state.clock is None and all(seat.kind == PERSON and not seat.stand_in for seat in state.seats),
    )


def snapshot(
    state: TableState,
    parts: CachedParts,
    seat: int | None,
    seen: Seen,
    absent: list[dict[str, Any]],
    now: float,
    sequence: int = 0,
    elsewhere: bool = False,
) -> dict[str, Any]:
    """Return what a seat (None: a spectator) may see, with the lines of the log that it has not seen.

    `elsewhere` says whether another view of the same seat is open.
    """
    start = seen.lines if seen.round == state.round else 0
    return {
        "type": "snapshot",
        "sequence": sequence,
        "you": seat,
        "table": parts.table,
        "phrases": parts.phrases,
        "deal": parts.deal,
        **(BEFORE_MATCH if state.match is None else _match(state, state.match, seat, start)),
        "absent": absent,
        "elsewhere": elsewhere,
        "clock": state.clock and {"left": state.clock.read(now), "running": list(state.clock.running)},
        "hints": parts.allows_hints and seat is not None,
        "thinking": [] if parts.only_people else state.bots_to_act(now),
        "rematch": sorted(state.rematch),
        "bot_played": None if seat is None or state.seats[seat].bot_played is None else _bot_played(state, seat),
    }


def _bot_played(state: TableState, number: int) -> dict[str, Any] | None:
    """Return what a bot did for a player who is back, until they have read it, with the line of its last move."""
    played = state.seats[number].bot_played
    if played is None or state.seats[number].stand_in:
        return None
    log = state.match.log[: played.line] if state.match and played.round == state.round else []
    last = next((at for at in reversed(range(len(log))) if log[at].seat == number and _is_move(log[at])), None)
    return {"reason": played.reason, "since": played.since, "moves": played.moves, "line": last}


def _is_move(entry: Entry) -> bool:
    return not entry.text.startswith("say ")


def summary(
    state: TableState,
    online: Collection[int],
    away_since: Mapping[int, float] = NOBODY_AWAY,
    successor: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the table as a lobby shows it. `successor` says who runs the table next, and when."""
    return {
        "table": state.id,
        "game": state.game.name,
        "options": state.game.option_texts,
        "variants": state.game.variants,
        "clock": state.control and state.control._asdict(),
        "status": FINISHED if state.is_over else state.status,
        "round": state.round,
        "public": state.public,
        "opener": state.people.opener,
        "successor": successor,
        "seats": [seat.public(at in online, away_since.get(at)) for at, seat in enumerate(state.seats)],
    }


def log_lines(match: Match, seat: int | None, start: int = 0) -> list[LogLine]:
    """Return the lines of a log from `start` on as a seat may read them, with the events that followed."""
    return [
        LogLine(entry.seat, as_read(entry, seat).text, events)
        for entry, events in zip(match.log[start:], match.events_by_line[start:], strict=True)
    ]


def _match(state: TableState, match: Match, seat: int | None, start: int) -> dict[str, Any]:
    game = state.game
    menu = None if seat is None else game.menu(match.state, seat)
    view = match.view(seat, menu)
    may_act = seat is not None and state.status == PLAYING and (seat in view.to_act or view.moves)
    return {
        "lines": len(match.log),
        "view": replace(view, outcome=Outcome((), "abandoned")) if state.ended_early else view,
        "effects": game.effects(match.state, seat, menu) if may_act and seat is not None else {},
        "refusals": game.refusals(match.state, seat, menu) if may_act and seat is not None else {},
        "log": {"from": start, "lines": log_lines(match, seat, start)},
    }


def deal_payload(state: TableState) -> dict[str, Any]:
    """Return what everybody may know about the deal; the server's seed itself only when the match is over.

    The lists of commitments and client seeds are sent while they grow, and not with every move afterwards.
    """
    deal, phase = deal_of(state), phase_of(state)
    exchange, collecting = deal.exchange, phase in (COMMIT, REVEAL)
    return {
        "phase": phase,
        "attempt": exchange.attempt if exchange else 1,
        "commitment": deal.commitment,
        "commitments": exchange.commitments if exchange and collecting else (),
        "client_seeds": deal.client_seeds if collecting else (),
        "withheld": [void.withheld for void in exchange.voids] if exchange else [],
        "seed": deal.seed if state.is_over else None,
        "next_commitment": state.deals[1].commitment,
    }
