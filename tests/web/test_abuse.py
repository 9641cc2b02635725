"""Bad input of every kind: refused early, with a message, the headers of every answer, and a server that goes on."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import WSCloseCode, WSMsgType

from gramy.table.lobby import ID_LETTERS, Lobby
from gramy.web import wire
from gramy.web.app import MAX_BODY
from gramy.web.limits import Limits, RateLimiter, TokenBucket
from gramy.web.responses import HEADERS, SUBRESOURCE_HEADERS
from gramy.web.session import MAX_MESSAGE_SIZE
from tests.web.client import BOT, GENEROUS, PATIENCE, Visitor, pair, serving, visiting

TABLE = {"game": "gra", "seats": [None, BOT], "name": "Ada"}
ELSEWHERE = "http://evil.example"

on_shared_server = pytest.mark.asyncio(loop_scope="module")  # a server for many tests needs one event loop for them


async def is_well(visitor: Visitor) -> None:
    """The server still opens tables and keeps them."""
    opened = await visitor.open("quick-easy", [None, BOT])
    assert (await visitor.sit(opened["table"], opened["token"])).seat == 0


# --- other origins ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", [ELSEWHERE, "null", "http://localhost", "http://localhost:1", "http://localhost.evil:80", ""]
)
async def test_other_origins_may_not_speak_for_a_guest(tmp_path: Path, origin: str) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        refused = {"error": {"key": "wrong_origin", "values": {}, "game": ""}}
        for path, body in (("api/tables", TABLE), (f"api/tables/{opened['table']}/join", {"name": "Eve"})):
            assert await ada.post(path, body, headers={"Origin": origin}) == (403, refused)
        with pytest.raises(aiohttp.WSServerHandshakeError) as error:
            await ada.session.ws_connect(f"{address}ws/{opened['table']}", headers={"Origin": origin})
        assert error.value.status == 403
        assert len(lobby.tables) == 1
        assert lobby.tables[opened["table"]].state.seats[1].kind == "open"


async def test_the_own_origin_may(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        own = {"Origin": address.rstrip("/")}
        status, opened = await ada.post("api/tables", TABLE, headers=own)
        assert status == 201
        async with ada.session.ws_connect(f"{address}ws/{opened['table']}", headers=own) as socket:
            await socket.send_json({"type": "hello"})
            assert (await socket.receive_json(timeout=PATIENCE))["you"] == 0


# --- bodies -----------------------------------------------------------------------------------------------------------

MALFORMED: list[bytes] = [
    b"",
    b"null",
    b"[]",
    b"{",
    b"\x00",
    b"[" * 16_000,
    b'{"game": "gra"}',
    b'{"name": "Ada", "options": {}}',
    b'{"game": 1, "name": "Ada"}',
    b'{"game": "gra", "name": ["Ada"]}',
    b'{"game": "gra", "name": "Ada", "seat": 1}',
    b'{"game": "gra", "name": "Ada", "__class__": "x"}',
    b'{"game": "gra", "name": "Ada", "public": 1}',
    b'{"game": "gra", "name": "Ada", "seats": {}}',
    b'{"game": "gra", "name": "Ada", "seats": [null, "easy"]}',
    b'{"game": "gra", "name": "Ada", "seats": [null, {"bot": "easy", "token": "x"}]}',
    b'{"game": "gra", "name": "Ada", "seats": [null, null, null, null, null, null, null]}',
    b'{"game": "gra", "name": "Ada", "options": {"players": 2}}',
    b'{"game": "gra", "name": "Ada", "options": []}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": 1e999, "seconds": 1}}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": 1, "seconds": -1}}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": 181, "seconds": 1}}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": 0.1, "seconds": 1}}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": NaN, "seconds": 1}}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": 1}}',
    b'{"game": "gra", "name": "Ada", "clock": {"minutes": "1", "seconds": 1}}',
    b'{"game": "gra", "name": "Ada", "clock": 5}',
    b'{"game": "gra", "name": "\\ud800"}',
    json.dumps({**TABLE, "name": "x" * 201}).encode(),
    json.dumps({**TABLE, "game": "x" * 65}).encode(),
    json.dumps({**TABLE, "options": {str(number): "x" for number in range(17)}}).encode(),
]


@pytest.mark.parametrize("body", MALFORMED, ids=lambda body: repr(body[:60]))
@on_shared_server
async def test_a_body_that_is_not_a_request_is_refused(ada: Visitor, body: bytes) -> None:
    refused = {"error": {"key": "bad_request", "values": {}, "game": ""}}
    for path in ("api/tables", "api/tables/zzzz/join"):
        assert await ada.ask("POST", path, data=body) == (400, refused)


@pytest.mark.parametrize(
    "body",
    [b'{"game": "gra", "name": "\xff"}', b'{"game": "gra", "name": "Ada", "options": {"\xed\xa0\x80": "1"}}'],
    ids=["no-utf-8", "half-a-surrogate"],
)
@on_shared_server
async def test_a_body_that_is_not_utf_8_is_refused(ada: Visitor, body: bytes) -> None:
    await test_a_body_that_is_not_a_request_is_refused(ada, body)


@pytest.mark.parametrize("before", ['{"x": ', '{"game": "gra", "name": "Ada", "x": ', '{"type": "hello", "x": '])
@on_shared_server
async def test_a_body_that_is_nested_too_deeply_is_refused(ada: Visitor, before: str) -> None:
    await test_a_body_that_is_not_a_request_is_refused(ada, before.encode() + b"[" * 7_000 + b"]" * 7_000 + b"}")


@on_shared_server
async def test_a_large_body_is_refused_before_it_is_read(ada: Visitor) -> None:
    refused = {"error": {"key": "too_large", "values": {}, "game": ""}}
    for path in ("api/tables", "api/tables/zzzz/join"):
        assert await ada.ask("POST", path, data=b" " * (MAX_BODY + 1)) == (413, refused)
        chunks = (b" " * 1024 for _ in range(20))

        async def streamed(chunks: Any = chunks) -> Any:
            for chunk in chunks:
                yield chunk

        assert await ada.ask("POST", path, data=streamed()) == (413, refused)


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"game": "poker"}, 404, "unknown_game"),
    ({"game": "<script>"}, 404, "unknown_game"),
    ({"options": {"players": "9"}}, 400, "no_such_value"),
    ({"options": {"wings": "on"}}, 400, "no_such_option"),
    ({"seats": None}, 400, "bad_request"),
    ({"seats": []}, 400, "seats_number"),
    ({"seats": [None]}, 400, "seats_number"),
    ({"seats": [None, BOT, BOT]}, 400, "seats_number"),
    ({"seats": [BOT, BOT]}, 400, "seats_number"),
    ({"seats": [None, {"bot": "godlike"}]}, 400, "no_such_level"),
    ({"seats": [None, {"bot": ""}]}, 400, "no_such_level"),
    ({"seats": [None, {"bot": "g2"}]}, 400, "no_such_level"),  # of another game
    ({"name": ""}, 400, "bad_name"),
    ({"name": " \t\n "}, 400, "bad_name"),
    ({"name": "\u202e\u200b\u0000\x1b"}, 400, "bad_name"),
    ({"name": "x" * 25}, 400, "bad_name"),
]


@pytest.mark.parametrize(
    ("words", "status", "key"), WRONG, ids=lambda value: json.dumps(value) if isinstance(value, dict) else ""
)
@on_shared_server
async def test_a_table_that_cannot_be_is_not_opened(
    ada: Visitor, lobby: Lobby, words: dict[str, Any], status: int, key: str
) -> None:
    before = len(lobby.tables)
    got, body = await ada.post("api/tables", {**TABLE, **words})
    assert (got, body["error"]["key"]) == (status, key)
    assert len(lobby.tables) == before


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<img src=x onerror=1>", "<img src=x onerror=1>"),
        ("&lt;b&gt;\"'{seat}", "&lt;b&gt;\"'{seat}"),
        ("Zażółć 🦊🏳", "Zażółć 🦊🏳"),
        ("مرحبا", "مرحبا"),
        ("a\u202egnp.exe", "a gnp.exe"),
        ("  a \r\n\t b\x00\x1b[31m ", "a b [31m"),
        ("x" * 24, "x" * 24),
    ],
    ids=["markup", "entities", "emoji", "rtl", "override", "control", "longest"],
)
@on_shared_server
async def test_a_name_is_data_and_never_more(ada: Visitor, name: str, shown: str) -> None:
    opened = await ada.open("gra", [None, None], name=name)
    async with ada.session.get(f"{ada.address}api/tables/{opened['table']}") as response:
        assert response.content_type == "application/json"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert (await response.json())["seats"][0]["name"] == shown
    client = await ada.sit(opened["table"], opened["token"])
    assert client.now["table"]["seats"][0]["name"] == shown


# --- seats ------------------------------------------------------------------------------------------------------------


@on_shared_server
async def test_a_taken_seat_stays_with_who_has_it(ada: Visitor, lobby: Lobby) -> None:
    async with visiting(ada.address) as eve:
        opened = await ada.open("quick-easy", [None, None, BOT], options={"players": "3"})
        path = f"api/tables/{opened['table']}/join"
        for seat in (0, 2, 3, 5):
            status, body = await eve.post(path, {"name": "Eve", "seat": seat})
            assert (status, body["error"]["key"]) == (400, "seat_taken")
        for seat in (-1, 6, 1.5, "1", 10**30, True):
            status, body = await eve.post(path, {"name": "Eve", "seat": seat})
            assert (status, body["error"]["key"]) == (400, "bad_request")
        await eve.join(opened["table"], "Eve", seat=1)
        for words in ({}, {"seat": 0}, {"seat": 1}):
            status, body = await eve.post(path, {"name": "Eve", **words})
            assert status == 400
            assert body["error"]["key"] in ("table_full", "seat_taken")
        assert [seat.name for seat in lobby.tables[opened["table"]].state.seats][:2] == ["Ada", "Eve"]


@on_shared_server
async def test_of_many_who_want_the_last_seat_one_gets_it(ada: Visitor, lobby: Lobby) -> None:
    opened = await ada.open("gra", [None, None])
    path = f"api/tables/{opened['table']}/join"
    answers = await asyncio.gather(*(ada.post(path, {"name": f"Bob {number}"}) for number in range(20)))
    assert sorted(status for status, _ in answers) == [201] + [400] * 19
    assert lobby.tables[opened["table"]].state.status == "playing"


def test_no_message_names_the_seat_that_it_speaks_for() -> None:
    for one in (wire.Move, wire.Say, wire.Undo, wire.Rematch, wire.Leave, wire.Hello):
        assert "seat" not in one.__struct_fields__


@on_shared_server
async def test_a_command_with_a_seat_is_no_message(ada: Visitor) -> None:
    async with visiting(ada.address) as bob:
        mine, theirs = await pair(ada.address, ada, bob, "gra")
        await mine.send("move", at=mine.now["lines"], move="choose 1", seat=1)
        assert await closed(mine.socket) == WSCloseCode.UNSUPPORTED_DATA
        await theirs.until(lambda now: bool(now["absent"]))
        assert theirs.now["view"]["board"]["ready"] == []


# --- the socket -------------------------------------------------------------------------------------------------------


async def closed(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    """The code that the server closes with."""
    while (frame := await socket.receive(timeout=PATIENCE)).type == WSMsgType.TEXT:
        pass
    assert frame.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING)
    return socket.close_code


FRAMES: list[tuple[str, str | bytes, int]] = [
    ("no JSON", "hello", WSCloseCode.UNSUPPORTED_DATA),
    ("nothing", "", WSCloseCode.UNSUPPORTED_DATA),
    ("no object", "[1, 2]", WSCloseCode.UNSUPPORTED_DATA),
    ("no type", '{"id": "1"}', WSCloseCode.UNSUPPORTED_DATA),
    ("unknown type", '{"type": "cheat", "id": "1"}', WSCloseCode.UNSUPPORTED_DATA),
    ("a type that is a number", '{"type": 1, "id": "1"}', WSCloseCode.UNSUPPORTED_DATA),
    ("unknown field", '{"type": "leave", "id": "1", "seat": 0}', WSCloseCode.UNSUPPORTED_DATA),
    ("missing field", '{"type": "move", "id": "1"}', WSCloseCode.UNSUPPORTED_DATA),
    ("negative", '{"type": "undo", "id": "1", "at": -1}', WSCloseCode.UNSUPPORTED_DATA),
    ("huge", '{"type": "undo", "id": "1", "at": 1' + "0" * 400 + "}", WSCloseCode.UNSUPPORTED_DATA),
    ("huge float", '{"type": "undo", "id": "1", "at": 1e400}', WSCloseCode.UNSUPPORTED_DATA),
    ("a word for a number", '{"type": "undo", "id": "1", "at": "1"}', WSCloseCode.UNSUPPORTED_DATA),
    ("long id", '{"type": "leave", "id": "' + "x" * 65 + '"}', WSCloseCode.UNSUPPORTED_DATA),
    ("long move", '{"type": "move", "id": "1", "at": 1, "move": "' + "x" * 201 + '"}', WSCloseCode.UNSUPPORTED_DATA),
    ("no choice", '{"type": "absent", "id": "1", "seat": 1, "choice": "kill"}', WSCloseCode.UNSUPPORTED_DATA),
    ("no seat", '{"type": "absent", "id": "1", "seat": 6, "choice": "bot"}', WSCloseCode.UNSUPPORTED_DATA),
    ("binary", b'{"type": "leave", "id": "1"}', WSCloseCode.POLICY_VIOLATION),
    ("too large", '{"type": "leave", "id": "1"}' + " " * MAX_MESSAGE_SIZE, WSCloseCode.MESSAGE_TOO_BIG),
    (
        "nested deeply",
        '{"x": ' + "[" * 1900 + "]" * 1900 + ', "type": "leave", "id": "1"}',
        WSCloseCode.UNSUPPORTED_DATA,
    ),
    ("nested deeply, open", '{"type": "leave", "x": ' + "[" * 3900, WSCloseCode.UNSUPPORTED_DATA),
]


@pytest.mark.parametrize(("frame", "code"), [frame[1:] for frame in FRAMES], ids=[frame[0] for frame in FRAMES])
@on_shared_server
async def test_a_frame_that_is_no_message_closes_the_socket_and_does_nothing(
    ada: Visitor, lobby: Lobby, frame: str | bytes, code: int
) -> None:
    opened = await ada.open("gra", [None, BOT])
    client = await ada.sit(opened["table"], opened["token"])
    await (client.socket.send_bytes(frame) if isinstance(frame, bytes) else client.socket.send_str(frame))
    assert await closed(client.socket) == code
    table = lobby.tables[opened["table"]]
    assert table.state.status == "playing"
    assert (await ada.sit(opened["table"], opened["token"])).seat == 0


@pytest.mark.parametrize(
    "first",
    [
        "",
        "hello",
        '{"type": "leave", "id": "1"}',
        '{"type": "move", "id": "1", "at": 0, "move": "x"}',
        '{"type": "hello", "token": 5}',
        '{"type": "hello", "seat": 0}',
        '{"type": "hello", "token": "' + "x" * 65 + '"}',
        b'{"type": "hello"}',
        '{"x": ' + "[" * 1900 + "]" * 1900 + ', "type": "hello"}',
    ],
    ids=lambda first: repr(first[:40]),
)
@on_shared_server
async def test_who_does_not_say_hello_is_sent_nothing(ada: Visitor, first: str | bytes) -> None:
    opened = await ada.open("gra", [None, BOT])
    async with ada.session.ws_connect(f"{ada.address}ws/{opened['table']}") as socket:
        await (socket.send_bytes(first) if isinstance(first, bytes) else socket.send_str(first))
        frame = await socket.receive(timeout=PATIENCE)
        assert (frame.type, frame.data) == (WSMsgType.CLOSE, WSCloseCode.POLICY_VIOLATION)


@on_shared_server
async def test_a_second_hello_changes_nothing(ada: Visitor) -> None:
    async with visiting(ada.address) as eve:
        opened = await ada.open("face-to-face", [None, BOT])
        client = await eve.sit(opened["table"])
        await client.socket.send_json({"type": "hello", "token": opened["token"]})
        assert (await client.do("leave"))["key"] == "spectators_watch"
        assert client.seat is None


@on_shared_server
async def test_a_socket_needs_a_table(ada: Visitor) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as error:
        await ada.session.ws_connect(f"{ada.address}ws/nowhere")
    assert error.value.status == 404
    opened = await ada.open("gra", [None, BOT])
    assert (await ada.get(f"ws/{opened['table']}"))[0] == 400


# --- too much ---------------------------------------------------------------------------------------------------------


async def test_commands_that_come_too_fast_close_the_socket(tmp_path: Path) -> None:
    limits = Limits(commands_a_second=5, requests_a_second=1e6, tables_a_minute=1e6)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        for number in range(60):
            await client.send("rematch", id=str(number))
        assert await closed(client.socket) == WSCloseCode.POLICY_VIOLATION
        assert (await ada.sit(opened["table"], opened["token"])).seat == 0


async def test_requests_that_come_too_fast_are_told_to_wait(tmp_path: Path) -> None:
    limits = Limits(commands_a_second=1e6, requests_a_second=0.5, tables_a_minute=1e6)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        answers = [await ada.get("api/games") for _ in range(8)]
        assert [status for status, _ in answers].count(429) >= 2
        async with ada.session.get(f"{address}api/games") as response:
            assert response.status == 429
            assert int(response.headers["Retry-After"]) > 0
            assert (await response.json())["error"]["key"] == "too_many"
            assert HEADERS.items() <= dict(response.headers).items()


async def test_every_command_of_a_burst_that_is_allowed_is_answered(tmp_path: Path) -> None:
    limits = Limits()
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        client = await ada.sit(opened["table"], opened["token"])
        ids = {f"c{number}" for number in range(int(2 * limits.commands_a_second) - 4)}
        lines = [{"type": "move", "id": id, "at": 0, "move": "check"} for id in sorted(ids)]
        await asyncio.gather(*(client.socket.send_json(line) for line in lines))
        while not ids <= set(client.refused):
            await client.receive()
        assert all(message["key"] == "match_not_on" for message in client.refused.values())


async def test_tables_that_are_opened_or_joined_too_fast_are_refused(tmp_path: Path) -> None:
    limits = Limits(commands_a_second=1e6, requests_a_second=1e6, tables_a_minute=2)
    async with serving(tmp_path, limits=limits) as (address, lobby), visiting(address) as ada:
        answers = [await ada.post("api/tables", TABLE) for _ in range(6)]
        assert [status for status, _ in answers] == [201] * 4 + [429] * 2
        status, _ = await ada.post(f"api/tables/{answers[0][1]['table']}/join", {"name": "Eve"})
        assert status == 429
        assert len(lobby.tables) == 4
        assert (await ada.get("api/tables"))[0] == 200


def test_a_bucket_fills_again_with_time_and_never_over_the_brim() -> None:
    bucket = TokenBucket(3, 2, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5), bucket.take(100.5)] == [True, False]
    assert [bucket.take(9_999.0) for _ in range(4)] == [True, True, True, False]


def test_visitors_have_buckets_of_their_own_and_only_so_many_are_remembered() -> None:
    buckets = RateLimiter(1, 0, lambda: 0.0, max_visitors=2)
    assert [buckets.take("a"), buckets.take("a"), buckets.take("b")] == [True, False, True]
    assert buckets.take("c")
    assert [buckets.take("c"), buckets.take("b")] == [False, False]
    assert buckets.take("a")  # forgotten meanwhile


# --- addresses, headers, metrics --------------------------------------------------------------------------------------

NOWHERE = [
    b"/nowhere",
    b"/api",
    b"/api/games/",
    b"/api/text/xx",
    b"/api/text/../../secret",
    b"/api/tables/%00",
    b"/api/tables/%ED%A0%80",
    b"/api/tables/%FF%FE",
    b"/api/tables/" + b"x" * 5000,
    b"/api/tables/' OR 1=1 --".replace(b" ", b"%20"),
    b"/api/replay/nowhere/1",
    b"/api/record/nowhere/1",
    b"/api/rules/nowhere",
    b"/static/",
    b"/static/nowhere.js",
    b"/static/../app.py",
    b"/static/..%2fapp.py",
    b"/static/%2e%2e/app.py",
    b"/static/%2e%2e%2f%2e%2e%2ftext%2fen%2fcommon.toml",
    b"/static//etc/passwd",
    b"/static/%2fetc%2fpasswd",
    b"/static/..\\app.py",
    b"/static/index.html%00.js",
]


async def raw(address: str, request: bytes) -> bytes:
    """An answer to exactly these bytes: nothing tidies the address up on its way."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rstrip("/").rpartition(":")[2]))
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize("path", NOWHERE, ids=lambda path: path[:40].decode())
@on_shared_server
async def test_an_address_that_leads_nowhere_says_so_with_all_headers(ada: Visitor, path: bytes) -> None:
    answer = await raw(ada.address, b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 ")
    for name, value in HEADERS.items():
        assert f"{name}: {value}".encode() in head
    assert json.loads(body)["error"]["key"] in ("no_such_page", "no_such_table", "unknown_game")


@on_shared_server
async def test_every_answer_has_the_headers_and_head_has_no_body(ada: Visitor) -> None:
    opened = await ada.open("gra", [None, BOT])
    table = opened["table"]
    paths = ["", f"t/{table}", f"replay/{table}/1", "rules/gra", "static/icon.svg", "favicon.ico", "api/games"]
    paths += ["api/text/pl", "api/rules/gra", "api/tables", f"api/tables/{table}", f"api/tables/{table}/qr.svg"]
    paths += [f"api/replay/{table}/1", f"api/record/{table}/1", "health", "metrics", f"ws/{table}", "nowhere"]
    for path in paths:
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            async with ada.session.request(method, ada.address + path) as response:
                assert HEADERS.items() <= dict(response.headers).items(), (method, path, response.status)
                assert response.status < 500
                assert method != "HEAD" or await response.read() == b""
                assert method in ("GET", "HEAD", "POST") or response.status in (404, 405)
    for path, headers in (("static/app.js", SUBRESOURCE_HEADERS), ("", HEADERS)):
        async with ada.session.get(ada.address + path) as response:
            tag = response.headers["ETag"]
        async with ada.session.get(ada.address + path, headers={"If-None-Match": tag}) as response:
            assert response.status == 304
            assert headers.items() <= dict(response.headers).items()


@pytest.mark.parametrize("path", ["static/app.js", "static/style/base.css", "static/font/figtree-latin.woff2"])
@on_shared_server
async def test_the_parts_of_a_page_are_taken_for_nothing_else_and_by_nobody_else(ada: Visitor, path: str) -> None:
    async with ada.session.get(ada.address + path) as response:
        assert response.status == 200
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert response.content_type in ("text/javascript", "text/css", "font/woff2")


def test_the_policy_allows_nothing_but_the_own_files() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    allowed = {word for name in policy if name.endswith("-src") for word in policy[name].split()}
    assert allowed <= {"'none'", "'self'", "data:"}
    assert policy["script-src"] == "'self'"


async def test_when_the_disk_is_full_the_answer_still_has_the_headers_and_a_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:

        def pages(limit: str) -> Callable[[Any], Any]:
            return lambda file: file.execute(f"PRAGMA max_page_count={limit}").fetchone()

        store: Any = lobby.services.store
        await store.run(pages("1"))
        for number in range(40):
            async with ada.session.post(f"{address}api/tables", json={**TABLE, "name": f"Ada {number}"}) as response:
                if response.status == 201:
                    continue  # there was still some room on the last page
                assert response.status in (500, 503)
                assert HEADERS.items() <= dict(response.headers).items()
                assert set((await response.json())["error"]) == {"key", "values", "game"}
                break
        else:
            pytest.fail("the disk is never full")
        await store.run(pages("1000000"))
        await is_well(ada)


@on_shared_server
async def test_metrics_count_without_naming_anything(ada: Visitor) -> None:
    opened = await ada.open("gra", [None, BOT], name="Grażyna77")
    client = await ada.sit(opened["table"], opened["token"])
    await client.do("rematch")
    for path in (
        f"t/{opened['table']}",
        f"api/tables/{opened['table']}",
        "t/wild",
        "nowhere/at/all",
        "static/x.js",
    ):
        await ada.get(path)
    await raw(ada.address, b"WILD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    _, page = await ada.get("metrics")
    for word in (opened["table"], opened["token"], "Grażyna77", "wild", "WILD", "at/all", "x.js", "127.0.0.1"):
        assert word not in page
    assert set(re.findall(r"(\w+)=\"", page)) <= {"method", "route", "status", "le"}
    assert re.search(r"gramy_viewers [1-9]", page)


@on_shared_server
async def test_methods_that_nobody_needs_do_not_become_labels(ada: Visitor) -> None:
    rare = ("PROPFIND", "MKCOL", "REPORT", "SEARCH", "LOCK", "NOTIFY", "UNLINK", "REBIND", "ACL", "PURGE")
    for method in rare:
        await raw(ada.address, f"{method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    _, page = await ada.get("metrics")
    assert not set(re.findall(r'method="([^"]*)"', page)) & set(rare)


@on_shared_server
async def test_names_of_tables_cannot_be_guessed(ada: Visitor) -> None:
    opened = [await ada.open("gra", [None, BOT]) for _ in range(20)]
    names = {one["table"] for one in opened}
    assert len(names) == 20
    assert all(len(name) == 12 and set(name) <= set(ID_LETTERS) for name in names)
    assert len(set(ID_LETTERS)) ** 12 > 2**59
    for place in range(12):
        assert len({name[place] for name in names}) > 5  # luck everywhere, no counter and no clock
    assert len({one["token"] for one in opened}) == 20
    assert all(re.fullmatch(r"[\w-]{22}", one["token"]) for one in opened)  # 128 bits
    _, listed = await ada.get("api/tables")
    assert not names & {table["table"] for table in listed}


# --- one server for many small tests ----------------------------------------------------------------------------------


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[str, Lobby]]:
    """One server for many tests, one after the other: its address and its lobby."""
    async with serving(tmp_path_factory.mktemp("abuse"), limits=GENEROUS) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def ada(shared: tuple[str, Lobby]) -> AsyncIterator[Visitor]:
    """A visitor of the shared server; after each test the server must still work."""
    address, _ = shared
    async with visiting(address) as visitor:
        yield visitor
        await is_well(visitor)


@pytest.fixture
def lobby(shared: tuple[str, Lobby]) -> Lobby:
    return shared[1]
