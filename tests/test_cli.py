"""The command line: its output, and one sentence with an exit code for every error."""

import io
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import gramy
from gramy.cli import main
from gramy.record import format as format_record


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A finished match of GRA, as a file."""
    match = gramy.match("gra", players=3, seed=4, names=("Ada", "Bo", "Cy"))
    while match.to_act:
        seat = match.to_act[0]
        match.play(match.moves(seat)[-1], seat)
    path = tmp_path / "match.gramy"
    gramy.save(match, path)
    return path


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_simulate_prints_the_endings(capsys: pytest.CaptureFixture[str]) -> None:
    out = output(capsys, "simulate", "gra", "players=3", "--games", "500", "--seed", "1")
    assert "500 random matches" in out
    assert out.count("wins") == 3


def test_simulate_is_the_same_for_the_same_seed_compiled_or_plain(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "quick-easy", "--games", "200", "--seed", "9", "--json")
    fast, plain = json.loads(output(capsys, *arguments)), json.loads(output(capsys, *arguments, "--plain"))
    assert (fast["endings"], fast["moves"]) == (plain["endings"], plain["moves"])
    assert (fast["compiled"], plain["compiled"]) == (True, False)


def test_arena_prints_the_shares_of_wins(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("arena", "gra", "naive", "random", "--deals", "3", "--processes", "1")
    assert "naive   100.0%" in output(capsys, *arguments)
    assert json.loads(output(capsys, *arguments, "--json"))["standings"][0]["wins"] == 6


def test_arguments_and_flags_come_in_any_order(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("arena", "gra", "--processes", "1", "naive", "--deals", "1", "random", "jokers=on", "--json")
    out = json.loads(output(capsys, *arguments))
    assert [standing["name"] for standing in out["standings"]] == ["naive", "random"]
    assert out["options"]["jokers"] == "on"


def test_simulate_uses_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert "wygrywa miejsce" in output(capsys, "simulate", "gra", "--games", "50", "--language", "pl")


def test_replay_prints_every_line_of_a_match(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    out = output(capsys, "replay", str(recorded))
    assert out.startswith("GRA: Ada, Bo, Cy")
    assert "wins" in out
    assert "?" not in out.replace("×6?", "").split("\n")[3]


def test_replay_from_a_seat_hides_what_it_could_not_know(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    log = json.loads(output(capsys, "replay", str(recorded), "--seat", "1", "--json"))["log"]
    deals = [line["move"] for line in log if line["move"].startswith("deal ") and "first" not in line["move"]]
    assert [("?" in move) for move in deals[:3]] == [True, False, True]


def test_rules_lists_the_games_and_prints_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert "last_card_grace: off, on" in output(capsys, "rules")
    assert set(json.loads(output(capsys, "rules", "--json"))) == set(gramy.GAMES)
    assert "**G1**" in output(capsys, "rules", "gra", "--numbered")
    assert "Gra pełna blefu" in output(capsys, "rules", "gra", "--language", "pl")
    assert json.loads(output(capsys, "rules", "gra", "--json"))["game"] == "gra"


def test_play_starts_a_match_and_ends_with_the_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "quick-easy", "--seed", "3", "--name", "Ada"]) == 0
    assert "Ada" in capsys.readouterr().out


WRONG = {
    "an unknown game": ["simulate", "chess"],
    "an unknown option": ["simulate", "gra", "name=x"],
    "a wrong value": ["simulate", "gra", "players=9"],
    "an option without a value": ["simulate", "gra", "jokers"],
    "a file that is not there": ["replay", "/no/such/file"],
    "an unknown bot": ["arena", "gra", "nobody"],
    "a test of nothing": ["arena", "gra", "easy", "--sprt", "60", "50"],
    "an unknown game's rules": ["rules", "chess"],
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_an_error_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("gramy: ")
    assert captured.err.count("\n") == 1


WRONG_USAGE = {
    "no command": [],
    "an unknown command": ["dance"],
    "a negative number": ["simulate", "gra", "--games", "-3"],
    "a number that is none": ["simulate", "gra", "--seed", "x"],
    "an unknown language": ["simulate", "gra", "--language", "fr"],
    "an unknown flag": ["rules", "--loud"],
}


@pytest.mark.parametrize("arguments", WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_wrong_usage_is_one_sentence_and_exit_code_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_damaged_record_names_its_line(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    lines = recorded.read_text("utf-8").split("\n")
    lines[12] = "0 sing"
    recorded.write_text("\n".join(lines), "utf-8")
    assert main(["replay", str(recorded)]) == 1
    assert "Line 13 of the record" in capsys.readouterr().err


def test_a_seat_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    assert main(["replay", str(recorded), "--seat", "5"]) == 1
    assert "There is no seat 5" in capsys.readouterr().err


def test_no_module_hides_a_public_name_of_the_package() -> None:
    assert {name for name in gramy.__all__ if isinstance(getattr(gramy, name), ModuleType)} == set()


def test_the_module_runs_like_the_command() -> None:
    shown = subprocess.run([sys.executable, "-m", "gramy", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"gramy {gramy.__version__}\n"


def test_a_record_without_names_shows_the_seats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "open.gramy"
    path.write_text(format_record(gramy.match("gra", seed=1, starter="lot")), "utf-8")
    assert "seat 0" in output(capsys, "replay", str(path))
