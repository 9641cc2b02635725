"""Who is looking at a table: here, and (as other servers say) elsewhere; and who is missing, for how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from gramy.table.seat import PERSON, Seat

BELIEVED = 25.0
"""Seconds that another server's word holds; it repeats it every ten."""
BEAT = 10.0


class Presence:
    """Counts lookers by seat. Time is handed in."""

    __slots__ = ("_elsewhere", "_granted", "_here", "_now", "_online", "_seats", "_seen", "_since")

    def __init__(self, seats: list[Seat], now: Callable[[], float]) -> None:
        self._seats, self._now = seats, now
        self._here: Counter[int] = Counter()
        self._elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        self._online: set[int] = set()  # at the last look
        self._seen: set[int] = set()
        self._since: dict[int, float] = {}  # when a seat was left
        self._granted: dict[int, float] = {}  # until when the others wait for it

    @property
    def here(self) -> list[int]:
        """The seats with a look from this server."""
        return sorted(seat for seat, looks in self._here.items() if looks)

    def online(self, seat: int) -> bool:
        now = self._now()
        return self._here[seat] > 0 or any(seat in seats and now < until for seats, until in self._elsewhere.values())

    def come(self, seat: int) -> None:
        self._here[seat] += 1
        self.look()

    def go(self, seat: int) -> None:
        self._here[seat] -= 1
        self.look()

    def heard(self, node: str, seats: Iterable[int]) -> bool:
        """Another server says who looks from there; whether that is new."""
        self._elsewhere[node] = frozenset(seats), self._now() + BELIEVED
        return self.look()

    def wait(self, seat: int, seconds: float) -> None:
        """The others wait a little longer."""
        self._granted[seat] = self._now() + seconds

    def look(self) -> bool:
        """Note who has come and who has gone since the last look; whether anybody has."""
        online = {number for number in range(len(self._seats)) if self.online(number)}
        self._seen |= online
        for number, seat in enumerate(self._seats):
            if seat.kind == PERSON and number not in online:
                self._since.setdefault(number, self._now())
            else:
                self._since.pop(number, None)
                self._granted.pop(number, None)
        before, self._online = self._online, online
        return online != before

    def changed(self) -> bool:
        """Whether somebody has gone without a word: that of another server may have run out."""
        return bool(self._elsewhere) and self.look()

    def expected(self, seat: int, patience: float) -> bool:
        """Whether somebody is there, or has gone so lately that he may be on his way back."""
        self.look()
        return seat in self._online or (seat in self._seen and self._now() - self._since[seat] < patience)

    def missing(self, patience: float) -> list[dict[str, Any]]:
        """Who is missing without a stand-in, and whether the others may decide."""
        self.changed()
        if not self._since:
            return []
        now, found = self._now(), []
        for number, since in sorted(self._since.items()):
            if not self._seats[number].stand_in:
                until = max(since + patience, self._granted.get(number, 0.0))
                found.append({"seat": number, "seconds": round(max(0.0, until - now), 1), "decide": now >= until})
        return found
