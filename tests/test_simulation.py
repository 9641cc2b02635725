"""Many random matches: the tally is the same, compiled or plain, in one thread or several."""

from typing import Any

import pytest

import gramy
from gramy.cards import lowest, pick
from gramy.playout import play_out
from gramy.simulation import CHUNK, Tally, check_policy, compile_ahead, simulate


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


# --- policies of one's own --------------------------------------------------------------------------------------------


def first_move(state: Any, seat: int, moves: Any, word: int) -> int:
    """A policy: the first legal move."""
    return pick(moves, 0)


def always_zero(state: Any, seat: int, moves: Any, word: int) -> int:
    return 0


def beyond_the_menu(state: Any, seat: int, moves: Any, word: int) -> int:
    return 1 << 20


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_a_policy_plays_the_same_matches_compiled_and_plain(name: str) -> None:
    game = gramy.game(name)
    played = simulate(game, 30, seed=3, policy=first_move)
    assert played == simulate(game, 30, seed=3, policy=first_move, plain=True)
    assert played != simulate(game, 30, seed=3)
    check_policy(game, first_move)


@pytest.mark.parametrize("policy", [always_zero, beyond_the_menu])
def test_a_policy_that_breaks_the_rules_is_refused_with_the_position(policy: Any) -> None:
    with pytest.raises(gramy.IllegalMove, match=r"code of a legal move; it returned .* in the position “"):
        gramy.simulate(gramy.game("quick-easy"), 10, policy=policy)


def best_of(state: Any, tries: int, word: int) -> int:
    """A function that calls play-outs: how often the lowest ending comes."""
    found = 0
    for _ in range(tries):
        last, _, word = play_out(state, word)
        found += lowest(last.score.active) == 0
    return found


def test_a_function_of_ones_own_is_compiled_with_the_rules_that_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gramy.game("gra", starter="lot")
    fast = gramy.compile_with_rules(game, best_of)(game.start(), 40, 5)
    monkeypatch.setattr("gramy.compiled.find_spec", lambda name: None)
    assert fast == gramy.compile_with_rules(game, best_of)(game.start(), 40, 5)
    assert 0 < fast < 40
