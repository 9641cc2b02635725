"""TableConnection: one viewer of a table over a WebSocket that reconnects by itself."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple, TypeAlias

import aiohttp
import msgspec
from aiohttp import WSCloseCode, WSMsgType

from gramy.log import Entry
from gramy.messages import Message
from gramy.remote.errors import RemoteError, known, problem, refused
from gramy.remote.exchange import ClientSeeds
from gramy.remote.messages import (
    Bye,
    HintMessage,
    ReadLine,
    RefusedMessage,
    ServerMessage,
    Snapshot,
    decode_server_message,
)
from gramy.remote.server import LONGEST_ANSWER, Server

PROTOCOL = 3
"""The version of docs/protocol.md that this client speaks."""
HEARTBEAT = 10.0
"""Seconds between two pings; without a pong within half of it the connection counts as lost."""
FIRST_DELAY, LONGEST_DELAY = 0.5, 15.0
"""Seconds before the first and the later attempts to reconnect."""
NOT_NOW = (408, 429, 500, 502, 503, 504)
"""The HTTP status of a handshake that may succeed later."""


class Connected(NamedTuple):
    """The connection is open, for the first time or again."""


class Disconnected(NamedTuple):
    """The connection is lost; the next attempt follows after so many seconds."""

    retry_after: float


Update: TypeAlias = ServerMessage | Connected | Disconnected
_encode = msgspec.json.Encoder().encode


class _Pending(NamedTuple):
    body: str
    answer: asyncio.Future[Message | HintMessage | None]


class TableConnection:
    """A table, as one viewer sees it: a player with a token or a guest's cookie, otherwise a spectator."""

    def __init__(
        self,
        server: Server,
        table: str,
        token: str = "",
        listener: Callable[[Update], object] = lambda update: None,
        seeds: ClientSeeds | None = None,
    ) -> None:
        self.server, self.table = server, table
        self._token, self._listener = token, listener
        self._seeds = seeds or ClientSeeds()
        self.now: Snapshot | None = None
        self.log: list[ReadLine] = []
        self._ids = itertools.count(1)
        self._name = f"{random.randrange(16**6):06x}"  # of this client in its ids: a seat may have several clients
        self._pending: dict[str, _Pending] = {}
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._changed = asyncio.Event()
        self._shown = -1  # the number of the snapshot that the iteration has yielded last
        self._received = 0
        self._failure: RemoteError | None = None
        self._bye: Bye | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> TableConnection:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for pending in self._pending.values():
            pending.answer.cancel()

    @property
    def connected(self) -> bool:
        """Whether the socket is open now."""
        return self._socket is not None and not self._socket.closed

    # --- what happened ------------------------------------------------------------------------------------------------

    def __aiter__(self) -> AsyncIterator[Snapshot]:
        return self

    async def __anext__(self) -> Snapshot:
        """Return the newest snapshot that was not returned yet; raises RemoteError when the client must not go on."""
        while self.now is None or self._shown == self._received:
            await self._change()
        self._shown = self._received
        return self.now

    def history(self) -> tuple[Entry, ...]:
        """Return the lines of this round that were not undone, as `Match.history` returns them for this seat."""
        kept: list[Entry] = []
        for line in self.log:
            if line.move == "undo":  # it takes the last move back; talk since then stays
                del kept[next(at for at in reversed(range(len(kept))) if not kept[at].text.startswith("say "))]
            else:
                kept.append(Entry(line.seat, line.move))
        return tuple(kept)

    # --- commands -----------------------------------------------------------------------------------------------------

    async def move(self, move: str) -> Message | None:
        """Make a move; return None, or why it was refused."""
        return await self.do("move", move=move, **await self._position())

    async def say(self, phrase: str) -> Message | None:
        """Say a phrase of the game; return None, or why it was refused."""
        return await self.do("say", phrase=phrase, **await self._position())

    async def undo(self) -> Message | None:
        """Take the last move of this turn back; return None, or why it was refused."""
        return await self.do("undo", **await self._position())

    async def hint(self) -> HintMessage | Message:
        """Ask for advice; return it, or why there is none."""
        found = await self._submit("hint", {})
        assert found is not None
        return found

    async def do(self, type: str, **fields: Any) -> Message | None:
        """Send a command and wait for its answer, through reconnects; return None, or why it was refused."""
        answer = await self._submit(type, fields)
        return answer if isinstance(answer, Message) else None

    async def _position(self) -> dict[str, int]:
        """Return what the command refers to: the newest snapshot; a command given before the first one waits for it."""
        now = await self._snapshot()
        return {"at": now.lines, "round": now.table.round}

    async def _snapshot(self) -> Snapshot:
        while self.now is None:
            await self._change()
        return self.now

    async def _change(self) -> None:
        if self._failure is not None:
            raise self._failure
        self._changed.clear()
        await self._changed.wait()

    def _submit(self, type: str, fields: dict[str, Any]) -> asyncio.Future[Message | HintMessage | None]:
        answer: asyncio.Future[Message | HintMessage | None] = asyncio.get_running_loop().create_future()
        if self._failure is not None:
            answer.set_exception(self._failure)
            return answer
        id = f"{self._name}-{next(self._ids)}"
        pending = self._pending[id] = _Pending(_encode({"type": type, "id": id, **fields}).decode(), answer)
        if self.connected and self.now is not None:
            self._write(pending.body)
        return answer

    def _write(self, body: str) -> None:
        assert self._socket is not None
        sending = asyncio.ensure_future(self._socket.send_str(body))
        sending.add_done_callback(_ignore_loss)  # a lost connection shows where messages are received

    # --- the socket ---------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connect and listen, again and again, until the server says that the client must not come back."""
        delay = FIRST_DELAY
        try:
            while True:
                before = self._received
                await self._connect_once()
                delay = FIRST_DELAY if self._received > before else min(2 * delay, LONGEST_DELAY)
                wait = delay * (0.5 + random.random())
                if self._bye is not None and self._bye.retry_after is not None:
                    wait += self._bye.retry_after
                self._listener(Disconnected(wait))
                await asyncio.sleep(wait)
        except RemoteError as error:
            self._fail(error)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._fail(problem("not_gramy", server=self.server.address, status=101, kind=f"{error!r}"))

    async def _connect_once(self) -> None:
        """Open the socket and handle its messages until it is lost; raises RemoteError when it must not be reopened."""
        address = f"{self.server.address}/ws/{self.table}".replace("http", "ws", 1)
        self._bye = None
        try:
            async with self.server.session.ws_connect(
                address, heartbeat=HEARTBEAT, max_msg_size=LONGEST_ANSWER
            ) as socket:
                self._socket = socket
                await socket.send_str(_encode(self._hello()).decode())
                self._listener(Connected())
                first = True
                async for frame in socket:
                    if frame.type is WSMsgType.TEXT and frame.data != "pong":
                        first = self._receive(decode_server_message(frame.data), first)
                code = socket.close_code
        except aiohttp.WSServerHandshakeError as error:
            if error.status not in NOT_NOW:
                raise _handshake_failure(error.status, self.server.address, self.table) from None
            return
        except (aiohttp.ClientError, OSError):
            return
        finally:
            self._socket = None
        if self._bye is not None and self._bye.retry_after is None:
            raise refused(self._bye.message)
        if code == WSCloseCode.MESSAGE_TOO_BIG:
            raise problem("not_gramy", server=self.server.address, status=101, kind="> 1 MiB")
        if failure := _final_failure(code):
            raise failure

    def _hello(self) -> dict[str, Any]:
        now = self.now
        seen = {} if now is None else {"round": now.table.round, "at": now.lines}
        return {"type": "hello", "protocol": PROTOCOL, "token": self._token or None, **seen}

    def _receive(self, message: ServerMessage, first: bool) -> bool:
        """Handle a message; return whether the next snapshot is still the first of this connection."""
        match message:
            case Snapshot():
                self._show(message)
                if first:
                    self._seeds.repeat()
                    for pending in list(self._pending.values()):
                        self._write(pending.body)
                first = False
                if command := self._seeds.answer(message.table, message.deal, message.you):
                    self._submit(command.pop("type"), command)
            case RefusedMessage():
                self._answer(message.id, known(message.message))
            case HintMessage():
                self._answer(message.id, message)
            case Bye():
                self._bye = message
        self._listener(message)
        return first

    def _show(self, snapshot: Snapshot) -> None:
        if self.now is not None and self.now.table.round != snapshot.table.round:
            self.log = []
        self.log[snapshot.log.start :] = snapshot.log.lines
        self.now = snapshot
        self._received += 1
        for id in snapshot.answers:
            self._answer(id, None)
        self._changed.set()

    def _answer(self, id: str, answer: Message | HintMessage | None) -> None:
        pending = self._pending.pop(id, None)
        if pending is not None and not pending.answer.done():
            pending.answer.set_result(answer)

    def _fail(self, error: RemoteError) -> None:
        self._failure = error
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(error)
                pending.answer.exception()  # a deal's commands have nobody who asks for their answer
        self._pending.clear()
        self._changed.set()


def _final_failure(code: int | None) -> RemoteError | None:
    """Return why a client must not come back after this close code, None if it may."""
    match code:
        case 4000:
            return problem("other_protocol")
        case 4001:
            return problem("removed")
        case 4002:
            return problem("expelled")
        case WSCloseCode.UNSUPPORTED_DATA:
            return problem("bad_message")
        case WSCloseCode.POLICY_VIOLATION:
            return problem("too_fast")
    return None


def _handshake_failure(status: int, server: str, table: str) -> RemoteError:
    if status == 404:
        return problem("no_table", server=server, table=table)
    if status == 401:
        return problem("wrong_token", server=server)
    return problem("not_gramy", server=server, status=status, kind="WebSocket")


def _ignore_loss(sending: asyncio.Future[None]) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        sending.exception()
