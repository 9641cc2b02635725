"""Play at tables while servers are killed and links are cut; then judge what every client was shown."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from gramy.table.lobby import CHECK_PAUSES_EVERY
from gramy.table.sealing import Sealer
from tests.table.backends import Backend
from tests.torture.judge import KINDS as GUARANTEES
from tests.torture.judge import LOST, NOT_STARTED, STUCK, Event, Paused, judge
from tests.torture.nodes import CONFIRMED_FOR, SECRET, Node
from tests.torture.players import CONNECTION_LOST, HEARTBEAT, Broken, Line, Player

BOT = {"bot": "easy"}
QUIET = 10.0
"""Seconds without a new line at a table after which no server is killed. A kill makes all players reconnect, and would
hide a stuck table."""
STUCK_AFTER = 40.0
"""Seconds without a new line after which a table counts as stuck. All timeouts of a server are much shorter."""
BOUND = CONFIRMED_FOR + CHECK_PAUSES_EVERY + 1.5 * HEARTBEAT + 2.0
"""Seconds after which every screen must show what any client was shown or acknowledged, or a pause: a server's longest
silence from its store, the time until it says so, the time in which a client notices a dead connection, and a margin
for a busy machine."""
REQUEST_TIMEOUT = 10.0
PATIENCE = 60.0
"""Seconds that a server may take to start, or to open a table between two kills."""
KINDS: list[tuple[str, dict[str, str], list[Any]]] = [
    ("face-to-face", {}, [None, None]),
    ("gra", {"players": "3"}, [None, None, BOT]),
    ("quick-easy", {"players": "2"}, [None, None]),
    ("quick-easy", {"players": "3"}, [None, None, BOT]),
    ("face-to-face", {}, [None, BOT]),
]


@dataclass
class Report:
    """The counts of a run."""

    kills: int = 0
    restarts: int = 0  # of PostgreSQL and Redis
    faults: Counter[str] = field(default_factory=Counter)  # by kind
    broken: Counter[str] = field(default_factory=Counter)  # guarantees, by kind
    tables: int = 0
    acknowledged: int = 0
    pauses: int = 0
    undecided: int = 0
    lines: int = 0
    reconnections: int = 0
    given_up: int = 0
    silence: float = 0.0  # the longest time without a new line at any table, in seconds
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.restarts} restarts of PostgreSQL or Redis, {self.faults.total()} other faults"
            f"{self._by_kind()}; {self.reconnections} reconnections, {self.pauses} pauses shown; "
            f"{self.tables} matches finished, {self.lines} lines; {self.acknowledged} moves acknowledged; "
            f"{self.undecided} came while the store was away, {self.given_up} of them were given up and not stored; "
            f"longest silence {self.silence:.1f} s; {self.seconds:.0f} s\n"
            f"broken guarantees: {', '.join(f'{kind} {self.broken[kind]}' for kind in GUARANTEES)}"
        )

    def _by_kind(self) -> str:
        return "".join(f"\n  {count:4} {kind}" for kind, count in sorted(self.faults.items()))

    def count_broken(self, kind: str, text: str) -> None:
        """Count a broken guarantee, and print what was seen."""
        self.broken[kind] += 1
        print(f"BROKEN ({kind}): {text[:2000]}", flush=True)


@dataclass(frozen=True)
class Disturbance:
    """A kind of fault, and the function that causes it, waits, and repairs it."""

    kind: str
    cause: Callable[[random.Random], Awaitable[None]]


@dataclass
class Chaos:
    """Servers on one store, the kills and restarts, and the tables played meanwhile."""

    backend: Backend
    nodes: list[Node]
    rng: random.Random
    restarts: Sequence[Callable[[], None]] = ()  # of PostgreSQL and Redis
    report: Report = field(default_factory=Report)
    bound: float = BOUND
    quiet_tables: set[str] = field(default_factory=set)
    _seen: int = 0  # lines shown to all players

    async def run(self, kills: int, tables: int, restart_every: int = 25) -> Report:
        """Play at a number of tables through a number of kills; then let every match end, and check it."""
        return await self._play_through(self._kill(kills, restart_every), tables)

    async def disturb(self, faults: Sequence[Disturbance], tables: int) -> Report:
        """Play at a number of tables through faults, one after the other; then let every match end, and check it."""
        return await self._play_through(self._cause(faults), tables)

    async def _play_through(self, trouble: Coroutine[Any, Any, None], tables: int) -> Report:
        self._began = time.monotonic()
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=3.0)
        async with aiohttp.ClientSession(timeout=timeout) as self.session, self._nodes():
            self._running = True
            async with asyncio.TaskGroup() as all:
                for _ in range(tables):
                    all.create_task(self._play_tables())
                all.create_task(trouble)
        self.report.seconds = time.monotonic() - self._began
        return self.report

    async def _cause(self, faults: Sequence[Disturbance]) -> None:
        for number, fault in enumerate(faults, 1):
            await self.random_moment()
            await fault.cause(self.rng)
            self.report.faults[fault.kind] += 1
            if number % 20 == 0:
                self._print_progress()
        self._running = False

    def _print_progress(self) -> None:
        self.report.seconds = time.monotonic() - self._began
        print(self.report, flush=True)

    @contextlib.asynccontextmanager
    async def _nodes(self) -> AsyncIterator[None]:
        for node in self.nodes:
            await node.start()
        yield

    def where(self) -> str:
        """Return the address of a random server, which may be dead."""
        return self.rng.choice(self.nodes).address

    async def _kill(self, kills: int, restart_every: int) -> None:
        for number in range(1, kills + 1):
            await self.random_moment()
            node = self.rng.choice(self.nodes)
            await node.kill()
            self.report.kills += 1
            if self.restarts and number % restart_every == 0:
                await asyncio.to_thread(self.rng.choice(self.restarts))
                self.report.restarts += 1
            await self.retry(node.start)
            if number % 50 == 0:
                self._print_progress()
        self._running = False

    async def random_moment(self) -> None:
        """Wait for a random time, until some lines were shown on a busy machine, and while any table is quiet."""
        await asyncio.sleep(self.rng.uniform(0.0, 0.4))
        until, enough = time.monotonic() + 0.6, self._seen + self.rng.randrange(12)
        while self.quiet_tables or (self._seen < enough and time.monotonic() < until):
            await asyncio.sleep(0.005)

    async def _play_tables(self) -> None:
        while self._running:
            try:
                await self._play_table()
            except Broken as broken:
                self.report.count_broken(broken.kind, str(broken))

    async def _play_table(self) -> None:
        game, options, seats = self.rng.choice(KINDS)
        people = seats.count(None)
        opened = await self._post("api/tables", {"game": game, "options": options, "seats": seats, "name": "Ada"})
        table = opened["table"]
        tokens = [opened["token"]]
        while len(tokens) < people:
            key = f"{self.rng.getrandbits(128):032x}"  # with it a repeated request gets the same seat
            joined = await self._post(f"api/tables/{table}/join", {"name": "Bob", "another_seat": True, "key": key})
            tokens.append(joined["token"])
        history: list[Event] = []
        players = [
            Player(self.session, self.where, table, token, random.Random(self.rng.random()), number, history)
            for number, token in enumerate((*tokens, None))  # and a spectator
        ]
        playing = [asyncio.create_task(player.play()) for player in players]
        try:
            await self.watch(players, playing)
            await self._check(table, players)
        except Broken as broken:
            self.report.count_broken(broken.kind, f"table {table}: {broken}")
        finally:
            for task in playing:
                task.cancel()
            self.quiet_tables.discard(table)
        for fault in judge(history, self.bound):
            self.report.count_broken(fault.kind, f"table {table}: {fault.text}")
        self.report.pauses += sum(isinstance(event, Paused) for event in history)

    async def watch(self, players: list[Player], playing: list[asyncio.Task[None]]) -> None:
        """Wait until all players have finished; raise an error if the table is stuck."""
        table, seen, since = players[0].table, 0, time.monotonic()
        while True:
            done, going = await asyncio.wait(playing, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            if not going:
                break
            lengths = [len(player.shown) for player in players]
            progress = sum(lengths) + len(done)
            self.report.silence = max(self.report.silence, time.monotonic() - since)
            if progress > seen:
                self._seen += progress - seen
                seen, since = progress, time.monotonic()
                self.quiet_tables.discard(table)
            elif time.monotonic() - since > QUIET:
                self.quiet_tables.add(table)
            if time.monotonic() - since > STUCK_AFTER:
                raise Broken(f"lines shown: {lengths}", STUCK if any(lengths) else NOT_STARTED)

    async def _check(self, table: str, players: list[Player]) -> None:
        query = f"SELECT number, seat, text FROM entries WHERE table_id='{table}' AND round=1 ORDER BY number"
        rows = await self.retry(lambda: self.backend.query(query))
        if [row[0] for row in rows] != list(range(len(rows))):
            raise Broken(f"numbers: {[row[0] for row in rows]}", LOST)
        sealer = Sealer([SECRET])
        log: list[Line] = [(seat, sealer.unseal(text, "text", table, 1, number)) for number, seat, text in rows]
        for player in players:
            player.check(log)
        self.report.tables += 1
        self.report.lines += len(log)
        self.report.acknowledged += sum(len(player.acknowledged) for player in players)
        self.report.undecided += sum(player.undecided for player in players)
        self.report.given_up += sum(player.given_up for player in players)
        self.report.reconnections += sum(player.connections - 1 for player in players)

    async def _post(self, path: str, body: Any) -> Any:
        """Send a request until it succeeds; return the answer."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                timeout = aiohttp.ClientTimeout(total=REQUEST_TIMEOUT, sock_connect=3.0)
                async with self.session.post(self.where() + path, json=body, timeout=timeout) as response:
                    if response.status == 201:
                        return await response.json()
                    if response.status < 500:
                        raise Broken(await response.text(), NOT_STARTED)
            except CONNECTION_LOST:
                pass
            await asyncio.sleep(0.05)
        raise Broken(f"no server answered {path} for {PATIENCE} s", NOT_STARTED)

    async def retry(self, work: Callable[[], Awaitable[Any]]) -> Any:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return await work()
            except Exception:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.1)
