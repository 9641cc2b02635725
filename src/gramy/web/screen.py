"""Sends snapshots to one viewer. A slow client gets only the latest."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

from aiohttp import WSCloseCode

from gramy.contract import Message
from gramy.messages import to_builtins
from gramy.table.hints import Hint
from gramy.table.snapshot import NOTHING_SEEN
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.line import Line
from gramy.web.metrics import Metrics

LOG = logging.getLogger("gramy.web")
UNSENT = 64
"""How many answers are kept for a client that does not read: more than it may ask for at once."""


class Screen:
    """A viewer of a table. While the connection is busy nothing is made: one snapshot follows when it is free again."""

    __slots__ = (
        "_answers",
        "_closed",
        "_dirty",
        "_hints",
        "_line",
        "_loop",
        "_metrics",
        "_refusals",
        "_seen",
        "_table",
        "seat",
    )

    def __init__(self, line: Line, table: Table, seat: int | None, metrics: Metrics) -> None:
        self._line, self._table, self._metrics, self.seat = line, table, metrics, seat
        self._loop = asyncio.get_running_loop()
        self._closed = self._dirty = False
        self._seen = NOTHING_SEEN
        self._answers: list[str] = []
        self._refusals: list[tuple[str, Message]] = []
        self._hints: list[tuple[str, Hint]] = []

    def close(self) -> None:
        """Send nothing more."""
        self._closed = True

    def unseat(self) -> None:
        self.seat = None

    def notify(self) -> None:
        """Send a snapshot after the current event, together with the answers that it brings."""
        if not self._dirty and not self._closed:
            self._dirty = True
            self._loop.call_soon(self.show)

    def answer(self, id: str, refused: Message | None) -> None:
        """Answer a command."""
        if refused is None:
            self._answers.append(id)
            del self._answers[:-UNSENT]
        else:
            self._refusals.append((id, refused))
            del self._refusals[:-UNSENT]
        self.notify()

    def advise(self, id: str, hint: Hint) -> None:
        """Answer a request for a hint."""
        self._hints.append((id, hint))
        del self._hints[:-UNSENT]
        self.notify()

    def show(self) -> None:
        """Send what is new, if the connection takes it."""
        if not self._dirty or self._line.busy or self._line.closed:
            return
        try:
            for body in self._news():
                self._line.send(body)
        except Exception:
            LOG.exception("a snapshot could not be sent")
            self._line.close(WSCloseCode.INTERNAL_ERROR, b"come again")

    def _news(self) -> Iterator[bytes]:
        self._dirty = False
        while self._refusals:
            id, message = self._refusals.pop(0)
            yield self._encoded({"type": "refused", "id": id, "message": message})
        while self._hints:
            id, hint = self._hints.pop(0)
            yield self._encoded({"type": "hint", "id": id, "at": hint.at, **to_builtins(hint.advice)})
        answers, self._answers = self._answers, []
        body = self._encoded({**self._table.snapshot(self.seat, self._seen), "answers": answers})
        self._seen = self._table.seen()
        yield body

    def _encoded(self, message: dict[str, Any]) -> bytes:
        body = wire.encode(message)
        self._metrics.count_message(len(body))
        return body
