"""The network can be learned: matches are written down, chances drawn to what became of tables."""

import random

import numpy
import pytest

import gramy
from gramy import compiled
from gramy.bots.face_to_face import EASY, learning
from gramy.bots.face_to_face.learning import MIRROR, TRACE, Learner, learned, targets
from gramy.bots.face_to_face.value import INPUTS, OWN, SIZE, look_other, look_own
from gramy.cards import positions, together
from gramy.games.face_to_face.rules import Side

SEED = 6


def test_a_target_is_the_next_own_table_and_further_on_the_end() -> None:
    first, second = 2 * 0 + 1, 2 * 1 + 0  # of match 0: seat 0 won, seat 1 lost
    wanted = targets(numpy.array([0.5, 0.4, 0.9, 0.3]), numpy.array([first, second, first, second]))
    assert list(wanted) == pytest.approx([TRACE + (1 - TRACE) * 0.9, (1 - TRACE) * 0.3, 1, 0])


def upside_down(side: Side) -> Side:
    up, down, hand, deck = (together([61 - card for card in positions(cards)]) for cards in side)
    return Side(down, up, hand, deck)


def test_a_table_upside_down_has_its_inputs_in_the_mirror() -> None:
    match = gramy.match("face-to-face", seed=SEED)
    for _ in range(40):
        seat, seen = match.awaited[0], numpy.zeros((2, INPUTS))
        state = match.state
        turned = state._replace(me=upside_down(state.me), foe=upside_down(state.foe))
        for table, inputs in zip((state, turned), seen, strict=True):
            look_own(table, inputs)
            look_other(table, inputs[OWN:])
        assert list(seen[0][MIRROR]) == list(seen[1])
        match.play(EASY.choose(match.view(seat), match.history(seat), random.Random(SEED), 1.0), seat)


def test_a_learner_learns() -> None:
    rng = numpy.random.default_rng(SEED)
    seen = rng.normal(size=(4096, INPUTS))
    wanted = (seen[:, 3] > 0).astype(float)
    learner = Learner(SEED)
    for _ in range(8):
        learner.learn(seen, wanted, 0.02)
    assert ((learner.chances(seen) > 0.5) == wanted).mean() > 0.9


def test_a_round_without_numba_plays_whole_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)
    monkeypatch.setattr(learning, "BATCH", 32)
    net = learned(rounds=1, matches=2, seed=SEED)
    assert net.shape == (SIZE,)
    assert numpy.isfinite(net).all()
    assert (net == learned(rounds=1, matches=2, seed=SEED)).all()
