"""Rate limits: a token bucket for each visitor."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one visitor may do: generous for people, tight for a flood. Hosts set them by flags."""

    commands_a_second: float = 20.0  # on one socket
    requests_a_second: float = 20.0  # from one address; ten times as many at once
    files_a_second: float = 100.0  # of the client, about fifty for a first visit; a school may share one address
    tables_a_minute: float = 12.0  # opened or joined from one address; twice as many at once
    sockets_an_address: int = 100
    viewers_a_table: int = 200  # besides the players
    replays_a_minute: float = 30.0  # replays and records from one address; they cost CPU time


MAX_VISITORS = 10_000
"""Visitors whose buckets a rate limiter keeps."""


class TokenBucket:
    """Allows `capacity` events at once and `rate` more per second. The caller passes the time."""

    __slots__ = ("_capacity", "_rate", "_tokens", "_updated")

    def __init__(self, capacity: float, rate: float, now: float) -> None:
        self._capacity, self._rate = capacity, rate
        self._tokens, self._updated = capacity, now

    def take(self, now: float) -> bool:
        """Take a token; return whether there was one."""
        self._tokens = min(self._capacity, self._tokens + (now - self._updated) * self._rate)
        self._updated = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class RateLimiter:
    """A token bucket per visitor. Beyond `max_visitors`, the bucket that was unused for longest is dropped."""

    def __init__(
        self,
        capacity: float,
        rate: float,
        now: Callable[[], float] = time.monotonic,
        max_visitors: int = MAX_VISITORS,
    ) -> None:
        self._capacity, self._rate, self._now, self._max_visitors = capacity, rate, now, max_visitors
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, visitor: str) -> bool:
        """Take a token of a visitor; return whether there was one."""
        now = self._now()
        bucket = self._buckets.get(visitor)
        if bucket is None:
            bucket = self._buckets[visitor] = TokenBucket(self._capacity, self._rate, now)
            if len(self._buckets) > self._max_visitors:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(visitor)
        return bucket.take(now)
