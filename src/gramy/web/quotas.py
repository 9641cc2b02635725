"""Quotas: how many tables a visitor may have open, and the disk space that new tables need."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from pathlib import Path

from gramy.errors import GramyError
from gramy.messages import Message
from gramy.table.lobby import Lobby
from gramy.table.seat import is_bot_guest
from gramy.web.limits import Limits, OpenCount, Scopes
from gramy.web.rare_log import RareLog

RARE = RareLog(logging.getLogger("gramy.web"))
MEGABYTE = 1_000_000
LOOK_EVERY = 5.0
"""Seconds between two looks at the free disk space."""


class OverQuota(GramyError):
    """The visitor has as much as one may have, or the disk is nearly full."""


class TableQuotas:
    """Refuses tables beyond a quota.

    A guest's tables are counted in the store, so on all servers. The tables of an address are counted on this server
    only, because the store has no addresses.
    """

    def __init__(self, lobby: Lobby, limits: Limits, disk: FreeDisk | None = None) -> None:
        self._lobby, self._limits, self._disk = lobby, limits, disk
        self._open_tables = OpenCount("open_table", limits)
        self._opened: dict[str, Scopes] = {}  # where the tables in this server's memory were opened from

    async def check_sitting(self, guest: str | None) -> None:
        """Raise OverQuota if a guest has a seat at as many unfinished tables as one may have."""
        most = self._limits.bot_tables if is_bot_guest(guest) else self._limits.tables_a_guest
        if guest is not None and len(await self._lobby.services.store.sitting(guest)) >= most:
            raise OverQuota(Message("too_many_tables", {"most": most}))

    async def check_opening(self, scopes: Scopes) -> None:
        """Raise OverQuota if a visitor may not open another table now."""
        if self._disk is not None and not await self._disk.has_room():
            raise OverQuota(Message("disk_full"))
        if not self._open_tables.has_room(scopes):
            self._remove_finished()
            if not self._open_tables.has_room(scopes):
                raise OverQuota(Message("too_many_open"))

    def count_opened(self, table: str, scopes: Scopes) -> None:
        """Count a table that a visitor has opened."""
        if len(self._opened) > 2 * self._lobby.most:
            self._remove_finished()
        self._opened[table] = scopes
        self._open_tables.add(scopes)

    def network_of(self, table: str) -> str | None:
        """Return the network that a table was opened from; None if it was opened at another server or long ago."""
        return self._opened.get(table, {}).get("network")

    def _remove_finished(self) -> None:
        """Stop counting tables that are over or not in memory any more."""
        tables = self._lobby.tables
        for id in [id for id in self._opened if id not in tables or tables[id].state.is_over]:
            self._open_tables.remove(self._opened.pop(id))


class FreeDisk:
    """The free space on the disk of a folder, looked up in a thread every LOOK_EVERY seconds."""

    def __init__(self, folder: Path, least_mb: int) -> None:
        self._folder, self._least = folder, least_mb * MEGABYTE
        self._free, self._looked = shutil.disk_usage(folder).free, time.monotonic()

    async def has_room(self) -> bool:
        """Return whether at least the given space is free."""
        if time.monotonic() - self._looked >= LOOK_EVERY:
            self._looked = time.monotonic()
            self._free = (await asyncio.to_thread(shutil.disk_usage, self._folder)).free
        if self._free >= self._least:
            return True
        RARE.warning("no table is opened: little disk space", free_mb=self._free // MEGABYTE)
        return False
