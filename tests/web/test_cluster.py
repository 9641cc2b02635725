"""Two servers on PostgreSQL and Redis: a match goes on when any of the four fails."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSCloseCode, WSMsgType

from gramy.table.redis import RedisBus
from gramy.web.server import CannotServe, Settings, running
from tests.servers import Postgres, RedisServer
from tests.table.backends import PostgresBackend
from tests.torture.nodes import ForkServer, Node
from tests.web.client import BOT, Client, Visitor, play_on, serving, visiting
from tests.web.test_protocol import EXAMPLES


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    with ForkServer() as fork_server:
        yield fork_server


Two = Callable[[], AbstractAsyncContextManager[tuple[Node, Node]]]


@pytest.fixture
def two_nodes(fork_server: ForkServer, postgres: Postgres, redis: RedisServer, tmp_path: Path) -> Two:
    @contextlib.asynccontextmanager
    async def nodes() -> AsyncIterator[tuple[Node, Node]]:
        words = {"data": str(tmp_path), "store": PostgresBackend(postgres).url, "bus": redis.url}
        first, second = Node(fork_server, **words), Node(fork_server, **words)
        try:
            for node in (first, second):
                await node.start()
            yield first, second
        finally:
            for node in (first, second):
                await node.kill()

    return nodes


async def table_for_two(address: str, seats: list[Any]) -> tuple[str, list[str]]:
    async with visiting(address) as ada:
        opened = await ada.open("face-to-face" if len(seats) == 2 else "gra", seats, options=options(seats))
        joined = await ada.join(opened["table"], another_seat=True)
        return opened["table"], [opened["token"], joined["token"]]


def options(seats: list[Any]) -> dict[str, str]:
    return {} if len(seats) == 2 else {"players": str(len(seats))}


async def seat(visitor: Visitor, table: str, token: str) -> Client:
    client = await visitor.sit(table, token)
    await client.until(lambda now: now["view"] is not None)
    assert client.seat is not None
    return client


async def test_players_at_two_servers_survive_the_loss_of_either(two_nodes: Two) -> None:
    rng = random.Random(20_261)
    async with two_nodes() as (first, second):
        table, tokens = await table_for_two(first.address, [None, None])
        async with visiting(first.address) as one, visiting(second.address) as other:
            clients = [await seat(one, table, tokens[0]), await seat(other, table, tokens[1])]
            assert await play_on(clients, rng, most=6) == 6

            await first.kill()  # Ada reconnects to the second server
            clients[0] = await seat(other, table, tokens[0])
            assert await play_on(clients, rng, most=6) == 6
            await first.start()

        async with visiting(first.address) as one:  # both reconnect to the first server, and the second dies
            await second.kill()
            clients = [await seat(one, table, token) for token in tokens]
            assert len(clients[0].lines) >= 12
            assert await play_on(clients, rng, most=6) == 6


async def test_a_bot_plays_on_when_the_server_that_played_it_dies(two_nodes: Two) -> None:
    rng = random.Random(20_261)
    async with two_nodes() as (first, second):
        table, tokens = await table_for_two(first.address, [None, None, BOT])
        async with visiting(second.address) as other:
            clients = [await seat(other, table, token) for token in tokens]
            await first.kill()
            await play_on(clients, rng)
            assert all(client.outcome for client in clients)
            assert any(line["seat"] == 2 for line in clients[0].lines)


@pytest.mark.parametrize("lost", ["postgres", "redis"])
async def test_players_at_two_servers_survive_a_restart_of_the_database_or_bus(
    two_nodes: Two, postgres: Postgres, redis: RedisServer, lost: str
) -> None:
    rng = random.Random(20_261)
    async with two_nodes() as (first, second):
        table, tokens = await table_for_two(first.address, [None, None])
        async with visiting(first.address) as one, visiting(second.address) as other:
            clients = [await seat(one, table, tokens[0]), await seat(other, table, tokens[1])]
            assert await play_on(clients, rng, most=4) == 4
            lines = max(client.now["lines"] for client in clients)
            for client in clients:  # both have the last move before anything fails
                await client.until(lambda now: now["lines"] >= lines)
            server: Postgres | RedisServer = postgres if lost == "postgres" else redis
            await asyncio.to_thread(server.stop)
            try:
                mover = next(client for client in clients if client.seat in client.now["view"]["to_act"])
                refused = await mover.move(mover.now["view"]["moves"][0])
                assert (refused or {}).get("key") == ("not_saved" if lost == "postgres" else None)
                status, answer = await one.get(f"api/tables/{'x' * 12}")
                assert status == (503 if lost == "postgres" else 404), answer
            finally:
                await asyncio.to_thread(server.start)  # also for the tests that follow
            assert await play_on(clients, rng, most=6) == 6


async def test_when_the_database_and_a_server_die_together_the_other_server_pauses(
    two_nodes: Two, postgres: Postgres
) -> None:
    """The other server may not have heard of the last move, so it shows nobody a board until it has asked."""
    async with two_nodes() as (first, second):
        table, tokens = await table_for_two(first.address, [None, None])
        async with visiting(first.address) as one, visiting(second.address) as other:
            clients = [await seat(one, table, tokens[0]), await seat(other, table, tokens[1])]
            assert await play_on(clients, random.Random(20_261), most=4) == 4
            lines = max(client.now["lines"] for client in clients)
            await asyncio.gather(asyncio.to_thread(postgres.stop), first.kill())
            try:
                while (message := await clients[1].receive())["type"] != "paused":
                    pass  # a last move, or that the other player has gone
                assert message == EXAMPLES["server paused"]
                async with other.session.ws_connect(f"{second.address}ws/{table}") as socket:
                    await socket.send_json({"type": "hello", "token": tokens[0]})
                    assert await socket.receive_json(timeout=20) == EXAMPLES["server paused"]
                    assert (await socket.receive(timeout=20)).data == WSCloseCode.TRY_AGAIN_LATER
            finally:
                await asyncio.to_thread(postgres.start)  # also for the tests that follow
            await clients[1].until(lambda now: now["lines"] >= lines)
            assert (await clients[1].receive())["type"] == "snapshot"  # the pause is over
            back = await seat(other, table, tokens[0])
            assert len(back.lines) >= lines


async def test_a_token_is_valid_at_every_server_and_an_old_one_at_none(two_nodes: Two) -> None:
    async with (
        two_nodes() as (first, second),
        visiting(first.address) as ada,
        visiting(second.address) as eve,
    ):
        opened = await ada.open("gra", [None, None])
        there = await eve.sit(opened["table"], opened["token"])
        assert there.seat == 0
        here = await ada.sit(opened["table"], opened["token"])
        assert await here.do("leave") is None
        await there.until(lambda now: now["you"] is None)
        assert (await there.do("leave") or {})["key"] == "spectators_watch"
        joined = await eve.join(opened["table"], seat=0)
        for visitor in (ada, eve):
            assert (await visitor.sit(opened["table"], opened["token"])).seat is None
            assert (await visitor.sit(opened["table"], joined["token"])).seat == 0


# --- errors at the start ----------------------------------------------------------------------------------------------


async def refused(**words: Any) -> CannotServe:
    with pytest.raises(CannotServe) as error:
        async with running(Settings(port=0, **words)):
            pass
    return error.value


async def test_an_unreachable_database_or_bus_is_reported_without_its_password(
    postgres: Postgres, tmp_path: Path
) -> None:
    error = await refused(data=tmp_path, store="postgresql://ada:hush@127.0.0.1:1/gramy")
    assert error.message.key == "store_unusable"
    assert "127.0.0.1:1/gramy" in str(error)
    assert "hush" not in str(error)
    error = await refused(data=tmp_path, store="mysql://ada:hush@somewhere/gramy")
    assert error.message.key == "store_unknown"
    assert "hush" not in str(error)
    for bus in ("redis://:hush@127.0.0.1:1/0", "carrier-pigeon"):
        error = await refused(data=tmp_path, store=PostgresBackend(postgres).url, bus=bus, secrets=("x" * 32,))
        assert error.message.key == "bus_unusable"
        assert "hush" not in str(error)
    assert (await refused(data=tmp_path, bus="redis://127.0.0.1")).message.key == "secret_needed"


async def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, words in (
        ("asyncpg", {"store": "postgresql://127.0.0.1/x"}),
        ("redis.asyncio", {"bus": "redis://127.0.0.1", "secrets": ("x" * 32,)}),
    ):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, module, None)
            for ours in ("gramy.table.postgres", "gramy.table.redis"):
                without.delitem(sys.modules, ours, raising=False)
            error = await refused(data=tmp_path, **words)
        assert error.message.key == "extra_missing"
        assert "gramy[cluster]" in str(error)


async def test_a_stopping_server_leaves_its_bots_to_the_others(
    postgres: Postgres, redis: RedisServer, tmp_path: Path
) -> None:
    words: dict[str, Any] = {"store": PostgresBackend(postgres).url, "bus": redis.url, "secrets": ("secret" * 6,)}
    async with serving(tmp_path, **words) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("face-to-face", [None, BOT])
        assert await lobby.services.bus.acquire_lease(opened["table"])
    other = await RedisBus.open(redis.url)
    await other.start(lambda *_: None, lambda: None)
    assert await other.acquire_lease(opened["table"])
    await other.close()
    async with serving(tmp_path, **words) as (address, _), visiting(address) as ada:
        assert (await ada.sit(opened["table"], opened["token"])).seat == 0
    assert not list(tmp_path.iterdir())  # nothing is stored outside the database


async def test_two_servers_share_accounts_challenges_and_revocations(
    postgres: Postgres, redis: RedisServer, tmp_path: Path
) -> None:
    """The bot uses one server, the challenger and the host the other."""
    words: Any = {"store": PostgresBackend(postgres).url, "bus": redis.url, "secrets": ("s" * 32,)}
    async with (
        serving(tmp_path / "one", **words) as (first, _),
        serving(tmp_path / "two", **words) as (second, lobby),
        visiting(first) as bot,
        visiting(second) as ada,
    ):
        account, token = await lobby.bot_accounts.issue("Zorro")
        signed = {"Authorization": f"Bearer {token}"}
        asking = asyncio.create_task(bot.post("api/bot/events", {"games": ["gra"]}, headers=signed))
        while not (await ada.get("api/bots"))[1]:
            await asyncio.sleep(0.01)
        opened = await ada.open("gra", [None, None])
        _, made = await ada.post(f"api/tables/{opened['table']}/challenge", {"bot": account.id})
        _, events = await asking
        assert [one["challenge"] for one in events["challenges"]] == [made["challenge"]]
        status, seated = await bot.post(f"api/bot/challenges/{made['challenge']}/accept", headers=signed)
        assert status == 201
        assert (await ada.get(f"api/challenges/{made['challenge']}"))[1]["status"] == "accepted"
        client = await bot.sit(opened["table"], seated["token"])
        assert client.now["table"]["seats"][1]["bot_account"]
        assert await lobby.bot_accounts.revoke(account.id)
        while (await client.socket.receive()).type == WSMsgType.TEXT:
            pass
        assert client.socket.close_code == 4002
        assert (await bot.get("api/bot", headers=signed))[0] == 401
