"""Training of Quick & Easy: gradients are right, and a search in training uses only what the seat knows."""

import random
import subprocess
import sys
from array import array
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import Any

import pytest

import gramy
from gramy import compiled
from gramy.bots.quick_easy import rollouts
from gramy.bots.quick_easy.evaluation import (
    BIASES,
    HIDDEN,
    OUTPUTS,
    TYPECODE,
    WEIGHTS,
    Evaluator,
    new_evaluator,
    package_weights,
    probability,
)
from gramy.bots.quick_easy.features import FEATURES
from gramy.bots.quick_easy.partners import CHEAP, LIKE_ME, LISTENER
from gramy.bots.quick_easy.talk import BAND
from gramy.bots.weights import read_weights, write_weights
from gramy.cards import positions, replace_at
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import Options, State, deal, start
from gramy.playout import first_word
from training.quick_easy import __main__ as program
from training.quick_easy import runs
from training.quick_easy.learning import (
    add_gradient,
    new_beliefs,
    new_learner,
    new_search,
    own_information,
    search_turn,
)
from training.quick_easy.measuring import Team, wins
from training.quick_easy.runs import TrainingPlan

SEED = 77


def package_evaluator() -> Evaluator:
    return new_evaluator(package_weights(pro=False))


def test_the_gradient_is_that_of_the_cross_entropy() -> None:
    rng, learner = random.Random(SEED), new_learner()
    weights = array("d", [rng.uniform(-0.3, 0.3) for _ in range(WEIGHTS)])
    learner.features[:FEATURES] = array("d", [rng.random() for _ in range(FEATURES)])
    add_gradient(weights, learner, 0, 1.0)

    def loss(weights: Sequence[float]) -> float:
        hidden = [
            weights[BIASES + unit]
            + sum(weights[feature * HIDDEN + unit] * learner.features[feature] for feature in range(FEATURES))
            for unit in range(HIDDEN)
        ]
        outputs = weights[OUTPUTS : WEIGHTS - 1]
        logit = weights[WEIGHTS - 1] + sum(max(0.0, some) * out for some, out in zip(hidden, outputs, strict=True))
        return -log(probability(logit))

    for weight in rng.sample(range(WEIGHTS), 20):
        nudged = array("d", weights)
        nudged[weight] += 1e-6
        slope = (loss(nudged) - loss(weights)) / 1e-6
        assert learner.adam.gradient[weight] == pytest.approx(slope, abs=1e-4)


@pytest.mark.parametrize("sees", [False, True])
def test_only_a_search_that_sees_the_other_hands_knows_their_cards(sees: bool) -> None:
    beliefs, search = new_beliefs(BAND), new_search(BAND, sees=sees)
    beliefs.deck[:] = array("q", random.Random(SEED).sample(range(50), 50))
    state, _ = rollouts.draw_cards(deal(start(Options(players=2, starter="lot")), 1), beliefs, 0)
    visible = own_information(state, beliefs.known, search.beliefs, sees)
    hidden = list(positions(state.hands[1 - state.seat]))
    expected = [1 << card if sees else beliefs.known[card] for card in hidden]
    assert list(search.beliefs.candidates[: len(hidden)]) == expected
    assert visible.hands[1 - state.seat] == 0


def test_a_search_in_training_uses_what_the_seat_knows_and_nothing_else() -> None:
    rng = random.Random(SEED)
    beliefs, evaluator = new_beliefs(BAND), package_evaluator()
    beliefs.deck[:] = array("q", rng.sample(range(50), 50))
    state, _ = rollouts.draw_cards(deal(start(Options(players=3, starter="lot")), 1), beliefs, 0)
    before = [list(beliefs.known), list(beliefs.deck)]
    turn = search_turn(state, beliefs.known, evaluator, new_search(BAND), deals=2, word=first_word(SEED))
    assert [list(beliefs.known), list(beliefs.deck)] == before
    assert turn[:2] in legal_turns(state, evaluator)
    # Other cards of the same heights in the other hands change nothing.
    swapped = state
    for seat in (1, 2):
        for card in positions(state.hands[seat]):
            twin = 1 << (card ^ 1)
            if state.deck & twin:
                hands = replace_at(swapped.hands, seat, swapped.hands[seat] ^ (twin | 1 << card))
                swapped = swapped._replace(hands=hands, deck=swapped.deck ^ (twin | 1 << card))
                beliefs.known[card ^ 1] = beliefs.known[card]
    assert swapped != state
    assert search_turn(swapped, beliefs.known, evaluator, new_search(BAND), deals=2, word=first_word(SEED)) == turn


def test_a_search_in_training_does_not_leave_the_next_player_stuck() -> None:
    beliefs, evaluator = new_beliefs(BAND), package_evaluator()
    line = "seat=0 laid=0 draw=0 up=S5 down=S3 hands=R1,G9;B2,Y2 deck=-"  # after the one nobody lays a two
    state = gramy.game("quick-easy").parse_position(line)
    for card in positions(state.hands[1]):
        beliefs.known[card] = rollouts.described_set(BAND, card)
    first, second, _ = search_turn(state, beliefs.known, evaluator, new_search(BAND), deals=1, word=first_word(SEED))
    assert [format_move(state, 0, code) for code in (first, second)] == ["up G9", "end"]


def legal_turns(state: State, evaluator: Evaluator) -> set[tuple[int, int]]:
    number = rollouts.list_turns(state, evaluator.turns)
    return {(evaluator.turns[2 * turn], evaluator.turns[2 * turn + 1]) for turn in range(number)}


@pytest.fixture
def tiny_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a chunk be one match and a step one match, without the compiler."""
    monkeypatch.setattr(compiled, "available", lambda: False)
    for module in (runs, program):
        monkeypatch.setattr(module, "CHUNK", 1)
    monkeypatch.setattr("training.quick_easy.learning.BATCH", 1)


def plan(episodes: int, partner: int = LIKE_ME, from_scratch: bool = True) -> TrainingPlan:
    return TrainingPlan("base", episodes, SEED, from_scratch, 0, partner)


@pytest.mark.usefixtures("tiny_chunks")
def test_training_works_without_numba_and_repeats() -> None:
    weights = [program.trained(plan(1)) for _ in range(2)]
    assert weights[0] == weights[1]
    assert weights[0] != runs.random_weights(random.Random(SEED))
    assert program.trained(plan(0, from_scratch=False)) == package_weights(pro=False)


@pytest.mark.parametrize("partner", [LIKE_ME, CHEAP, LISTENER])
@pytest.mark.usefixtures("tiny_chunks")
def test_an_interrupted_run_gives_the_same_weights_and_curve(
    partner: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = plan(4, partner)
    monkeypatch.setattr(program, "CHECKPOINT_CHUNKS", 1)
    whole = program.trained(some, curve=tmp_path / "whole.csv")
    for stop in (1, 3):
        checkpoint = tmp_path / f"{stop}.checkpoint"
        stored: list[int] = []

        def interrupt(file: Path, state: dict[str, Any], stored: list[int] = stored, stop: int = stop) -> None:
            runs.write_checkpoint(file, state)
            stored.append(1)
            if len(stored) == stop:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(program, "write_checkpoint", interrupt)
            with pytest.raises(KeyboardInterrupt):
                program.trained(some, checkpoint)
        assert program.trained(some, checkpoint, tmp_path / "resumed.csv") == whole
        assert (tmp_path / "resumed.csv").read_text() == (tmp_path / "whole.csv").read_text()


def test_the_program_writes_to_the_path_given(tmp_path: Path) -> None:
    out = tmp_path / "base.bin"
    command = [sys.executable, "-m", "training.quick_easy", "base", "--out", str(out), "--episodes", "0"]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])
    assert array("d", read_weights(out, TYPECODE, WEIGHTS)) == package_weights(pro=False)


def test_a_measurement_plays_by_the_network_and_changes_nothing(
    tiny_chunks: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = package_weights(pro=False)
    file = tmp_path / "base.bin"
    write_weights(file, TYPECODE, weights)
    before = file.read_bytes()
    program.main(["measure", str(file), "--partner", "cheap", "--matches", "3", "--seed", str(SEED)])
    assert capsys.readouterr().out.startswith("base.bin: ")
    assert file.read_bytes() == before
    beside, alone = (Team(2, False, partner, BAND) for partner in (CHEAP, LIKE_ME))
    assert wins(weights, beside, 3, SEED)[1] == 6, "the network has either seat"
    assert wins(weights, alone, 3, SEED)[1] == 3
    always_stuck = [0.0] * (WEIGHTS - 1) + [-1.0]
    assert wins(always_stuck, alone, 20, SEED)[0] < wins(weights, alone, 20, SEED)[0]
