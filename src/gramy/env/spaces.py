"""Observation and action spaces of Gymnasium, from the features and actions of a scenario."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from numpy import array, int8

from gramy.env.scenarios import Scenario


def observation_space(scenario: Scenario, moves_only: bool = False) -> spaces.Dict:
    """Return the space of `{"observation": numbers, "action_mask": 1 for each legal action}`.

    `moves_only` leaves out what an environment adds to the game: talk, `wait`, and who has declined to start.
    """
    features = scenario.game.rules.observation(scenario.game.options) if moves_only else scenario.features
    low = [feature.low for feature in features for _ in range(feature.size)]
    high = [feature.high for feature in features for _ in range(feature.size)]
    numbers: Any = spaces.Box(array(low, int8), array(high, int8), dtype=int8)
    mask: Any = spaces.Box(0, 1, (_actions(scenario, moves_only),), int8)
    return spaces.Dict({"observation": numbers, "action_mask": mask})


def action_space(scenario: Scenario, moves_only: bool = False) -> spaces.Discrete:
    """Return the space of actions. Sample from it with the mask: `space.sample(mask)`."""
    return spaces.Discrete(_actions(scenario, moves_only))


def _actions(scenario: Scenario, moves_only: bool) -> int:
    return scenario.wait if moves_only else scenario.actions
