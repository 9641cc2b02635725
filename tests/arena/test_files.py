"""Files of a comparison: the same matches in every format, and plots."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from distributed import Client, LocalCluster
from pyarrow import parquet

import gramy
from gramy.arena import Comparison, arrange, compare, parse_entrant
from gramy.arena.charts import budgets
from gramy.arena.files import WRITERS, save
from gramy.arena.workers import workers
from gramy.arguments import check_suffix
from gramy.errors import BadOptions


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    bots = [parse_entrant(spec) for spec in ("naive", "random", "random:50ms")]
    with ThreadPoolExecutor(1) as pool:
        return compare(arrange(gramy.game("gra"), bots, players=2), 2, pool)


def test_every_format_has_the_same_matches(comparison: Comparison, tmp_path: Path) -> None:
    for name in ("matches.csv", "matches.parquet", "all.json"):
        save(comparison, check_suffix(str(tmp_path / name), WRITERS))
    with open(tmp_path / "matches.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(comparison.results) == 12
    table = parquet.read_table(tmp_path / "matches.parquet").to_pylist()
    saved = json.loads((tmp_path / "all.json").read_text())
    assert table == saved["matches"]
    assert [{key: str(value) for key, value in row.items()} for row in table] == rows
    assert len(saved["ratings"]) == 3


@pytest.mark.parametrize(("name", "begins"), [("plot.png", b"\x89PNG"), ("plot.svg", b"<?xml")])
def test_a_plot_is_the_same_each_time(comparison: Comparison, tmp_path: Path, name: str, begins: bytes) -> None:
    path = check_suffix(str(tmp_path / name), WRITERS)
    save(comparison, path)
    drawn = path.read_bytes()
    assert drawn.startswith(begins)
    save(comparison, path)
    assert path.read_bytes() == drawn


def test_a_bot_with_several_budgets_has_a_curve(comparison: Comparison) -> None:
    assert [budget for budget, _ in budgets(comparison)["random"]] == [0.05, 1.0]


@pytest.mark.parametrize("name", ["plot.gif", "plot", "nowhere/plot.csv"])
def test_a_file_that_cannot_be_written_is_refused(comparison: Comparison, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadOptions):
        save(comparison, check_suffix(str(tmp_path / name), WRITERS))


def test_a_dask_cluster_gives_the_same_results(comparison: Comparison) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster),
        workers(cluster=cluster.scheduler_address) as executor,
    ):
        assert compare(comparison.setting, 2, executor) == comparison
