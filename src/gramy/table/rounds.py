"""Rounds that no command begins: after the wait for client seeds, after a restart, or after the store was away."""

from __future__ import annotations

import asyncio
from functools import partial

from gramy.table import state
from gramy.table.store import PLAYING, WAITING
from gramy.table.table import Table


class RoundStarter:
    """Begins the rounds of one table that are ready to begin."""

    __slots__ = ("_starting", "_table")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._starting = False
        table.listeners.append(self.wake)

    def wake(self) -> None:
        """Begin a round in the background if one is due."""
        now = self._table.state
        if now.status == PLAYING or self._starting:
            return
        if (now.status == WAITING and now.is_full) or self._is_agreed():
            self._starting = True
            self._table.background.spawn(self._start())

    async def _start(self) -> None:
        table = self._table
        try:
            if table.state.status == WAITING:
                if table.state.waits_for_seeds:
                    await asyncio.sleep(table.services.times.seed_wait)
                await table.attempt(partial(state.begin_if_ready, wait_for_seeds=False))
            else:
                await table.attempt(state.begin_if_agreed)
        finally:
            self._starting = False

    def _is_agreed(self) -> bool:
        table, now = self._table, self._table.state
        if table.audience.presence.unseen(table.services.times.away) - set(now.rematch):
            return False  # after a restart the clients connect again one by one
        return state.begin_if_agreed(now, table.audience.moment(now)) is not now
