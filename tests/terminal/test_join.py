"""The application at a real server's table: joining by a link, playing, rematch, and every kind of wrong link."""

import re

import pytest

from gramy.cli import main
from gramy.remote import Link, Server, TableConnection, parse_link
from gramy.remote.messages import SeatState
from gramy.remote.server import Seated
from gramy.table.clock import TimeControl
from gramy.table.services import Times
from gramy.terminal.app import TerminalApp
from gramy.terminal.command import open_remote_table
from gramy.terminal.pages.dialogs import ResultPage
from gramy.terminal.pages.replay import ReplayPage
from gramy.terminal.pages.table import TablePage
from tests.clock import Time
from tests.starting import by_lot
from tests.terminal.players import running
from tests.web.client import GAMES, serving


async def seats_of(server: Server, seated: Seated) -> tuple[SeatState, ...]:
    """Return the seats of a table as another device of the same player sees them."""
    async with TableConnection(server, seated.table, seated.token) as connection:
        return (await anext(aiter(connection))).table.seats


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


async def test_the_opener_chooses_the_level_of_the_bots(tmp_path):
    async with serving(tmp_path) as (address, _), Server(address) as server:
        seated = await server.open("gra", [None, None, None], "Ada", {"players": "3"})
        async with running(joining(f"{address}/t/{seated.table}#seat={seated.token}")) as player:
            await player.until(lambda: "Bot level: easy" in player.text)
            await player.press("right", "b")
            await player.until(lambda: player.table.board is not None)
            assert [seat.level for seat in await seats_of(server, seated)] == [None, "medium", "medium"]


async def test_a_clock_is_shown_and_little_time_is_warned_of(tmp_path):
    time = Time()
    async with serving(tmp_path, now=time) as (address, lobby):
        control = TimeControl(5, 0)
        table, _, token = await lobby.open(
            "quick-easy", by_lot("quick-easy"), [None, None], False, control, "Ada", "guest"
        )
        async with Server(address) as server, running(joining(f"{address}/t/{table.id}#seat={token}")) as player:
            await player.until(lambda: isinstance(player.app.top, TablePage))
            other = await server.join(table.id, "Bo")
            async with TableConnection(server, table.id, other.token) as bo:
                await player.until(lambda: player.table.board is not None)
                while not player.scene.is_to_act:
                    await player.until(lambda: player.scene.is_to_act or (bo.now is not None and bo.now.must_move))
                    if bo.now is not None and bo.now.must_move and bo.now.view is not None:
                        await bo.move("end" if "end" in bo.now.view.moves else bo.now.view.moves[0])
                assert re.search(r"Ada +(5:00|4:59)", player.text)
                assert "seconds left" not in player.text
                time.pass_by(285)
                await bo.say("red")  # the next snapshot tells how much time is left
                await player.until(lambda: "15 seconds left" in player.text or "14 seconds left" in player.text)


@pytest.mark.parametrize(("key", "seen"), [("b", "stand_in"), ("x", "abandoned")])
async def test_a_player_decides_what_happens_while_another_one_is_away(tmp_path, key, seen):
    times = Times(pause=0, away=0.3, wait=0.3, seed_wait=0)
    async with serving(tmp_path, times=times) as (address, _), Server(address) as server, Server(address) as guest:
        seated = await server.open("face-to-face", [None, None], "Ada", by_lot("face-to-face"))
        async with running(joining(f"{address}/t/{seated.table}#seat={seated.token}")) as player:
            await player.until(lambda: isinstance(player.app.top, TablePage))
            other = await guest.join(seated.table, "Bo")
            async with TableConnection(guest, seated.table, other.token) as bo:
                await player.until(lambda: player.table.board is not None and bo.now is not None)
            await player.until(
                lambda: "Bo is away. If they stay away, you can decide in 1 s" in " ".join(player.text.split())
            )
            await player.until(lambda: "B Let a bot play W Wait X End the match" in " ".join(player.text.split()))
            assert "If they come back, they get their seat back." in player.text
            await player.press(key)
            await player.until(lambda: "Bo is away" not in player.text)
            if seen == "stand_in":
                assert [seat.stand_in for seat in await seats_of(server, seated)] == [False, True]
            else:
                assert player.scene.view.outcome.key == seen


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
