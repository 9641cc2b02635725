"""Many matches at once: the same arrays compiled and plain, in any number of threads, and from the very rules."""

import subprocess
import sys
from typing import Any

import numpy
import pytest

import gramy
from gramy import Batch, encoding
from gramy.batch import rewards_by_winners
from gramy.cards import count_moves, pick

VARIANTS = [
    ("face-to-face", {}),
    ("face-to-face", {"dead_end": "loss", "last_card_grace": True}),
    ("quick-easy", {"players": 3}),
    ("quick-easy", {"players": 5, "pro": True}),
    ("gra", {"players": 2}),
    ("gra", {"players": 4, "jokers": True, "directions": True, "longer_game": True}),
]
each_variant = pytest.mark.parametrize(("name", "options"), VARIANTS, ids=lambda value: str(value))


def arrays(batch: Batch) -> dict[str, Any]:
    """Return copies of everything that a batch shows."""
    names = ("to_act", "done", "rewards", "endings", "masks", "observations", "final_observations")
    return {name: getattr(batch, name).copy() for name in names}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(numpy.array_equal(one[name], other[name]) for name in one)


def first_legal(batch: Batch) -> Any:
    return batch.masks.argmax(axis=1)


@each_variant
def test_plain_and_compiled_arrays_are_equal(name: str, options: dict[str, Any]) -> None:
    game = gramy.game(name, **options)
    compiled, plain = Batch(game, 3, seed=4), Batch(game, 3, seed=4, plain=True)
    assert plain.plain
    assert not compiled.plain
    for _ in range(150):
        assert same(arrays(compiled), arrays(plain))
        actions = compiled.choose()
        assert actions.tolist() == plain.choose().tolist()
        compiled.step(actions)
        plain.step(actions)


@each_variant
def test_a_batch_plays_by_the_rules_and_shows_the_seat_to_act(name: str, options: dict[str, Any]) -> None:
    game = gramy.game(name, **options)
    rules, blocks = game.rules, game.rules.actions(game.options)
    codes = encoding.action_codes(blocks)
    batch = Batch(game, 2, seed=9)
    ended = 0
    for _ in range(400):
        for match in range(batch.n):
            state = batch.state(match)
            seat = int(batch.to_act[match])
            assert seat in game.to_act(state)
            legal = [action for action, code in enumerate(codes) if code in game.menu(state, seat).codes]
            assert sorted(batch.legal(match)) == legal == numpy.flatnonzero(batch.masks[match]).tolist()
            expected = [0] * encoding.width(rules.observation(game.options))
            rules.observe(state, seat, expected, 0)
            assert batch.observations[match].tolist() == expected
        before, actions = [batch.state(match) for match in range(batch.n)], batch.choose()
        seats = batch.to_act
        batch.step(actions)
        for match in range(batch.n):
            after = rules.apply(before[match], int(seats[match]), codes[actions[match]])
            if rules.to_act(after) & 1 << gramy.DEALER:
                ended += int(batch.done[match])  # by the deal
                continue
            assert batch.done[match] == (rules.to_act(after) == 0)
            if batch.done[match]:
                ended += 1
                assert batch.endings[match] == rules.ending(after)
                assert batch.rewards[match].tolist() == pytest.approx(rewards_by_winners(game)[rules.winners(after)])
                for seat in range(game.players):
                    expected = [0] * encoding.width(rules.observation(game.options))
                    rules.observe(after, seat, expected, 0)
                    assert batch.final_observations[match, seat].tolist() == expected
            else:
                assert batch.state(match) == after
                assert batch.endings[match] == -1
                assert not batch.rewards[match].any()
                assert not batch.final_observations[match].any()
    assert ended > 0


def test_a_step_that_ends_a_match_begins_the_next_one() -> None:
    batch = Batch(gramy.game("quick-easy"), 8, seed=1)
    while not batch.done.any():
        batch.step(batch.choose())
    over = int(batch.done.argmax())
    state = batch.state(over)
    assert (state.up, state.down, state.laid) == (0, 0, 0)
    assert batch.to_act[over] in batch.game.to_act(state)
    assert batch.masks[over].any()
    assert not batch.final_observations[~batch.done].any()
    assert batch.final_observations[over].any()


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("read", [(), ("masks",), ("observations",), ("masks", "observations")])
def test_a_step_without_actions_makes_the_moves_that_choose_would_make(read: tuple[str, ...], plain: bool) -> None:
    game = gramy.game("quick-easy", players=4)
    one, other = (Batch(game, 5, seed=3, plain=plain) for _ in range(2))
    for _ in range(40):
        for name in read:  # what was read before is filled by the step itself
            getattr(one, name)
        one.step()
        other.step(other.choose())
        assert same(arrays(one), arrays(other))
        assert one.legal(2) == other.legal(2)


def test_two_runs_with_the_same_seed_give_identical_arrays() -> None:
    one, other = (Batch(gramy.game("gra", players=3), 5, seed=7) for _ in range(2))
    for _ in range(100):
        assert same(arrays(one), arrays(other))
        one.step(one.choose())
        other.step(other.choose())
    again = arrays(Batch(one.game, 5, seed=7))
    one.reset()
    assert same(arrays(one), again)
    one.reset(8)
    assert not same(arrays(one), again)


def test_a_match_does_not_depend_on_the_number_of_matches() -> None:
    game = gramy.game("face-to-face")
    few, many = Batch(game, 3, seed=2), Batch(game, 9, seed=2)
    for _ in range(200):
        assert numpy.array_equal(few.observations, many.observations[:3])
        few.step(few.choose())
        many.step(many.choose())
        assert numpy.array_equal(few.rewards, many.rewards[:3])


def test_each_match_can_have_its_own_seed() -> None:
    batch = Batch(gramy.game("face-to-face"), 3)
    batch.reset([5, 6, 5])
    assert batch.state(0) == batch.state(2) != batch.state(1)
    with pytest.raises(gramy.BadOptions, match="3 of them, not 2"):
        batch.reset([1, 2])


def test_threads_change_nothing() -> None:
    game = gramy.game("quick-easy", players=4)
    one, several = Batch(game, 50, seed=3), Batch(game, 50, seed=3, threads=3)
    for _ in range(60):
        actions = one.choose()
        assert actions.tolist() == several.choose().tolist()
        one.step(actions)
        several.step(actions)
        assert same(arrays(one), arrays(several))
    actions = one.choose()
    actions[40] = -1
    with pytest.raises(gramy.IllegalMove, match="Match 40"):
        several.step(actions)
    assert same(arrays(one), arrays(several))


@pytest.mark.parametrize("plain", [False, True])
def test_an_illegal_action_is_named_and_changes_nothing(plain: bool) -> None:
    batch = Batch(gramy.game("face-to-face"), 4, seed=1, plain=plain)
    before, actions = arrays(batch), first_legal(batch)
    for bad in (-1, batch.actions, batch.actions - 1, 1 << 40):  # the last of the actions is `end`
        actions[2] = bad
        seat = batch.to_act[2]
        with pytest.raises(gramy.IllegalMove) as refused:
            batch.step(actions)
        assert str(refused.value) == (
            f"Match 2: action {bad} is not a legal move of seat {seat}; no match has changed."
        )
        with pytest.raises(gramy.IllegalMove, match="Match 2"):
            batch.play(bad, match=2)
        assert same(arrays(batch), before)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("match", [-1, 4, 5, 1 << 40])
def test_a_match_that_does_not_exist_is_refused_and_nothing_changes(match: int, plain: bool) -> None:
    game = gramy.game("face-to-face")
    batch, untouched = (Batch(game, 4, seed=1, plain=plain) for _ in range(2))
    calls = (lambda: batch.play(batch.legal()[0], match=match), lambda: batch.legal(match), lambda: batch.state(match))
    for call in calls:
        with pytest.raises(gramy.BadOptions) as refused:
            call()
        assert str(refused.value) == f"There is no match {match}; the matches are 0 to 3."
    assert same(arrays(batch), arrays(untouched))
    for _ in range(150):  # long enough for new matches, which begin from the start of the game
        batch.step(batch.choose())
        untouched.step(untouched.choose())
        assert same(arrays(batch), arrays(untouched))


@pytest.mark.parametrize("actions", [[0], [0.0] * 4, [[0] * 4], [True] * 4])
def test_actions_of_another_shape_or_type_are_refused(actions: Any) -> None:
    batch = Batch(gramy.game("gra"), 4)
    with pytest.raises(gramy.BadOptions, match="array of length 4"):
        batch.step(actions)


@pytest.mark.parametrize(("n", "threads"), [(0, 1), (-1, 1), (1, 0)])
def test_a_batch_needs_a_match_and_a_thread(n: int, threads: int) -> None:
    with pytest.raises(gramy.BadOptions, match="at least one match and one thread"):
        Batch(gramy.game("gra"), n, threads=threads)


@pytest.mark.parametrize("name", list(gramy.GAMES))
def test_a_single_match_is_played_action_by_action(name: str) -> None:
    batch, stepped = (Batch(gramy.game(name), 2, seed=6) for _ in range(2))
    for _ in range(300):
        other = batch.state(0)
        action = batch.legal(1)[-1]
        over = batch.play(action, match=1)
        assert batch.state(0) == other
        stepped.step([stepped.legal(0)[0], action])
        assert over == stepped.done[1]
        assert batch.state(1) == stepped.state(1)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_opponents_share_a_sum_of_zero(players: int) -> None:
    rewards = rewards_by_winners(gramy.game("gra", players=players))
    assert rewards[1 << 1][1] == 1
    assert all(sum(rewards[1 << seat]) == pytest.approx(0) for seat in range(players))
    assert rewards[-1] == [0] * players


def test_partners_win_together_or_get_nothing() -> None:
    rewards = rewards_by_winners(gramy.game("quick-easy", players=3))
    assert (rewards[0b111], rewards[0]) == ([1] * 3, [0] * 3)


def test_several_seats_to_act_act_lowest_first() -> None:
    batch = Batch(gramy.game("gra", players=4, starter="lot"), 1, seed=1)
    seats: list[int] = []
    while len(seats) < 4:
        seats.append(int(batch.to_act[0]))
        batch.play(batch.legal()[0])
    assert seats == [0, 1, 2, 3]


def test_a_policy_chooses_for_all_matches_compiled_and_plain() -> None:
    game = gramy.game("face-to-face")
    compiled, plain = Batch(game, 6, seed=5), Batch(game, 6, seed=5, plain=True)
    for _ in range(50):
        actions = compiled.choose(last_move)
        assert actions.tolist() == plain.choose(last_move).tolist()
        assert actions.tolist() == [compiled.legal(match)[-1] for match in range(compiled.n)]
        compiled.step(actions)
        plain.step(actions)


def last_move(state: Any, seat: int, moves: Any, word: int) -> int:
    return pick(moves, count_moves(moves) - 1)


def test_who_starts_is_drawn_where_several_may() -> None:
    batch = Batch(gramy.game("quick-easy", players=3), 60, seed=2)
    assert set(batch.to_act.tolist()) == {0, 1, 2}
    starters = batch.to_act
    batch.step(batch.choose())
    assert batch.to_act.tolist() == starters.tolist()


def test_import_gramy_does_not_import_batches() -> None:
    code = "import sys, gramy; print('gramy.batch' in sys.modules, gramy.Batch.__name__, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "Batch", "False"]
    with pytest.raises(AttributeError, match="no attribute 'Bach'"):
        getattr(gramy, "Bach")  # noqa: B009


def test_without_numpy_a_batch_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; import gramy\n"
        "try: gramy.Batch(gramy.game('gra'), 1)\n"
        "except gramy.BadOptions as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "gramy[fast]" in done.stdout


def test_without_numba_a_batch_plays_the_same_matches() -> None:
    code = (
        "import sys; {} import gramy\n"
        "batch = gramy.Batch(gramy.game('quick-easy'), 4, seed=3)\n"
        "for _ in range(20): batch.step(batch.choose())\n"
        "print(batch.plain, batch.observations.tolist())"
    )
    without, installed = (
        subprocess.run([sys.executable, "-c", code.format(block)], capture_output=True, text=True, check=True).stdout
        for block in ("sys.modules['numba'] = None;", "")
    )
    assert without.split(maxsplit=1)[0] == "True"
    assert installed.split(maxsplit=1)[0] == "False"
    assert without.split(maxsplit=1)[1] == installed.split(maxsplit=1)[1]


def test_the_arrays_have_their_types_and_shapes() -> None:
    game = gramy.game("quick-easy", players=3)
    batch = Batch(game, 2)
    size = encoding.width(game.rules.observation(game.options))
    assert (batch.observations.dtype, batch.observations.shape) == (numpy.int8, (2, size))
    assert (batch.final_observations.dtype, batch.final_observations.shape) == (numpy.int8, (2, 3, size))
    assert (batch.masks.dtype, batch.masks.shape) == (numpy.bool_, (2, batch.actions))
    assert (batch.rewards.dtype, batch.rewards.shape) == (numpy.float32, (2, 3))
    assert (batch.to_act.dtype, batch.done.dtype, batch.endings.dtype) == (numpy.int64, numpy.bool_, numpy.int64)
