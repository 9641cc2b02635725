"""Limits: budgets of what visitors may do, and the token buckets and counts that keep to them.

A limit is a number for one visitor. Each budget gives its scopes a share of it: an address (for IPv6 its /64), the
network around it (/24 or /48), a guest, a table, and all visitors of this server together.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

DAY = 86_400.0
MAX_VISITORS = 10_000
"""Visitors whose buckets a rate limiter keeps."""


@dataclass(frozen=True)
class Limits:
    """What one visitor may do: generous for people, tight for a flood. Hosts set them by flags."""

    commands_a_second: float = 20.0  # on one socket
    requests_a_second: float = 20.0  # from one address; ten times as many at once
    files_a_second: float = 100.0  # of the client, about fifty for a first visit; a school may share one address
    tables_a_minute: float = 12.0  # opened or joined from one address; twice as many at once
    sockets_an_address: int = 100
    viewers_a_table: int = 200  # besides the players
    replays_a_minute: float = 30.0  # replays, records and QR codes for one address; they cost CPU time
    tables_a_day: float = 300.0  # opened or joined from one address; all of them at once
    tables_an_address: int = 100  # that were opened from one address, are not over, and are in this server's memory
    tables_a_guest: int = 30  # unfinished tables where one guest has a seat, on all servers
    talk_a_minute: float = 60.0  # phrases and undos of one guest; twice as many at once
    lines_a_day: float = 30_000.0  # lines that one guest adds to logs; all of them at once
    bot_tables_a_minute: float = 60.0  # opened or joined by one bot account; twice as many at once
    bot_tables_a_day: float = 5_000.0  # the same in a day
    bot_tables: int = 200  # unfinished tables where one bot account has a seat, on all servers
    bot_lines_a_day: float = 500_000.0  # lines that one bot account adds to logs; all of them at once
    challenges_a_minute: float = 12.0  # to bots, by one guest or from one address; a bot account has five times as many


Shares: TypeAlias = Mapping[str, float]
Scopes: TypeAlias = Mapping[str, str]
"""The scopes that an event counts for, each with its key: the address, the network, the guest, the table."""
SERVER = "server"
"""The scope of all visitors together."""


class Budget(NamedTuple):
    """How a limit is shared out. `burst` periods' worth may be used at once; counts have no period."""

    limit: str  # a field of Limits
    shares: Shares  # multiples of the limit by scope, in the order in which they are asked
    period: float = 0.0
    burst: float = 1.0


ADDRESS = {"address": 1, "network": 8}
BUDGETS = {
    "request": Budget("requests_a_second", ADDRESS, period=1, burst=10),
    "file": Budget("files_a_second", ADDRESS, period=1, burst=10),
    "replay": Budget("replays_a_minute", ADDRESS, period=60),
    "command": Budget("commands_a_second", {"address": 10, "network": 80}, period=1, burst=2),
    "table": Budget("tables_a_minute", {"guest": 1, **ADDRESS, SERVER: 50}, period=60, burst=2),
    "table_today": Budget("tables_a_day", {"guest": 1, **ADDRESS}, period=DAY),
    "talk": Budget("talk_a_minute", {"guest": 1, "table": 3, "address": 10, "network": 80}, period=60, burst=2),
    "line": Budget("lines_a_day", {"guest": 1, "address": 10, "network": 80}, period=DAY),
    "bot_table": Budget("bot_tables_a_minute", {"guest": 1, SERVER: 20}, period=60, burst=2),
    "bot_table_today": Budget("bot_tables_a_day", {"guest": 1}, period=DAY),
    "bot_line": Budget("bot_lines_a_day", {"guest": 1}, period=DAY),
    "challenge": Budget("challenges_a_minute", {"guest": 1, **ADDRESS}, period=60),
    "bot_challenge": Budget("challenges_a_minute", {"guest": 5}, period=60),
    "socket": Budget("sockets_an_address", {"guest": 1, **ADDRESS}),
    "open_table": Budget("tables_an_address", ADDRESS),
}
"""All budgets by the event that they limit. Those with a period are rates, the others count what is open."""


class TokenBucket:
    """Allows `capacity` events at once and `rate` more per second. The caller passes the time."""

    __slots__ = ("_capacity", "_rate", "_tokens", "_updated")

    def __init__(self, capacity: float, rate: float, now: float) -> None:
        self._capacity, self._rate = capacity, rate
        self._tokens, self._updated = capacity, now

    def take(self, now: float) -> bool:
        """Take a token; return whether there was one."""
        tokens = self._tokens + (now - self._updated) * self._rate
        if tokens > self._capacity:
            tokens = self._capacity
        self._updated = now
        self._tokens = tokens - 1 if tokens >= 1 else tokens
        return tokens >= 1


def take_all(buckets: Iterable[TokenBucket], now: float) -> bool:
    """Take a token of each bucket until one has none; return whether all had one.

    Pass the narrowest scope first: a flood that it refuses then costs the wider scopes nothing.
    """
    for bucket in buckets:  # noqa: SIM110  # every command takes this path, and a generator would double its cost
        if not bucket.take(now):
            return False
    return True


class RateLimiter:
    """A token bucket per key. Beyond `max_visitors`, the bucket that was unused for longest is dropped."""

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
        return self.bucket(visitor).take(self._now())

    def bucket(self, visitor: str) -> TokenBucket:
        """Return the bucket of a visitor, a full one for a new visitor."""
        bucket = self._buckets.get(visitor)
        if bucket is None:
            bucket = self._buckets[visitor] = TokenBucket(self._capacity, self._rate, self._now())
            if len(self._buckets) > self._max_visitors:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(visitor)
        return bucket


class Meter:
    """Keeps to the budget of one kind of event: a rate limiter for each scope."""

    def __init__(self, event: str, limits: Limits, now: Callable[[], float] = time.monotonic) -> None:
        budget, self._now = BUDGETS[event], now
        limit = getattr(limits, budget.limit)
        self._limiters = {
            scope: RateLimiter(share * limit * budget.burst, share * limit / budget.period, now)
            for scope, share in budget.shares.items()
        }

    def take(self, scopes: Scopes) -> bool:
        """Count an event; return False if it is over the budget of a scope."""
        return take_all(self.buckets(scopes), self._now())

    def buckets(self, scopes: Scopes) -> Iterator[TokenBucket]:
        """Yield the buckets of the scopes that have a budget. A long connection keeps them."""
        for scope, limiter in self._limiters.items():
            if (key := "" if scope == SERVER else scopes.get(scope)) is not None:
                yield limiter.bucket(key)


class OpenCount:
    """Counts what is open in each scope, against a budget without a period."""

    def __init__(self, event: str, limits: Limits) -> None:
        budget = BUDGETS[event]
        self._most = {scope: share * getattr(limits, budget.limit) for scope, share in budget.shares.items()}
        self._open: Counter[tuple[str, str]] = Counter()

    def has_room(self, scopes: Scopes) -> bool:
        """Return whether each scope may have one more."""
        return all(self._open[scope] < self._most[scope[0]] for scope in self._counted(scopes))

    def add(self, scopes: Scopes) -> None:
        self._open.update(self._counted(scopes))

    def remove(self, scopes: Scopes) -> None:
        for scope in self._counted(scopes):
            self._open[scope] -= 1
            if not self._open[scope]:
                del self._open[scope]

    def _counted(self, scopes: Scopes) -> list[tuple[str, str]]:
        return [(scope, key) for scope in self._most if (key := scopes.get(scope)) is not None]
