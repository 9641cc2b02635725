"""Table: a live match with people and bots around it, and this server's one writer of its log.

Verify, store, then tell: a command is checked and applied purely, its lines are appended to the store, and only then do
the table's match and everybody's screens change. Another server may write the same log: then the store refuses, the
table catches up with what is there, and the command is decided again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from gramy.contract import DEALER, Game, GramyError, Message
from gramy.fair import SeededDealer
from gramy.matches import Entry, Match
from gramy.options import format_options
from gramy.table import bus, rounds
from gramy.table.bot_pool import BotRequest
from gramy.table.bot_turns import RETRY, STAND_IN, drive, talk
from gramy.table.clock import Clock, Control
from gramy.table.names import distinct
from gramy.table.presence import Presence
from gramy.table.refused import Refused
from gramy.table.rounds import NO_CLIENT_SEED
from gramy.table.seat import OPEN, PERSON, Seat, digest
from gramy.table.services import REMEMBERED, Hint, Services, Viewer
from gramy.table.snapshot import CachedParts, snapshot, summary
from gramy.table.store import (
    ABANDONED,
    FINISHED,
    PLAYING,
    WAITING,
    Conflict,
    StoreUnavailable,
    TableDeleted,
    TableRow,
    WriteUnknown,
)

LOG = logging.getLogger("gramy.table")
LONG = 4000
"""A log of so many lines grows only by what the match needs: no more talk, taking back or changing of minds."""
MINUTE = 60.0
"""So exactly the store knows when a table was last touched: its index on that need not follow each move."""
RACES = 4
"""So often a command is decided again when another server was faster."""


class Table:
    """One table; `lobby.py` makes and finds them."""

    def __init__(
        self, id: str, game: Game, seats: list[Seat], public: bool, control: Control | None, services: Services
    ):
        self.id, self.game, self.seats, self.public, self.control = id, game, seats, public, control
        self.services = services
        self.status = WAITING
        self.round = 1
        self.version = 0
        self.revision = 0
        self.deals = rounds.new_deal(services, len(seats)), rounds.new_deal(services, len(seats))
        self.match: Match | None = None
        self.abandoned = False
        self.rematch: dict[int, str] = {}
        self.clock: Clock | None = None
        self.viewers: set[Viewer] = set()
        self.presence = Presence(seats, services.now)
        self.cached_parts: CachedParts | None = None  # what all are sent alike until more than the match changes
        self.touched = services.date()
        self._dated = 0.0  # when the store was last told the date
        self.lock = asyncio.Lock()
        self.driven = False  # a bot is at work
        self._tasks: set[asyncio.Task[None]] = set()
        self._healing = False
        self._fall: asyncio.TimerHandle | None = None  # when the next bank is empty

    # --- coming and going ---------------------------------------------------------------------------------------------

    def enter(self, viewer: Viewer, client_seed: str = NO_CLIENT_SEED) -> None:
        """Somebody looks; a person who was away is back, and gets the seat back from a bot."""
        self.viewers.add(viewer)
        if viewer.seat is not None:
            self.presence.come(viewer.seat)
            if self.seats[viewer.seat].stand_in:
                self.spawn(self._take_back(viewer.seat))
            if self.status == WAITING:
                self.spawn(rounds.take_client_seed(self, viewer.seat, client_seed))
            self.say_who_is_here()
        self.tell()
        drive(self)

    def exit(self, viewer: Viewer) -> None:
        """Somebody looks no longer; the last look of a seat is the beginning of being away."""
        self.viewers.discard(viewer)
        if viewer.seat is not None:
            self.presence.go(viewer.seat)
            self.say_who_is_here()
            if not self.presence.online(viewer.seat):
                self.later(self.services.times.away)
                if self.rematch:
                    self.spawn(rounds.without(self, viewer.seat))
        self.tell()

    async def sit(self, name: str, guest: str, wanted: int | None) -> tuple[int, str]:
        """A person takes an open seat; its number and token. With the last one the match can begin."""
        async with self.lock:
            for _ in range(RACES):
                free = [number for number, seat in enumerate(self.seats) if seat.kind == OPEN]
                if wanted is not None and wanted not in free:
                    raise Refused(Message("seat_taken", {"number": wanted + 1}))
                if not free:
                    raise Refused(Message("table_full"))
                number = free[0] if wanted is None else wanted
                shown = distinct(name, (seat.name for seat in self.seats if seat.kind != OPEN))
                token = self.seats[number].take(shown, guest)
                try:
                    await rounds.if_ready(self)
                    break
                except Conflict:
                    await self._catch_up()
                    if self.seats[number].token == digest(token):
                        break  # it was ours: only the answer was lost
                except BaseException:
                    self.seats[number].clear()  # a seat whose token nobody has would never be free again
                    self.tell()
                    raise
            else:
                raise Refused(Message("too_late"))
        self.tell()
        return number, token

    @property
    def busy(self) -> bool:
        """Whether somebody's command is being carried out."""
        return self.lock.locked()

    def seat_of(self, token_digest: str | None, guest: str | None) -> int | None:
        """The seat that a token opens, or that a guest took."""
        people = [(number, seat) for number, seat in enumerate(self.seats) if seat.kind == PERSON]
        if token_digest is not None:
            return next((number for number, seat in people if seat.token == token_digest), None)
        return next((number for number, seat in people if guest and seat.guest == guest), None)

    async def seated(self, token: str | None, guest: str | None) -> int | None:
        """The seat that a token or a guest has, at a table that shows the newest: another server may have given the
        seat a moment ago, or died with its last move untold."""
        if self.services.bus.shared:
            await self.look_in_store()
        return self.seat_of(digest(token) if token else None, guest)

    # --- commands: each answered once, by a snapshot or a refusal -----------------------------------------------------

    async def command(self, viewer: Viewer, id: str, do: Callable[[int], Awaitable[None]]) -> None:
        """Do something for a viewer's seat. The same id again gets the same answer and does nothing."""
        answer = await self._answer(viewer, id, do)
        if isinstance(answer, Message):
            viewer.refuse(id, answer)
        else:
            viewer.answer(id)
        viewer.tell()

    async def _answer(self, viewer: Viewer, id: str, do: Callable[[int], Awaitable[None]]) -> object:
        number = viewer.seat
        async with self.lock:
            if number is None or viewer.seat != number:  # it was given up while this waited
                return Message("spectators_watch")
            seat = self.seats[number]
            if id not in seat.answered:
                seat.answered[id] = await self.attempt(do, number)
                while len(seat.answered) > REMEMBERED:
                    del seat.answered[next(iter(seat.answered))]
            return seat.answered[id]

    async def attempt(self, do: Callable[[int], Awaitable[None]], seat: int) -> Message | None:
        """Why something could not be done; decided again whenever somebody else changed the table meanwhile."""
        try:
            for _ in range(RACES):
                try:
                    await do(seat)
                    return None
                except Conflict:
                    await self._catch_up()
                except GramyError as error:
                    if not (self.services.bus.shared and await self._is_behind()):
                        return error.message
                    await self._catch_up()
            return Message("too_late")
        except TableDeleted:
            return Message("no_such_table", {"table": self.id})
        except StoreUnavailable as error:
            LOG.error("not kept", extra={"why": str(error)})
            self.tell()  # somebody may have been shown what is undone now
            if not self._healing:
                self._healing = True
                self.spawn(self._heal())
            return Message("save_unknown" if isinstance(error, WriteUnknown) else "not_saved")

    async def play(self, seat: int, at: int, move: str, round: int | None = None) -> None:
        """A move, an undo or a phrase, as text. It is refused when the moment it was meant for is over, unless it is
        what ended that moment: a client that lost the answer sends it again."""
        log = self.match.log if self.match else ()
        timely = round in (None, self.round) and 0 <= at <= len(log)
        news = log[at:] if timely else ()
        since = [entry for entry in news if not self._harmless(entry, seat)] if news else []
        if since and since[0][:2] == (seat, move):
            return
        if self.status != PLAYING or self.match is None:
            raise Refused(Message("match_not_on"))
        if since or not timely:
            raise Refused(Message("too_late"))
        if len(log) >= LONG and (seat not in self.match.to_act or move.startswith(("say ", "undo"))):
            raise Refused(Message("enough_said"))
        await self._step(move, seat)

    async def say(self, seat: int, phrase: str, at: int, round: int | None = None) -> None:
        """A phrase, said once however often it is sent."""
        lines = len(self.match.log) if self.match else 0
        if self.match is None or (seat, f"say {phrase}") not in [entry[:2] for entry in self.match.log[at:]]:
            await self.play(seat, max(at, lines), f"say {phrase}", round)

    @staticmethod
    def _harmless(entry: Entry, seat: int) -> bool:
        """Talk, and what another seat does in secret at the same time, change nothing about a seat's decision."""
        return entry.text.startswith("say ") or (entry.reader is not None and entry.reader == entry.seat != seat)

    async def decide(self, seat: int, missing: int, choice: str) -> None:
        """The others decide for somebody who is away: wait, let a bot play, or end the match."""
        away = self.presence.missing(self.services.times.away)
        if self.status != PLAYING or not any(one["seat"] == missing and one["decide"] for one in away):
            raise Refused(Message("nobody_missing"))
        if choice == "bot":
            await self._let_bot_play(missing)
        elif choice == "wait":
            self._wait_for(missing)
            self.services.bus.tell(self.id, {"what": bus.WAIT, "seat": missing})
        else:
            await self._abandon()
        self.tell()
        drive(self)

    async def leave(self, seat: int) -> None:
        """A person gives up a seat: it is open again while the table waits; a match goes on with a bot, or ends."""
        if self.status == WAITING:
            left, deals, self.seats[seat] = self.seats[seat], self.deals, Seat()
            rounds.put_client_seed(self, seat, "")
            try:
                await self.save()
            except BaseException:
                self.seats[seat], self.deals = left, deals
                raise
            self._look_from_beside(seat)
        elif self.status == PLAYING:
            others = [number for number, one in enumerate(self.seats) if one.kind == PERSON and number != seat]
            if any(self.presence.expected(other, self.services.times.away) for other in others):
                await self._let_bot_play(seat)
            else:
                await self._abandon()
        self.tell()
        drive(self)

    async def forget(self, guest: str) -> None:
        """A guest gets up for good: his seats are open again or a bot's; a match that nobody else plays is over."""
        async with self.lock:
            for number, seat in enumerate(self.seats):
                if seat.kind == PERSON and seat.guest == guest and (why := await self.attempt(self._get_up, number)):
                    raise Refused(why)
        self.tell()
        drive(self)

    async def _get_up(self, seat: int) -> None:
        await self.leave(seat)
        if self.status == PLAYING:
            left, self.seats[seat] = self.seats[seat], Seat.of_bot(seat, STAND_IN)
            try:
                await self.save()
            except BaseException:
                self.seats[seat] = left
                raise
            self._look_from_beside(seat)
            self._rename()

    def _rename(self) -> None:
        if self.match is not None:
            self.match = self.match.named(seat.name for seat in self.seats)

    def _look_from_beside(self, seat: int) -> None:
        """Whoever looked from a seat that is not his any more looks on as a spectator."""
        for viewer in self.viewers:
            if viewer.seat == seat:
                viewer.seat = None
                self.presence.go(seat)
                self.say_who_is_here()

    # --- advice -------------------------------------------------------------------------------------------------------

    @property
    def friendly(self) -> bool:
        """Whether advice takes nothing from anybody: no clock runs, and nobody else plays but bots and partners."""
        people = sum(seat.kind == PERSON for seat in self.seats)
        return self.control is None and (people == 1 or self.game.rules.COOPERATIVE)

    async def hint(self, viewer: Viewer, id: str) -> None:
        """Tell a viewer what to do, from what that seat may know. The table goes on meanwhile."""
        match, seat = self.match, viewer.seat
        if match is None or seat is None or self.status != PLAYING or seat not in match.to_act or not self.friendly:
            viewer.refuse(id, Message("no_hints_now"))
        else:
            seed, budget = self.services.rng.getrandbits(64), self.services.times.advice
            try:
                request = BotRequest(match.view(seat), match.history(seat), seed, budget=budget)
                advice = await self.services.bots.advise(request)
                viewer.advise(id, Hint(len(match.log), advice))
            except Exception:
                LOG.exception("no advice could be given")
                viewer.refuse(id, Message("server_error"))
        viewer.tell()

    # --- the match ----------------------------------------------------------------------------------------------------

    async def _step(self, move: str, seat: int) -> None:
        assert self.match is not None
        ahead = self.match.copy()
        ahead.replay(Entry(seat, move))
        number = len(self.match.log)
        status, now = PLAYING if ahead.outcome is None else FINISHED, self.services.date()
        touched = now if now - self._dated > MINUTE else None
        revision = await self.services.store.append(
            self.id, self.round, number, ahead.log[number:], touched, status, self._kept_clock
        )
        self.match, self.status, self._dated = ahead, status, touched or self._dated
        if revision == self.revision + 1:
            self.revision = revision
        else:
            self.spawn(self.look_in_store())  # somebody else has changed something about the seats meanwhile
        self.after_step(revision)

    def after_step(self, revision: int, begun: bool = False) -> None:
        """The match has moved on and that is stored: tell everybody, and let bots have their turn."""
        self.touched = self.services.date()
        self._press()
        self._say_changed(revision)
        if begun or self.status != PLAYING:
            self.tell()
        else:
            self._tell_of_match()
        drive(self)
        talk(self)

    @property
    def _kept_clock(self) -> dict[str, Any] | None:
        return None if self.clock is None else self.clock.kept()

    def _press(self) -> None:
        """Let the clock run for the seats that the match waits for, and look again when a bank is empty."""
        if self._fall is not None:
            self._fall.cancel()
            self._fall = None
        if self.clock and self.match:
            self.clock.press(self.match.to_act, self.services.now())
            if (seconds := self.clock.next_fall()) is not None:
                self._fall = asyncio.get_running_loop().call_later(seconds + 0.05, self._look_again)

    async def _let_bot_play(self, seat: int) -> None:
        self.seats[seat].stand_in = True
        try:
            await self.save()
        except BaseException:
            self.seats[seat].stand_in = False
            raise

    async def _abandon(self) -> None:
        row = self.row()._replace(status=ABANDONED, touched=self.services.date())
        self.revision = await self.services.store.save(row)
        self.status, self.abandoned = FINISHED, True
        self._say_changed(self.revision)

    async def _take_back(self, seat: int) -> None:
        """A person who is back plays on instead of the bot."""

        async def take(seat: int) -> None:
            if self.seats[seat].stand_in:
                self.seats[seat].stand_in = False
                await self.save()

        async with self.lock:
            await self.attempt(take, seat)
        self.tell()

    async def save(self) -> None:
        """Keep everything but the match, and let other servers know."""
        self.touched = self.services.date()
        self.revision = await self.services.store.save(self.row())
        self._say_changed(self.revision)

    def row(self) -> TableRow:
        """The table as it is kept."""
        return TableRow(
            id=self.id,
            game=self.game.name,
            version=self.game.rules.VERSION,
            options=format_options(self.game.options),
            public=self.public,
            clock=self._kept_clock or (self.control._asdict() if self.control else None),
            round=self.round,
            status=ABANDONED if self.abandoned else self.status,
            touched=self.touched,
            seats=tuple(seat.row() for seat in self.seats),
            deals=self.deals,
            rematch=dict(self.rematch),
            revision=self.revision,
        )

    # --- other servers, and this one's own past -----------------------------------------------------------------------

    async def look_in_store(self, newest: int | None = None) -> None:
        """Another server may have changed this table; or has, and `newest` is the revision that it knows of."""
        async with self.lock:
            try:
                if newest > self.revision if newest is not None else await self._is_behind():
                    await self._catch_up()
            except (TableDeleted, StoreUnavailable) as error:
                LOG.warning("cannot catch up", extra={"why": str(error)})

    async def _heal(self) -> None:
        """The store was away: see what is there as soon as it answers."""
        while self._healing:
            await asyncio.sleep(RETRY)
            async with self.lock:
                try:
                    await self._catch_up()
                except StoreUnavailable:
                    continue
                except TableDeleted:
                    pass
            self._healing = False
        await rounds.at_last(self)

    async def _is_behind(self) -> bool:
        """Whether another server has changed this table, so that a refusal may be a mistake."""
        return (await self.services.store.revisions([self.id])).get(self.id, self.revision) != self.revision

    async def _catch_up(self) -> None:
        """Take what is in the store: somebody else has written it."""
        row = await self.services.store.load(self.id)
        if row is None:
            raise TableDeleted(self.id)
        if row.revision == self.revision:
            return
        known = len(self.match.log) if self.match and row.round == self.round else 0
        self.take_over(row, await self.services.store.lines(self.id, row.round, known))
        self.tell()
        drive(self)

    def take_over(self, row: TableRow, lines: Sequence[Entry]) -> None:
        """The table as it is kept, with the lines that are new. The log decides: with a line the match has begun, with
        an outcome it is over."""
        for number, (seat, kept) in enumerate(zip(self.seats, row.seats, strict=True)):
            if seat.token != kept.token:
                self._look_from_beside(number)
            seat.kind, seat.name, seat.level, seat.guest, seat.token, seat.stand_in = kept
            if seat.stand_in and number in self.presence.here:  # another server could not know
                self.spawn(self._take_back(number))
        names = [seat.name for seat in self.seats]
        match = self.match if row.round == self.round else None
        if match is None and lines:
            match = Match(self.game, None, names)
        if match is not None:
            match = match.followed_by(lines)
            match = match.dealt_by(SeededDealer(row.deals[0], sum(entry.seat == DEALER for entry in match.log)))
        self.match = match
        self._rename()
        self.round, self.revision, self.touched = row.round, row.revision, row.touched
        self.deals, self.rematch, self.abandoned = row.deals, row.rematch, row.status == ABANDONED
        over = self.abandoned or row.status == FINISHED or (match is not None and match.outcome is not None)
        self.status = WAITING if match is None else FINISHED if over else PLAYING
        self.clock = None
        if self.control and row.clock and self.status == PLAYING:
            self.clock = Clock(self.control, len(self.seats), self.services.now(), row.clock.get("left"))
        self._press()

    def resume(self) -> None:
        """Go on after the server was away: everybody is missing until they come back, bots and clocks are not."""
        self.presence.look()
        if self.status == PLAYING:
            self.later(self.services.times.away)
            drive(self)

    def hear(self, note: bus.Note) -> None:
        """Another server tells something about this table."""
        match note["what"]:
            case bus.CHANGED:
                newest = note.get("revision")  # a server of an older version does not say
                if newest is None or newest > self.revision:
                    self.spawn(self.look_in_store(newest))
            case bus.WHO:
                self.say_who_is_here()
            case bus.HERE:
                self.later(self.services.times.away)
                if self.presence.heard(note["node"], note["seats"]):
                    self.tell()
            case bus.WAIT:
                self._wait_for(note["seat"])
                self.tell()

    def _say_changed(self, revision: int) -> None:
        self.services.bus.tell(self.id, {"what": bus.CHANGED, "revision": revision})

    def say_who_is_here(self) -> None:
        """Tell other servers who is looking from this one."""
        self.services.bus.tell(self.id, {"what": bus.HERE, "seats": self.presence.here})

    def _wait_for(self, seat: int) -> None:
        self.presence.wait(seat, self.services.times.wait)
        self.later(self.services.times.wait)

    # --- telling ------------------------------------------------------------------------------------------------------

    def snapshot(self, viewer: Viewer) -> dict[str, Any]:
        """Everything there is to show to a viewer."""
        return snapshot(self, viewer)

    def summary(self) -> dict[str, Any]:
        """The table as a lobby shows it."""
        return summary(self)

    def tell(self) -> None:
        """Something has changed, and it may be anything."""
        self.presence.look()
        self.cached_parts = None
        self._tell_of_match()

    def _tell_of_match(self) -> None:
        """The match has moved on, and nothing else has changed: what most changes are."""
        self.version += 1
        for viewer in self.viewers:
            viewer.tell()

    def _look_again(self) -> None:
        self.tell()
        drive(self)

    def later(self, seconds: float) -> None:
        """Look again after a while."""

        async def wait() -> None:
            await asyncio.sleep(seconds)
            self._look_again()

        self.spawn(wait())

    def spawn(self, work: Awaitable[None]) -> None:
        """Do something beside everything else, until the table is closed."""
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
