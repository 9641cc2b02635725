"""Random play-outs: their random generator, and how functions are bound to a game."""

import random
from collections import Counter
from types import SimpleNamespace

import pytest

import gramy
from gramy import playout
from gramy.contract import START, Rules

GAMES = list(gramy.GAMES.values())
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.NAME)


def test_random_words_differ_for_every_seed_and_fit_63_bits() -> None:
    words = [playout.first_word(seed) for seed in (0, 1, 2, -1, 10**30, *range(100, 1100))]
    assert len(set(words)) == len(words)
    for word in words:
        for _ in range(50):
            assert 0 < word < 1 << 63
            word = playout.following_word(word)


def test_numbers_below_a_limit_are_uniform() -> None:
    word, seen = playout.first_word(7), [0] * 6
    for _ in range(6000):
        word = playout.following_word(word)
        seen[playout.below(word, 6)] += 1
    assert all(900 < number < 1100 for number in seen)
    assert playout.below(0xFFFFFFFF, 1) == 0
    assert playout.below(0xFFFFFFFF, 64) == 63


@each_game
def test_a_step_is_a_legal_move(rules: Rules) -> None:
    step = playout.specialise(rules, playout.step)
    state, word = rules.start(rules.Options()), playout.first_word(4)
    for _ in range(12):
        state, word = step(state, word)
    assert rules.parse_position(rules.Options(), rules.format_position(state)) == state


@each_game
def test_a_play_out_ends_and_counts_its_moves(rules: Rules) -> None:
    play_out, step = playout.specialise(rules, playout.play_out), playout.specialise(rules, playout.step)
    start, word = rules.start(rules.Options()), playout.first_word(5)
    last, moves, after = play_out(start, word)
    assert rules.to_act(last) == 0
    assert moves <= rules.bound(rules.Options())
    state = start
    for _ in range(moves):
        state, word = step(state, word)
    assert (state, word) == (last, after)
    assert play_out(last, 1) == (last, 0, 1)


@each_game
def test_many_play_outs_are_one_after_the_other(rules: Rules) -> None:
    play_many, play_out = playout.specialise(rules, playout.play_many), playout.specialise(rules, playout.play_out)
    start, word = rules.start(rules.Options()), playout.first_word(8)
    endings = [0] * playout.ENDINGS
    moves, after = play_many(start, 5, word, endings)
    expected, total = [0] * playout.ENDINGS, 0
    for _ in range(5):
        last, more, word = play_out(start, word)
        expected[rules.ending(last)] += 1
        total += more
    assert (moves, after, endings) == (total, word, expected)


@each_game
def test_a_fingerprint_depends_on_the_start_the_number_and_the_word(rules: Rules) -> None:
    fingerprint = playout.specialise(rules, playout.fingerprint)
    start = rules.start(rules.Options())
    first = fingerprint(start, 1, 11)
    assert first == fingerprint(start, 1, 11)
    assert len({first, fingerprint(start, 2, 11), fingerprint(start, 1, 12)}) == 3
    assert fingerprint(start, 0, 11) == 0


def test_specialise_leaves_the_original_unchanged_and_binds_what_it_calls() -> None:
    one = playout.specialise(GAMES[0], playout.play_out)
    other = playout.specialise(GAMES[1], playout.play_out)
    assert one is not other
    assert not hasattr(playout, "to_act")
    assert one.__qualname__ == f"{GAMES[0].NAME}.play_out"
    assert one.__globals__["step"].__globals__["apply"].__qualname__ == f"{GAMES[0].NAME}.apply"


def test_a_function_that_calls_itself_can_be_specialised() -> None:
    rules = SimpleNamespace(NAME="none", **dict.fromkeys(playout.GAME_FUNCTIONS, len))
    factorial = playout.specialise(rules, _factorial)
    assert factorial(5) == 120


def _factorial(number: int) -> int:
    return 1 if number < 2 else number * _factorial(number - 1)


def test_finish_is_called_once_for_each_function_from_the_inside_out() -> None:
    seen: list[str] = []
    playout.specialise(GAMES[0], playout.play_out, lambda original, bound: seen.append(original.__name__) or bound)
    assert len(seen) == len(set(seen))
    assert seen[-1] == "play_out"
    assert seen.index("step") > seen.index("legal_moves")


def test_play_outs_do_not_use_the_random_module() -> None:
    random.seed(1)
    before = random.getstate()
    playout.specialise(GAMES[0], playout.fingerprint)(GAMES[0].start(GAMES[0].Options()), 1, 9)
    assert random.getstate() == before


@pytest.mark.parametrize("name", ["quick-easy", "gra"])
def test_in_random_play_every_seat_takes_the_start_equally_often(name: str) -> None:
    game = gramy.game(name, players=4)
    step, starters, word = playout.specialise(game.rules, playout.step), Counter[int](), playout.first_word(6)
    for _ in range(2000):
        state = game.start()
        while len(game.to_act(state)) == 1:
            state, word = step(state, word)
        assert [game.moves(state, seat) for seat in range(4)] == [(START,)] * 4
        state, word = step(state, word)
        starters[game.view(state, None).board.turn] += 1
    assert sorted(starters) == [0, 1, 2, 3]
    assert all(430 < number < 570 for number in starters.values())


def test_in_random_play_seats_that_choose_at_once_choose_in_order() -> None:
    """Nobody sees what the others choose, so the order is no chance, and no random number is spent on it."""
    game = gramy.game("gra", players=3)
    step, state, word = playout.specialise(game.rules, playout.step), game.start(), playout.first_word(6)
    for _ in range(1 + 3):  # the start, and a deal to each
        state, word = step(state, word)
    chosen = []
    for _ in range(3):
        before, state = state, step(state, word)[0]
        chosen.append(state.ready & ~before.ready)
        word = playout.following_word(word)
    assert chosen == [0b001, 0b010, 0b100]
