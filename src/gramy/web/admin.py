"""AdminApi: what a host sees and orders on the admin page. Without a host's token none of this exists."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from ipaddress import ip_network
from typing import Any

from aiohttp import web

import gramy
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.table.lobby import IDLE_EXPIRY, Lobby
from gramy.table.moderation import at_seat_of, remove_name
from gramy.table.orders import ANNOUNCEMENT, BAN, MAINTENANCE, Order, guest_mark
from gramy.table.seat import PERSON, Seat
from gramy.table.store import StoreUnavailable, TableRow
from gramy.web import wire
from gramy.web.host_login import HostLogin, HostOnly
from gramy.web.responses import error_response, json_response, read_body
from gramy.web.sessions import Sessions

PREFIX_LENGTHS = {4: (32, 24), 6: (64, 48)}
"""The networks that can be banned: an address or its neighbourhood."""
MOST_TABLES = 200
PROBE = 0.01

Action = Callable[["AdminApi", web.Request], Awaitable[web.Response]]


def for_host(action: Action) -> Action:
    """Return a handler that only the host may use."""

    @wraps(action)
    async def checked(api: AdminApi, request: web.Request) -> web.Response:
        try:
            api.login.check(request)
        except HostOnly as error:
            return error_response(error.message, 401)
        return await action(api, request)

    return checked


class AdminApi:
    """The host's view of the server, and the host's actions. Each action is noted in the audit list."""

    def __init__(self, lobby: Lobby, sessions: Sessions, token: str) -> None:
        self._lobby, self._sessions = lobby, sessions
        self.login = HostLogin(token)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/api/admin/login", self.log_in),
            web.delete("/api/admin/login", self.log_out),
            web.get("/api/admin", self.overview),
            web.post("/api/admin/orders", self.give_order),
            web.delete("/api/admin/orders/{order}", self.revoke_order),
            web.post("/api/admin/tables/{table}/close", self.close_table),
            web.post("/api/admin/tables/{table}/rename", self.remove_name),
            web.delete("/api/admin/reports/{report}", self.delete_report),
            web.post("/api/admin/bots", self.issue_bot),
            web.delete("/api/admin/bots/{bot}", self.revoke_bot),
        ]

    async def log_in(self, request: web.Request) -> web.Response:
        token = wire.decode_login(await read_body(request)).token
        try:
            response = self.login.log_in(request, token, web.Response(status=204))
        except HostOnly as error:
            return error_response(error.message, 401)
        await self._note("login")
        return response

    async def log_out(self, request: web.Request) -> web.Response:
        return self.login.log_out(request, web.Response(status=204))

    # --- what the host sees -------------------------------------------------------------------------------------------

    @for_host
    async def overview(self, request: web.Request) -> web.Response:
        """Return tables, seats, orders, reports, the audit list, and the state of this server."""
        book, now = self._lobby.order_book, self._lobby.services.date()
        rows = await self._lobby.services.store.open_tables(public=False, most=MOST_TABLES)
        return json_response(
            {
                "version": gramy.__version__,
                "now": now,
                "server": await self._server_state(),
                "tables": [self._table(row, now) for row in rows],
                "orders": [order._asdict() for order in book.orders.all if order.until > now],
                "reports": [report._asdict() for report in await book.reports()],
                "audit": [entry._asdict() for entry in await book.audit()],
                "bots": [
                    {"bot": bot.id, "name": bot.name, "made": bot.made, "revoked": bot.revoked}
                    for bot in self._lobby.bot_accounts.all
                ],
            }
        )

    async def _server_state(self) -> dict[str, Any]:
        loop_delay, began = await _loop_delay(), time.monotonic()
        try:
            await self._lobby.services.store.revisions([])
            store: float | None = time.monotonic() - began
        except StoreUnavailable:
            store = None
        return {
            "tables": len(self._lobby.tables),
            "sessions": len(self._sessions.open),
            "store_seconds": store,
            "loop_delay": loop_delay,
        }

    def _table(self, row: TableRow, now: float) -> dict[str, Any]:
        """Return a table as the host sees it. `online` is None where no one on this server has it open."""
        table = self._lobby.tables.get(row.id)
        seats = table.state.seats if table else row.seats
        online = table.audience.presence.online if table else None
        return {
            "table": row.id,
            "game": row.game,
            "status": table.state.status if table else row.status,
            "public": row.public,
            "round": row.round,
            "touched": row.touched,
            "viewers": len(table.viewers) if table else 0,
            "seats": [
                {
                    "kind": seat.kind,
                    "name": seat.name,
                    "level": seat.level,
                    "stand_in": seat.stand_in,
                    "online": None if online is None else number in online,
                    "guest": (mark := guest_mark(seat.guest) if seat.guest else ""),
                    "network": next(reversed(self._sessions.recent.get(mark, now)), ""),
                }
                for number, seat in enumerate(seats)
            ],
        }

    # --- what the host orders -----------------------------------------------------------------------------------------

    @for_host
    async def give_order(self, request: web.Request) -> web.Response:
        """Ban or mute somebody, announce something, or begin maintenance."""
        wanted, now = wire.decode_order(await read_body(request)), self._lobby.services.date()
        seat = await self._seat(wanted)
        subject = self._subject(wanted, seat)
        texts: dict[str, str] = {
            language: clean for language, text in wanted.texts.items() if (clean := _printable(text))
        }
        if wanted.kind == ANNOUNCEMENT and not texts:
            raise BadOptions(Message("bad_order", {}, "admin"))
        single = wanted.kind == MAINTENANCE  # a second order for maintenance replaces the first
        order = Order(
            id=MAINTENANCE if single else secrets.token_hex(8),
            kind=wanted.kind,
            subject=subject,
            until=now + 60 * wanted.minutes,
            made=now,
            reason=_printable(wanted.reason),
            texts=texts,
            reach=wanted.reach if subject.startswith("guest:") and wanted.kind == BAN else "",
        )
        await self._lobby.order_book.give(order)
        await self._note(wanted.kind, subject, order.reason or " · ".join(texts.values()))
        if order.kind == BAN and seat is not None and wanted.table is not None:
            # A bot plays for a guest who is not connected. Sessions give up their own seats.
            await (await self._lobby.find(wanted.table)).stand_in_for_absent(seat.token)
        return json_response({"id": order.id}, 201)

    async def _seat(self, wanted: wire.GiveOrder) -> Seat | None:
        """Return the person's seat that an order names, None if there is none."""
        if wanted.table is None or wanted.seat is None or wanted.kind in (ANNOUNCEMENT, MAINTENANCE):
            return None
        seats = (await self._lobby.find(wanted.table)).state.seats
        return seats[wanted.seat] if wanted.seat < len(seats) and seats[wanted.seat].guest else None

    def _subject(self, wanted: wire.GiveOrder, seat: Seat | None) -> str:
        """Return whom an order concerns; raises BadOptions if that is not clear."""
        if wanted.kind in (ANNOUNCEMENT, MAINTENANCE):
            return ""
        if wanted.table is not None and wanted.seat is not None:
            if seat is not None and seat.guest:
                return guest_mark(seat.guest)
        elif wanted.guest is not None and wanted.guest.startswith("guest:"):
            return wanted.guest
        elif wanted.network is not None and wanted.kind == BAN:
            return _network(wanted.network)
        raise BadOptions(Message("bad_order", {}, "admin"))

    @for_host
    async def revoke_order(self, request: web.Request) -> web.Response:
        revoked = await self._lobby.order_book.revoke(request.match_info["order"])
        if revoked is None:
            raise web.HTTPNotFound
        await self._note(f"end_{revoked.kind}", revoked.subject)
        return web.Response(status=204)

    @for_host
    async def close_table(self, request: web.Request) -> web.Response:
        """End a table for good; its viewers are told why."""
        reason = _printable(wire.decode_closing(await read_body(request)).reason)
        id = request.match_info["table"]
        await self._lobby.close_table(id, reason, self._lobby.services.date() + IDLE_EXPIRY)
        await self._note("close", id, reason)
        return web.Response(status=204)

    @for_host
    async def remove_name(self, request: web.Request) -> web.Response:
        """Replace a player's name by a neutral one."""
        seat = wire.decode_report(await read_body(request)).seat
        table = await self._lobby.find(request.match_info["table"])
        if seat >= len(table.state.seats) or table.state.seats[seat].kind != PERSON:
            raise BadOptions(Message("nobody_to_report"))
        await table.change(partial(at_seat_of, token=table.state.seats[seat].token, step=remove_name))
        await self._note("rename", table.id, str(seat + 1))
        return web.Response(status=204)

    @for_host
    async def delete_report(self, request: web.Request) -> web.Response:
        await self._lobby.order_book.delete_report(request.match_info["report"])
        await self._note("done")
        return web.Response(status=204)

    @for_host
    async def issue_bot(self, request: web.Request) -> web.Response:
        """Make a bot account; only this response has its token."""
        account, token = await self._lobby.bot_accounts.issue(wire.decode_bot(await read_body(request)).name)
        await self._note("issue_bot", account.id, account.name)
        return json_response({"bot": account.id, "name": account.name, "token": token}, 201)

    @for_host
    async def revoke_bot(self, request: web.Request) -> web.Response:
        """End a bot account: its connections are closed on every server."""
        if not await self._lobby.bot_accounts.revoke(request.match_info["bot"]):
            raise web.HTTPNotFound
        await self._note("revoke_bot", request.match_info["bot"])
        return web.Response(status=204)

    async def _note(self, action: str, subject: str = "", detail: str = "") -> None:
        await self._lobby.order_book.note(action, subject, detail)


async def _loop_delay() -> float:
    """Return by how many seconds the event loop is late now."""
    began = time.monotonic()
    await asyncio.sleep(PROBE)
    return max(0.0, time.monotonic() - began - PROBE)


def _network(words: str) -> str:
    """Return a network that may be banned, in its usual spelling; raises BadOptions."""
    try:
        found = ip_network(words.strip(), strict=False)
    except ValueError:
        raise BadOptions(Message("bad_network", {}, "admin")) from None
    if found.version == 6 and found.prefixlen == 128:
        found = ip_network((int(found.network_address), 64), strict=False)
    if found.prefixlen not in PREFIX_LENGTHS[found.version]:
        raise BadOptions(Message("bad_network", {}, "admin"))
    return str(found)


def _printable(words: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())
