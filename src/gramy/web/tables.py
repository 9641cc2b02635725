"""Handlers that list, open, show and join tables, draw invitations, and delete a guest's data."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from aiohttp import web

from gramy.messages import Message
from gramy.table.lobby import Lobby
from gramy.table.snapshot import deal_payload
from gramy.table.state import Refused
from gramy.table.table import Table
from gramy.table.threads import in_thread
from gramy.web import wire
from gramy.web.blocks import AddressBlocks
from gramy.web.commands import time_control
from gramy.web.hosts import Hosts, is_this_machine
from gramy.web.limits import Limits, Meter, Scopes
from gramy.web.quotas import FreeDisk, TableQuotas
from gramy.web.responses import json_response, read_body
from gramy.web.visitor import Guests, bot_of, check_rate, scopes_of

MAX_DRAWN = 500
"""QR codes that are kept, 2 to 8 kB each."""


def draw_qr(link: str) -> bytes:
    """Return a link as a QR code in SVG. The longest host that passes takes about 40 ms, so run it in a thread."""
    drawn = io.BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=8, border=2, xmldecl=False, light="#fff")
    return drawn.getvalue()


class TablesApi:
    """Tables before and beside the WebSocket."""

    def __init__(
        self,
        lobby: Lobby,
        guests: Guests,
        limits: Limits,
        hosts: Hosts,
        blocks: AddressBlocks,
        disk: FreeDisk | None,
    ) -> None:
        self._lobby, self._guests, self._hosts, self._blocks = lobby, guests, hosts, blocks
        self._drawn: dict[str, bytes] = {}  # QR codes by their links
        self._drawing_meter = Meter("replay", limits)
        self._meters = Meter("table", limits), Meter("table_today", limits)
        self._bot_meters = Meter("bot_table", limits), Meter("bot_table_today", limits)
        self._quotas = TableQuotas(lobby, limits, disk)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/tables", self.list_public),
            web.post("/api/tables", self.open),
            web.get("/api/tables/{table}", self.show),
            web.post("/api/tables/{table}/join", self.join),
            web.get("/api/tables/{table}/qr.svg", self.qr),
            web.get("/api/address", self.address),
            web.delete("/api/guest", self.delete_guest),
        ]

    async def list_public(self, request: web.Request) -> web.Response:
        return json_response(await self._lobby.listed(self._quotas.network_of))

    async def open(self, request: web.Request) -> web.Response:
        scopes = self._check_rates(request)
        wanted = wire.decode_open(await read_body(request))
        await self._quotas.check_opening(scopes)
        await self._quotas.check_sitting(scopes.get("guest"))
        guest = self._guests.get_or_create(request)
        seats = [None if seat is None else seat.bot for seat in wanted.seats]
        table, seat, token = await self._lobby.open(
            wanted.game,
            wanted.options,
            seats,
            wanted.public,
            time_control(wanted.clock),
            self._name(request, wanted),
            guest,
        )
        self._quotas.count_opened(table.id, scopes_of(request.remote))
        return self._seated(request, guest, table, seat, token)

    async def show(self, request: web.Request) -> web.Response:
        return json_response((await self._find(request)).summary())

    async def join(self, request: web.Request) -> web.Response:
        wanted = wire.decode_join(await read_body(request))
        return await self.sit_down(request, request.match_info["table"], wanted)

    async def sit_down(self, request: web.Request, id: str, wanted: wire.JoinTable) -> web.Response:
        """Give the sender of a request a seat at a table; return the response."""
        scopes = self._check_rates(request)
        table = await self._lobby.find(id)
        guest = self._guests.get_or_create(request)
        if table.state.seat_of(None, guest) is None:  # otherwise perhaps only the answer was lost
            await self._quotas.check_sitting(scopes.get("guest"))
            if self._blocks.has(table.id, request.remote):
                raise Refused(Message("removed_from_table"))
        name = self._lobby.admit(guest, self._name(request, wanted))
        another = wanted.another_seat and bot_of(request) is None
        seat, token = await table.sit(name, guest, wanted.seat, wanted.key, another=another)
        if (bot := bot_of(request)) is not None:
            await self._lobby.challenges.close_at(bot.id, table.id)
        return self._seated(request, guest, table, seat, token)

    @staticmethod
    def _name(request: web.Request, wanted: wire.OpenTable | wire.JoinTable) -> str:
        """Return the name that a guest has chosen; a bot has the one that the host gave it."""
        bot = bot_of(request)
        return wanted.name if bot is None else bot.name

    def _seated(self, request: web.Request, guest: str, table: Table, seat: int, token: str) -> web.Response:
        """Return the response to a guest who took a seat, with what their client commits to a client seed for."""
        now = table.state
        body = {"table": table.id, "seat": seat, "token": token, "round": now.round, "deal": deal_payload(now)}
        response = json_response(body, 201)
        self._guests.set_cookie(request, response, guest)
        return response

    async def qr(self, request: web.Request) -> web.Response:
        """Return the invitation link as a QR code."""
        table = await self._find(request)
        link = f"{self._hosts.address(request.scheme, request.host)}/t/{table.id}"
        if (drawn := self._drawn.get(link)) is None:
            check_rate(self._drawing_meter, request)
            drawn = self._drawn[link] = await in_thread(draw_qr, link)
            while len(self._drawn) > MAX_DRAWN:
                del self._drawn[next(iter(self._drawn))]
        return web.Response(body=drawn, content_type="image/svg+xml")

    async def address(self, request: web.Request) -> web.Response:
        """Return the address by which others reach this server, and whether only this machine can open it."""
        address = self._hosts.address(request.scheme, request.host)
        return json_response({"address": address, "only_here": is_this_machine(urlsplit(address).netloc)})

    async def delete_guest(self, request: web.Request) -> web.Response:
        """Delete the data of the cookie's guest, who leaves every table; without a cookie do nothing."""
        check_rate(self._meters[0], request)
        if bot_of(request) is not None:
            raise Refused(Message("bot_keeps_name"))
        if (guest := self._guests.get(request)) is not None:
            await self._lobby.forget(guest)
        response = web.Response(status=204)
        self._guests.delete_cookie(request, response)
        return response

    def _check_rates(self, request: web.Request) -> Scopes:
        """Count a table that is opened or joined; return the visitor's scopes or raise HTTPTooManyRequests."""
        scopes = scopes_of(request.remote, self._guests.get(request))
        meters = self._meters if bot_of(request) is None else self._bot_meters
        if not all(meter.take(scopes) for meter in meters):
            raise web.HTTPTooManyRequests
        return scopes

    async def _find(self, request: web.Request) -> Table:
        return await self._lobby.find(request.match_info["table"])
