"""SQLite only: group commit, full disks, damaged files."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gramy.matches import Entry
from gramy.table.sealing import Sealer
from gramy.table.sqlite import SqliteStore
from gramy.table.store import CannotOpenStore, StoreUnavailable
from tests.table.backends import SECRET, SqliteBackend, row


async def test_many_appends_at_once_share_their_commits(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
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


async def watched(store: SqliteStore, tell: Callable[[str], Any]) -> None:
    """Call a function with every statement that the store's connection runs."""
    await store.run(lambda file: file.set_trace_callback(tell))


async def test_the_store_goes_on_after_a_guest_was_forgotten_on_a_full_disk(tmp_path: Path) -> None:
    """Forgetting copies the write-ahead log into the file, for which there may be no room."""
    backend = SqliteBackend(tmp_path)
    async with backend.opened() as store:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "x" * 4000) for _ in range(100)], 0.0)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (backend.path.stat().st_size, hard))
        try:
            with contextlib.suppress(StoreUnavailable):
                await asyncio.wait_for(store.forget("ada"), 5)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert len(await asyncio.wait_for(store.lines("t1", 1), 5)) == 100


async def test_a_full_disk_fails_the_jobs_that_did_not_fit_and_no_others(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "before")], 0.0)
        (pages,) = await store.run(lambda file: file.execute("PRAGMA page_count").fetchone())
        await store.run(lambda file: file.execute(f"PRAGMA max_page_count={pages}").fetchone())
        long = "x" * 4000
        jobs = [store.append("t1", 1, number, [Entry(0, long)], 0.0) for number in range(1, 6)]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        failed = [number for number, answer in enumerate(answers, 1) if not isinstance(answer, int)]
        assert failed
        assert all(isinstance(answers[number - 1], StoreUnavailable) for number in failed)
        kept = [line.text for line in await store.lines("t1", 1)]
        assert kept == ["before"] + [long] * (5 - len(failed))

        await store.run(lambda file: file.execute("PRAGMA max_page_count=100000").fetchone())
        await store.append("t1", 1, failed[0], [Entry(0, "afterwards")], 0.0)
        assert (await store.lines("t1", 1))[-1] == Entry(0, "afterwards")
        assert await SqliteBackend(tmp_path).query("PRAGMA integrity_check") == [("ok",)]


async def test_a_round_whose_first_lines_do_not_fit_on_the_disk_has_not_begun(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
        await store.save(row())
        (used,) = await store.run(lambda file: file.execute("PRAGMA page_count").fetchone())
        await store.run(lambda file: file.execute(f"PRAGMA max_page_count={used + 1}").fetchone())
        with pytest.raises(StoreUnavailable):
            await store.save(row("t2"), [Entry(6, f"deal {'x' * 3000}") for _ in range(20)])
        assert await store.load("t2") is None


async def test_the_error_for_a_full_disk_says_so(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
        await store.save(row())
        await store.run(lambda file: file.execute("PRAGMA max_page_count=1").fetchone())
        with pytest.raises(StoreUnavailable, match="full"):
            await store.append("t1", 1, 0, [Entry(0, "x" * 20_000)], 0.0)


def test_a_file_that_is_not_a_database_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "gramy.sqlite").write_text("dear diary, " * 100)
    with pytest.raises(CannotOpenStore):
        SqliteStore(tmp_path / "gramy.sqlite", Sealer([SECRET]))


async def test_the_file_is_in_write_ahead_mode_with_full_flushes(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
        assert await SqliteBackend(tmp_path).query("PRAGMA journal_mode") == [("wal",)]
        assert await store.run(lambda file: file.execute("PRAGMA synchronous").fetchone()) == (2,)  # full


async def test_a_statement_with_an_error_is_reported(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
        with pytest.raises(StoreUnavailable):
            await store.run(lambda file: file.execute("INSERT INTO nowhere VALUES (1)"))
