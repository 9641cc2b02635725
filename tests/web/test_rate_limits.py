"""Rate limits of commands, requests and tables."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSCloseCode

from gramy.web.limits import Limits, Meter, RateLimiter, TokenBucket
from gramy.web.responses import HEADERS
from gramy.web.visitor import parse_networks, scopes_of
from tests.web.client import (
    BOT,
    TABLE,
    closed,
    serving,
    visiting,
)


async def test_too_many_commands_close_the_socket(tmp_path: Path) -> None:
    limits = Limits(commands_a_second=5, requests_a_second=1e6, tables_a_minute=1e6)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        for number in range(60):
            await client.send("rematch", id=str(number))
        assert await closed(client.socket) == WSCloseCode.POLICY_VIOLATION
        assert (await ada.sit(opened["table"], opened["token"])).seat == 0


async def test_too_many_requests_get_a_retry_after_header(tmp_path: Path) -> None:
    limits = Limits(commands_a_second=1e6, requests_a_second=0.5, tables_a_minute=1e6)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        answers = [await ada.get("api/games") for _ in range(8)]
        assert [status for status, _ in answers].count(429) >= 2
        async with ada.session.get(f"{address}api/games") as response:
            assert response.status == 429
            assert int(response.headers["Retry-After"]) > 0
            assert (await response.json())["error"]["key"] == "too_many"
            assert HEADERS.items() <= dict(response.headers).items()


async def test_every_command_of_an_allowed_burst_is_answered(tmp_path: Path) -> None:
    limits = Limits()
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        client = await ada.sit(opened["table"], opened["token"])
        ids = {f"c{number}" for number in range(int(2 * limits.commands_a_second) - 4)}
        lines = [{"type": "move", "id": id, "at": 0, "move": "check"} for id in sorted(ids)]
        await asyncio.gather(*(client.socket.send_json(line) for line in lines))
        while not ids <= set(client.refused):
            await client.receive()
        assert all(message["key"] == "no_match_running" for message in client.refused.values())


async def test_opening_or_joining_too_many_tables_is_refused(tmp_path: Path) -> None:
    limits = Limits(commands_a_second=1e6, requests_a_second=1e6, tables_a_minute=2)
    async with serving(tmp_path, limits=limits) as (address, lobby), visiting(address) as ada:
        answers = [await ada.post("api/tables", TABLE) for _ in range(6)]
        assert [status for status, _ in answers] == [201] * 4 + [429] * 2
        status, _ = await ada.post(f"api/tables/{answers[0][1]['table']}/join", {"name": "Eve"})
        assert status == 429
        assert len(lobby.tables) == 4
        assert (await ada.get("api/tables"))[0] == 200


async def test_one_ipv6_site_cannot_open_tables_without_end(tmp_path: Path) -> None:
    limits = Limits(requests_a_second=1e6, tables_a_minute=2)
    proxies = parse_networks(["127.0.0.1"])
    async with serving(tmp_path, limits=limits, proxies=proxies) as (address, lobby), visiting(address) as eve:

        async def opened(visitor: str) -> int:
            eve.session.cookie_jar.clear()
            return (await eve.post("api/tables", TABLE, headers={"X-Forwarded-For": visitor}))[0]

        answers = [await opened(f"2001:db8:1:{number:x}::1") for number in range(60)]  # each its own /64
        assert answers == [201] * 32 + [429] * 28
        assert await opened("2001:db8:2::1") == 201  # another /48
        assert [await opened(f"203.0.113.{number}") for number in range(40)] == [201] * 32 + [429] * 8
        assert len(lobby.tables) == 65


async def test_all_visitors_together_open_a_limited_number_of_tables(tmp_path: Path) -> None:
    limits = Limits(requests_a_second=1e6, tables_a_minute=1)
    proxies = parse_networks(["127.0.0.1"])
    async with serving(tmp_path, limits=limits, proxies=proxies) as (address, _), visiting(address) as eve:
        answers = []
        for number in range(110):  # each in a /48 of its own
            eve.session.cookie_jar.clear()
            headers = {"X-Forwarded-For": f"2001:db8:{number:x}::1"}
            answers.append((await eve.post("api/tables", TABLE, headers=headers))[0])
        assert 100 <= answers.count(201) <= 105
        assert answers[-1] == 429


def test_a_flood_from_one_address_leaves_its_network_the_rest() -> None:
    meter = Meter("replay", Limits(replays_a_minute=1), now=lambda: 0.0)
    assert [meter.take(scopes_of("2001:db8:1:1::1")) for _ in range(100)].count(True) == 1
    neighbours = [meter.take(scopes_of(f"2001:db8:1:{number:x}::1")) for number in range(2, 20)]
    assert neighbours.count(True) == 7


async def test_the_sockets_of_a_network_share_a_limit(tmp_path: Path) -> None:
    limits = Limits(requests_a_second=1e6, sockets_an_address=1)
    proxies = parse_networks(["127.0.0.1"])
    async with serving(tmp_path, limits=limits, proxies=proxies) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        ada.session.cookie_jar.clear()
        socket = f"{address}ws/{opened['table']}"
        for number in range(8):
            headers = {"X-Forwarded-For": f"2001:db8:1:{number:x}::1"}
            ada.sockets.append(await ada.session.ws_connect(socket, headers=headers))
        with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
            await ada.session.ws_connect(socket, headers={"X-Forwarded-For": "2001:db8:1:ffff::1"})
        ada.sockets.append(await ada.session.ws_connect(socket, headers={"X-Forwarded-For": "2001:db8:2::1"}))


def test_a_token_bucket_refills_up_to_its_capacity() -> None:
    bucket = TokenBucket(3, 2, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5), bucket.take(100.5)] == [True, False]
    assert [bucket.take(9_999.0) for _ in range(4)] == [True, True, True, False]


def test_each_visitor_has_a_bucket_and_old_buckets_are_dropped() -> None:
    buckets = RateLimiter(1, 0, lambda: 0.0, max_visitors=2)
    assert [buckets.take("a"), buckets.take("a"), buckets.take("b")] == [True, False, True]
    assert buckets.take("c")
    assert [buckets.take("c"), buckets.take("b")] == [False, False]
    assert buckets.take("a")  # its bucket was dropped
