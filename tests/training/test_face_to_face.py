"""Training of Face to Face: samples hold the features that the evaluation uses, and steps reduce the error."""

import math
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gramy
from gramy import compiled
from gramy.bots import bot
from gramy.bots.face_to_face import network
from gramy.bots.face_to_face.evaluation import ONE, UNITS, probability
from gramy.bots.face_to_face.features import ROWS
from gramy.bots.face_to_face.habits import HABITS, habits
from gramy.bots.face_to_face.positions import best_positions
from gramy.bots.face_to_face.search import known_state
from gramy.bots.face_to_face.turns import NETWORK, read_position
from gramy.bots.weights import write_weights
from gramy.cards import from_positions, positions
from gramy.games.face_to_face.rules import Side, State
from training.face_to_face import learning
from training.face_to_face.learning import (
    MAX_ACTIVE,
    active_features,
    add_gradient,
    new_learner,
    new_players,
    note_turn,
    predict,
    update_weights,
)
from training.face_to_face.population import (
    EXPLOITER,
    GIVES_EARLY,
    GIVES_LATE,
    GIVES_MUCH,
    GO_ALONE,
    GREEDY_PLAY,
    HELD_OUT,
    MEMBERS,
    POLICIES,
    POPULATION,
    SELF_PLAY,
    STRONG_PLAY,
    STYLES,
    habit_cost,
)
from training.face_to_face.run import (
    LATER_HALVED,
    LATER_LEARNING_RATE,
    LEARNING_RATE,
    Plan,
    carry_out,
    continued_plan,
    exploiter_plan,
    new_run,
    write_curve,
)

SEED = 6


def evaluated_positions(number: int) -> list[tuple[State, int, float]]:
    """Return positions that were left in a match, with the habits of the other player and the network's chance."""
    match, rng, found = gramy.match("face-to-face", seed=SEED), random.Random(SEED), []
    while len(found) < number:
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        state = known_state(view, history)
        both = habits(history)
        best, values = best_positions(state, 2, NETWORK, both)
        found += [(read_position(state, best, k), both[1 - seat], probability(value)) for k, value in enumerate(values)]
        match.play(bot("face-to-face", "easy").choose(view, history, rng, 1.0), seat)
    return found


def features_of(left: State, other: int) -> list[int]:
    active = [0] * MAX_ACTIVE
    return active[: active_features(left, other, active)]


def test_the_features_of_a_sample_are_those_that_the_evaluation_uses() -> None:
    weights, hidden = [weight / ONE for weight in network.read()], [0.0] * UNITS
    for left, other, chance in evaluated_positions(60):
        active = features_of(left, other)
        assert predict(weights, active, len(active), hidden) == pytest.approx(chance, abs=1e-9)
        assert max(map(abs, hidden)) < 64  # the range of a lane of a word


def upside_down(side: Side) -> Side:
    up, down, hand, deck = (from_positions([61 - card for card in positions(cards)]) for cards in side)
    return Side(down, up, hand, deck)


def test_a_position_upside_down_has_the_same_features_with_the_halves_exchanged() -> None:
    for left, other, _ in evaluated_positions(40):
        turned = left._replace(me=upside_down(left.me), foe=upside_down(left.foe))
        assert sorted((row + ROWS) % (2 * ROWS) for row in features_of(left, other)) == sorted(
            features_of(turned, other)
        )


def test_steps_move_a_prediction_to_its_target_and_forget_the_sums_of_the_old_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, other, _ = evaluated_positions(1)[0]
    monkeypatch.setattr(compiled, "available", lambda: False)  # plain loops are quicker over lists than over arrays
    learner, acc = new_learner(SEED), new_players()[0].accumulators
    active = features_of(left, other)
    hidden = [0.0] * UNITS
    for step in range(1, 9):
        acc.outside[step] = acc.outside_cards[step] = step
        prediction = predict(learner.weights, active, len(active), hidden)
        add_gradient(learner.adam.gradient, active, len(active), hidden, prediction - 0.9)
        update_weights(learner, 1, step, 4e-3, acc)
    assert prediction == pytest.approx(0.9, abs=0.1)
    assert list(acc.network) == network.packed([round(weight * ONE) for weight in learner.weights])
    assert learner.average == pytest.approx(learner.weights)  # so few steps are not averaged
    assert not any(acc.outside)
    assert not any(acc.outside_cards)


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    weights = [(k * 37) % 801 - 400 for k in range(network.WEIGHTS)]
    write_weights(tmp_path / "network.bin", network.TYPECODE, weights)
    assert list(network.read(tmp_path / "network.bin")) == weights


# --- runs -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train by plain functions, which need no compiler, in small batches."""
    monkeypatch.setattr(compiled, "available", lambda: False)
    monkeypatch.setattr(learning, "BATCH", 10)


def tiny_plan(episodes: int = 2, seed: int = SEED) -> Plan:
    """Return a plan in which the learner meets an earlier self after the first episode."""
    return Plan(episodes, seed, (0, 100, 0, 0, 0, 0, 0, 0), chunk=1, snapshot=1, warm_up=1)


@pytest.mark.usefixtures("tiny")
def test_a_run_that_was_stopped_gives_the_same_weights_as_one_that_was_not(tmp_path: Path) -> None:
    straight = carry_out(tiny_plan())
    stopped, file = new_run(tiny_plan()), tmp_path / "checkpoint"
    stopped.step()
    stopped.save(file)
    resumed = carry_out(tiny_plan(), file)
    assert resumed.weights() == straight.weights()
    assert resumed.word == straight.word
    assert resumed.pool == straight.pool
    assert len(resumed.curve) == len(straight.curve) == 2
    finished = new_run(tiny_plan())
    finished.load(file)  # the finished run has written it
    assert finished.weights() == straight.weights()


@pytest.mark.usefixtures("tiny")
def test_the_second_part_of_a_run_has_its_own_population_and_learning_rate() -> None:
    plan = replace(tiny_plan(3), later=(0, 0, 100, 0, 0, 0, 0, 0), second_part=1)
    met = [[not math.isnan(share) for share in line[3:]] for line in carry_out(plan).curve]
    earlier, go = ([name == member for name in MEMBERS] for member in ("earlier", "go"))
    assert met == [earlier, go, go]
    assert [plan.learning_rate_at(done) for done in (0, 1)] == [LEARNING_RATE, LATER_LEARNING_RATE]
    assert plan.learning_rate_at(1 + LATER_HALVED) == LATER_LEARNING_RATE / 2


@pytest.mark.usefixtures("tiny")
def test_a_checkpoint_of_another_plan_is_refused(tmp_path: Path) -> None:
    run, file = new_run(tiny_plan()), tmp_path / "checkpoint"
    run.save(file)
    new_run(tiny_plan(episodes=9)).load(file)  # a longer run may go on from it
    with pytest.raises(ValueError, match="another run"):
        new_run(tiny_plan(seed=SEED + 1)).load(file)


@pytest.mark.usefixtures("tiny")
def test_an_exploiter_begins_with_the_frozen_network_and_meets_only_that() -> None:
    frozen = network.read()
    run = new_run(exploiter_plan(frozen, episodes=1, seed=SEED))
    assert run.weights() == list(frozen)
    assert list(run.players[0].accumulators.network) == network.packed(frozen)
    run.step()
    assert list(run.learner.met) == [0, 1, 0, 0, 0, 0, 0, 0]
    assert list(run.players[1].accumulators.network) == network.packed(frozen)
    assert run.learner.weights != [weight / ONE for weight in frozen]


@pytest.mark.usefixtures("tiny")
def test_a_network_for_greedy_play_begins_with_another_one_and_meets_greedy_players_alone() -> None:
    first = network.read(network.POPULATION_FILE)
    run = new_run(continued_plan(first, GREEDY_PLAY, episodes=3, seed=SEED))
    assert run.weights() == list(first)
    run.step()
    assert sum(run.learner.met) > 0 == sum(run.learner.met[:2])


@pytest.mark.usefixtures("tiny")
def test_a_network_for_strong_play_begins_with_another_one_and_counts_it_among_its_earlier_selves() -> None:
    first = network.read()
    run = new_run(continued_plan(first, STRONG_PLAY, episodes=1, seed=SEED))
    assert run.pool == [list(first)]
    run.step()
    assert list(run.players[1].accumulators.network) == network.packed(first)


@pytest.mark.usefixtures("tiny")
def test_a_learner_chooses_among_all_turns_or_keeps_to_promising_ones() -> None:
    weights = []
    for promising in (False, True):
        run = new_run(continued_plan(network.read(), STRONG_PLAY, 1, SEED, promising))
        run.step()
        weights.append(list(run.learner.weights))
    assert weights[0] != weights[1]


@pytest.mark.usefixtures("tiny")
def test_a_network_that_is_tuned_to_go_meets_nobody_else() -> None:
    run = new_run(continued_plan(network.read(), GO_ALONE, episodes=1, seed=SEED))
    run.step()
    assert list(run.learner.met) == [0, 0, 1, 0, 0, 0, 0, 0]


def test_the_learning_curve_has_a_column_for_each_member(tmp_path: Path) -> None:
    nan = float("nan")
    write_curve(tmp_path / "curve.csv", [[1, 0.5, 0.2, *[0.4] * 8], [2, 0.5, 0.4, 0.6, *[nan] * 7]])
    header, line = (tmp_path / "curve.csv").read_text().splitlines()
    assert header.split(",")[3:] == list(MEMBERS)
    assert line == "2,0.5,0.3,0.5,0.4,0.4,0.4,0.4,0.4,0.4,0.4"


def test_shares_add_up_and_no_player_that_is_held_out_is_met() -> None:
    for shares in (POPULATION, STYLES, SELF_PLAY, GREEDY_PLAY, STRONG_PLAY, GO_ALONE, EXPLOITER):
        assert sum(shares) == 100
        assert len(shares) == len(MEMBERS) == len(POLICIES)
    assert not set(HELD_OUT.values()) & set(POLICIES)


def test_players_of_set_habits_give_much_late_or_early() -> None:
    """In the same position each of them prefers another turn: with a card given or without."""
    for left, _, _ in evaluated_positions(8):
        at = left._replace(helped=0)
        deck, full = from_positions(range(2, 10)), from_positions(range(2, 50))
        early, late = at._replace(me=at.me._replace(deck=full)), at._replace(me=at.me._replace(deck=deck))
        for policy, gives_early, gives_late in ((GIVES_EARLY, True, False), (GIVES_LATE, False, True)):
            for state, gives in ((early, gives_early), (late, gives_late)):
                assert (habit_cost(state._replace(helped=1), policy) < habit_cost(state, policy) + 100) == gives
        assert habit_cost(late._replace(helped=1), GIVES_MUCH) < habit_cost(late, GIVES_MUCH)


def test_habits_in_training_are_those_that_a_bot_reads_from_the_history() -> None:
    match, rng = gramy.match("face-to-face", seed=SEED), random.Random(SEED)
    noted, both = [0] * 6, [0, 0]
    while match.outcome is None:
        seat, state = match.to_act[0], match.state
        view, history = match.view(seat), match.history(seat)
        assert habits(history) == tuple(both)
        assert max(both) < HABITS
        move = bot("face-to-face", "medium").choose(view, history, rng, 1.0)
        if move == "end":
            note_turn(state, noted, both)
        match.play(move, seat)
    assert noted[0] > 3


def test_the_program_writes_to_the_path_given(tmp_path: Path) -> None:
    out = tmp_path / "network.bin"
    command = [sys.executable, "-m", "training.face_to_face", "--out", str(out), "--episodes", "0"]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])
    assert len(network.read(out)) == network.WEIGHTS
