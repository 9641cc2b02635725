"""What a load run measured: every duration exactly, counts, and errors by kind."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "max": 1.0}


class Times:
    """Durations with the moments when they were over."""

    def __init__(self) -> None:
        self.moments = array("d")
        self.seconds = array("d")

    def add(self, moment: float, seconds: float) -> None:
        self.moments.append(moment)
        self.seconds.append(seconds)

    def __len__(self) -> int:
        return len(self.seconds)

    def milliseconds(self) -> dict[str, float]:
        """The duration that each share of all is not longer than; empty when there is none."""
        ordered = sorted(self.seconds)
        last = len(ordered) - 1
        return (
            {name: round(1000 * ordered[round(share * last)], 3) for name, share in SHARES.items()} if ordered else {}
        )


@dataclass
class Figures:
    """One run. Times are from the client's side: sockets, both event loops and the store are in them."""

    tables: int
    connections: int
    opening: Times = field(default_factory=Times)  # a table, with everybody seated
    answered: Times = field(default_factory=Times)  # from a move to its answer, so it is kept
    shown: Times = field(default_factory=Times)  # from a move to another viewer's screen
    late: Times = field(default_factory=Times)  # how much later than it wanted to the generator itself moved
    asked: int = 0
    matches: int = 0
    messages: int = 0
    bytes: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    processor: float = 0.0  # seconds that the servers' processes used while it was played
    memory: int = 0  # bytes that the servers' processes grew by
    began: float = 0.0
    ended: float = 0.0
    _before: tuple[int, int] = (0, 0)
    _within: tuple[int, int, int] = (0, 0, 0)

    def begin(self, moment: float) -> None:
        self.began, self._before = moment, (self.messages, self.bytes)

    def end(self, moment: float) -> None:
        """What is answered later is no error, and no part of the speed."""
        messages, bytes = self._before
        self.ended, self._within = moment, (self.moves, self.messages - messages, self.bytes - bytes)

    @property
    def moves(self) -> int:
        """Moves that were answered."""
        return len(self.answered)

    def error(self, kind: str) -> None:
        self.errors[kind] += 1

    def summary(self) -> dict[str, Any]:
        """Everything as plain numbers."""
        seconds = max(self.ended - self.began, 1e-9)
        moves, messages, bytes = self._within
        found: dict[str, Any] = {
            "tables": self.tables,
            "connections": self.connections,
            "seconds": round(seconds, 3),
            "moves": self.moves,
            "matches": self.matches,
            "moves_a_second": round(moves / seconds, 1),
            "messages_a_second": round(messages / seconds, 1),
            "bytes_a_message": round(bytes / max(messages, 1)),
            "milliseconds": {
                "answered": self.answered.milliseconds(),
                "shown": self.shown.milliseconds(),
                "opening": self.opening.milliseconds(),
                "late": self.late.milliseconds(),
            },
            "errors": dict(self.errors),
        }
        if self.processor:
            found["server"] = {
                "processor_seconds": round(self.processor, 3),
                "moves_a_processor_second": round(moves / self.processor, 1),
                "microseconds_a_move": round(1e6 * self.processor / max(moves, 1), 1),
                "kilobytes_a_table": round(self.memory / 1000 / self.tables, 1),
            }
        return found
