"""The store for several servers: PostgreSQL.

A move is one statement, so it is one round trip. PostgreSQL lets connections that commit at the same time share a
flush. When a connection is lost before the answer to a write, the write is repeated; if it conflicts with itself, the
first one succeeded.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache
from itertools import count
from typing import Any, TypeAlias, TypeVar

import asyncpg

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table import sql
from gramy.table.expiry import RESTORE, SELECT_LAST_PASS, SELECT_MARKED, Pass
from gramy.table.sealing import SEALED_COLUMNS, Sealer
from gramy.table.store import (
    PLAYING,
    SCHEMA,
    CannotOpenStore,
    Conflict,
    Expired,
    Expiry,
    Statement,
    StoreUnavailable,
    TableDeleted,
    TableRow,
    WriteUnknown,
    newer_schema,
)

T = TypeVar("T")
Job: TypeAlias = Callable[["asyncpg.Connection"], Awaitable[T]]
CONNECTIONS = 10
TIMEOUT = 5.0
"""Seconds after which the database counts as unavailable."""
SEALING_TIMEOUT = 600.0
"""Seconds for sealing old texts again at the start, which takes seconds for a million lines."""
RETRY_EVERY = 0.1
MIGRATION_LOCK = 0x6772616D79
"""The key of the advisory lock for migrations: "gramy" in ASCII."""
EXPIRY_LOCK = MIGRATION_LOCK + 1
CONNECTION_ERRORS = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the database server is stopping or starting
    asyncpg.InterfaceError,  # the connection was closed meanwhile
)
"""The errors of a lost connection."""


class PostgresStore:
    """A store in a database. Use `open` to make one."""

    def __init__(self, pool: Any, sealer: Sealer) -> None:
        self._pool, self._sealer = pool, sealer
        self._tasks: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: str, sealer: Sealer) -> PostgresStore:
        """Connect and migrate the schema. Servers that start together take turns."""
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=0,  # connect when a connection is needed, so that a failure matters only then
                max_size=CONNECTIONS,
                timeout=TIMEOUT,
                command_timeout=TIMEOUT,
                reset=_no_reset,
                server_settings={"application_name": "gramy"},
            )
        except (*CONNECTION_ERRORS, asyncpg.PostgresError, ValueError) as error:
            raise CannotOpenStore(_error_text(error)) from error
        store = cls(pool, sealer)
        try:
            await store.run(_migrate)
            await store.run(store._seal_again)
        except Exception as error:
            await store.close()
            raise CannotOpenStore(_error_text(error)) from error
        return store

    async def save(self, table: TableRow, lines: Iterable[Entry] = (), written: TableRow | None = None) -> int:
        lines, seats = list(lines), sql.seat_parameters(table, written)
        statement, values = sql.save_statement(table)

        async def job(connection: asyncpg.Connection) -> int:
            async with connection.transaction():
                found = await connection.fetchrow(_pg(statement), *values)
                if found is None:
                    raise await _reason_not_changed(connection, table.id)
                if seats:
                    await connection.executemany(_pg(sql.UPSERT_SEAT), seats)
                    await connection.execute(_pg(sql.DELETE_SEATS), table.id, len(seats))
                if deals := sql.deal_parameters(table, self._sealer, written):
                    await connection.executemany(_pg(sql.UPSERT_DEAL), deals)
                if first := sql.line_parameters(table.id, table.round, 0, lines, self._sealer):
                    await connection.executemany(_pg(sql.INSERT_LINE), first)
                return int(found[0])

        async def find_written() -> int | None:
            mine = table._replace(revision=table.revision + 1)
            stored = await self.load(table.id)
            same = stored is not None and stored._replace(marked=table.marked) == mine
            if not same or not lines:  # with no new lines, the log is as long as it was
                return mine.revision if same else None
            there = [entry[:2] for entry in await self.lines(table.id, table.round)]
            return mine.revision if there == [entry[:2] for entry in lines] else None

        return await self._write(job, find_written)

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
        values = sql.move_parameters(table, round, touched, status, clock)
        rows = sql.line_parameters(table, round, number, lines, self._sealer)
        written = [[row[column] for row in rows] for column in (2, 3, 4)]  # number, seat, text

        async def job(connection: asyncpg.Connection) -> int:
            if (found := await connection.fetchrow(_APPEND, *values, *written)) is None:
                raise await _reason_not_changed(connection, table)
            return int(found[0])

        async def find_written() -> int | None:
            there = [entry[:2] for entry in await self.lines(table, round, number)]
            mine = [entry[:2] for entry in lines]
            return (await self.revisions([table])).get(table) if there[: len(mine)] == mine else None

        return await self._write(job, find_written)

    async def load(self, table: str) -> TableRow | None:
        return next(
            iter(await self.run(lambda connection: _tables(connection, self._sealer, sql.SELECT_TABLE, table))), None
        )

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        rows = await self.run(lambda connection: connection.fetch(_pg(sql.SELECT_LINES), table, round, start))
        return sql.lines_from_rows(rows, table, round, self._sealer)

    async def deal(self, table: str, round: int) -> Deal | None:
        row = await self.run(lambda connection: connection.fetchrow(_pg(sql.SELECT_DEAL), table, round))
        return None if row is None else sql.deal_from_row(row, self._sealer)

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(await self.run(lambda connection: _many(connection, sql.SELECT_REVISIONS, tables)))

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        return await self.run(lambda connection: _tables(connection, self._sealer, sql.SELECT_OPEN, int(public), most))

    async def listed_tables(self, most: int, per_guest: int) -> list[TableRow]:
        return await self.run(lambda connection: _tables(connection, self._sealer, sql.SELECT_LISTED, per_guest, most))

    async def sitting(self, guest: str) -> list[str]:
        return [
            table for (table,) in await self.run(lambda connection: connection.fetch(_pg(sql.SELECT_SITTING), guest))
        ]

    async def forget(self, guest: str) -> dict[str, int]:
        async def job(connection: asyncpg.Connection) -> dict[str, int]:
            async with connection.transaction():
                changed = await connection.fetch(_pg(sql.TOUCH_FORGOTTEN), guest)
                await connection.execute(_pg(sql.FORGET_GUEST), guest)
                await connection.execute(_pg(sql.FORGET_BLOCKED), guest, f"%{guest}%")
                return dict(changed)

        return await self.run(job)

    async def date(self, own: float) -> float:
        return await self.run(_date)

    async def expire(self, own: float, viewed: Sequence[str], expiry: Expiry) -> Expired:
        async def job(connection: asyncpg.Connection) -> Expired:
            async with connection.transaction():
                await connection.execute(f"SELECT pg_advisory_xact_lock({EXPIRY_LOCK})")  # one server after the other
                now = Pass.at(await _date(connection), await connection.fetchval(SELECT_LAST_PASS))
                return now.result(
                    [
                        (one, _row_count(await connection.execute(_pg(one.text), *one.parameters)))
                        for one in now.statements(sorted(viewed), expiry)
                    ]
                )

        return await self.run(job)

    async def marked_tables(self) -> list[tuple[str, str, str, float]]:
        return [tuple(row) for row in await self.run(lambda connection: connection.fetch(SELECT_MARKED))]

    async def restore(self, tables: Sequence[str], own: float) -> int:
        async def job(connection: asyncpg.Connection) -> str:
            return str(await connection.execute(_pg(RESTORE), await _date(connection), json.dumps(list(tables))))

        return _row_count(await self.run(job))

    async def probe(self) -> None:
        await self.run(lambda connection: connection.execute(_pg(sql.STORE_PROBE), secrets.token_hex(4)))

    async def transact(self, statements: Sequence[Statement]) -> list[list[Any]]:
        async def job(connection: asyncpg.Connection) -> list[list[Any]]:
            async with connection.transaction():
                return [list(await connection.fetch(_pg(text), *values)) for text, values in statements]

        return await self.run(job)

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await asyncio.wait_for(self._pool.close(), TIMEOUT)
        except CONNECTION_ERRORS:
            self._pool.terminate()

    async def _seal_again(self, connection: asyncpg.Connection) -> None:
        """Seal what is stored plainly or with an older secret; other servers may write meanwhile."""
        for column in SEALED_COLUMNS:
            rows = await connection.fetch(_pg(column.select), self._sealer.prefix, timeout=SEALING_TIMEOUT)
            if new := list(column.sealed_again(self._sealer, rows)):
                await connection.executemany(_pg(column.update), new, timeout=SEALING_TIMEOUT)

    # --- running jobs -------------------------------------------------------------------------------------------------

    async def run(self, job: Job[T]) -> T:
        """Run a function with one of the store's connections."""
        return await self._shielded(self._run_once(job))

    async def _write(self, job: Job[int], find_written: Callable[[], Awaitable[int | None]]) -> int:
        return await self._shielded(self._retried(job, find_written))

    async def _shielded(self, work: Awaitable[T]) -> T:
        """Run to the end even if the caller is cancelled: a statement that was sent cannot be called back."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._retrieve_error)
        return await asyncio.shield(task)

    def _retrieve_error(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved, in case the caller was cancelled

    async def _retried(self, job: Job[int], find_written: Callable[[], Awaitable[int | None]]) -> int:
        """Write, and write again while the outcome is unknown.

        The second write cannot double anything: it conflicts, and then `find_written` returns the first one's revision.
        """
        until, unknown = time.monotonic() + TIMEOUT, False
        while True:
            try:
                return await self._run_once(job)
            except Conflict:
                if not unknown or (revision := await _or_unknown(find_written())) is None:
                    raise
                return revision
            except StoreUnavailable as error:
                unknown = unknown or isinstance(error, WriteUnknown)
                if not unknown:
                    raise
                if time.monotonic() > until:
                    raise WriteUnknown(str(error)) from error
            await asyncio.sleep(RETRY_EVERY)

    async def _run_once(self, job: Job[T]) -> T:
        try:
            connection = await self._pool.acquire(timeout=TIMEOUT)
        except (*CONNECTION_ERRORS, asyncpg.PostgresError) as error:
            raise StoreUnavailable(_error_text(error)) from error
        try:
            return await job(connection)
        except asyncpg.UniqueViolationError as error:
            raise Conflict(str(error)) from error
        except CONNECTION_ERRORS as error:
            with contextlib.suppress(asyncpg.InterfaceError):  # it is closed already
                connection.terminate()
            raise WriteUnknown(_error_text(error)) from error
        except asyncpg.PostgresError as error:
            raise StoreUnavailable(_error_text(error)) from error
        finally:
            await self._pool.release(connection)


async def _or_unknown(question: Awaitable[T]) -> T:
    """Ask whether a write succeeded. When that cannot be asked, the write stays unknown: it may have succeeded."""
    try:
        return await question
    except StoreUnavailable as error:
        raise WriteUnknown(str(error)) from error


@cache
def _pg(statement: str) -> str:
    """Return a shared statement with PostgreSQL's parameters: `$1`, `$2`, ..."""
    numbers, template = count(1), statement.replace("MANY", "json_array_elements_text(?::json)")
    return "".join(f"${next(numbers)}" if letter == "?" else letter for letter in template)


_APPEND = f"""
    WITH changed AS ({_pg(sql.UPDATE_AFTER_MOVE)}),
        written AS (
            INSERT INTO entries (table_id, round, number, seat, text)
            SELECT $4, $5, line.number, line.seat, line.text
            FROM changed, unnest($7::integer[], $8::integer[], $9::text[]) AS line (number, seat, text))
    SELECT revision FROM changed
"""


async def _no_reset(connection: asyncpg.Connection) -> None:
    """Return a connection to the pool without a round trip: jobs leave nothing to reset."""


async def _migrate(connection: asyncpg.Connection) -> None:
    async with connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        await connection.execute("CREATE TABLE IF NOT EXISTS gramy_schema (version INTEGER NOT NULL)")
        version = await connection.fetchval("SELECT version FROM gramy_schema") or 0
        if version > len(SCHEMA):
            raise CannotOpenStore(newer_schema(version))
        for step in SCHEMA[version:]:
            await connection.execute(step)
        await connection.execute("DELETE FROM gramy_schema")
        await connection.execute("INSERT INTO gramy_schema VALUES ($1)", len(SCHEMA))


async def _date(connection: asyncpg.Connection) -> float:
    """Return the date by the database's clock; the clocks of the servers may be wrong."""
    return float(await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())::double precision"))


async def _reason_not_changed(connection: asyncpg.Connection, table: str) -> Exception:
    """Return why a table could not be changed: it was deleted, or another server was faster."""
    return (Conflict if await connection.fetchrow(_pg(sql.SELECT_REVISION), table) else TableDeleted)(table)


async def _tables(connection: asyncpg.Connection, sealer: Sealer, statement: str, *values: Any) -> list[TableRow]:
    async with connection.transaction(isolation="repeatable_read", readonly=True):  # one consistent snapshot
        found = await connection.fetch(_pg(statement), *values)
        ids = [row[0] for row in found]
        seats, deals = [await _many(connection, part, ids) for part in (sql.SELECT_SEATS, sql.SELECT_DEALS)]
        return sql.tables_from_rows(found, seats, deals, sealer)


async def _many(connection: asyncpg.Connection, statement: str, values: Sequence[str]) -> list[Any]:
    return list(await connection.fetch(_pg(statement), json.dumps(list(values))))


def _row_count(answer: str) -> int:
    """Return the number of rows: the last word of a status such as `DELETE 3`."""
    return int(answer.split()[-1])


def _error_text(error: BaseException) -> str:
    return str(error) or type(error).__name__
