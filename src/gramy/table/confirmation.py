"""Confirmation: until when a table's state in memory counts as the newest one that is stored.

With several servers, another one may have stored a change that this one has not heard of. So every answer of the store
that shows the state to be the newest counts for a few seconds. After that the table may not be shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable


class Confirmation:
    """Remembers when the store was last asked with the result that a state is the newest."""

    __slots__ = ("_asked_at", "_now", "_valid_for")

    def __init__(self, now: Callable[[], float], valid_for: float) -> None:
        self._now, self._valid_for = now, valid_for
        self._asked_at = float("-inf")

    @property
    def holds(self) -> bool:
        """Whether the last confirmation is young enough. A server that was frozen finds it too old."""
        return self._now() - self._asked_at <= self._valid_for

    def record(self, asked_at: float) -> None:
        """Record a confirmation. What counts is when the store was asked: its answer may have been long under way."""
        self._asked_at = max(self._asked_at, asked_at)
