"""Slow and full disks, slow clients, clocks that jump: every acknowledged move is stored and shown exactly once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from gramy.table.lobby import Lobby
from gramy.table.services import steady_date
from gramy.table.table import Table
from tests.clock import Time
from tests.torture.players import Player
from tests.web.client import BOT, Client, play_on, serving, visiting
from tests.web.test_restart import handshake

YEARS = 10 * 365 * 86_400.0


class SlowStore:
    """A store with random delays, so that answers overtake each other."""

    def __init__(self, store: Any, rng: random.Random) -> None:
        self.store, self.rng = store, rng

    def __getattr__(self, name: str) -> Any:
        async def slowly(*words: Any, **more: Any) -> Any:
            await asyncio.sleep(self.rng.uniform(0.0, 0.02))  # the delay under test
            try:
                return await getattr(self.store, name)(*words, **more)
            finally:
                await asyncio.sleep(self.rng.uniform(0.0, 0.02))

        return slowly


async def played(address: str, lobby: Lobby, rng: random.Random, seats: list[Any], game: str, **options: str) -> None:
    """Play with repeated and stale commands; check that the log holds exactly what was acknowledged and shown."""
    async with visiting(address) as ada, aiohttp.ClientSession() as session:
        opened = await ada.open(game, seats, options=options)
        joined = [await ada.join(opened["table"], another_seat=True) for _ in range(seats.count(None) - 1)]
        tokens = [opened["token"], *(one["token"] for one in joined), None]
        players = [Player(session, lambda: address, opened["table"], token, rng) for token in tokens]
        await asyncio.gather(*(player.play() for player in players))
        log = [(line.seat, line.text) for line in await lobby.services.store.lines(opened["table"], 1)]
        for player in players:
            player.check(log)


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("quick-easy", [None, None, BOT], {"players": "3"}), ("gra", [None, None], {})],
)
async def test_a_slow_disk_only_takes_longer(
    tmp_path: Path, game: str, seats: list[Any], options: dict[str, str]
) -> None:
    rng = random.Random(20_261)
    async with serving(tmp_path) as (address, lobby):
        lobby.services.store = SlowStore(lobby.services.store, rng)  # type: ignore[assignment]  # it answers by name
        await played(address, lobby, rng, seats, game, **options)
        lobby.services.store = lobby.services.store.store  # type: ignore[attr-defined]  # the one behind it


def mover(clients: list[Client]) -> Client:
    return next(client for client in clients if client.seat in client.now["view"]["to_act"])


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a file system of one megabyte; needs root."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "gramy-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here; tests/table/test_sqlite.py limits the file instead")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_refuses_moves_until_there_is_room(tmp_path: Path) -> None:
    rng = random.Random(20_261)
    with small_disk(tmp_path / "disk") as folder:
        async with serving(folder) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
            opened = await ada.open("face-to-face", [None, None])
            joined = await bob.join(opened["table"])
            clients = [await ada.sit(opened["table"], one["token"]) for one in (opened, joined)]
            assert await play_on(clients, rng, most=4) == 4
            with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(1024))
            kept = await lobby.services.store.lines(opened["table"], 1)
            refused = 0
            for _ in range(60):  # moves are accepted while the file still has free pages
                client = mover(clients)
                if await client.move(client.now["view"]["moves"][0]):
                    refused += 1
                    break
                lines = client.now["lines"]
                for one in clients:
                    await one.until(lambda now, lines=lines: now["lines"] >= lines)
                kept = await lobby.services.store.lines(opened["table"], 1)
            assert refused
            assert client.refused[max(client.refused)]["key"] == "not_saved"
            assert await lobby.services.store.lines(opened["table"], 1) == kept
            (folder / "filler").unlink()
            assert await play_on(clients, rng, most=6) == 6
            log = [(line.seat, line.text) for line in await lobby.services.store.lines(opened["table"], 1)]
            assert len(log) > len(kept)
            for client in clients:
                await client.until(lambda now: now["lines"] == len(log))
                assert [line["seat"] for line in client.lines] == [seat for seat, _ in log]


async def test_clients_that_do_not_read_delay_nobody(tmp_path: Path) -> None:
    """Their sockets are open and full. The others play to the end, and the server stops as usual."""
    rng = random.Random(20_261)
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        silent = [await handshake(address, opened["table"]) for _ in range(3)]
        client = await ada.sit(opened["table"], opened["token"])
        await play_on([client], rng)
        assert client.outcome
        log = await lobby.services.store.lines(opened["table"], 1)
        assert [line["seat"] for line in client.lines] == [line.seat for line in log]
        for writer in silent:
            writer.close()


async def test_a_snapshot_larger_than_the_socket_buffer_arrives_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    much = "x" * 16_000_000  # more than the system buffers before the client reads
    short = Table.snapshot
    monkeypatch.setattr(Table, "snapshot", lambda table, *asked: {**short(table, *asked), "much": much})
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("face-to-face", [None, BOT])
        async with ada.session.ws_connect(f"{address}ws/{opened['table']}", max_msg_size=0) as socket:
            await socket.send_json({"type": "hello", "token": opened["token"]})
            first = await socket.receive_json(timeout=30)
            await socket.send_json({"type": "move", "id": "1", "at": first["lines"], "move": "nonsense"})
            while (answer := await socket.receive_json(timeout=30))["type"] != "refused":
                assert answer["much"] == much  # of a bot's move
        assert first["much"] == much
        assert answer["id"] == "1"


@pytest.mark.parametrize("jump", [YEARS, -YEARS])
async def test_a_clock_that_jumps_deletes_no_table_and_stops_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    rng, real = random.Random(20_261), time.time
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        idle = await ada.open("gra", [None, None])
        clients = [await ada.sit(opened["table"], one["token"]) for one in (opened, joined)]
        assert await play_on(clients, rng, most=4) == 4
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        assert (await lobby.expire()).deleted == 0
        assert (await ada.get(f"api/tables/{idle['table']}"))[0] == 200
        assert await play_on(clients, rng, most=4) == 4
        monkeypatch.setattr(time, "time", real)
        assert (await lobby.expire()).deleted == 0
        assert await play_on(clients, rng, most=4) == 4


def test_the_calendar_clock_does_not_jump() -> None:
    date, now = Time(), Time()
    calendar = steady_date(date, now)
    date.pass_by(YEARS)
    now.pass_by(60)
    assert calendar() == Time()() + 60
