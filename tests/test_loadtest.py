"""The load generator against a real server: it counts what was played, and keeps its limits."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gramy
from gramy.cli import main
from gramy.contract import DEALER
from gramy.errors import GramyError
from gramy.loadtest import run
from gramy.loadtest.figures import Durations, Figures
from gramy.loadtest.report import draw, report_lines
from gramy.loadtest.run import CannotLoad, LoadPlan, load, play
from gramy.table.lobby import Lobby
from tests.web.client import serving


def moves_at(lobby: Lobby) -> int:
    """Return the number of players' lines in the logs of all tables."""
    logs = [table.state.match.log for table in lobby.tables.values() if table.state.match is not None]
    return sum(entry.seat != DEALER for log in logs for entry in log)


@pytest.mark.parametrize(("name", "options"), [("face-to-face", {}), ("quick-easy", {"players": 3}), ("gra", {})])
async def test_every_match_is_played_to_its_end_and_every_move_is_counted_once(
    tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    async with serving(tmp_path) as (address, lobby):
        plan = LoadPlan(gramy.game(name, **options), (address.rstrip("/"),), tables=4, matches=1, viewers=1, seconds=50)
        figures = await play(plan)
        assert figures.errors == {}
        assert figures.matches == 4
        assert figures.moves == moves_at(lobby) > 4
        assert len(figures.opening) == 4
        assert all(table.state.match and table.state.match.outcome for table in lobby.tables.values())
        players = plan.game.players
        assert figures.connections == 4 * (players + 1)
        assert len(figures.shown) >= figures.moves


async def test_a_table_plays_rematches_until_the_number_of_moves_is_reached(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby):
        plan = LoadPlan(gramy.game("quick-easy", players=2), (address.rstrip("/"),), tables=2, moves=150, seconds=50)
        figures = await play(plan)
        assert figures.errors == {}
        assert 150 <= figures.moves <= 150 + 2
        assert max(table.state.round for table in lobby.tables.values()) > 1


async def test_with_together_all_players_of_a_table_use_one_node(tmp_path: Path) -> None:
    async with serving(tmp_path / "a") as (one, first), serving(tmp_path / "b") as (other, second):
        servers = one.rstrip("/"), other.rstrip("/")  # they share nothing, so a player at the wrong one would fail
        figures = await play(LoadPlan(gramy.game("gra"), servers, together=True, tables=4, matches=1, seconds=50))
        assert figures.errors == {}
        assert (len(first.tables), len(second.tables), figures.matches) == (2, 2, 4)


async def test_one_client_a_table_plays_against_the_bots_of_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby):
        game = gramy.game("gra", players=3)
        figures = await play(LoadPlan(game, (address.rstrip("/"),), tables=2, matches=1, bots="easy", seconds=50))
        assert figures.errors == {}
        assert figures.connections == 2
        assert figures.matches == 2
        assert all(
            [seat.kind for seat in table.state.seats] == ["person", "bot", "bot"] for table in lobby.tables.values()
        )


async def test_clients_that_think_do_not_move_early(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _):
        game = gramy.game("face-to-face")
        figures = await play(LoadPlan(game, (address.rstrip("/"),), tables=2, moves=6, think=0.02, seconds=50))
        assert figures.errors == {}
        assert len(figures.late) >= 6
        assert min(figures.late.seconds) >= -0.002  # the resolution of a timer


async def test_refused_tables_count_as_errors_and_the_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "AT_ONCE", 1)
    async with serving(tmp_path) as (address, lobby):
        lobby.most = 3
        figures = await play(LoadPlan(gramy.game("gra"), (address.rstrip("/"),), tables=5, matches=1, seconds=50))
        assert figures.errors == {"opening: 503": 2}
        assert figures.matches == 3


@pytest.mark.parametrize("server", ["http://192.0.2.7:8484", "http://[2001:db8::1]:8484"])
def test_another_machine_is_refused_without_the_flag(server: str) -> None:
    with pytest.raises(CannotLoad, match="--i-own-this-server"):
        load(LoadPlan(gramy.game("gra"), (server,)))


def test_more_connections_than_the_system_allows_are_refused_before_the_first() -> None:
    with pytest.raises(CannotLoad, match="this system allows"):
        load(LoadPlan(gramy.game("gra", players=6), ("http://127.0.0.1:9",), tables=10_000_000))


def test_without_a_server_the_error_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loadtest", "gra", "--server", "http://127.0.0.1:9", "--tables", "1"]) == 1
    assert "No table could be opened" in capsys.readouterr().err


def test_the_command_reports_a_run_against_a_real_server(tmp_path: Path) -> None:
    flags = ["--port", "0", "--data", str(tmp_path), "--commands-a-second", "100000", "--tables-a-minute", "1000",
             "--tables-a-day", "1000", "--tables-a-guest", "1000", "--lines-a-day", "1000000"]  # fmt: skip
    command = [sys.executable, "-m", "gramy", "serve", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            test = ["loadtest", "gra", "players=3", "--server", address, "--matches", "1", "--tables", "2", "--json"]
            command = [sys.executable, "-m", "gramy", *test, "--seconds", "50", "--pid", str(server.pid)]
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


def test_quantiles_are_exact() -> None:
    durations = Durations()
    assert durations.milliseconds() == {}
    for seconds in (0.003, 0.001, 0.002):
        durations.add(0.0, seconds)
    assert durations.milliseconds() == {"p50": 2.0, "p90": 3.0, "p99": 3.0, "p99.9": 3.0, "max": 3.0}
    many = some_figures().answered.milliseconds()
    assert many == {"p50": 501.0, "p90": 900.0, "p99": 990.0, "p99.9": 999.0, "max": 1000.0}


def test_the_report_as_text() -> None:
    report = "\n".join(report_lines(some_figures(), "gra"))
    assert "gra: 2 tables, 4 connections" in report
    assert "1,000 moves and 0 whole matches in 10.0 s" in report
    assert "100 moves/s, 200 messages/s of 1,500 bytes" in report
    assert "500 µs of CPU time a move (2,000 moves per CPU second), 60 kB a table" in report
    assert "errors: 1 × refused: too_late" in report


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_plot_is_written(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"run.{suffix}"
    draw(some_figures(), "gra", path)
    assert path.stat().st_size > 5000


def test_a_plot_of_another_file_type_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loadtest", "gra", "--plot", "run.gif"]) == 1
    assert ".png, .svg" in capsys.readouterr().err


def test_a_missing_process_is_named() -> None:
    with pytest.raises(GramyError, match="no process 4194304"):
        load(LoadPlan(gramy.game("gra"), ("http://127.0.0.1:9",), processes=(4_194_304,)))
