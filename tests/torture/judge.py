"""The judge: finds every broken guarantee in the history of one table. Pure functions over recorded events.

A client's screen shows the board of its last snapshot until the next snapshot, a pause, or a lost connection, which the
client itself notices and shows. What any client was shown or acknowledged is stored, so it must be on every screen soon
after.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

Position: TypeAlias = tuple[int, int]
"""How far a match is: the round, and the number of lines of its log."""

LOST, DOUBLED, BACKWARDS, STALE, STUCK, NOT_STARTED = "lost", "doubled", "backwards", "stale", "stuck", "not started"
SECOND_SERVER = "second server"
KINDS = (LOST, DOUBLED, BACKWARDS, STALE, STUCK, NOT_STARTED, SECOND_SERVER)


class Fault(NamedTuple):
    """A broken guarantee."""

    kind: str
    text: str


class Hello(NamedTuple):
    """A client is about to say hello to a server."""

    time: float
    client: int


class Shown(NamedTuple):
    """A client received a snapshot."""

    time: float
    client: int
    round: int
    lines: int

    @property
    def position(self) -> Position:
        return self.round, self.lines


class Acknowledged(NamedTuple):
    """A client received the answer that its move, decided when the log had `at` lines, is made."""

    time: float
    client: int
    round: int
    at: int
    move: str


class Paused(NamedTuple):
    """A client was told that what it shows may be old."""

    time: float
    client: int


class Disconnected(NamedTuple):
    """A client noticed that its connection is lost."""

    time: float
    client: int


Event: TypeAlias = Hello | Shown | Acknowledged | Paused | Disconnected


def judge(events: Sequence[Event], bound: float) -> list[Fault]:
    """Return everything that is wrong in a history, whose events are in the order of their times.

    `bound` is the time in seconds after which all screens must show what one client was shown or acknowledged.
    """
    return [*backward_reads(events), *double_acknowledgements(events), *stale_reads(events, bound)]


def backward_reads(events: Iterable[Event]) -> list[Fault]:
    """Find snapshots that show a client less than it has seen or was acknowledged, at whatever server."""
    seen: defaultdict[int, Position] = defaultdict(lambda: (0, 0))
    faults = []
    for event in events:
        if isinstance(event, Shown):
            if event.position < seen[event.client]:
                faults.append(Fault(BACKWARDS, f"client {event.client} had {seen[event.client]} and got {event}"))
            seen[event.client] = max(seen[event.client], event.position)
        elif isinstance(event, Acknowledged):
            seen[event.client] = max(seen[event.client], (event.round, event.at + 1))
    return faults


def double_acknowledgements(events: Iterable[Event]) -> list[Fault]:
    """Find two decisions of one client for the same line of the log that were both acknowledged."""
    first: dict[tuple[int, int, int], Acknowledged] = {}
    faults = []
    for event in events:
        if isinstance(event, Acknowledged):
            before = first.setdefault((event.client, event.round, event.at), event)
            if before is not event:
                faults.append(Fault(DOUBLED, f"{before} and {event}"))
    return faults


def stale_reads(events: Sequence[Event], bound: float) -> list[Fault]:
    """Find screens that show an old board as if it were the newest.

    The first snapshot of a connection must have all that any client knew when the hello was sent. Later a screen must
    have it after the bound, or show a pause.
    """
    known = _Known()
    screens: dict[int, Shown] = {}
    required: dict[int, Position] = {}  # of the first snapshot, from the hello until it comes
    faults = []

    def end_screen(client: int, time: float) -> None:
        if (screen := screens.pop(client, None)) is not None:
            late = time - known.time_after(screen.position) - bound
            if late > 0:
                faults.append(Fault(STALE, f"{screen} was on the screen {late:.2f} s too long"))

    for event in events:
        if isinstance(event, Acknowledged):
            known.add((event.round, event.at + 1), event.time)
            continue
        end_screen(event.client, event.time)
        if isinstance(event, Hello):
            required[event.client] = known.newest
        elif isinstance(event, Shown):
            if event.position < (needed := required.pop(event.client, (0, 0))):
                faults.append(Fault(STALE, f"the first snapshot should have {needed}: {event}"))
            known.add(event.position, event.time)
            screens[event.client] = event
    for client in list(screens):
        end_screen(client, events[-1].time)
    return faults


class _Known:
    """When each position was first known to any client."""

    def __init__(self) -> None:
        self._positions: list[Position] = [(0, 0)]
        self._times = [float("-inf")]

    @property
    def newest(self) -> Position:
        return self._positions[-1]

    def add(self, position: Position, time: float) -> None:
        if position > self.newest:
            self._positions.append(position)
            self._times.append(time)

    def time_after(self, position: Position) -> float:
        """Return when more than this position was first known."""
        at = bisect_right(self._positions, position)
        return self._times[at] if at < len(self._times) else float("inf")
