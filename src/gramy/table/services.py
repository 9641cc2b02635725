"""What a table needs from outside: a store, a bus, the time, luck, and somewhere for bots to think."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from gramy.analysis import Advice
from gramy.contract import Message
from gramy.table.bot_pool import BotPool
from gramy.table.bus import Alone, Bus
from gramy.table.store import Store

REMEMBERED = 16
"""So many commands of a seat are answered again when they are sent again: more than anybody has under way."""
UNHEARD = 64
"""So many refusals are kept for a viewer who does not listen: more than may be sent in one go."""


@dataclass(frozen=True)
class Times:
    """How long things take, in seconds."""

    pause: float = 0.9  # a bot's move takes at least this long, so that people can follow
    budget: float = 1.0  # a bot thinks no longer
    advice: float = 0.5  # nor does who is asked for advice
    away: float = 30.0  # after this the others may decide for somebody who is missing
    wait: float = 60.0  # what they grant when they wait
    seed_wait: float = 3.0  # how long a match waits for the players' client seeds


def steady(date: Callable[[], float] = time.time, now: Callable[[], float] = time.monotonic) -> Callable[[], float]:
    """The date, carried on from now by time that never jumps: when a clock is set to another year, no table that
    people sit at looks forgotten and is swept away."""
    begun = date() - now()
    return lambda: begun + now()


@dataclass
class Services:
    """Handed to every table. `now` measures time and never jumps; `date` is what a calendar shows."""

    store: Store
    bots: BotPool
    bus: Bus = field(default_factory=Alone)
    rng: random.Random = field(default_factory=random.SystemRandom)
    now: Callable[[], float] = time.monotonic
    date: Callable[[], float] = field(default_factory=steady)
    times: Times = Times()


class Hint(NamedTuple):
    """Advice for somebody, and the moment it is for: so many lines of the log."""

    at: int
    advice: Advice


def unheard() -> None:
    """Nobody waits for news."""


@dataclass(eq=False, slots=True)
class Viewer:
    """Somebody who looks at a table, from a seat or (None) from beside it. Its mailbox is a flag: something is new.
    `notify` is called when the flag goes up; whoever takes it down makes a snapshot of what there is then."""

    seat: int | None
    notify: Callable[[], object] = unheard
    fresh: bool = False
    answers: list[str] = field(default_factory=list)
    refusals: list[tuple[str, Message]] = field(default_factory=list)  # the last ones; a deque is 700 bytes, empty
    hints: list[tuple[str, Hint]] = field(default_factory=list)
    round: int = 0
    lines: int = 0  # how much of this round's log was sent

    def answer(self, id: str) -> None:
        """A command was done; whoever does not listen for long hears of the last ones only."""
        self.answers.append(id)
        del self.answers[:-UNHEARD]

    def advise(self, id: str, hint: Hint) -> None:
        """What was asked for is here."""
        self.hints.append((id, hint))
        del self.hints[:-UNHEARD]

    def refuse(self, id: str, message: Message) -> None:
        """A command was not done."""
        self.refusals.append((id, message))
        del self.refusals[:-UNHEARD]

    def tell(self) -> None:
        """Something is new."""
        if not self.fresh:
            self.fresh = True
            self.notify()
