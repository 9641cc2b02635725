"""A training run of Quick & Easy that can be interrupted: it is stored in a file, and goes on from there.

The same plan gives the same weights, with or without an interruption.
"""

from __future__ import annotations

import json
import os
import random
import zlib
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from gramy.bots.kernel import Floats, kernel
from gramy.bots.quick_easy.evaluation import BIASES, OUTPUTS, WEIGHTS, new_evaluator, package_weights
from gramy.bots.quick_easy.partners import LIKE_ME
from gramy.bots.quick_easy.talk import BAND, COLOUR, PILE, SILENT
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import Options, start
from gramy.playout import first_word
from training.quick_easy.learning import TeamLearner, TeamPlay, new_beliefs, new_learner, new_search, train

CHUNK = 500
"""Episodes with the same number of players and style of talk."""
PLAYERS: tuple[Literal[2, 3, 4, 5], ...] = (2, 2, 2, 3, 4, 5)
"""Teams of two win least, so they train most."""
STYLES = {"base": (SILENT, BAND, BAND, BAND), "pro": (SILENT, COLOUR, PILE, PILE)}
"""How the team talks; each as often as it is listed."""
PARTNER_STYLES = (SILENT, SILENT, COLOUR, BAND)
"""How partners talk who play in another way. The learner itself says all that the rules allow."""


class Stage(NamedTuple):
    """A part of the run: the share of all episodes at which it ends, its exploration noise and its learning rate."""

    until: float
    noise: float
    learning_rate: float


STAGES = (Stage(0.45, 0.15, 2e-3), Stage(0.7, 0.07, 6e-4), Stage(0.85, 0.02, 3e-4), Stage(1.0, 0.0, 1e-4))
"""At the end there is no exploration: the value of a position depends on how it is played on."""
PARTNER_STAGES = (Stage(0.5, 0.07, 6e-4), Stage(0.8, 0.02, 3e-4), Stage(1.0, 0.0, 1e-4))
"""Of a run that starts from the weights of the package and gets used to another partner."""
SEARCHED_STAGE = Stage(1.0, 0.0, 1e-4)
"""The last part of a run, in which talking teams search."""
DEALS = 6
"""Sampled deals of a search in training."""
WARM_UP, WARM_UP_NOISE = 0.05, 1.5
"""The first share of the episodes of a run from scratch, and its exploration noise."""


class TrainingPlan(NamedTuple):
    """All that the weights depend on besides the code. In the last `searched` episodes talking teams search. `partner`
    is the model of the other seats (`partners`)."""

    game: str
    episodes: int
    seed: int
    from_scratch: bool
    searched: int
    partner: int = LIKE_ME


class CurvePoint(NamedTuple):
    """A point of the learning curve: the share of wins in one chunk, and how it was played."""

    episodes: int
    players: int
    style: int
    wins: float


class TrainingRun:
    """A run of a plan: its weights, its optimiser and its random numbers."""

    def __init__(self, plan: TrainingPlan) -> None:
        self.plan = plan
        self.rng = random.Random(plan.seed)
        self.word = first_word(plan.seed)
        self.weights: Floats = (
            random_weights(self.rng) if plan.from_scratch else array("d", package_weights(plan.game == "pro"))
        )
        self.learner: TeamLearner = new_learner()
        self.done = 0

    def chunks(self) -> Iterator[CurvePoint]:
        """Learn chunk by chunk until the plan is fulfilled; yield the wins of each."""
        train_chunk, evaluator = kernel(RULES, train), new_evaluator(self.weights)
        while self.done < self.plan.episodes:
            state = start(Options(self.rng.choice(PLAYERS), self.plan.game == "pro", "lot"))
            play = self._team(state.players, evaluator)
            style = play.beliefs.styles[self._partner_seat(play)]
            rate = self._stage().learning_rate
            wins, self.word = train_chunk(state, play, self.learner, CHUNK, rate, self.word)
            self.done += CHUNK
            yield CurvePoint(self.done, state.players, style, wins / CHUNK)

    def _stage(self) -> Stage:
        if self._searches():
            return SEARCHED_STAGE
        done = self.done / (self.plan.episodes - self.plan.searched)
        stage = next(one for one in (PARTNER_STAGES if self.plan.partner else STAGES) if done < one.until)
        if self.plan.from_scratch and done < WARM_UP:
            return stage._replace(noise=WARM_UP_NOISE)
        return stage

    def _searches(self) -> bool:
        return self.done >= self.plan.episodes - self.plan.searched

    def _team(self, players: int, evaluator: Any) -> TeamPlay:
        """Return how the team of the next chunk plays."""
        game, partner = self.plan.game, self.plan.partner
        style = self.rng.choice(STYLES[game] if partner == LIKE_ME else PARTNER_STYLES)
        beliefs = new_beliefs(style)
        if partner != LIKE_ME:
            own = self.rng.randrange(players)
            for seat in range(len(beliefs.models)):
                beliefs.models[seat] = LIKE_ME if seat == own else partner
            beliefs.styles[own] = STYLES[game][-1]
        deals = DEALS if self._searches() and style != SILENT else 0
        return TeamPlay(beliefs, evaluator, new_search(style), deals, self._stage().noise)

    def _partner_seat(self, play: TeamPlay) -> int:
        """Return a seat that plays by the model of the plan."""
        return next(seat for seat, model in enumerate(play.beliefs.models) if model == self.plan.partner)

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state of the run as plain values."""
        adam, version = self.learner.adam, self.rng.getstate()
        return {
            "plan": list(self.plan),
            "done": self.done,
            "word": self.word,
            "rng": [version[0], list(version[1]), version[2]],
            "weights": list(self.weights),
            "adam": [list(part) for part in adam],
            "counts": list(self.learner.counts),
        }

    def restore(self, stored: dict[str, Any]) -> None:
        """Go back to a snapshot of the same plan."""
        assert stored["plan"] == list(self.plan), "the checkpoint is of another plan"
        version, numbers, gauss = stored["rng"]
        self.rng.setstate((version, tuple(numbers), gauss))
        self.done, self.word = stored["done"], stored["word"]
        self.weights = array("d", stored["weights"])
        for part, numbers in zip(self.learner.adam, stored["adam"], strict=True):
            part[:] = array("d", numbers)
        self.learner.counts[:] = array("q", stored["counts"])


def random_weights(rng: random.Random) -> Floats:
    """Return random weights, with biases of 0."""
    return array("d", [rng.uniform(-0.3, 0.3) * (at < BIASES or at >= OUTPUTS) for at in range(WEIGHTS)])


def write_checkpoint(file: Path, stored: dict[str, Any]) -> None:
    """Replace a checkpoint as a whole, so that an interruption leaves the old one or the new one."""
    fresh = file.with_name(file.name + ".new")
    fresh.write_bytes(zlib.compress(json.dumps(stored).encode(), 1))
    os.replace(fresh, file)


def read_checkpoint(file: Path) -> dict[str, Any]:
    """Return what `write_checkpoint` wrote."""
    stored: dict[str, Any] = json.loads(zlib.decompress(file.read_bytes()))
    return stored
