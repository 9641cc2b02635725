"""The application at a real server's table: joining by a link, playing, rematch, and every kind of wrong link."""

import pytest

from gramy.cli import main
from gramy.remote import Link, Server, TableConnection, parse_link
from gramy.terminal.app import TerminalApp
from gramy.terminal.command import open_remote_table
from gramy.terminal.pages.dialogs import ResultPage
from gramy.terminal.pages.replay import ReplayPage
from gramy.terminal.pages.table import TablePage
from tests.starting import by_lot
from tests.terminal.players import running
from tests.web.client import GAMES, serving


def joining(link: str, name: str = "Bo") -> TerminalApp:
    return TerminalApp(lambda app: open_remote_table(app, parse_link(link), name), "en")


@pytest.mark.parametrize(("game", "options", "players"), GAMES)
async def test_a_match_against_bots_is_played_at_a_server_and_replayed(tmp_path, game, options, players):
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open(game, [None, *["easy"] * (players - 1)], "Ada", {**by_lot(game), **options})
        async with running(joining(f"{address}/t/{seated.table}#seat={seated.token}")) as player:
            await player.until(lambda: isinstance(player.app.top, TablePage) and player.table.board is not None)
            await player.play(player.by_keys)
            assert isinstance(player.app.top, ResultPage)
            await player.press("r")
            await player.until(lambda: isinstance(player.app.top, ReplayPage))


async def test_a_guest_joins_by_the_link_of_a_table_and_both_play(tmp_path):
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open("face-to-face", [None, None], "Ada", by_lot("face-to-face"))
        async with (
            TableConnection(server, seated.table, seated.token) as ada,
            running(joining(f"{address}/t/{seated.table}")) as player,
        ):
            await player.until(lambda: isinstance(player.app.top, TablePage) and player.table.board is not None)
            assert player.scene.names == ("Ada", "Bo")
            assert player.scene.seat == 1
            while not player.scene.is_to_act:
                await player.until(lambda: player.scene.is_to_act or (ada.now is not None and ada.now.must_move))
                if ada.now is not None and ada.now.must_move and ada.now.view is not None:
                    await ada.move(ada.now.view.moves[0])
            lines = len(player.scene.log)
            await player.play(player.by_keys, turns=1)
            assert len(player.scene.log) > lines


async def test_the_opener_waits_with_the_link_and_starts_with_bots(tmp_path):
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open("gra", [None, None, None], "Ada", {"players": "3"})
        async with running(joining(f"{address}/t/{seated.table}#seat={seated.token}")) as player:
            await player.until(lambda: "Waiting for players" in player.text)
            assert f"/t/{seated.table}" in player.text
            await player.press("b")
            await player.until(lambda: player.table.board is not None)


async def test_a_full_table_is_watched_without_any_hand(tmp_path):
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open("face-to-face", [None, "easy"], "Ada", by_lot("face-to-face"))
        async with (
            TableConnection(server, seated.table, seated.token),
            running(joining(f"{address}/t/{seated.table}")) as player,
        ):
            await player.until(lambda: isinstance(player.app.top, TablePage) and player.table.board is not None)
            assert player.scene.seat is None
            assert player.table.board.hand() == []


async def test_a_table_that_is_not_there_ends_with_one_sentence(tmp_path):
    async with serving(tmp_path) as (address, _):
        app = joining(f"{address}/t/zzzzzzzz")
        async with running(app) as player:
            await player.until(lambda: app.failure is not None)
    assert "no table" in str(app.failure)


async def test_a_server_that_is_not_there_ends_with_one_sentence():
    app = TerminalApp(lambda app: open_remote_table(app, Link("http://127.0.0.1:9", "abc"), "Bo"), "en")
    async with running(app) as player:
        await player.until(lambda: app.failure is not None)
    assert "cannot be reached" in str(app.failure)


@pytest.mark.parametrize("link", ["http://127.0.0.1:9", "ftp://example.org/t/abc", "http://[", ""])
def test_a_link_without_a_table_is_one_sentence(capsys, link):
    assert main(["play", "--join", link, "--language", "en"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
