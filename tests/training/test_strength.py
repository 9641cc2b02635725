"""docs/strength.md: its rows, the code that they were measured on, and a sample that is played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gramy import arena
from gramy.arena.command import read_setting
from gramy.arena.deals import MatchResult, Setting, play_deal
from gramy.cli import parser
from training.provenance import BOTS, packaged_artefacts
from training.strength import __main__ as command
from training.strength.document import PAGE, cells, filled, goal_of, markers, matrix_lines
from training.strength.fingerprint import code_of, deciding_files, fingerprint
from training.strength.measurements import Measurement, Published, best, measure, read_published, read_results
from training.strength.rows import TABLES, Matrix, MatrixLine, Row, every_row
from training.strength.sample import name_of, play, read_sample, sample_rows

ROW = Row("gra", "`honest` – easy", "honest easy starter=lot", 500, 31, 0.55)
SAMPLE = {name_of(row, deals): (row, deals) for row, deals in sample_rows()}


def result(**changed: Any) -> Measurement:
    """Return a result of ROW."""
    facts: dict[str, Any] = {"game": ROW.game, "arguments": ROW.arguments, "seed": ROW.seed, "deals": 100}
    facts |= {"share": 0.6, "low": 0.55, "high": 0.65, "code": "new", "commit": "abc1234", "date": "2026-01-01"}
    return Measurement(**facts | changed)


def recorded_deals(monkeypatch: pytest.MonkeyPatch, stop_before: int | None = None) -> list[int]:
    """Return a list that gets the number of every deal that is played. Ctrl-C comes before the deal `stop_before`."""
    played: list[int] = []

    def play_and_record(setting: Setting, records: bool, deal: int) -> tuple[MatchResult, ...]:
        if deal == stop_before:
            raise KeyboardInterrupt
        played.append(deal)
        return play_deal(setting, records, deal)

    monkeypatch.setattr(arena, "play_deal", play_and_record)
    return played


# --- the sample -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLE)
def test_the_first_deals_of_a_row_give_exactly_the_stored_wins(name: str) -> None:
    assert play(*SAMPLE[name]) == read_sample()[name], "if that is intended: python -m training.strength --sample"


def test_the_sample_has_rows_of_every_game_and_nothing_else_is_stored() -> None:
    assert set(read_sample()) == set(SAMPLE)
    assert {row.game for row, _ in SAMPLE.values()} == {row.game for row in every_row()}


# --- the document -----------------------------------------------------------------------------------------------------


def test_the_tables_of_the_document_are_those_of_the_published_results() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page, read_published()) == page


def test_no_published_result_is_left_out_of_the_document() -> None:
    assert [one for one in read_published().results if not any(one.is_of(row) for row in every_row())] == []


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    page = PAGE.read_text(encoding="utf-8").replace(markers(TABLES[0].name)[1], "")
    with pytest.raises(ValueError, match="no place for the table"):
        filled(page, read_published())


@pytest.mark.parametrize("row", every_row(), ids=lambda row: f"{row.game} {row.label}")
def test_the_arena_accepts_the_arguments_of_every_row(row: Row) -> None:
    setting = read_setting(parser().parse_args(row.command.split()[1:]))
    assert setting.seed == row.seed
    if row.game != "face-to-face":
        assert setting.game.options.starter == "lot", "these seeds are for a drawn start"


def test_a_figure_is_bold_if_it_reaches_its_goal_and_marked_if_it_is_of_older_code() -> None:
    assert cells(ROW, result(), "new", 0.55)[1:4] == ["**60.0%**", "55.0–65.0", "55%"]
    assert cells(ROW, result(share=0.549), "new", 0.55)[1] == "54.9%"
    assert cells(ROW, result(), "new", 0.0)[1:4] == ["60.0%", "55.0–65.0", "–"]
    assert cells(ROW, result(), "new", 0.55)[-1] == "abc1234"
    assert cells(ROW, result(), "newer", 0.55)[-1] == "abc1234, older code"
    assert cells(ROW, None, "new", 0.55)[-1] == "not measured"


def test_a_limit_is_reached_by_figures_that_do_not_exceed_it() -> None:
    row = ROW._replace(at_most=True)
    assert cells(row, result(share=0.5), "new", 0.55)[1] == "**50.0%**"
    assert cells(row, result(), "new", 0.55)[1] == "60.0%"


def test_a_matrix_has_a_cell_for_each_row_scaled_with_its_interval_and_says_what_is_missing() -> None:
    other = ROW._replace(arguments="medium easy starter=lot")
    matrix = Matrix("one", "setting", ("a", "b"), (MatrixLine("`players=4`", (ROW, other), 2.0),))
    published = Published(code={ROW.key: "new", other.key: "newer"}, results=(result(share=0.28, low=0.2, high=0.6),))
    assert matrix_lines(matrix, published)[2] == "| `players=4` | 56.0% (40–100) | – | 100 | abc1234; not measured |"
    both = (*published.results, result(arguments=other.arguments, deals=50, share=0.4, low=0.3))
    shown = matrix_lines(matrix, Published(code=published.code, results=both))[2]
    assert shown == "| `players=4` | 56.0% (40–100) | 80.0% (60–100) | 50 | abc1234; abc1234, older code |"


def test_a_goal_can_be_a_multiple_of_the_result_of_another_row() -> None:
    other = "medium easy starter=lot"
    row = ROW._replace(goal=1.5, goal_arguments=other)
    assert goal_of(ROW, []) == ROW.goal
    assert goal_of(row, [result()]) == 0.0
    assert goal_of(row, [result(), result(arguments=other, share=0.2)]) == pytest.approx(0.3)


def test_the_result_with_the_most_deals_of_the_present_code_is_shown() -> None:
    results = [result(deals=20), result(deals=50), result(deals=500, code="old"), result(deals=40), result(seed=5)]
    assert best(ROW, results, "new") == result(deals=50)
    assert best(ROW, results, "other") == result(deals=40)  # the last one there is
    assert best(ROW, [result(seed=5)], "new") is None


# --- the code that a figure belongs to --------------------------------------------------------------------------------


def test_comments_docstrings_and_empty_lines_do_not_change_the_code() -> None:
    plain = 'def f(x):\n    return "#" + x\n'
    documented = '"""About."""\n\ndef f(x):  # why\n    """Do it.\n\n    So."""\n\n    return "#" + x\n'
    assert code_of(plain) == code_of(documented)
    assert code_of(plain) != code_of(plain.replace("#", "!"))


def row_of(game: str, arguments: str) -> Row:
    return Row(game, "", arguments, 100, 1)


@pytest.mark.parametrize("game", sorted({row.game for row in every_row()}))
def test_the_fingerprint_of_an_expert_covers_the_rules_its_search_and_all_weights(game: str) -> None:
    module, files = game.replace("-", "_"), deciding_files(row_of(game, "expert"))
    assert BOTS.parent / "games" / module / "rules.py" in files
    assert set(files) >= {path for path in packaged_artefacts() if module in path.relative_to(BOTS).parts}
    assert any(path.name in ("search.py", "expert.py") for path in files)


@pytest.mark.parametrize("game", sorted({row.game for row in every_row()}))
def test_the_fingerprint_of_a_level_without_search_covers_no_weights(game: str) -> None:
    files = deciding_files(row_of(game, "easy"))
    assert {path.suffix for path in files} == {".py"}
    assert any(path.name.startswith("heuristic") for path in files)


def test_changed_weights_change_the_fingerprint_of_the_bots_that_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = row_of("gra", "expert"), row_of("gra", "easy")
    before, read_bytes = list(map(fingerprint, rows)), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read_bytes(path) + b"!" * (path.suffix == ".zip"))
    assert [fingerprint(row) == old for row, old in zip(rows, before, strict=True)] == [False, True]


def test_two_levels_of_one_module_have_different_fingerprints() -> None:
    assert fingerprint(row_of("gra", "easy")) != fingerprint(row_of("gra", "medium"))


# --- measuring --------------------------------------------------------------------------------------------------------


def test_a_measurement_is_stored_with_its_code_and_commit(tmp_path: Path) -> None:
    measured = measure(ROW, 3, tmp_path, 1)
    assert read_results(tmp_path) == [measured]
    assert (measured.deals, measured.code, measured.wins) == (3, fingerprint(ROW), str(play(ROW, 3)))
    assert [path.name for path in tmp_path.iterdir()] == ["results.jsonl"]


def test_an_interrupted_row_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play(ROW, 4)
    assert recorded_deals(monkeypatch, stop_before=2) == []
    with pytest.raises(KeyboardInterrupt):
        measure(ROW, 4, tmp_path, 1)
    played = recorded_deals(monkeypatch)
    assert measure(ROW, 4, tmp_path, 1).wins == str(whole)
    assert played == [2, 3]


def test_a_journal_of_other_code_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded_deals(monkeypatch, stop_before=2)
    with pytest.raises(KeyboardInterrupt):
        measure(ROW, 3, tmp_path, 1)
    (journal,) = tmp_path.glob("*.journal")
    first, *others = journal.read_text().splitlines()
    journal.write_text("\n".join([json.dumps(json.loads(first) | {"code": "older"}), *others, ""]))
    played = recorded_deals(monkeypatch)
    measure(ROW, 3, tmp_path, 1)
    assert played == [0, 1, 2]


def test_a_row_that_was_measured_on_the_present_code_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--only", "gra", "--rows", ROW.arguments, "--deals", "2", "--processes", "1", "--folder", str(tmp_path)]
    monkeypatch.setattr(command, "read_published", lambda: Published(code={}, results=()))
    command.main(asked)
    assert "2 deals" in capsys.readouterr().out
    played = recorded_deals(monkeypatch)
    command.main(asked)
    assert played == []
    monkeypatch.setattr(command, "fingerprint", lambda row: "other code")
    command.main(asked)
    assert played == [0, 1]


def test_fast_rows_have_no_search() -> None:
    fast = command.selected(None, "", fast=True)
    assert fast
    assert [row for row in fast if "expert" in row.arguments or "mc" in row.arguments] == []
