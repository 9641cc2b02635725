"""Session: one viewer of a table over one WebSocket."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aiohttp import WSCloseCode

from gramy.errors import GramyError
from gramy.messages import Message, to_builtins
from gramy.table.hints import Hint, hint
from gramy.table.seat import is_bot_guest
from gramy.table.snapshot import NOTHING_SEEN
from gramy.table.store import StoreUnavailable
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.bans import command_refusal, refusal
from gramy.web.commands import step_for
from gramy.web.limits import TokenBucket, take_all
from gramy.web.rare_log import RareLog
from gramy.web.visitor import scopes_of
from gramy.web.websocket import WebSocketConnection

if TYPE_CHECKING:  # the two refer to each other
    from gramy.web.sessions import Sessions

LOG = logging.getLogger("gramy.web")
RARE = RareLog(LOG)
PROTOCOL = 3
"""The version of docs/protocol.md."""
UNSUPPORTED_PROTOCOL = 4000
"""The close code for clients that use another version."""
REMOVED, REMOVED_REASON = 4001, "the opener of the table has removed this guest"
"""The close code and reason for guests who may not come back."""
EXPELLED = 4002
"""The close code for clients that the host has banned, or whose table was closed: they need not reconnect."""
LINES = (wire.Move, wire.Say, wire.Undo)
"""The commands that add a line to the log."""
TALK = (wire.Say, wire.Undo, wire.Rename)
"""The commands that show something to others without end: a player may send only a few in a minute."""
MAX_MESSAGE_SIZE = 4 * 1024
HELLO_TIMEOUT = 10.0
ENTER_TIMEOUT = 3.0
"""Seconds that the store may take to confirm a table before its first snapshot."""
MAX_QUEUED = 16
"""Messages that may wait for the ones before them; beyond that the server stops reading."""
MAX_UNSENT = 64
"""Answers that are kept for a client that does not read: more than a client may send at once."""


class Session(WebSocketConnection):
    """One viewer of a table. Turns messages into commands, and sends answers and snapshots.

    A session holds what its client has not been sent yet. While the client does not read, nothing is sent; then it gets
    all answers and only the latest snapshot. At rest a session has no task and no timer.
    """

    __slots__ = (
        "_answered",
        "_buckets",
        "_dirty",
        "_hello_timer",
        "_hint_task",
        "_hints",
        "_line_buckets",
        "_pause_sent",
        "_protocol_sent",
        "_queue",
        "_refusals",
        "_seen",
        "_sessions",
        "_table",
        "_worker",
        "address",
        "guest",
        "seat",
        "table_id",
    )

    def __init__(self, sessions: Sessions, table_id: str, guest: str | None, address: str | None) -> None:
        super().__init__(MAX_MESSAGE_SIZE)
        self._sessions, self.table_id, self.guest, self.address = sessions, table_id, guest, address
        rate = sessions.limits.commands_a_second
        own = TokenBucket(2 * rate, rate, time.monotonic())
        self._buckets = (own, *sessions.command_meter.buckets(scopes_of(address)))
        lines = sessions.bot_line_meter if is_bot_guest(guest) else sessions.line_meter
        self._line_buckets = tuple(lines.buckets(self.scopes))
        self._table: Table | None = None  # until the hello
        self.seat: int | None = None
        self._dirty = False  # something has changed since the last snapshot
        self._answered: list[str] = []  # ids of commands that were executed
        self._refusals: list[tuple[str, Message]] = []
        self._hints: list[tuple[str, Hint]] = []
        self._seen = NOTHING_SEEN
        self._pause_sent = False
        self._protocol_sent = False
        self._queue: list[bytes | None] = []
        self._worker: asyncio.Task[None] | None = None
        self._hint_task: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()
        self._hello_timer: asyncio.TimerHandle | None = loop.call_later(HELLO_TIMEOUT, self._reject_missing_hello)

    @property
    def scopes(self) -> dict[str, str]:
        """The scopes that limits count this session by."""
        return scopes_of(self.address, self.guest)

    @property
    def table(self) -> Table | None:
        """The table that it views, None before the hello and after the end."""
        return self._table

    def expel(self, message: Message) -> None:
        """Tell the client why it has to go and need not come back, and leave the table at once."""
        self.send(wire.encode({"type": "bye", "message": message, "retry_after": None}))
        self._reject(EXPELLED, "expelled")
        table, self._table = self._table, None
        if table is not None:
            table.exit(self)

    # --- called by the table ------------------------------------------------------------------------------------------

    def notify(self) -> None:
        """Send a snapshot after the current callback, so that several changes and an answer share one."""
        if not self._dirty:
            self._dirty = True
            asyncio.get_running_loop().call_soon(self._send_news)

    def move_to(self, seat: int) -> None:
        """Go on in another seat: the table has fewer players now."""
        self.seat = seat

    def unseat(self, removed: bool) -> None:
        """Go on as a spectator: the seat was given away. If its person was removed, end the connection."""
        self.seat = None
        if removed:
            self._sessions.block_address(self)
            self.end_as_removed()

    def end_as_removed(self) -> None:
        """Close the connection of a guest whom the opener of the table has removed."""
        self._reject(REMOVED, REMOVED_REASON)

    # --- called by the connection -------------------------------------------------------------------------------------

    def message_received(self, body: bytes | None) -> None:
        """Queue a message. A task handles the queue in order and ends with it."""
        self._queue.append(body)
        if self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._work())
        elif len(self._queue) == MAX_QUEUED:
            self.pause_reading()

    def writing_resumed(self) -> None:
        self._send_news()

    def connection_closed(self) -> None:
        if self._worker is None:
            self._leave()

    # --- incoming messages --------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        try:
            while self._queue:
                full = len(self._queue) >= MAX_QUEUED
                await self._handle(self._queue.pop(0))
                if full and len(self._queue) < MAX_QUEUED:
                    self.resume_reading()
        except (GramyError, StoreUnavailable, TimeoutError) as error:
            RARE.warning("a session could not enter its table", why=str(error))
            self._reject(WSCloseCode.TRY_AGAIN_LATER, "try again later")
        except Exception:
            LOG.exception("a command failed")
            self._reject(WSCloseCode.INTERNAL_ERROR, "try again later")
        finally:
            self._worker = None
            if self.lost:
                self._leave()

    async def _handle(self, body: bytes | None) -> None:
        table, now = self._table, time.monotonic()
        if table is None:
            await self._enter(body)
            return
        if body is None or not take_all(self._buckets, now):
            self._reject(WSCloseCode.POLICY_VIOLATION, "too many commands, or a binary message")
            return
        try:
            message = wire.decode_message(body)
        except wire.UNREADABLE as error:
            self._reject(WSCloseCode.UNSUPPORTED_DATA, wire.close_reason(error))
            return
        if isinstance(message, wire.HintRequest):
            if self._hint_task is not None:  # one at a time, beside the other commands
                self._answer(message.id, Message("no_hints_now"))
            else:
                self._hint_task = asyncio.create_task(self._ask_hint(table, message.id))
        elif not isinstance(message, wire.Hello):
            self._answer(message.id, await self._execute(table, message))
            self._sessions.metrics.count_command(time.monotonic() - now)

    async def _enter(self, body: bytes | None) -> None:
        """Handle the first message, which must be a hello."""
        try:
            hello = None if body is None else wire.decode_message(body)
        except wire.UNREADABLE:
            hello = None
        if not isinstance(hello, wire.Hello):
            self._reject_missing_hello()
            return
        self._stop_hello_timer()
        if hello.protocol not in (None, PROTOCOL):
            self._reject(UNSUPPORTED_PROTOCOL, f"this server supports protocol {PROTOCOL}")
            return
        try:
            async with asyncio.timeout(ENTER_TIMEOUT):
                table = await self._sessions.lobby.find(self.table_id)  # again: it may have been unloaded meanwhile
                seat = await table.seat_of(hello.token, self.guest)
        except (StoreUnavailable, TimeoutError):  # what this server has in memory may be old
            self.send(wire.encode(paused(Message("table_paused"))))
            raise
        spectators = sum(viewer.seat is None for viewer in table.viewers)
        if seat is None and spectators >= self._sessions.limits.viewers_a_table:
            self._reject(WSCloseCode.TRY_AGAIN_LATER, "too many spectators")
            return
        if seat is None and self._sessions.is_blocked(self, table):
            self.end_as_removed()
            return
        owner = None if seat is None else table.state.seats[seat].guest
        if refused := refusal(self._sessions.lobby, [owner], (), self.table_id):
            self.expel(refused)
            return
        self._table, self.seat = table, seat
        table.enter(self)

    async def _execute(self, table: Table, command: wire.Command) -> Message | None:
        """Execute a command; return None, or why it was refused."""
        if self.seat is None:
            return Message("spectators_watch")
        if isinstance(command, LINES) and not take_all(self._line_buckets, time.monotonic()):
            return Message("too_many_lines")
        if isinstance(command, wire.Move):  # the host's orders forbid no move
            return await table.command(self.seat, command.id, step_for(command, self.seat))
        if isinstance(command, TALK) and not self._sessions.may_talk(self, table.id):
            return Message("too_much_talk")
        owner = table.state.seats[self.seat].guest
        if refused := command_refusal(self._sessions.lobby, owner, command):
            return refused
        if isinstance(command, wire.Absent):
            return await table.decide(self.seat, command.id, command.seat, command.choice)
        return await table.command(self.seat, command.id, step_for(command, self.seat))

    async def _ask_hint(self, table: Table, id: str) -> None:
        try:
            self._hints.append((id, await hint(table.state, table.services, self.seat)))
            del self._hints[:-MAX_UNSENT]
            self.notify()
        except GramyError as error:
            self._answer(id, error.message)
        except Exception:
            LOG.exception("a hint failed")
            self._answer(id, Message("server_error"))
        finally:
            self._hint_task = None

    def _answer(self, id: str, refusal: Message | None) -> None:
        if refusal is None:
            self._answered.append(id)
            del self._answered[:-MAX_UNSENT]
        else:
            self._refusals.append((id, refusal))
            del self._refusals[:-MAX_UNSENT]
        self.notify()

    # --- outgoing messages --------------------------------------------------------------------------------------------

    def _send_news(self) -> None:
        """Send what is new, unless the client does not read; then `writing_resumed` sends it."""
        if not self._dirty or self.write_paused or self.closing or self._table is None:
            return
        try:
            for message in self._news(self._table):
                body = wire.encode(message)
                self._sessions.metrics.count_message(len(body))
                self.send(body)
        except Exception:
            LOG.exception("a snapshot failed")
            self.close(WSCloseCode.INTERNAL_ERROR, "try again later")

    def _news(self, table: Table) -> Iterator[dict[str, Any]]:
        """Yield refusals and hints, then a snapshot or, while the table is paused, the reason once."""
        self._dirty = False
        while self._refusals:
            id, message = self._refusals.pop(0)
            yield {"type": "refused", "id": id, "message": message}
        while self._hints:
            id, found = self._hints.pop(0)
            yield {"type": "hint", "id": id, "at": found.at, **to_builtins(found.advice)}
        if (reason := table.pause()) is not None:  # the table notifies again when it goes on
            if not self._pause_sent:
                yield paused(reason)
            self._pause_sent = True
            return
        self._pause_sent = False
        snapshot = table.snapshot(self.seat, self._seen)
        self._seen = table.seen()
        snapshot["answers"], self._answered = self._answered, []
        if not self._protocol_sent:
            snapshot["protocol"] = PROTOCOL
            self._protocol_sent = True
        yield snapshot

    # --- closing ------------------------------------------------------------------------------------------------------

    def _reject(self, code: int, reason: str) -> None:
        """Close the connection and drop the messages in the queue."""
        self._queue.clear()
        self.close(code, reason)

    def _reject_missing_hello(self) -> None:
        self._reject(WSCloseCode.POLICY_VIOLATION, "hello expected")

    def _stop_hello_timer(self) -> None:
        if self._hello_timer is not None:
            self._hello_timer.cancel()
            self._hello_timer = None

    def _leave(self) -> None:
        """Leave the table when the connection is closed and the last command is done."""
        self._stop_hello_timer()
        if self._table is not None:
            self._table.exit(self)
            self._table = None
        if self._hint_task is not None:
            self._hint_task.cancel()
        self._sessions.remove(self)


def paused(reason: Message) -> dict[str, Any]:
    """Return the message that what the client shows may be old, and why."""
    return {"type": "paused", "message": reason}
