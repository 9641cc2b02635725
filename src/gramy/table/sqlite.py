"""The default store: one file, SQLite in write-ahead mode with full flushes.

A thread of its own does the writing. Whatever has gathered while it was busy is committed in one go: a flush costs as
much as ten moves do, so it is shared.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

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
    newer,
)

T = TypeVar("T")


class SqliteStore:
    """A store in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # everybody's cards are in it; SQLite's other files are made alike
        self._path = path
        self._gathered: list[_Job] = []
        self._busy = False  # a batch is under way, or about to be
        self._batches: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._ready: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread.start()
        if (error := self._ready.get()) is not None:
            raise CannotOpenStore(str(error)) from error

    async def save(self, table: TableRow, lines: Iterable[Entry] = ()) -> int:
        sentence, values = sql.table_values(table)
        seats, deals = sql.seat_values(table), sql.deal_values(table)
        rows = sql.line_values(table.id, table.round, 0, lines)

        def job(file: sqlite3.Connection) -> int:
            try:
                found = file.execute(sentence, values).fetchone()
            except sqlite3.IntegrityError as error:
                raise Conflict(table.id) from error
            if found is None:
                raise _refusal(file, table.id)
            file.executemany(sql.SEAT, seats)
            file.executemany(sql.DEAL, deals)
            _insert(file, rows)
            return int(found[0])

        return await self._do(job)

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
        rows = sql.line_values(table, round, number, lines)
        sentence, values = sql.MOVED_ON, (table, round, PLAYING)
        if touched is not None or status != PLAYING or clock is not None:
            sentence, values = sql.MOVED, sql.moved_values(table, round, touched, status, clock)

        def job(file: sqlite3.Connection, new: _Lines) -> int:
            if (found := file.execute(sentence, values).fetchone()) is None:
                raise _refusal(file, table)
            new += rows
            return int(found[0])

        return await self._gather(job)

    async def load(self, table: str) -> TableRow | None:
        return next(iter(await self._do(lambda file: _tables(file, sql.ONE, table))), None)

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        rows = await self._do(lambda file: file.execute(sql.LINES, (table, round, start)).fetchall())
        return [Entry(seat, text) for seat, text in rows]

    async def deal(self, table: str, round: int) -> Deal | None:
        return await self._do(lambda file: sql.deal_of(file.execute(sql.ONE_DEAL, (table, round)).fetchone()))

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        return await self._do(lambda file: dict(_many(file, sql.REVISIONS, tables)))

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        return await self._do(lambda file: _tables(file, sql.OPEN_ONES, int(public), most))

    async def sitting(self, guest: str) -> list[str]:
        return await self._do(lambda file: [table for (table,) in file.execute(sql.SITTING, (guest,))])

    async def forget(self, guest: str) -> int:
        def job(file: sqlite3.Connection) -> int:
            file.execute(sql.FORGOTTEN, (guest,))  # other servers have the name in memory
            return file.execute(sql.FORGET, (guest,)).rowcount

        return await self._do(job)

    async def delete_expired(self, finished_before: float, idle_before: float) -> int:
        return await self._do(lambda file: file.execute(sql.SWEEP, (idle_before, finished_before)).rowcount)

    async def close(self) -> None:
        if self._gathered:
            self._hand_over()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    async def _do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        def after_the_lines(file: sqlite3.Connection, new: _Lines) -> T:
            _insert(file, new)
            new.clear()
            return job(file)

        return await self._gather(after_the_lines)

    async def _gather(self, job: Callable[[sqlite3.Connection, _Lines], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._gathered.append(_Job(job, done))
        if not self._busy:
            self._busy = True
            loop.call_soon(self._hand_over)
        return await done

    def _hand_over(self) -> None:
        """Give the thread what has gathered; one batch at a time, so that the next one can grow meanwhile."""
        jobs, self._gathered = self._gathered, []
        self._batches.put(_Batch(jobs, asyncio.get_running_loop()))

    def _settle(self, jobs: list[_Job], results: list[Any]) -> None:
        """A batch is done: tell who waits for it, and go on with what has gathered."""
        for job, result in zip(jobs, results, strict=True):
            _tell(job.done, result)
        if self._gathered:
            self._hand_over()
        else:
            self._busy = False

    def _work(self) -> None:
        """The thread: take a batch, run it in one transaction, commit, tell."""
        try:
            file = sqlite3.connect(self._path, isolation_level=None)
            _prepare(file)
        except sqlite3.Error as error:
            self._ready.put(error)
            return
        self._ready.put(None)
        while (batch := self._batches.get()) is not None:
            results = _together(file, batch.jobs)
            batch.loop.call_soon_threadsafe(self._settle, batch.jobs, results)
        file.close()


_Lines: TypeAlias = list[tuple[Any, ...]]
"""Lines of logs that are written together, and before anybody reads."""


class _Job(NamedTuple):
    run: Callable[[sqlite3.Connection, _Lines], Any]
    done: asyncio.Future[Any]


class _Batch(NamedTuple):
    jobs: list[_Job]
    loop: asyncio.AbstractEventLoop


def _insert(file: sqlite3.Connection, rows: _Lines) -> None:
    """Write lines. They stay as they are: a job of a batch that fails is run once more."""
    if rows:
        try:
            file.executemany(sql.LINE, rows)
        except sqlite3.IntegrityError as error:
            raise Conflict(str(rows[0][:3])) from error


def _refusal(file: sqlite3.Connection, table: str) -> Exception:
    """Why a table could not be changed: it is gone, or somebody else was faster."""
    return (Conflict if file.execute(sql.THERE, (table,)).fetchone() else TableDeleted)(table)


def _together(file: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Run jobs in one transaction; one that fails is undone alone, a failed commit fails all."""
    try:
        return _at_once(file, jobs)
    except Exception:
        _undo(file)
    try:
        return _one_by_one(file, jobs)
    except Exception as error:  # whatever it was, nothing was written, and the next ones may be luckier
        _undo(file)
        return [error] * len(jobs)


def _at_once(file: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Nearly always nothing fails; a savepoint around each job would cost as much as the job."""
    new: _Lines = []
    file.execute("BEGIN IMMEDIATE")
    results = [job.run(file, new) for job in jobs]
    _insert(file, new)
    file.execute("COMMIT")
    return results


def _one_by_one(file: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Something failed: find out what, and keep the rest."""
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
            if not file.in_transaction:  # a full disk has undone everything already
                raise
            file.execute("ROLLBACK TO job")
            results.append(error)
        file.execute("RELEASE job")
    file.execute("COMMIT")
    return results


def _undo(file: sqlite3.Connection) -> None:
    if file.in_transaction:
        file.execute("ROLLBACK")


def _tell(done: asyncio.Future[Any], result: Any) -> None:
    if done.cancelled():
        return
    if isinstance(result, sqlite3.Error):
        done.set_exception(StoreUnavailable(str(result)))
    elif isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


def _prepare(file: sqlite3.Connection) -> None:
    """Open for durable writing, and bring the schema up to date."""
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=FULL")
    file.execute("PRAGMA foreign_keys=ON")
    file.execute("PRAGMA busy_timeout=5000")
    (version,) = file.execute("PRAGMA user_version").fetchone()
    if version > len(SCHEMA):
        raise sqlite3.DatabaseError(newer(version))
    for number, step in enumerate(SCHEMA[version:], version + 1):
        file.executescript(f"BEGIN; {step}; PRAGMA user_version={number}; COMMIT;")


def _tables(file: sqlite3.Connection, sentence: str, *values: Any) -> list[TableRow]:
    found = file.execute(sentence, values).fetchall()
    ids = [row[0] for row in found]
    return sql.tables_of(found, _many(file, sql.SEATS, ids), _many(file, sql.DEALS, ids))


def _many(file: sqlite3.Connection, sentence: str, values: Sequence[str]) -> sqlite3.Cursor:
    return file.execute(sentence.replace("MANY", "json_each(?)"), (json.dumps(list(values)),))
