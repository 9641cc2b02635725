"""The expert of GRA without its search: sampled deals in every round that has no strategy table. For the arena."""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.bots.gra import table_play
from gramy.bots.gra.deal_sampling import DealSampler
from gramy.bots.protocol import Bot
from gramy.contract import START, View
from gramy.matches import Entry


@dataclass(frozen=True)
class TablesOrSamples(Bot):
    """Plays by the strategy tables where there is one, and otherwise by sampled deals."""

    sampler: DealSampler

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if view.moves == (START,):
            return START
        return table_play.choose(view, history, rng) or self.sampler.choose(view, history, rng, budget)


BOT = TablesOrSamples(DealSampler(effort=1.0))
