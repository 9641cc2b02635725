"""docs/privacy.md is true: what is stored about a guest, for how long, and how it is deleted."""

from __future__ import annotations

import random
import re
import sqlite3
from pathlib import Path

import pytest

from gramy.table.lobby import DAY, FINISHED_EXPIRY, GRACE, IDLE_EXPIRY
from gramy.table.names import LONGEST_NAME
from gramy.web.analyses import MAX_KEPT
from gramy.web.limits import MAX_VISITORS
from gramy.web.visitor import COOKIE_LIFETIME
from tests.web.client import BOT, pair, play_on, serving, visiting

PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text("utf-8")


def everything(folder: Path) -> str:
    """Return the whole database as text."""
    file = sqlite3.connect(folder / "gramy.sqlite")
    try:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return "\n".join(str(row) for table in tables for row in file.execute(f"SELECT * FROM {table}"))
    finally:
        file.close()


def test_the_page_states_the_retention_times() -> None:
    assert f"{IDLE_EXPIRY / DAY:.0f} days after the last move" in PAGE
    assert f"{FINISHED_EXPIRY / DAY:.0f} days when it is over" in PAGE
    assert f"deleted {GRACE / DAY:.0f} days later" in PAGE
    assert f"It lasts {COOKIE_LIFETIME / 86_400:.0f} days" in PAGE
    assert f"at most {LONGEST_NAME} letters" in PAGE
    assert f"last {MAX_KEPT} matches" in PAGE
    assert f"{MAX_VISITORS:,}" in PAGE


async def test_the_page_names_everything_that_is_stored(tmp_path: Path) -> None:
    """A new table or column needs a sentence on the page, and then an entry here."""
    async with serving(tmp_path), visiting("") as _:
        file = sqlite3.connect(tmp_path / "gramy.sqlite")
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        columns = {name: {row[1] for row in file.execute(f"PRAGMA table_info({name})")} for name in names}
        file.close()
        assert columns.pop("tables") == {
            *("id", "game", "version", "options", "public", "clock", "round", "status", "touched"),
            *("revision", "rematch", "people", "seen", "marked"),
        }
        assert columns.pop("seats") == {
            *("table_id", "seat", "kind", "name", "level", "guest", "token", "stand_in", "bot_played"),
        }
        assert columns.pop("entries") == {"table_id", "round", "number", "seat", "text"}
        assert columns.pop("deals") == {"table_id", "round", "seed", "client_seeds", "exchange"}
        assert columns.pop("facts") == {"name", "value"}
        assert columns.pop("orders") == {*("id", "kind", "subject", "until", "made", "reason", "texts", "reach")}
        assert columns.pop("reports") == {"id", "table_id", "seat", "name", "guest", "reporter", "made"}
        assert columns.pop("audit") == {"id", "made", "action", "subject", "detail"}
        assert columns.pop("bot_accounts") == {"id", "name", "token", "made", "revoked", "seen", "games"}
        assert columns.pop("challenges") == {"id", "bot", "table_id", "challenger", "made", "status"}
        assert not columns
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"gramy.sqlite", "secret"}


async def test_only_the_host_can_read_the_files(tmp_path: Path) -> None:
    async with serving(tmp_path / "new") as (address, _), visiting(address) as ada:
        await ada.open("gra", [None, BOT])
        for path in (tmp_path / "new").iterdir():
            assert path.stat().st_mode & 0o077 == 0, path


async def test_a_guest_can_delete_their_data_everywhere(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        over = await pair(address, ada, bob, "gra", name="Zdzisława")
        await play_on(list(over), random.Random(3))
        on = await pair(address, ada, bob, "face-to-face", name="Zdzisława")
        alone = await ada.open("quick-easy", [None, BOT], name="Zdzisława")
        waiting = await ada.open("gra", [None, None], name="Zdzisława")
        (cookie,) = ada.session.cookie_jar
        guest = lobby.tables[waiting["table"]].state.seats[0].guest
        assert guest is not None
        assert guest in everything(tmp_path)

        async with ada.session.delete(f"{address}api/guest", headers={"Origin": "http://evil.example"}) as response:
            assert response.status == 403
        async with ada.session.delete(f"{address}api/guest") as response:
            assert response.status == 204
            assert re.match(r'guest="";.* Max-Age=0;', response.headers["Set-Cookie"])

        assert guest not in everything(tmp_path)
        assert "Zdzis" not in everything(tmp_path)
        assert lobby.tables[waiting["table"]].state.seats[0].kind == "open"
        assert lobby.tables[alone["table"]].state.status == "abandoned"
        await on[1].until(lambda now: now["table"]["seats"][0]["kind"] == "bot")
        assert on[1].now["table"]["status"] == "playing"
        for client in (over[0], on[0]):
            await client.until(lambda now: now["you"] is None)
        for table in (over[1], on[1]):
            id = table.now["table"]["table"]
            paths = [f"api/tables/{id}", f"api/replay/{id}/1", f"api/record/{id}/1"]
            received = [str((await bob.get(path))[1]) for path in paths]
            assert not any("Zdzis" in text for text in received)
        assert "Bob" in everything(tmp_path)
        await play_on([on[1]], random.Random(4))  # the bot plays on

        stolen = {"Cookie": f"guest={cookie.value}"}  # the id is not stored anywhere
        socket = await bob.session.ws_connect(f"{address}ws/{waiting['table']}", headers=stolen)
        await socket.send_json({"type": "hello"})
        assert (await socket.receive_json())["you"] is None
        await socket.close()


@pytest.mark.parametrize("cookie", ["", "guest=x", "guest=InJvb3Qi.x"])
async def test_deleting_without_a_cookie_does_nothing(tmp_path: Path, cookie: str) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("gra", [None, None])
        async with eve.session.delete(f"{address}api/guest", headers={"Cookie": cookie}) as response:
            assert response.status == 204
        assert lobby.tables[opened["table"]].state.seats[0].name == "Ada"
