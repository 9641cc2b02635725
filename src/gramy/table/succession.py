"""Succession: gives a waiting table to the next person who is there when its opener stays away."""

from __future__ import annotations

from gramy.table.table import Table
from gramy.table.waiting_room import inherit


class Succession:
    """Watches one table. With several servers, whichever notices first stores the change."""

    __slots__ = ("_changing", "_table")

    def __init__(self, table: Table) -> None:
        self._table, self._changing = table, False
        table.listeners.append(self.wake)

    def wake(self) -> None:
        """Give the table to somebody else in the background, if that is due."""
        table, now = self._table, self._table.state
        if self._changing or now.match is not None or now.people.opener in table.audience.presence.online:
            return
        if inherit(now, table.audience.moment(now)) is not now:
            self._changing = True
            table.background.spawn(self._inherit())

    async def _inherit(self) -> None:
        try:
            await self._table.attempt(inherit)
        finally:
            self._changing = False
