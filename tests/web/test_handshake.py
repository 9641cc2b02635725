"""The WebSocket handshake and taking the socket over from aiohttp, over real connections."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gramy.table.lobby import Lobby
from gramy.table.table import Table
from gramy.web.frames import MAX_FRAMES_WITHOUT_MESSAGE
from tests.web.client import BOT, TIMEOUT, Visitor, pair, serving, turn_of, visiting
from tests.web.raw_socket import (
    CLOSE,
    HELLO,
    PING,
    PONG,
    TEXT,
    client_frame,
    handshake,
    raw_socket,
    raw_websocket,
    read_close,
    read_frame,
    read_response,
)
from tests.web.test_websocket import BAD_FRAMES


async def open_table(ada: Visitor) -> str:
    return str((await ada.open("gra", [None, BOT]))["table"])


async def test_the_handshake_of_the_standard_gets_its_response(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table, key = await open_table(ada), "dGhlIHNhbXBsZSBub25jZQ=="
        async with raw_websocket(address, table, Sec_WebSocket_Key=key) as (head, reader, writer):
            assert head.startswith(b"HTTP/1.1 101 ")
            assert b"\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head
            writer.write(client_frame(TEXT, HELLO))
            opcode, body = await read_frame(reader)
            assert opcode == TEXT
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
async def test_a_bad_handshake_gets_a_plain_http_error(tmp_path: Path, changed: dict[str, str | None]) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await open_table(ada)
        async with raw_websocket(address, table, **changed) as (head, _, _):
            assert head.startswith(b"HTTP/1.1 400 ")
            assert b"Content-Security-Policy" in head
        assert not lobby.tables[table].viewers


async def test_pings_and_close_frames_are_answered_and_the_viewer_is_removed(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await open_table(ada)
        async with raw_websocket(address, table) as (_, reader, writer):
            writer.write(client_frame(TEXT, HELLO))
            assert (await read_frame(reader))[0] == TEXT
            writer.write(client_frame(PING, b"there?"))
            while (frame := await read_frame(reader)) != (PONG, b"there?"):
                assert frame[0] == TEXT
            assert len(lobby.tables[table].viewers) == 1
            body = (1001).to_bytes(2) + b"bye"
            writer.write(client_frame(CLOSE, body))
            assert await read_close(reader) == body
            assert await asyncio.wait_for(reader.read(), TIMEOUT) == b""
        while lobby.tables[table].viewers:
            await asyncio.sleep(0)


async def test_a_bad_frame_ends_only_its_own_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table = await open_table(ada)
        for data, code in BAD_FRAMES.values():
            async with raw_websocket(address, table) as (_, reader, writer):
                writer.write(client_frame(TEXT, HELLO))
                assert (await read_frame(reader))[0] == TEXT
                writer.write(data)
                assert int.from_bytes((await read_close(reader))[:2]) == code
                writer.write(os.urandom(1000))  # the server ignores what follows
        assert (await ada.sit(table)).seat == 0


async def test_a_move_sent_just_before_a_close_frame_is_played(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "face-to-face"))
        before = mover.now["lines"]
        await mover.send("move", move=mover.now["view"]["moves"][0], at=before)
        await mover.socket.close()
        await other.until(lambda now: now["lines"] > before)


# --- data before the response -----------------------------------------------------------------------------------------


class Gate:
    """Holds back a lobby's answer to `find` until `open` is set."""

    def __init__(self, lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.open, self._find = asyncio.Event(), asyncio.Event(), lobby.find
        monkeypatch.setattr(lobby, "find", self.find)

    async def find(self, id: str) -> Table:
        self.asked.set()
        await self.open.wait()
        return await self._find(id)


@asynccontextmanager
async def unanswered_handshake(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """Send a handshake that the server answers when the gate is opened."""
    async with serving(folder) as (address, lobby), visiting(address) as ada:
        table = await open_table(ada)
        gate = Gate(lobby, monkeypatch)
        async with raw_socket(address) as (reader, writer):
            writer.write(handshake(table))
            await gate.asked.wait()
            yield gate, ada, reader, writer


async def test_a_hello_sent_together_with_the_handshake_is_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table = await open_table(ada)
        async with raw_socket(address) as (reader, writer):
            writer.write(handshake(table) + client_frame(TEXT, HELLO))
            await read_response(reader)
            assert (await read_frame(reader))[0] == TEXT


async def test_reading_goes_on_after_more_early_data_than_aiohttp_buffers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with unanswered_handshake(tmp_path, monkeypatch) as (gate, _, reader, writer):
        writer.write(client_frame(PONG, b"x" * 125) * (MAX_FRAMES_WITHOUT_MESSAGE - 1))
        await writer.drain()
        gate.open.set()
        await read_response(reader)
        writer.write(client_frame(PING, b""))
        assert (await read_frame(reader))[0] == PONG


async def test_a_client_that_disconnects_during_the_handshake_causes_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with unanswered_handshake(tmp_path, monkeypatch) as (gate, ada, _, writer):
        writer.transport.abort()
        for _ in range(2):  # first the server notices the disconnect, then it continues with the request
            assert (await ada.get("api/tables"))[0] == 200
            gate.open.set()
    assert not caplog.records
