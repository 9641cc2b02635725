"""The tutorial of the remote bot: its file and its command play at a real server and win or lose a match."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

from gramy.remote import Server, TableConnection
from tests.docs.markdown import ROOT, blocks, shell_lines
from tests.docs.test_code import command, save
from tests.remote.test_connection import play
from tests.web.client import serving

PAGE = ROOT / "docs" / "tutorials" / "remote-bot.md"


async def test_the_bot_of_the_tutorial_is_challenged_and_finishes_a_match(tmp_path: Path) -> None:
    for block in blocks(PAGE):
        save(block, tmp_path)
    (line,) = (line for block in blocks(PAGE) for line in shell_lines(block) if line.startswith("gramy bot http"))
    async with serving(tmp_path / "tables") as (address, lobby), Server(address) as ada:
        _, token = await lobby.bot_accounts.issue("Zorro")
        (tmp_path / "zorro.token").write_text(token, encoding="utf-8")
        words = command(line.replace("http://localhost:8484", address.rstrip("/")))
        assert words[0] == sys.executable
        pipe = asyncio.subprocess.PIPE
        bot = await asyncio.create_subprocess_exec(*words, "--matches", "1", cwd=tmp_path, stdout=pipe, stderr=pipe)
        async with asyncio.timeout(120):
            while not (online := await ada.ask("GET", "/api/bots")):
                await asyncio.sleep(0.05)
            seated = await ada.open("face-to-face", [None, None], "Ada")
            await ada.ask("POST", f"/api/tables/{seated.table}/challenge", {"bot": online[0]["bot"]})
            async with TableConnection(ada, seated.table, seated.token) as table:
                last = await play(table, random.Random(5))
            assert [seat.name for seat in last.table.seats] == ["Ada", "Zorro"]
            _, errors = await bot.communicate()
        assert bot.returncode == 0, errors
        assert b"Traceback" not in errors
