"""Moderation: carries out the host's orders on requests and open sessions, and takes reports of players' names."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any

from aiohttp import web

from gramy.errors import GramyError
from gramy.messages import Message
from gramy.table import state
from gramy.table.lobby import Lobby
from gramy.table.orders import BAN, WIDE, Report, guest_mark
from gramy.table.seat import PERSON
from gramy.web import wire
from gramy.web.bans import ban_page, refusal
from gramy.web.limits import RateLimiter
from gramy.web.responses import error_response, json_response, read_body
from gramy.web.session import Session
from gramy.web.sessions import Sessions
from gramy.web.visitor import Guests, prefixes

LOG = logging.getLogger("gramy.admin")
REPORTS_AT_ONCE, REPORTS_AN_HOUR = 5.0, 20.0
"""Reports of one address."""
REPORT_SHARES = 1, 4
"""The shares of an address and of its network: one customer may have thousands of IPv6 addresses."""
ALWAYS_OPEN = (
    *("/static/", "/ws/", "/api/text/", "/api/guest", "/admin", "/api/admin", "/service-worker.js", "/offline"),
    *("/health", "/ready", "/metrics"),
)
"""Paths that ignore bans. Sessions say the reason themselves, a banned guest may still delete their data, and a token
protects the host's page."""


class Moderation:
    """The host's orders, applied on this server."""

    def __init__(self, lobby: Lobby, guests: Guests, sessions: Sessions) -> None:
        self._lobby, self._guests, self._sessions = lobby, guests, sessions
        self._limiters = tuple(
            RateLimiter(share * REPORTS_AT_ONCE, share * REPORTS_AN_HOUR / 3600) for share in REPORT_SHARES
        )
        self._notices: list[dict[str, Any]] = []  # as they were last sent
        self._extended: set[str] = set()  # ids of bans that this server has extended to a network
        self._tasks: set[asyncio.Task[None]] = set()
        lobby.order_book.listeners.append(self.enforce)
        lobby.bot_accounts.listeners.append(self.enforce)

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/api/notices", self.notices), web.post("/api/tables/{table}/report", self.report)]

    # --- bans ---------------------------------------------------------------------------------------------------------

    def refusal(self, request: web.Request) -> web.Response | None:
        """Return the response to a banned visitor, None for anybody else."""
        if not self._lobby.order_book.orders.has_bans or request.path.startswith(ALWAYS_OPEN):
            return None
        message = refusal(self._lobby, [self._guests.get(request)], prefixes(request.remote))
        if message is None:
            return None
        return error_response(message, 403) if request.path.startswith("/api/") else ban_page(message)

    def enforce(self) -> None:
        """Apply new orders: close sessions, extend bans to networks, and send announcements to open pages."""
        for session in self._sessions.open:
            self._expel_if_refused(session)
        self._extend_bans()
        notices = self._lobby.order_book.orders.notices(self._lobby.services.date())
        if notices != self._notices:
            self._notices = notices
            body = wire.encode({"type": "notices", "notices": notices})
            for session in self._sessions.open:
                session.send(body)

    def _expel_if_refused(self, session: Session) -> None:
        table, seat = session.table, session.seat
        owner = None if table is None or seat is None else table.state.seats[seat].guest
        scopes = session.scopes
        message = refusal(self._lobby, [scopes.pop("guest", None), owner], scopes.values(), session.table_id)
        if message is None:
            return
        session.expel(message)
        if table is not None and seat is not None and seat not in table.audience.presence.here:
            leave = partial(state.leave, seat=seat)
            token = table.state.seats[seat].token
            table.background.spawn(table.attempt(partial(state.for_owner, seat=seat, token=token, step=leave)))

    def _extend_bans(self) -> None:
        """Ban the networks of guests who were banned with their network, if they came to this server lately."""
        orders, now = self._lobby.order_book.orders, self._lobby.services.date()
        for order in orders.all:
            if order.kind != BAN or not order.reach or order.id in self._extended:
                continue
            if networks := self._sessions.recent.get(order.subject, now):
                self._extended.add(order.id)  # once: the host may end the ban of the network before that of the guest
                network = networks[-1] if order.reach == WIDE else networks[0]
                extended = order._replace(id=f"{order.id}-{network}", subject=network, reach="")
                self._spawn(self._lobby.order_book.give(extended))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOG.warning("a ban of a network was not stored", extra={"why": str(error)})

    async def close(self) -> None:
        """Wait for what is being stored."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- announcements and reports ------------------------------------------------------------------------------------

    async def notices(self, request: web.Request) -> web.Response:
        """Return the announcements that pages show."""
        return json_response(self._lobby.order_book.orders.notices(self._lobby.services.date()))

    async def report(self, request: web.Request) -> web.Response:
        """Store a report of a player's name for the host. The same report again changes nothing."""
        for limiter, network in zip(self._limiters, prefixes(request.remote), strict=False):
            if not limiter.take(network):
                raise web.HTTPTooManyRequests
        seat = wire.decode_report(await read_body(request)).seat
        table = await self._lobby.find(request.match_info["table"])
        found = table.state.seats[seat] if seat < len(table.state.seats) else None
        if found is None or found.kind != PERSON or not found.name or found.guest is None:
            raise GramyError(Message("nobody_to_report"))
        guest = self._guests.get_or_create(request)
        report = Report(
            id=secrets.token_hex(8),
            table=table.id,
            seat=seat,
            name=found.name,
            guest=guest_mark(found.guest),
            reporter=guest_mark(guest),
            made=self._lobby.services.date(),
        )
        new = await self._lobby.order_book.report(report)
        response = json_response({"new": new}, 201 if new else 200)
        self._guests.set_cookie(request, response, guest)
        return response
