"""The load generator, against a real server: what it counts is what was played, and it stays within its bounds."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gramy
from gramy.cli import main
from gramy.contract import DEALER, GramyError
from gramy.loadtest import run
from gramy.loadtest.figures import Figures, Times
from gramy.loadtest.report import CannotDraw, draw, report_lines
from gramy.loadtest.run import CannotLoad, Plan, load, play
from gramy.table.lobby import Lobby
from tests.web.client import serving


def moved(lobby: Lobby) -> int:
    """The lines of people in the logs of all tables."""
    logs = [table.match.log for table in lobby.tables.values() if table.match is not None]
    return sum(entry.seat != DEALER for log in logs for entry in log)


@pytest.mark.parametrize(("name", "options"), [("face-to-face", {}), ("quick-easy", {"players": 3}), ("gra", {})])
async def test_every_match_is_played_to_its_end_and_every_move_is_counted_once(
    tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    async with serving(tmp_path) as (address, lobby):
        plan = Plan(gramy.game(name, **options), (address.rstrip("/"),), tables=4, matches=1, viewers=1, seconds=50)
        figures = await play(plan)
        assert figures.errors == {}
        assert figures.matches == 4
        assert figures.moves == moved(lobby) > 4
        assert len(figures.opening) == 4
        assert all(table.match and table.match.outcome for table in lobby.tables.values())
        players = plan.game.players
        assert figures.connections == 4 * (players + 1)
        assert len(figures.shown) >= figures.moves


async def test_a_table_plays_match_after_match_until_so_many_moves_are_made(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby):
        plan = Plan(gramy.game("quick-easy", players=2), (address.rstrip("/"),), tables=2, moves=150, seconds=50)
        figures = await play(plan)
        assert figures.errors == {}
        assert 150 <= figures.moves <= 150 + 2
        assert max(table.round for table in lobby.tables.values()) > 1


async def test_people_who_come_together_are_all_at_the_node_of_their_table(tmp_path: Path) -> None:
    async with serving(tmp_path / "a") as (one, first), serving(tmp_path / "b") as (other, second):
        servers = one.rstrip("/"), other.rstrip("/")  # they share nothing, so nobody could come to the wrong one
        figures = await play(Plan(gramy.game("gra"), servers, together=True, tables=4, matches=1, seconds=50))
        assert figures.errors == {}
        assert (len(first.tables), len(second.tables), figures.matches) == (2, 2, 4)


async def test_one_person_a_table_plays_against_the_servers_own_bots(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby):
        game = gramy.game("gra", players=3)
        figures = await play(Plan(game, (address.rstrip("/"),), tables=2, matches=1, bots="easy", seconds=50))
        assert figures.errors == {}
        assert figures.connections == 2
        assert figures.matches == 2
        assert all([seat.kind for seat in table.seats] == ["person", "bot", "bot"] for table in lobby.tables.values())


async def test_people_who_think_move_no_sooner_than_they_want_to(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _):
        game = gramy.game("face-to-face")
        figures = await play(Plan(game, (address.rstrip("/"),), tables=2, moves=6, think=0.02, seconds=50))
        assert figures.errors == {}
        assert len(figures.late) >= 6
        assert min(figures.late.seconds) >= -0.002  # a timer's own grain


async def test_tables_that_a_server_refuses_are_errors_and_the_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "AT_ONCE", 1)
    async with serving(tmp_path) as (address, lobby):
        lobby.most = 3
        figures = await play(Plan(gramy.game("gra"), (address.rstrip("/"),), tables=5, matches=1, seconds=50))
        assert figures.errors == {"opening: 503": 2}
        assert figures.matches == 3


@pytest.mark.parametrize("server", ["http://192.0.2.7:8484", "http://[2001:db8::1]:8484"])
def test_another_machine_is_not_loaded_unless_somebody_owns_it(server: str) -> None:
    with pytest.raises(CannotLoad, match="--i-own-this-server"):
        load(Plan(gramy.game("gra"), (server,)))


def test_more_connections_than_the_system_allows_are_refused_before_the_first() -> None:
    with pytest.raises(CannotLoad, match="connections are more than"):
        load(Plan(gramy.game("gra", players=6), ("http://127.0.0.1:9",), tables=10_000_000))


def test_where_nobody_serves_one_sentence_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loadtest", "gra", "--server", "http://127.0.0.1:9", "--tables", "1"]) == 1
    assert "No table could be opened" in capsys.readouterr().err


def test_the_command_line_tells_a_run_of_a_real_server(tmp_path: Path) -> None:
    flags = ["--port", "0", "--data", str(tmp_path), "--commands-a-second", "100000", "--tables-a-minute", "1000"]
    command = [sys.executable, "-m", "gramy", "serve", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            asked = ["loadtest", "gra", "players=3", "--server", address, "--matches", "1", "--tables", "2", "--json"]
            command = [sys.executable, "-m", "gramy", *asked, "--seconds", "50", "--pid", str(server.pid)]
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout)
        finally:
            server.terminate()
    assert (answer["tables"], answer["connections"], answer["matches"], answer["errors"]) == (2, 6, 2, {})
    assert answer["milliseconds"]["answered"].keys() == {"p50", "p90", "p99", "p99.9", "max"}


# --- figures ----------------------------------------------------------------------------------------------------------


def some_figures() -> Figures:
    figures = Figures(tables=2, connections=4)
    figures.begin(10.0)
    for number in range(1, 1001):
        figures.answered.add(10.0 + number / 100, number / 1000)
    figures.messages, figures.bytes, figures.processor, figures.memory = 2000, 3_000_000, 0.5, 120_000
    figures.end(20.0)
    figures.error("refused: too_late")
    return figures


def test_shares_are_exact() -> None:
    times = Times()
    assert times.milliseconds() == {}
    for seconds in (0.003, 0.001, 0.002):
        times.add(0.0, seconds)
    assert times.milliseconds() == {"p50": 2.0, "p90": 3.0, "p99": 3.0, "p99.9": 3.0, "max": 3.0}
    many = some_figures().answered.milliseconds()
    assert many == {"p50": 501.0, "p90": 900.0, "p99": 990.0, "p99.9": 999.0, "max": 1000.0}


def test_a_run_is_told_in_words() -> None:
    said = "\n".join(report_lines(some_figures(), "gra"))
    assert "gra: 2 tables, 4 connections" in said
    assert "1,000 moves and 0 whole matches in 10.0 s" in said
    assert "100 moves/s, 200 messages/s of 1,500 bytes" in said
    assert "500 µs of processor time a move (2,000 a second of it), 60 kB a table" in said
    assert "errors: 1 × refused: too_late" in said


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_run_can_be_drawn(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / f"run.{suffix}"
    draw(some_figures(), "gra", picture)
    assert picture.stat().st_size > 5000


def test_a_picture_of_another_form_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(CannotDraw, match=r"\.png or \.svg"):
        draw(some_figures(), "gra", tmp_path / "run.gif")


def test_a_process_that_is_not_there_is_named() -> None:
    with pytest.raises(GramyError, match="no process 4194304"):
        load(Plan(gramy.game("gra"), ("http://127.0.0.1:9",), processes=(4_194_304,)))
