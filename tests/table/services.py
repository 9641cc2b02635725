"""What a table needs from outside, for tests: a real store, time that a test holds, luck from a seed."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from msgspec import json

from gramy.analysis import Advice, Decision, Moment
from gramy.table import bot_pool
from gramy.table.bot_pool import BotPool, BotRequest, Thought
from gramy.table.bus import Alone, Bus, Note
from gramy.table.lobby import Lobby
from gramy.table.services import Services, Times, Viewer
from gramy.table.sqlite import SqliteStore
from gramy.table.table import Table
from gramy.web import wire

PATIENCE = 40.0  # seconds that a busy machine may take; nobody waits for them on a quiet one


class Time:
    """Time that passes only when the test says so."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds


def shown(table: Table, viewer: Viewer) -> dict[str, Any]:
    """A snapshot as a client reads it."""
    read: dict[str, Any] = json.decode(wire.encode(table.snapshot(viewer)))
    return read


class ThreadBotPool:
    """A pool whose bots run in threads of the test's own process. If `silent`, they speak only before their moves."""

    def __init__(self, silent: bool = False) -> None:
        self.silent = silent

    async def move(self, request: BotRequest) -> Thought:
        return await asyncio.to_thread(bot_pool.move, request)

    async def say(self, request: BotRequest) -> tuple[str, ...]:
        return () if self.silent else await asyncio.to_thread(bot_pool.say, request)

    async def advise(self, request: BotRequest) -> Advice:
        return await asyncio.to_thread(bot_pool.advise, request)

    async def evaluate(self, moment: Moment, budget: float) -> Decision:
        return await asyncio.to_thread(bot_pool.evaluate, moment, budget)


@contextlib.asynccontextmanager
async def lobby_at(
    folder: Path,
    time: Time | None = None,
    times: Times | None = None,
    bots: BotPool | None = None,
    bus: Bus | None = None,
) -> AsyncIterator[Lobby]:
    """A lobby on the file of a folder, begun as a server begins it."""
    store = SqliteStore(folder / "gramy.sqlite")
    clock = time or Time()
    services = Services(
        store, bots or ThreadBotPool(silent=True), bus or Alone(), random.Random(20_261), now=clock, date=clock
    )
    services.times = times or Times(pause=0, seed_wait=0)
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


class WireEnd(Alone):
    def __init__(self, wire: Wire, node: str) -> None:
        self.wire, self.node, self.shared = wire, node, True

    async def start(self, heard: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        self.heard, self.missed = heard, missed

    def tell(self, table: str, note: Note) -> None:
        for end in self.wire.ends:
            if end is not self and self.wire.whole:
                asyncio.get_running_loop().call_soon(end.heard, table, {**note, "node": self.node})

    async def lead(self, table: str) -> bool:
        return self is self.wire.ends[0] or not self.wire.whole


async def until(true: Callable[[], bool]) -> None:
    """Let everything else go on until something is so."""

    async def wait() -> None:
        while not true():
            await asyncio.sleep(0.001)

    await asyncio.wait_for(wait(), PATIENCE)


async def until_or_not(true: Callable[[], bool]) -> None:
    """The same, but not for long; what should be so is asserted by who calls."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(until(true), 1)
