"""The example bots of docs/, written from the protocol page alone, finish matches of every game at a real server."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gramy.remote import Server, TableConnection
from tests.remote.test_connection import play
from tests.web.client import serving

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GAMES = ["face-to-face", "quick-easy", "gra"]
NODE = shutil.which("node")


def has_websocket() -> bool:
    """Whether Node has its own WebSocket, behind a flag in Node 20."""
    if NODE is None:
        return False
    test = [NODE, "--experimental-websocket", "-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)"]
    return subprocess.run(test, capture_output=True).returncode == 0


BOTS = [
    pytest.param([sys.executable, str(EXAMPLES / "remote_bot.py")], id="python"),
    pytest.param(
        [str(NODE), "--experimental-websocket", str(EXAMPLES / "bot.mjs")],
        id="javascript",
        marks=pytest.mark.skipif(not has_websocket(), reason="needs Node 20 or newer, with its WebSocket"),
    ),
]


def test_the_bot_in_javascript_has_at_most_60_lines() -> None:
    assert len((EXAMPLES / "bot.mjs").read_text("utf-8").splitlines()) <= 60


async def run(command: list[str], token: str, *words: str, matches: int = 1) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command,
        *words,
        env={**os.environ, "GRAMY_BOT_TOKEN": token, "MATCHES": str(matches)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.parametrize("command", BOTS)
async def test_an_example_finishes_matches_of_all_games_against_the_servers_bots(
    tmp_path: Path, command: list[str]
) -> None:
    async with serving(tmp_path) as (address, lobby):
        _, token = await lobby.bot_accounts.issue("Zorro")
        bots = [await run(command, token, address.rstrip("/"), game) for game in GAMES]
        for game, bot in zip(GAMES, bots, strict=True):
            printed, errors = await asyncio.wait_for(bot.communicate(), 60)
            assert (bot.returncode, errors) == (0, b""), errors
            assert printed.decode().startswith(game)


@pytest.mark.parametrize("command", BOTS)
async def test_an_example_takes_a_challenge(tmp_path: Path, command: list[str]) -> None:
    async with serving(tmp_path) as (address, lobby), Server(address) as ada:
        _, token = await lobby.bot_accounts.issue("Zorro")
        bot = await run(command, token, address.rstrip("/"), "challenges")
        async with asyncio.timeout(60):
            while not (online := await ada.ask("GET", "/api/bots")):
                await asyncio.sleep(0.05)
            seated = await ada.open("face-to-face", [None, None], "Ada")
            await ada.ask("POST", f"/api/tables/{seated.table}/challenge", {"bot": online[0]["bot"]})
            async with TableConnection(ada, seated.table, seated.token) as table:
                last = await play(table, random.Random(5))
            assert [seat.bot_account for seat in last.table.seats] == [False, True]
            _, errors = await bot.communicate()
            assert (bot.returncode, errors) == (0, b"")
