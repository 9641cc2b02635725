"""Nobody waits for the compiler: on an empty cache bots move and hints come at once, while a process compiles."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gramy.bots import LEVELS
from gramy.contract import DEALER
from gramy.table.services import Times
from tests.web.client import GAMES, Client, Json, Visitor, serving, visiting

AT_ONCE = 2.0
"""Seconds from a click to the answer."""
ATTEMPTS = 3
"""Other programs may take the processor from the server, so it has more than one chance."""


@contextlib.asynccontextmanager
async def on_an_empty_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Visitor]:
    """Run a server that compiles ahead, without any compiled code; yield a visitor."""
    monkeypatch.setenv("GRAMY_CACHE", str(folder / "cache"))
    times = Times(pause=0, seed_wait=0)
    async with serving(folder, times=times, compile_ahead=True) as (address, _), visiting(address) as visitor:
        yield visitor


def bots_moved(client: Client) -> bool:
    people = client.now["you"], DEALER
    return any(line["seat"] not in people and not line["move"].startswith("say ") for line in client.lines)


async def until_my_turn(client: Client) -> None:
    await client.until(lambda now: now["view"] and now["you"] in now["view"]["to_act"])


async def seconds_until_a_bot_moves(client: Client) -> float:
    clicked = time.perf_counter()
    while not bots_moved(client):
        if client.now["view"] and client.now["you"] in client.now["view"]["to_act"]:
            moves = client.now["view"]["moves"]
            clicked = time.perf_counter()
            assert await client.move("end" if "end" in moves else moves[0]) is None
        else:
            await client.receive()
    return time.perf_counter() - clicked


async def seconds_until_a_hint_comes(client: Client) -> float:
    await until_my_turn(client)
    clicked = time.perf_counter()
    id = await client.send("hint")
    hint: Json = {}
    while hint.get("id") != id:
        hint = await client.receive()
    assert set(dict(hint["moves"])) <= set(client.now["view"]["moves"])
    return time.perf_counter() - clicked


async def test_on_an_empty_cache_bots_of_every_level_move_and_hints_come_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = [await first_seconds(tmp_path / "1", monkeypatch)]
    while max(attempts[-1].values()) > AT_ONCE and len(attempts) < ATTEMPTS:
        attempts.append(await first_seconds(tmp_path / f"{len(attempts) + 1}", monkeypatch))
    assert max(attempts[-1].values()) < AT_ONCE, attempts


async def first_seconds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str, str], float]:
    """Return how long the first move and the first hint take, by game and level, on a new server."""
    seconds: dict[tuple[str, str, str], float] = {}
    async with on_an_empty_cache(folder, monkeypatch) as ada:
        for level in reversed(LEVELS):
            for game, options, players in GAMES:
                opened = await ada.open(game, [None, *[{"bot": level}] * (players - 1)], options=options)
                client = await ada.sit(opened["table"], opened["token"])
                seconds[game, level, "move"] = await seconds_until_a_bot_moves(client)
                seconds[game, level, "hint"] = await seconds_until_a_hint_comes(client)
                await client.socket.close()
    return seconds


def test_a_server_that_is_told_to_stop_while_it_compiles_stops_at_once_with_all_its_processes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gramy", "serve", "--port", "0", "--data", str(tmp_path / "data"), "--verbose"]
    environment = {**os.environ, "GRAMY_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as server:
        try:
            deadline = time.monotonic() + 30
            while not list(tmp_path.glob("cache/gramy/*/lock")):  # the compiling process has begun
                assert time.monotonic() < deadline
                time.sleep(0.05)
            server.send_signal(signal.SIGTERM)
            began = time.monotonic()
            _, errors = server.communicate(timeout=30)
            assert time.monotonic() - began < 5, errors
            assert server.returncode == 0, errors
            assert b"Traceback" not in errors
            while session_lives(server.pid):
                assert time.monotonic() < began + 10
                time.sleep(0.05)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def session_lives(leader: int) -> bool:
    """Return whether any process is left of the session that this process began."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True
