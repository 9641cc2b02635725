"""The scenario of an environment: a game with its options, with talk or in silence, and what its numbers mean.

Actions are the game's own (`Rules.actions`), in the same order as in `gramy.Batch`. Where an environment needs more,
they follow: `wait`, then one for each phrase. Features of the environment follow those of the game in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gramy import encoding, games
from gramy.batch import rewards_by_winners
from gramy.contract import Game
from gramy.encoding import ActionBlock, Feature
from gramy.env.talk import PHRASES_IN_A_ROUND, Phrase, vocabulary

VERSION = 1
"""The version in the names of environments, raised when an action, an observation or a reward changes its meaning."""

NO_ROW = -1  # the row of actions that are no moves of the game
START, END = "start", "end"  # the blocks of the moves that take the start and that end a turn


@dataclass(frozen=True)
class Scenario:
    """A game as an environment plays it. `waiting` adds the action `wait` even where no rule needs it."""

    game: Game
    talk: bool
    waiting: bool = False

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases that may be said here."""
        return vocabulary(self.game) if self.talk else ()

    @cached_property
    def moves(self) -> tuple[ActionBlock, ...]:
        """The actions that are moves of the game."""
        return self.game.rules.actions(self.game.options)

    @cached_property
    def agreed(self) -> bool:
        """Whether the players agree on who starts: there is a move `start`, which seats may leave to others."""
        return START in encoding.slices(self.moves)

    @cached_property
    def blocks(self) -> tuple[ActionBlock, ...]:
        """All actions, in order."""
        blocks = self.moves
        if self.waiting or self.agreed or self.phrases:
            blocks += (ActionBlock("wait", NO_ROW, 0, 1, "do nothing: leave talk, the start or the move to others"),)
        if self.phrases:
            blocks += (ActionBlock("say", NO_ROW, 0, len(self.phrases), "say the phrase of this number"),)
        return blocks

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """All numbers of an observation, in order."""
        features, players = self.game.rules.observation(self.game.options), self.game.players
        if self.agreed:
            features += (Feature("declined", players, 0, 1, "who has left the start to others, from the own seat on"),)
        if self.phrases:
            number = len(self.phrases)
            said = f"what each seat has said since its last turn, from the own seat on: {number} phrases each"
            features += (
                Feature("said", players * number, 0, 1, said),
                Feature("talking", players, 0, 1, "who may still talk in this round of talk, from the own seat on"),
                Feature("phrases_left", 1, 0, PHRASES_IN_A_ROUND, "phrases that the own seat may still say now"),
            )
        return features

    @cached_property
    def conversing(self) -> bool:
        """Whether seats act in other ways than by moves of the game: they talk, or agree on who starts."""
        return self.agreed or bool(self.phrases)

    @cached_property
    def wait(self) -> int:
        """The action `wait`, if there is one; the phrases follow it."""
        return encoding.width(self.moves)

    @cached_property
    def start(self) -> int | None:
        """The action that takes the start, where the players agree on it."""
        return self.places[START].start if self.agreed else None

    @cached_property
    def end(self) -> int | None:
        """The action that ends a turn, in games that have one."""
        return self.places[END].start if END in self.places else None

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The code of the move of each action."""
        return encoding.action_codes(self.moves)

    @cached_property
    def actions(self) -> int:
        """The number of actions."""
        return encoding.width(self.blocks)

    @cached_property
    def width(self) -> int:
        """The number of numbers in an observation."""
        return encoding.width(self.features)

    @cached_property
    def places(self) -> dict[str, slice]:
        """Where each block of actions is, by its name."""
        return encoding.slices(self.blocks)

    def __deepcopy__(self, memo: dict[int, object]) -> Scenario:
        """Return the scenario itself: it never changes."""
        return self

    def action_text(self, state: Any, seat: int, action: int) -> str:
        """Return an action as text: the move, `wait`, or `say` with the phrase."""
        if action < self.wait:
            return self.game.rules.format_move(state, seat, self.codes[action])
        return "wait" if action == self.wait else f"say {self.phrases[action - self.wait - 1].text}"

    @cached_property
    def _rewards(self) -> list[list[float]]:
        return rewards_by_winners(self.game)

    def rewards(self, winners: int) -> tuple[float, ...]:
        """Return the reward of each seat at the end of a match, as in `gramy.Batch`."""
        return tuple(self._rewards[winners])


def scenario(name: str, talk: bool, options: dict[str, Any], waiting: bool = False) -> Scenario:
    """Return the scenario of a game by its name; raises UnknownGame or BadOptions."""
    return Scenario(games.game(name, options), talk, waiting)


def title(name: str) -> str:
    """Return a game's name as ids of environments write it: each word with a capital, no spaces."""
    return name.replace("-", " ").title().replace(" ", "")
