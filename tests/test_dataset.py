"""Matches as Parquet files: the matches that `simulate` plays, and columns that DuckDB, pandas and Polars read."""

import json
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pytest
from pyarrow import parquet

import gramy
from gramy import dataset
from gramy.cli import main
from gramy.contract import DEALER
from gramy.encoding import action_of, slices, width
from gramy.matches import Entry, Match
from gramy.simulation import CHUNK, simulate

GAMES = 12


@pytest.fixture(scope="module", params=list(gramy.GAMES))
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[gramy.Game, Path]:
    """A dataset of each game, played by plain functions."""
    game, folder = gramy.game(request.param), tmp_path_factory.mktemp("data")
    assert dataset.write(game, GAMES, 5, folder, plain=True) == simulate(game, GAMES, 5, plain=True)
    return game, folder


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(folder / name).to_pylist()
    return rows


def test_the_moves_replay_to_the_result(written: tuple[gramy.Game, Path]) -> None:
    game, folder = written
    moves, matches = table(folder, "moves"), table(folder, "matches")
    assert [row["match"] for row in matches] == list(range(GAMES))
    for row in matches:
        lines = [move for move in moves if move["match"] == row["match"]]
        assert [move["line"] for move in lines] == list(range(1, row["lines"] + 1))
        match = Match.replayed(game, [Entry(move["seat"], move["move"]) for move in lines])
        assert match.outcome is not None
        assert (list(match.outcome.winners), match.outcome.key) == (row["winners"], row["reason"])
        assert game.rules.ending(match.state) == row["ending"]
        assert [entry.reader for entry in match.log if entry.seat == DEALER] == [
            move["receiver"] for move in lines if move["seat"] == DEALER
        ]
        assert (row["game"], row["players"], row["seed"]) == (game.name, game.players, 5)


def test_an_observation_is_that_of_the_seat_before_its_move(written: tuple[gramy.Game, Path]) -> None:
    game, folder = written
    rules, observations = game.rules, table(folder, "observations")
    features, blocks = rules.observation(game.options), rules.actions(game.options)
    moves = [row for row in table(folder, "moves") if row["match"] == 3]
    state, seen = game.start(), iter([row for row in observations if row["match"] == 3])
    for move in moves:
        if move["seat"] != DEALER:
            row, out = next(seen), [0] * width(features)
            rules.observe(state, move["seat"], out)
            for name, where in slices(features).items():
                assert out[where] == (row[name] if isinstance(row[name], list) else [row[name]])
            menu = game.menu(state, move["seat"])
            assert row["legal"] == sorted(action_of(blocks, code) for code in menu.codes)
            assert row["action"] == action_of(blocks, dict(zip(menu.moves, menu.codes, strict=True))[move["move"]])
            assert (row["line"], row["seat"]) == (move["line"], move["seat"])
        state, _ = game.apply(state, move["seat"], move["move"])
    assert next(seen, None) is None


def test_the_description_lists_every_column_with_its_meaning(written: tuple[gramy.Game, Path]) -> None:
    game, folder = written
    described = json.loads((folder / "dataset.json").read_text())
    assert (described["game"], described["seed"], described["matches"]) == (game.name, 5, GAMES)
    assert described["rules"] == game.rules.VERSION
    for name, columns in described["columns"].items():
        schema = parquet.read_schema(folder / name / "part-00000.parquet")
        assert [column["name"] for column in columns] == schema.names
        assert all(column["meaning"] for column in columns)
        assert schema.field(0).metadata[b"meaning"].decode() == columns[0]["meaning"]


def test_duckdb_pandas_and_polars_read_the_same(written: tuple[gramy.Game, Path]) -> None:
    _, folder = written
    for name in ("matches", "moves", "observations"):
        expected = table(folder, name)
        files = str(folder / name / "*.parquet")
        with duckdb.connect() as connection:
            found = connection.execute(f"SELECT * FROM '{files}' ORDER BY match").fetchall()
        assert len(found) == len(expected)
        assert polars.read_parquet(files).to_dicts() == expected
        frame = pandas.read_parquet(folder / name)
        assert list(frame.columns) == list(expected[0])
        assert frame["match"].tolist() == [row["match"] for row in expected]
    with duckdb.connect() as connection:
        lengths = connection.execute(
            f"SELECT m.lines, count(*) FROM '{folder}/matches/*.parquet' m "
            f"JOIN '{folder}/moves/*.parquet' USING (match) GROUP BY m.match, m.lines"
        ).fetchall()
        first = connection.execute(
            f"SELECT legal[1], len(legal) FROM '{folder}/observations/*.parquet' WHERE match = 0 ORDER BY line"
        ).fetchone()
    assert len(lengths) == GAMES
    assert all(lines == number for lines, number in lengths)
    row = table(folder, "observations")[0]
    assert first == (row["legal"][0], len(row["legal"]))


def test_compiled_and_plain_functions_write_the_same_and_parts_are_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramy.dataset.CHUNK", 4)
    monkeypatch.setattr("gramy.simulation.CHUNK", 4)
    monkeypatch.setattr("gramy.dataset.PART", 2)
    game = gramy.game("gra", players=3, jokers=True)
    progress: list[int] = []
    for kind in ("plain", "compiled", "again"):
        (tmp_path / kind).mkdir()
        tally = dataset.write(game, 17, 1, tmp_path / kind, plain=kind == "plain", progress=progress.append)
        assert tally == simulate(game, 17, 1, plain=True)
    assert sum(progress) == 3 * 17
    for name in ("matches", "moves", "observations"):
        parts = sorted(path.name for path in (tmp_path / "plain" / name).iterdir())
        assert parts == [f"part-0000{part}.parquet" for part in range(3)]
        for part in parts:
            first = (tmp_path / "plain" / name / part).read_bytes()
            assert all((tmp_path / kind / name / part).read_bytes() == first for kind in ("compiled", "again"))
    assert CHUNK == 1000


def test_the_command_writes_a_dataset_and_prints_the_same_tally(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simulate", "quick-easy", "--games", "20", "--seed", "4", "--plain", "--json"]
    assert main(arguments) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main([*arguments, "--parquet", str(tmp_path / "out")]) == 0
    with_files = json.loads(capsys.readouterr().out)
    assert with_files | {"seconds": 0} == alone | {"seconds": 0}
    assert len(table(tmp_path / "out", "matches")) == 20


def test_a_folder_that_is_used_or_cannot_be_made_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for path, why in ((tmp_path, "is not empty"), (tmp_path / "a" / "b", "no folder"), (tmp_path / "file", "written")):
        assert main(["simulate", "gra", "--games", "1", "--plain", "--parquet", str(path)]) == 1
        assert why in capsys.readouterr().err


def test_a_missing_library_is_named_and_no_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["simulate", "gra", "--games", "1", "--plain", "--parquet", str(tmp_path / "out")]) == 1
    assert 'needs the library pyarrow; install it with: pip install "gramy[arena]"' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
