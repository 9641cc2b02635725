"""Many random matches: the tally is the same, compiled or plain, in one thread or several."""

import pytest

import gramy
from gramy.simulation import CHUNK, Tally, compile_ahead, simulate


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_compiled_and_plain_tallies_are_equal(name: str) -> None:
    game = gramy.game(name)
    assert simulate(game, 40, seed=3) == simulate(game, 40, seed=3, plain=True)


def test_the_number_of_threads_changes_nothing() -> None:
    game = gramy.game("quick-easy", players=3)
    assert simulate(game, 3 * CHUNK + 7, seed=1, threads=1) == simulate(game, 3 * CHUNK + 7, seed=1, threads=4)


def test_another_seed_plays_other_matches() -> None:
    game = gramy.game("quick-easy")
    assert simulate(game, CHUNK, seed=1) != simulate(game, CHUNK, seed=2)


def test_progress_counts_every_match() -> None:
    reported: list[int] = []
    tally = simulate(gramy.game("gra"), 2 * CHUNK + 5, progress=reported.append)
    assert sum(reported) == tally.games == 2 * CHUNK + 5
    assert sum(tally.endings.values()) == tally.games


def test_no_matches_have_an_empty_tally() -> None:
    assert simulate(gramy.game("gra"), 0) == Tally(0, 0, {})


def test_preparing_plays_nothing() -> None:
    compile_ahead(gramy.game("quick-easy"))
    assert simulate(gramy.game("quick-easy"), 1, seed=5).games == 1
