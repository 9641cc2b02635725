"""The clock of a match: a time bank for each seat, and an increment for every turn. A clock is a frozen value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from gramy.matches import Match


class TimeControl(NamedTuple):
    """How much time each seat has: minutes for the match, and seconds that are added after each turn."""

    minutes: float
    seconds: float


class Clock(NamedTuple):
    """The banks as they were at the time `since`; the banks of the seats in `running` have been counting down since."""

    control: TimeControl
    left: tuple[float, ...]
    since: float
    running: tuple[int, ...] = ()

    @classmethod
    def start(cls, control: TimeControl, seats: int, now: float) -> Clock:
        """Return a clock with full banks that runs for nobody yet."""
        return cls(control, (control.minutes * 60.0,) * seats, now)

    def press(self, to_act: Iterable[int], now: float) -> Clock:
        """Return the clock after the turn passed to these seats. A seat whose turn is over gets the increment."""
        running = tuple(seat for seat in to_act if seat < len(self.left))
        done = set(self.running) - set(running)
        left = (bank + (self.control.seconds if seat in done else 0.0) for seat, bank in enumerate(self._left_at(now)))
        return Clock(self.control, tuple(left), now, running)

    def read(self, now: float) -> list[float]:
        """Return the seconds that each seat has left."""
        return [round(bank, 1) for bank in self._left_at(now)]

    def expired(self, now: float) -> tuple[int, ...]:
        """Return the running seats whose bank is empty."""
        left = self._left_at(now)
        return tuple(seat for seat in self.running if left[seat] <= 0)

    def next_expiry(self, now: float) -> float | None:
        """Return when the next running bank will be empty, None if none will be."""
        return min((at for seat in self.running if (at := self.since + self.left[seat]) > now), default=None)

    def stored(self) -> dict[str, Any]:
        """Return the clock as it is stored: the time control and the banks."""
        return {**self.control._asdict(), "left": [round(bank, 1) for bank in self.left]}

    def _left_at(self, now: float) -> list[float]:
        spent = now - self.since
        return [max(0.0, bank - spent) if seat in self.running else bank for seat, bank in enumerate(self.left)]


def timed_seats(match: Match) -> tuple[int, ...]:
    """Return the seats whose clocks run: those to act, but nobody's until somebody has started."""
    return () if match.agreeing else match.to_act
