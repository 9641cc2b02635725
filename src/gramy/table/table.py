"""Table: a live match with people and bots around it, and this server's one writer of its log.

Verify, store, then tell: a command is checked and applied purely, its lines are appended to the store, and only then do
the table's match and everybody's screens change. Another server may write the same log: then the store refuses, the
table catches up with what is there, and the command is decided again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any

from gramy.fair import Deal, dealing
from gramy.game import DEALER, Game, GramyError, Message, written
from gramy.match import Entry, Match
from gramy.table import bus
from gramy.table.clock import Clock, Control
from gramy.table.names import distinct
from gramy.table.presence import Presence
from gramy.table.seat import BOT, OPEN, PERSON, Seat, digest
from gramy.table.snapshot import Lasting, snapshot, summary
from gramy.table.store import ABANDONED, FINISHED, PLAYING, WAITING, Gone, TableRow, Taken, Unkept, Unsure
from gramy.table.surroundings import REMEMBERED, Hint, Surroundings, Viewer

LOG = logging.getLogger("gramy.table")
STAND_IN = "easy"
LONG = 4000
"""A log of so many lines grows only by what the match needs: no more talk, taking back or changing of minds."""
RETRY = 5.0
NO_LUCK = "-"
"""The word of a client that leaves its luck to the others."""
RACES = 4
"""So often a command is decided again when another server was faster."""


class Refused(GramyError):
    """What somebody wants of a table cannot be granted now; moves are refused by the game itself."""


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
        self.revision = 0
        self.deals = self._new_deal(), self._new_deal()
        self.match: Match | None = None
        self.abandoned = False
        self.rematch: dict[int, str] = {}
        self.clock: Clock | None = None
        self.viewers: set[Viewer] = set()
        self.presence = Presence(seats, around.now)
        self.lasting: Lasting | None = None  # what all are sent alike until more than the match changes
        self.touched = around.date()
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._driving = False
        self._healing = False
        self._fall: asyncio.TimerHandle | None = None  # when the next bank is empty

    # --- coming and going ---------------------------------------------------------------------------------------------

    def enter(self, viewer: Viewer, luck: str = NO_LUCK) -> None:
        """Somebody looks; a person who was away is back, and gets the seat back from a bot."""
        self.viewers.add(viewer)
        if viewer.seat is not None:
            self.presence.come(viewer.seat)
            if self.seats[viewer.seat].stand_in:
                self._spawn(self._take_back(viewer.seat))
            if self.status == WAITING:
                self._spawn(self._take_luck(viewer.seat, luck))
            self.say_who_is_here()
        self._tell()
        self._drive()

    def exit(self, viewer: Viewer) -> None:
        """Somebody looks no longer; the last look of a seat is the beginning of being away."""
        self.viewers.discard(viewer)
        if viewer.seat is not None:
            self.presence.go(viewer.seat)
            self.say_who_is_here()
            if not self.presence.online(viewer.seat):
                self._later(self.around.times.away)
                if self.rematch:
                    self._spawn(self._rematch_without(viewer.seat))
        self._tell()

    async def sit(self, name: str, guest: str, wanted: int | None) -> tuple[int, str]:
        """A person takes an open seat; its number and token. With the last one the match can begin."""
        async with self._lock:
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
                    await self._begin_or_save()
                    break
                except Taken:
                    await self._catch_up()
                    if self.seats[number].token == digest(token):
                        break  # it was ours: only the answer was lost
                except BaseException:
                    self.seats[number].clear()  # a seat whose token nobody has would never be free again
                    raise
            else:
                raise Refused(Message("too_late"))
        self._tell()
        return number, token

    @property
    def busy(self) -> bool:
        """Whether somebody's command is being carried out."""
        return self._lock.locked()

    def seat_of(self, token_digest: str | None, guest: str | None) -> int | None:
        """The seat that a token opens, or that a guest took."""
        people = [(number, seat) for number, seat in enumerate(self.seats) if seat.kind == PERSON]
        if token_digest is not None:
            return next((number for number, seat in people if seat.token == token_digest), None)
        return next((number for number, seat in people if guest and seat.guest == guest), None)

    async def seated(self, token: str | None, guest: str | None) -> int | None:
        """The seat that a token or a guest has, at a table that shows the newest: another server may have given the
        seat a moment ago, or died with its last move untold."""
        if self.around.bus.shared:
            await self.look_in_store()
        return self.seat_of(digest(token) if token else None, guest)

    # --- commands: each answered once, by a snapshot or a refusal -----------------------------------------------------

    async def command(self, viewer: Viewer, id: str, do: Callable[[int], Awaitable[None]]) -> None:
        """Do something for a viewer's seat. The same id again gets the same answer and does nothing."""
        answer = await self._answer(viewer, id, do)
        if isinstance(answer, Message):
            viewer.refusals.append((id, answer))
        else:
            viewer.answers.append(id)
        viewer.fresh.set()
        self._drive()

    async def _answer(self, viewer: Viewer, id: str, do: Callable[[int], Awaitable[None]]) -> object:
        number = viewer.seat
        async with self._lock:
            if number is None or viewer.seat != number:  # it was given up while this waited
                return Message("spectators_watch")
            seat = self.seats[number]
            if id not in seat.answered:
                seat.answered[id] = await self._outcome(do, number)
                while len(seat.answered) > REMEMBERED:
                    del seat.answered[next(iter(seat.answered))]
            return seat.answered[id]

    async def _outcome(self, do: Callable[[int], Awaitable[None]], seat: int) -> Message | None:
        """Why something could not be done; decided again whenever somebody else changed the table meanwhile."""
        try:
            for _ in range(RACES):
                try:
                    await do(seat)
                    return None
                except Taken:
                    await self._catch_up()
                except GramyError as error:
                    if not (self.around.bus.shared and await self._is_behind()):
                        return error.message
                    await self._catch_up()
            return Message("too_late")
        except Gone:
            return Message("no_such_table", {"table": self.id})
        except Unkept as error:
            LOG.error("not kept", extra={"why": str(error)})
            if not self._healing:
                self._healing = True
                self._spawn(self._heal())
            return Message("not_sure" if isinstance(error, Unsure) else "not_kept")

    async def play(self, seat: int, at: int, move: str, round: int | None = None) -> None:
        """A move, an undo or a phrase, as text. It is refused when the moment it was meant for is over, unless it is
        what ended that moment: a client that lost the answer sends it again."""
        log = self.match.log if self.match else ()
        timely = round in (None, self.round) and 0 <= at <= len(log)
        since = [entry for entry in log[at:] if not self._harmless(entry, seat)] if timely else []
        if since and since[0][:2] == (seat, move):
            return
        if self.status != PLAYING or self.match is None:
            raise Refused(Message("match_not_on"))
        if since or not timely:
            raise Refused(Message("too_late"))
        needed = seat in self.match.awaited and not move.startswith(("say ", "undo"))
        if len(log) >= LONG and not needed:
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
        away = self.presence.missing(self.around.times.away)
        if self.status != PLAYING or not any(one["seat"] == missing and one["decide"] for one in away):
            raise Refused(Message("nobody_missing"))
        if choice == "bot":
            await self._let_bot_play(missing)
        elif choice == "wait":
            self._wait_for(missing)
            self.around.bus.tell(self.id, {"what": bus.WAIT, "seat": missing})
        else:
            await self._abandon()
        self._tell()

    async def ask_rematch(self, seat: int, luck: str = NO_LUCK) -> None:
        """The next round begins when every person who is there wants it."""
        if self.status != FINISHED:
            raise Refused(Message("match_not_over"))
        if seat not in self.rematch:
            self.rematch[seat] = luck
            try:
                await self._save()
            except BaseException:
                self.rematch.pop(seat, None)
                raise
        await self._rematch_if_all_want()
        self._tell()

    async def _rematch_if_all_want(self) -> None:
        there = {seat for seat, one in enumerate(self.seats) if one.kind == PERSON and self.presence.online(seat)}
        if self.status == FINISHED and self.rematch and there and there <= set(self.rematch):
            luck = tuple(self.rematch.get(seat, "") for seat in range(len(self.seats)))
            await self._begin(self.round + 1, (self.deals[1]._replace(luck=luck), self._new_deal()))

    async def _rematch_without(self, seat: int) -> None:
        """Somebody has gone who did not ask for another round; perhaps all who are left did."""
        async with self._lock:
            self.rematch.pop(seat, None)
            await self._outcome(lambda _: self._rematch_if_all_want(), seat)

    async def leave(self, seat: int) -> None:
        """A person gives up a seat: it is open again while the table waits; a match goes on with a bot, or ends."""
        if self.status == WAITING:
            left, deals, self.seats[seat] = self.seats[seat], self.deals, Seat()
            self._put_luck(seat, "")
            try:
                await self._save()
            except BaseException:
                self.seats[seat], self.deals = left, deals
                raise
            self._look_from_beside(seat)
        elif self.status == PLAYING:
            others = [number for number, one in enumerate(self.seats) if one.kind == PERSON and number != seat]
            if any(self.presence.expected(other, self.around.times.away) for other in others):
                await self._let_bot_play(seat)
            else:
                await self._abandon()
        self._tell()

    async def forget(self, guest: str) -> None:
        """A guest gets up for good: his seats are open again or a bot's; a match that nobody else plays is over."""
        async with self._lock:
            for number, seat in enumerate(self.seats):
                if seat.kind == PERSON and seat.guest == guest and (why := await self._outcome(self._get_up, number)):
                    raise Refused(why)
        self._tell()
        self._drive()

    async def _get_up(self, seat: int) -> None:
        await self.leave(seat)
        if self.status == PLAYING:
            left, self.seats[seat] = self.seats[seat], Seat.of_bot(seat, STAND_IN)
            try:
                await self._save()
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
        if match is None or seat is None or self.status != PLAYING or seat not in match.awaited or not self.friendly:
            viewer.refusals.append((id, Message("no_hints_now")))
        else:
            luck, budget = self.around.rng.getrandbits(64), self.around.times.advice
            try:
                advice = await self.around.advise(match.view(seat), match.history(seat), luck, budget)
                viewer.hints.append((id, Hint(len(match.log), advice)))
            except Exception:
                LOG.exception("no advice could be given")
                viewer.refusals.append((id, Message("server_error")))
        viewer.fresh.set()

    # --- the match ----------------------------------------------------------------------------------------------------

    def _new_deal(self) -> Deal:
        return Deal(f"{self.around.rng.getrandbits(256):064x}", ("",) * len(self.seats))

    async def _take_luck(self, seat: int, luck: str) -> None:
        """A seated client adds its luck to the cards, once, before there are any."""

        async def take(seat: int) -> None:
            if self.status == WAITING and not self.deals[0].luck[seat]:
                self._put_luck(seat, luck)
                await self._begin_or_save()

        async with self._lock:
            if refused := await self._outcome(take, seat):
                LOG.warning("luck was not taken", extra={"why": refused.key})
        self._tell()

    def _put_luck(self, seat: int, luck: str) -> None:
        deal, following = self.deals
        self.deals = deal._replace(luck=(*deal.luck[:seat], luck, *deal.luck[seat + 1 :])), following

    async def _begin_or_save(self, patient: bool = True) -> None:
        """Begin when everybody sits and has given luck; but do not wait for luck too long."""
        if self.status != WAITING:
            return
        full = all(seat.kind != OPEN for seat in self.seats)
        lacking = any(
            seat.kind == PERSON and not luck for seat, luck in zip(self.seats, self.deals[0].luck, strict=True)
        )
        if full and not (lacking and patient and self.around.times.luck):
            await self._begin(self.round, self.deals)
            return
        await self._save()
        if full:
            self._spawn(self._begin_without_luck())

    async def _begin_without_luck(self) -> None:
        await asyncio.sleep(self.around.times.luck)
        await self.begin_if_full(patient=False)

    async def begin_if_full(self, patient: bool = True) -> None:
        """Begin what was not begun although everybody sits."""
        async with self._lock:
            if self.status == WAITING and all(seat.kind != OPEN for seat in self.seats):
                await self._outcome(lambda _: self._begin_or_save(patient), 0)
        self._tell()

    async def _begin(self, round: int, deals: tuple[Deal, Deal]) -> None:
        """A round: its deal, its number and the table's status are kept together or not at all."""
        match = Match(self.game, dealing(deals[0]), [seat.name for seat in self.seats])
        clock = Clock(self.control, len(self.seats), self.around.now()) if self.control else None
        row = self.row()._replace(
            round=round, status=PLAYING, clock=_kept(clock), deals=deals, rematch={}, touched=self.around.date()
        )
        self.revision = await self.around.store.save(row, match.log)
        self.round, self.match, self.clock, self.deals = round, match, clock, deals
        self.status, self.abandoned, self.rematch = PLAYING, False, {}
        for seat in self.seats:
            seat.answered.clear()
        self._after_step(begun=True)

    async def _step(self, move: str, seat: int) -> None:
        assert self.match is not None
        ahead, _ = self.match.after(move, seat)
        number = len(self.match.log)
        status = PLAYING if ahead.outcome is None else FINISHED
        revision = await self.around.store.append(
            self.id, self.round, number, ahead.log[number:], self.around.date(), status, _kept(self.clock)
        )
        self.match, self.status = ahead, status
        if revision == self.revision + 1:
            self.revision = revision
        else:
            self._spawn(self.look_in_store())  # somebody else has changed something about the seats meanwhile
        self._after_step()

    def _after_step(self, begun: bool = False) -> None:
        self.touched = self.around.date()
        self._press()
        self.around.bus.tell(self.id, {"what": bus.CHANGED})
        if begun or self.status != PLAYING:
            self._tell()
        else:
            self._tell_of_match()
        self._drive()
        if self.status == PLAYING and self.game.phrases():
            self._spawn(self._bots_talk())

    def _press(self) -> None:
        """Let the clock run for the seats that the match waits for, and look again when a bank is empty."""
        if self._fall is not None:
            self._fall.cancel()
            self._fall = None
        if self.clock and self.match:
            self.clock.press(self.match.awaited, self.around.now())
            if (seconds := self.clock.next_fall()) is not None:
                self._fall = asyncio.get_running_loop().call_later(seconds + 0.05, self._look_again)

    async def _let_bot_play(self, seat: int) -> None:
        self.seats[seat].stand_in = True
        try:
            await self._save()
        except BaseException:
            self.seats[seat].stand_in = False
            raise

    async def _abandon(self) -> None:
        row = self.row()._replace(status=ABANDONED, touched=self.around.date())
        self.revision = await self.around.store.save(row)
        self.status, self.abandoned = FINISHED, True
        self.around.bus.tell(self.id, {"what": bus.CHANGED})

    async def _take_back(self, seat: int) -> None:
        """A person who is back plays on instead of the bot."""

        async def take(seat: int) -> None:
            if self.seats[seat].stand_in:
                self.seats[seat].stand_in = False
                await self._save()

        async with self._lock:
            await self._outcome(take, seat)
        self._tell()

    async def _save(self) -> None:
        self.touched = self.around.date()
        self.revision = await self.around.store.save(self.row())
        self.around.bus.tell(self.id, {"what": bus.CHANGED})

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
            deals=self.deals,
            rematch=dict(self.rematch),
            revision=self.revision,
        )

    # --- other servers, and this one's own past -----------------------------------------------------------------------

    async def look_in_store(self) -> None:
        """Another server may have changed this table."""
        async with self._lock:
            try:
                if await self._is_behind():
                    await self._catch_up()
            except (Gone, Unkept) as error:
                LOG.warning("cannot catch up", extra={"why": str(error)})

    async def _heal(self) -> None:
        """The store was away: see what is there as soon as it answers."""
        while self._healing:
            await asyncio.sleep(RETRY)
            async with self._lock:
                try:
                    await self._catch_up()
                except Unkept:
                    continue
                except Gone:
                    pass
            self._healing = False

    async def _is_behind(self) -> bool:
        """Whether another server has changed this table, so that a refusal may be a mistake."""
        return (await self.around.store.revisions([self.id])).get(self.id, self.revision) != self.revision

    async def _catch_up(self) -> None:
        """Take what is in the store: somebody else has written it."""
        row = await self.around.store.load(self.id)
        if row is None:
            raise Gone(self.id)
        if row.revision == self.revision:
            return
        known = len(self.match.log) if self.match and row.round == self.round else 0
        self.take_over(row, await self.around.store.lines(self.id, row.round, known))
        self._tell()
        self._drive()

    def take_over(self, row: TableRow, lines: Sequence[Entry]) -> None:
        """The table as it is kept, with the lines that are new. The log decides: with a line the match has begun, with
        an outcome it is over."""
        for number, (seat, kept) in enumerate(zip(self.seats, row.seats, strict=True)):
            if seat.token != kept.token:
                self._look_from_beside(number)
            seat.kind, seat.name, seat.level, seat.guest, seat.token, seat.stand_in = kept
            if seat.stand_in and number in self.presence.here:  # another server could not know
                self._spawn(self._take_back(number))
        names = [seat.name for seat in self.seats]
        match = self.match if row.round == self.round else None
        if match is None and lines:
            match = Match(self.game, None, names)
        if match is not None:
            match = match.followed_by(lines)
            match = match.dealt_by(dealing(row.deals[0], sum(entry.seat == DEALER for entry in match.log)))
        self.match = match
        self._rename()
        self.round, self.revision, self.touched = row.round, row.revision, row.touched
        self.deals, self.rematch, self.abandoned = row.deals, row.rematch, row.status == ABANDONED
        over = self.abandoned or row.status == FINISHED or (match is not None and match.outcome is not None)
        self.status = WAITING if match is None else FINISHED if over else PLAYING
        self.clock = None
        if self.control and row.clock and self.status == PLAYING:
            self.clock = Clock(self.control, len(self.seats), self.around.now(), row.clock.get("left"))
        self._press()

    def resume(self) -> None:
        """Go on after the server was away: everybody is missing until they come back, bots and clocks are not."""
        self.presence.look()
        if self.status == PLAYING:
            self._later(self.around.times.away)
            self._drive()

    def hear(self, note: bus.Note) -> None:
        """Another server tells something about this table."""
        match note["what"]:
            case bus.CHANGED:
                self._spawn(self.look_in_store())
            case bus.WHO:
                self.say_who_is_here()
            case bus.HERE:
                self.presence.heard(note["node"], note["seats"])
                self._later(self.around.times.away)
            case bus.WAIT:
                self._wait_for(note["seat"])
        self._tell()

    def say_who_is_here(self) -> None:
        """Tell other servers who is looking from this one."""
        self.around.bus.tell(self.id, {"what": bus.HERE, "seats": self.presence.here})

    def _wait_for(self, seat: int) -> None:
        self.presence.wait(seat, self.around.times.wait)
        self._later(self.around.times.wait)

    # --- bots ---------------------------------------------------------------------------------------------------------

    def _drive(self) -> None:
        """Let bots move while it is their turn, beside everything else."""
        if not self._driving and self.played_by_bots():
            self._driving = True
            self._spawn(self._bots())

    def played_by_bots(self) -> list[int]:
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
        again = 0.0
        try:
            while not again and (waiting := self.played_by_bots()):
                if not await self.around.bus.lead(self.id):
                    again = RETRY / 2  # another server plays them; unless it dies
                elif refused := await self._bot_moves(waiting[0]):
                    LOG.error("a bot could not move", extra={"why": refused.key})
                    again = RETRY
        except Exception:
            LOG.exception("a bot failed")
            again = RETRY
        finally:
            self._driving = False
            if again:
                self._later(again)
            self._tell()

    async def _bot_moves(self, seat: int) -> Message | None:
        """Think, then talk and move by the same door as everybody; why not, if it was refused."""
        match, times = self.match, self.around.times
        assert match is not None
        self._tell()
        level = self.seats[seat].level or STAND_IN
        began, luck = self.around.now(), self.around.rng.getrandbits(64)
        thought = await self.around.think(
            self.game.name, level, match.view(seat), match.history(seat), luck, times.budget
        )
        if (rest := times.pause - (self.around.now() - began)) > 0:
            await asyncio.sleep(rest)
        async with self._lock:
            if seat not in self.played_by_bots():
                return None  # the person is back, or the match is over
            at = len(match.log)
            refused = await self._say_all(seat, thought.said, at)
            refused = refused or await self._outcome(partial(self.play, at=at, move=thought.move), seat)
            return None if refused == Message("too_late") else refused

    async def _say_all(self, seat: int, phrases: Iterable[str], at: int) -> Message | None:
        for phrase in phrases:
            if refused := await self._outcome(partial(self.say, phrase=phrase, at=at), seat):
                return refused
        return None

    async def _bots_talk(self) -> None:
        """After a move every bot says what it has to say, whoever's turn it is: partners want to know before they
        move."""
        match = self.match
        if match is None or match.log[-1].text.startswith("say ") or not await self.around.bus.lead(self.id):
            return
        for seat, one in enumerate(self.seats):
            if one.kind == BOT and self.status == PLAYING:
                seen, luck = (match.view(seat), match.history(seat)), self.around.rng.getrandbits(64)
                said = await self.around.talk(self.game.name, one.level or STAND_IN, *seen, luck)
                async with self._lock:
                    if self.match is not None and self.match.log[: len(match.log)] == match.log:
                        await self._say_all(seat, said, len(match.log))

    # --- telling ------------------------------------------------------------------------------------------------------

    def snapshot(self, viewer: Viewer) -> dict[str, Any]:
        """Everything there is to show to a viewer."""
        return snapshot(self, viewer)

    def summary(self) -> dict[str, Any]:
        """The table as a lobby shows it."""
        return summary(self)

    def _tell(self) -> None:
        """Something has changed, and it may be anything."""
        self.presence.look()
        self.lasting = None
        self._tell_of_match()

    def _tell_of_match(self) -> None:
        """The match has moved on, and nothing else has changed: what most changes are."""
        self.version += 1
        for viewer in self.viewers:
            viewer.fresh.set()

    def _look_again(self) -> None:
        self._tell()
        self._drive()

    def _later(self, seconds: float) -> None:
        """Look again after a while."""

        async def wait() -> None:
            await asyncio.sleep(seconds)
            self._look_again()

        self._spawn(wait())

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


def _kept(clock: Clock | None) -> dict[str, Any] | None:
    """A clock as it is kept: the control, and what is left of the banks."""
    return None if clock is None else {**clock.control._asdict(), "left": [round(left, 1) for left in clock.left]}
