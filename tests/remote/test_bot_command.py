"""`gramy bot` and `gramy bot-token` against a real server: matches of all games, challenges, and what can be wrong."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gramy.cli import main
from gramy.remote import Server, TableConnection
from gramy.table.lobby import Lobby
from tests.remote.test_connection import play
from tests.web.client import serving

GAMES = ["face-to-face", "quick-easy", "gra"]
OWN_BOT = "def choose(view, history, rng, budget):\n    return rng.choice(view.moves)\n"


@contextlib.asynccontextmanager
async def running_bot(
    address: str, lobby: Lobby, *words: str, name: str = "Zorro"
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `gramy bot` under a new account; kill it at the end if it still runs."""
    _, token = await lobby.bot_accounts.issue(name)
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gramy", "bot", address, "--language", "en", *words),
        env={**os.environ, "GRAMY_BOT_TOKEN": token},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()


async def challenge(ada: Server, game: str) -> tuple[str, str]:
    """Challenge the bot that is online; return the table and the token of the challenger's seat."""
    while not (online := await ada.ask("GET", "/api/bots")):
        await asyncio.sleep(0.05)
    seated = await ada.open(game, [None, None], "Ada")
    await ada.ask("POST", f"/api/tables/{seated.table}/challenge", {"bot": online[0]["bot"]})
    return seated.table, seated.token


async def test_a_bot_takes_challenges_to_all_games_and_stops_after_the_last_match(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(OWN_BOT)
    async with serving(tmp_path) as (address, lobby), Server(address) as ada, asyncio.timeout(100):
        async with running_bot(address, lobby, "--bot", str(file), "--matches", "3") as bot:
            for game in GAMES:
                table, token = await challenge(ada, game)
                async with TableConnection(ada, table, token) as seat:
                    last = await play(seat, random.Random(1))
                assert [one.bot_account for one in last.table.seats] == [False, True]
            printed, errors = await bot.communicate()
        assert (bot.returncode, errors) == (0, b"")
        assert printed.decode().count("Ada challenges to") == 3
        assert len([line for line in printed.decode().splitlines() if " lines." in line]) == 3
        assert await ada.ask("GET", "/api/bots") == []


async def test_a_bot_joins_a_table_and_a_level_of_ours_plays(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), Server(address) as ada, asyncio.timeout(100):
        seated = await ada.open("face-to-face", [None, None], "Ada")
        link = f"{address}t/{seated.table}"
        async with running_bot(address, lobby, "--level", "easy", "--join", link, "--matches", "1") as bot:
            async with TableConnection(ada, seated.table, seated.token) as table:
                await play(table, random.Random(2))
            printed, errors = await bot.communicate()
        assert (bot.returncode, errors) == (0, b"")
        assert "against Ada begins" in printed.decode()


async def test_a_bot_that_fails_shows_its_file_and_line_and_leaves_its_seat(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def choose(view, history, rng, budget):\n    return 1 / 0\n")
    async with serving(tmp_path) as (address, lobby), Server(address) as ada, asyncio.timeout(60):
        async with running_bot(address, lobby, "--bot", str(file), "--game", "face-to-face") as bot:
            table, token = await challenge(ada, "face-to-face")
            async with TableConnection(ada, table, token) as seat:
                last = await play(seat, random.Random(3))  # a bot of the server stands in, or the match ends
            assert last.table.status == "finished"
            _, errors = await bot.communicate()
        assert bot.returncode == 1
        assert f'File "{file}", line 2' in errors.decode()
        assert "gramy: The bot failed: ZeroDivisionError" in errors.decode()


async def test_ctrl_c_ends_a_waiting_bot_cleanly(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), Server(address) as ada, asyncio.timeout(60):
        async with running_bot(address, lobby, "--level", "easy") as bot:
            while not await ada.ask("GET", "/api/bots"):
                await asyncio.sleep(0.05)
            bot.send_signal(signal.SIGINT)
            _, errors = await bot.communicate()
        assert (bot.returncode, errors) == (130, b"gramy: interrupted\n")
        assert await ada.ask("GET", "/api/bots") == []


WRONG = [
    (["localhost"], "A bot account needs a token"),
    (["localhost", "--token-file", "nothing"], "The token cannot be read from nothing"),
    (["ftp://x", "--token", "t"], "is no address of a server"),
    (["localhost", "--token", "t", "--level", "easy", "--bot", "x.py"], "exclude each other"),
    (["localhost", "--token", "t", "--bot", "nothing.py"], "nothing.py cannot be used"),
    (["localhost", "--token", "t", "--level", "godlike"], "plays none of the games"),
    (["localhost", "--token", "t", "--join", "http://localhost/"], "names no table"),
    (["localhost", "--token", "t", "--join", "http://other/t/abc"], "is not at http://localhost"),
    (["http://127.0.0.1:9", "--token", "t"], "http://127.0.0.1:9 cannot be reached"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[said for _, said in WRONG])
def test_wrong_arguments_are_answered_with_what_to_do(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRAMY_BOT_TOKEN", raising=False)
    assert main(["bot", "--language", "en", *words]) == 1
    assert said in capsys.readouterr().err


async def test_a_wrong_token_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(tmp_path) as (address, _):
        words = ["bot", address, "--token", "gramybot_x", "--language", "en"]
        assert await asyncio.to_thread(main, words) == 1
    assert "token is wrong or was revoked" in capsys.readouterr().err


async def test_tokens_are_issued_listed_and_revoked_while_the_server_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> tuple[int, str]:
        code = main(["bot-token", *words, "--data", str(tmp_path), "--language", "en"])
        found = capsys.readouterr()
        return code, found.out + found.err

    async with serving(tmp_path) as (address, lobby):
        code, printed = await asyncio.to_thread(run, "add", "Zorro", "--json")
        assert code == 0
        issued = json.loads(printed)
        async with Server(address, issued["token"]) as bot:
            assert await bot.ask("GET", "/api/bot") == {"bot": issued["bot"], "name": "Zorro"}
        assert issued["token"] not in (await asyncio.to_thread(run, "list"))[1]
        assert "is too much like" in (await asyncio.to_thread(run, "add", "Zorro"))[1]
        assert (await asyncio.to_thread(run, "revoke", issued["bot"]))[0] == 0
        assert "There is no bot account" in (await asyncio.to_thread(run, "revoke", issued["bot"]))[1]
        assert "Name the bot" in (await asyncio.to_thread(run, "revoke"))[1]
        await lobby.expire()  # the server looks into the store every minute
        assert lobby.bot_accounts.get(f"bot:{issued['bot']}") is None
