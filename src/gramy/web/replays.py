"""Handlers for finished matches: replay (also of a file), record, analysis, and the data that verifies their deals."""

from __future__ import annotations

from typing import Any

from aiohttp import web
from msgspec import Raw
from msgspec.structs import asdict

import gramy
from gramy import record
from gramy.fair import Deal, every_deal
from gramy.messages import Message, to_builtins
from gramy.options import format_options
from gramy.table.lobby import Lobby
from gramy.table.snapshot import log_lines
from gramy.table.state import Refused
from gramy.table.table import Table
from gramy.table.threads import in_thread
from gramy.web import wire
from gramy.web.analyses import Analyses
from gramy.web.limits import Limits, Meter
from gramy.web.responses import encoded_response, json_response, read_body
from gramy.web.visitor import check_rate


class ReplaysApi:
    """Finished matches. Long work runs in threads or in the bots' processes."""

    def __init__(self, lobby: Lobby, analyses: Analyses, limits: Limits) -> None:
        self._lobby, self._analyses = lobby, analyses
        self._meter = Meter("replay", limits)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/replay/{table}/{round}", self.replay),
            web.post("/api/replay", self.replay_record),
            web.get("/api/record/{table}/{round}", self.record),
            web.get("/api/analysis/{table}/{round}", self.analysis),
            web.get("/api/deal/{table}/{round}", self.deal),
        ]

    async def replay(self, request: web.Request) -> web.Response:
        """Return every line of the match with the view after it, as a seat or a spectator sees it."""
        _, match = await self._finished(request)
        seat = _seat(request, match.game.players)
        return encoded_response(await in_thread(_replay, match, seat))

    async def replay_record(self, request: web.Request) -> web.Response:
        """Return the match of a record that a visitor sends, as `replay` does. Nothing is stored."""
        check_rate(self._meter, request)
        sent = wire.decode_record(await read_body(request))
        match = await in_thread(record.parse, sent.record)
        seat = _seat(request, match.game.players)
        return encoded_response(await in_thread(_replay, match, seat))

    async def record(self, request: web.Request) -> web.Response:
        """Return the match as a record."""
        table, match = await self._finished(request)
        deal = await self._lobby.services.store.deal(table.id, _round(request))
        formatted = await in_thread(record.format, match, deal)
        return web.Response(text=formatted, content_type="text/plain", charset="utf-8")

    async def analysis(self, request: web.Request) -> web.Response:
        """Return the analysis of the match or its progress; the first request starts it."""
        table = await self._lobby.find(request.match_info["table"])
        asked = table.id, _round(request)
        if (progress := self._analyses.progress(*asked, table.state.names)) is None:
            table, match = await self._finished(request)
            await self._analyses.start(*asked, match)
            progress = self._analyses.progress(*asked, table.state.names)
        return json_response(progress)

    async def deal(self, request: web.Request) -> web.Response:
        """Return the seeds of the match and everything that was dealt from them, or null without a seed."""
        table, match = await self._finished(request)
        deal = await self._lobby.services.store.deal(table.id, _round(request))
        if deal is None:
            return json_response(None)
        return encoded_response(await in_thread(_deal, match, deal))

    async def _finished(self, request: web.Request) -> tuple[Table, gramy.Match]:
        """Return the table and the finished match that a request names; earlier rounds come from the store."""
        check_rate(self._meter, request)
        table = await self._lobby.find(request.match_info["table"])
        state, round = table.state, _round(request)
        if round == state.round and state.is_over and state.match is not None:
            return table, state.match
        if not 1 <= round < state.round:
            raise Refused(Message("match_not_over"))
        lines = await self._lobby.services.store.lines(table.id, round)
        return table, await in_thread(gramy.Match.replayed, state.game, lines, None, state.names)


def _deal(match: gramy.Match, deal: Deal) -> bytes:
    return wire.encode({**deal_facts(deal), "deals": to_builtins(every_deal(match))})


def _replay(match: gramy.Match, seat: int | None) -> bytes:
    """Return a replay as JSON. Each step is encoded by itself: the encoder does not let other threads run."""
    steps = []
    again = match.at(0)
    for line, entry in zip(log_lines(match, seat), match.log, strict=True):
        again.replay(entry)
        steps.append(Raw(wire.encode({**asdict(line), "view": again.view(seat)})))
    game = match.game
    about = {"game": game.name, "options": format_options(game.options), "names": match.names or ("",) * game.players}
    return wire.encode({**about, "steps": steps})


def deal_facts(deal: Deal) -> dict[str, Any]:
    """Return the seeds of a finished match, and how the client seeds were collected."""
    facts: dict[str, Any] = {
        "commitment": deal.commitment,
        "seed": deal.seed,
        "client_seeds": deal.client_seeds,
        "exchange": None,
    }
    if (found := deal.exchange) is not None:
        facts["exchange"] = {
            "table": found.table,
            "round": found.round,
            "attempt": found.attempt,
            "commitments": found.commitments,
            "voids": [{**void._asdict(), "commitment": void.commitment} for void in found.voids],
        }
    return facts


def _round(request: web.Request) -> int:
    """Return the round that a request names; 0 if it is not a number."""
    number = request.match_info["round"]
    return int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0


def _seat(request: web.Request, players: int) -> int | None:
    """Return the seat whose view a request asks for; None without one."""
    wanted = request.query.get("seat")
    if wanted is None:
        return None
    if wanted not in {str(seat) for seat in range(players)}:
        raise Refused(Message("no_such_seat", {"asked": wanted[:8], "last": players - 1}))
    return int(wanted)
