"""How much one visitor may ask for: a bucket of tokens that fills up again with time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How much is allowed to one visitor: generous for people, tight for a flood. A host may change them."""

    commands_a_second: float = 20.0  # on one socket
    requests_a_second: float = 20.0  # from one address; ten times as many at once
    files_a_second: float = 100.0  # the client's own, some fifty for a first look: a school may be behind one address
    tables_a_minute: float = 12.0  # opened or joined from one address; twice as many at once
    sockets_an_address: int = 100
    viewers_a_table: int = 200  # beside the players
    replays_a_minute: float = 30.0  # replays and records from one address, and as many at once: they take work


class Bucket:
    """So many at once, and so many more a second. Time is handed in."""

    __slots__ = ("_left", "_since", "a_second", "most")

    def __init__(self, most: float, a_second: float, now: float) -> None:
        self.most, self.a_second = most, a_second
        self._left, self._since = most, now

    def take(self, now: float) -> bool:
        """Whether one more is allowed."""
        self._left = min(self.most, self._left + (now - self._since) * self.a_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each visitor; the ones not seen for longest are forgotten first."""

    def __init__(self, most: float, a_second: float, now: Callable[[], float], remembered: int = 10_000) -> None:
        self._most, self._a_second, self._now, self._remembered = most, a_second, now, remembered
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, visitor: str, now: float | None = None) -> bool:
        """Whether a visitor may have one more."""
        now = self._now() if now is None else now
        bucket = self._buckets.get(visitor)
        if bucket is None:
            bucket = self._buckets[visitor] = Bucket(self._most, self._a_second, now)
            if len(self._buckets) > self._remembered:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(visitor)
        return bucket.take(now)
