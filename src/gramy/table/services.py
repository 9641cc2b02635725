"""What a table needs from outside: a store, a bus, bots, the time and random numbers."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from gramy.table.bot_pool import BotPool
from gramy.table.bus import Bus, LocalBus
from gramy.table.store import Store


@dataclass(frozen=True)
class Times:
    """How long things may take, in seconds."""

    pause: float = 0.9  # a bot's move takes at least this long, so that people can follow
    budget: float = 1.0  # the computing time of a bot's move
    advice: float = 0.5  # the computing time of a hint
    away: float = 20.0  # after this the others may decide for an absent player
    wait: float = 60.0  # by this much they extend the deadline when they wait
    succession: float = 180.0  # a waiting table whose opener is away for this long gets another one
    settings: float = 4.0  # everybody sees changed settings for this long before a match can be started with them
    start: float = 20.0  # bots leave the start of a match to people for at most this long
    seed_wait: float = 3.0  # a deal waits this long for the players' commitments to client seeds
    reveal_wait: float = 6.0  # and this long for the client seeds themselves
    retry: float = 5.0  # between attempts after the store or a bot failed
    confirm_every: float = 2.0  # with several servers, the store is asked this often for changes by the others
    confirmed_for: float = 5.0  # after this long without an answer a table is paused: what is shown may be old

    @property
    def start_wait(self) -> float:
        """How long bots leave the start to people: not at all where they make no pause for them."""
        return self.start if self.pause else 0.0

    @property
    def settings_shown(self) -> float:
        """How long changed settings are shown before a start: not at all where bots make no pause for people."""
        return self.settings if self.pause else 0.0

    @property
    def waits_for_seeds(self) -> bool:
        """Whether a deal waits for client seeds at all."""
        return self.seed_wait > 0


def steady_date(
    date: Callable[[], float] = time.time, now: Callable[[], float] = time.monotonic
) -> Callable[[], float]:
    """Return a calendar clock that reads the date once and goes on by monotonic time.

    When the system's clock is set to another year, no table looks old, and none is deleted.
    """
    started = date() - now()
    return lambda: started + now()


class StoreDate:
    """Calendar time by the store's clock: this machine's, corrected by the difference at the store's last answer."""

    def __init__(self, own: Callable[[], float]) -> None:
        self.own = own
        self._difference = 0.0

    def __call__(self) -> float:
        return self.own() + self._difference

    def correct(self, date: float) -> None:
        """Note what the date is by the store's clock."""
        self._difference = date - self.own()


@dataclass
class Services:
    """Handed to every table. `now` is monotonic; `date` is calendar time, which all servers of a store agree on."""

    store: Store
    bots: BotPool
    bus: Bus = field(default_factory=LocalBus)
    rng: random.Random = field(default_factory=random.SystemRandom)
    now: Callable[[], float] = time.monotonic
    date: Callable[[], float] = field(default_factory=steady_date)
    times: Times = Times()

    def __post_init__(self) -> None:
        self._store_date = StoreDate(self.date)
        self.date = self._store_date

    async def synchronise_date(self) -> None:
        """Follow the store's clock: the clock of this machine may be wrong."""
        self._store_date.correct(await self.store.date(self._store_date.own()))

    def new_seed(self) -> str:
        """Return a new random seed for a deal: 256 bits as hexadecimal text."""
        return f"{self.rng.getrandbits(256):064x}"
