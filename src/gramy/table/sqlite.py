"""The default store: one file, SQLite in write-ahead mode with full flushes.

A thread of its own does the writing and commits whatever has gathered while it was busy in one go, so that a flush is
shared and nobody waits for a disk.
"""

from __future__ import annotations

import asyncio
import json
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from gramy.fair import Deal
from gramy.match import Entry
from gramy.table.store import PLAYING, SCHEMA, Gone, SeatRow, TableRow, Taken, Unkept

T = TypeVar("T")
MOST_AT_ONCE = 512


class SqliteStore:
    """A store in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._ready: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread.start()
        if (error := self._ready.get()) is not None:
            raise error

    async def save(self, table: TableRow, lines: Iterable[Entry] = ()) -> int:
        rows, revision = _rows(table.id, table.round, 0, lines), table.revision + 1

        def job(file: sqlite3.Connection) -> int:
            changing = (
                table.public, json.dumps(table.clock), table.round, table.status, table.touched,
                json.dumps(table.rematch), revision,
            )  # fmt: skip
            if table.revision == 0:
                file.execute(
                    "INSERT INTO tables (public, clock, round, status, touched, rematch, revision, id, game, version,"
                    " options) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                    (*changing, table.id, table.game, table.version, json.dumps(table.options)),
                )
            elif not file.execute(
                "UPDATE tables SET public=?, clock=?, round=?, status=?, touched=?, rematch=?, revision=?"
                " WHERE id=? AND revision=?",
                (*changing, table.id, table.revision),
            ).rowcount:
                raise _refusal(file, table.id)
            file.executemany(
                "INSERT OR REPLACE INTO seats (table_id, seat, kind, name, level, guest, token, stand_in)"
                " VALUES (?,?,?,?,?,?,?,?)",
                [(table.id, seat, *row) for seat, row in enumerate(table.seats)],
            )
            file.executemany(
                "INSERT OR REPLACE INTO deals (table_id, round, seed, luck) VALUES (?,?,?,?)",
                [
                    (table.id, round, deal.seed, json.dumps(deal.luck))
                    for round, deal in enumerate(table.deals, table.round)
                ],
            )
            _insert(file, rows)
            return revision

        return await self._do(job)

    async def append(
        self,
        table: str,
        round: int,
        number: int,
        lines: Iterable[Entry],
        touched: float,
        status: str = PLAYING,
        clock: dict[str, Any] | None = None,
    ) -> int:
        rows = _rows(table, round, number, lines)
        changed = (touched, status, None if clock is None else json.dumps(clock), table, round, PLAYING)

        def job(file: sqlite3.Connection) -> int:
            found = file.execute(
                "UPDATE tables SET touched=?, status=?, clock=COALESCE(?, clock), revision=revision+1"
                " WHERE id=? AND round=? AND status=? RETURNING revision",
                changed,
            ).fetchone()
            if found is None:
                raise _refusal(file, table)
            _insert(file, rows)
            return int(found[0])

        return await self._do(job)

    async def load(self, table: str) -> TableRow | None:
        return next(iter(await self._do(lambda file: _tables(file, "WHERE id=?", table))), None)

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        def job(file: sqlite3.Connection) -> list[Entry]:
            query = "SELECT seat, text FROM entries WHERE table_id=? AND round=? AND number>=? ORDER BY number"
            return [Entry(seat, text) for seat, text in file.execute(query, (table, round, start))]

        return await self._do(job)

    async def deal(self, table: str, round: int) -> Deal | None:
        def job(file: sqlite3.Connection) -> Deal | None:
            row = file.execute("SELECT seed, luck FROM deals WHERE table_id=? AND round=?", (table, round)).fetchone()
            return None if row is None else Deal(row[0], tuple(json.loads(row[1])))

        return await self._do(job)

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        def job(file: sqlite3.Connection) -> dict[str, int]:
            query = "SELECT id, revision FROM tables WHERE id IN (SELECT value FROM json_each(?))"
            return dict(file.execute(query, (json.dumps(list(tables)),)))

        return await self._do(job)

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        where = "WHERE status IN ('waiting', 'playing') AND public>=? ORDER BY touched DESC LIMIT ?"
        return await self._do(lambda file: _tables(file, where, int(public), most))

    async def forget(self, guest: str) -> int:
        def job(file: sqlite3.Connection) -> int:
            return file.execute(
                "UPDATE seats SET name='', guest=NULL, token=NULL WHERE guest=?"
                " AND table_id NOT IN (SELECT id FROM tables WHERE status IN ('waiting', 'playing'))",
                (guest,),
            ).rowcount

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


def _rows(table: str, round: int, number: int, lines: Iterable[Entry]) -> list[tuple[Any, ...]]:
    return [(table, round, number + at, line.seat, line.text) for at, line in enumerate(lines)]


def _insert(file: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
    try:
        file.executemany("INSERT INTO entries VALUES (?,?,?,?,?)", rows)
    except sqlite3.IntegrityError as error:
        raise Taken(str(rows[0][:3])) from error


def _refusal(file: sqlite3.Connection, table: str) -> Exception:
    """Why a table could not be changed: it is gone, or somebody else was faster."""
    there = file.execute("SELECT 1 FROM tables WHERE id=?", (table,)).fetchone()
    return (Taken if there else Gone)(table)


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


def _tables(file: sqlite3.Connection, where: str, *values: Any) -> list[TableRow]:
    columns = "id, game, version, options, public, clock, round, status, touched, rematch, revision"
    return [_table(file, row) for row in file.execute(f"SELECT {columns} FROM tables {where}", values).fetchall()]


def _table(file: sqlite3.Connection, row: tuple[Any, ...]) -> TableRow:
    id, game, version, options, public, clock, round, status, touched, rematch, revision = row
    query = "SELECT kind, name, level, guest, token, stand_in FROM seats WHERE table_id=? ORDER BY seat"
    seats = tuple(SeatRow(*seat)._replace(stand_in=bool(seat[-1])) for seat in file.execute(query, (id,)))
    query = "SELECT seed, luck FROM deals WHERE table_id=? AND round>=? ORDER BY round LIMIT 2"
    deals = [Deal(seed, tuple(json.loads(luck))) for seed, luck in file.execute(query, (id, round))]
    while len(deals) < 2:  # kept before deals could be checked: its next cards come from a seed of now
        deals.append(Deal(secrets.token_hex(32), ()))
    return TableRow(
        id=id,
        game=game,
        version=version,
        options=json.loads(options),
        public=bool(public),
        clock=json.loads(clock),
        round=round,
        status=status,
        touched=touched,
        seats=seats,
        deals=(deals[0], deals[1]),
        rematch={int(seat): luck for seat, luck in json.loads(rematch).items()},
        revision=revision,
    )
