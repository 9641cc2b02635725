"""One WebSocket for each viewer: commands in; `screen.py` sends what comes of them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from gramy.game import Message
from gramy.table.beginning import NO_LUCK, ask_again
from gramy.table.lobby import Lobby
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.limits import Bucket, Buckets, Limits
from gramy.web.metrics import Metrics
from gramy.web.screen import Screen
from gramy.web.visitor import counted_by

LARGEST_FRAME = 4 * 1024
HELLO_WITHIN = 10.0
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What a body or a frame that is not ours can raise."""


class Sockets:
    """All viewers that are connected to this server."""

    def __init__(self, lobby: Lobby, metrics: Metrics, limits: Limits) -> None:
        self.lobby, self.metrics, self.limits = lobby, metrics, limits
        self._open: set[web.WebSocketResponse] = set()
        self._from: Counter[str] = Counter()  # how many an address has
        rate = 10 * limits.commands_a_second
        self._asking = Buckets(2 * rate, rate, time.monotonic)

    async def serve(self, request: web.Request, guest: str | None) -> web.StreamResponse:
        """A viewer from the handshake to the end. The seat comes from the token or the guest, never from a message."""
        name, address = request.match_info["table"], counted_by(request.remote)
        await self.lobby.find(name)
        if self._from[address] >= self.limits.sockets_an_address:
            raise web.HTTPTooManyRequests
        socket = web.WebSocketResponse(max_msg_size=LARGEST_FRAME, heartbeat=25, compress=False)
        self._from[address] += 1
        try:
            await socket.prepare(request)
            self._open.add(socket)
            if (hello := await self._hello(socket)) is not None:
                table = await self.lobby.find(name)  # again: it may have been unloaded while we waited
                seat = await table.seated(hello.token, guest)
                if seat is None and self._crowded(table):
                    await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too many are watching")
                else:
                    screen = Screen(request, socket, table, seat, self.metrics)
                    await self._watch(socket, address, table, screen, hello.luck or NO_LUCK)
        finally:
            self._open.discard(socket)
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]
        return socket

    def _crowded(self, table: Table) -> bool:
        """Whether nobody else may watch; players always may."""
        return sum(viewer.seat is None for viewer in table.viewers) >= self.limits.viewers_a_table

    async def _hello(self, socket: web.WebSocketResponse) -> wire.Hello | None:
        try:
            first = await socket.receive(timeout=HELLO_WITHIN)
            said = wire.decode_incoming(first.data) if first.type == WSMsgType.TEXT else None
        except (TimeoutError, *UNREADABLE):
            said = None
        if isinstance(said, wire.Hello):
            return said
        await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"hello expected")
        return None

    async def _watch(
        self, socket: web.WebSocketResponse, address: str, table: Table, screen: Screen, luck: str
    ) -> None:
        viewer, rate = screen.viewer, self.limits.commands_a_second
        table.enter(viewer, luck)
        bucket = Bucket(2 * rate, rate, time.monotonic())
        hinting: asyncio.Task[None] | None = None
        try:
            async for frame in socket:
                now = time.monotonic()
                allowed = bucket.take(now) and self._asking.take(address, now)
                if frame.type != WSMsgType.TEXT or not allowed:
                    await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too fast, or not text")
                    break
                try:
                    said = wire.decode_incoming(frame.data)
                except UNREADABLE:
                    await socket.close(code=WSCloseCode.UNSUPPORTED_DATA, message=b"not a message of this protocol")
                    break
                if isinstance(said, wire.Hint) and (hinting is None or hinting.done()):
                    hinting = asyncio.create_task(table.hint(viewer, said.id))  # one at a time, beside everything else
                elif (do := _command(table, said)) is not None:
                    await table.command(viewer, said.id, do)
                    self.metrics.answered(time.monotonic() - now)
        finally:
            table.exit(viewer)
            screen.close()
            if hinting is not None:
                hinting.cancel()
                await asyncio.gather(hinting, return_exceptions=True)

    async def goodbye(self) -> None:
        """Tell everybody that the server stops and when to come back."""
        bye = wire.encode({"type": "bye", "message": Message("server_restarts"), "again_in": 2.0}).decode()
        for socket in list(self._open):
            with contextlib.suppress(ConnectionError):
                await socket.send_str(bye)
            await socket.close(code=WSCloseCode.SERVICE_RESTART, message=b"restart")


def _command(table: Table, said: wire.Incoming) -> Callable[[int], Awaitable[None]] | None:
    """What a message asks the table to do for a seat; a second hello asks for nothing."""
    match said:
        case wire.Move():
            return lambda seat: table.play(seat, said.at, said.move, said.round)
        case wire.Undo():
            return lambda seat: table.play(seat, said.at, "undo", said.round)
        case wire.Say():
            return lambda seat: table.say(seat, said.phrase, said.at, said.round)
        case wire.Vanished():
            return lambda seat: table.decide(seat, said.seat, said.choice)
        case wire.Rematch():
            return lambda seat: ask_again(table, seat, said.luck or NO_LUCK)
        case wire.Leave():
            return table.leave
    return None
