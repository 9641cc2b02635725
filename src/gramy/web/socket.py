"""One connection for each viewer: commands in; `screen.py` sends what comes of them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from functools import partial

from aiohttp import WSCloseCode, web

from gramy.contract import GramyError, Message
from gramy.table import state
from gramy.table.hints import hint
from gramy.table.lobby import Lobby
from gramy.table.state import NO_CLIENT_SEED, Step
from gramy.table.store import StoreUnavailable
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.limits import Limits, RateLimiter, TokenBucket
from gramy.web.line import BEAT, Line, accepted
from gramy.web.metrics import Metrics
from gramy.web.screen import Screen
from gramy.web.visitor import rate_limit_key

LOG = logging.getLogger("gramy.web")
MAX_MESSAGE_SIZE = 4 * 1024
HELLO_WITHIN = 10.0
LAST_WORDS_WITHIN = 3.0
"""Seconds that a server which stops waits for what is being done, and for goodbyes."""
PATIENT = 16
"""Messages that may wait for the ones before them; then no more are read."""


class Sockets:
    """All viewers that are connected to this server."""

    def __init__(self, lobby: Lobby, metrics: Metrics, limits: Limits) -> None:
        self.lobby, self.metrics, self.limits = lobby, metrics, limits
        self._open: set[Visit] = set()
        self._from: Counter[str] = Counter()  # how many an address has
        self._beating: asyncio.TimerHandle | None = None
        self._alone: asyncio.Future[None] | None = None  # when the last one has gone, if somebody waits for that
        self._leaving = False  # the server stops, and lets nobody in
        rate = 10 * limits.commands_a_second
        self.limiter = RateLimiter(2 * rate, rate)

    async def serve(self, request: web.Request, guest: str | None) -> web.StreamResponse:
        """Let a viewer in. The seat comes from the token or the guest, never from a message."""
        name, address = request.match_info["table"], rate_limit_key(request.remote)
        await self.lobby.find(name)
        if self._from[address] >= self.limits.sockets_an_address:
            raise web.HTTPTooManyRequests
        answer = accepted(request)
        if request.transport is None or request.transport.is_closing():
            raise web.HTTPBadRequest  # nobody waits for the answer
        if self._leaving:
            raise web.HTTPServiceUnavailable
        visit = Visit(self, name, guest, address)
        visit.take(request, answer)
        self._from[address] += 1
        self._open.add(visit)
        if self._beating is None:
            self._beat_soon()
        return web.Response(status=101)  # it was sent already, and nobody is there to take this one

    def crowded(self, table: Table) -> bool:
        """Whether nobody else may watch; players always may."""
        return sum(viewer.seat is None for viewer in table.viewers) >= self.limits.viewers_a_table

    def forget(self, visit: Visit) -> None:
        """A viewer's connection is over, and so is what it asked for."""
        self._open.discard(visit)
        self._from[visit.address] -= 1
        if not self._from[visit.address]:
            del self._from[visit.address]
        if self._alone is not None and not self._open and not self._alone.done():
            self._alone.set_result(None)

    def _beat_soon(self) -> None:
        self._beating = asyncio.get_running_loop().call_later(BEAT, self._beat)

    def _beat(self) -> None:
        """One timer for all: a timer of its own for each would be the largest part of a silent viewer."""
        for visit in list(self._open):
            visit.beat()
        self._beating = None
        if self._open:
            self._beat_soon()

    async def goodbye(self) -> None:
        """Tell everybody that the server stops and when to come back."""
        self._leaving = True
        bye = wire.encode({"type": "bye", "message": Message("server_restarts"), "again_in": 2.0})
        for visit in list(self._open):
            visit.send(bye)
            visit.close(WSCloseCode.SERVICE_RESTART, b"restart")
        if self._open:
            self._alone = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._alone], timeout=LAST_WORDS_WITHIN)
        if self._beating is not None:
            self._beating.cancel()


class Visit(Line):
    """A viewer from the handshake to the end."""

    __slots__ = (
        "_bucket",
        "_guest",
        "_hello",
        "_hinting",
        "_name",
        "_screen",
        "_sockets",
        "_table",
        "_waiting",
        "_work",
        "address",
    )

    def __init__(self, sockets: Sockets, name: str, guest: str | None, address: str) -> None:
        super().__init__(MAX_MESSAGE_SIZE)
        self._sockets, self._name, self._guest, self.address = sockets, name, guest, address
        rate, loop = sockets.limits.commands_a_second, asyncio.get_running_loop()
        self._bucket = TokenBucket(2 * rate, rate, time.monotonic())
        self._table: Table | None = None
        self._screen: Screen | None = None
        self._waiting: list[bytes | None] = []
        self._work: asyncio.Task[None] | None = None
        self._hinting: asyncio.Task[None] | None = None
        self._hello: asyncio.TimerHandle | None = loop.call_later(HELLO_WITHIN, self._no_hello)

    def heard(self, body: bytes | None) -> None:
        """One after the other, in a task that lasts no longer than there is something to do."""
        self._waiting.append(body)
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._do_all())
        elif len(self._waiting) == PATIENT:
            self.listen(False)

    def free(self) -> None:
        if self._screen is not None:
            self._screen.show()

    def gone(self) -> None:
        if self._work is None:
            self._leave()

    async def _do_all(self) -> None:
        try:
            while self._waiting:
                patient = len(self._waiting) >= PATIENT
                await self._do(self._waiting.pop(0))
                if patient and len(self._waiting) < PATIENT:
                    self.listen(True)
        except (GramyError, StoreUnavailable) as error:
            LOG.warning("a viewer could not come in", extra={"why": str(error)})
            self._dismiss(WSCloseCode.TRY_AGAIN_LATER, b"come again")
        except Exception:
            LOG.exception("a command failed")
            self._dismiss(WSCloseCode.INTERNAL_ERROR, b"come again")
        finally:
            self._work = None
            if self.over:
                self._leave()

    async def _do(self, body: bytes | None) -> None:
        table, screen, now = self._table, self._screen, time.monotonic()
        if table is None or screen is None:
            await self._enter(body)
            return
        if body is None or not self._bucket.take(now) or not self._sockets.limiter.take(self.address):
            self._dismiss(WSCloseCode.POLICY_VIOLATION, b"too fast, or not text")
            return
        try:
            said = wire.decode_message(body)
        except wire.UNREADABLE:
            self._dismiss(WSCloseCode.UNSUPPORTED_DATA, b"not a message of this protocol")
            return
        if isinstance(said, wire.Hint):
            if self._hinting is None or self._hinting.done():
                self._hinting = asyncio.create_task(_hint(table, screen, said.id))  # one at a time
        elif not isinstance(said, wire.Hello):
            screen.answer(said.id, await _command(table, screen.seat, said))
            self._sockets.metrics.count_command(time.monotonic() - now)

    async def _enter(self, body: bytes | None) -> None:
        """The first message says who this is."""
        try:
            hello = None if body is None else wire.decode_message(body)
        except wire.UNREADABLE:
            hello = None
        if not isinstance(hello, wire.Hello):
            self._no_hello()
            return
        self._expect_no_hello()
        table = await self._sockets.lobby.find(self._name)  # again: it may have been unloaded while we waited
        seat = await table.seat_of(hello.token, self._guest)
        if seat is None and self._sockets.crowded(table):
            self._dismiss(WSCloseCode.TRY_AGAIN_LATER, b"too many are watching")
            return
        self._table, self._screen = table, Screen(self, table, seat, self._sockets.metrics)
        table.enter(self._screen, hello.client_seed or NO_CLIENT_SEED)

    def _no_hello(self) -> None:
        self._dismiss(WSCloseCode.POLICY_VIOLATION, b"hello expected")

    def _expect_no_hello(self) -> None:
        if self._hello is not None:
            self._hello.cancel()
            self._hello = None

    def _dismiss(self, code: WSCloseCode, why: bytes) -> None:
        """This viewer may say nothing more."""
        self._waiting.clear()
        self.close(code, why)

    def _leave(self) -> None:
        self._expect_no_hello()
        if self._table is not None and self._screen is not None:
            self._table.exit(self._screen)
            self._screen.close()
            self._screen = None  # it points here: now nothing holds the other any more
        if self._hinting is not None:
            self._hinting.cancel()
        self._sockets.forget(self)


async def _hint(table: Table, screen: Screen, id: str) -> None:
    try:
        screen.advise(id, await hint(table.state, table.services, screen.seat))
    except GramyError as error:
        screen.answer(id, error.message)
    except Exception:
        LOG.exception("a hint could not be computed")
        screen.answer(id, Message("server_error"))


async def _command(table: Table, seat: int | None, said: wire.Command) -> Message | None:
    """Carry out what a message asks for; return why it was refused, None when it was done."""
    if seat is None:
        return Message("spectators_watch")
    if isinstance(said, wire.Vanished):
        return await table.decide(seat, said.id, said.seat, said.choice)
    return await table.command(seat, said.id, step_for(said, seat))


def step_for(said: wire.Command, seat: int) -> Step:
    """Return the change of the table that a message asks for."""
    match said:
        case wire.Move():
            return partial(state.play, seat=seat, at=said.at, move=said.move, round=said.round)
        case wire.Undo():
            return partial(state.undo, seat=seat, at=said.at, round=said.round)
        case wire.Say():
            return partial(state.say, seat=seat, phrase=said.phrase, at=said.at, round=said.round)
        case wire.Rematch():
            return partial(state.ask_rematch, seat=seat, client_seed=said.client_seed or NO_CLIENT_SEED)
        case wire.Leave():
            return partial(state.leave, seat=seat)
        case wire.Vanished():
            return partial(state.decide, absent=said.seat, choice=said.choice)
