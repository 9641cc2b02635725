"""The PettingZoo interface in which all agents act at once (Parallel)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from pettingzoo import ParallelEnv

from gramy.env import rendering, spaces
from gramy.env.drivers import ArrayMatch
from gramy.env.episode import Episode
from gramy.env.scenarios import START, VERSION, Scenario
from gramy.errors import IllegalMove
from gramy.messages import Message

if TYPE_CHECKING:
    from gymnasium.spaces import Space


class SimultaneousEnv(ParallelEnv[str, Any, Any]):
    """A game in which every agent acts in every step: seats that are not to act `wait`, their only legal action.

    Seats that choose at once (faces, phrases, the start) act in the same step. If several take the start, or none, a
    lot decides. An illegal action raises `IllegalMove`, and then nothing has changed.
    """

    def __init__(self, scenario: Scenario, render_mode: str | None = None) -> None:
        self.scenario, self.render_mode = scenario, render_mode
        self.metadata = {
            "name": f"gramy_{scenario.game.name.replace('-', '_')}_parallel_v{VERSION}",
            "render_modes": rendering.MODES,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(scenario.game.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: spaces.observation_space(scenario) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.action_space(scenario) for agent in self.possible_agents}
        self.episode = Episode(scenario, ArrayMatch(scenario))
        self._wait = scenario.places["wait"].start
        self._random = numpy.random.default_rng()

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new match; after a seed all later matches follow from it. There are no options."""
        if seed is not None:
            self._random = numpy.random.default_rng(seed)
        self.episode.reset(int(self._random.integers(1 << 62)))
        self.agents = self.possible_agents[:]
        return self._seen()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Act for all agents at once."""
        chosen = {self.possible_agents.index(agent): int(action) for agent, action in actions.items()}
        self._check(chosen)
        if self.episode.asking:
            self._start(chosen)
        else:
            for seat in self.episode.actors:
                self.episode.play(seat, chosen[seat])
        agents, over = self.agents, self.episode.over
        rewards = self.scenario.rewards(self.episode.match.winners()) if over else (0.0,) * len(agents)
        observations, infos = self._seen()
        if over:
            self.agents = []
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            infos,
        )

    def _check(self, chosen: dict[int, int]) -> None:
        """Raise IllegalMove unless every agent has a legal action."""
        for seat in range(len(self.agents)):
            action = chosen.get(seat, -1)
            if not 0 <= action < self.scenario.actions or not self._mask(seat, self.episode.seen(seat)[1])[action]:
                raise IllegalMove(Message("illegal_action", {"match": 0, "seat": seat, "action": action}))

    def _start(self, chosen: dict[int, int]) -> None:
        """Let a seat that takes the start have it; a lot decides between several, and between all if none does."""
        start = self.scenario.places[START].start
        takers = [seat for seat, action in chosen.items() if action == start] or list(chosen)
        self.episode.play(takers[int(self._random.integers(len(takers)))], start)

    def _mask(self, seat: int, mask: Any) -> Any:
        """Return the mask of a seat's actions: it may wait when it is not to act, and when all may take the start."""
        if seat not in self.episode.actors or self.episode.asking:
            mask[self._wait] = not self.episode.over
        return mask

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observations, infos = {}, {}
        for seat, agent in enumerate(self.agents):
            observation, mask = self.episode.seen(seat)
            mask = self._mask(seat, mask)
            observations[agent] = {"observation": observation, "action_mask": mask}
            infos[agent] = {"action_mask": mask}
        return observations, infos

    def render(self) -> str | None:
        """Return or print the board as a spectator sees it."""
        return rendering.render(self.scenario.game, self.episode.match.state(), None, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
