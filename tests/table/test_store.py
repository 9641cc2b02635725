"""The store keeps what it has acknowledged: real files, many writers, a full disk, a second start."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gramy.table.store import SCHEMA, Gone, Line, SeatRow, SqliteStore, TableRow, Taken, Unkept
from tests.table.around import live


def row(id: str = "t1", **words: Any) -> TableRow:
    seats = (SeatRow("person", "Ada", None, "guest", "hash"), SeatRow("bot", "Otto", "easy"), SeatRow("open"))
    options = {"players": "3", "jokers": "on"}
    return TableRow(
        id, "gra", 1, options, True, {"minutes": 5.0, "seconds": 1.0}, 1, "playing", 1000.0, seats
    )._replace(**words)


def on_disk(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """What another process finds in the file."""
    file = sqlite3.connect(folder / "gramy.sqlite")
    try:
        return file.execute(query).fetchall()
    finally:
        file.close()


def with_store(folder: Path, story: Callable[[SqliteStore], Any]) -> None:
    async def told() -> None:
        store = SqliteStore(folder / "gramy.sqlite")
        try:
            await story(store)
        finally:
            await store.close()

    live(told())


def test_a_table_comes_back_as_it_was_saved_and_changed(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        assert await store.load("t1") is None
        await store.save(row())
        assert await store.load("t1") == row()
        seats = (SeatRow("open"), SeatRow("bot", "Otto", "easy"), SeatRow("person", "Bob", None, "g", "h"))
        changed = row(round=2, status="finished", touched=2000.0, seats=seats, public=False)
        await store.save(changed)
        assert await store.load("t1") == changed
        await store.save(row("t2", clock=None))
        assert (await store.load("t2")).clock is None
        assert await store.load("t1") == changed

    with_store(tmp_path, story)


def test_what_is_acknowledged_is_on_the_disk(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        for number in range(5):
            await store.append("t1", 1, number, [Line(number % 2, f"up {number}")], 1001.0 + number)
            stored = on_disk(tmp_path, "SELECT number, seat, text FROM entries ORDER BY number")
            assert stored == [(one, one % 2, f"up {one}") for one in range(number + 1)]
            assert on_disk(tmp_path, "SELECT touched FROM tables") == [(1001.0 + number,)]
        assert on_disk(tmp_path, "PRAGMA journal_mode") == [("wal",)]

    with_store(tmp_path, story)


def test_many_appends_at_once_are_all_there_and_share_their_commits(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        commits: list[str] = []
        await asyncio.gather(*(store.save(row(f"t{table}")) for table in range(20)))
        await watched(store, commits.append)
        await asyncio.gather(
            *(
                store.append(f"t{table}", 1, 2 * number, [Line(0, f"up {number}"), Line(6, "deal 1")], 0.0)
                for number in range(25)
                for table in range(20)
            )
        )
        for table in range(20):
            expected = [line for number in range(25) for line in (Line(0, f"up {number}"), Line(6, "deal 1"))]
            assert await store.lines(f"t{table}", 1) == expected
        assert commits.count("COMMIT") < 100  # for 500 jobs

    with_store(tmp_path, story)


async def watched(store: SqliteStore, tell: Callable[[str], Any]) -> None:
    """Hear every statement that the store's connection runs."""
    await store._do(lambda file: file.set_trace_callback(tell))


def test_the_second_writer_of_a_line_is_told_and_nothing_of_his_is_written(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Line(0, "first")], 1001.0)
        with pytest.raises(Taken):
            await store.append("t1", 1, 0, [Line(1, "second")], 1002.0)
        await store.append("t1", 1, 2, [Line(0, "third")], 1003.0)
        with pytest.raises(Taken):
            await store.append("t1", 1, 1, [Line(1, "a"), Line(1, "b"), Line(1, "c")], 1004.0)
        assert await store.lines("t1", 1) == [Line(0, "first"), Line(0, "third")]
        assert (await store.load("t1")).touched == 1003.0
        await store.append("t1", 2, 0, [Line(0, "another round")], 1005.0)
        assert await store.lines("t1", 2) == [Line(0, "another round")]

    with_store(tmp_path, story)


def test_of_many_writers_of_a_line_one_wins(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        writers = [store.append("t1", 1, 0, [Line(seat, f"by {seat}")], 0.0) for seat in range(30)]
        answers = await asyncio.gather(*writers, return_exceptions=True)
        assert answers[0] is None
        assert all(isinstance(answer, Taken) for answer in answers[1:])
        assert await store.lines("t1", 1) == [Line(0, "by 0")]

    with_store(tmp_path, story)


def test_two_stores_on_one_file_do_not_write_the_same_line(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        other = SqliteStore(tmp_path / "gramy.sqlite")
        try:
            await store.save(row())
            for number in range(10):
                answers = await asyncio.gather(
                    *(one.append("t1", 1, number, [Line(0, "x")], 0.0) for one in (store, other)),
                    return_exceptions=True,
                )
                assert sorted(map(type, answers), key=str) == [type(None), Taken]
            assert len(await other.lines("t1", 1)) == 10
        finally:
            await other.close()

    with_store(tmp_path, story)


def test_a_job_that_fails_does_not_undo_its_neighbours(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 3, [Line(0, "in the way")], 0.0)
        jobs = [store.append("t1", 1, number, [Line(0, f"line {number}")], 0.0) for number in range(6)]
        broken = store._do(lambda file: file.execute("INSERT INTO nowhere VALUES (1)"))
        orphan = store.append("no such table", 1, 0, [Line(0, "x")], 0.0)
        answers = await asyncio.gather(*jobs, broken, orphan, store.save(row("t2")), return_exceptions=True)
        kinds = [type(answer) for answer in answers]
        assert kinds[:6] == [type(None)] * 3 + [Taken] + [type(None)] * 2
        assert kinds[6] is Unkept
        assert kinds[7] is Gone
        assert kinds[8] is type(None)
        texts = [line.text for line in await store.lines("t1", 1)]
        assert texts == ["line 0", "line 1", "line 2", "in the way", "line 4", "line 5"]
        assert await store.load("t2") is not None

    with_store(tmp_path, story)


def test_a_job_that_breaks_in_any_way_fails_alone_and_the_store_goes_on(tmp_path: Path) -> None:
    """A text that SQLite cannot hold, for instance, raises something that is no sqlite3.Error."""

    async def story(store: SqliteStore) -> None:
        await store.save(row())
        with pytest.raises(UnicodeEncodeError):
            await asyncio.wait_for(store.load("\ud800"), 2)
        assert await asyncio.wait_for(store.load("t1"), 2) == row()

    with_store(tmp_path, story)


def test_a_full_disk_fails_what_could_not_be_written_and_the_store_goes_on(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Line(0, "before")], 0.0)
        (pages,) = await store._do(lambda file: file.execute("PRAGMA page_count").fetchone())
        await store._do(lambda file: file.execute(f"PRAGMA max_page_count={pages}").fetchone())
        long = "x" * 4000
        jobs = [store.append("t1", 1, number, [Line(0, long)], 0.0) for number in range(1, 6)]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        failed = [number for number, answer in enumerate(answers, 1) if answer is not None]
        assert failed
        assert all(isinstance(answer, Unkept) for answer in answers if answer is not None)
        kept = [line.text for line in await store.lines("t1", 1)]
        assert kept == ["before"] + [long] * (5 - len(failed))

        await store._do(lambda file: file.execute("PRAGMA max_page_count=100000").fetchone())
        await store.append("t1", 1, failed[0], [Line(0, "afterwards")], 0.0)
        assert (await store.lines("t1", 1))[-1] == Line(0, "afterwards")
        assert on_disk(tmp_path, "PRAGMA integrity_check") == [("ok",)]

    with_store(tmp_path, story)


def test_a_full_disk_is_what_the_error_says(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store._do(lambda file: file.execute("PRAGMA max_page_count=1").fetchone())
        with pytest.raises(Unkept, match="full"):
            await store.append("t1", 1, 0, [Line(0, "x" * 20_000)], 0.0)

    with_store(tmp_path, story)


def test_who_no_longer_waits_does_not_disturb_the_others(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        impatient = asyncio.ensure_future(store.append("t1", 1, 0, [Line(0, "x")], 0.0))
        await asyncio.sleep(0)
        impatient.cancel()
        assert await store.load("t1") is not None
        assert impatient.cancelled()
        assert await store.lines("t1", 1) == [Line(0, "x")]

    with_store(tmp_path, story)


def test_everything_is_there_after_reopening_and_the_schema_is_made_once(tmp_path: Path) -> None:
    async def first(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Line(6, "deal first 1"), Line(1, "choose 4")], 1002.0)

    async def second(store: SqliteStore) -> None:
        assert await store.load("t1") == row(touched=1002.0)
        assert await store.lines("t1", 1) == [Line(6, "deal first 1"), Line(1, "choose 4")]

    with_store(tmp_path / "new" / "folder", first)
    assert on_disk(tmp_path / "new" / "folder", "PRAGMA user_version") == [(len(SCHEMA),)]
    with_store(tmp_path / "new" / "folder", second)
    assert on_disk(tmp_path / "new" / "folder", "PRAGMA user_version") == [(len(SCHEMA),)]


def test_a_file_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    with_store(tmp_path, lambda store: store.save(row()))
    file = sqlite3.connect(tmp_path / "gramy.sqlite")
    file.execute(f"PRAGMA user_version={len(SCHEMA) + 1}")
    file.close()
    with pytest.raises(sqlite3.Error):
        with_store(tmp_path, lambda store: store.load("t1"))


def test_a_file_that_is_no_database_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "gramy.sqlite").write_text("dear diary, " * 100)
    with pytest.raises(sqlite3.Error):
        SqliteStore(tmp_path / "gramy.sqlite")


def test_closing_finishes_what_is_under_way(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "gramy.sqlite")
        await store.save(row())
        jobs = [asyncio.ensure_future(store.append("t1", 1, number, [Line(0, "x")], 0.0)) for number in range(600)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*jobs)
        assert on_disk(tmp_path, "SELECT count(*) FROM entries") == [(600,)]

    live(story())


def test_open_tables_are_those_that_wait_or_play_newest_first(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        for at, status in enumerate(("waiting", "playing", "finished", "abandoned", "waiting")):
            await store.save(row(f"t{at}", status=status, touched=float(at)))
        assert [table.id for table in await store.open_tables()] == ["t4", "t1", "t0"]

    with_store(tmp_path, story)


def test_sweeping_deletes_with_everything_what_nobody_touched_for_the_stated_time(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        for status in ("waiting", "playing", "finished", "abandoned"):
            for touched in (10.0, 50.0, 99.0):
                id = f"{status} {touched}"
                await store.save(row(id, status=status, touched=touched))
                await store.append(id, 1, 0, [Line(0, "x")], touched)
        assert await store.sweep(finished_before=20.0, idle_before=60.0) == 6
        left = on_disk(tmp_path, "SELECT id FROM tables ORDER BY id")
        kept = {f"{status} {touched}" for status in ("finished", "abandoned") for touched in (50.0, 99.0)}
        assert {id for (id,) in left} == kept | {"waiting 99.0", "playing 99.0"}
        for part in ("seats", "entries"):
            assert on_disk(tmp_path, f"SELECT DISTINCT table_id FROM {part} ORDER BY table_id") == left
        assert await store.sweep(finished_before=20.0, idle_before=60.0) == 0

    with_store(tmp_path, story)
