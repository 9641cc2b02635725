"""Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015). It can be compiled as part of a kernel."""

from __future__ import annotations

from collections.abc import MutableSequence
from math import sqrt
from typing import NamedTuple

BETA_1 = 0.9
"""Decay rate of the mean of the gradients."""
BETA_2 = 0.999
"""Decay rate of the mean of their squares."""


class Adam(NamedTuple):
    """The state of the optimiser, one number for each weight: the gradient summed over the batch, the running mean of
    the gradients (first moment) and of their squares (second moment)."""

    gradient: MutableSequence[float]
    first_moment: MutableSequence[float]
    second_moment: MutableSequence[float]


def adam_step(
    weights: MutableSequence[float], adam: Adam, batch: int, step: int, learning_rate: float, epsilon: float
) -> None:
    """Make one step against the mean gradient of a batch, and clear the gradient. Steps are counted from 1."""
    correction_1, correction_2 = 1.0 - BETA_1**step, 1.0 - BETA_2**step
    for k in range(len(weights)):
        gradient = adam.gradient[k] / batch
        adam.gradient[k] = 0.0
        adam.first_moment[k] = BETA_1 * adam.first_moment[k] + (1.0 - BETA_1) * gradient
        adam.second_moment[k] = BETA_2 * adam.second_moment[k] + (1.0 - BETA_2) * gradient * gradient
        mean, square = adam.first_moment[k] / correction_1, adam.second_moment[k] / correction_2
        weights[k] -= learning_rate * mean / (sqrt(square) + epsilon)
