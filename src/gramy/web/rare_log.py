"""RareLog: log entries that visitors can cause, at most one of each kind a minute."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

EVERY = 60.0
"""Seconds between two entries of a kind."""


class RareLog:
    """Logs a kind of event at most once per EVERY seconds, with the number of events since the last entry.

    Kinds are constants of the code, never texts from outside, so that the log of them stays small.
    """

    def __init__(self, log: logging.Logger, now: Callable[[], float] = time.monotonic) -> None:
        self._log, self._now = log, now
        self._seen: dict[str, tuple[float, int]] = {}  # when a kind was logged last, and how often it happened since

    def warning(self, event: str, kind: str = "", exc_info: bool = False, **extra: Any) -> None:
        """Log an event, unless one of its kind was logged within EVERY seconds."""
        now, key = self._now(), kind or event
        logged, since = self._seen.get(key, (-EVERY, 0))
        if now - logged < EVERY:
            self._seen[key] = logged, since + 1
            return
        self._seen[key] = now, 0
        level = logging.ERROR if exc_info else logging.WARNING
        self._log.log(level, event, exc_info=exc_info, extra={**extra, "more_since_last": since})
