"""Adam takes steps of the size that its paper promises, and finds a minimum."""

import pytest

from training.optimiser import Adam, adam_step


def test_the_first_step_has_the_size_of_the_learning_rate_against_the_gradient() -> None:
    weights, adam = [1.0, 1.0], Adam([20.0, -0.3], [0.0] * 2, [0.0] * 2)
    adam_step(weights, adam, batch=10, step=1, learning_rate=0.01, epsilon=1e-12)
    assert weights == pytest.approx([0.99, 1.01])
    assert adam.gradient == [0.0, 0.0]


def test_steps_lead_to_the_minimum_of_a_parabola() -> None:
    weights, adam = [3.0], Adam([0.0], [0.0], [0.0])
    for step in range(1, 2000):
        adam.gradient[0] = 2 * (weights[0] - 1.5)
        adam_step(weights, adam, batch=1, step=step, learning_rate=0.01, epsilon=1e-8)
    assert weights[0] == pytest.approx(1.5, abs=1e-3)
