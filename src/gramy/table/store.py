"""Where tables live when nobody looks: one small interface, and SQLite behind it.

Acknowledged means committed: a call returns after its transaction is on the disk. A thread of its own does the writing
and commits whatever has gathered while it was busy in one go, so that a flush is shared and nobody waits for a disk.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

T = TypeVar("T")
MOST_AT_ONCE = 512

SCHEMA = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, version INTEGER NOT NULL, options TEXT NOT NULL,
        public INTEGER NOT NULL, clock TEXT NOT NULL, round INTEGER NOT NULL, status TEXT NOT NULL,
        touched REAL NOT NULL);
    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat INTEGER NOT NULL, kind TEXT NOT NULL,
        name TEXT NOT NULL, level TEXT, guest TEXT, token TEXT, PRIMARY KEY (table_id, seat));
    CREATE TABLE entries (
        table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, round INTEGER NOT NULL, number INTEGER NOT NULL,
        seat INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (table_id, round, number)) WITHOUT ROWID;
    CREATE INDEX tables_by_time ON tables (status, touched);
    """,
)
"""The steps from an empty file to today's; a step is never changed, only followed by another."""


class SeatRow(NamedTuple):
    """Who sits where; the token only as its hash."""

    kind: str
    name: str = ""
    level: str | None = None
    guest: str | None = None
    token: str | None = None


class TableRow(NamedTuple):
    """A table without its moves."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    public: bool
    clock: dict[str, Any] | None
    round: int
    status: str
    touched: float
    seats: tuple[SeatRow, ...]


class Line(NamedTuple):
    """One line of a log."""

    seat: int
    text: str


class Taken(Exception):
    """Somebody else has written this line already."""


class Gone(Exception):
    """The table is not there any more."""


class Unkept(Exception):
    """It could not be written; nothing of it was."""


class Store(Protocol):
    """What a table needs kept. Every call returns when it is safe on the disk."""

    async def save(self, table: TableRow, lines: Iterable[Line] = ()) -> None:
        """Write a table and its seats, new or changed, and the first lines of its round; all or nothing."""

    async def append(
        self,
        table: str,
        round: int,
        number: int,
        lines: Iterable[Line],
        touched: float,
        status: str | None = None,
        clock: dict[str, Any] | None = None,
    ) -> None:
        """Add lines to a log from a number on, with what they change about the table; all or nothing. Raises Taken
        when a line is there already, Gone when the table is not."""

    async def load(self, table: str) -> TableRow | None:
        """A table, None when there is none."""

    async def lines(self, table: str, round: int) -> list[Line]:
        """The log of a round."""

    async def open_tables(self) -> list[TableRow]:
        """The tables that wait or play."""

    async def sweep(self, finished_before: float, idle_before: float) -> int:
        """Delete finished and idle tables that nobody has touched since; how many."""

    async def close(self) -> None:
        """Finish what is under way."""


class SqliteStore:
    """One file, in write-ahead mode with full flushes."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._ready: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread.start()
        if (error := self._ready.get()) is not None:
            raise error

    async def save(self, table: TableRow, lines: Iterable[Line] = ()) -> None:
        rows = _rows(table.id, table.round, 0, lines)

        def job(file: sqlite3.Connection) -> None:
            file.execute(
                "INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET public=excluded.public,"
                " clock=excluded.clock, round=excluded.round, status=excluded.status, touched=excluded.touched",
                (table.id, table.game, table.version, json.dumps(table.options), table.public,
                 json.dumps(table.clock), table.round, table.status, table.touched),
            )  # fmt: skip
            file.executemany(
                "INSERT OR REPLACE INTO seats VALUES (?,?,?,?,?,?,?)",
                [(table.id, seat, *row) for seat, row in enumerate(table.seats)],
            )
            _insert(file, rows)

        await self._do(job)

    async def append(
        self,
        table: str,
        round: int,
        number: int,
        lines: Iterable[Line],
        touched: float,
        status: str | None = None,
        clock: dict[str, Any] | None = None,
    ) -> None:
        rows = _rows(table, round, number, lines)
        changed = (touched, status, None if clock is None else json.dumps(clock), table)

        def job(file: sqlite3.Connection) -> None:
            _insert(file, rows)
            file.execute(
                "UPDATE tables SET touched=?, status=COALESCE(?, status), clock=COALESCE(?, clock) WHERE id=?", changed
            )

        await self._do(job)

    async def load(self, table: str) -> TableRow | None:
        def job(file: sqlite3.Connection) -> TableRow | None:
            row = file.execute("SELECT * FROM tables WHERE id=?", (table,)).fetchone()
            return None if row is None else _table(file, row)

        return await self._do(job)

    async def lines(self, table: str, round: int) -> list[Line]:
        def job(file: sqlite3.Connection) -> list[Line]:
            query = "SELECT seat, text FROM entries WHERE table_id=? AND round=? ORDER BY number"
            return [Line(seat, text) for seat, text in file.execute(query, (table, round))]

        return await self._do(job)

    async def open_tables(self) -> list[TableRow]:
        def job(file: sqlite3.Connection) -> list[TableRow]:
            rows = file.execute(
                "SELECT * FROM tables WHERE status IN ('waiting', 'playing') ORDER BY touched DESC"
            ).fetchall()
            return [_table(file, row) for row in rows]

        return await self._do(job)

    async def sweep(self, finished_before: float, idle_before: float) -> int:
        def job(file: sqlite3.Connection) -> int:
            return file.execute(
                "DELETE FROM tables WHERE touched < CASE WHEN status IN ('waiting', 'playing') THEN ? ELSE ? END",
                (idle_before, finished_before),
            ).rowcount

        return await self._do(job)

    async def close(self) -> None:
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def _do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(job, loop, done))
        return await done

    def _work(self) -> None:
        """The thread: gather, run in one transaction, commit, tell."""
        try:
            file = sqlite3.connect(self._path, isolation_level=None)
            _prepare(file)
        except sqlite3.Error as error:
            self._ready.put(error)
            return
        self._ready.put(None)
        going = True
        while going:
            jobs = [self._jobs.get()]
            while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                jobs.append(self._jobs.get())
            going = None not in jobs
            _together(file, [job for job in jobs if job is not None])
        file.close()


class _Job(NamedTuple):
    run: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


def _rows(table: str, round: int, number: int, lines: Iterable[Line]) -> list[tuple[Any, ...]]:
    return [(table, round, number + at, *line) for at, line in enumerate(lines)]


def _insert(file: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
    try:
        file.executemany("INSERT INTO entries VALUES (?,?,?,?,?)", rows)
    except sqlite3.IntegrityError as error:
        raise (Gone if "FOREIGN KEY" in str(error) else Taken)(str(rows[0][:3])) from error


def _together(file: sqlite3.Connection, jobs: list[_Job]) -> None:
    """Run jobs in one transaction; one that fails is undone alone, a failed commit fails all."""
    results: list[Any] = []
    try:
        file.execute("BEGIN IMMEDIATE")
        for job in jobs:
            file.execute("SAVEPOINT job")
            try:
                results.append(job.run(file))
                file.execute("RELEASE job")
            except Exception as error:
                if not file.in_transaction:  # a full disk has undone everything already
                    raise
                file.execute("ROLLBACK TO job")
                file.execute("RELEASE job")
                results.append(error)
        file.execute("COMMIT")
    except Exception as error:  # whatever it was, nothing was written, and the next ones may be luckier
        if file.in_transaction:
            file.execute("ROLLBACK")
        results = [error] * len(jobs)
    for job, result in zip(jobs, results, strict=True):
        job.loop.call_soon_threadsafe(_tell, job.done, result)


def _tell(done: asyncio.Future[Any], result: Any) -> None:
    if done.cancelled():
        return
    if isinstance(result, sqlite3.Error):
        done.set_exception(Unkept(str(result)))
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
        raise sqlite3.DatabaseError(f"it was written by a newer Gramy (schema {version}, known {len(SCHEMA)})")
    for number, step in enumerate(SCHEMA[version:], version + 1):
        file.executescript(f"BEGIN; {step}; PRAGMA user_version={number}; COMMIT;")


def _table(file: sqlite3.Connection, row: tuple[Any, ...]) -> TableRow:
    id, game, version, options, public, clock, round, status, touched = row
    query = "SELECT kind, name, level, guest, token FROM seats WHERE table_id=? ORDER BY seat"
    seats = tuple(SeatRow(*seat) for seat in file.execute(query, (id,)))
    known = json.loads(options), bool(public), json.loads(clock)
    return TableRow(id, game, version, *known, round, status, touched, seats)
