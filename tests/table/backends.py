"""The two back ends of the store behind one interface, so that one set of tests runs on both."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import asyncpg

from gramy.fair import Deal
from gramy.table.postgres import PostgresStore
from gramy.table.sealing import Sealer
from gramy.table.seat import Seat
from gramy.table.sqlite import SqliteStore
from gramy.table.store import Store, TableRow
from tests.servers import Postgres


def row(id: str = "t1", **words: Any) -> TableRow:
    seats = (Seat("person", "Ada", None, "guest", "hash"), Seat("bot", "Otto", "easy"), Seat("open"))
    options = {"players": "3", "jokers": "on"}
    deals = Deal("seed", ("k3Vx", "", "-")), Deal("another", ("", "", ""))
    clock = {"minutes": 5.0, "seconds": 1.0}
    row = TableRow(id, "gra", 1, options, True, clock, 1, "playing", 1000.0, seats, deals, frozenset())
    return row._replace(**words)


SECRET = "the secret of all stores in tests"


class Backend:
    """An empty database, for stores and for direct access."""

    version: str  # the query for the schema's version
    secrets: tuple[str, ...] = (SECRET,)

    def set_version(self, version: int) -> str:
        """Return the statements that set the schema's version."""
        raise NotImplementedError

    async def open(self) -> Store:
        raise NotImplementedError

    async def query(self, text: str) -> list[tuple[Any, ...]]:
        """Run a query with a connection of its own."""
        raise NotImplementedError

    async def script(self, statements: str) -> None:
        """Run statements with a connection of their own."""
        raise NotImplementedError

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Open a store on this database, and close it at the end."""
        store = await self.open()
        try:
            yield store
        finally:
            await store.close()


class SqliteBackend(Backend):
    version = "PRAGMA user_version"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "new" / "gramy.sqlite"

    def set_version(self, version: int) -> str:
        return f"PRAGMA user_version={version}"

    async def open(self) -> SqliteStore:
        return SqliteStore(self.path, Sealer(self.secrets))

    async def query(self, text: str) -> list[tuple[Any, ...]]:
        return await asyncio.to_thread(self._connected, lambda file: file.execute(text).fetchall())

    async def script(self, statements: str) -> None:
        self.path.parent.mkdir(exist_ok=True)
        self._connected(lambda file: file.executescript(statements))

    def _connected(self, do: Callable[[sqlite3.Connection], Any]) -> Any:
        file = sqlite3.connect(self.path)
        try:
            return do(file)
        finally:
            file.close()


class PostgresBackend(Backend):
    version = "SELECT version FROM gramy_schema"

    def __init__(self, server: Postgres, database: bool = False) -> None:
        self.url = server.new_database() if database else server.new()

    def set_version(self, version: int) -> str:
        create = "CREATE TABLE IF NOT EXISTS gramy_schema (version INTEGER NOT NULL); DELETE FROM gramy_schema"
        return f"{create}; INSERT INTO gramy_schema VALUES ({version})"

    async def open(self) -> PostgresStore:
        return await PostgresStore.open(self.url, Sealer(self.secrets))

    async def query(self, text: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self._connected(lambda connection: connection.fetch(text))]

    async def script(self, statements: str) -> None:
        await self._connected(lambda connection: connection.execute(statements))

    async def _connected(self, do: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        connection = await asyncpg.connect(self.url)
        try:
            return await do(connection)
        finally:
            await connection.close()
