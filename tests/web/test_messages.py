"""Bad WebSocket messages close the socket and change nothing."""

from __future__ import annotations

import aiohttp
import pytest
from aiohttp import WSCloseCode, WSMsgType

from gramy.table.lobby import Lobby
from gramy.web.session import MAX_MESSAGE_SIZE
from tests.web.client import (
    BOT,
    TIMEOUT,
    Visitor,
    closed,
    on_shared_server,
    visiting,
)

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
async def test_a_malformed_message_closes_the_socket_and_changes_nothing(
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
async def test_a_client_without_hello_is_sent_nothing(ada: Visitor, first: str | bytes) -> None:
    opened = await ada.open("gra", [None, BOT])
    async with ada.session.ws_connect(f"{ada.address}ws/{opened['table']}") as socket:
        await (socket.send_bytes(first) if isinstance(first, bytes) else socket.send_str(first))
        frame = await socket.receive(timeout=TIMEOUT)
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
async def test_a_socket_for_an_unknown_table_is_refused(ada: Visitor) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as error:
        await ada.session.ws_connect(f"{ada.address}ws/nowhere")
    assert error.value.status == 404
    opened = await ada.open("gra", [None, BOT])
    assert (await ada.get(f"ws/{opened['table']}"))[0] == 400
