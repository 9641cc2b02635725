"""What one viewer is shown over a socket: whatever is new, at once; and to who is slow, only the newest."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Iterator
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from gramy.game import plain
from gramy.table.surroundings import Viewer, unheard
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.metrics import Metrics

LOG = logging.getLogger("gramy.web")
AT_ONCE = 32 * 1024
"""Bytes that a free line always takes without waiting: half of what a transport buffers before it asks for a pause."""


class Screen:
    """Sends a viewer's news. While the line is free nothing waits, so no task is needed; when it is not, a task waits
    for it, and what is new meanwhile is one snapshot."""

    __slots__ = ("_loop", "_metrics", "_request", "_socket", "_table", "_work", "viewer")

    def __init__(
        self, request: web.Request, socket: web.WebSocketResponse, table: Table, seat: int | None, metrics: Metrics
    ) -> None:
        self._request, self._socket, self._table, self._metrics = request, socket, table, metrics
        self._loop = asyncio.get_running_loop()
        self._work: asyncio.Task[None] | None = None
        self.viewer = Viewer(seat, self._soon)

    def close(self) -> None:
        """Show nothing more."""
        self.viewer.notify = unheard  # it points here: now nothing holds the other any more
        if self._work is not None:
            self._work.cancel()

    def _soon(self) -> None:
        """After whatever is being done: by then there may be an answer to tell, too."""
        self._loop.call_soon(self._show)

    def _show(self) -> None:
        if self._work is not None or self._socket.closed:
            return
        line = self._request.transport
        if line is None or line.get_write_buffer_size():
            self._work = self._loop.create_task(self._show_when_free())
            return
        try:
            news = list(self._news())
            if sum(map(len, news)) > AT_ONCE:
                self._work = self._loop.create_task(self._show_when_free(news))
                return
            for body in news:
                _at_once(self._socket.send_frame(body, WSMsgType.TEXT))
        except Exception as error:
            self._work = self._loop.create_task(self._give_up(error))

    async def _show_when_free(self, news: Iterable[bytes] = ()) -> None:
        """These news, then whatever has become new meanwhile."""
        try:
            for body in news:
                await self._socket.send_frame(body, WSMsgType.TEXT)
            while self.viewer.fresh and not self._socket.closed:
                for body in self._news():
                    await self._socket.send_frame(body, WSMsgType.TEXT)
            self._work = None
        except Exception as error:
            await self._give_up(error)

    async def _give_up(self, error: Exception) -> None:
        """Nothing more can be shown here; where the viewer is gone already, the reader notices too."""
        if not isinstance(error, ConnectionError):
            LOG.error("a viewer could not be told", exc_info=error)
            await self._socket.close(code=WSCloseCode.INTERNAL_ERROR, message=b"come again")

    def _news(self) -> Iterator[bytes]:
        """Everything that is new, the answers to commands first."""
        viewer = self.viewer
        viewer.fresh = False
        while viewer.refusals:
            id, message = viewer.refusals.pop(0)
            yield self._encoded({"type": "refused", "id": id, "message": message})
        while viewer.hints:
            id, hint = viewer.hints.pop(0)
            yield self._encoded({"type": "hint", "id": id, "at": hint.at, **plain(hint.advice)})
        yield self._encoded(self._table.snapshot(viewer))

    def _encoded(self, message: dict[str, Any]) -> bytes:
        body = wire.encode(message)
        self._metrics.sent(len(body))
        return body


def _at_once(sending: Coroutine[Any, Any, None]) -> None:
    """Run what does not wait, without the task that a waiting sender would be: that is 5 µs of a move's 200."""
    try:
        sending.send(None)
    except StopIteration:
        return
    sending.close()
    raise RuntimeError("the line was free, and sending waited")
