"""The PettingZoo interface in which one agent acts at a time (AEC)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from pettingzoo import AECEnv

from gramy.env import rendering, spaces
from gramy.env.drivers import ArrayMatch
from gramy.env.episode import Episode
from gramy.env.scenarios import VERSION, Scenario

if TYPE_CHECKING:
    from gymnasium.spaces import Space


class TurnEnv(AECEnv[str, Any, Any]):
    """A game as an AEC environment. `docs/environments.md` explains its observations, actions and rewards.

    Where several seats must act at once, they act one after the other, and none sees what the others have chosen. An
    illegal action raises `IllegalMove` and changes nothing.
    """

    def __init__(self, scenario: Scenario, render_mode: str | None = None) -> None:
        self.scenario, self.render_mode = scenario, render_mode
        self.metadata = {
            "name": f"gramy_{scenario.game.name.replace('-', '_')}_v{VERSION}",
            "render_modes": rendering.MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(scenario.game.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: spaces.observation_space(scenario) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.action_space(scenario) for agent in self.possible_agents}
        self.episode = Episode(scenario, ArrayMatch(scenario))
        self._random = numpy.random.default_rng()
        self._illegal = numpy.zeros(scenario.actions, numpy.int8)
        self._illegal.flags.writeable = False

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match; after a seed all later matches follow from it. There are no options."""
        if seed is not None:
            self._random = numpy.random.default_rng(seed)
        self.episode.reset(int(self._random.integers(1 << 62)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._illegal} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._select()

    def step(self, action: Any) -> None:
        """Act for `agent_selection`; None for an agent whose match is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.episode.play(self.possible_agents.index(agent), int(action))
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._illegal}
        if self.episode.actors:
            self._select()
        else:
            self._finish()

    def _select(self) -> None:
        """Let the next agent act."""
        seat = self.episode.actors[0]
        self.agent_selection = self.possible_agents[seat]
        observation, mask = self.episode.seen(seat)
        self._shown = {"observation": observation, "action_mask": mask}
        self.infos[self.agent_selection] = {"action_mask": mask}

    def _finish(self) -> None:
        """Reward the agents, each of which makes one more step, with None."""
        rewards = self.scenario.rewards(self.episode.match.winners())
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes now. Its mask is 0 everywhere unless it is the agent's turn."""
        if agent == self.agent_selection and not self.terminations[agent]:
            return self._shown
        observation, _ = self.episode.seen(self.possible_agents.index(agent))
        return {"observation": observation, "action_mask": self._illegal.copy()}

    def render(self) -> str | None:
        """Return or print the board as the agent to act sees it."""
        episode = self.episode
        seat = episode.actors[0] if episode.actors else None
        return rendering.render(self.scenario.game, episode.match.state(), seat, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
