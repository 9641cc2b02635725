"""Notes between the servers of one store: that a table has changed, and who has it open.

The bus may lose notes: the truth about a table is in the store, which every server asks every few seconds anyway. So a
move never waits for the bus, and a lost note costs a few seconds and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

Note: TypeAlias = dict[str, Any]
"""`what` it is about, the `node` that sent it, and more."""

CHANGED, WHO, HERE, WAIT, ORDERS = "changed", "who", "here", "wait", "orders"
"""The store has a new `revision` · who has this table open? · these `seats` are open here · wait for a `seat` ·
the host's orders or bot accounts have changed."""
CHALLENGED = "challenged"
"""There is a new challenge to a bot account."""
EVERYWHERE = "*"
"""Stands for a table in notes that concern all servers."""


def parse_note(text: str) -> Note | None:
    """Return the note in a message from the bus, None if it is not a note: other programs may use the same Redis."""
    try:
        note = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(note, dict) or not all(isinstance(note.get(key), str) for key in ("what", "node")):
        return None
    match note:
        case {"what": "changed", "revision": revision} if type(revision) is not int and revision is not None:
            return None
        case {"what": "here"} if not _are_seats(note.get("seats")):
            return None
        case {"what": "wait"} if not _are_seats([note.get("seat")]):
            return None
    return note


def _are_seats(found: Any) -> bool:
    return isinstance(found, list) and all(type(seat) is int and 0 <= seat < 6 for seat in found)


class BusUnavailable(Exception):
    """The bus did not answer."""


class Bus(Protocol):
    """A channel for notes between servers."""

    node: str
    shared: bool
    """Whether there may be other servers."""

    async def start(self, received: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        """Call `received` for notes to EVERYWHERE and about followed tables, `missed` when some may be lost."""

    async def follow(self, table: str) -> None:
        """Receive the notes about a table."""

    async def unfollow(self, table: str) -> None:
        """Receive no more notes about a table."""

    def publish(self, table: str, note: Note) -> None:
        """Send a note to the other servers soon. This never waits and never fails."""

    async def acquire_lease(self, table: str) -> bool:
        """Take or renew the lease on a table's bots; return whether this server holds it for the next seconds."""

    async def echo(self) -> None:
        """Return when a message to this server itself has come back; raises BusUnavailable."""

    async def close(self) -> None:
        """Stop sending and receiving."""


class LocalBus:
    """The bus of a server that is alone: there is nobody to send notes to."""

    node, shared = "", False

    async def start(self, received: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        """Do nothing."""

    async def follow(self, table: str) -> None:
        """Do nothing."""

    async def unfollow(self, table: str) -> None:
        """Do nothing."""

    def publish(self, table: str, note: Note) -> None:
        """Do nothing."""

    async def acquire_lease(self, table: str) -> bool:
        return True

    async def echo(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""
