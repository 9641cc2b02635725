"""Where the search of GRA begins, and what a perfect opponent wins against it."""

import platform
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from gramy.bots.gra.hand_types import hand_types
from gramy.bots.gra.round_search import RoundSearch
from gramy.bots.gra.round_starts import load_start_index, read_start_index
from training.gra.__main__ import main
from training.gra.round_starts import StartSolver, deal_ratios, fitted_weights, hand_options, opener_wins
from training.gra.search_exploitability import best_response_value
from training.provenance import ROOT

PACKAGED = ROOT / "src/gramy/bots/gra/tables/quantity_first_starts.zip"


def test_the_weights_of_all_pairs_of_hands_are_those_of_one_deck() -> None:
    options = hand_options(2)
    together = np.outer(options.probability, options.probability) * deal_ratios(2, 2)
    assert together.sum() == pytest.approx(1, abs=1e-5)
    assert np.allclose(together.sum(1), options.probability, atol=1e-6)


def test_fitted_weights_show_each_type_as_often_as_asked() -> None:
    options = hand_options(2)
    wanted = options.types_shown(options.decision.strategy(np.arange(1.0, len(options.types) + 1)))
    weights = fitted_weights(options, wanted)
    assert len(weights) == len(hand_types(2))
    assert np.allclose(options.types_shown(options.decision.strategy(weights[options.types])), wanted, atol=1e-4)


def test_the_search_with_one_card_each_is_within_0_01_of_the_known_value() -> None:
    """The value is .475. The best responses have full memory, any bid, and the true chances of the deal."""
    solver = StartSolver((1, 1), jokers=False)
    solver.iterate(800)
    start = solver.start(800)
    search = RoundSearch(start, budget=0.0)
    least, most = 1 - best_response_value(search, 1), best_response_value(search, 0)
    assert opener_wins(start) == pytest.approx(0.475, abs=0.003)
    assert least < 0.475 < most
    assert most - least < 0.01


def test_an_opponent_of_few_bids_wins_less_than_a_perfect_one() -> None:
    solver = StartSolver((1, 1), jokers=False)
    solver.iterate(100)
    search = RoundSearch(solver.start(100), budget=0.0)
    few, any_number = (best_response_value(search, 0, most_bids) for most_bids in (1, None))
    assert 0.4 < few <= any_number


def test_the_command_gives_the_packaged_beginning_again(tmp_path: Path) -> None:
    """Byte for byte on x86. Other processors round matrix products differently, so there only the values are close.

    The command runs in a process of its own: what multiplies matrices is chosen when NumPy is imported.
    """
    archive = tmp_path / "new" / "starts.zip"
    subprocess.run([sys.executable, "-m", "training.gra", "starts", "--out", archive, "2v3"], cwd=ROOT, check=True)
    made, kept = read_start_index(archive)["2v3"], load_start_index()["2v3"]
    assert made.iterations == kept.iterations
    assert made.opener_wins == pytest.approx(kept.opener_wins, abs=0.005)
    if platform.machine() in ("x86_64", "AMD64"):
        with ZipFile(archive) as made_now, ZipFile(PACKAGED) as packaged:
            assert made_now.read("2v3") == packaged.read("2v3")


def test_the_command_prints_what_a_perfect_opponent_wins(capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "1v1", "--iterations", "60", "--bids", "1"])
    name, least, most, exploitability, _ = capsys.readouterr().out.splitlines()[-1].split()
    assert name == "1v1"
    assert float(exploitability) == pytest.approx(float(most) - float(least), abs=0.0002)
