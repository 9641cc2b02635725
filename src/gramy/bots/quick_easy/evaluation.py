"""The evaluation of a position of Quick & Easy: the team's chance to win, by a small neural network.

The network has one hidden layer of rectified linear units and reads the features of `features`. It was trained on the
bots' own matches by `training/quick_easy`. Everything but `new_evaluator` can be compiled.
"""

from __future__ import annotations

from array import array
from functools import cache
from math import exp
from pathlib import Path
from typing import NamedTuple

from gramy.bots.kernel import Floats, Ints
from gramy.bots.quick_easy.features import FEATURES, Extractor, extract, new_extractor
from gramy.bots.quick_easy.partners import MAX_TURNS
from gramy.bots.weights import read_weights
from gramy.games.quick_easy.rules import State

HIDDEN, UNROLLED = 32, 8
"""Hidden units, and how many of them one pass of the loop computes."""

WEIGHTS = FEATURES * HIDDEN + HIDDEN + HIDDEN + 1
"""A row for each feature, a row of biases, a row of output weights, and the output's bias."""
BIASES, OUTPUTS = FEATURES * HIDDEN, (FEATURES + 1) * HIDDEN

INDEX_MASK = (1 << WEIGHTS.bit_length()) - 1
"""Changes no index of a weight, but shows the compiler that none is negative: only then does it use vector
instructions."""

TYPECODE = "f"
"""Type of the numbers in a weight file."""


class Evaluator(NamedTuple):
    """The network's weights with the buffers of an evaluation; one for each thread."""

    extractor: Extractor
    weights: Floats
    active: Ints  # features that are not 0
    turns: Ints  # for `partners.list_turns`: pairs of moves


def new_evaluator(weights: Floats) -> Evaluator:
    """Return an evaluator with empty buffers."""
    return Evaluator(new_extractor(), weights, array("q", [0] * FEATURES), array("q", [0] * 2 * MAX_TURNS))


def weights_file(pro: bool) -> Path:
    """Return the package's weight file of the base or the pro game."""
    return Path(__file__).with_name("pro.bin" if pro else "base.bin")


@cache
def package_weights(pro: bool) -> Floats:
    """Return the package's weights of the base or the pro game."""
    return array("d", read_weights(weights_file(pro), TYPECODE, WEIGHTS))


def evaluate(state: State, known: Ints, evaluator: Evaluator) -> float:
    """Return the log-odds that the team wins, for a position that `state.seat` leaves before the draw."""
    features, active = evaluator.extractor.features, evaluator.active
    extract(state, known, evaluator.extractor)
    size = 0
    for feature in range(FEATURES):
        if features[feature] != 0:
            active[size] = feature
            size += 1
    logit = evaluator.weights[WEIGHTS - 1]
    for unit in range(0, HIDDEN, UNROLLED):
        logit += _units_output(evaluator, size, unit)
    return logit


def _units_output(evaluator: Evaluator, size: int, unit: int) -> float:
    """Return what this unit and the next seven add to the output. The loop is unrolled to keep them in registers."""
    weights, features, active = evaluator.weights, evaluator.extractor.features, evaluator.active
    at = (BIASES + unit) & INDEX_MASK
    a, b, c, d = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
    e, f, g, h = weights[at + 4], weights[at + 5], weights[at + 6], weights[at + 7]
    for index in range(size):
        feature = features[active[index]]
        at = (active[index] * HIDDEN + unit) & INDEX_MASK
        a += weights[at] * feature
        b += weights[at + 1] * feature
        c += weights[at + 2] * feature
        d += weights[at + 3] * feature
        e += weights[at + 4] * feature
        f += weights[at + 5] * feature
        g += weights[at + 6] * feature
        h += weights[at + 7] * feature
    at = (OUTPUTS + unit) & INDEX_MASK
    total = max(a, 0.0) * weights[at] + max(b, 0.0) * weights[at + 1]
    total += max(c, 0.0) * weights[at + 2] + max(d, 0.0) * weights[at + 3]
    total += max(e, 0.0) * weights[at + 4] + max(f, 0.0) * weights[at + 5]
    return total + max(g, 0.0) * weights[at + 6] + max(h, 0.0) * weights[at + 7]


def probability(logit: float) -> float:
    """Return the probability that has these log-odds."""
    return 1 / (1 + exp(-logit))
