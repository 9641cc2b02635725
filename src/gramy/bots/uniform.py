"""A bot of any game that plays uniformly at random: the baseline of every comparison."""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.bots.protocol import Bot
from gramy.contract import View
from gramy.matches import Entry


@dataclass(frozen=True)
class RandomBot(Bot):
    """Chooses each legal move with the same probability, and says nothing."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        return rng.choice(view.moves)


RANDOM = RandomBot()
