"""What the application shows of a table, and what it can ask of it, whether the table is here or on a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from gramy.analysis import Advice
from gramy.contract import View
from gramy.messages import Event, Message, Reason


class LogRow(NamedTuple):
    """A line of the log as its reader may read it, with the events that followed."""

    seat: int
    move: str
    events: tuple[Event, ...]


class Room(NamedTuple):
    """A table on a server before the cards are dealt: its link, its free seats, and whether this person may start."""

    link: str
    free: int
    opener: bool


class TableClock(NamedTuple):
    """The seconds that each seat had left at a moment of the monotonic clock, and the seats whose clocks run."""

    left: tuple[float, ...]
    running: tuple[int, ...]
    at: float

    def seconds(self, seat: int, now: float) -> int:
        """Return the whole seconds that a seat has left now."""
        passed = now - self.at if seat in self.running else 0.0
        return max(0, ceil(self.left[seat] - passed))


class Absence(NamedTuple):
    """A player who is away. The others can decide in `seconds` after `at`; `votes` are their choices so far."""

    seat: int
    seconds: float
    at: float
    can_decide: bool
    voters: tuple[int, ...] = ()
    votes: Mapping[int, str] = MappingProxyType({})

    def countdown(self, now: float) -> int:
        """Return the whole seconds until the others can decide."""
        return max(0, ceil(self.seconds - (now - self.at)))


@dataclass(frozen=True)
class Scene:
    """Everything that one person may see of a table now.

    `next_person` is the seat of the person who must take the keyboard before anything hidden is shown. `thinking` are
    the bots that choose a move. `notice` says what is wrong with the table, such as a lost connection. `may_pass`:
    the person may leave the start to the others.
    """

    game: str
    names: tuple[str, ...]
    view: View | None = None
    log: tuple[LogRow, ...] = ()
    effects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    refusals: Mapping[str, Reason] = field(default_factory=dict)
    phrases: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    bots: frozenset[int] = frozenset()
    thinking: tuple[int, ...] = ()
    next_person: int | None = None
    may_pass: bool = False
    hints: bool = False
    rematch: tuple[int, ...] = ()
    room: Room | None = None
    clock: TableClock | None = None
    absence: Absence | None = None
    notice: Message | None = None

    @property
    def seat(self) -> int | None:
        """The seat of the person at the screen, None for a spectator."""
        return self.view.seat if self.view else None

    @property
    def is_to_act(self) -> bool:
        """Whether the person at the screen must act."""
        return self.view is not None and self.view.seat is not None and self.view.seat in self.view.to_act


class TableSource(Protocol):
    """A table that one screen plays at. A command returns None when it was done, otherwise why not."""

    @property
    def scene(self) -> Scene:
        """What the person at the screen may see now."""

    async def run(self, changed: Callable[[], None]) -> None:
        """Keep the table going until this is cancelled; `changed` is called after every change of the scene."""

    async def play(self, move: str) -> Message | None:
        """Play a move."""

    async def undo(self) -> Message | None:
        """Take the last move back."""

    async def say(self, phrase: str) -> Message | None:
        """Say one of the phrases."""

    async def hint(self) -> Advice | Message:
        """Return advice, or why there is none."""

    async def leave_start(self) -> Message | None:
        """Leave the start to the others."""

    async def rematch(self) -> Message | None:
        """Ask for another match at this table."""

    async def start(self, level: str) -> Message | None:
        """Begin with bots of a level in the free seats of the waiting room."""

    async def vote(self, seat: int, choice: str | None) -> Message | None:
        """Vote about a player who is away: `bot`, `wait` or `end`; None withdraws the vote."""

    def take_keyboard(self) -> None:
        """Show the table to the next person, who has confirmed that they sit at the screen."""
