"""The audience of a table on this server: its viewers, who is present, and the snapshots they are sent."""

from __future__ import annotations

from typing import Any, Protocol

from gramy.table.presence import Presence
from gramy.table.services import Services
from gramy.table.snapshot import CachedParts, Seen, cached_parts, snapshot
from gramy.table.state import Moment, TableState
from gramy.table.store import PLAYING
from gramy.table.votes import describe


class Viewer(Protocol):
    """One open view of a table: a connection's session, or a test."""

    @property
    def seat(self) -> int | None:
        """The seat that it is viewed from, None for a spectator."""

    def notify(self) -> None:
        """Something has changed: ask for a snapshot when it can be sent. This is called often, and must be quick."""

    def unseat(self, removed: bool) -> None:
        """The seat has a new owner: go on as a spectator. `removed`: its person may not even watch."""


class Audience:
    """Tracks who views a table, here and on other servers. The state itself is handed in."""

    __slots__ = ("_parts", "_services", "presence", "sequence", "viewers")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._parts: CachedParts | None = None
        self.viewers: set[Viewer] = set()
        self.presence = Presence(services.now)
        self.sequence = 0  # grows with every notification

    def add(self, viewer: Viewer) -> None:
        """Add a viewer."""
        self.viewers.add(viewer)
        if viewer.seat is not None:
            self.presence.open(viewer.seat)

    def remove(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.viewers.discard(viewer)
        if viewer.seat is not None:
            self.presence.close(viewer.seat)

    def unseat_former_owners(self, before: TableState, after: TableState) -> bool:
        """Make spectators of the viewers whose seat has another owner now; return whether there were any."""
        if before.seats is after.seats:
            return False
        former = [
            (viewer, seat)
            for viewer in self.viewers
            if (seat := viewer.seat) is not None and before.seats[seat].token != after.seats[seat].token
        ]
        for viewer, seat in former:
            viewer.unseat(before.seats[seat].guest in after.people.blocked)
            self.presence.close(seat)
        return bool(former)

    def notify(self, state: TableState, keep_parts: bool = False) -> None:
        """Notify all viewers. `keep_parts` says that nothing but the match has changed."""
        if not keep_parts:
            self.presence.update(state.seats)
            self._parts = None
        self.sequence += 1
        for viewer in self.viewers:
            viewer.notify()

    def snapshot(self, state: TableState, seat: int | None, seen: Seen) -> dict[str, Any]:
        """Return all that a seat may see now, with the lines of the log that it has not seen."""
        if self.presence.report_expired(state.seats) or self._parts is None:
            self._parts = cached_parts(state, self.presence.online)
        away = self._services.times.away
        absent = self.presence.absent(state.seats, away) if state.status == PLAYING else []
        if absent:
            expected = self.presence.expected(away)
            absent = [describe(state, expected, one) for one in absent]
        return snapshot(state, self._parts, seat, seen, absent, self._services.now(), self.sequence)

    def moment(self, state: TableState) -> Moment:
        """Return the inputs of a transition at this time: the time, and who is present."""
        services, presence, away = self._services, self.presence, self._services.times.away
        if presence.report_expired(state.seats):
            self._parts = None
        return Moment(
            now=services.now(),
            date=services.date(),
            new_seed=services.new_seed,
            present=presence.online,
            expected=presence.expected(away),
            overdue=presence.overdue(away),
            waits_for_seeds=services.times.waits_for_seeds,
        )

    def next_deadline(self, state: TableState) -> float | None:
        """Return when a time bank will be empty, or when the others may decide about an absent player."""
        absence = self.presence.next_deadline(self._services.times.away)
        if state.clock is None:
            return absence
        expiry = state.clock.next_expiry(self._services.now())
        return min((deadline for deadline in (expiry, absence) if deadline is not None), default=None)
