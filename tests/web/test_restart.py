"""Acknowledged means stored: a server that was stopped, killed or terminated goes on where it was."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSCloseCode

from gramy.table.sealing import Sealer
from gramy.table.services import Times
from gramy.web.server import CannotServe, Settings, running
from tests.clock import Time
from tests.web.client import BOT, TIMEOUT, Client, Visitor, play_on, serving, visiting

EACH_GAME = pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
SURVIVED = {"face-to-face": 5, "quick-easy": 2, "gra": 5}
"""Random moves after which no match is over, whatever the deal."""


@EACH_GAME
async def test_a_match_goes_on_where_it_was_when_the_server_was_stopped(tmp_path: Path, game: str) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open(game, [None, None])
        joined = await bob.join(opened["table"])
        clients = [
            await ada.sit(opened["table"], opened["token"]),
            await bob.sit(opened["table"], joined["token"]),
        ]
        await play_on(clients, random.Random(1), most=SURVIVED[game])
        assert not clients[0].outcome
        lines = max(client.now["lines"] for client in clients)
        for client in clients:
            await client.until(lambda now: now["lines"] == lines)
        (cookie,) = ada.session.cookie_jar
    for _ in range(2):
        async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
            again = [
                await ada.sit(opened["table"], opened["token"]),
                await bob.sit(opened["table"], joined["token"]),
            ]
            for before, after in zip(clients, again, strict=True):
                assert after.seat == before.seat
                assert after.now["view"] == before.now["view"]
                assert after.lines == before.lines
                assert after.now["refusals"] == before.now["refusals"]
            ada.session.cookie_jar.update_cookies({"guest": cookie.value})
            assert (await ada.sit(opened["table"])).seat == 0
            assert (await bob.sit(opened["table"], "wrong")).seat is None
            await again[0].until(lambda now: all(seat["online"] for seat in now["table"]["seats"]))
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        again = [await ada.sit(opened["table"], opened["token"]), await bob.sit(opened["table"], joined["token"])]
        await play_on(again, random.Random(2))
        assert again[0].outcome is not None


async def test_undo_works_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("face-to-face", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        await client.until(lambda now: now["view"]["to_act"] == [0])
        before = client.now["view"]
        assert await client.move(before["moves"][0]) is None
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        client = await ada.sit(opened["table"], opened["token"])
        assert client.now["view"]["undoable"]
        assert await client.do("undo", at=client.now["lines"]) is None
        assert client.now["view"] == before


async def test_a_bot_goes_on_after_a_restart_during_its_turn(tmp_path: Path) -> None:
    async with serving(tmp_path, times=Times(pause=3600, seed_wait=0)) as (address, _), visiting(address) as ada:
        while True:
            opened = await ada.open("face-to-face", [None, BOT])
            client = await ada.sit(opened["table"], opened["token"])
            if client.now["view"]["to_act"] == [1]:
                break
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        client = await ada.sit(opened["table"], opened["token"])
        await client.until(lambda now: now["view"]["to_act"] == [0])


async def test_a_table_that_waits_and_a_finished_one_survive_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        waiting = await ada.open("gra", [None, None], public=True)
        over = await ada.open("quick-easy", [None, BOT])
        client = await ada.sit(over["table"], over["token"])
        await play_on([client], random.Random(1))
        left = await ada.open("gra", [None, BOT])
        leaver = await ada.sit(left["table"], left["token"])
        assert await leaver.do("leave") is None
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        assert [table["table"] for table in (await ada.get("api/tables"))[1]] == [waiting["table"]]
        again = await ada.sit(over["table"], over["token"])
        assert again.now["view"] == client.now["view"]
        assert (await ada.get(f"api/replay/{over['table']}/1?seat=0"))[0] == 200
        assert await again.do("rematch") is None
        assert again.now["table"]["round"] == 2
        assert (await ada.sit(left["table"], left["token"])).outcome == leaver.outcome
        await bob.join(waiting["table"])
        assert (await ada.sit(waiting["table"], waiting["token"])).now["table"]["status"] == "playing"


async def test_a_table_unloaded_during_a_handshake_stays_one_table(tmp_path: Path) -> None:
    """A table that is unloaded between the handshake and `hello` is still one table for both players."""
    now = Time()
    async with serving(tmp_path, now=now) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        slow = await ada.session.ws_connect(f"{address}ws/{opened['table']}")
        ada.sockets.append(slow)
        now.pass_by(3600)
        await lobby.expire()
        theirs = await bob.sit(opened["table"], joined["token"])
        await slow.send_json({"type": "hello", "token": opened["token"]})
        mine = Client(slow)
        await mine.receive()
        assert len(lobby.tables[opened["table"]].viewers) == 2
        assert theirs.seat == 1


async def test_only_the_host_can_read_the_secret(tmp_path: Path) -> None:
    async with serving(tmp_path):
        kept = (tmp_path / "secret").read_text()
        assert len(kept) >= 43
        assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
    async with serving(tmp_path):
        assert (tmp_path / "secret").read_text() == kept


async def test_a_taken_port_and_an_unusable_folder_are_reported(tmp_path: Path) -> None:
    async with serving(tmp_path / "one") as (address, _):
        port = int(address.rstrip("/").rpartition(":")[2])
        with pytest.raises(CannotServe) as error:
            async with running(Settings(port=port, data=tmp_path / "two")):
                pass
        assert error.value.message.key == "port_taken"
        assert str(port) in str(error.value)
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotServe) as error:
        async with running(Settings(port=0, data=tmp_path / "file")):
            pass
    assert error.value.message.key == "data_unusable"


# --- a server in its own process --------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def process(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run `gramy serve` in a process; yield the process and its address."""
    serve = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gramy", "serve", "--port", "0", "--quick", "--data", str(folder)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert serve.stdout is not None
    try:
        said = (await asyncio.wait_for(serve.stdout.readline(), 3 * TIMEOUT)).decode()
        yield serve, next(word for word in said.split() if word.startswith("http"))
    finally:
        with contextlib.suppress(ProcessLookupError):
            serve.kill()
        await serve.communicate()


def stored(folder: Path, table: str) -> list[tuple[int, str]]:
    file = sqlite3.connect(folder / "gramy.sqlite")
    try:
        found = file.execute(
            "SELECT number, seat, text FROM entries WHERE table_id=? AND round=1 ORDER BY number", (table,)
        ).fetchall()
    finally:
        file.close()
    assert [number for number, _, _ in found] == list(range(len(found)))
    sealer = Sealer([(folder / "secret").read_text()])
    return [(seat, sealer.unseal(text, "text", table, 1, number)) for number, seat, text in found]


class Witness:
    """Records the moves that were acknowledged and the log lines that were shown at a table."""

    def __init__(self, clients: list[Client]) -> None:
        self.acknowledged: list[tuple[int, str]] = []
        self.clients = clients

    async def play(self, rng: random.Random, moves: int) -> tuple[int, str] | None:
        """Make a number of acknowledged moves, then one whose answer nobody receives."""
        done = 0
        while done <= moves and not self.clients[0].outcome:
            lines = max(client.now["lines"] for client in self.clients)
            for client in self.clients:
                await client.until(lambda now, lines=lines: now["lines"] >= lines)
            ready = [client for client in self.clients if client.seat in client.now["view"]["to_act"]]
            if not ready:
                await self.clients[0].receive()
                continue
            client = rng.choice(ready)
            move = rng.choice(client.now["view"]["moves"])
            assert client.seat is not None
            if done == moves:
                await client.send("move", at=client.now["lines"], move=move)
                return client.seat, move
            if await client.move(move) is None:
                self.acknowledged.append((client.seat, move))
                done += 1
        return None

    def check(self, log: list[tuple[int, str]], last: tuple[int, str] | None) -> None:
        """Check that the log holds everything acknowledged, once and in order, and at most the last move besides."""
        people = {client.seat for client in self.clients}
        moves = moves_of(log, (0, 1))
        assert people == {0, 1}
        assert moves[: len(self.acknowledged)] == self.acknowledged
        assert moves[len(self.acknowledged) :] in ([], [last])
        for client in self.clients:
            for (seat, text), shown in zip(log, client.lines, strict=False):
                assert shown["seat"] == seat
                assert shown["move"] == text or "?" in shown["move"]
            assert len(client.lines) <= len(log)


async def test_every_acknowledged_move_survives_kill_9_at_any_moment(tmp_path: Path) -> None:
    rng = random.Random(20_261)
    table: dict[str, Any] = {}
    promised: list[tuple[int, str]] = []
    for kill in range(4):
        async with process(tmp_path) as (serve, address), visiting(address) as ada, visiting(address) as bob:
            if kill % 2 == 0:  # each table lives through two kills
                seats = [None, None] if kill else [None, None, BOT]
                game, options = ("face-to-face", {}) if kill else ("gra", {"players": "3"})
                table, promised = await ada.open(game, seats, options=options), []
                table["other"] = (await bob.join(table["table"]))["token"]
            witness = Witness(await sit_down(table, ada, bob))
            witness.acknowledged = promised
            last = await witness.play(rng, rng.randrange(2, 9))
            for _ in range(rng.randrange(40)):
                await asyncio.sleep(0)  # vary the moment of the kill
            serve.send_signal(signal.SIGKILL)
            await serve.wait()
            log = stored(tmp_path, table["table"])
            witness.check(log, last)
            promised = moves_of(log, (0, 1))
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = await sit_down(table, ada, bob)
        assert [line["seat"] for line in clients[0].lines][: len(log)] == [seat for seat, _ in log]
        await play_on(clients, rng)
        assert clients[0].outcome is not None


def moves_of(log: list[tuple[int, str]], seats: tuple[int, ...]) -> list[tuple[int, str]]:
    return [(seat, text) for seat, text in log if seat in seats and not text.startswith("say ")]


async def sit_down(table: dict[str, Any], ada: Visitor, bob: Visitor) -> list[Client]:
    clients = [await ada.sit(table["table"], table["token"]), await bob.sit(table["table"], table["other"])]
    for client in clients:
        await client.until(lambda now: now["view"] is not None)  # both clients have sent their seeds
    return clients


async def test_a_terminated_server_sends_bye_and_stops_cleanly(tmp_path: Path) -> None:
    async with process(tmp_path) as (serve, address), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client, beside = await ada.sit(opened["table"], opened["token"]), await ada.sit(opened["table"], "no")
        serve.send_signal(signal.SIGTERM)
        for one in (client, beside):
            while (message := await one.receive())["type"] != "bye":
                pass
            assert message["message"]["key"] == "server_restarts"
            assert message["retry_after"] > 0
            assert (await one.socket.receive()).data == WSCloseCode.SERVICE_RESTART
        assert await asyncio.wait_for(serve.wait(), TIMEOUT) == 0
    async with process(tmp_path) as (_, address), visiting(address) as ada:
        assert (await ada.sit(opened["table"], opened["token"])).seat == 0


async def test_a_client_that_does_not_answer_does_not_delay_the_shutdown(tmp_path: Path) -> None:
    """The sockets of two clients are open, but they do not answer the close frame."""
    async with process(tmp_path) as (serve, address), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        silent = [await handshake(address, opened["table"]) for _ in range(2)]
        began = time.monotonic()
        serve.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(serve.wait(), 8)
        assert time.monotonic() - began < 8
        assert serve.returncode == 0
        for writer in silent:
            writer.close()


async def handshake(address: str, table: str) -> asyncio.StreamWriter:
    """Open a socket that sends hello and then never reads."""
    port = int(address.rstrip("/").rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /ws/{table} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    writer.write((head + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
    assert b"101" in await reader.readline()
    hello = b'{"type":"hello"}'
    writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # masked with zeros
    await reader.readuntil(b"snapshot")
    return writer
