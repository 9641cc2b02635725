"""One WebSocket for each viewer: commands in, snapshots out, and a flag in between that something is new."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from gramy.game import Message, plain
from gramy.table.lobby import Lobby
from gramy.table.surroundings import Viewer
from gramy.table.table import NO_LUCK, Table
from gramy.web import wire
from gramy.web.limits import Bucket, Buckets, Limits
from gramy.web.metrics import Metrics
from gramy.web.visitor import counted_by

LOG = logging.getLogger("gramy.web")
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
                    await self._watch(socket, address, table, Viewer(seat), hello.luck or NO_LUCK)
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
        self, socket: web.WebSocketResponse, address: str, table: Table, viewer: Viewer, luck: str
    ) -> None:
        table.enter(viewer, luck)
        sending = asyncio.create_task(self._send(socket, table, viewer))
        rate = self.limits.commands_a_second
        bucket = Bucket(2 * rate, rate, time.monotonic())
        hinting: asyncio.Task[None] | None = None
        try:
            async for frame in socket:
                allowed = bucket.take(time.monotonic()) and self._asking.take(address)
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
                    began = time.perf_counter()
                    await table.command(viewer, said.id, do)
                    self.metrics.answered(time.perf_counter() - began)
        finally:
            table.exit(viewer)
            for task in (sending, hinting):
                if task is not None:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)

    async def _send(self, socket: web.WebSocketResponse, table: Table, viewer: Viewer) -> None:
        """The mailbox of one: whenever something is new, send what there is now."""
        try:
            while not socket.closed:
                await viewer.fresh.wait()
                viewer.fresh.clear()
                while viewer.refusals:
                    id, message = viewer.refusals.popleft()
                    await self._put(socket, {"type": "refused", "id": id, "message": message})
                while viewer.hints:
                    id, hint = viewer.hints.popleft()
                    await self._put(socket, {"type": "hint", "id": id, "at": hint.at, **plain(hint.advice)})
                await self._put(socket, table.snapshot(viewer))
        except ConnectionError:
            pass  # it is gone; the reader notices too
        except Exception:
            LOG.exception("a viewer could not be told")
            await socket.close(code=WSCloseCode.INTERNAL_ERROR, message=b"come again")

    async def _put(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        body = wire.encode(message)
        self.metrics.sent(len(body))
        await socket.send_frame(body, WSMsgType.TEXT)

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
            return lambda seat: table.ask_rematch(seat, said.luck or NO_LUCK)
        case wire.Leave():
            return table.leave
    return None
