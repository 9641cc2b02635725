"""The store keeps what it has acknowledged: real files, many writers, a full disk, a second start."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gramy.fair import Deal
from gramy.match import Entry
from gramy.table.sqlite import SqliteStore
from gramy.table.store import SCHEMA, Gone, SeatRow, TableRow, Taken, Unkept
from tests.table.around import live


def row(id: str = "t1", **words: Any) -> TableRow:
    seats = (SeatRow("person", "Ada", None, "guest", "hash"), SeatRow("bot", "Otto", "easy"), SeatRow("open"))
    options = {"players": "3", "jokers": "on"}
    deals = Deal("seed", ("k3Vx", "", "-")), Deal("another", ("", "", ""))
    clock = {"minutes": 5.0, "seconds": 1.0}
    row = TableRow(id, "gra", 1, options, True, clock, 1, "playing", 1000.0, seats, deals, {})
    return row._replace(**words)


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
        assert await store.save(row()) == 1
        assert await store.load("t1") == row(revision=1)
        seats = (SeatRow("open"), SeatRow("bot", "Otto", "easy"), SeatRow("person", "Bob", None, "g", "h"))
        deals = Deal("another", ("a", "", "")), Deal("a third", ("", "", ""))
        changed = row(
            round=2, status="finished", touched=2000.0, seats=seats, public=False, deals=deals, rematch={2: "x"}
        )
        assert await store.save(changed._replace(revision=1)) == 2
        changed = changed._replace(revision=2)
        assert await store.load("t1") == changed
        assert [await store.deal("t1", round) for round in (1, 2, 3, 4)] == [row().deals[0], *deals, None]
        await store.save(row("t2", clock=None))
        assert (await store.load("t2")).clock is None
        assert await store.load("t1") == changed

    with_store(tmp_path, story)


def test_what_is_acknowledged_is_on_the_disk(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        for number in range(5):
            await store.append("t1", 1, number, [Entry(number % 2, f"up {number}")], 1001.0 + number)
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
                store.append(f"t{table}", 1, 2 * number, [Entry(0, f"up {number}"), Entry(6, "deal 1")], 0.0)
                for number in range(25)
                for table in range(20)
            )
        )
        for table in range(20):
            expected = [line for number in range(25) for line in (Entry(0, f"up {number}"), Entry(6, "deal 1"))]
            assert await store.lines(f"t{table}", 1) == expected
        assert commits.count("COMMIT") < 100  # for 500 jobs

    with_store(tmp_path, story)


async def watched(store: SqliteStore, tell: Callable[[str], Any]) -> None:
    """Hear every statement that the store's connection runs."""
    await store._do(lambda file: file.set_trace_callback(tell))


def test_the_second_writer_of_a_line_is_told_and_nothing_of_his_is_written(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "first")], 1001.0)
        with pytest.raises(Taken):
            await store.append("t1", 1, 0, [Entry(1, "second")], 1002.0)
        await store.append("t1", 1, 2, [Entry(0, "third")], 1003.0)
        with pytest.raises(Taken):
            await store.append("t1", 1, 1, [Entry(1, "a"), Entry(1, "b"), Entry(1, "c")], 1004.0)
        assert await store.lines("t1", 1) == [Entry(0, "first"), Entry(0, "third")]
        assert (await store.load("t1")).touched == 1003.0
        with pytest.raises(Taken):  # not the round that is on
            await store.append("t1", 2, 0, [Entry(0, "another round")], 1005.0)
        assert await store.append("t1", 1, 3, [Entry(1, "last")], 1006.0, "finished") == 4
        with pytest.raises(Taken):  # it is over
            await store.append("t1", 1, 4, [Entry(1, "too late")], 1007.0)
        assert await store.lines("t1", 1, 2) == [Entry(0, "third"), Entry(1, "last")]

    with_store(tmp_path, story)


def test_a_table_is_changed_from_its_last_revision_only(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "x")], 1001.0)
        with pytest.raises(Taken):
            await store.save(row(status="abandoned", revision=1))
        assert await store.save(row(status="abandoned", revision=2)) == 3
        with pytest.raises(Gone):
            await store.save(row("t2", revision=1))
        assert await store.revisions(["t1", "t2"]) == {"t1": 3}

    with_store(tmp_path, story)


def test_a_guest_is_forgotten_wherever_nobody_plays_on(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        for status in ("playing", "finished", "abandoned"):
            await store.save(row(status, status=status))
        assert await store.forget("guest") == 2
        assert await store.forget("guest") == 0
        assert (await store.load("playing")).seats[0].name == "Ada"
        for status in ("finished", "abandoned"):
            assert (await store.load(status)).seats[0] == SeatRow("person")

    with_store(tmp_path, story)


def test_a_file_of_the_first_schema_is_brought_up_to_date_with_its_tables(tmp_path: Path) -> None:
    file = sqlite3.connect(tmp_path / "gramy.sqlite")
    file.executescript(f"{SCHEMA[0]}; PRAGMA user_version=1;")
    values = ("old", "gra", 1, '{"players": "2"}', 1, "null", 1, "playing", 5.0)
    file.execute("INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?)", values)
    file.execute("INSERT INTO seats VALUES ('old', 0, 'person', 'Ada', NULL, 'guest', 'hash')")
    file.execute("INSERT INTO entries VALUES ('old', 1, 0, 6, 'deal first 1')")
    file.commit()
    file.close()

    async def story(store: SqliteStore) -> None:
        old = await store.load("old")
        assert (old.revision, old.rematch, old.seats) == (1, {}, (SeatRow("person", "Ada", None, "guest", "hash"),))
        assert len(old.deals[0].seed) == 64  # its next cards come from a seed, though its first ones did not
        assert await store.append("old", 1, 1, [Entry(1, "check")], 6.0) == 2

    with_store(tmp_path, story)


def test_of_many_writers_of_a_line_one_wins(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        writers = [store.append("t1", 1, 0, [Entry(seat, f"by {seat}")], 0.0) for seat in range(30)]
        answers = await asyncio.gather(*writers, return_exceptions=True)
        assert answers[0] == 2
        assert all(isinstance(answer, Taken) for answer in answers[1:])
        assert await store.lines("t1", 1) == [Entry(0, "by 0")]

    with_store(tmp_path, story)


def test_two_stores_on_one_file_do_not_write_the_same_line(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        other = SqliteStore(tmp_path / "gramy.sqlite")
        try:
            await store.save(row())
            for number in range(10):
                answers = await asyncio.gather(
                    *(one.append("t1", 1, number, [Entry(0, "x")], 0.0) for one in (store, other)),
                    return_exceptions=True,
                )
                assert {type(answer) for answer in answers} == {int, Taken}
            assert len(await other.lines("t1", 1)) == 10
        finally:
            await other.close()

    with_store(tmp_path, story)


def test_a_job_that_fails_does_not_undo_its_neighbours(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 3, [Entry(0, "in the way")], 0.0)
        jobs = [store.append("t1", 1, number, [Entry(0, f"line {number}")], 0.0) for number in range(6)]
        broken = store._do(lambda file: file.execute("INSERT INTO nowhere VALUES (1)"))
        orphan = store.append("no such table", 1, 0, [Entry(0, "x")], 0.0)
        answers = await asyncio.gather(*jobs, broken, orphan, store.save(row("t2")), return_exceptions=True)
        kinds = [type(answer) for answer in answers]
        assert kinds[:6] == [int] * 3 + [Taken] + [int] * 2
        assert kinds[6] is Unkept
        assert kinds[7] is Gone
        assert kinds[8] is int
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
        assert await asyncio.wait_for(store.load("t1"), 2) == row(revision=1)

    with_store(tmp_path, story)


def test_a_full_disk_fails_what_could_not_be_written_and_the_store_goes_on(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "before")], 0.0)
        (pages,) = await store._do(lambda file: file.execute("PRAGMA page_count").fetchone())
        await store._do(lambda file: file.execute(f"PRAGMA max_page_count={pages}").fetchone())
        long = "x" * 4000
        jobs = [store.append("t1", 1, number, [Entry(0, long)], 0.0) for number in range(1, 6)]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        failed = [number for number, answer in enumerate(answers, 1) if not isinstance(answer, int)]
        assert failed
        assert all(isinstance(answers[number - 1], Unkept) for number in failed)
        kept = [line.text for line in await store.lines("t1", 1)]
        assert kept == ["before"] + [long] * (5 - len(failed))

        await store._do(lambda file: file.execute("PRAGMA max_page_count=100000").fetchone())
        await store.append("t1", 1, failed[0], [Entry(0, "afterwards")], 0.0)
        assert (await store.lines("t1", 1))[-1] == Entry(0, "afterwards")
        assert on_disk(tmp_path, "PRAGMA integrity_check") == [("ok",)]

    with_store(tmp_path, story)


def test_a_full_disk_is_what_the_error_says(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        await store._do(lambda file: file.execute("PRAGMA max_page_count=1").fetchone())
        with pytest.raises(Unkept, match="full"):
            await store.append("t1", 1, 0, [Entry(0, "x" * 20_000)], 0.0)

    with_store(tmp_path, story)


def test_who_no_longer_waits_does_not_disturb_the_others(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        await store.save(row())
        impatient = asyncio.ensure_future(store.append("t1", 1, 0, [Entry(0, "x")], 0.0))
        await asyncio.sleep(0)
        impatient.cancel()
        assert await store.load("t1") is not None
        assert impatient.cancelled()
        assert await store.lines("t1", 1) == [Entry(0, "x")]

    with_store(tmp_path, story)


def test_everything_is_there_after_reopening_and_the_schema_is_made_once(tmp_path: Path) -> None:
    async def first(store: SqliteStore) -> None:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(6, "deal first 1"), Entry(1, "choose 4")], 1002.0)

    async def second(store: SqliteStore) -> None:
        assert await store.load("t1") == row(touched=1002.0, revision=2)
        assert await store.lines("t1", 1) == [Entry(6, "deal first 1"), Entry(1, "choose 4")]

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
        jobs = [asyncio.ensure_future(store.append("t1", 1, number, [Entry(0, "x")], 0.0)) for number in range(600)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*jobs)
        assert on_disk(tmp_path, "SELECT count(*) FROM entries") == [(600,)]

    live(story())


def test_open_tables_are_those_that_wait_or_play_newest_first(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        for at, status in enumerate(("waiting", "playing", "finished", "abandoned", "waiting")):
            await store.save(row(f"t{at}", status=status, touched=float(at)))
        assert [table.id for table in await store.open_tables(public=True, most=9)] == ["t4", "t1", "t0"]
        await store.save(row("t5", public=False))
        assert [table.id for table in await store.open_tables(public=True, most=2)] == ["t4", "t1"]
        assert len(await store.open_tables(public=False, most=9)) == 4

    with_store(tmp_path, story)


def test_sweeping_deletes_with_everything_what_nobody_touched_for_the_stated_time(tmp_path: Path) -> None:
    async def story(store: SqliteStore) -> None:
        for status in ("waiting", "playing", "finished", "abandoned"):
            for touched in (10.0, 50.0, 99.0):
                id = f"{status} {touched}"
                await store.save(row(id, status=status, touched=touched), [Entry(0, "x")])
        assert await store.sweep(finished_before=20.0, idle_before=60.0) == 6
        left = on_disk(tmp_path, "SELECT id FROM tables ORDER BY id")
        kept = {f"{status} {touched}" for status in ("finished", "abandoned") for touched in (50.0, 99.0)}
        assert {id for (id,) in left} == kept | {"waiting 99.0", "playing 99.0"}
        for part in ("seats", "entries", "deals"):
            assert on_disk(tmp_path, f"SELECT DISTINCT table_id FROM {part} ORDER BY table_id") == left
        assert await store.sweep(finished_before=20.0, idle_before=60.0) == 0

    with_store(tmp_path, story)
