"""A clock for a match, where the table wants one: a bank for each seat, and a little more for every turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Control(NamedTuple):
    """How much time there is: minutes for the match, seconds more for each turn."""

    minutes: float
    seconds: float


class Clock:
    """Counts down for the seats that the match waits for. Time is handed in, never read."""

    def __init__(self, control: Control, seats: int, now: float, left: list[float] | None = None) -> None:
        self.control = control
        self.left = left or [control.minutes * 60.0] * seats
        self.running: tuple[int, ...] = ()
        self._since = now

    def press(self, to_act: Iterable[int], now: float) -> None:
        """The match now waits for these seats; who is not awaited any more gets the increment."""
        self._spend(now)
        waiting = tuple(seat for seat in to_act if seat < len(self.left))
        for seat in self.running:
            if seat not in waiting:
                self.left[seat] += self.control.seconds
        self.running = waiting

    def read(self, now: float) -> list[float]:
        """The seconds that each seat has left."""
        self._spend(now)
        return [round(left, 1) for left in self.left]

    def fallen(self, now: float) -> tuple[int, ...]:
        """The awaited seats whose bank is empty."""
        self._spend(now)
        return tuple(seat for seat in self.running if self.left[seat] <= 0)

    def next_fall(self) -> float | None:
        """In how many seconds the next awaited seat's bank is empty, None when nobody's runs."""
        banks = [self.left[seat] for seat in self.running if self.left[seat] > 0]
        return min(banks) if banks else None

    def kept(self) -> dict[str, Any]:
        """The clock as it is kept: the control, and what is left of the banks."""
        return {**self.control._asdict(), "left": [round(left, 1) for left in self.left]}

    def _spend(self, now: float) -> None:
        for seat in self.running:
            self.left[seat] = max(0.0, self.left[seat] - (now - self._since))
        self._since = now
