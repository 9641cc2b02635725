"""The client of the protocol against real servers: whole matches, reconnects, refusals, and what ends it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from gramy.matches import Match
from gramy.remote import Disconnected, Link, RemoteError, Server, Snapshot, TableConnection, parse_link
from gramy.remote.server import LONGEST_ANSWER
from gramy.web.limits import Limits
from tests.starting import by_lot
from tests.web.client import GAMES, serving


async def play(table: TableConnection, rng: random.Random) -> Snapshot:
    """Play random moves until the match is over; return the last snapshot."""
    async for now in table:
        if now.table.status == "finished":
            return now
        if now.must_move:
            assert now.view is not None
            refusal = await table.move(rng.choice(now.view.moves))
            assert refusal is None or refusal.key == "too_late", refusal
    raise AssertionError


@pytest.mark.parametrize(("game", "options", "players"), GAMES)
async def test_a_client_plays_a_whole_match_and_has_the_history_of_its_seat(
    tmp_path: Path, game: str, options: dict[str, str], players: int
) -> None:
    async with serving(tmp_path) as (address, lobby), Server(address) as server:
        seated = await server.open(game, [None, *["easy"] * (players - 1)], "Ada", {**by_lot(game), **options})
        async with TableConnection(server, seated.table, seated.token) as table:
            last = await play(table, random.Random(1))
            match = (await lobby.find(seated.table)).state.match
            assert match is not None
            assert last.view == match.view(0)
            assert [entry[:2] for entry in table.history()] == [entry[:2] for entry in match.history(0)]


async def test_undone_moves_are_not_in_the_history(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), Server(address) as server:
        seated = await server.open("face-to-face", [None, "easy"], "Ada", by_lot("face-to-face"))
        async with TableConnection(server, seated.table, seated.token) as table:
            async for now in table:
                if now.must_move:
                    break
            for _ in range(2):
                assert table.now is not None
                assert table.now.view is not None
                assert await table.move(table.now.view.moves[0]) is None
            assert await table.undo() is None
            match = (await lobby.find(seated.table)).state.match
            assert isinstance(match, Match)
            assert [entry[:2] for entry in table.history()] == [entry[:2] for entry in match.history(0)]


async def test_a_client_goes_on_after_a_restart_of_the_server(tmp_path: Path) -> None:
    lost: list[object] = []
    async with serving(tmp_path) as (address, _):
        port = int(address.rstrip("/").rpartition(":")[2])
        server = await Server(address).__aenter__()
        seated = await server.open("quick-easy", [None, "easy"], "Ada")
        table = await TableConnection(server, seated.table, seated.token, listener=lost.append).__aenter__()
        move = ""
        async for now in table:
            if now.must_move and now.view is not None:
                move = now.view.moves[0]
                break
    async with asyncio.timeout(60):
        sending = asyncio.create_task(table.move(move))  # while the server is away
        async with serving(tmp_path, port=port):
            assert await sending is None
            assert (await play(table, random.Random(2))).table.status == "finished"
            await table.__aexit__()
            await server.__aexit__()
    assert any(isinstance(one, Disconnected) for one in lost)


async def test_a_refusal_is_returned_and_a_missing_table_ends_the_iteration(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open("gra", [None, None], "Ada")
        async with TableConnection(server, seated.table, seated.token) as table:
            await anext(table)
            refusal = await table.move("up 3")
            assert refusal is not None
        async with TableConnection(server, "zzzz") as missing:
            with pytest.raises(RemoteError, match="There is no table zzzz"):
                await anext(missing)


async def test_a_command_given_before_the_first_snapshot_waits_for_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open("quick-easy", [None, "easy"], "Ada", by_lot("quick-easy"))
        async with TableConnection(server, seated.table, seated.token) as connection:
            assert connection.now is None
            assert await connection.say("red") is None
        async with TableConnection(server, "zzzzzzzz") as nowhere:
            with pytest.raises(RemoteError, match="no table"):
                await nowhere.say("red")


async def test_too_many_commands_end_the_connection_with_the_reason(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=Limits()) as (address, _), Server(address) as server:
        seated = await server.open("gra", [None, None], "Ada")
        async with TableConnection(server, seated.table, seated.token) as table:
            await anext(table)
            with pytest.raises(RemoteError, match="too many commands"):
                await asyncio.gather(*(table.do("acknowledge") for _ in range(60)))


async def test_errors_name_the_server_and_what_it_says(tmp_path: Path) -> None:
    async with Server("http://127.0.0.1:9") as nobody:
        with pytest.raises(RemoteError, match=r"http://127\.0\.0\.1:9 cannot be reached"):
            await nobody.games()
    async with serving(tmp_path) as (address, _), Server(address) as server:
        with pytest.raises(RemoteError, match=r"The server says: .*chess") as error:
            await server.open("chess", [None, None], "Ada")
        assert (error.value.key, error.value.status) == ("unknown_game", 404)


def test_links_of_tables_seats_and_servers_are_read() -> None:
    assert parse_link("https://a.example/t/abc#seat=T0k-_") == Link("https://a.example", "abc", "T0k-_")
    assert parse_link("localhost:8484") == Link("http://localhost:8484")
    assert parse_link("http://localhost:8484/t/abc/") == Link("http://localhost:8484", "abc")
    assert parse_link("a.example/t/abc") == Link("https://a.example", "abc")
    assert parse_link("192.168.1.7:8484") == Link("http://192.168.1.7:8484")
    assert parse_link("[::1]:8484") == Link("http://[::1]:8484")
    assert parse_link("http://a.example") == Link("http://a.example")  # typed, so meant
    for wrong in ("", "ftp://a/t/b", "http://", "http://a:99999999/"):
        with pytest.raises(RemoteError, match="is no address"):
            parse_link(wrong)


def test_a_bots_token_is_not_sent_unencrypted_to_another_computer() -> None:
    for safe in ("https://a.example", "http://localhost:8484", "http://127.0.0.1", "http://[::1]:8484"):
        assert Server(safe, "gramybot_x").address == safe
    for unsafe in ("http://a.example", "http://192.168.1.7:8484"):
        assert Server(unsafe).address == unsafe  # a person has no such token
        with pytest.raises(RemoteError, match="without encryption"):
            Server(unsafe, "gramybot_x")


async def test_answers_of_more_than_a_mebibyte_are_refused() -> None:
    async def long_answer(request: web.Request) -> web.Response:
        return web.json_response(["x" * LONGEST_ANSWER])

    async def long_message(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str("x" * (LONGEST_ANSWER + 1))
        await socket.receive()
        return socket

    app = web.Application()
    app.add_routes([web.get("/api/games", long_answer), web.get("/ws/abc", long_message)])
    async with TestServer(app) as running, Server(str(running.make_url("/"))) as server, asyncio.timeout(20):
        with pytest.raises(RemoteError, match="1 MiB"):
            await server.games()
        async with TableConnection(server, "abc") as table:
            with pytest.raises(RemoteError, match="1 MiB"):
                await anext(table)
