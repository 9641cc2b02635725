"""The default store: one SQLite file in write-ahead mode with full flushes.

One thread does the writing. The jobs that queue up while it is busy are committed together (group commit): a flush
costs as much as ten moves, so it is shared.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import secrets
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table import sql
from gramy.table.expiry import RESTORE, SELECT_LAST_PASS, SELECT_MARKED, Pass, plausible_date
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
    UnreadableTable,
    newer_schema,
)

T = TypeVar("T")
CLOSE_TIMEOUT = 10.0
"""Seconds that the last writes may take when the store is closed; a disk that hangs takes for ever."""
PROBE_BYTES = 32 * 1024
"""A disk with less room counts as full."""


class SqliteStore:
    """A store in one file."""

    def __init__(self, path: Path, sealer: Sealer) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it has everybody's cards; SQLite gives its other files the same mode
        self._path, self._sealer = path, sealer
        self._queued: list[_Job] = []
        self._writing = False  # a batch is being written, or is about to be
        self._truncate_log = False  # after the next batch; only the thread uses it
        self._batches: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._ready: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread.start()
        if (error := self._ready.get()) is not None:
            raise CannotOpenStore(str(error)) from error

    async def save(self, table: TableRow, lines: Iterable[Entry] = (), written: TableRow | None = None) -> int:
        statement, values = sql.save_statement(table)
        seats, deals = sql.seat_parameters(table, written), sql.deal_parameters(table, self._sealer, written)
        rows = sql.line_parameters(table.id, table.round, 0, lines, self._sealer)

        def job(file: sqlite3.Connection) -> int:
            try:
                found = file.execute(statement, values).fetchone()
            except sqlite3.IntegrityError as error:
                raise Conflict(table.id) from error
            if found is None:
                raise _reason_not_changed(file, table.id)
            if seats:
                file.executemany(sql.UPSERT_SEAT, seats)
                file.execute(sql.DELETE_SEATS, (table.id, len(seats)))
            file.executemany(sql.UPSERT_DEAL, deals)
            _insert(file, rows)
            return int(found[0])

        return await self.run(job)

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
        rows = sql.line_parameters(table, round, number, lines, self._sealer)
        statement, values = sql.COUNT_MOVE, (table, round, PLAYING)
        if touched is not None or status != PLAYING or clock is not None:
            statement, values = sql.UPDATE_AFTER_MOVE, sql.move_parameters(table, round, touched, status, clock)

        def job(file: sqlite3.Connection, new: _Lines) -> int:
            if (found := file.execute(statement, values).fetchone()) is None:
                raise _reason_not_changed(file, table)
            new += rows
            return int(found[0])

        return await self._enqueue(job)

    async def load(self, table: str) -> TableRow | None:
        return next(iter(await self.run(lambda file: _tables(file, self._sealer, sql.SELECT_TABLE, table))), None)

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        rows = await self.run(lambda file: file.execute(sql.SELECT_LINES, (table, round, start)).fetchall())
        return sql.lines_from_rows(rows, table, round, self._sealer)

    async def deal(self, table: str, round: int) -> Deal | None:
        row = await self.run(lambda file: file.execute(sql.SELECT_DEAL, (table, round)).fetchone())
        return None if row is None else sql.deal_from_row(row, self._sealer)

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        return await self.run(lambda file: dict(_many(file, sql.SELECT_REVISIONS, tables)))

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        return await self.run(lambda file: _tables(file, self._sealer, sql.SELECT_OPEN, int(public), most))

    async def listed_tables(self, most: int, per_guest: int) -> list[TableRow]:
        return await self.run(lambda file: _tables(file, self._sealer, sql.SELECT_LISTED, per_guest, most))

    async def sitting(self, guest: str) -> list[str]:
        return await self.run(lambda file: [table for (table,) in file.execute(sql.SELECT_SITTING, (guest,))])

    async def forget(self, guest: str) -> dict[str, int]:
        def job(file: sqlite3.Connection) -> dict[str, int]:
            changed = dict(file.execute(sql.TOUCH_FORGOTTEN, (guest,)).fetchall())
            file.execute(sql.FORGET_GUEST, (guest,))
            file.execute(sql.FORGET_BLOCKED, (guest, f"%{guest}%"))
            self._truncate_log = True  # the write-ahead log has the name too
            return changed

        return await self.run(job)

    async def date(self, own: float) -> float:
        return await self.run(lambda file: plausible_date(own, _last_pass(file)))

    async def expire(self, own: float, viewed: Sequence[str], expiry: Expiry) -> Expired:
        def job(file: sqlite3.Connection) -> Expired:
            last = _last_pass(file)
            now = Pass.at(plausible_date(own, last), last)
            return now.result(
                (one, file.execute(_sqlite(one.text), one.parameters).rowcount)
                for one in now.statements(viewed, expiry)
            )

        return await self.run(job)

    async def marked_tables(self) -> list[tuple[str, str, str, float]]:
        return await self.run(lambda file: file.execute(SELECT_MARKED).fetchall())

    async def restore(self, tables: Sequence[str], own: float) -> int:
        values = own, json.dumps(list(tables))
        return await self.run(lambda file: file.execute(_sqlite(RESTORE), values).rowcount)

    async def probe(self) -> None:
        await self.run(lambda file: _probe(file, self._path))

    async def transact(self, statements: Sequence[Statement]) -> list[list[Any]]:
        return await self.run(lambda file: [file.execute(*statement).fetchall() for statement in statements])

    async def close(self) -> None:
        if self._queued:
            self._start_batch()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join, CLOSE_TIMEOUT)

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function with the store's connection in the writing thread, in turn with everything else."""

        def with_lines_written(file: sqlite3.Connection, new: _Lines) -> T:
            _insert(file, new)
            new.clear()
            return job(file)

        return await self._enqueue(with_lines_written)

    async def _enqueue(self, job: Callable[[sqlite3.Connection, _Lines], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._queued.append(_Job(job, done))
        if not self._writing:
            self._writing = True
            loop.call_soon(self._start_batch)
        return await done

    def _start_batch(self) -> None:
        """Pass the queued jobs to the thread, one batch at a time, so that the next batch can grow meanwhile."""
        jobs, self._queued = self._queued, []
        self._batches.put(_Batch(jobs, asyncio.get_running_loop()))

    def _finish_batch(self, jobs: list[_Job], results: list[Any]) -> None:
        """Resolve the futures of a batch that is done, and go on with the jobs that were queued meanwhile."""
        for job, result in zip(jobs, results, strict=True):
            _resolve(job.done, result)
        if self._queued:
            self._start_batch()
        else:
            self._writing = False

    def _work(self) -> None:
        """Run in the thread: take a batch, run it in one transaction, commit, report."""
        file = sqlite3.connect(self._path, isolation_level=None)
        try:
            _open_for_writing(file)
            _seal_again(file, self._sealer)
        except (sqlite3.Error, UnreadableTable) as error:
            file.close()
            self._ready.put(error)
            return
        self._ready.put(None)
        while (batch := self._batches.get()) is not None:
            results = _run_batch(file, batch.jobs)
            if self._truncate_log:
                with contextlib.suppress(sqlite3.Error):  # a full disk; the next batch tries again
                    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    self._truncate_log = False
            batch.loop.call_soon_threadsafe(self._finish_batch, batch.jobs, results)
        file.close()


_Lines: TypeAlias = list[tuple[Any, ...]]
"""Lines of logs that are inserted together, before any other statement runs."""


class _Job(NamedTuple):
    run: Callable[[sqlite3.Connection, _Lines], Any]
    done: asyncio.Future[Any]


class _Batch(NamedTuple):
    jobs: list[_Job]
    loop: asyncio.AbstractEventLoop


def _insert(file: sqlite3.Connection, rows: _Lines) -> None:
    """Insert lines. The list is not changed: when a batch fails, its jobs run once more."""
    if rows:
        try:
            file.executemany(sql.INSERT_LINE, rows)
        except sqlite3.IntegrityError as error:
            raise Conflict(str(rows[0][:3])) from error


def _reason_not_changed(file: sqlite3.Connection, table: str) -> Exception:
    """Return why a table could not be changed: it was deleted, or another server was faster."""
    return (Conflict if file.execute(sql.SELECT_REVISION, (table,)).fetchone() else TableDeleted)(table)


def _run_batch(file: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Run jobs in one transaction. A job that fails is rolled back alone; a failed commit fails all."""
    try:
        return _run_at_once(file, jobs)
    except Exception:
        _roll_back(file)
    try:
        return _run_one_by_one(file, jobs)
    except Exception as error:  # nothing was written, and the next batch may succeed
        _roll_back(file)
        return [error] * len(jobs)


def _run_at_once(file: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Run all jobs without savepoints: failures are rare, and a savepoint costs as much as a job."""
    new: _Lines = []
    file.execute("BEGIN IMMEDIATE")
    results = [job.run(file, new) for job in jobs]
    _insert(file, new)
    file.execute("COMMIT")
    return results


def _run_one_by_one(file: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Run each job in a savepoint, so that only the jobs that fail are rolled back."""
    results: list[Any] = []
    file.execute("BEGIN IMMEDIATE")
    for job in jobs:
        new: _Lines = []
        file.execute("SAVEPOINT job")
        try:
            result = job.run(file, new)
            _insert(file, new)
            results.append(result)
        except Exception as error:
            if not file.in_transaction:  # a full disk has rolled everything back already
                raise
            file.execute("ROLLBACK TO job")
            results.append(error)
        file.execute("RELEASE job")
    file.execute("COMMIT")
    return results


def _roll_back(file: sqlite3.Connection) -> None:
    if file.in_transaction:
        file.execute("ROLLBACK")


def _resolve(done: asyncio.Future[Any], result: Any) -> None:
    if done.cancelled():
        return
    if isinstance(result, sqlite3.Error):
        done.set_exception(StoreUnavailable(str(result)))
    elif isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


def _open_for_writing(file: sqlite3.Connection) -> None:
    """Set durable writing, and migrate the schema."""
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=FULL")
    file.execute("PRAGMA foreign_keys=ON")
    file.execute("PRAGMA secure_delete=ON")  # what was deleted or forgotten is overwritten in the file
    file.execute("PRAGMA busy_timeout=5000")
    (version,) = file.execute("PRAGMA user_version").fetchone()
    if version > len(SCHEMA):
        raise sqlite3.DatabaseError(newer_schema(version))
    for number, step in enumerate(SCHEMA[version:], version + 1):
        file.executescript(f"BEGIN; {step}; PRAGMA user_version={number}; COMMIT;")


def _seal_again(file: sqlite3.Connection, sealer: Sealer) -> None:
    """Seal what is stored plainly or with an older secret."""
    file.execute("BEGIN IMMEDIATE")
    changed = 0
    for column in SEALED_COLUMNS:
        rows = file.execute(column.select, (sealer.prefix,)).fetchall()
        changed += file.executemany(column.update, column.sealed_again(sealer, rows)).rowcount if rows else 0
    file.execute("COMMIT")
    if changed:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log has the plain texts


def _tables(file: sqlite3.Connection, sealer: Sealer, statement: str, *values: Any) -> list[TableRow]:
    found = file.execute(statement, values).fetchall()
    ids = [row[0] for row in found]
    seats, deals = _many(file, sql.SELECT_SEATS, ids), _many(file, sql.SELECT_DEALS, ids)
    return sql.tables_from_rows(found, seats, deals, sealer)


def _many(file: sqlite3.Connection, statement: str, values: Sequence[str]) -> sqlite3.Cursor:
    return file.execute(_sqlite(statement), (json.dumps(list(values)),))


def _probe(file: sqlite3.Connection, path: Path) -> None:
    """Write a value, and more where the file has room for it but the disk may not; read the file itself again."""
    try:
        with tempfile.TemporaryFile(dir=path.parent, buffering=0) as scratch:
            scratch.write(bytes(PROBE_BYTES))
    except OSError as error:
        raise StoreUnavailable(str(error)) from error
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as other:
        other.execute("SELECT count(*) FROM facts").fetchone()  # the first connection may have it in memory
    file.execute(sql.STORE_PROBE, (secrets.token_hex(4),))


def _sqlite(statement: str) -> str:
    return statement.replace("MANY", "json_each(?)")


def _last_pass(file: sqlite3.Connection) -> str | None:
    found = file.execute(SELECT_LAST_PASS).fetchone()
    return None if found is None else str(found[0])
