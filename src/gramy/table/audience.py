"""The audience of a table on this server: its viewers, who is present, and the snapshots they are sent."""

from __future__ import annotations

from typing import Any, Protocol

from gramy.table.presence import NO_SEATS, Presence
from gramy.table.services import Services
from gramy.table.snapshot import CachedParts, Seen, cached_parts, snapshot, summary
from gramy.table.state import Moment, TableState
from gramy.table.store import PLAYING, WAITING
from gramy.table.votes import describe
from gramy.table.waiting_room import heir


class Viewer(Protocol):
    """One open view of a table: a connection's session, or a test."""

    @property
    def seat(self) -> int | None:
        """The seat that it is viewed from, None for a spectator."""

    def notify(self) -> None:
        """Something has changed: ask for a snapshot when it can be sent. This is called often, and must be quick."""

    def move_to(self, seat: int) -> None:
        """The person sits in another seat now: go on from there."""

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

    @property
    def only_people(self) -> bool:
        """Whether no bot and no clock plays at the table; False also when that has not been found out yet."""
        return self._parts is not None and self._parts.only_people

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

    def follow_owners(self, before: TableState, after: TableState) -> bool:
        """Move the viewers whose person has another seat now, and make spectators of those who have none.

        Return whether there were any.
        """
        if before.seats is after.seats:
            return False
        new_seats = {
            number: after.seat_of(seat.token, None) if seat.token else None
            for number, seat in enumerate(before.seats)
            if number >= len(after.seats) or seat.token != after.seats[number].token
        }
        former = [(viewer, seat) for viewer in self.viewers if (seat := viewer.seat) is not None and seat in new_seats]
        for viewer, seat in former:
            if (new_seat := new_seats[seat]) is not None:
                viewer.move_to(new_seat)
            else:
                viewer.unseat(before.seats[seat].guest in after.people.blocked)
                self.presence.close(seat)
        moves = {seat: new for seat, new in new_seats.items() if new is not None}
        if moves or len(before.seats) != len(after.seats):  # several changes loaded as one may restore the number
            self.presence.renumber(moves, len(after.seats))
        return bool(former)

    def notify(self, state: TableState, keep_parts: bool = False) -> None:
        """Notify all viewers. `keep_parts` says that nothing but the match has changed."""
        if not keep_parts:
            self.presence.update(state.seats)
            self._parts = None
        self.sequence += 1
        for viewer in self.viewers:
            viewer.notify()

    def note_presence(self, state: TableState) -> bool:
        """Note who has come and gone, and return whether anybody has.

        If somebody has only opened or closed a second device, the viewers of that seat are notified, and no others.
        """
        before = self.presence.several
        if self.presence.update(state.seats):
            return True
        changed = before ^ self.presence.several
        for viewer in self.viewers:
            if viewer.seat in changed:
                viewer.notify()
        return False

    def snapshot(self, state: TableState, seat: int | None, seen: Seen) -> dict[str, Any]:
        """Return all that a seat may see now, with the lines of the log that it has not seen."""
        if self.presence.report_expired(state.seats) or self._parts is None:
            self._parts = cached_parts(state, self.summary(state))
        away = self._services.times.away
        absent = self.presence.absent(state.seats, away) if state.status == PLAYING else []
        if absent:
            expected = self.presence.expected(away)
            absent = [describe(state, expected, one) for one in absent]
        elsewhere = seat in self.presence.several
        return snapshot(state, self._parts, seat, seen, absent, self._services.now(), self.sequence, elsewhere)

    def summary(self, state: TableState) -> dict[str, Any]:
        """Return the table as a lobby shows it: who is there, who is away since when, and who runs the table next."""
        services, opener = self._services, state.people.opener
        away_since = self.presence.away_since(services.date())
        seat = heir(state, self.presence.online) if state.status == WAITING else None
        successor = None
        if seat is not None and opener in away_since:
            successor = {"seat": seat, "at": away_since[opener] + services.times.succession}
        return summary(state, self.presence.online, away_since, successor)

    def moment(self, state: TableState) -> Moment:
        """Return the inputs of a transition at this time: the time, and who is present."""
        services, presence, times = self._services, self.presence, self._services.times
        if presence.report_expired(state.seats):
            self._parts = None
        return Moment(
            services.now(),
            services.date(),
            services.new_seed,
            presence.online,
            expected=presence.expected(times.away),
            overdue=presence.overdue(times.away),
            gone=presence.overdue(times.succession) if state.status == WAITING else NO_SEATS,
            waits_for_seeds=times.waits_for_seeds,
            settings_shown=times.settings_shown,
        )

    def next_deadline(self, state: TableState) -> float | None:
        """Return when a time bank will be empty, or when an absence has consequences."""
        times = self._services.times
        deadlines = [self.presence.next_deadline(times.away)]
        if state.status == WAITING:
            deadlines.append(self.presence.next_deadline(times.succession))
        if state.clock is not None:
            deadlines.append(state.clock.next_expiry(self._services.now()))
        return min((deadline for deadline in deadlines if deadline is not None), default=None)
