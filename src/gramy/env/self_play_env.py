"""Many matches as one Gymnasium `VectorEnv` on `gramy.Batch`: an agent plays all seats of all matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gramy.batch import Batch
from gramy.env import rendering, spaces
from gramy.env.scenarios import scenario


class SelfPlayEnv(VectorEnv[Any, Any, Any]):
    """n matches stepped together. The observation in each is that of the seat to act, `infos["seat"]`.

    The reward is that of the seat that has just acted; `infos["rewards"]` has those of all seats. A match that ends is
    replaced in the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` is what the seat that acted saw last. An
    illegal action raises `IllegalMove`, and then nothing has changed.
    """

    def __init__(self, game: str, num_envs: int = 1, threads: int = 1, render_mode: str | None = None, **options: Any):
        self.scenario = scenario(game, False, options)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.metadata = {
            "render_modes": rendering.MODES,
            "render_fps": 1,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.batch = Batch(self.scenario.game, num_envs, threads=threads)
        self.single_observation_space = spaces.observation_space(self.scenario, moves_only=True)
        self.single_action_space = spaces.action_space(self.scenario, moves_only=True)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all matches anew. A whole number seeds the batch, a list has a seed for each match; no options."""
        if isinstance(seed, Sequence):
            fresh = numpy.random.default_rng().integers(1 << 62, size=self.num_envs)
            self.batch.reset([int(fresh[i]) if one is None else one for i, one in enumerate(seed)])
        else:
            super().reset(seed=seed)
            self.batch.reset(int(self.np_random.integers(1 << 31)))
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make a move in every match."""
        acted = self.batch.to_act.copy()
        self.batch.step(numpy.asarray(actions, numpy.int64))
        every = numpy.arange(self.num_envs)
        done = self.batch.done.copy()
        info = self._info()
        info["rewards"] = self.batch.rewards.copy()
        if done.any():
            mask = numpy.zeros(self.scenario.wait, numpy.int8)
            final = self.batch.final_observations[every, acted]
            info["final_obs"] = numpy.array([None] * self.num_envs, dtype=object)
            for i in numpy.flatnonzero(done):
                info["final_obs"][i] = {"observation": final[i], "action_mask": mask.copy()}
            info["_final_obs"] = done.copy()
        rewards = info["rewards"][every, acted].astype(numpy.float64)
        return self._seen(), rewards, done, numpy.zeros(self.num_envs, numpy.bool_), info

    def _seen(self) -> dict[str, Any]:
        return {
            "observation": self.batch.observations.copy(),
            "action_mask": self.batch.masks.astype(numpy.int8),
        }

    def _info(self) -> dict[str, Any]:
        return {"seat": self.batch.to_act.copy(), "action_mask": self.batch.masks.astype(numpy.int8)}

    def render(self) -> tuple[Any, ...] | None:
        """Return or print the boards as the seats to act see them."""
        if self.render_mode is None:
            return None
        seats = self.batch.to_act
        return tuple(
            rendering.render(self.scenario.game, self.batch.state(i), int(seats[i]), self.render_mode)
            for i in range(self.num_envs)
        )
