"""Analyses: analyses of finished matches, computed in the background and kept for later requests.

They are kept without the players' names. A response takes the names from the table, where they can be deleted.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gramy.analysis import Decision, decision_lines, decision_points, summarise
from gramy.matches import Match
from gramy.messages import to_builtins
from gramy.table.bot_pool import BotPool
from gramy.table.threads import in_thread

LOG = logging.getLogger("gramy.web")
SECONDS_PER_DECISION = 0.1
MAX_KEPT = 100
MAX_PARALLEL = 2


@dataclass
class AnalysisJob:
    """The analysis of one match: its progress, then its result."""

    match: Match
    total: int
    decisions: list[Decision] = field(default_factory=list)
    result: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None


class Analyses:
    """The analyses that were requested last; at most MAX_PARALLEL run at a time."""

    def __init__(self, bots: BotPool) -> None:
        self._bots = bots
        self._jobs: OrderedDict[tuple[str, int], AnalysisJob] = OrderedDict()
        self._semaphore = asyncio.Semaphore(MAX_PARALLEL)

    async def start(self, table: str, round: int, match: Match) -> None:
        """Start the analysis of a match, unless it runs or is finished."""
        total = len(await in_thread(decision_lines, match))
        if (table, round) not in self._jobs:
            job = self._jobs[table, round] = AnalysisJob(match.named(()), total)
            job.task = asyncio.create_task(self._run(table, round, job))
        while len(self._jobs) > MAX_KEPT:
            _, oldest = self._jobs.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()

    def progress(self, table: str, round: int, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the progress of an analysis and, once finished, its result with these names; None without a job."""
        if (job := self._jobs.get((table, round))) is None:
            return None
        self._jobs.move_to_end((table, round))
        result = job.result and {**job.result, "names": list(names)}
        return {"done": len(job.decisions), "of": job.total, "analysis": result}

    async def _run(self, table: str, round: int, job: AnalysisJob) -> None:
        try:
            async with self._semaphore:
                points = decision_points(job.match)
                while (point := await in_thread(next, points, None)) is not None:
                    job.decisions.append(await self._bots.evaluate(point, SECONDS_PER_DECISION))
            job.result = to_builtins(await in_thread(summarise, job.match, job.decisions))
        except Exception:
            LOG.exception("the analysis of a match failed")
            self._jobs.pop((table, round), None)  # the next request starts it again

    async def close(self) -> None:
        """Cancel all jobs."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
