"""What one viewer is shown over a line: whatever is new, at once; and to who is slow, only the newest."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

from aiohttp import WSCloseCode

from gramy.messages import to_builtins
from gramy.table.services import Viewer, unheard
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.line import Line
from gramy.web.metrics import Metrics

LOG = logging.getLogger("gramy.web")


class Screen:
    """Sends a viewer's news. While the line is busy nothing is made: what is new meanwhile is one snapshot, when it is
    free again."""

    __slots__ = ("_line", "_loop", "_metrics", "_table", "viewer")

    def __init__(self, line: Line, table: Table, seat: int | None, metrics: Metrics) -> None:
        self._line, self._table, self._metrics = line, table, metrics
        self._loop = asyncio.get_running_loop()
        self.viewer = Viewer(seat, self._soon)

    def close(self) -> None:
        """Show nothing more."""
        self.viewer.notify = unheard  # it points here: now nothing holds the other any more

    def _soon(self) -> None:
        """After whatever is being done: by then there may be an answer to tell, too."""
        self._loop.call_soon(self.show)

    def show(self) -> None:
        """What is new, if the line takes it."""
        if not self.viewer.fresh or self._line.busy or self._line.closed:
            return
        try:
            for body in self._news():
                self._line.send(body)
        except Exception:
            LOG.exception("a viewer could not be told")
            self._line.close(WSCloseCode.INTERNAL_ERROR, b"come again")

    def _news(self) -> Iterator[bytes]:
        """Everything that is new, the answers to commands first."""
        viewer = self.viewer
        viewer.fresh = False
        while viewer.refusals:
            id, message = viewer.refusals.pop(0)
            yield self._encoded({"type": "refused", "id": id, "message": message})
        while viewer.hints:
            id, hint = viewer.hints.pop(0)
            yield self._encoded({"type": "hint", "id": id, "at": hint.at, **to_builtins(hint.advice)})
        yield self._encoded(self._table.snapshot(viewer))

    def _encoded(self, message: dict[str, Any]) -> bytes:
        body = wire.encode(message)
        self._metrics.sent(len(body))
        return body
