"""The two back ends of the store, as one thing that a contract can be told to."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import asyncpg

from gramy.fair import Deal
from gramy.table.postgres import PostgresStore
from gramy.table.seat import Seat
from gramy.table.sqlite import SqliteStore
from gramy.table.store import Store, TableRow
from tests.servers import Postgres


def row(id: str = "t1", **words: Any) -> TableRow:
    seats = (Seat("person", "Ada", None, "guest", "hash"), Seat("bot", "Otto", "easy"), Seat("open"))
    options = {"players": "3", "jokers": "on"}
    deals = Deal("seed", ("k3Vx", "", "-")), Deal("another", ("", "", ""))
    clock = {"minutes": 5.0, "seconds": 1.0}
    row = TableRow(id, "gra", 1, options, True, clock, 1, "playing", 1000.0, seats, deals, {})
    return row._replace(**words)


class Back:
    """A database that is empty at first, reached by stores and by others."""

    version: str  # the query for the schema's version

    def marked(self, version: int) -> str:
        """The sentences that note a version."""
        raise NotImplementedError

    async def open(self) -> Store:
        raise NotImplementedError

    async def found(self, query: str) -> list[tuple[Any, ...]]:
        """What somebody finds who is no store of ours."""
        raise NotImplementedError

    async def script(self, sentences: str) -> None:
        """What somebody does who is no store of ours."""
        raise NotImplementedError

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Open a store on this database, and close it at the end."""
        store = await self.open()
        try:
            yield store
        finally:
            await store.close()


class File(Back):
    version = "PRAGMA user_version"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "new" / "gramy.sqlite"

    def marked(self, version: int) -> str:
        return f"PRAGMA user_version={version}"

    async def open(self) -> SqliteStore:
        return SqliteStore(self.path)

    async def found(self, query: str) -> list[tuple[Any, ...]]:
        return self._by_itself(lambda file: file.execute(query).fetchall())

    async def script(self, sentences: str) -> None:
        self.path.parent.mkdir(exist_ok=True)
        self._by_itself(lambda file: file.executescript(sentences))

    def _by_itself(self, do: Callable[[sqlite3.Connection], Any]) -> Any:
        file = sqlite3.connect(self.path)
        try:
            return do(file)
        finally:
            file.close()


class Base(Back):
    version = "SELECT version FROM gramy_schema"

    def __init__(self, server: Postgres, database: bool = False) -> None:
        self.url = server.new_database() if database else server.new()

    def marked(self, version: int) -> str:
        made = "CREATE TABLE IF NOT EXISTS gramy_schema (version INTEGER NOT NULL); DELETE FROM gramy_schema"
        return f"{made}; INSERT INTO gramy_schema VALUES ({version})"

    async def open(self) -> PostgresStore:
        return await PostgresStore.open(self.url)

    async def found(self, query: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self._by_itself(lambda base: base.fetch(query))]

    async def script(self, sentences: str) -> None:
        await self._by_itself(lambda base: base.execute(sentences))

    async def _by_itself(self, do: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        base = await asyncpg.connect(self.url)
        try:
            return await do(base)
        finally:
            await base.close()
