"""Tables under load while servers are killed: afterwards every promise is held against the store."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.table.backs import Back
from tests.torture.nodes import Node
from tests.torture.players import GONE, Broken, Line, Player

BOT = {"bot": "easy"}
QUIET = 10.0
"""Seconds without a new line after which nobody is killed any more until there is one: a kill makes everybody come
back, and would heal a table that is stuck."""
STUCK = 40.0
"""Seconds without a new line after which a table counts as stuck: whatever a server may wait for takes a few."""
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
    """What was done, and found."""

    kills: int = 0
    restarts: int = 0  # of PostgreSQL and Redis
    tables: int = 0
    promised: int = 0
    repeated: int = 0  # made again on the screen of a server that could not look into the store
    undecided: int = 0
    lines: int = 0
    reconnections: int = 0
    given_up: int = 0
    silence: float = 0.0  # the longest at any table, in seconds
    unanswered: int = 0  # tables where somebody's seat is taken, but the answer was lost with the server
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.restarts} restarts of PostgreSQL or Redis, {self.reconnections} reconnections; "
            f"{self.tables} matches to their end, {self.lines} lines; {self.promised} moves acknowledged, each there "
            f"once ({self.repeated} were sent twice, from an old screen); {self.undecided} came while the store was "
            f"away, {self.given_up} of them were given up and never seen; "
            f"{self.unanswered} tables not begun; longest silence {self.silence:.1f} s; {self.seconds:.0f} s"
        )


@dataclass
class Chaos:
    """Nodes of one store, and what happens to them."""

    back: Back
    nodes: list[Node]
    rng: random.Random
    restarts: Sequence[Callable[[], None]] = ()  # of what is behind the nodes
    report: Report = field(default_factory=Report)
    _quiet: set[str] = field(default_factory=set)  # tables without news
    _seen: int = 0  # lines, on all screens

    async def run(self, kills: int, tables: int, restart_every: int = 25) -> Report:
        """Keep so many tables busy through so many kills; then let every match end, and judge."""
        self._began = time.monotonic()
        async with aiohttp.ClientSession() as self.session, self._nodes():
            self._going = True
            async with asyncio.TaskGroup() as all:
                for _ in range(tables):
                    all.create_task(self._table_after_table())
                all.create_task(self._kill(kills, restart_every))
        self.report.seconds = time.monotonic() - self._began
        return self.report

    @contextlib.asynccontextmanager
    async def _nodes(self) -> AsyncIterator[None]:
        for node in self.nodes:
            await node.start()
        yield

    def where(self) -> str:
        """Any server; perhaps one that is just dead."""
        return self.rng.choice(self.nodes).address

    async def _kill(self, kills: int, restart_every: int) -> None:
        for number in range(1, kills + 1):
            await self._random_moment()
            node = self.rng.choice(self.nodes)
            await node.kill()
            self.report.kills += 1
            if self.restarts and number % restart_every == 0:
                await asyncio.to_thread(self.rng.choice(self.restarts))
                self.report.restarts += 1
            await self._insist(node.start)
            if number % 50 == 0:
                self.report.seconds = time.monotonic() - self._began
                print(self.report, flush=True)  # so far
        self._going = False

    async def _random_moment(self) -> None:
        """Some time, and on a busy machine as long as it takes to see some lines; and while a table is quiet, never."""
        await asyncio.sleep(self.rng.uniform(0.0, 0.4))
        until, enough = time.monotonic() + 0.6, self._seen + self.rng.randrange(12)
        while self._quiet or (self._seen < enough and time.monotonic() < until):
            await asyncio.sleep(0.005)

    async def _table_after_table(self) -> None:
        while self._going:
            await self._one_table()

    async def _one_table(self) -> None:
        game, options, seats = self.rng.choice(KINDS)
        people = seats.count(None)
        opened = await self._ask("api/tables", {"game": game, "options": options, "seats": seats, "name": "Ada"})
        table = opened["table"]
        tokens = [opened["token"]]
        while len(tokens) < people:
            if (joined := await self._ask(f"api/tables/{table}/join", {"name": "Bob"})) is None:
                self.report.unanswered += 1
                return
            tokens.append(joined["token"])
        players = [
            Player(self.session, self.where, table, token, random.Random(self.rng.random()))
            for token in (*tokens, None)  # and somebody who watches
        ]
        playing = [asyncio.create_task(player.play()) for player in players]
        try:
            await self._watched(players, playing)
        finally:
            for task in playing:
                task.cancel()
        await self._judge(table, players)

    async def _watched(self, players: list[Player], playing: list[asyncio.Task[None]]) -> None:
        """Until all have ended, as long as there is something new now and then."""
        table, seen, since = players[0].table, 0, time.monotonic()
        while True:
            done, going = await asyncio.wait(playing, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            if not going:
                break
            lengths = [len(player.shown) for player in players]
            signs = sum(lengths) + len(done)
            self.report.silence = max(self.report.silence, time.monotonic() - since)
            if signs > seen:
                self._seen += signs - seen
                seen, since = signs, time.monotonic()
                self._quiet.discard(table)
            elif time.monotonic() - since > QUIET:
                self._quiet.add(table)
            if time.monotonic() - since > STUCK:
                raise Broken(f"table {table} is stuck; lines on screens: {lengths}")
        self._quiet.discard(table)

    async def _judge(self, table: str, players: list[Player]) -> None:
        query = f"SELECT number, seat, text FROM entries WHERE table_id='{table}' AND round=1 ORDER BY number"
        rows = await self._insist(lambda: self.back.found(query))
        if [row[0] for row in rows] != list(range(len(rows))):
            raise Broken(f"numbers: {[row[0] for row in rows]}")
        log: list[Line] = [(seat, text) for _, seat, text in rows]
        for player in players:
            player.check(log)
        self.report.tables += 1
        self.report.lines += len(log)
        self.report.promised += sum(len(player.promised) for player in players)
        self.report.repeated += sum(player.repeated for player in players)
        self.report.undecided += sum(player.undecided for player in players)
        self.report.given_up += sum(player.given_up for player in players)
        self.report.reconnections += sum(player.connections - 1 for player in players)

    async def _ask(self, path: str, body: Any) -> Any:
        """A request that is made until it is granted; None if it seems to have been, and nobody heard."""
        lost, until = False, time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                async with self.session.post(self.where() + path, json=body) as response:
                    if response.status == 201:
                        return await response.json()
                    if response.status < 500:
                        if lost and "table_full" in await response.text():
                            return None
                        raise Broken(await response.text())
            except GONE:
                lost = True
            await asyncio.sleep(0.05)
        raise Broken(f"nobody could do {path} for {PATIENCE} s")

    async def _insist(self, work: Callable[[], Awaitable[Any]]) -> Any:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return await work()
            except Exception:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.1)
