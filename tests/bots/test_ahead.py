"""Code that is compiled ahead: plain functions play until it is loaded, and a failure leaves them playing."""

from __future__ import annotations

import random
import time
from pathlib import Path
from queue import Queue

import pytest

from gramy import compiled
from gramy.analysis import advise
from gramy.bots import LEVELS, ahead, kernel
from gramy.bots.ahead import CompilationProgress, Compiler
from gramy.contract import Game
from gramy.games import GAMES
from gramy.matches import Match, ShuffledDealer
from gramy.options import combinations

SEED = 25
GAME = "gra"  # the quickest to compile
PATIENCE = 240.0
NEVER = time.monotonic() - 1
"""A deadline that has passed."""

needs_numba = pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")


def a_match(name: str, seed: int) -> Match:
    """Return the beginning of a match with options drawn by the seed."""
    rng = random.Random(seed)
    match = Match(Game(GAMES[name], rng.choice(combinations(GAMES[name].Options))), ShuffledDealer(rng))
    for _ in range(rng.randrange(12)):
        seat = match.to_act[0]
        move = rng.choice(match.moves(seat))
        after = match.copy()
        after.play(move, seat)
        if not after.to_act:  # a short match: stop before its last move
            break
        match = after
    return match


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_out_of_time_a_plain_bot_still_plays_a_legal_move(name: str, level: str) -> None:
    for seed in range(SEED, SEED + 5):
        match = a_match(name, seed)
        for seat in match.to_act[:1]:
            view, history = match.view(seat), match.history(seat)
            with kernel.plain(NEVER):
                assert LEVELS[level][name].choose(view, history, random.Random(seed), 1.0) in view.moves, seed


@pytest.mark.parametrize("name", GAMES)
def test_out_of_time_there_is_still_a_hint(name: str) -> None:
    match = a_match(name, SEED)
    seat = match.to_act[0]
    view = match.view(seat)
    with kernel.plain(NEVER):
        advice = advise(view, match.history(seat), random.Random(SEED), 1.0)
    assert advice.best in view.moves
    assert {move for move, _ in advice.moves} <= set(view.moves)


def test_plain_functions_play_in_the_block_and_not_after_it() -> None:
    with kernel.plain():
        assert not kernel.is_compiled()
        assert kernel.zeros(2) == [0, 0]
    assert kernel.is_compiled() == compiled.available()
    with ahead.without_waiting("a game that is not loaded", time.monotonic()) as loaded:
        assert not loaded
        assert not kernel.is_compiled()
        assert not kernel.out_of_time()


def test_compiled_functions_have_no_deadline() -> None:
    assert not kernel.out_of_time()
    with kernel.plain(NEVER):
        assert kernel.out_of_time()


@needs_numba
def test_code_is_compiled_once_then_loaded_and_plays_like_that_of_a_bot_that_waits() -> None:
    reports: Queue[CompilationProgress] = Queue()
    compiler = Compiler([GAME], reports.put)
    assert compiler.is_busy_with(GAME)
    stop = ahead.load_in_background([GAME])
    compiler.start()
    try:
        progress = reports.get(timeout=PATIENCE)
        assert progress[:3] == (GAME, 1, 1)
        assert not progress.report.error
        assert progress.report.megabytes < ahead.MAX_MEMORY >> 20
        assert compiler.has_compiled(GAME)
        assert not compiler.is_busy_with(GAME)
        deadline = time.monotonic() + PATIENCE
        while not loaded(GAME):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        compiler.stop()
        stop()
    match = a_match(GAME, SEED)
    seat = match.to_act[0]
    view, history, expert = match.view(seat), match.history(seat), LEVELS["expert"][GAME]
    with ahead.without_waiting(GAME, 0.0):
        chosen = expert.choose(view, history, random.Random(SEED), 0.02)
    assert chosen == expert.choose(view, history, random.Random(SEED), 0.02)


def loaded(game: str) -> bool:
    with ahead.without_waiting(game, time.monotonic()) as yes:
        return yes


@needs_numba
def test_a_compiler_that_is_stopped_stops_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMY_CACHE", str(tmp_path))
    compiler = Compiler(GAMES)
    compiler.start()
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.glob("gramy/*/lock")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    began = time.monotonic()
    compiler.stop()
    assert time.monotonic() - began < 2
    assert not any(map(compiler.has_compiled, GAMES))
    assert not any(map(compiler.is_busy_with, GAMES))


@needs_numba
def test_where_nothing_can_be_stored_the_compiler_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GRAMY_CACHE", str(tmp_path / "file"))
    reports: Queue[CompilationProgress] = Queue()
    compiler = Compiler([GAME], reports.put)
    compiler.start()
    assert "NotADirectoryError" in reports.get(timeout=PATIENCE).report.error
    assert not compiler.has_compiled(GAME)
    compiler.stop()


def test_without_numba_there_is_nothing_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)
    compiler = Compiler(GAMES)
    compiler.start()
    assert not any(map(compiler.is_busy_with, GAMES))
    compiler.stop()


def test_the_game_that_is_played_is_compiled_next(tmp_path: Path) -> None:
    order: Queue[str] = Queue()
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAMY_CACHE", str(blocked))  # so that each attempt ends soon
        compiler = Compiler(GAMES, lambda progress: order.put(progress.game))
        compiler.prefer("gra")
        compiler.start()
        assert [order.get(timeout=PATIENCE) for _ in GAMES] == ["gra", "face-to-face", "quick-easy"]
        compiler.stop()
