"""Sessions over real connections: clients that are silent, slow or fast, and a server that stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSCloseCode, WSMsgType

from gramy.table.table import Table
from gramy.web import sessions
from gramy.web.session import MAX_QUEUED, MAX_UNSENT, PROTOCOL, Session
from gramy.web.websocket import HEARTBEAT
from tests.clock import Time
from tests.web.client import BOT, TIMEOUT, Visitor, pair, serving, turn_of, visiting
from tests.web.raw_socket import HELLO, PING, TEXT, client_frame, raw_websocket, read_close, read_frame


async def open_table(ada: Visitor) -> str:
    return str((await ada.open("gra", [None, BOT]))["table"])


def session_of(table: Table, seat: int | None) -> Session:
    """Return the only session of a seat, or the only spectator's."""
    (found,) = [viewer for viewer in table.viewers if viewer.seat == seat]
    assert isinstance(found, Session)
    return found


async def test_a_silent_client_is_pinged_then_disconnected_and_leaves_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "HEARTBEAT", 0.02)
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await open_table(ada)
        async with raw_websocket(address, table) as (_, reader, writer):
            writer.write(client_frame(TEXT, HELLO))
            while (frame := await read_frame(reader)) != (PING, b""):
                assert frame[0] == TEXT
            while (await asyncio.wait_for(reader.read(1000), TIMEOUT)) != b"":
                pass
        while lobby.tables[table].viewers:
            await asyncio.sleep(0)


async def test_a_player_whose_line_is_dead_is_away_after_fifteen_seconds(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        table = lobby.tables[mine.now["table"]["table"]]
        await theirs.socket.send_str("ping")
        while (await theirs.socket.receive(timeout=TIMEOUT)).data != "pong":
            pass
        dead = session_of(table, theirs.seat)
        for _ in range(int(15 / HEARTBEAT)):  # nothing arrives, and the socket stays open
            time.pass_by(HEARTBEAT)
            dead.heartbeat()
        await mine.until(lambda now: now["absent"])
        assert not mine.now["table"]["seats"][theirs.seat]["online"]
        time.pass_by(lobby.services.times.away)
        assert await mine.do("absent", seat=theirs.seat, choice="bot") is None


async def test_a_slow_client_gets_only_the_latest_snapshot(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = lobby.tables[await open_table(ada)]
        async with raw_websocket(address, table.id) as (_, reader, writer):
            writer.write(client_frame(TEXT, HELLO))
            assert (await read_frame(reader))[0] == TEXT
            slow = session_of(table, None)
            writer.transport.pause_reading()
            while not slow.write_paused:
                table.wake()
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            sent_before = table.audience.sequence
            for _ in range(100):
                table.wake()
                await asyncio.sleep(0)
            writer.transport.resume_reading()
            versions = [0]
            while versions[-1] < table.audience.sequence:
                opcode, body = await read_frame(reader)
                assert opcode == TEXT
                versions.append(int(body.partition(b'"sequence":')[2].partition(b",")[0]))
            later = [version for version in versions if version > sent_before]
            assert len(later) < 10  # some fit in while the system's buffers grow


async def test_answers_for_a_client_that_does_not_read_are_limited(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "face-to-face"))
        (table,) = lobby.tables.values()
        slow = session_of(table, mover.seat)
        slow.pause_writing()
        move, at = mover.now["view"]["moves"][0], mover.now["lines"]
        for _ in range(2 * MAX_UNSENT):
            await mover.send("move", id="same", move=move, at=at)
        await mover.send("undo", id="last", at=at + 1)
        await other.until(lambda now: now["lines"] == at + 2)
        slow.resume_writing()
        snapshot = await mover.receive()
        assert snapshot["answers"] == ["same"] * (MAX_UNSENT - 1) + ["last"]


async def test_reading_pauses_while_too_many_commands_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mover, _ = turn_of(await pair(address, ada, bob, "face-to-face"))
        store, paused, stored = lobby.services.store, asyncio.Event(), asyncio.Event()
        monkeypatch.setattr(store, "append", after(stored, store.append))
        pause_reading = Session.pause_reading

        def pause(self: Session) -> None:
            pause_reading(self)
            paused.set()

        monkeypatch.setattr(Session, "pause_reading", pause)
        first = await mover.send("move", move=mover.now["view"]["moves"][0], at=mover.now["lines"])
        ids = [await mover.send("move", move="nonsense", at=mover.now["lines"]) for _ in range(3 * MAX_QUEUED)]
        await asyncio.wait_for(paused.wait(), TIMEOUT)
        stored.set()
        assert await mover.answer(first) is None
        while ids[-1] not in mover.refused:
            await mover.receive()
        assert set(ids) <= set(mover.refused)


def after(event: asyncio.Event, call: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
    """Return a function that waits for an event before it calls another."""

    async def waiting(*args: Any, **named: Any) -> Any:
        await event.wait()
        return await call(*args, **named)

    return waiting


async def test_a_stopping_server_says_so_and_does_not_wait_for_clients_that_do_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SHUTDOWN_TIMEOUT", 0.05)
    async with aiohttp.ClientSession() as http:
        async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
            table = await open_table(ada)
            polite = await http.ws_connect(f"{address}ws/{table}")
            await polite.send_str(HELLO.decode())
            assert (await polite.receive()).type == WSMsgType.TEXT
            async with raw_websocket(address, table) as (_, _, mute):
                mute.write(client_frame(TEXT, HELLO))
                while len(lobby.tables[table].viewers) < 2:
                    await asyncio.sleep(0)
        while (message := await polite.receive()).type == WSMsgType.TEXT:
            last = message.json()
        assert last["type"] == "bye"
        assert polite.close_code == WSCloseCode.SERVICE_RESTART


@pytest.mark.parametrize("version", [0, 2, 4])
async def test_a_client_that_uses_another_protocol_version_is_refused_with_the_reason(
    tmp_path: Path, version: int
) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = await open_table(ada)
        async with raw_websocket(address, table) as (_, reader, writer):
            writer.write(client_frame(TEXT, b'{"type": "hello", "protocol": %d}' % version))
            assert await read_close(reader) == (4000).to_bytes(2) + b"this server supports protocol 3"
        assert not lobby.tables[table].viewers


async def test_the_first_snapshot_of_a_connection_names_the_protocol_version(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        client = await ada.sit(await open_table(ada), protocol=PROTOCOL)
        assert client.now["protocol"] == PROTOCOL
        for table in lobby.tables.values():
            table.wake()
        assert "protocol" not in await client.receive()
