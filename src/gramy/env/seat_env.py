"""The Gymnasium interface: one agent plays a seat, bots of a chosen level play the others."""

from __future__ import annotations

import random
from typing import Any

import gymnasium

from gramy import encoding
from gramy.bots import bot
from gramy.contract import SEATS
from gramy.env import rendering, spaces
from gramy.env.drivers import LoggedMatch
from gramy.env.episode import Episode
from gramy.env.scenarios import scenario
from gramy.errors import BadOptions, IllegalMove
from gramy.messages import Message

ILLEGAL_REWARD = -1.0


class SeatEnv(gymnasium.Env[Any, Any]):
    """A seat in a game. The match is dealt again if it ends before the agent has acted.

    An illegal action ends the episode with a reward of -1, and `info["illegal"]` is True: Gymnasium's own tools sample
    actions without the mask.
    """

    metadata = {"render_modes": rendering.MODES, "render_fps": 1}  # noqa: RUF012 - Gymnasium reads it from the class

    def __init__(
        self,
        game: str,
        opponent: str = "medium",
        seat: int | None = None,
        talk: bool = True,
        budget: float = 0.05,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Prepare a game. Without a `seat` the agent gets a random one in each match.

        `budget` is what a bot may spend on a move, in seconds of a quiet core; it is turned into a number of
        simulations, so that the same seed gives the same match.
        """
        self.scenario = scenario(game, talk, options)
        players = self.scenario.game.players
        if seat is not None and seat not in range(players):
            raise BadOptions(Message("no_such_seat", {"asked": seat, "last": players - 1}))
        self._bot = bot(game, opponent)
        self._wanted, self._budget = seat, budget
        self.render_mode = render_mode
        self.observation_space = spaces.observation_space(self.scenario)
        self.action_space = spaces.action_space(self.scenario)
        self._match = LoggedMatch(self.scenario)
        self.episode = Episode(self.scenario, self._match)
        self.seat, self._over = 0, True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new match, and let the bots play until the agent is to act. There are no options."""
        super().reset(seed=seed)
        players = self.scenario.game.players
        while True:
            self.seat = int(self.np_random.integers(players)) if self._wanted is None else self._wanted
            # two seeds: from the dealer's own numbers a bot could tell the hidden cards
            deal, bots = (int(self.np_random.integers(1 << 62)) for _ in range(2))
            self._bots_random = random.Random(bots)
            self.episode.reset(deal)
            self._let_bots_play()
            if self.episode.actors:
                self._over = False
                return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act, and let the bots play until it is the agent's turn again."""
        if self._over:
            raise IllegalMove(Message("match_over"))
        try:
            self.episode.play(self.seat, int(action))
        except IllegalMove:
            observation, info = self._seen()
            self._over = True  # the episode is over, although the match is not
            return observation, ILLEGAL_REWARD, True, False, {**info, "illegal": True}
        self._let_bots_play()
        observation, info = self._seen()
        self._over = self.episode.over
        reward = self.scenario.rewards(self._match.winners())[self.seat] if self._over else 0.0
        return observation, reward, self._over, False, info

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observation, mask = self.episode.seen(self.seat)
        winners = SEATS[self._match.winners()]
        info = {"action_mask": mask.copy(), "seat": self.seat, "winners": winners, "illegal": False}
        return {"observation": observation, "action_mask": mask}, info

    def _let_bots_play(self) -> None:
        while self.episode.actors and self.episode.actors[0] != self.seat:
            seat = self.episode.actors[0]
            self.episode.play(seat, self._bot_action(seat))

    def _bot_action(self, seat: int) -> int:
        """Return the action of a bot: what it says in a round of talk, whether it takes the start, or its move."""
        episode, match, places = self.episode, self._match.match, self.scenario.places
        view, history = match.view(seat), match.history(seat)
        if episode.talk.speakers:
            spoken = set(self._bot.say(view, history, self._bots_random))
            mask = episode.seen(seat)[1]
            said = [places["say"].start + phrase.number for phrase in self.scenario.phrases if phrase.text in spoken]
            return next((action for action in said if mask[action]), self.scenario.wait)
        if episode.asking and self._bots_random.randrange(len(episode.actors)):
            return self.scenario.wait
        move = self._bot.choose(view, history, self._bots_random, self._budget)
        code = self.scenario.game.rules.parse_move(match.state, seat, tuple(move.split()))
        return encoding.action_of(self.scenario.moves, code)

    def render(self) -> Any:
        """Return or print the board as the agent sees it."""
        return rendering.render(self.scenario.game, self._match.state(), self.seat, self.render_mode)
