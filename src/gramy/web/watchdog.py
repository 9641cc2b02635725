"""Watchdog: measures how late the event loop is, and names the code that made it late.

A timer on the loop measures how late it runs: its delay is what every connection waits at that moment. A thread looks
whether the timer is overdue, and then reads the stack of the loop's thread. Neither is in the path of a move.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from pathlib import Path
from types import FrameType

from gramy.web.metrics import LoopDelays
from gramy.web.rare_log import RareLog

INTERVAL = 0.05
"""Seconds between two measurements."""
STALL = 0.25
"""Seconds of delay from which the cause is logged: people notice it. Full garbage collections stay below it."""
FRAMES = 6
"""Calls that are named, the innermost first."""


class Watchdog:
    """Watches the running event loop between `start` and `stop`."""

    def __init__(self, delays: LoopDelays, stall: float = STALL) -> None:
        self._delays, self._stall = delays, stall
        self._log = RareLog(logging.getLogger("gramy.loop"))
        self._due = time.monotonic()
        self._cause = ""  # what the loop was doing when the thread found it late
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        """Start the timer on the running loop, and the thread."""
        self._loop, self._watched = asyncio.get_running_loop(), threading.get_ident()
        self._schedule()
        self._thread = threading.Thread(target=self._watch, name="gramy-watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop both."""
        self._stopped.set()
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self) -> None:
        self._due = time.monotonic() + INTERVAL
        self._timer = self._loop.call_later(INTERVAL, self._measure)

    def _measure(self) -> None:
        delay, cause = max(0.0, time.monotonic() - self._due), self._cause
        self._cause = ""
        self._delays.add(delay)
        if delay >= self._stall:
            self._log.warning("the event loop was blocked", seconds=round(delay, 3), cause=cause or "not seen")
        self._schedule()

    def _watch(self) -> None:
        """Run in the thread: when the timer is overdue, note what the loop's thread does."""
        while not self._stopped.wait(INTERVAL):
            if not self._cause and time.monotonic() - self._due > self._stall / 2:
                self._cause = describe(sys._current_frames().get(self._watched))


def describe(frame: FrameType | None) -> str:
    """Return the innermost calls of a stack, for example `draw (page.py:12) < handle (app.py:80)`."""
    calls: list[str] = []
    while frame is not None and len(calls) < FRAMES:
        calls.append(f"{frame.f_code.co_name} ({Path(frame.f_code.co_filename).name}:{frame.f_lineno})")
        frame = frame.f_back
    return " < ".join(calls)
