"""The strongest players: by the tables in rounds between two, by imagination in all others."""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.bots.gra import duel
from gramy.bots.gra.plain import Beginner
from gramy.bots.gra.sampled import Sampler
from gramy.bots.protocol import Bot
from gramy.contract import View
from gramy.matches import Entry


@dataclass(frozen=True)
class Expert(Bot):
    """Cannot be beaten between two by more than luck and a trifle, where there is a table."""

    sampler: Sampler

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        return duel.choose(view, history, rng) or self.sampler.choose(view, history, rng, budget)

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """The chance to win the match after each offered move."""
        return duel.evaluate(view, history) or self.sampler.evaluate(view, history, rng, budget)


@dataclass(frozen=True)
class Impulsive(Bot):
    """Plays like an expert until it goes by its feelings for a move, as people do."""

    expert: Expert
    feeling: Beginner
    slip: float

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        player = self.feeling if rng.random() < self.slip else self.expert
        return player.choose(view, history, rng, budget)
