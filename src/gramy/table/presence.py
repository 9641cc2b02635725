"""Who has a table open, on this server and on others; who is absent, and for how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gramy.table.seat import PERSON, Seat

REPORT_VALID = 15.0
"""Seconds for which another server's report is believed."""
REPORT_EVERY = 5.0
"""Seconds between a server's own reports."""
NO_SEATS: frozenset[int] = frozenset()


class Presence:
    """Counts the open views of each seat. `update` must be called after views or seats have changed."""

    __slots__ = ("_absent_since", "_elsewhere", "_here", "_now", "_seen", "_wait_until", "online", "several")

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._here: Counter[int] = Counter()
        self._elsewhere: dict[str, tuple[frozenset[int], float]] = {}  # by server: seats, and until when that holds
        self._seen: frozenset[int] = NO_SEATS
        self._absent_since: dict[int, float] = {}
        self._wait_until: dict[int, float] = {}  # the other players agreed to wait for these seats
        self.online: frozenset[int] = NO_SEATS  # seats with an open view on any server, at the last update
        self.several: frozenset[int] = NO_SEATS  # seats with more than one, for instance on two devices

    @property
    def here(self) -> list[int]:
        """The seats with an open view on this server."""
        return sorted(seat for seat, views in self._here.items() if views)

    def open(self, seat: int) -> None:
        """Count another open view of a seat."""
        self._here[seat] += 1

    def close(self, seat: int) -> None:
        """Count one open view of a seat less."""
        self._here[seat] -= 1

    def report(self, node: str, seats: Iterable[int]) -> None:
        """Note another server's report of the seats that have an open view there."""
        self._elsewhere[node] = frozenset(seats), self._now() + REPORT_VALID

    def renumber(self, new_seats: Mapping[int, int], seats: int) -> None:
        """Follow people to other seats. There are so many seats now."""

        def follow(numbers: Iterable[int]) -> frozenset[int]:
            return frozenset(new_seats.get(seat, seat) for seat in numbers if seat in new_seats or seat < seats)

        self._here = Counter({new_seats.get(seat, seat): views for seat, views in self._here.items() if views > 0})
        self._elsewhere = {node: (follow(reported), until) for node, (reported, until) in self._elsewhere.items()}
        self._seen = follow(self._seen)
        moved_last = sorted(self._absent_since.items(), key=lambda entry: entry[0] in new_seats)
        self._absent_since = {new_seats.get(seat, seat): since for seat, since in moved_last if follow([seat])}
        self._wait_until = {}

    def away_since(self, date: float) -> dict[int, float]:
        """Return since when people are absent, in whole calendar seconds; `date` is the calendar time now."""
        return {seat: float(round(date - (self._now() - since))) for seat, since in self._absent_since.items()}

    def wait_for(self, seat: int, seconds: float) -> None:
        """Give an absent player more time before the others may decide."""
        self._wait_until[seat] = self._now() + seconds

    def update(self, seats: Sequence[Seat]) -> bool:
        """Note who has come and gone since the last update, and return whether anybody has."""
        now, before = self._now(), self.online
        views = +self._here
        for reported, until in self._elsewhere.values():
            if now < until:
                views.update(reported)
        online = frozenset(views)
        self.online = frozenset(seat for seat in online if seat < len(seats))
        self.several = frozenset(seat for seat in self.online if views[seat] > 1)
        self._seen = self.online if self._seen <= self.online else self._seen | self.online
        for number, seat in enumerate(seats):
            if seat.kind == PERSON and number not in online:
                self._absent_since.setdefault(number, now)
            else:
                self._absent_since.pop(number, None)
                self._wait_until.pop(number, None)
        return self.online != before

    def report_expired(self, seats: Sequence[Seat]) -> bool:
        """Return whether somebody is absent because another server's last report is too old now."""
        return bool(self._elsewhere) and self.update(seats)

    def expected(self, patience: float) -> frozenset[int]:
        """Return the seats whose player is present, or left so recently that they may come back."""
        if not self._absent_since:
            return self.online
        recently = self._now() - patience
        back_soon = {seat for seat, since in self._absent_since.items() if since > recently}
        return self.online | (back_soon & self._seen)

    def absent(self, seats: Sequence[Seat], patience: float) -> list[dict[str, Any]]:
        """Return the absent players without a stand-in, and whether the others may decide for them."""
        if not self._absent_since:
            return []
        now, found = self._now(), []
        for number in sorted(self._absent_since):
            if not seats[number].stand_in:
                until = self._decidable_at(number, patience)
                found.append({"seat": number, "seconds": round(max(0.0, until - now), 1), "can_decide": now >= until})
        return found

    def overdue(self, patience: float) -> frozenset[int]:
        """Return the absent seats that the others may decide about."""
        if not self._absent_since:
            return NO_SEATS
        now = self._now()
        return frozenset(seat for seat in self._absent_since if now >= self._decidable_at(seat, patience))

    def unseen(self, patience: float) -> frozenset[int]:
        """Return the absent seats that may still come back although this server has never seen them."""
        return frozenset(self._absent_since) - self._seen - self.overdue(patience)

    def next_deadline(self, patience: float) -> float | None:
        """Return when a report expires or the others may decide about an absent seat, None if neither is to come."""
        if not self._absent_since and not self._elsewhere:
            return None
        now = self._now()
        deadlines = [self._decidable_at(seat, patience) for seat in self._absent_since]
        deadlines += [until for seats, until in self._elsewhere.values() if seats]
        return min((deadline for deadline in deadlines if deadline > now), default=None)

    def _decidable_at(self, seat: int, patience: float) -> float:
        return max(self._absent_since[seat] + patience, self._wait_until.get(seat, 0.0))
