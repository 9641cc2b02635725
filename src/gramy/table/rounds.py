"""What no command does for a round: end the waits of its deal, and begin it after a restart or the store's absence."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple

from gramy.table import dealing, state
from gramy.table.dealing import COMMIT, REVEAL
from gramy.table.store import PLAYING
from gramy.table.table import Table

SLICES = 10
"""A wait is slept in this many parts. A server that was frozen has lost one of them, not the whole wait."""


class _Wait(NamedTuple):
    """What a deal waits for: the phase of an attempt. Who takes a seat that was left has the whole wait again."""

    round: int
    attempt: int
    phase: str
    owners: tuple[str | None, ...]


class RoundStarter:
    """Moves the deals of one table on, and begins the rounds that are ready to begin."""

    __slots__ = ("_starting", "_table", "_waiting_for")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._starting = False
        self._waiting_for: _Wait | None = None
        table.listeners.append(self.wake)

    def wake(self) -> None:
        """Begin a wait or a round in the background if one is due."""
        now = self._table.state
        if now.status == PLAYING:
            return
        if now.is_over:
            if not self._starting and self._is_agreed():
                self._starting = True
                self._table.background.spawn(self._start())
        elif (wait := self._wait()) is not None and wait != self._waiting_for:
            self._waiting_for = wait
            self._table.background.spawn(self._end(wait))

    async def _start(self) -> None:
        try:
            await self._table.attempt(state.begin_if_agreed)
        finally:
            self._starting = False

    async def _end(self, wait: _Wait) -> None:
        """Sleep, and end the wait unless it has ended by itself."""
        times = self._table.services.times
        seconds = times.seed_wait if wait.phase == COMMIT else times.reveal_wait
        try:
            for _ in range(SLICES):
                await asyncio.sleep(seconds / SLICES)
                if self._wait() != wait:
                    return
            step = dealing.close_list if wait.phase == COMMIT else dealing.void_attempt
            await self._table.attempt(partial(step, round=wait.round, attempt=wait.attempt))
        finally:
            if self._waiting_for == wait:
                self._waiting_for = None  # if the store was away, the next `wake` begins the wait again

    def _wait(self) -> _Wait | None:
        now = self._table.state
        phase = dealing.phase_of(now)
        if phase not in (COMMIT, REVEAL):
            return None
        return _Wait(now.round, dealing.exchange_of(now).attempt, phase, tuple(seat.token for seat in now.seats))

    def _is_agreed(self) -> bool:
        table, now = self._table, self._table.state
        if table.audience.presence.unseen(table.services.times.away) - now.rematch:
            return False  # after a restart the clients connect again one by one
        return state.begin_if_agreed(now, table.audience.moment(now)) is not now
