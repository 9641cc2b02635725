"""The network can be learned: tables are noted as `value` sees them, chances are drawn to what became of them."""

import random
from pathlib import Path

import pytest

import gramy
from gramy import compiled
from gramy.bots import bot
from gramy.bots.face_to_face import learning, network
from gramy.bots.face_to_face.learning import FACTS, corrected, judged, learned, new_lesson, note_table, step
from gramy.bots.face_to_face.searching import best_tables, known_table
from gramy.bots.face_to_face.turns import NETWORK, noted_table
from gramy.bots.face_to_face.value import ONE, ROWS, SIZE, UNITS, chance
from gramy.bots.weights import write_weights
from gramy.cards import from_positions, positions
from gramy.games.face_to_face.rules import Side, State

SEED = 6


def tables(number: int) -> list[tuple[State, float]]:
    """Tables that were left in a match, and the chance that the network gives them."""
    match, rng, found = gramy.match("face-to-face", seed=SEED), random.Random(SEED), []
    while len(found) < number:
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        state = known_table(view, history)
        noted, worths = best_tables(state, 2, NETWORK)
        found += [(noted_table(state, noted, k), chance(worth)) for k, worth in enumerate(worths)]
        match.play(bot("face-to-face", "easy").choose(view, history, rng, 1.0), seat)
    return found


def facts_of(left: State) -> list[int]:
    facts = [0] * FACTS
    return facts[: note_table(left, facts)]


def test_the_noted_facts_are_those_that_the_network_goes_by() -> None:
    weights, hidden = [weight / ONE for weight in network.read()], [0.0] * UNITS
    for left, foreseen in tables(60):
        facts = facts_of(left)
        assert judged(weights, facts, len(facts), hidden) == pytest.approx(foreseen, abs=1e-9)
        assert max(map(abs, hidden)) < 64  # what a lane of a word can hold


def upside_down(side: Side) -> Side:
    up, down, hand, deck = (from_positions([61 - card for card in positions(cards)]) for cards in side)
    return Side(down, up, hand, deck)


def test_a_table_upside_down_has_the_same_facts_with_the_halves_exchanged() -> None:
    for left, _ in tables(40):
        turned = left._replace(me=upside_down(left.me), foe=upside_down(left.foe))
        assert sorted((fact + ROWS) % (2 * ROWS) for fact in facts_of(left)) == sorted(facts_of(turned))


def test_steps_draw_a_chance_to_what_is_wanted() -> None:
    lesson, net = new_lesson(SEED), [0] * SIZE
    facts = facts_of(tables(1)[0][0])
    hidden = [0.0] * UNITS
    for steps in range(1, 9):
        judgement = judged(lesson.weights, facts, len(facts), hidden)
        corrected(lesson.change, facts, len(facts), hidden, judgement - 0.9)
        step(lesson, 1, steps, 4e-3, net)
    assert judgement == pytest.approx(0.9, abs=0.1)
    assert net == network.packed([round(weight * ONE) for weight in lesson.weights])


def test_a_network_is_read_as_it_was_written(tmp_path: Path) -> None:
    weights = [(k * 37) % 801 - 400 for k in range(network.WEIGHTS)]
    write_weights(tmp_path / "network.bin", "h", weights)
    assert list(network.read(tmp_path / "network.bin")) == weights


def test_matches_without_numba_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)
    monkeypatch.setattr(learning, "BATCH", 10)
    weights = learned(matches=2, seed=SEED, round_of=1)
    assert len(weights) == network.WEIGHTS
    assert any(weights)
    assert weights == learned(matches=2, seed=SEED, round_of=1)
