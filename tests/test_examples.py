"""The examples in docs/examples: the learner is short, repeats itself exactly, and learns. `make learn` runs longer."""

import itertools
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy
import pytest

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that imports an example."""
    monkeypatch.syspath_prepend(EXAMPLES)
    return import_module


def test_the_learner_has_at_most_60_lines() -> None:
    assert len((EXAMPLES / "learner.py").read_text(encoding="utf-8").splitlines()) <= 60


def test_the_learner_repeats_itself_and_soon_beats_a_random_player(example: Any) -> None:
    learner, versus = example("learner"), example("versus")
    *_, weights = itertools.islice(learner.learn(n=64, rate=0.05), 300)
    *_, again = itertools.islice(learner.learn(n=64, rate=0.05), 300)
    assert numpy.array_equal(weights, again)
    assert versus.won(weights, deals=10, opponent="random") >= 0.8


def test_the_command_prints_a_row_for_each_check_and_says_whether_it_won(
    example: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    versus = example("versus")
    beats = versus.main(["--minutes", "0.01", "--checks", "2", "--deals", "1"])
    cells = [row.split("|") for row in capsys.readouterr().out.splitlines()]
    assert [row[3].strip() for row in cells] == ["2", "2"]
    assert beats == (cells[-1][4].strip() == "100.0% ± 0.0%")
