"""Readiness: whether the store can be written and the bus is heard. `/health` says only that the process runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from gramy.table.lobby import Lobby
from gramy.web.metrics import Metrics
from gramy.web.responses import json_response

LOG = logging.getLogger("gramy.ready")
VALID = 2.0
"""Seconds for which an answer is given again, so that requests cannot make the server write more often."""
DEADLINE = 2.0
"""Seconds that the store and the bus have to answer."""
CHECK_EVERY = 5.0
LOST = {"store": "the store cannot be written", "bus": "the bus is not heard"}
FOUND = {"store": "the store can be written again", "bus": "the bus is heard again"}


class Readiness:
    """Writes to the store and listens to the bus every few seconds; answers `/ready`."""

    def __init__(self, lobby: Lobby, metrics: Metrics) -> None:
        self._lobby, self._metrics = lobby, metrics
        self._working: dict[str, bool] = {}
        self._checked_at = float("-inf")
        self._checking: asyncio.Future[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/ready", self.ready)]

    async def start(self, app: web.Application) -> None:
        """Check now and then, so that a loss is logged and counted although nobody asks."""
        self._watching = asyncio.create_task(self._watch())

    async def close(self, app: web.Application) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching

    async def ready(self, request: web.Request) -> web.Response:
        """Return 200 if everything works, otherwise 503; the body names the parts."""
        await self._check()
        parts = {part: "ok" if works else "failed" for part, works in self._working.items()}
        if not self._lobby.services.bus.shared:
            parts["bus"] = "none"
        works = all(self._working.values())
        return json_response({"ready": works, **parts}, 200 if works else 503)

    async def _watch(self) -> None:
        while True:
            await self._check()
            await asyncio.sleep(CHECK_EVERY)

    async def _check(self) -> None:
        """Check both parts, unless that was done a moment ago; requests at the same time share one check."""
        loop = asyncio.get_running_loop()
        if self._checking is None and loop.time() - self._checked_at >= VALID:
            self._checking = asyncio.ensure_future(self._check_parts())
            self._checking.add_done_callback(self._checked)
        if self._checking is not None:
            await asyncio.shield(self._checking)

    def _checked(self, done: asyncio.Future[None]) -> None:
        self._checking, self._checked_at = None, asyncio.get_running_loop().time()

    async def _check_parts(self) -> None:
        services = self._lobby.services
        await asyncio.gather(self._try("store", services.store.probe), self._try("bus", services.bus.echo))

    async def _try(self, part: str, attempt: Callable[[], Awaitable[None]]) -> None:
        """Try one part; log and export when it was lost or found."""
        why = ""
        try:
            await asyncio.wait_for(attempt(), DEADLINE)
        except Exception as error:  # whatever it is, the part does not work
            why = str(error) or type(error).__name__
        works = not why
        if self._working.get(part, True) != works:
            LOG.log(logging.WARNING if works else logging.ERROR, (FOUND if works else LOST)[part], extra={"why": why})
        self._working[part] = works
        self._metrics.set_ready(part, works)
