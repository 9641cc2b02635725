"""The measurements of a load test: every duration, counts, and errors by kind."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "max": 1.0}


class Durations:
    """Durations, each with the moment when it ended."""

    def __init__(self) -> None:
        self.moments = array("d")
        self.seconds = array("d")

    def add(self, moment: float, seconds: float) -> None:
        self.moments.append(moment)
        self.seconds.append(seconds)

    def __len__(self) -> int:
        return len(self.seconds)

    def milliseconds(self) -> dict[str, float]:
        """Return the quantiles in milliseconds; empty if there are no durations."""
        ordered = sorted(self.seconds)
        last = len(ordered) - 1
        return (
            {name: round(1000 * ordered[round(quantile * last)], 3) for name, quantile in QUANTILES.items()}
            if ordered
            else {}
        )


@dataclass
class Figures:
    """The measurements of one run, on the client's side: they include sockets, both event loops and the store."""

    tables: int
    connections: int
    opening: Durations = field(default_factory=Durations)  # to open a table and seat everybody
    answered: Durations = field(default_factory=Durations)  # from a move to its answer, after it is stored
    shown: Durations = field(default_factory=Durations)  # from a move to the snapshot of another viewer
    late: Durations = field(default_factory=Durations)  # how late the generator itself was
    sent: int = 0  # moves
    matches: int = 0
    messages: int = 0
    bytes: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    processor: float = 0.0  # seconds of CPU time of the server processes during the run
    memory: int = 0  # bytes by which the server processes grew
    began: float = 0.0
    ended: float = 0.0
    _before: tuple[int, int] = (0, 0)
    _within: tuple[int, int, int] = (0, 0, 0)

    def begin(self, moment: float) -> None:
        self.began, self._before = moment, (self.messages, self.bytes)

    def end(self, moment: float) -> None:
        """End the run. Moves that are answered later are no errors, and do not count for the speed."""
        messages, bytes = self._before
        self.ended, self._within = moment, (self.moves, self.messages - messages, self.bytes - bytes)

    @property
    def moves(self) -> int:
        """The number of answered moves."""
        return len(self.answered)

    def error(self, kind: str) -> None:
        self.errors[kind] += 1

    def summary(self) -> dict[str, Any]:
        """Return everything as JSON types."""
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
