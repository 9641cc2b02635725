"""Table: a live match with people and bots around it, and the one writer of its log.

Verify, store, then tell: a command is checked and applied purely, its lines are appended to the store, and only then do
the table's match and everybody's screens change. Viewers have a mailbox of one: a flag that something is new; what they
are sent is made at that moment, from what they may know.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gramy.bots import bot
from gramy.game import Game, GramyError, Message, Outcome, plain, written
from gramy.match import Entry, Match, as_read, shuffling
from gramy.table.clock import Clock, Control
from gramy.table.seat import BOT, OPEN, PERSON, Seat
from gramy.table.store import Gone, Line, Store, TableRow, Taken, Unkept

LOG = logging.getLogger("gramy.table")
WAITING, PLAYING, FINISHED, ABANDONED = "waiting", "playing", "finished", "abandoned"
STAND_IN = "easy"
LONG = 4000
"""A log of so many lines grows only by what the match needs: no more talk, taking back or changing of minds."""
RETRY = 5.0
REMEMBERED = 64
"""So many commands of a seat are answered again when they are sent again."""


class Refused(GramyError):
    """What somebody wants of a table cannot be granted now; moves are refused by the game itself."""


@dataclass(frozen=True)
class Times:
    """How long things take, in seconds."""

    pause: float = 0.9  # a bot's move takes at least this long, so that people can follow
    budget: float = 1.0  # a bot thinks no longer
    away: float = 30.0  # after this the others may decide for somebody who is missing
    wait: float = 60.0  # what they grant when they wait


@dataclass
class Surroundings:
    """What a table needs from outside: a store, the time, luck, and somewhere for bots to think."""

    store: Store
    now: Callable[[], float]
    rng: random.Random
    think: Callable[..., Awaitable[Any]]
    times: Times = Times()


@dataclass(eq=False)
class Viewer:
    """Somebody who looks at a table, from a seat or (None) from beside it."""

    seat: int | None
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    answers: list[str] = field(default_factory=list)
    refusals: deque[tuple[str, Message]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    round: int = 0
    lines: int = 0  # how much of this round's log was sent


class Table:
    """One table; `lobby.py` makes and finds them."""

    def __init__(
        self, id: str, game: Game, seats: list[Seat], public: bool, control: Control | None, around: Surroundings
    ):
        self.id, self.game, self.seats, self.public, self.control = id, game, seats, public, control
        self.around = around
        self.status = WAITING
        self.round = 1
        self.version = 0
        self.match: Match | None = None
        self.abandoned = False
        self.rematch: set[int] = set()
        self.clock: Clock | None = None
        self.viewers: set[Viewer] = set()
        self.thinking: set[int] = set()
        self.touched = around.now()
        self._granted: dict[int, float] = {}  # until when the others wait for a missing seat
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._driving = False
        self._fall: asyncio.TimerHandle | None = None  # when the next bank is empty

    # --- coming and going ---------------------------------------------------------------------------------------------

    def enter(self, viewer: Viewer) -> None:
        """Somebody looks; a person who was away is back, and gets the seat back from a bot."""
        self.viewers.add(viewer)
        if viewer.seat is not None:
            seat = self.seats[viewer.seat]
            seat.connections += 1
            seat.away_since, seat.stand_in = None, False
            self._granted.pop(viewer.seat, None)
        self._tell()
        self._drive()

    def exit(self, viewer: Viewer) -> None:
        """Somebody looks no longer; the last look of a seat is the beginning of being away."""
        self.viewers.discard(viewer)
        if viewer.seat is not None:
            seat = self.seats[viewer.seat]
            seat.connections -= 1
            if seat.connections == 0 and seat.kind == PERSON:
                seat.away_since = self.around.now()
                self._spawn(self._tell_after(self.around.times.away))
                if self.rematch:
                    self._spawn(self._rematch_without(viewer.seat))
        self._tell()

    async def sit(self, name: str, guest: str, wanted: int | None) -> tuple[int, str]:
        """A person takes an open seat; its number and token. The last one begins the match."""
        async with self._lock:
            free = [number for number, seat in enumerate(self.seats) if seat.kind == OPEN]
            if wanted is not None and wanted not in free:
                raise Refused(Message("seat_taken", {"number": wanted + 1}))
            if not free:
                raise Refused(Message("table_full"))
            number = free[0] if wanted is None else wanted
            token = self.seats[number].take(name, guest)
            try:
                if len(free) == 1:
                    await self._begin(self.round)
                else:
                    await self._save()
            except BaseException:
                self.seats[number] = Seat()  # a seat whose token nobody has would never be free again
                raise
        self._tell()
        return number, token

    @property
    def busy(self) -> bool:
        """Whether somebody's command is being carried out."""
        return self._lock.locked()

    def seat_of(self, token_digest: str | None, guest: str | None) -> int | None:
        """The seat that a token opens, or that a guest took."""
        for number, seat in enumerate(self.seats):
            if seat.kind == PERSON and token_digest is not None and seat.token == token_digest:
                return number
        if token_digest is not None:
            return None
        owned = [
            number for number, seat in enumerate(self.seats) if seat.kind == PERSON and guest and seat.guest == guest
        ]
        return owned[0] if owned else None

    # --- commands: each answered once, by a snapshot or a refusal -----------------------------------------------------

    async def command(self, viewer: Viewer, id: str, do: Callable[[int], Awaitable[None]]) -> None:
        """Do something for a viewer's seat. The same id again gets the same answer and does nothing."""
        if viewer.seat is None:
            viewer.refusals.append((id, Message("spectators_watch")))
            viewer.fresh.set()
            return
        number, seat = viewer.seat, self.seats[viewer.seat]
        async with self._lock:
            if viewer.seat != number or self.seats[number] is not seat:
                viewer.refusals.append((id, Message("spectators_watch")))  # the seat was given up while this waited
                viewer.fresh.set()
                return
            if id not in seat.answered:
                seat.answered[id] = await self._outcome(do, number)
                while len(seat.answered) > REMEMBERED:
                    del seat.answered[next(iter(seat.answered))]
        answer = seat.answered[id]
        if isinstance(answer, Message):
            viewer.refusals.append((id, answer))
        else:
            viewer.answers.append(id)
        viewer.fresh.set()
        self._drive()

    async def _outcome(self, do: Callable[[int], Awaitable[None]], seat: int) -> Message | None:
        try:
            await do(seat)
        except GramyError as error:
            return error.message
        except Taken:
            await self._reload()
            return Message("too_late")
        except Gone:
            return Message("no_such_table", {"table": self.id})
        except Unkept as error:
            LOG.error("not kept", extra={"why": str(error)})
            return Message("not_kept")
        return None

    async def play(self, seat: int, at: int, move: str, round: int | None = None) -> None:
        """A move, an undo or a phrase, as text. It is refused when the moment it was meant for is over."""
        if self.status != PLAYING or self.match is None:
            raise Refused(Message("match_not_on"))
        if round not in (None, self.round) or not 0 <= at <= len(self.match.log):
            raise Refused(Message("too_late"))
        needed = seat in self.match.awaited and not move.startswith(("say ", "undo"))
        if len(self.match.log) >= LONG and not needed:
            raise Refused(Message("enough_said"))
        if not all(self._harmless(entry, seat) for entry in self.match.log[at:]):
            raise Refused(Message("too_late"))
        await self._step(move, seat)

    async def say(self, seat: int, phrase: str, at: int, round: int | None = None) -> None:
        """A phrase, said once however often it is sent: a client that lost the answer sends it again, and so finds its
        line in the log even after a restart."""
        if self.match is None or Entry(seat, f"say {phrase}") not in self.match.log[at:]:
            await self.play(seat, max(at, len(self.match.log)) if self.match else 0, f"say {phrase}", round)

    @staticmethod
    def _harmless(entry: Entry, seat: int) -> bool:
        """Talk, and what another seat does in secret at the same time, change nothing about a seat's decision."""
        return entry.text.startswith("say ") or (entry.reader is not None and entry.reader == entry.seat != seat)

    async def decide(self, seat: int, missing: int, choice: str) -> None:
        """The others decide for somebody who is away: wait, let a bot play, or end the match."""
        if self.status != PLAYING or not any(one["seat"] == missing and one["decide"] for one in self._away()):
            raise Refused(Message("nobody_missing"))
        if choice == "bot":
            self.seats[missing].stand_in = True
        elif choice == "wait":
            self._granted[missing] = self.around.now() + self.around.times.wait
            self._spawn(self._tell_after(self.around.times.wait))
        else:
            await self._abandon()
        self._tell()

    async def ask_rematch(self, seat: int) -> None:
        """The next round begins when every person who is there wants it."""
        if self.status != FINISHED:
            raise Refused(Message("match_not_over"))
        self.rematch.add(seat)
        await self._rematch_if_all_want()
        self._tell()

    async def _rematch_if_all_want(self) -> None:
        there = {number for number, one in enumerate(self.seats) if one.kind == PERSON and one.connections}
        if self.status == FINISHED and self.rematch and there and there <= self.rematch:
            await self._begin(self.round + 1)

    async def _rematch_without(self, seat: int) -> None:
        """Somebody has gone who did not ask for another round; perhaps all who are left did."""
        async with self._lock:
            self.rematch.discard(seat)
            await self._outcome(lambda _: self._rematch_if_all_want(), seat)

    async def leave(self, seat: int) -> None:
        """A person gives up a seat: it is open again while the table waits; a match goes on with a bot, or ends."""
        one = self.seats[seat]
        if self.status == WAITING:
            self.seats[seat] = Seat()
            try:
                await self._save()
            except BaseException:
                self.seats[seat] = one
                raise
            for viewer in self.viewers:
                viewer.seat = None if viewer.seat == seat else viewer.seat
        elif self.status == PLAYING:
            gone = self.around.now() - self.around.times.away
            others = any(
                other.kind == PERSON and other is not one and (other.connections or (other.away_since or gone) > gone)
                for other in self.seats
            )
            if others:
                one.stand_in = True
            else:
                await self._abandon()
        self._tell()

    # --- the match ----------------------------------------------------------------------------------------------------

    async def _begin(self, round: int) -> None:
        """A round: its deal, its number and the table's status are kept together or not at all."""
        match = Match(self.game, shuffling(self.around.rng), [seat.name for seat in self.seats])
        clock = Clock(self.control, len(self.seats), self.around.now()) if self.control else None
        row = self.row()._replace(round=round, status=PLAYING, clock=_kept(clock))
        await self.around.store.save(row, _lines(match.log))
        self.round, self.match, self.clock = round, match, clock
        self.status, self.abandoned, self.rematch = PLAYING, False, set()
        for seat in self.seats:
            seat.answered.clear()
        self._after_step()

    async def _step(self, move: str, seat: int) -> None:
        assert self.match is not None
        ahead, _ = self.match.after(move, seat)
        new = ahead.log[len(self.match.log) :]
        status = PLAYING if ahead.outcome is None else FINISHED
        number, now = len(self.match.log), self.around.now()
        clock = _kept(self.clock)
        await self.around.store.append(self.id, self.round, number, _lines(new), now, status, clock)
        self.match, self.status = ahead, status
        self._after_step()

    def _after_step(self) -> None:
        assert self.match is not None
        self.touched = self.around.now()
        self._press()
        self._tell()
        self._drive()

    def _press(self) -> None:
        """Let the clock run for the seats that the match waits for, and look again when a bank is empty."""
        if self._fall is not None:
            self._fall.cancel()
            self._fall = None
        if self.clock and self.match:
            self.clock.press(self.match.awaited, self.around.now())
            if (seconds := self.clock.next_fall()) is not None:
                self._fall = asyncio.get_running_loop().call_later(seconds + 0.05, self._look_again)

    def _look_again(self) -> None:
        self._tell()
        self._drive()

    async def _abandon(self) -> None:
        await self.around.store.save(self.row()._replace(status=ABANDONED, touched=self.around.now()))
        self.status, self.abandoned = FINISHED, True

    async def _reload(self) -> None:
        """Somebody else wrote this table's log: take what is there from the store."""
        row = await self.around.store.load(self.id)
        lines = await self.around.store.lines(self.id, row.round) if row else []
        if row and lines:
            self.take_over(row, lines)
            self._tell()

    def take_over(self, row: TableRow, lines: list[Line]) -> None:
        """The match as it is kept. The log decides: with a line it has begun, with an outcome it is over."""
        self.round, self.abandoned = row.round, row.status == ABANDONED
        self.match = self.replayed(lines) if lines else None
        if self.match is None:
            self.status = WAITING
            return
        over = self.abandoned or row.status == FINISHED or self.match.outcome is not None
        self.status = FINISHED if over else PLAYING
        if self.control and row.clock and not over:
            self.clock = Clock(self.control, len(self.seats), self.around.now(), row.clock.get("left"))
            self._press()

    def replayed(self, lines: list[Line]) -> Match:
        """The match that a stored log tells."""
        entries = [Entry(line.seat, line.text) for line in lines]
        return Match.replayed(self.game, entries, shuffling(self.around.rng), [seat.name for seat in self.seats])

    async def _save(self) -> None:
        self.touched = self.around.now()
        await self.around.store.save(self.row())

    def row(self) -> TableRow:
        """The table as it is kept."""
        return TableRow(
            id=self.id,
            game=self.game.name,
            version=self.game.rules.VERSION,
            options=written(self.game.options),
            public=self.public,
            clock=_kept(self.clock) or (self.control._asdict() if self.control else None),
            round=self.round,
            status=ABANDONED if self.abandoned else self.status,
            touched=self.touched,
            seats=tuple(seat.row() for seat in self.seats),
        )

    async def begin_if_full(self) -> None:
        """Begin what was not begun although everybody sits."""
        async with self._lock:
            if self.status == WAITING and all(seat.kind != OPEN for seat in self.seats):
                await self._begin(self.round)

    def resume(self) -> None:
        """Go on after the server was away: everybody is missing until they come back, bots and clocks are not."""
        if self.status != PLAYING or self.match is None:
            return
        for seat in self.seats:
            if seat.kind == PERSON and not seat.connections:
                seat.away_since = self.around.now()
        self._spawn(self._tell_after(self.around.times.away))
        self._press()
        self._drive()

    # --- bots ---------------------------------------------------------------------------------------------------------

    def _drive(self) -> None:
        """Let bots move while it is their turn, beside everything else."""
        if not self._driving and self._played_by_bots():
            self._driving = True
            self._spawn(self._bots())

    def _played_by_bots(self) -> list[int]:
        """The awaited seats that a bot plays: its own, a missing person's, or one whose time is up."""
        if self.status != PLAYING or self.match is None:
            return []
        fallen = self.clock.fallen(self.around.now()) if self.clock else ()
        return [
            seat
            for seat in self.match.awaited
            if self.seats[seat].kind == BOT or self.seats[seat].stand_in or seat in fallen
        ]

    async def _bots(self) -> None:
        try:
            while waiting := self._played_by_bots():
                if refused := await self._bot_moves(waiting[0]):
                    LOG.error("a bot could not move", extra={"why": refused.key})
                    self._spawn(self._tell_after(RETRY))
                    break
        except Exception:
            LOG.exception("a bot failed")
            self._spawn(self._tell_after(RETRY))
        finally:
            self._driving = False
            self.thinking.clear()
            self._tell()

    async def _bot_moves(self, seat: int) -> Message | None:
        """Think, then talk and move by the same door as everybody; why not, if it was refused."""
        match, times = self.match, self.around.times
        assert match is not None
        self.thinking = {seat}
        self._tell()
        level = self.seats[seat].level or STAND_IN
        player, view, history = bot(self.game.name, level), match.view(seat), match.history(seat)
        began = self.around.now()
        rng = random.Random(self.around.rng.getrandbits(64))
        said = player.say(view, history, rng)
        move = await self.around.think(player.choose, view, history, rng, times.budget)
        if (rest := times.pause - (self.around.now() - began)) > 0:
            await asyncio.sleep(rest)
        async with self._lock:
            if seat not in self._played_by_bots():
                return None  # the person is back, or the match is over
            refused = None
            for text in (*(f"say {phrase}" for phrase in said), move):
                refused = refused or await self._outcome(partial(self.play, at=len(match.log), move=text), seat)
            return None if refused == Message("too_late") else refused

    # --- telling ------------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        self.version += 1
        for viewer in self.viewers:
            viewer.fresh.set()

    async def _tell_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._look_again()

    def snapshot(self, viewer: Viewer) -> dict[str, Any]:
        """Everything there is to show to a viewer, made of what that seat may know."""
        match, seat = self.match, viewer.seat
        if viewer.round != self.round:
            viewer.round, viewer.lines = self.round, 0
        answers, viewer.answers = viewer.answers, []
        seen: dict[str, Any] = {
            "lines": 0,
            "view": None,
            "effects": {},
            "refusals": {},
            "log": {"from": 0, "lines": []},
        }
        if match is not None:
            live = self.status == PLAYING and seat is not None
            seen = {
                "lines": len(match.log),
                "view": plain(match.view(seat)),
                "effects": plain(self.game.effects(match.state, seat)) if live and seat is not None else {},
                "refusals": plain(self.game.refusals(match.state, seat)) if live and seat is not None else {},
                "log": {"from": viewer.lines, "lines": told(match, seat, viewer.lines)},
            }
            if self.abandoned:
                seen["view"]["outcome"] = plain(Outcome((), "abandoned"))
            viewer.lines = len(match.log)
        return {
            "type": "snapshot",
            "version": self.version,
            "answers": answers,
            "you": seat,
            "table": self.summary(),
            **seen,
            "phrases": list(self.game.phrases()),
            "away": self._away(),
            "clock": self._clock(),
            "thinking": sorted(self.thinking),
            "rematch": sorted(self.rematch),
        }

    def summary(self) -> dict[str, Any]:
        """The table as a lobby shows it."""
        return {
            "table": self.id,
            "game": self.game.name,
            "options": written(self.game.options),
            "status": self.status,
            "round": self.round,
            "public": self.public,
            "seats": [seat.view()._asdict() for seat in self.seats],
        }

    def _clock(self) -> dict[str, Any] | None:
        if self.clock is None:
            return None
        return {"left": self.clock.read(self.around.now()), "running": list(self.clock.running)}

    def _away(self) -> list[dict[str, Any]]:
        """Who is missing from a match that is on, and whether the others may decide."""
        if self.status != PLAYING:
            return []
        now, missing = self.around.now(), []
        for number, seat in enumerate(self.seats):
            if seat.kind == PERSON and seat.away_since is not None and not seat.stand_in:
                until = max(seat.away_since + self.around.times.away, self._granted.get(number, 0.0))
                missing.append({"seat": number, "seconds": round(max(0.0, until - now), 1), "decide": now >= until})
        return missing

    # --- tasks --------------------------------------------------------------------------------------------------------

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop thinking and waiting; what was acknowledged is stored already."""
        if self._fall is not None:
            self._fall.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def told(match: Match, seat: int | None, start: int = 0) -> list[dict[str, Any]]:
    """Lines of a log as a seat may read them, with what followed."""
    return [
        {"seat": entry.seat, "move": as_read(entry, seat).text, "events": plain(events)}
        for entry, events in zip(match.log[start:], match.told[start:], strict=True)
    ]


def _kept(clock: Clock | None) -> dict[str, Any] | None:
    """A clock as it is kept: the control, and what is left of the banks."""
    return None if clock is None else {**clock.control._asdict(), "left": [round(left, 1) for left in clock.left]}


def _lines(entries: list[Entry]) -> list[Line]:
    return [Line(entry.seat, entry.text) for entry in entries]
