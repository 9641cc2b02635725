"""Figures of older code that are kept because the present code plays the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gramy.arena.deals import MatchResult
from training.strength import __main__ as command
from training.strength import matches, replay
from training.strength.document import cells, matrix_lines
from training.strength.fingerprint import fingerprint
from training.strength.measurements import Measurement, Published, best, read_results, store
from training.strength.rows import Matrix, MatrixLine, Row, every_row

(ROW,) = (row for row in every_row() if row.arguments == "honest easy starter=lot")
OLD = Measurement(
    game=ROW.game,
    arguments=ROW.arguments,
    seed=ROW.seed,
    deals=500,
    share=0.6,
    low=0.55,
    high=0.65,
    code="older",
    commit="abc1234",
    date="2026-01-01",
)


@dataclass
class Stub:
    """The code of a commit, which plays like the present code, or ends one match differently."""

    fingerprint: str = "older"
    different: bool = False
    played: list[int] = field(default_factory=list)

    def code(self, row: Row) -> str:
        return self.fingerprint

    def play(self, row: Row, deals: int, processes: int) -> object:
        self.played.append(deals)
        found: dict[str, Any] = matches.play(row, deals, processes)
        if self.different:
            found["matches"][-1][4] += 1  # one move more
        return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a result of older code, besides which nothing is published."""
    monkeypatch.setattr(replay, "read_published", lambda: Published(code={}, results=()))
    monkeypatch.setattr(replay, "commit_of_work_tree", lambda: ("def5678", False))
    store(OLD, tmp_path)
    return tmp_path


def test_a_figure_of_code_that_plays_the_same_is_kept_with_its_commit_and_says_so(folder: Path) -> None:
    stub, decisions = Stub(), []
    kept = replay.replay([ROW], 2, folder, stub, report=lambda row, decision: decisions.append(decision))
    expected = msgspec.structs.replace(OLD, code=fingerprint(ROW), replayed="def5678", replayed_deals=2)
    assert kept == [expected]
    assert read_results(folder) == [OLD, expected]
    assert (stub.played, decisions) == ([2], [replay.KEPT])
    found = best(ROW, read_results(folder), fingerprint(ROW))
    assert cells(ROW, found, fingerprint(ROW), 0.55)[1:] == [
        *cells(ROW, OLD, "older", 0.55)[1:-1],
        "abc1234, replayed at def5678",
    ]
    published = Published(code={ROW.key: fingerprint(ROW)}, results=(expected,))
    matrix = Matrix("one", "setting", ("a",), (MatrixLine("s", (ROW,), 1.0),))
    assert matrix_lines(matrix, published)[2].endswith("| abc1234, replayed at def5678 |")


def test_a_figure_of_code_that_plays_one_match_otherwise_remains_older(folder: Path) -> None:
    decisions: list[str] = []
    stub = Stub(different=True)
    assert replay.replay([ROW], 1, folder, stub, report=lambda row, decision: decisions.append(decision)) == []
    assert read_results(folder) == [OLD]
    assert decisions == [replay.DIFFERENT]


def test_a_change_of_the_statistics_alone_leaves_a_figure_older(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub, play = Stub(), matches.play
    monkeypatch.setattr(stub, "play", lambda *asked: play(*asked) | {"figures": ["1", 0.5, 0.4, 0.6]})
    assert replay.replay([ROW], 1, folder, stub) == []


@pytest.mark.parametrize("code", ["other", ""], ids=["another commit", "a commit without the row"])
def test_a_figure_of_other_code_than_that_of_the_commit_is_left_alone(folder: Path, code: str) -> None:
    store(msgspec.structs.replace(OLD, code=""), folder)  # measured before there were fingerprints
    stub = Stub(fingerprint=code)
    assert replay.replay([ROW], 1, folder, stub) == []
    assert stub.played == []
    assert len(read_results(folder)) == 2


def test_only_the_figure_that_is_shown_can_be_kept(folder: Path) -> None:
    store(msgspec.structs.replace(OLD, code="between"), folder)
    stub = Stub()
    assert replay.replay([ROW], 1, folder, stub) == []
    assert stub.played == []


def test_a_row_with_a_result_of_the_present_code_is_not_played(folder: Path) -> None:
    store(msgspec.structs.replace(OLD, code=fingerprint(ROW), deals=3), folder)
    stub, decisions = Stub(), []
    assert replay.replay([ROW], 1, folder, stub, report=lambda row, decision: decisions.append(decision)) == []
    assert (stub.played, decisions) == ([], [])


def test_a_figure_that_is_kept_twice_counts_the_fewer_deals() -> None:
    once = replay.replayed(OLD, "newer", "def5678", 1)
    again = replay.replayed(once, "newest", "fed8765", 5)
    assert (again.commit, again.replayed, again.replayed_deals) == ("abc1234", "fed8765", 1)


def test_a_measurement_is_shown_rather_than_a_kept_figure_of_as_many_deals() -> None:
    kept = replay.replayed(OLD, "new", "def5678", 1)
    measured = msgspec.structs.replace(OLD, code="new", commit="def5678")
    assert best(ROW, [kept, measured], "new") == best(ROW, [measured, kept], "new") == measured


def test_results_that_were_stored_before_there_were_replays_are_read_and_written_as_they_were(tmp_path: Path) -> None:
    line = (
        b'{"game":"gra","arguments":"honest easy starter=lot","seed":31,"deals":500,"share":0.6,"low":0.55,"high":0.65,'
        b'"code":"older","commit":"abc1234","date":"2026-01-01","wins":"600"}\n'
    )
    (tmp_path / "results.jsonl").write_bytes(line)
    (found,) = read_results(tmp_path)
    assert (found.wins, found.replayed, found.replayed_deals) == ("600", "", 0)
    store(found, tmp_path)
    assert (tmp_path / "results.jsonl").read_bytes() == line + line


def test_a_match_is_described_as_in_the_journal_of_the_arena() -> None:
    found = matches.play(ROW, 1, 1)["matches"]
    assert isinstance(found, list)
    assert len(found) == 2, "one for each seating"
    assert [MatchResult(*one).moves > 0 for one in found] == [True, True]


def test_the_code_of_a_commit_plays_in_its_own_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        commit = replay.full_commit("HEAD")
    except (ValueError, OSError):
        pytest.skip("this is no git repository")
    heuristics = replay.extracted(commit, folder / "code") / "src" / "gramy" / "bots" / "gra" / "heuristics.py"
    with replay.code_of_commit(commit, folder / "code") as old:
        before, played = old.code(ROW), old.play(ROW, 1, 1)
        assert old.code(ROW._replace(seed=5)) == ""
    with heuristics.open("a", encoding="utf-8") as file:
        file.write("\nUNUSED = 1\n")
    with replay.code_of_commit(commit, folder / "code") as old:
        assert old.code(ROW) != before
        assert old.play(ROW, 1, 1) == played
        store(msgspec.structs.replace(OLD, code=old.code(ROW)), folder)
    monkeypatch.setattr(matches, "play", lambda *asked: played)  # the work tree may have changes that are not committed
    monkeypatch.setattr(replay, "fingerprint", lambda row: "newer")
    asked = ["--replay", "HEAD", "--rows", ROW.arguments, "--folder", str(folder)]
    command.main(asked)
    assert f"{ROW.label}: plays the same\nkept the figures of 1 of 1 rows" in capsys.readouterr().out
    assert [(one.code, one.replayed_deals) for one in read_results(folder)[2:]] == [("newer", 1)]


def test_an_unknown_commit_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--replay", "no-such-commit", "--folder", str(tmp_path)])
    assert "there is no commit 'no-such-commit'" in capsys.readouterr().err
