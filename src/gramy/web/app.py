"""The server's answers: pages, files, tables and replays; `socket.py` does the WebSockets.

Nothing secret is in an address, and every text from outside is bounded before it is read. docs/protocol.md is what
clients rely on.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import time
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import segno
from aiohttp import web
from markdown_it import MarkdownIt
from msgspec.structs import asdict

import gramy
from gramy import record, text
from gramy.bots import LEVELS
from gramy.contract import GramyError, Message
from gramy.fair import every_deal
from gramy.messages import to_builtins
from gramy.options import choices, format_options, format_value
from gramy.table.bot_pool import BotPool
from gramy.table.clock import TimeControl
from gramy.table.lobby import Lobby
from gramy.table.names import nickname
from gramy.table.snapshot import log_lines
from gramy.table.state import Refused
from gramy.table.store import StoreUnavailable
from gramy.table.table import Table
from gramy.text.typography import bind, bind_entries
from gramy.web import wire
from gramy.web.analyses import Analyses
from gramy.web.files import File, packed, read_static
from gramy.web.limits import Buckets, Limits
from gramy.web.metrics import Metrics
from gramy.web.socket import UNREADABLE, Sockets
from gramy.web.visitor import Guests, Networks, as_forwarded, counted_by

LOG = logging.getLogger("gramy.web")
LARGEST_BODY = 16 * 1024
BODY_WITHIN = 10.0
STATUS = {"no_such_table": 404, "other_rules": 404, "unknown_game": 404, "server_full": 503}
"""Errors that are not the client's own fault in the plain sense of 400."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types gramy"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Server": "Gramy",
}
PARTS = frozenset({"text/javascript", "text/css", "font/woff2"})
"""What pages are made of. None of it can be opened as a page, so a page's policy would only weigh it down: a first
load is some fifty of them."""
PART_HEADERS = {name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Server")}
SECURELY = "max-age=31536000"
"""For a year a browser comes only by https, once it has done so."""

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Site:
    """Everything that answers requests, with what it needs."""

    def __init__(
        self,
        lobby: Lobby,
        guests: Guests,
        bots: BotPool,
        metrics: Metrics,
        limits: Limits,
        origins: frozenset[str] = frozenset(),
        proxies: Networks = (),
    ) -> None:
        self.lobby, self.guests, self.metrics = lobby, guests, metrics
        self.origins, self.proxies = origins, proxies
        self.sockets = Sockets(lobby, metrics, limits)
        self.analyses = Analyses(bots)
        self.files = read_static()
        self.texts = {language: _catalogues(language) for language in text.LANGUAGES}
        self.opening = Buckets(2 * limits.tables_a_minute, limits.tables_a_minute / 60, time.monotonic)
        self.asking = Buckets(10 * limits.requests_a_second, limits.requests_a_second, time.monotonic)
        self.replaying = Buckets(limits.replays_a_minute, limits.replays_a_minute / 60, time.monotonic)
        self.fetching = Buckets(10 * limits.files_a_second, limits.files_a_second, time.monotonic)

    def app(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_BODY, middlewares=[self.guarded])
        app.add_routes(
            [
                web.get("/", self.page),
                web.get("/t/{table}", self.page),
                web.get("/replay/{table}/{round}", self.page),
                web.get("/rules/{game}", self.page),
                web.get("/learn/{game}", self.page),
                web.get("/static/{path:.+}", self.static),
                web.get("/favicon.ico", self.icon),
                web.get("/api/games", self.games),
                web.get("/api/text/{language}", self.text),
                web.get("/api/rules/{game}", self.rules),
                web.get("/api/tables", self.tables),
                web.post("/api/tables", self.open),
                web.get("/api/tables/{table}", self.table),
                web.post("/api/tables/{table}/join", self.join),
                web.get("/api/tables/{table}/qr.svg", self.qr),
                web.get("/api/replay/{table}/{round}", self.replay),
                web.get("/api/record/{table}/{round}", self.record),
                web.get("/api/analysis/{table}/{round}", self.analysis),
                web.get("/api/deal/{table}/{round}", self.deal),
                web.delete("/api/guest", self.forget),
                web.get("/ws/{table}", self.socket),
                web.get("/health", self.health),
                web.get("/metrics", self.measured),
            ]
        )
        app.on_shutdown.append(self.goodbye)
        return app

    # --- around every request -----------------------------------------------------------------------------------------

    @web.middleware
    async def guarded(self, request: web.Request, handler: Answer) -> web.StreamResponse:
        """Origin, rate, errors as messages, and the headers of every answer."""
        request = as_forwarded(request, self.proxies)
        try:
            if request.method not in ("GET", "HEAD") or request.path.startswith("/ws/"):
                self._check_origin(request)
            counted = self.fetching if request.path.startswith("/static/") else self.asking
            _take(counted, request)
            response = await handler(request)
        except GramyError as error:
            response = _json({"error": error.message}, STATUS.get(error.message.key, 400))
        except UNREADABLE:
            response = _json({"error": Message("bad_request")}, 400)
        except StoreUnavailable as error:
            LOG.warning("the store is away", extra={"why": str(error)})
            response = _json({"error": Message("store_unavailable")}, 503, {"Retry-After": "5"})
        except web.HTTPException as error:
            again = {"Retry-After": "5"} if error.status == 429 else {}
            response = _json({"error": _problem(error.status)}, error.status, again)
        except Exception:
            LOG.exception("a request failed", extra={"route": _route(request)})
            response = _json({"error": Message("server_error")}, 500)
        if not response.prepared:
            response.headers.update(PART_HEADERS if response.content_type in PARTS else HEADERS)
            response.headers.setdefault("Cache-Control", "no-store")
            if request.scheme == "https":
                response.headers["Strict-Transport-Security"] = SECURELY
        method = request.method if request.method in ("GET", "HEAD", "POST", "DELETE") else "other"
        self.metrics.request(method, _route(request), response.status)
        return response

    def _check_origin(self, request: web.Request) -> None:
        """A browser says where a request comes from; other pages may not speak for a guest."""
        own = {f"{request.scheme}://{request.host}", f"https://{request.host}"}  # a proxy may not say that it encrypts
        if not self.origins | own >= set(request.headers.getall("Origin", ())):
            raise web.HTTPForbidden

    # --- pages and files ----------------------------------------------------------------------------------------------

    async def page(self, request: web.Request) -> web.Response:
        return _file(request, self.files["index.html"])

    async def static(self, request: web.Request) -> web.Response:
        if (found := self.files.get(request.match_info["path"])) is None:
            raise web.HTTPNotFound
        return _file(request, found)

    async def icon(self, request: web.Request) -> web.Response:
        return _file(request, self.files["icon.svg"])

    async def text(self, request: web.Request) -> web.Response:
        if (found := self.texts.get(request.match_info["language"])) is None:
            raise web.HTTPNotFound
        return _file(request, found)

    async def rules(self, request: web.Request) -> web.Response:
        game = gramy.game(request.match_info["game"]).name
        language = request.query.get("language", "en")
        language = language if language in text.LANGUAGES else "en"
        return _json({"html": _rendered(bind(text.family_page(game, language), language))})

    async def games(self, request: web.Request) -> web.Response:
        return _json([_game(name) for name in gramy.GAMES])

    # --- tables -------------------------------------------------------------------------------------------------------

    async def tables(self, request: web.Request) -> web.Response:
        return _json(await self.lobby.listed())

    async def open(self, request: web.Request) -> web.Response:
        _take(self.opening, request)
        wanted = wire.decode_open(await _body(request))
        guest = self.guests.met(request)
        seats = [None if seat is None else seat.bot for seat in wanted.seats]
        control = TimeControl(wanted.clock.minutes, wanted.clock.seconds) if wanted.clock else None
        table, seat, token = await self.lobby.open(
            wanted.game, wanted.options, seats, wanted.public, control, wanted.name, guest
        )
        return self._seated(request, guest, table, seat, token)

    async def table(self, request: web.Request) -> web.Response:
        return _json((await self._table(request)).summary())

    async def join(self, request: web.Request) -> web.Response:
        _take(self.opening, request)
        wanted = wire.decode_join(await _body(request))
        table = await self._table(request)
        guest = self.guests.met(request)
        seat, token = await table.sit(nickname(wanted.name), guest, wanted.seat)
        return self._seated(request, guest, table, seat, token)

    def _seated(self, request: web.Request, guest: str, table: Table, seat: int, token: str) -> web.Response:
        """What somebody gets who has taken a seat: the commitment too, before he sends his luck."""
        commitment = table.state.deals[0].commitment
        answer = {"table": table.id, "seat": seat, "token": token, "commitment": commitment}
        return self.guests.remember(request, _json(answer, 201), guest)

    async def forget(self, request: web.Request) -> web.Response:
        """A guest leaves every table and is forgotten; without a cookie there is nothing to forget."""
        _take(self.opening, request)
        if (guest := self.guests.known(request)) is not None:
            await self.lobby.forget(guest)
        return self.guests.forget(request, web.Response(status=204))

    async def qr(self, request: web.Request) -> web.Response:
        table = await self._table(request)
        drawn = io.BytesIO()
        address = f"{request.scheme}://{request.host}/t/{table.id}"
        segno.make(address, error="m").save(drawn, kind="svg", scale=8, border=2, xmldecl=False, light="#fff")
        return web.Response(body=drawn.getvalue(), content_type="image/svg+xml")

    async def replay(self, request: web.Request) -> web.Response:
        """A finished match: every line, and the view after it."""
        table, match = await self._finished(request)
        seat = _seat(request, table)
        return _json(await asyncio.to_thread(_replay, match, seat))

    async def record(self, request: web.Request) -> web.Response:
        table, match = await self._finished(request)
        deal = await self.lobby.services.store.deal(table.id, _round(request))
        return web.Response(text=record.format(match, deal), content_type="text/plain", charset="utf-8")

    async def analysis(self, request: web.Request) -> web.Response:
        """What every decision of a finished match was worth; how far that is, until it is done."""
        asked = request.match_info["table"], _round(request)
        if (progress := self.analyses.progress(*asked)) is None:
            _, match = await self._finished(request)
            self.analyses.begin(*asked, match)
            progress = self.analyses.progress(*asked)
        return _json(progress)

    async def deal(self, request: web.Request) -> web.Response:
        """Where the cards of a finished match came from: all that is needed to deal them again."""
        table, match = await self._finished(request)
        deal = await self.lobby.services.store.deal(table.id, int(request.match_info["round"]))
        deals = await asyncio.to_thread(every_deal, match)
        return _json(
            {"commitment": deal.commitment, **to_builtins(deal), "deals": to_builtins(deals)} if deal else None
        )

    async def _table(self, request: web.Request) -> Table:
        return await self.lobby.find(request.match_info["table"])

    async def _finished(self, request: web.Request) -> tuple[Table, gramy.Match]:
        _take(self.replaying, request)
        table = await self._table(request)
        round = _round(request)
        state = table.state
        if round == state.round and state.is_over and state.match is not None:
            return table, state.match
        if not 1 <= round < state.round:
            raise Refused(Message("match_not_over"))
        lines = await self.lobby.services.store.lines(table.id, round)
        return table, await asyncio.to_thread(gramy.Match.replayed, state.game, lines, None, state.names)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        return await self.sockets.serve(request, self.guests.known(request))

    async def goodbye(self, app: web.Application) -> None:
        await self.sockets.goodbye()
        await self.analyses.close()

    # --- for hosts ----------------------------------------------------------------------------------------------------

    async def health(self, request: web.Request) -> web.Response:
        return _json({"status": "ok", "version": gramy.__version__, "tables": len(self.lobby.tables)})

    async def measured(self, request: web.Request) -> web.Response:
        viewers = sum(len(table.viewers) for table in self.lobby.tables.values())
        return web.Response(body=self.metrics.page(len(self.lobby.tables), viewers), content_type="text/plain")


@cache
def _rendered(page: str) -> str:
    """A rules page of ours as HTML; there are nine, so they are all kept."""
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(page))


def _replay(match: gramy.Match, seat: int | None) -> dict[str, Any]:
    """Every line of a match with the view after it: in a thread of its own, for a long match takes a while."""
    steps = []
    again = match.at(0)
    for line, entry in zip(log_lines(match, seat), match.log, strict=True):
        again.replay(entry)
        steps.append({**asdict(line), "view": again.view(seat)})
    game = match.game
    return {"game": game.name, "options": format_options(game.options), "names": match.names, "steps": steps}


def _take(buckets: Buckets, request: web.Request) -> None:
    if not buckets.take(counted_by(request.remote)):
        raise web.HTTPTooManyRequests


async def _body(request: web.Request) -> bytes:
    """A body as it is, whole and soon; nothing is unpacked for anybody."""
    if "Content-Encoding" in request.headers:
        raise web.HTTPUnsupportedMediaType
    try:
        async with asyncio.timeout(BODY_WITHIN):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None


def _problem(status: int) -> Message:
    """What an error of the web means to a person."""
    match status:
        case 403:
            return Message("wrong_origin")
        case 404:
            return Message("no_such_page")
        case 413:
            return Message("too_large")
        case 429:
            return Message("too_many")
    return Message("bad_request")


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return web.Response(body=wire.encode(body), status=status, content_type="application/json", headers=kept)


def _file(request: web.Request, file: File) -> web.Response:
    """A file, compressed where the browser takes it, and only if it is not the one it has."""
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding", "Content-Type": file.kind}
    if request.headers.get("If-None-Match") == file.tag:
        return web.Response(status=304, headers=headers)
    if file.packed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        return web.Response(body=file.packed, headers={**headers, "Content-Encoding": "gzip"})
    return web.Response(body=file.body, headers=headers)


def _route(request: web.Request) -> str:
    """The pattern that a request matched: a label for metrics and logs that names no table."""
    resource = request.match_info.route.resource
    return "none" if resource is None else resource.canonical


def _round(request: web.Request) -> int:
    """The round that is asked for; 0 is none."""
    number = request.match_info["round"]
    return int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0


def _seat(request: web.Request, table: Table) -> int | None:
    wanted = request.query.get("seat")
    if wanted is None:
        return None
    if wanted not in {str(seat) for seat in range(table.state.game.players)}:
        raise Refused(Message("no_such_seat", {"asked": wanted[:8], "last": table.state.game.players - 1}))
    return int(wanted)


def _game(name: str) -> dict[str, Any]:
    allowed = choices(gramy.GAMES[name].Options)
    players = allowed["players"]
    options = {option: [format_value(value) for value in values] for option, values in allowed.items()}
    title = text.find("title", name, "en")
    return {
        "name": name,
        "title": title,
        "seats": [players[0], players[-1]],
        "options": options,
        "levels": [level for level, bots in LEVELS.items() if name in bots],
    }


def _catalogues(language: str) -> File:
    scopes = ("common", "web", "analysis", *gramy.GAMES)
    entries = {scope: bind_entries(text.catalogue(scope, language), language) for scope in scopes}
    body = json.dumps(entries, ensure_ascii=False)
    return packed(body.encode(), "application/json")
