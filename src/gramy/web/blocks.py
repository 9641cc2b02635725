"""AddressBlocks: addresses from which nobody may come to a table for an hour, because its opener removed somebody.

Only the memory of this server has them: addresses are not stored. The guest who was removed is stored with the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from gramy.web.visitor import prefixes

BLOCKED_FOR = 3600.0
MOST_BLOCKED = 10_000


class AddressBlocks:
    """Blocks the narrowest network of an address: an IPv4 address, or an IPv6 /64."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._until: dict[tuple[str, str], float] = {}  # by table and network

    def add(self, table: str, address: str | None) -> None:
        """Block an address at a table. When there are too many, the oldest block is dropped."""
        key = table, prefixes(address)[0]
        self._until.pop(key, None)
        self._until[key] = self._now() + BLOCKED_FOR
        if len(self._until) > MOST_BLOCKED:
            del self._until[next(iter(self._until))]

    def has(self, table: str, address: str | None) -> bool:
        """Return whether an address is blocked at a table."""
        return bool(self._until) and self._now() < self._until.get((table, prefixes(address)[0]), 0.0)
