"""What servers tell each other about a table: that it has changed, and who is looking.

The bus may lose what it is told: a table's truth is in the store, where every server looks now and then anyway. So a
move never waits for the bus, and nothing is lost with it but a second or two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

Note: TypeAlias = dict[str, Any]
"""`what` it is about, `node` it comes from, and more."""

CHANGED, WHO, HERE, WAIT = "changed", "who", "here", "wait"
"""The store has a new `revision` · who is looking? · these seats are, here · the others wait for a seat."""


class Bus(Protocol):
    """Between the servers of one store."""

    node: str
    shared: bool
    """Whether there may be other servers at all."""

    async def start(self, heard: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        """From now on hear what others tell about the tables that are followed; `missed` is called when notes may
        have been lost."""

    async def follow(self, table: str) -> None:
        """Hear about a table."""

    async def unfollow(self, table: str) -> None:
        """Hear no more about a table."""

    def tell(self, table: str, note: Note) -> None:
        """Tell the other servers, soon; this never waits and never fails."""

    async def lead(self, table: str) -> bool:
        """Whether this server plays the bots of a table for the next seconds; one does, and if it dies, another."""

    async def close(self) -> None:
        """Say no more."""


class Alone:
    """The bus of the only server."""

    node, shared = "", False

    async def start(self, heard: Callable[[str, Note], None], missed: Callable[[], None]) -> None:
        """There is nobody to hear."""

    async def follow(self, table: str) -> None:
        """There is nobody to hear."""

    async def unfollow(self, table: str) -> None:
        """There is nobody to hear."""

    def tell(self, table: str, note: Note) -> None:
        """There is nobody to tell."""

    async def lead(self, table: str) -> bool:
        return True

    async def close(self) -> None:
        """There is nothing to close."""
