"""States as numbers in an array: every game's states come back as they were."""

import random
from typing import NamedTuple

import numpy
import pytest

import gramy
from gramy import packing
from gramy.contract import Rules

GAMES = list(gramy.GAMES.values())


class Inner(NamedTuple):
    first: int
    pair: tuple[int, int]


class Outer(NamedTuple):
    number: int
    inner: Inner
    other: Inner


VALUE = Outer(-1, Inner(1 << 62, (3, 4)), Inner(5, (6, 7)))


def test_the_numbers_of_a_nested_tuple_lie_in_their_order() -> None:
    records = numpy.zeros((3, 9), numpy.int64)
    packing.storer("store", VALUE, 2)(records, 1, VALUE)
    assert records.tolist() == [[0] * 9, [0, 0, -1, 1 << 62, 3, 4, 5, 6, 7], [0] * 9]
    assert packing.size(VALUE) == 7


def test_a_loaded_value_has_the_same_classes_and_plain_integers() -> None:
    records = numpy.array([[0] * 7, [-1, 1 << 62, 3, 4, 5, 6, 7]])
    loaded = packing.loader("load", VALUE, 0)(records, 1)
    assert loaded == VALUE
    assert type(loaded) is Outer
    assert type(loaded.inner) is Inner
    assert type(loaded.inner.pair) is tuple
    assert type(loaded.number) is int


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.NAME)
def test_every_state_of_a_match_comes_back(rules: Rules) -> None:
    match = gramy.match(rules.NAME, seed=5)
    shape, rng = match.state, random.Random(1)
    load, store = packing.loader("load", shape, 1), packing.storer("store", shape, 1)
    records = numpy.zeros((1, 1 + packing.size(shape)), numpy.int64)
    while match.to_act:
        store(records, 0, match.state)
        assert load(records, 0) == match.state
        seat = match.to_act[0]
        match.play(rng.choice(match.game.moves(match.state, seat)), seat=seat)
