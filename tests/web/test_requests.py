"""Bad HTTP requests are refused early with a message: other origins, malformed bodies, bad names, taken seats."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSCloseCode

from gramy.table.lobby import Lobby
from gramy.web import wire
from gramy.web.app import MAX_BODY
from tests.web.client import (
    BOT,
    TABLE,
    TIMEOUT,
    Visitor,
    closed,
    on_shared_server,
    pair,
    serving,
    visiting,
)

ELSEWHERE = "http://evil.example"


# --- other origins ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", [ELSEWHERE, "null", "http://localhost", "http://localhost:1", "http://localhost.evil:80", ""]
)
async def test_requests_from_other_origins_are_refused(tmp_path: Path, origin: str) -> None:
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


async def test_requests_from_the_own_origin_are_accepted(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        own = {"Origin": address.rstrip("/")}
        status, opened = await ada.post("api/tables", TABLE, headers=own)
        assert status == 201
        async with ada.session.ws_connect(f"{address}ws/{opened['table']}", headers=own) as socket:
            await socket.send_json({"type": "hello"})
            assert (await socket.receive_json(timeout=TIMEOUT))["you"] == 0


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
async def test_a_malformed_body_is_refused(ada: Visitor, body: bytes) -> None:
    for path in ("api/tables", "api/tables/zzzz/join"):
        status, answer = await ada.ask("POST", path, data=body)
        assert status == 400
        assert answer["error"]["key"] in ("bad_request", "missing_field", "unknown_field", "wrong_field")


@pytest.mark.parametrize(
    "body",
    [b'{"game": "gra", "name": "\xff"}', b'{"game": "gra", "name": "Ada", "options": {"\xed\xa0\x80": "1"}}'],
    ids=["no-utf-8", "half-a-surrogate"],
)
@on_shared_server
async def test_a_body_that_is_not_utf_8_is_refused(ada: Visitor, body: bytes) -> None:
    await test_a_malformed_body_is_refused(ada, body)


@pytest.mark.parametrize("before", ['{"x": ', '{"game": "gra", "name": "Ada", "x": ', '{"type": "hello", "x": '])
@on_shared_server
async def test_a_body_that_is_nested_too_deeply_is_refused(ada: Visitor, before: str) -> None:
    await test_a_malformed_body_is_refused(ada, before.encode() + b"[" * 7_000 + b"]" * 7_000 + b"}")


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
    ({"seats": None}, 400, "wrong_field"),
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
async def test_an_impossible_table_is_not_opened(
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
async def test_a_name_is_never_interpreted(ada: Visitor, name: str, shown: str) -> None:
    opened = await ada.open("gra", [None, None], name=name)
    async with ada.session.get(f"{ada.address}api/tables/{opened['table']}") as response:
        assert response.content_type == "application/json"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert (await response.json())["seats"][0]["name"] == shown
    client = await ada.sit(opened["table"], opened["token"])
    assert client.now["table"]["seats"][0]["name"] == shown


# --- seats ------------------------------------------------------------------------------------------------------------


@on_shared_server
async def test_a_taken_seat_stays_with_its_owner(ada: Visitor, lobby: Lobby) -> None:
    async with visiting(ada.address) as eve:
        opened = await ada.open("quick-easy", [None, None, BOT], options={"players": "3"})
        path = f"api/tables/{opened['table']}/join"
        for seat in (0, 2, 3, 5):
            status, body = await eve.post(path, {"name": "Eve", "seat": seat})
            assert (status, body["error"]["key"]) == (400, "seat_taken")
        for seat in (-1, 6, 1.5, "1", 10**30, True):
            status, body = await eve.post(path, {"name": "Eve", "seat": seat})
            assert (status, body["error"]) == (400, {"key": "wrong_field", "values": {"field": "seat"}, "game": ""})
        await eve.join(opened["table"], "Eve", seat=1)
        for words in ({}, {"seat": 0}, {"seat": 1}):
            status, body = await eve.post(path, {"name": "Eve", "another_seat": True, **words})
            assert status == 400
            assert body["error"]["key"] in ("table_full", "seat_taken")
        assert [seat.name for seat in lobby.tables[opened["table"]].state.seats][:2] == ["Ada", "Eve"]


@on_shared_server
async def test_only_one_of_many_concurrent_requests_gets_the_last_seat(ada: Visitor, lobby: Lobby) -> None:
    opened = await ada.open("gra", [None, None])
    path = f"api/tables/{opened['table']}/join"
    answers = await asyncio.gather(
        *(ada.post(path, {"name": f"Bob {number}", "another_seat": True}) for number in range(20))
    )
    assert sorted(status for status, _ in answers) == [201] + [400] * 19
    assert lobby.tables[opened["table"]].state.status == "playing"


@on_shared_server
async def test_a_join_that_is_sent_again_with_its_key_gets_the_same_seat(ada: Visitor, lobby: Lobby) -> None:
    opened = await ada.open("quick-easy", [None, None, None], options={"players": "3"})
    key = "0123456789abcdef0123456789abcdef"
    answers = []
    for _ in range(2):
        async with visiting(ada.address) as bob:  # the cookie was lost with the first answer
            answers.append(await bob.join(opened["table"], key=key))
    assert answers[0] == answers[1]
    assert answers[0]["token"] == key
    assert [seat.kind for seat in lobby.tables[opened["table"]].state.seats] == ["person", "person", "open"]
    for weak in ("", "short", "x" * 65, "x" * 21, "ä" * 30, 5):
        status, _ = await ada.post(f"api/tables/{opened['table']}/join", {"name": "Eve", "key": weak})
        assert status == 400


def test_no_client_message_names_its_own_seat() -> None:
    for one in (wire.Move, wire.Say, wire.Undo, wire.Rematch, wire.Leave, wire.Hello):
        assert "seat" not in one.__struct_fields__


@on_shared_server
async def test_a_command_that_names_a_seat_is_refused(ada: Visitor) -> None:
    async with visiting(ada.address) as bob:
        mine, theirs = await pair(ada.address, ada, bob, "gra")
        await mine.send("move", at=mine.now["lines"], move="choose 1", seat=1)
        assert await closed(mine.socket) == WSCloseCode.UNSUPPORTED_DATA
        await theirs.until(lambda now: bool(now["absent"]))
        assert theirs.now["view"]["board"]["ready"] == []
