"""Training of Face to Face: samples hold the features that the evaluation uses, and steps reduce the error."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import gramy
from gramy import compiled
from gramy.bots import bot
from gramy.bots.face_to_face import network
from gramy.bots.face_to_face.evaluation import ONE, SIZE, UNITS, probability
from gramy.bots.face_to_face.features import ROWS
from gramy.bots.face_to_face.search import best_positions, known_state
from gramy.bots.face_to_face.turns import NETWORK, read_position
from gramy.bots.weights import write_weights
from gramy.cards import from_positions, positions
from gramy.games.face_to_face.rules import Side, State
from training.face_to_face import learning
from training.face_to_face.__main__ import trained
from training.face_to_face.learning import (
    MAX_ACTIVE,
    active_features,
    add_gradient,
    new_learner,
    predict,
    update_weights,
)

SEED = 6


def evaluated_positions(number: int) -> list[tuple[State, float]]:
    """Return positions that were left in a match, with the chance that the network gives them."""
    match, rng, found = gramy.match("face-to-face", seed=SEED), random.Random(SEED), []
    while len(found) < number:
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        state = known_state(view, history)
        best, values = best_positions(state, 2, NETWORK)
        found += [(read_position(state, best, k), probability(value)) for k, value in enumerate(values)]
        match.play(bot("face-to-face", "easy").choose(view, history, rng, 1.0), seat)
    return found


def features_of(left: State) -> list[int]:
    active = [0] * MAX_ACTIVE
    return active[: active_features(left, active)]


def test_the_features_of_a_sample_are_those_that_the_evaluation_uses() -> None:
    weights, hidden = [weight / ONE for weight in network.read()], [0.0] * UNITS
    for left, chance in evaluated_positions(60):
        active = features_of(left)
        assert predict(weights, active, len(active), hidden) == pytest.approx(chance, abs=1e-9)
        assert max(map(abs, hidden)) < 64  # the range of a lane of a word


def upside_down(side: Side) -> Side:
    up, down, hand, deck = (from_positions([61 - card for card in positions(cards)]) for cards in side)
    return Side(down, up, hand, deck)


def test_a_position_upside_down_has_the_same_features_with_the_halves_exchanged() -> None:
    for left, _ in evaluated_positions(40):
        turned = left._replace(me=upside_down(left.me), foe=upside_down(left.foe))
        assert sorted((row + ROWS) % (2 * ROWS) for row in features_of(left)) == sorted(features_of(turned))


def test_steps_move_a_prediction_to_its_target() -> None:
    learner, packed = new_learner(SEED), [0] * SIZE
    active = features_of(evaluated_positions(1)[0][0])
    hidden = [0.0] * UNITS
    for step in range(1, 9):
        prediction = predict(learner.weights, active, len(active), hidden)
        add_gradient(learner.adam.gradient, active, len(active), hidden, prediction - 0.9)
        update_weights(learner, 1, step, 4e-3, packed)
    assert prediction == pytest.approx(0.9, abs=0.1)
    assert packed == network.packed([round(weight * ONE) for weight in learner.weights])


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    weights = [(k * 37) % 801 - 400 for k in range(network.WEIGHTS)]
    write_weights(tmp_path / "network.bin", network.TYPECODE, weights)
    assert list(network.read(tmp_path / "network.bin")) == weights


def test_training_works_without_numba_and_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)
    monkeypatch.setattr(learning, "BATCH", 10)
    weights = trained(episodes=2, seed=SEED, chunk=1)
    assert len(weights) == network.WEIGHTS
    assert any(weights)
    assert weights == trained(episodes=2, seed=SEED, chunk=1)


def test_the_program_writes_to_the_path_given(tmp_path: Path) -> None:
    out = tmp_path / "network.bin"
    command = [sys.executable, "-m", "training.face_to_face", "--out", str(out), "--episodes", "0"]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])
    assert len(network.read(out)) == network.WEIGHTS
