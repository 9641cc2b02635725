"""A budget is work, not time: the strength of a bot does not depend on the speed of the machine."""

from __future__ import annotations

import ast
import itertools
import random
import time
from pathlib import Path

import pytest

import gramy
from gramy import bots
from gramy.bots import LEVELS
from gramy.games import GAMES

SEED = 77
BUDGET = 0.001
FOLDER = Path(bots.__file__).parent
CLOCKS = {"time", "datetime", "timeit"}
WITH_CLOCK = {"ahead.py", "kernel.py"}
"""`ahead` reports how long the compiler took; `kernel` has the deadline of plain functions, which are not compiled."""


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, by the first part of their names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found |= {name.partition(".")[0] for name in names}
    return found


def test_no_bot_can_read_a_clock() -> None:
    with_clock = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py") if imported(path) & CLOCKS}
    assert with_clock == WITH_CLOCK


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_a_clock_that_leaps_changes_no_move(name: str, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = gramy.match(name, seed=SEED)
    seat = match.to_act[0]
    view, history, bot = match.view(seat), match.history(seat), LEVELS[level][name]
    expected = [bot.choose(view, history, random.Random(seed), BUDGET) for seed in range(3)]
    hours = itertools.count(10**6, 3600)
    for clock in ("monotonic", "perf_counter", "process_time", "time"):
        monkeypatch.setattr(time, clock, lambda: float(next(hours)))
    assert [bot.choose(view, history, random.Random(seed), BUDGET) for seed in range(3)] == expected
