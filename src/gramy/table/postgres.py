"""The store of many servers: PostgreSQL.

A move is one sentence, so it is one round trip, and PostgreSQL itself lets the connections that commit at the same
time share a flush. When a connection is lost before the answer to a write, nobody knows whether it was written: it is
written again, and if it turns out to be there already, that was it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import count
from typing import Any, TypeAlias, TypeVar

import asyncpg

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table import sql
from gramy.table.store import (
    PLAYING,
    SCHEMA,
    CannotOpenStore,
    Conflict,
    StoreUnavailable,
    TableDeleted,
    TableRow,
    WriteUnknown,
    newer,
)

T = TypeVar("T")
Job: TypeAlias = Callable[["asyncpg.Connection"], Awaitable[T]]
CONNECTIONS = 10
PATIENCE = 5.0
"""Seconds that anything may take before the database counts as away."""
AGAIN = 0.1
LOCK = 0x6772616D79
"""Of all advisory locks the one for migrations: "gramy"."""
LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server is being stopped, or starts
    asyncpg.InterfaceError,  # it was closed meanwhile
)
"""What a connection says when it dies."""


class PostgresStore:
    """A store in a database; `open` makes one."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._tasks: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: str) -> PostgresStore:
        """Connect, and bring the schema up to date; servers that start together take turns."""
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=0,  # a connection is made when it is needed, and only then its failure matters
                max_size=CONNECTIONS,
                timeout=PATIENCE,
                command_timeout=PATIENCE,
                reset=_leave_as_it_is,
                server_settings={"application_name": "gramy"},
            )
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise CannotOpenStore(_why(error)) from error
        store = cls(pool)
        try:
            await store._do(_migrate)
        except Exception as error:
            await store.close()
            raise CannotOpenStore(_why(error)) from error
        return store

    async def save(self, table: TableRow, lines: Iterable[Entry] = ()) -> int:
        lines = list(lines)
        sentence, values = sql.table_values(table)

        async def job(base: asyncpg.Connection) -> int:
            async with base.transaction():
                found = await base.fetchrow(_numbered(sentence), *values)
                if found is None:
                    raise await _refusal(base, table.id)
                await base.executemany(_SEAT, sql.seat_values(table))
                await base.executemany(_DEAL, sql.deal_values(table))
                await base.executemany(_LINE, sql.line_values(table.id, table.round, 0, lines))
                return int(found[0])

        async def done() -> int | None:
            mine = table._replace(revision=table.revision + 1)
            there = await self.load(table.id) == mine and await self.lines(table.id, table.round) == lines
            return mine.revision if there else None

        return await self._write(job, done)

    async def append(
        self,
        table: str,
        round: int,
        number: int,
        lines: Iterable[Entry],
        touched: float | None = None,
        status: str = PLAYING,
        clock: dict[str, Any] | None = None,
    ) -> int:
        lines = list(lines)
        values = sql.moved_values(table, round, touched, status, clock)
        numbers = [number + at for at in range(len(lines))]
        written = numbers, [line.seat for line in lines], [line.text for line in lines]

        async def job(base: asyncpg.Connection) -> int:
            if (found := await base.fetchrow(_APPEND, *values, *written)) is None:
                raise await _refusal(base, table)
            return int(found[0])

        async def done() -> int | None:
            there = [entry[:2] for entry in await self.lines(table, round, number)]
            mine = [entry[:2] for entry in lines]
            return (await self.revisions([table])).get(table) if there[: len(mine)] == mine else None

        return await self._write(job, done)

    async def load(self, table: str) -> TableRow | None:
        return next(iter(await self._do(lambda base: _tables(base, _ONE, table))), None)

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        rows = await self._do(lambda base: base.fetch(_LINES, table, round, start))
        return [Entry(seat, text) for seat, text in rows]

    async def deal(self, table: str, round: int) -> Deal | None:
        return sql.deal_of(await self._do(lambda base: base.fetchrow(_ONE_DEAL, table, round)))

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(await self._do(lambda base: _many(base, _REVISIONS, tables)))

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        return await self._do(lambda base: _tables(base, _OPEN_ONES, int(public), most))

    async def sitting(self, guest: str) -> list[str]:
        return [table for (table,) in await self._do(lambda base: base.fetch(_SITTING, guest))]

    async def forget(self, guest: str) -> int:
        async def job(base: asyncpg.Connection) -> str:
            async with base.transaction():
                await base.execute(_FORGOTTEN, guest)  # other servers have the name in memory
                return str(await base.execute(_FORGET, guest))

        return _counted(await self._do(job))

    async def delete_expired(self, finished_before: float, idle_before: float) -> int:
        return _counted(await self._do(lambda base: base.execute(_SWEEP, idle_before, finished_before)))

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await asyncio.wait_for(self._pool.close(), PATIENCE)
        except LOST:
            self._pool.terminate()

    # --- running what is to be done -----------------------------------------------------------------------------------

    async def _do(self, job: Job[T]) -> T:
        return await self._kept_on(self._run(job))

    async def _write(self, job: Job[int], done: Callable[[], Awaitable[int | None]]) -> int:
        return await self._kept_on(self._surely(job, done))

    async def _kept_on(self, work: Awaitable[T]) -> T:
        """To its end even when nobody waits for it any more: what was sent cannot be called back."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # it has been seen, should nobody wait any more

    async def _surely(self, job: Job[int], done: Callable[[], Awaitable[int | None]]) -> int:
        """Write, and in doubt again. A second writing cannot double anything: it is refused, and then `done` tells
        whether that was for the first one."""
        until, doubtful = time.monotonic() + PATIENCE, False
        while True:
            try:
                return await self._run(job)
            except Conflict:
                if not doubtful or (revision := await done()) is None:
                    raise
                return revision
            except StoreUnavailable as error:
                doubtful = doubtful or isinstance(error, WriteUnknown)
                if not doubtful:
                    raise
                if time.monotonic() > until:
                    raise WriteUnknown(str(error)) from error
            await asyncio.sleep(AGAIN)

    async def _run(self, job: Job[T]) -> T:
        try:
            base = await self._pool.acquire(timeout=PATIENCE)
        except (*LOST, asyncpg.PostgresError) as error:
            raise StoreUnavailable(_why(error)) from error
        try:
            return await job(base)
        except asyncpg.UniqueViolationError as error:
            raise Conflict(str(error)) from error
        except LOST as error:
            with contextlib.suppress(asyncpg.InterfaceError):  # it is gone already
                base.terminate()
            raise WriteUnknown(_why(error)) from error
        except asyncpg.PostgresError as error:
            raise StoreUnavailable(_why(error)) from error
        finally:
            await self._pool.release(base)


def _numbered(sentence: str) -> str:
    """A shared sentence in PostgreSQL's spelling: `$1`, `$2`, ... for its values."""
    numbers, spelt = count(1), sentence.replace("MANY", "json_array_elements_text(?::json)")
    return "".join(f"${next(numbers)}" if letter == "?" else letter for letter in spelt)


_SEAT, _DEAL, _LINE = _numbered(sql.SEAT), _numbered(sql.DEAL), _numbered(sql.LINE)
_THERE, _LINES, _ONE_DEAL = _numbered(sql.THERE), _numbered(sql.LINES), _numbered(sql.ONE_DEAL)
_ONE, _OPEN_ONES, _REVISIONS = _numbered(sql.ONE), _numbered(sql.OPEN_ONES), _numbered(sql.REVISIONS)
_SEATS, _DEALS = _numbered(sql.SEATS), _numbered(sql.DEALS)
_SITTING, _FORGOTTEN = _numbered(sql.SITTING), _numbered(sql.FORGOTTEN)
_FORGET, _SWEEP = _numbered(sql.FORGET), _numbered(sql.SWEEP)
_APPEND = f"""
    WITH changed AS ({_numbered(sql.MOVED)}),
        written AS (
            INSERT INTO entries (table_id, round, number, seat, text)
            SELECT $4, $5, line.number, line.seat, line.text
            FROM changed, unnest($7::integer[], $8::integer[], $9::text[]) AS line (number, seat, text))
    SELECT revision FROM changed
"""


async def _leave_as_it_is(base: asyncpg.Connection) -> None:
    """A connection goes back to the others without a round trip: no job leaves anything behind."""


async def _migrate(base: asyncpg.Connection) -> None:
    async with base.transaction():
        await base.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
        await base.execute("CREATE TABLE IF NOT EXISTS gramy_schema (version INTEGER NOT NULL)")
        version = await base.fetchval("SELECT version FROM gramy_schema") or 0
        if version > len(SCHEMA):
            raise CannotOpenStore(newer(version))
        for step in SCHEMA[version:]:
            await base.execute(step)
        await base.execute("DELETE FROM gramy_schema")
        await base.execute("INSERT INTO gramy_schema VALUES ($1)", len(SCHEMA))


async def _refusal(base: asyncpg.Connection, table: str) -> Exception:
    """Why a table could not be changed: it is gone, or somebody else was faster."""
    return (Conflict if await base.fetchrow(_THERE, table) else TableDeleted)(table)


async def _tables(base: asyncpg.Connection, sentence: str, *values: Any) -> list[TableRow]:
    async with base.transaction(isolation="repeatable_read", readonly=True):  # all of one moment
        found = await base.fetch(sentence, *values)
        ids = [row[0] for row in found]
        return sql.tables_of(found, await _many(base, _SEATS, ids), await _many(base, _DEALS, ids))


async def _many(base: asyncpg.Connection, sentence: str, values: Sequence[str]) -> list[Any]:
    return list(await base.fetch(sentence, json.dumps(list(values))))


def _counted(answer: str) -> int:
    """How many rows: the last word of `DELETE 3`."""
    return int(answer.split()[-1])


def _why(error: BaseException) -> str:
    return str(error) or type(error).__name__
