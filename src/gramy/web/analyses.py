"""Looking back at finished matches, a decision at a time, beside live tables: asked for again, it is there."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from gramy.analysis import Decision, decision_lines, moments, summarise
from gramy.matches import Match
from gramy.messages import to_builtins
from gramy.table.bot_pool import BotPool

LOG = logging.getLogger("gramy.web")
BUDGET = 0.1
"""Seconds that each decision is thought over."""
KEPT = 100
AT_ONCE = 2
"""So many matches are looked back at at a time; the others wait."""


@dataclass
class Work:
    """A match being looked back at."""

    match: Match
    of: int
    decisions: list[Decision] = field(default_factory=list)
    answer: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None


class Analyses:
    """The last matches that somebody wanted analysed."""

    def __init__(self, bots: BotPool) -> None:
        self._bots = bots
        self._works: OrderedDict[tuple[str, int], Work] = OrderedDict()
        self._turn = asyncio.Semaphore(AT_ONCE)

    def begin(self, table: str, round: int, match: Match) -> None:
        """Look back at a match, unless that is done or being done."""
        if (table, round) not in self._works:
            work = self._works[table, round] = Work(match, len(decision_lines(match)))
            work.task = asyncio.create_task(self._look_back(table, round, work))
        while len(self._works) > KEPT:
            _, oldest = self._works.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()

    def progress(self, table: str, round: int) -> dict[str, Any] | None:
        """How far it is, and the analysis when it is done; None when nobody has asked lately."""
        if (work := self._works.get((table, round))) is None:
            return None
        self._works.move_to_end((table, round))
        return {"done": len(work.decisions), "of": work.of, "analysis": work.answer}

    async def _look_back(self, table: str, round: int, work: Work) -> None:
        try:
            async with self._turn:
                for moment in moments(work.match):
                    work.decisions.append(await self._bots.evaluate(moment, BUDGET))
            work.answer = to_builtins(summarise(work.match, work.decisions))
        except Exception:
            LOG.exception("a match could not be analysed")
            self._works.pop((table, round), None)  # somebody may ask again

    async def close(self) -> None:
        """Stop looking back."""
        tasks = [work.task for work in self._works.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
