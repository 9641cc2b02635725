"""PostgreSQL only: lost connections, restarts, and servers that start together."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

import pytest

from gramy.matches import Entry
from gramy.table import postgres as module
from gramy.table.postgres import PostgresStore
from gramy.table.sealing import Sealer
from gramy.table.store import SCHEMA, CannotOpenStore, Conflict, StoreUnavailable, WriteUnknown
from tests.servers import Postgres
from tests.table.backends import SECRET, PostgresBackend, row


async def test_servers_that_start_together_run_the_migrations_once(postgres: Postgres) -> None:
    back = PostgresBackend(postgres)
    stores = await asyncio.gather(*(back.open() for _ in range(5)))
    await asyncio.gather(*(store.save(row(f"t{at}")) for at, store in enumerate(stores)))
    assert await back.query(back.version) == [(len(SCHEMA),)]
    assert len(await stores[0].open_tables(public=True, most=9)) == 5
    for store in stores:
        await store.close()


async def test_an_unreachable_server_is_reported(postgres: Postgres) -> None:
    for url in ("postgresql://gramy@127.0.0.1:1/x", postgres.url("nowhere"), "postgresql://[", "what?"):
        with pytest.raises(CannotOpenStore):
            await PostgresStore.open(url, Sealer([SECRET]))


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
async def test_while_the_database_is_away_writes_fail_and_afterwards_they_succeed(
    postgres: Postgres, sign: signal.Signals
) -> None:
    async with PostgresBackend(postgres).opened() as store:
        await store.save(row())
        await asyncio.gather(*(store.append("t1", 1, at, [Entry(0, f"{at}")], 0.0) for at in range(20)))
        await asyncio.to_thread(postgres.stop, sign)
        try:
            for work in (store.append("t1", 1, 20, [Entry(0, "20")], 0.0), store.save(row("t2")), store.load("t1")):
                with pytest.raises(StoreUnavailable) as error:
                    await asyncio.wait_for(work, 3)
                assert not isinstance(error.value, WriteUnknown)  # it was not even sent
        finally:
            await asyncio.to_thread(postgres.start)
        assert await store.append("t1", 1, 20, [Entry(0, "20 again")], 0.0) == 22
        assert await store.load("t2") is None
        assert len(await store.lines("t1", 1)) == 21


class Cut:
    """Cuts the connection before or after the next statements that contain a word."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, word: str, *moments: str) -> None:
        self.word, self.moments = word, list(moments)
        for name in ("fetchrow", "execute", "executemany"):
            monkeypatch.setattr(module.asyncpg.Connection, name, self.wrapped(getattr(module.asyncpg.Connection, name)))

    def wrapped(self, sentence: Any) -> Any:
        async def cut(base: Any, text: str, *values: Any, **words: Any) -> Any:
            moment = self.moments.pop(0) if self.moments and self.word in text else ""
            if moment == "before":
                base.terminate()
            answer = await sentence(base, text, *values, **words)
            if moment == "after":
                base.terminate()
                raise module.asyncpg.ConnectionDoesNotExistError("cut off")
            return answer

        return cut


@pytest.mark.parametrize("moments", [["before"], ["after"], ["after", "after"]])
async def test_a_move_whose_answer_was_lost_is_written_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, moments: list[str]
) -> None:
    async with PostgresBackend(postgres).opened() as store:
        await store.save(row())
        Cut(monkeypatch, "WITH changed", *moments)
        assert await store.append("t1", 1, 0, [Entry(0, "up 3"), Entry(6, "deal 1")], 1001.0) == 2
        assert await store.append("t1", 1, 2, [Entry(1, "end")], 1002.0) == 3
        assert await store.lines("t1", 1) == [Entry(0, "up 3"), Entry(6, "deal 1"), Entry(1, "end")]


async def test_a_move_whose_answer_was_lost_is_not_confused_with_another_one(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PostgresBackend(postgres).opened() as store:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(1, "mine")], 1001.0)
        Cut(monkeypatch, "WITH changed", "before")
        with pytest.raises(Conflict):
            await store.append("t1", 1, 0, [Entry(0, "not mine")], 1001.0)


@pytest.mark.parametrize("word", ["INSERT INTO tables", "INSERT INTO seats", "INSERT INTO deals", "COMMIT"])
@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_table_whose_answer_was_lost_is_written_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, word: str, moment: str
) -> None:
    async with PostgresBackend(postgres).opened() as store:
        Cut(monkeypatch, word, moment)
        assert await store.save(row(), [Entry(6, "deal first 1")]) == 1
        assert await store.load("t1") == row(revision=1)
        assert await store.lines("t1", 1) == [Entry(6, "deal first 1")]


async def test_a_change_during_a_match_whose_answer_was_lost_is_written_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it is computed again from what it has changed itself, and refused although it was done."""
    async with PostgresBackend(postgres).opened() as store:
        await store.save(row(), [Entry(6, "deal first 1")])
        Cut(monkeypatch, "COMMIT", "after")
        assert await store.save(row(revision=1, touched=1001.0)) == 2
        assert await store.load("t1") == row(revision=2, touched=1001.0)


async def test_a_round_whose_answer_was_lost_is_written_once_with_its_hidden_lines(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PostgresBackend(postgres).opened() as store:
        Cut(monkeypatch, "COMMIT", "after")
        assert await store.save(row(), [Entry(6, "deal 1 2 3", reader=0)]) == 1
        assert await store.lines("t1", 1) == [Entry(6, "deal 1 2 3")]


async def test_a_write_stays_unknown_when_the_store_cannot_be_asked_whether_it_succeeded(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move is stored. "Not saved" would be wrong, and its player would choose another one."""
    async with PostgresBackend(postgres).opened() as store:
        await store.save(row())
        Cut(monkeypatch, "WITH changed", "after")

        async def away(*_: Any) -> Any:
            raise StoreUnavailable("no connection")

        with monkeypatch.context() as patch:
            patch.setattr(store, "lines", away)
            with pytest.raises(WriteUnknown):
                await store.append("t1", 1, 0, [Entry(0, "up 3")], 1001.0)
        assert await store.lines("t1", 1) == [Entry(0, "up 3")]


async def test_an_unknown_outcome_is_reported_after_the_timeout(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PostgresBackend(postgres).opened() as store:
        await store.save(row())
        monkeypatch.setattr(module, "TIMEOUT", 0.2)
        Cut(monkeypatch, "WITH changed", *["before"] * 100)
        with pytest.raises(WriteUnknown):
            await store.append("t1", 1, 0, [Entry(0, "x")], 1001.0)


async def test_a_server_that_hangs_counts_as_unavailable_after_the_timeout(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its processes are stopped, as by a disk that hangs: connections stay open, and no answer comes."""
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    store = await PostgresBackend(postgres).open()
    await store.save(row())
    (server,) = await store.run(lambda base: base.fetchrow("SELECT pg_backend_pid()"))
    postgres.signal(signal.SIGSTOP, server)
    try:
        with pytest.raises(StoreUnavailable):
            await asyncio.wait_for(store.load("t1"), 3)
    finally:
        postgres.signal(signal.SIGCONT, server)
    assert await store.load("t1") == row(revision=1)
    await store.close()
