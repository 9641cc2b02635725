"""Connections: shares out the file descriptors of the process, so that people at tables always get one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from gramy.system import descriptor_limit
from gramy.web.metrics import Metrics
from gramy.web.rare_log import RareLog

RARE = RareLog(logging.getLogger("gramy.web"))
OWN_FILES = 100
"""Descriptors for the database, the bots' processes and everything else that is no visitor's connection."""
MOST_HTTP = 4_000
"""HTTP connections, however many descriptors there are: each holds about 15 kB."""


class DescriptorShares(NamedTuple):
    """How many connections of each kind may be open. Their sum leaves OWN_FILES."""

    http: int  # connections without a WebSocket
    watching: int  # WebSockets while there may be more spectators
    sockets: int  # all WebSockets

    @classmethod
    def of(cls, limit: int) -> DescriptorShares:
        """Return the shares of a limit of descriptors: a quarter for HTTP, half before spectators are refused."""
        usable = max(limit - OWN_FILES, limit // 2)
        return cls(min(usable // 4, MOST_HTTP), usable // 2, usable * 3 // 4)


class Connections:
    """The open connections of a server. Beyond their share, the oldest idle HTTP connection is closed for a new one."""

    def __init__(self, metrics: Metrics) -> None:
        self._shares = DescriptorShares.of(descriptor_limit())
        self.metrics = metrics
        self._busy: set[RequestHandler] = set()

    @contextlib.contextmanager
    def answering(self, request: web.Request) -> Iterator[None]:
        """Mark the connection of a request as busy inside a `with` block."""
        self._busy.add(request.protocol)
        try:
            yield
        finally:
            self._busy.discard(request.protocol)

    def factory(self, server: web.Server) -> Callable[[], asyncio.Protocol]:
        """Return a function that makes the protocol of each new connection, as `create_server` needs it."""

        def make() -> asyncio.Protocol:
            open_now = [one for one in server.connections if one.transport is not None]
            if len(open_now) >= self._shares.http:
                next((one for one in open_now if one not in self._busy), open_now[0]).force_close()
                self._refuse("connection", "an idle connection was closed: too many are open", len(open_now))
            return server()

        return make

    def has_room(self, sockets: int, seated: bool) -> bool:
        """Return whether one more WebSocket may be opened: by a player longer than by a spectator."""
        if sockets < (self._shares.sockets if seated else self._shares.watching):
            return True
        self._refuse("player" if seated else "spectator", "a socket was refused: too many are open", sockets)
        return False

    def _refuse(self, kind: str, event: str, count: int) -> None:
        self.metrics.count_refused(kind)
        RARE.warning(event, kind=kind, of=kind, open=count)
