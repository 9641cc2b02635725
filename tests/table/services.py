"""A lobby for tests: a real store, a clock that the test sets, random numbers from a seed, bots in threads."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import json

from gramy.analysis import Advice, Decision, DecisionPoint
from gramy.table import bot_pool, state
from gramy.table.bot_pool import BotMove, BotPool, BotRequest
from gramy.table.bus import Bus, LocalBus, Note
from gramy.table.lobby import Lobby
from gramy.table.sealing import Sealer
from gramy.table.services import Services, Times
from gramy.table.snapshot import NOTHING_SEEN
from gramy.table.sqlite import SqliteStore
from gramy.table.table import Table
from gramy.web import wire
from tests.clock import Time
from tests.table.backends import SECRET

PATIENCE = 40.0  # seconds to wait for what happens at once, except on a busy machine


class Watcher:
    """A viewer of a table, with the answers to its commands."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.notified = False
        self.seen = NOTHING_SEEN

    def notify(self) -> None:
        self.notified = True

    def move_to(self, seat: int) -> None:
        self.seat = seat

    def unseat(self, removed: bool) -> None:
        self.seat = None


def snapshot(table: Table, watcher: Watcher) -> dict[str, Any]:
    """Return the next snapshot of a watcher as its client decodes it."""
    made = table.snapshot(watcher.seat, watcher.seen)
    watcher.seen = table.seen()
    decoded: dict[str, Any] = json.decode(wire.encode(made))
    return decoded


async def move(table: Table, seat: int | None, text: str, id: str, at: int | None = None) -> str:
    """Play a move by a command; return the key of its refusal, empty when it was made."""
    assert table.state.match is not None
    lines = len(table.state.match.log) if at is None else at
    refused = await table.command(seat, id, partial(state.play, seat=seat, at=lines, move=text))
    return refused.key if refused else ""


async def first_move(table: Table) -> tuple[int, str]:
    """Play the first legal move of the seat to act; return the seat and the move."""
    match = table.state.match
    assert match is not None
    seat, text = match.to_act[0], match.moves(match.to_act[0])[0]
    await table.change(partial(state.play, seat=seat, at=len(match.log), move=text))
    return seat, text


@contextlib.contextmanager
def full_disk(folder: Path, table: str) -> Iterator[None]:
    """Make every insert into a table of the store's file fail."""
    with contextlib.closing(sqlite3.connect(folder / "gramy.sqlite")) as file:
        file.execute(f"CREATE TRIGGER full BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
        yield
        file.execute("DROP TRIGGER full")


class ThreadBotPool:
    """A pool whose bots run in threads of the test's own process. If `silent`, they speak only before their moves."""

    def __init__(self, silent: bool = False) -> None:
        self.silent = silent

    async def move(self, request: BotRequest) -> BotMove:
        return await asyncio.to_thread(bot_pool.move, request)

    async def say(self, request: BotRequest) -> tuple[str, ...]:
        return () if self.silent else await asyncio.to_thread(bot_pool.say, request)

    async def advise(self, request: BotRequest) -> Advice:
        return await asyncio.to_thread(bot_pool.advise, request)

    async def evaluate(self, point: DecisionPoint, budget: float) -> Decision:
        return await asyncio.to_thread(bot_pool.evaluate, point, budget)


@contextlib.asynccontextmanager
async def lobby_at(
    folder: Path,
    time: Time | None = None,
    times: Times | None = None,
    bots: BotPool | None = None,
    bus: Bus | None = None,
) -> AsyncIterator[Lobby]:
    """A lobby on the file of a folder, begun as a server begins it."""
    store = SqliteStore(folder / "gramy.sqlite", Sealer([SECRET]))
    clock = time or Time()
    services = Services(store, bots or ThreadBotPool(), bus or LocalBus(), random.Random(20_261), now=clock, date=clock)
    services.times = times or Times(pause=0, seed_wait=0, retry=0.01)
    lobby = Lobby(services)
    await lobby.start()
    try:
        yield lobby
    finally:
        await lobby.close()
        await store.close()


class Wire:
    """A bus between lobbies of one process, which a test may cut."""

    def __init__(self) -> None:
        self.ends: list[WireEnd] = []
        self.whole = True

    def end(self) -> WireEnd:
        self.ends.append(WireEnd(self, f"node {len(self.ends)}"))
        return self.ends[-1]


class WireEnd(LocalBus):
    def __init__(self, wire: Wire, node: str) -> None:
        self.wire, self.node, self.shared = wire, node, True

    async def start(self, received: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        self.received, self.missed = received, missed

    def publish(self, table: str, note: Note) -> None:
        for end in self.wire.ends:
            if end is not self and self.wire.whole:
                asyncio.get_running_loop().call_soon(end.received, table, {**note, "node": self.node})

    async def acquire_lease(self, table: str) -> bool:
        return self is self.wire.ends[0] or not self.wire.whole


async def until(true: Callable[[], bool]) -> None:
    """Wait until the condition holds."""

    async def wait() -> None:
        while not true():
            await asyncio.sleep(0.001)

    await asyncio.wait_for(wait(), PATIENCE)


async def until_or_not(true: Callable[[], bool]) -> None:
    """Wait at most one second; the caller asserts the condition."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(until(true), 1)
