"""VoteCounter: counts the votes about absent players again when somebody comes or goes."""

from __future__ import annotations

from gramy.table import votes
from gramy.table.table import Table


class VoteCounter:
    """Carries out the majorities of one table that no vote completes, and drops votes about players who are back."""

    __slots__ = ("_counting", "_table")

    def __init__(self, table: Table) -> None:
        self._table, self._counting = table, False
        table.listeners.append(self.wake)

    def wake(self) -> None:
        """Count in the background if that changes anything."""
        table = self._table
        if not table.state.people.votes or self._counting:
            return
        if votes.settle(table.state, table.audience.moment(table.state)) is not table.state:
            self._counting = True
            table.background.spawn(self._count())

    async def _count(self) -> None:
        try:
            await self._table.settle_votes()
        finally:
            self._counting = False
