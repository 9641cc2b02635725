"""Background work of a table: tasks and one timer, all of which end when the table is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

TIMER_MARGIN = 0.05
"""Seconds by which a timer fires late, so that its deadline has surely passed."""


class Background:
    """Runs tasks beside everything else."""

    __slots__ = ("_closed", "_tasks", "_timer")

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether no task is running."""
        return not self._tasks

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run something to its end, or until `close`; after that it does not begin."""
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def set_timer(self, seconds: float | None, call: Callable[[], None]) -> None:
        """Replace the timer: call a function after some seconds, or (None) not at all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, seconds) + TIMER_MARGIN, call)

    async def close(self) -> None:
        """Cancel the tasks and the timer, and wait until they have ended."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
