"""Handlers that list, open, show and join tables, draw invitations, and delete a guest's data."""

from __future__ import annotations

import io

import segno
from aiohttp import web

from gramy.messages import Message
from gramy.table.clock import TimeControl
from gramy.table.lobby import Lobby
from gramy.table.names import nickname
from gramy.table.state import Refused
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.blocks import AddressBlocks
from gramy.web.limits import Limits, Meter
from gramy.web.responses import json_response, read_body
from gramy.web.visitor import Guests, check_rate


class TablesApi:
    """Tables before and beside the WebSocket."""

    def __init__(self, lobby: Lobby, guests: Guests, limits: Limits, blocks: AddressBlocks) -> None:
        self._lobby, self._guests, self._blocks = lobby, guests, blocks
        self._meter = Meter("table", limits)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/tables", self.list_public),
            web.post("/api/tables", self.open),
            web.get("/api/tables/{table}", self.show),
            web.post("/api/tables/{table}/join", self.join),
            web.get("/api/tables/{table}/qr.svg", self.qr),
            web.delete("/api/guest", self.delete_guest),
        ]

    async def list_public(self, request: web.Request) -> web.Response:
        return json_response(await self._lobby.listed())

    async def open(self, request: web.Request) -> web.Response:
        check_rate(self._meter, request)
        wanted = wire.decode_open(await read_body(request))
        guest = self._guests.get_or_create(request)
        seats = [None if seat is None else seat.bot for seat in wanted.seats]
        control = TimeControl(wanted.clock.minutes, wanted.clock.seconds) if wanted.clock else None
        table, seat, token = await self._lobby.open(
            wanted.game, wanted.options, seats, wanted.public, control, wanted.name, guest
        )
        return self._seated(request, guest, table, seat, token)

    async def show(self, request: web.Request) -> web.Response:
        return json_response((await self._find(request)).summary())

    async def join(self, request: web.Request) -> web.Response:
        check_rate(self._meter, request)
        wanted = wire.decode_join(await read_body(request))
        table = await self._find(request)
        guest = self._guests.get_or_create(request)
        if self._blocks.has(table.id, request.remote) and table.state.seat_of(None, guest) is None:
            raise Refused(Message("removed_from_table"))
        seat, token = await table.sit(nickname(wanted.name), guest, wanted.seat, wanted.key)
        return self._seated(request, guest, table, seat, token)

    def _seated(self, request: web.Request, guest: str, table: Table, seat: int, token: str) -> web.Response:
        """Return the response to a guest who took a seat, with the commitment that precedes their client seed."""
        commitment = table.state.deals[0].commitment
        body = {"table": table.id, "seat": seat, "token": token, "commitment": commitment}
        return self._guests.set_cookie(request, json_response(body, 201), guest)

    async def qr(self, request: web.Request) -> web.Response:
        """Return the invitation link as a QR code."""
        table = await self._find(request)
        drawn = io.BytesIO()
        address = f"{request.scheme}://{request.host}/t/{table.id}"
        segno.make(address, error="m").save(drawn, kind="svg", scale=8, border=2, xmldecl=False, light="#fff")
        return web.Response(body=drawn.getvalue(), content_type="image/svg+xml")

    async def delete_guest(self, request: web.Request) -> web.Response:
        """Delete the data of the cookie's guest, who leaves every table; without a cookie do nothing."""
        check_rate(self._meter, request)
        if (guest := self._guests.get(request)) is not None:
            await self._lobby.forget(guest)
        return self._guests.delete_cookie(request, web.Response(status=204))

    async def _find(self, request: web.Request) -> Table:
        return await self._lobby.find(request.match_info["table"])
