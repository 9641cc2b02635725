"""An episode: one match with its talk, stepped by the numbers of actions. All interfaces share it.

The rules decide who moves and what is legal; `gramy.env.turns` adds talk and who takes the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy

from gramy.contract import State
from gramy.env import talk, turns
from gramy.env.scenarios import Scenario
from gramy.errors import IllegalMove
from gramy.messages import Message

if TYPE_CHECKING:
    from numpy import int8
    from numpy.typing import NDArray


class MatchDriver(Protocol):
    """A match of the game as an episode plays it; deals happen by themselves."""

    acting: int
    """The seats to act, as bits; 0 when the match is over."""

    def reset(self, seed: int) -> None:
        """Begin a new match."""

    def play(self, seat: int, action: int) -> bool:
        """Make the move of an action; return False and change nothing if it is not legal."""

    def say(self, seat: int, phrase: str) -> None:
        """Say a phrase. It changes nothing in the state."""

    def observe(self, seat: int, observation: NDArray[int8], mask: NDArray[int8]) -> None:
        """Write the game's part of an observation, and 1 for each action that is a legal move of the seat."""

    def state(self) -> State:
        """Return the whole state, hidden cards included."""

    def winners(self) -> int:
        """Return the seats that have won, as bits."""


class Episode:
    """One match with its talk. `actors` may act now; a sequential interface lets the first of them act."""

    def __init__(self, scenario: Scenario, match: MatchDriver) -> None:
        self.scenario, self.match = scenario, match
        self.actors: tuple[int, ...] = ()
        self._silence = talk.silence(scenario.game.players, scenario.agreed)
        self.talk = self._silence
        self._zeros, self._from_bytes, self._int8 = numpy.zeros, numpy.frombuffer, numpy.int8

    def reset(self, seed: int) -> None:
        """Begin a new match; the same seed deals the same cards."""
        self.match.reset(seed)
        self.talk = turns.round_of_talk(self.scenario, self._silence, self.match.acting)
        self.actors = turns.actors(self.scenario, self.talk, self.match.acting)

    @property
    def asking(self) -> bool:
        """Whether the seats are being asked who takes the start."""
        return turns.asking(self.talk)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return not self.match.acting

    def play(self, seat: int, action: int) -> None:
        """Act for a seat; raises IllegalMove, and then nothing has changed."""
        scenario, match = self.scenario, self.match
        if seat not in self.actors or not self._played(seat, action):
            raise IllegalMove(Message("illegal_action", {"match": 0, "seat": seat, "action": action}))
        if scenario.conversing:
            self.talk = turns.after(scenario, self.talk, seat, action)
            if action == scenario.end and match.acting:
                self.talk = turns.round_of_talk(scenario, self.talk, match.acting)
        self.actors = turns.actors(scenario, self.talk, match.acting)

    def _played(self, seat: int, action: int) -> bool:
        """Do what an action does to the match; return False if the action is not legal."""
        wait = self.scenario.wait
        if action < wait:
            return not self.talk.speakers and self.match.play(seat, action)
        if not turns.allowed(self.scenario, self.talk, self.match.acting, seat, action):
            return False
        if action > wait:
            self.match.say(seat, self.scenario.phrases[action - wait - 1].text)
        return True

    def seen(self, seat: int) -> tuple[NDArray[int8], NDArray[int8]]:
        """Return the observation of a seat and the mask of its actions, as new arrays."""
        scenario = self.scenario
        observation, mask = self._zeros(scenario.width, self._int8), self._zeros(scenario.actions, self._int8)
        self.match.observe(seat, observation, mask)
        if seat not in self.actors or self.talk.speakers:
            mask[:] = 0
        if scenario.conversing:
            tail = turns.numbers(scenario, self.talk, seat)
            observation[-len(tail) :] = self._from_bytes(tail, self._int8)
            if seat in self.actors:
                besides = turns.mask(scenario, self.talk, self.match.acting, seat)
                mask[scenario.wait :] = self._from_bytes(besides, self._int8)
        return observation, mask
