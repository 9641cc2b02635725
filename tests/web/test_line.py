"""The WebSocket under a viewer: what a client's bytes mean however they are cut, and what becomes of bad ones, and of
viewers who are silent or slow."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import random
import tracemalloc
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSCloseCode, WSMsgType
from hypothesis import given
from hypothesis import strategies as st

from gramy.table.lobby import Lobby
from gramy.table.table import Table
from gramy.web import line, socket
from gramy.web.line import BINARY, CLOSE, EMPTY_WORDS, MORE, PING, PONG, TEXT, Frames, Line, Wrong, frame
from gramy.web.screen import UNSENT
from tests.web.client import BOT, PATIENCE, Visitor, pair, serving, turn_of, visiting

MOST = 4096
KEY = base64.b64encode(bytes(range(16))).decode()
HELLO = b'{"type": "hello"}'


def masked(kind: int, body: bytes, last: bool = True, key: bytes = b"\x37\xfa\x21\x3d") -> bytes:
    """A frame as a client sends it."""
    head = bytes([kind | (0x80 if last else 0)])
    size = len(body)
    head += (
        bytes([0x80 | size])
        if size < 126
        else bytes([0xFE, *size.to_bytes(2)])
        if size < 65_536
        else bytes([0xFF, *size.to_bytes(8)])
    )
    return head + key + bytes(byte ^ key[at % 4] for at, byte in enumerate(body))


def read(*pieces: bytes) -> list[tuple[int, bytes]]:
    frames = Frames(MOST)
    return [message for piece in pieces for message in frames.read(piece)]


# --- bytes ------------------------------------------------------------------------------------------------------------


def test_the_example_of_the_standard_is_read() -> None:
    assert read(bytes.fromhex("818537fa213d7f9f4d5158")) == [(TEXT, b"Hello")]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([TEXT, BINARY]),
            st.lists(st.binary(max_size=300), min_size=1, max_size=4),
            st.sampled_from([None, PING, PONG]),
        ),
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_messages_are_the_same_however_they_are_cut(
    wanted: list[tuple[int, list[bytes], int | None]], rng: random.Random
) -> None:
    data, expected = b"", []
    for kind, parts, between in wanted:
        for at, part in enumerate(parts):
            data += masked(MORE if at else kind, part, last=at == len(parts) - 1, key=rng.randbytes(4))
            if between is not None and at < len(parts) - 1:  # in the middle of a message
                data += masked(between, b"?")
                expected.append((between, b"?"))
        expected.append((kind, b"".join(parts)))
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(8)))
    pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert read(*pieces) == expected
    assert read(*(bytes([byte]) for byte in data)) == expected


BAD: list[tuple[str, bytes, WSCloseCode]] = [
    ("not masked", frame(TEXT, b"x"), WSCloseCode.PROTOCOL_ERROR),
    ("compressed", bytes([0xC1, 0x80, 0, 0, 0, 0]), WSCloseCode.PROTOCOL_ERROR),
    ("of no kind", masked(3, b""), WSCloseCode.PROTOCOL_ERROR),
    ("of no kind either", masked(11, b""), WSCloseCode.PROTOCOL_ERROR),
    ("a ping in pieces", masked(PING, b"", last=False), WSCloseCode.PROTOCOL_ERROR),
    ("a long ping", masked(PING, b"x" * 126), WSCloseCode.PROTOCOL_ERROR),
    ("more of nothing", masked(MORE, b"x"), WSCloseCode.PROTOCOL_ERROR),
    ("two at a time", masked(TEXT, b"x", last=False) + masked(TEXT, b"y"), WSCloseCode.PROTOCOL_ERROR),
    ("too long", masked(TEXT, b"x" * (MOST + 1)), WSCloseCode.MESSAGE_TOO_BIG),
    ("much too long", masked(TEXT, b"x" * 70_000)[:20], WSCloseCode.MESSAGE_TOO_BIG),
    (
        "too long together",
        masked(TEXT, b"x" * MOST, last=False) + masked(MORE, b"x"),
        WSCloseCode.MESSAGE_TOO_BIG,
    ),
]


@pytest.mark.parametrize(("data", "code"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD])
def test_what_is_no_frame_of_a_client_is_wrong_and_what_came_before_it_is_not(data: bytes, code: WSCloseCode) -> None:
    messages = Frames(MOST).read(masked(TEXT, b"before") + data)
    assert next(messages) == (TEXT, b"before")
    with pytest.raises(Wrong) as wrong:
        next(messages)
    assert wrong.value.code == code


def test_the_longest_message_is_read() -> None:
    assert read(masked(TEXT, b"x" * MOST)) == [(TEXT, b"x" * MOST)]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_what_is_sent_is_understood_by_others(size: int) -> None:
    sent = frame(TEXT, b"x" * size)
    start = 2 if size < 126 else 4 if size < 65_536 else 10
    assert sent[0] == 0x81
    assert (sent[1] if start == 2 else int.from_bytes(sent[2:start])) == size
    assert sent[start:] == b"x" * size


# --- connections ------------------------------------------------------------------------------------------------------


def asked(table: str, **changed: str | None) -> bytes:
    """The request that opens a WebSocket, with other headers if some are given."""
    headers = {"Host": "x", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": KEY} | {name.replace("_", "-"): value for name, value in changed.items()}
    method = headers.pop("Method", "GET")
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"{method} /ws/{table} HTTP/1.1", *lines, "", ""]).encode()


@asynccontextmanager
async def dialled(address: str) -> Any:
    """A socket whose client knows nothing of WebSockets."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()


async def answered(reader: asyncio.StreamReader) -> bytes:
    """What the server says to a handshake."""
    return await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)


@asynccontextmanager
async def connection(address: str, table: str, **changed: str | None) -> Any:
    """Such a socket after its handshake."""
    async with dialled(address) as (reader, writer):
        writer.write(asked(table, **changed))
        yield await answered(reader), reader, writer


async def received(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The next frame from the server."""
    first, size = await asyncio.wait_for(reader.readexactly(2), PATIENCE)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2))
    return first & 0x0F, await reader.readexactly(size)


async def a_table(ada: Visitor) -> str:
    return str((await ada.open("gra", [None, BOT]))["table"])


async def test_a_handshake_is_answered_as_the_standard_says(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table, key = await a_table(ada), "dGhlIHNhbXBsZSBub25jZQ=="
        async with connection(address, table, Sec_WebSocket_Key=key) as (head, reader, writer):
            assert head.startswith(b"HTTP/1.1 101 ")
            assert b"\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head
            writer.write(masked(TEXT, HELLO))
            kind, body = await received(reader)
            assert kind == TEXT
            assert body.startswith(b'{"type":"snapshot"')


@pytest.mark.parametrize(
    "changed",
    [
        {"Method": "HEAD"},
        {"Upgrade": None},
        {"Upgrade": "h2c"},
        {"Connection": "close"},
        {"Sec_WebSocket_Version": "8"},
        {"Sec_WebSocket_Version": None},
        {"Sec_WebSocket_Key": None},
        {"Sec_WebSocket_Key": "short"},
        {"Sec_WebSocket_Key": "*" * 24},
        {"Sec_WebSocket_Key": base64.b64encode(bytes(17)).decode()},
    ],
    ids=str,
)
async def test_what_is_no_handshake_gets_an_answer_of_the_web(tmp_path: Path, changed: dict[str, str | None]) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await a_table(ada)
        async with connection(address, table, **changed) as (head, _, _):
            assert head.startswith(b"HTTP/1.1 400 ")
            assert b"Content-Security-Policy" in head
        assert not lobby.tables[table].viewers


async def goodbye(reader: asyncio.StreamReader) -> int:
    """The code of the server's goodbye, whatever it says before."""
    while (message := await received(reader))[0] != CLOSE:
        pass
    return int.from_bytes(message[1][:2])


async def test_a_ping_is_answered_and_a_goodbye_too_and_then_the_seat_is_empty(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await a_table(ada)
        async with connection(address, table) as (_, reader, writer):
            writer.write(masked(TEXT, HELLO))
            assert (await received(reader))[0] == TEXT
            writer.write(masked(PING, b"there?"))
            while (message := await received(reader)) != (PONG, b"there?"):
                assert message[0] == TEXT
            assert len(lobby.tables[table].viewers) == 1
            writer.write(masked(CLOSE, (1001).to_bytes(2) + b"bye"))
            assert await goodbye(reader) == 1001
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        assert not lobby.tables[table].viewers


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"", 1000),
        (b"\x03", 1002),
        (b"\x00\x00", 1002),
        ((1006).to_bytes(2), 1002),
        ((2999).to_bytes(2), 1002),
        ((5000).to_bytes(2), 1002),
        ((4321).to_bytes(2), 4321),
    ],
)
async def test_a_goodbye_is_answered_with_a_code_that_exists(tmp_path: Path, said: bytes, answer: int) -> None:
    async with (
        serving(tmp_path) as (address, _),
        visiting(address) as ada,
        connection(address, await a_table(ada)) as (_, reader, writer),
    ):
        writer.write(masked(CLOSE, said))
        assert await goodbye(reader) == answer


async def test_what_is_no_frame_ends_the_connection_and_nobody_elses(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table = await a_table(ada)
        for _, data, code in BAD:
            async with connection(address, table) as (_, reader, writer):
                writer.write(masked(TEXT, HELLO))
                assert (await received(reader))[0] == TEXT
                writer.write(data)
                assert await goodbye(reader) == code
                writer.write(os.urandom(1000))  # what comes now means nothing
        assert (await ada.sit(table)).seat == 0


async def test_a_move_that_came_just_before_a_goodbye_is_made(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "face-to-face"))
        before = mover.now["lines"]
        await mover.send("move", move=mover.now["view"]["moves"][0], at=before)
        await mover.socket.close()
        await other.until(lambda now: now["lines"] > before)


async def test_who_is_silent_for_long_is_pinged_and_then_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "BEAT", 0.02)
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await a_table(ada)
        async with connection(address, table) as (_, reader, writer):
            writer.write(masked(TEXT, HELLO))
            while (message := await received(reader)) != (PING, b""):
                assert message[0] == TEXT
            while (await asyncio.wait_for(reader.read(1000), PATIENCE)) != b"":
                pass
        while lobby.tables[table].viewers:
            await asyncio.sleep(0)


async def test_who_answers_pings_stays_however_silent(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await a_table(ada)
        lively = await ada.sit(table)
        (its,) = lines(lobby.tables[table])
        reading = asyncio.create_task(lively.answer("never"))
        for _ in range(3):
            for _ in range(line.PINGED_AFTER):
                its.beat()
            assert its._silent == line.PINGED_AFTER
            while its._silent:
                await asyncio.sleep(0)
        reading.cancel()
        assert not its.closed


def lines(table: Table) -> list[Any]:
    """What the viewers of a table are connected by."""
    return [viewer.notify.__self__._line for viewer in table.viewers]  # type: ignore[attr-defined]


async def test_who_reads_slowly_is_sent_the_newest_and_not_everything(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        table = lobby.tables[opened["table"]]
        async with connection(address, opened["table"]) as (_, reader, writer):
            writer.write(masked(TEXT, HELLO))
            assert (await received(reader))[0] == TEXT
            (viewer,) = table.viewers
            writer.transport.pause_reading()
            while not viewer.fresh:  # until the line takes nothing more
                table.tell()
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            full = table.version
            for _ in range(100):
                table.tell()
                await asyncio.sleep(0)
            writer.transport.resume_reading()
            seen = [0]
            while seen[-1] < table.version:
                kind, body = await received(reader)
                assert kind == TEXT
                seen.append(int(body.partition(b'"version":')[2].partition(b",")[0]))
            assert len([version for version in seen if version > full]) < 10  # the system's own buffers may grow


async def test_a_server_that_stops_says_so_and_waits_for_no_one_who_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "LAST_WORDS_WITHIN", 0.05)
    async with aiohttp.ClientSession() as session:
        async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
            table = await a_table(ada)
            polite = await session.ws_connect(f"{address}ws/{table}")
            await polite.send_str(HELLO.decode())
            assert (await polite.receive()).type == WSMsgType.TEXT
            async with connection(address, table) as (_, _, mute):
                mute.write(masked(TEXT, HELLO))
                while len(lobby.tables[table].viewers) < 2:
                    await asyncio.sleep(0)
        while (message := await polite.receive()).type == WSMsgType.TEXT:
            last = message.json()
        assert last["type"] == "bye"
        assert polite.close_code == WSCloseCode.SERVICE_RESTART


async def test_no_more_is_read_while_too_much_waits(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mover, _ = turn_of(await pair(address, ada, bob, "face-to-face"))
        (table,) = lobby.tables.values()
        async with table.lock:  # nothing can be answered
            ids = [await mover.send("move", move="nonsense", at=mover.now["lines"]) for _ in range(50)]
            while not any(len(one._waiting) >= socket.PATIENT for one in lines(table)):
                await asyncio.sleep(0)
        assert await mover.answer(ids[-1]) is not None
        assert set(ids) <= set(mover.refused)


# --- what somebody sends to keep the server busy ----------------------------------------------------------------------


class Copying(Frames):
    """How often the rest is put aside: each time is a copy, and one for each frame would be the square of them."""

    copies = -1  # the first is empty

    @property
    def _rest(self) -> bytes:  # type: ignore[override]  # a property counts what an attribute cannot
        return self._put_aside

    @_rest.setter
    def _rest(self, rest: bytes) -> None:
        self._put_aside = rest
        self.copies += 1


def test_many_small_messages_in_one_piece_are_copied_once() -> None:
    frames = Copying(MOST)
    assert len(list(frames.read(masked(TEXT, b"") * 1000))) == 1000
    assert frames.copies == 1


class Unused(Line):
    """A line that nobody listens to."""

    def heard(self, body: bytes | None) -> None:
        pass

    def free(self) -> None:
        pass

    def gone(self) -> None:
        pass


@pytest.mark.parametrize("word", [masked(PONG, b""), masked(MORE, b"", last=False)], ids=["pongs", "pieces"])
def test_too_many_frames_without_a_message_are_wrong_until_the_next_beat(word: bytes) -> None:
    its = Unused(MOST)
    assert its._frames is not None
    list(its._frames.read(masked(TEXT, b"", last=False)))
    for _ in range(3):
        list(its._frames.read(word * (EMPTY_WORDS - 1)))
        its.beat()
    with pytest.raises(Wrong) as wrong:
        list(its._frames.read(word * (EMPTY_WORDS + 1)))
    assert wrong.value.code == WSCloseCode.POLICY_VIOLATION


def test_after_what_is_no_frame_nothing_is_kept() -> None:
    its = Unused(MOST)
    its.data_received(frame(TEXT, b"not masked"))
    tracemalloc.start()
    for _ in range(50):
        its.data_received(bytes(64_000))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 64_000


# --- the handshake ----------------------------------------------------------------------------------------------------


class Gate:
    """A lobby that finds a table only when it is let."""

    def __init__(self, lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.open, self._find = asyncio.Event(), asyncio.Event(), lobby.find
        monkeypatch.setattr(lobby, "find", self.find)

    async def find(self, id: str) -> Table:
        self.asked.set()
        await self.open.wait()
        return await self._find(id)


@asynccontextmanager
async def halfway(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A handshake that is not answered before the gate is opened."""
    async with serving(folder) as (address, lobby), visiting(address) as ada:
        table = await a_table(ada)
        gate = Gate(lobby, monkeypatch)
        async with dialled(address) as (reader, writer):
            writer.write(asked(table))
            await gate.asked.wait()
            yield gate, ada, reader, writer


async def test_a_hello_that_came_with_the_handshake_is_heard(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table = await a_table(ada)
        async with dialled(address) as (reader, writer):
            writer.write(asked(table) + masked(TEXT, HELLO))
            await answered(reader)
            assert (await received(reader))[0] == TEXT


async def test_who_sends_more_than_a_buffer_before_the_answer_is_heard_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halfway(tmp_path, monkeypatch) as (gate, _, reader, writer):
        writer.write(masked(PONG, b"x" * 125) * (EMPTY_WORDS - 1))
        await writer.drain()
        gate.open.set()
        await answered(reader)
        writer.write(masked(PING, b""))
        assert (await received(reader))[0] == PONG


async def test_who_hangs_up_during_the_handshake_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with halfway(tmp_path, monkeypatch) as (gate, ada, _, writer):
        writer.transport.abort()
        for _ in range(2):  # until the server has noticed, and until it has let the request go on
            assert (await ada.get("api/tables"))[0] == 200
            gate.open.set()
    assert not caplog.records


async def test_answers_for_who_does_not_listen_are_bounded(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mover, _ = turn_of(await pair(address, ada, bob, "face-to-face"))
        (table,) = lobby.tables.values()
        (viewer,) = [one for one in table.viewers if one.seat == mover.seat]
        viewer.notify = lambda: None  # the line takes nothing
        move, at = mover.now["view"]["moves"][0], mover.now["lines"]
        for _ in range(2 * UNSENT):
            await table.command(viewer, "same", lambda seat: table.play(seat, at, move))
        assert len(viewer.answers) == UNSENT
