"""`/ready` follows the store and the bus, while `/health` says that the process runs; a loss is logged once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gramy.table.lobby import Lobby
from gramy.web import readiness
from tests.servers import Postgres, RedisServer
from tests.table.backends import PostgresBackend
from tests.web.client import Visitor, serving, visiting
from tests.web.test_faults import small_disk

SECRET = "of both servers " * 3


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check at every request and between requests."""
    monkeypatch.setattr(readiness, "VALID", 0.0)
    monkeypatch.setattr(readiness, "CHECK_EVERY", 0.02)


@contextlib.asynccontextmanager
async def ready_server(folder: Path, **settings: Any) -> AsyncIterator[tuple[Visitor, Lobby]]:
    async with serving(folder, **settings) as (address, lobby), visiting(address) as visitor:
        status, answer = await visitor.get("ready")
        assert (status, answer["ready"], answer["store"]) == (200, True, "ok")
        yield visitor, lobby


async def lost(visitor: Visitor, part: str) -> None:
    """Check that /ready names the part that is lost, and that /health and the metrics are as they should be."""
    for _ in range(3):
        status, answer = await visitor.get("ready")
        assert (status, answer["ready"], answer[part]) == (503, False, "failed")
    assert (await visitor.get("health"))[0] == 200
    assert f'gramy_ready{{part="{part}"}} 0.0' in (await visitor.get("metrics"))[1]


async def found(visitor: Visitor, part: str) -> None:
    async with asyncio.timeout(30):
        while (await visitor.get("ready"))[0] != 200:
            await asyncio.sleep(0.05)
    assert f'gramy_ready{{part="{part}"}} 1.0' in (await visitor.get("metrics"))[1]


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [line.getMessage() for line in caplog.records if line.levelno >= logging.WARNING]


STORE = [readiness.LOST["store"], readiness.FOUND["store"]]


@pytest.mark.usefixtures("eager")
async def test_a_full_disk_is_seen(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with small_disk(tmp_path / "disk") as folder:
        async with ready_server(folder) as (visitor, _):
            with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(1024))
            await lost(visitor, "store")
            (folder / "filler").unlink()
            await found(visitor, "store")
    assert logged(caplog) == STORE


@pytest.mark.usefixtures("eager")
async def test_a_damaged_database_is_seen(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "gramy.sqlite"
    async with ready_server(tmp_path) as (visitor, _):
        with contextlib.closing(sqlite3.connect(path)) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # by another process: SQLite's locks end when this one closes the file
        damage = ["dd", "if=/dev/urandom", f"of={path}", "bs=4096", "count=4", "conv=notrunc", "status=none"]
        subprocess.run(damage, check=True)
        await lost(visitor, "store")
    assert logged(caplog) == STORE[:1]


@pytest.mark.usefixtures("eager")
async def test_a_stopped_database_is_seen(postgres: Postgres, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with ready_server(tmp_path, store=PostgresBackend(postgres).url) as (visitor, _):
        await asyncio.to_thread(postgres.stop, signal.SIGINT)
        try:
            await lost(visitor, "store")
            assert (await visitor.get("api/tables"))[0] == 503
        finally:
            await asyncio.to_thread(postgres.start)
        await found(visitor, "store")
    assert logged(caplog) == STORE


@pytest.mark.usefixtures("eager")
async def test_a_stopped_bus_is_seen(
    postgres: Postgres, redis: RedisServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = {"store": PostgresBackend(postgres).url, "bus": redis.url, "secrets": (SECRET,)}
    async with ready_server(tmp_path, **settings) as (visitor, _):
        assert (await visitor.get("ready"))[1] == {"ready": True, "store": "ok", "bus": "ok"}
        await asyncio.to_thread(redis.stop)
        try:
            await lost(visitor, "bus")
            assert (await visitor.get("ready"))[1]["store"] == "ok"
        finally:
            await asyncio.to_thread(redis.start)
        await found(visitor, "bus")
    assert logged(caplog) == [readiness.LOST["bus"], readiness.FOUND["bus"]]


async def test_many_requests_share_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with ready_server(tmp_path) as (visitor, lobby):
        writes, probe = 0, lobby.services.store.probe

        async def counted() -> None:
            nonlocal writes
            writes += 1
            await probe()

        monkeypatch.setattr(lobby.services.store, "probe", counted)
        answers = await asyncio.gather(*(visitor.get("ready") for _ in range(50)))
        assert {status for status, _ in answers} == {200}
        assert writes <= 1


@pytest.mark.usefixtures("eager")
async def test_a_store_that_does_not_answer_in_time_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(readiness, "DEADLINE", 0.05)
    hangs = asyncio.Event()
    async with ready_server(tmp_path) as (visitor, lobby):
        with monkeypatch.context() as patch:

            async def hang() -> None:
                await hangs.wait()

            patch.setattr(lobby.services.store, "probe", hang)
            await lost(visitor, "store")
        await found(visitor, "store")
    assert logged(caplog) == STORE
