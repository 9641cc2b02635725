"""Runs that keep their work: checks before the first deal, the journal, interrupts, records, failing and slow bots."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

import gramy
from gramy.arena import BotFailed, Comparison, Interrupted, Setting, arrange, compare, parse_entrant
from gramy.arena import journal as journals
from gramy.arena.deals import OUT_OF_TIME
from gramy.arena.files import exact, rows, summary
from gramy.arena.runs import format_time, record_path
from gramy.arena.workers import LazyExecutor, workers
from gramy.cli import main
from gramy.contract import NOBODY
from gramy.errors import BadOptions

PATIENCE = 120.0
"""Seconds that a test waits for another process on a busy machine."""


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"never: {what}"
        time.sleep(0.02)


def setting_of(*specs: str, game: str = "gra", limit: float | None = None) -> Setting:
    return arrange(gramy.game(game), [parse_entrant(spec) for spec in specs], 1, limit=limit)


def bot_file(folder: Path, body: str, name: str = "mine") -> str:
    path = folder / f"{name}.py"
    path.write_text(f"import os, time\n\n\ndef choose(view, history, rng, budget):\n    {body}\n")
    return str(path)


def shown(*arguments: str) -> dict[str, object]:
    """Return what a run prints as JSON, in a process of its own."""
    command = [sys.executable, "-m", "gramy", *arguments, "--json"]
    found: dict[str, object] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


# --- before the first deal --------------------------------------------------------------------------------------------

TARGETS = {
    "a missing folder": (["--save", "{tmp}/nowhere/x.csv"], "there is no folder"),
    "a folder": (["--save", "{tmp}/folder.csv"], "cannot be written: a folder"),
    "an unknown file type": (["--save", "{tmp}/x.gif"], "unsupported file type"),
    "records in a folder that is used": (["--records", "{tmp}"], "is not empty"),
    "records below a missing folder": (["--records", "{tmp}/a/b"], "there is no folder"),
    "a journal below a missing folder": (["--journal", "{tmp}/a/b"], "cannot be written"),
    "a journal that exists": (["--journal", "{tmp}/journal"], "go on from it with --resume"),
    "nothing to resume": (["--journal", "{tmp}/none", "--resume"], "no journal to go on from"),
    "a limit that is no time": (["--limit", "5"], "is not a time"),
    "a limit of nothing": (["--limit", "0s"], "is not a time"),
}


@pytest.mark.parametrize("command", ["arena", "crossplay"])
@pytest.mark.parametrize(("arguments", "why"), TARGETS.values(), ids=TARGETS)
def test_what_is_wrong_is_said_before_the_first_deal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, arguments: list[str], why: str
) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "journal").touch()
    given = [argument.format(tmp=tmp_path) for argument in arguments]
    failing = bot_file(tmp_path, "raise AssertionError('a deal was played')")
    assert main([command, "quick-easy", "easy", "--bot", failing, "--processes", "1", *given]) == 1
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(("suffix", "library"), [("png", "matplotlib"), ("svg", "matplotlib"), ("parquet", "pyarrow")])
def test_a_missing_library_is_named_before_the_first_deal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, suffix: str, library: str
) -> None:
    for module in (library, "matplotlib.figure", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    failing = bot_file(tmp_path, "raise AssertionError('a deal was played')")
    assert main(["arena", "gra", "easy", "--bot", failing, "--save", str(tmp_path / f"x.{suffix}")]) == 1
    assert f'needs the library {library}; install it with: pip install "gramy[arena]"' in capsys.readouterr().err


# --- the journal ------------------------------------------------------------------------------------------------------


def test_a_journal_gives_the_results_back_without_half_a_line(tmp_path: Path) -> None:
    setting, path = setting_of("naive", "random"), tmp_path / "journal"
    journal = journals.create(path, setting)
    whole = compare(setting, 5, LazyExecutor(), keep=journal.append)
    journal.close()
    text = path.read_bytes()
    assert text.count(b"\n") == 6
    path.write_bytes(text[:-7])
    journal = journals.resume(path, setting)
    assert [result for deal in journal.known for result in deal] == list(whole.results[:8])
    assert compare(setting, 5, LazyExecutor(), known=journal.known, keep=journal.append) == whole
    journal.close()
    assert path.read_bytes() == text


def test_a_longer_journal_than_asked_for_gives_the_first_deals(tmp_path: Path) -> None:
    setting = setting_of("naive", "random")
    known = [compare(setting._replace(seed=1), 3, LazyExecutor()).results[at : at + 2] for at in (0, 2, 4)]
    assert compare(setting, 2, LazyExecutor(), known=known) == compare(setting, 2, LazyExecutor())


def test_a_journal_of_another_comparison_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    setting, path = setting_of("naive", "random"), tmp_path / "journal"
    journal = journals.create(path, setting)
    compare(setting, 3, LazyExecutor(), keep=journal.append)
    journal.close()
    with pytest.raises(BadOptions, match="these differ: seed, talk"):
        journals.resume(path, setting._replace(seed=2, talk=False))
    with pytest.raises(BadOptions, match="these differ: entrants"):
        journals.resume(path, setting_of("naive", "easy"))
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in ((2, b"[5, []]\n"), (2, b"x\n"), (3, lines[1]), (1, b"{}\n")):
        path.write_bytes(b"".join([*lines[: number - 1], line, *lines[number:]]))
        with pytest.raises(BadOptions, match=f"damaged in line {number}"):
            journals.resume(path, setting)


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    setting, path = setting_of("naive", "random"), tmp_path / "journal"
    journal = journals.create(path, setting)
    with pytest.raises(BadOptions, match="Another process"):
        journals.resume(path, setting)
    journal.close()
    journals.resume(path, setting).close()


def test_an_interrupt_carries_the_deals_that_were_played() -> None:
    setting = setting_of("naive", "random")

    def interrupt(deals: int) -> None:
        if next(counter) == 3:
            raise KeyboardInterrupt

    counter = iter(range(1, 10))
    with pytest.raises(Interrupted) as stopped:
        compare(setting, 10, LazyExecutor(), progress=interrupt)
    assert stopped.value.comparison == compare(setting, 3, LazyExecutor())
    assert isinstance(stopped.value, KeyboardInterrupt)


AS_IN_A_TERMINAL = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so do its children
from gramy.cli import main
sys.exit(main())
"""


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a run in a group of processes of its own, as a terminal does."""
    command = [sys.executable, "-c", AS_IN_A_TERMINAL, *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True
    )


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def all_ended(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes as on POSIX")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_killed_run_is_resumed_with_the_same_results(tmp_path: Path, processes: str) -> None:
    run = ("arena", "gra", "naive", "random", "--seed", "3", "--processes", processes)
    journal = tmp_path / "journal"
    process = started(tmp_path, *run, "--deals", "1000000", "--journal", str(journal))
    with process:
        eventually(lambda: lines_in(journal) > 20, "twenty deals were played")
        process.kill()
    eventually(lambda: all_ended(process.pid), "the processes of a killed run ended")
    deals = str(lines_in(journal) + 10)
    resumed = shown(*run, "--deals", deals, "--journal", str(journal), "--resume")
    assert resumed == shown(*run, "--deals", deals)
    assert resumed["deals"] == int(deals)


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes as on POSIX")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_after_ctrl_c_the_results_are_printed_and_the_run_goes_on(tmp_path: Path, processes: str) -> None:
    run = ("arena", "gra", "naive", "random", "--seed", "4", "--processes", processes)
    journal, table = tmp_path / "journal", tmp_path / "matches.csv"
    process = started(tmp_path, *run, "--deals", "1000000", "--journal", str(journal), "--save", str(table))
    with process:
        eventually(lambda: lines_in(journal) > 20, "twenty deals were played")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "naive" in out
    assert "share of wins with its 95% interval" in out
    assert "Traceback" not in err
    played = lines_in(journal) - 1
    assert f"Stopped after {played} of 1000000 deals" in err
    assert len(table.read_text().splitlines()) == 1 + 2 * played
    typed = next(line for line in err.splitlines() if line.strip().startswith("gramy arena"))
    words = shlex.split(typed)[1:]
    assert words[-1] == "--resume"
    deals = str(played + 5)
    words[words.index("--deals") + 1] = deals
    assert shown(*words) == shown(*run, "--deals", deals)


def test_a_finished_run_leaves_no_journal_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gramy" / "compiled-0"
    monkeypatch.setattr("gramy.compiled.folder", lambda: folder)
    arguments = ["arena", "gra", "naive", "random", "--deals", "2", "--processes", "1"]
    assert main(arguments) == 0
    assert list((tmp_path / "gramy" / "arena").iterdir()) == []


def test_an_interrupted_run_without_a_named_journal_goes_on_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, gate = tmp_path / "gramy" / "compiled-0", tmp_path / "gate"
    monkeypatch.setattr("gramy.compiled.folder", lambda: folder)
    body = f"""calls.append(1)
    if len(calls) == 900 and os.path.exists({str(gate)!r}):
        raise KeyboardInterrupt
    return view.moves[0]


calls = []"""
    arguments = ["arena", "gra", "random", "--bot", bot_file(tmp_path, body), "--deals", "60", "--processes", "1"]
    gate.touch()
    assert main([*arguments, "--json"]) == 130
    captured = capsys.readouterr()
    stopped = json.loads(captured.out)
    assert 0 < stopped["deals"] < 60
    assert captured.err.count("--resume") == 1
    gate.unlink()
    assert main([*arguments, "--json", "--resume"]) == 0
    captured = capsys.readouterr()
    resumed = json.loads(captured.out)
    assert f"Going on after deal {stopped['deals']} of 60." in captured.err
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == resumed


def test_a_new_run_mentions_an_interrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gramy.compiled.folder", lambda: tmp_path / "gramy" / "compiled-0")
    setting = setting_of("naive", "random")
    journal = journals.create_default(setting)
    compare(setting, 1, LazyExecutor(), keep=journal.append)
    journal.close()
    assert main(["arena", "gra", "naive", "random", "--seed", "1", "--deals", "1", "--processes", "1"]) == 0
    assert "--resume goes on from it" in capsys.readouterr().err
    assert journals.interrupted(setting) == [journal.path]


# --- records ----------------------------------------------------------------------------------------------------------


def test_matches_are_saved_as_records_and_can_be_analysed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, journal = tmp_path / "records", tmp_path / "journal"
    arguments = ["arena", "face-to-face", "go", "random", "--processes", "1", "--journal", str(journal)]
    arguments += ["--records", str(folder)]
    assert main([*arguments, "--deals", "2"]) == 0
    setting = setting_of("go", "random", game="face-to-face")
    assert sorted(folder.iterdir()) == [record_path(folder, deal, place) for deal in (0, 1) for place in (0, 1)]
    match = gramy.load(record_path(folder, 1, 1))
    assert match.names == ("random", "go")
    assert match.outcome == compare_match(setting._replace(seed=0), 1, 1)
    capsys.readouterr()
    assert main(["analyse", str(record_path(folder, 0, 0)), "--budget", "1"]) == 0
    assert "decisions" in capsys.readouterr().out
    assert main([*arguments, "--deals", "3", "--resume"]) == 0
    assert len(list(folder.iterdir())) == 6
    record_path(folder, 0, 0).unlink()
    assert main([*arguments, "--deals", "4", "--resume"]) == 1
    assert "does not have the records" in capsys.readouterr().err


def compare_match(setting: Setting, deal: int, place: int) -> object:
    from gramy.arena import play_match

    return play_match(setting, deal, setting.seatings[place]).outcome


# --- bots that fail, and bots that hang -------------------------------------------------------------------------------


def play_one_deal(setting: Setting, kind: str) -> None:
    """Play a deal by this kind of executor."""
    if kind == "dask":
        with (
            LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
            Client(cluster),
            workers(cluster=cluster.scheduler_address) as executor,
        ):
            compare(setting, 1, executor)
    else:
        with workers(2 if kind == "processes" else 1) as executor:
            compare(setting, 1, executor)


def failure(setting: Setting, kind: str) -> BotFailed:
    """Return the error of a failing bot, played by this kind of executor."""
    with pytest.raises(BotFailed) as failed:
        play_one_deal(setting, kind)
    return failed.value


@pytest.mark.parametrize("kind", ["this process", "processes", "dask", "limit"])
def test_the_traceback_of_a_failing_bot_has_its_file_and_line(tmp_path: Path, kind: str) -> None:
    path = bot_file(tmp_path, "return view.moves[len(view.moves) + 7]")
    error = failure(setting_of(path, "random", limit=60.0 if kind == "limit" else None), kind)
    (note,) = error.__notes__
    assert f'File "{path}", line 5, in choose' in note
    assert "return view.moves[len(view.moves) + 7]" in note
    assert note.endswith("IndexError: tuple index out of range")
    assert "arena/deals.py" not in note


def test_the_command_prints_the_traceback_and_then_the_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bot_file(tmp_path, "return 1 / 0")
    assert main(["arena", "gra", path, "random", "--deals", "1", "--processes", "1"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{path}", line 5, in choose'
    assert lines[-1] == "gramy: The bot mine failed in deal 0: ZeroDivisionError: division by zero."


def test_a_bot_that_returns_no_text_is_named(tmp_path: Path) -> None:
    error = failure(setting_of(bot_file(tmp_path, "return None"), "random"), "this process")
    assert "choose returned None, not a move" in str(error)


def test_a_file_that_cannot_be_loaded_shows_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("x = 1\ny = x.nothing\n")
    assert main(["arena", "gra", str(path), "random"]) == 1
    assert f'File "{path}", line 2, in <module>' in capsys.readouterr().err


HANGING = {
    "it sleeps": "time.sleep(3600)",
    "it loops": "while True: pass",
    "it catches everything": """while True:
        try:
            time.sleep(3600)
        except BaseException:
            pass""",
}


@pytest.mark.parametrize("body", HANGING.values(), ids=HANGING)
def test_a_bot_that_hangs_is_stopped_and_loses(tmp_path: Path, body: str) -> None:
    setting = setting_of(bot_file(tmp_path, body), "random", game="face-to-face", limit=2.0)
    comparison = compare(setting, 1, LazyExecutor())
    assert [(result.winners, result.ending) for result in comparison.results] == [
        ((1,), OUT_OF_TIME),
        ((0,), OUT_OF_TIME),
    ]
    assert [result.late for result in comparison.results] == [0, 1]
    assert comparison.late == {"mine": 2}
    assert [row["late"] for row in rows(comparison)] == ["0", "1"]
    assert summary(comparison)["standings"][1]["wins"] == 2


def test_a_team_with_a_bot_that_hangs_loses_and_several_opponents_share_the_win(tmp_path: Path) -> None:
    path = bot_file(tmp_path, "time.sleep(3600)")
    team = compare(setting_of(path, game="quick-easy", limit=2.0), 1, LazyExecutor())
    assert [result.winners for result in team.results] == [()]
    setting = arrange(gramy.game("gra", players=3), [parse_entrant(path), parse_entrant("naive")], players=3, limit=2.0)
    setting = setting._replace(seatings=setting.seatings[:1])
    comparison = compare(setting, 1, LazyExecutor())
    assert [result.winners for result in comparison.results] == [(1, 2)]
    assert [exact(standing.wins) for standing in comparison.standings] == [0, 1]


def test_a_bot_whose_process_dies_is_named(tmp_path: Path) -> None:
    error = failure(setting_of(bot_file(tmp_path, "os._exit(7)"), "random", limit=60.0), "this process")
    assert "the process of the bot ended with exit code 7" in str(error)


def test_a_limit_that_nobody_exceeds_changes_no_result() -> None:
    free = compare(setting_of("easy", game="quick-easy"), 2, LazyExecutor())
    limited = compare(setting_of("easy", game="quick-easy", limit=60.0), 2, LazyExecutor())
    assert limited.results == free.results
    assert all(result.late == NOBODY for result in limited.results)


def test_what_a_bot_prints_does_not_disturb_its_answers(tmp_path: Path) -> None:
    setting = setting_of(bot_file(tmp_path, "print('thinking'); return view.moves[0]"), "random", limit=60.0)
    assert compare(setting, 1, LazyExecutor()).deals == 1


# --- numbers and times ------------------------------------------------------------------------------------------------


def test_wins_are_exact_in_json() -> None:
    setting = arrange(gramy.game("gra", players=3), [parse_entrant("naive"), parse_entrant("random")], players=3)
    with ThreadPoolExecutor(1) as pool:
        played = compare(setting, 3, pool)
    shared = [result._replace(winners=(0, 1, 2)) for result in played.results[:1]] * 3
    result = Comparison(setting, (*shared, *played.results[3:]))
    wins = [standing["wins"] for standing in summary(result)["standings"]]
    whole = [standing["wins"] for standing in summary(played)["standings"]]
    assert all(isinstance(number, int) for number in whole)
    assert sum(whole) == 9
    assert result.standings[0].wins + result.standings[1].wins == 9
    assert all(isinstance(number, int) or "/" in number for number in wins)


def test_a_long_run_says_once_how_long_it_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramy.arena.runs.ESTIMATE_AFTER", 0.0)
    monkeypatch.setattr("gramy.arena.runs.ESTIMATE_FROM", 0.0)
    assert main(["arena", "gra", "naive", "random", "--deals", "4", "--processes", "1"]) == 0
    err = capsys.readouterr().err
    assert err.count("4 deals will take about") == 1
    assert "Ctrl-C stops at any time" in err


@pytest.mark.parametrize(
    ("seconds", "text"), [(3, "3 s"), (89, "89 s"), (200, "3 min"), (5400, "1 h 30 min"), (40_000, "11 h 7 min")]
)
def test_times_are_short(seconds: float, text: str) -> None:
    assert format_time(seconds) == text
