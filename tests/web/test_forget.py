"""A guest who is forgotten on one server is forgotten on all: no endpoint, socket or database has their name."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from gramy.table import lobby as lobby_module
from gramy.table.lobby import Lobby
from gramy.table.sqlite import SqliteStore
from gramy.table.state import abandon
from gramy.web.app import Site
from tests.servers import Postgres, RedisServer
from tests.table.backends import PostgresBackend
from tests.table.services import Wire, lobby_at, until
from tests.web.client import Client, Visitor, play_on, serving, visiting
from tests.web.test_privacy import everything

NAME = "Zdzisława"
MARK = "Zdzis"  # a part of the name that no encoding changes
TIMEOUT = 20.0
TOKEN = "t" * 32
HOST = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def apps(monkeypatch: pytest.MonkeyPatch) -> list[web.Application]:
    """Collect the applications of the servers that a test starts."""
    made: list[web.Application] = []
    make = Site.app

    def app(site: Site) -> web.Application:
        made.append(make(site))
        return made[-1]

    monkeypatch.setattr(Site, "app", app)
    return made


def readable_paths(app: web.Application, table: str) -> list[str]:
    """Return every address of an application that can be read, with a table and its first round filled in."""
    values = {"challenge": "x", "table": table, "round": "1", "game": "gra", "language": "en", "path": "app.js"}
    patterns = {route.resource.canonical for route in app.router.routes() if route.resource and route.method == "GET"}
    return sorted(re.sub(r"{(\w+)}", lambda found: values[found[1]], pattern)[1:] for pattern in patterns)


async def everything_readable(visitor: Visitor, app: web.Application, table: str) -> dict[str, str]:
    """Return the body of every endpoint, by its address."""
    paths = [path for path in readable_paths(app, table) if not path.startswith("ws/")]
    paths += [f"api/replay/{table}/1?seat={seat}" for seat in (0, 1)]
    found = {}
    for path in paths:
        headers = HOST if path.startswith("api/admin") else None
        async with visitor.session.get(visitor.address + path, headers=headers) as response:
            found[path] = (await response.read()).decode("utf-8", "replace")
    return found


async def until_analysed(visitor: Visitor, table: str) -> None:
    async with asyncio.timeout(120):
        while not (await visitor.get(f"api/analysis/{table}/1"))[1]["analysis"]:
            await asyncio.sleep(0.05)


class Checking(random.Random):
    """Chooses `check` where it can, so that a match is short."""

    def choice(self, among: Any) -> Any:
        return "check" if "check" in among else super().choice(among)


async def play_to_the_end(ada: Visitor, bob: Visitor) -> tuple[str, list[Client]]:
    """Play a short match between two people, who may visit different servers; return the table and their clients."""
    opened = await ada.open("gra", [None, None], name=NAME)
    joined = await bob.join(opened["table"])
    clients = [await ada.sit(opened["table"], opened["token"]), await bob.sit(joined["table"], joined["token"])]
    await play_on(clients, Checking())
    return opened["table"], clients


@asynccontextmanager
async def two_servers(
    postgres: Postgres, redis: RedisServer, folder: Path
) -> AsyncIterator[tuple[str, list[tuple[str, Lobby]]]]:
    store = PostgresBackend(postgres).url
    words: dict[str, Any] = {"store": store, "bus": redis.url, "secrets": ("s" * 32,), "admin_token": TOKEN}
    async with serving(folder, **words) as first, serving(folder, **words) as second:
        yield store, [first, second]


async def check_forgotten_everywhere(servers: list[tuple[str, Lobby]], app: web.Application) -> None:
    """Play, read everything at every server, forget at the first, and read everything again."""
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(visiting(address)) for address, _ in servers]
        bob = await stack.enter_async_context(visiting(servers[-1][0]))
        ada = visitors[0]
        table, _ = await play_to_the_end(ada, bob)
        waiting = (await ada.open("gra", [None, None], name=NAME, public=True))["table"]
        assert (await bob.post(f"api/tables/{table}/report", {"seat": 0}))[0] == 201
        watchers = []
        for visitor in visitors:
            await until_analysed(visitor, table)
            watchers.append(await (await stack.enter_async_context(visiting(visitor.address))).sit(table))
            named = {path for path, body in (await everything_readable(visitor, app, table)).items() if MARK in body}
            assert named >= {f"api/{what}/{table}/1" for what in ("replay", "record", "analysis")}
            assert {"api/tables", f"api/tables/{table}", "api/admin"} <= named
            await visitor.get(f"api/tables/{waiting}")
        async with ada.session.delete(f"{ada.address}api/guest") as response:
            assert response.status == 204
        for number, visitor in enumerate(visitors):
            async with asyncio.timeout(TIMEOUT):
                while True:
                    bodies = await everything_readable(visitor, app, table)
                    named = {path for path, body in bodies.items() if MARK in body}
                    if not named:
                        break
                    assert number, f"the server that answered still has the name: {named}"
                    await asyncio.sleep(0.01)
            assert MARK not in str(await visitor.get(f"api/tables/{waiting}"))
            await watchers[number].until(lambda now: now["table"]["seats"][0]["name"] == "")
            assert MARK not in watchers[number].received[-1]
            assert bodies[f"api/record/{table}/1"].count('names: 0 "" 1 "Bob"') == 1
        for _, lobby in servers:
            assert not any(seat.name.startswith(MARK) for t in lobby.tables.values() for seat in t.state.seats)


async def test_two_servers_forget_a_guest_at_once(
    postgres: Postgres, redis: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apps: list[web.Application]
) -> None:
    monkeypatch.setattr(lobby_module, "REPORT_EVERY", 3600.0)  # the note alone must do it
    async with two_servers(postgres, redis, tmp_path) as (store, servers):
        await check_forgotten_everywhere(servers, apps[0])
        schema = store.rpartition("%3D")[2]
        tables = postgres.execute(f"SELECT tablename FROM pg_tables WHERE schemaname='{schema}'").split()
        assert {"tables", "seats", "entries", "deals"} <= set(tables)
        for table in tables:
            assert MARK not in postgres.execute(f"SELECT * FROM {schema}.{table}"), table


async def test_one_server_forgets_a_guest_to_the_last_byte(tmp_path: Path, apps: list[web.Application]) -> None:
    async with serving(tmp_path, admin_token=TOKEN) as (address, lobby):
        await check_forgotten_everywhere([(address, lobby)], apps[0])
        assert MARK not in everything(tmp_path)
        for path in tmp_path.iterdir():
            assert MARK.encode() not in path.read_bytes(), path
    for path in tmp_path.iterdir():
        assert MARK.encode() not in path.read_bytes(), path


async def test_a_server_that_missed_the_note_forgets_at_its_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_module, "REPORT_EVERY", 0.0)
    wire = Wire()
    async with lobby_at(tmp_path, bus=wire.end()) as here, lobby_at(tmp_path, bus=wire.end()) as there:
        table, _, _ = await here.open("gra", {}, [None, "easy"], False, None, NAME, "guest")
        await table.change(abandon)  # nobody watches it any more
        await there.find(table.id)
        wire.whole = False
        await here.forget("guest")
        await until(lambda: MARK not in str(there.tables[table.id].state.names))


async def test_a_table_that_is_being_loaded_comes_without_a_forgotten_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await lobby.open("gra", {}, [None, "easy"], False, None, NAME, "guest")
        await table.forget("guest")
    async with lobby_at(tmp_path) as lobby:
        reached, go_on, lines = asyncio.Event(), asyncio.Event(), SqliteStore.lines

        async def slow_lines(store: SqliteStore, *words: Any) -> Any:
            reached.set()
            await go_on.wait()
            return await lines(store, *words)

        monkeypatch.setattr(SqliteStore, "lines", slow_lines)
        loading = asyncio.create_task(lobby.find(table.id))  # it has read the seats, and waits for the moves
        await reached.wait()
        await lobby.forget("guest")
        go_on.set()
        assert MARK not in str((await loading).state.names)
