"""Table: the current state of one table on this server, and the one method that changes it.

`change` computes the next state, stores it, swaps it in and notifies: nobody sees what is not stored. When another
server has changed the table, the store reports a conflict, and `change` loads the newest state and computes again.

A table is paused, and not shown, while nobody can say that its state is the newest: with several servers, when the
store has not confirmed it for some seconds; and always, when the stored log cannot be replayed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from gramy.errors import GramyError
from gramy.messages import Message
from gramy.table import bus, dealing, moderation, state, votes
from gramy.table.answers import CommandAnswers
from gramy.table.audience import Audience, Viewer
from gramy.table.background import Background
from gramy.table.confirmation import Confirmation
from gramy.table.lock import Lock
from gramy.table.rows import load_newest, save_change
from gramy.table.seat import token_hash
from gramy.table.services import Services
from gramy.table.snapshot import NOTHING_SEEN, Seen
from gramy.table.state import Refused, Step, TableState
from gramy.table.store import Conflict, StoreUnavailable, TableDeleted, UnreadableTable, WriteUnknown

LOG = logging.getLogger("gramy.table")
STORE_FAILURES = frozenset({"not_saved", "save_unknown"})
"""Answers to a command that the store could not carry out, or perhaps has carried out."""
ATTEMPTS = 4
"""How often a step is computed when other servers change the table at the same time."""


class Table:
    """One live table. `lobby.py` makes, finds and unloads tables; `listeners` are called after every change."""

    def __init__(self, first: TableState, services: Services) -> None:
        self.state, self.services = first, services
        self.audience = Audience(services)
        self.background = Background()
        self.listeners: list[Callable[[], None]] = []
        self._lock = Lock()
        self._answers = CommandAnswers()
        self._recovering = False
        self._paused: Message | None = None
        shared = services.bus.shared  # a server that is alone needs no confirmation
        self._confirmation = Confirmation(services.now, services.times.confirmed_for) if shared else None

    @property
    def id(self) -> str:
        return self.state.id

    @property
    def viewers(self) -> set[Viewer]:
        return self.audience.viewers

    @property
    def busy(self) -> bool:
        """Whether a change is being computed or stored."""
        return self._lock.locked

    # --- viewers ------------------------------------------------------------------------------------------------------

    def enter(self, viewer: Viewer) -> None:
        """Add a viewer. A player who comes back gets the seat back from the bot that stood in.

        The others are notified only if somebody is present who was not. If every spectator who comes notified all the
        others, n spectators would cost n² snapshots.
        """
        self.audience.add(viewer)
        if (seat := viewer.seat) is not None:
            if self.state.seats[seat].stand_in or self.busy:  # perhaps a stand-in is being stored
                self._attempt_later(state.come_back, seat=seat)
            self.report_presence()
        self._notify_of_presence()
        viewer.notify()

    def exit(self, viewer: Viewer) -> None:
        """Remove a viewer. With the last viewer of a seat its player is absent."""
        self.audience.remove(viewer)
        self._notify_of_presence()
        if (seat := viewer.seat) is not None:
            self.report_presence()
            if self.state.rematch and seat not in self.audience.presence.online:
                self._attempt_later(state.withdraw_rematch, seat=seat)

    def pause(self) -> Message | None:
        """Return why the table may not be shown now, None if it may. When that changes, the viewers are notified."""
        if self._confirmation is not None and self._paused is None and not self._confirmation.holds:
            self._begin_pause(Message("table_paused"))
        return self._paused

    def snapshot(self, seat: int | None, seen: Seen = NOTHING_SEEN) -> dict[str, Any]:
        """Return all that a seat may see now, with the lines of the log that it has not seen.

        Ask `pause` first.
        """
        return self.audience.snapshot(self.state, seat, seen)

    def seen(self) -> Seen:
        """Return what a viewer has of the log after a snapshot that was taken now."""
        return Seen(self.state.round, len(self.state.match.log) if self.state.match else 0)

    def summary(self) -> dict[str, Any]:
        """Return the table as a lobby shows it."""
        return self.audience.summary(self.state)

    # --- commands -----------------------------------------------------------------------------------------------------

    async def sit(
        self, name: str, guest: str, wanted: int | None, key: str | None = None, another: bool = False
    ) -> tuple[int, str]:
        """Give a seat to a person; return its number and the token that opens it again.

        The token is `key`, if the client chose one. The same key again gets the same seat. A guest who has a seat gets
        a second one only if `another` asks for it.
        """
        token = key or secrets.token_urlsafe(16)
        sit = partial(state.sit, name=name, guest=guest, token=token_hash(token), wanted=wanted, another=another)
        await self.change(sit)
        if (number := self.state.seat_of(token_hash(token), None)) is None:
            raise Refused(Message("too_late"))
        return number, token

    async def seat_of(self, token: str | None, guest: str | None) -> int | None:
        """Return the seat that a token or a guest has.

        With several servers the store is asked for news first: whoever comes from another server must find here all
        that they saw there. Raises StoreUnavailable when the store does not answer.
        """
        if self.services.bus.shared:
            await self._confirm()
        return self.state.seat_of(token_hash(token) if token else None, guest)

    async def command(self, seat: int | None, id: str, step: Step) -> Message | None:
        """Carry out a seat's command; return why it was refused, None when it was done.

        The same id again gets the same answer and does nothing: a client that lost the answer sends it again.
        """
        if seat is None:
            return Message("spectators_watch")
        owner = self.state.owner(seat)
        async with self._lock:
            if refused := state.owner_refusal(self.state, seat, owner):  # the seat was given away meanwhile
                return refused
            if self._answers.has(seat, id):
                return self._answers.get(seat, id)
            refused = await self._attempt(partial(state.for_owner, seat=seat, token=owner, step=step))
            decided = refused is None or refused.key not in STORE_FAILURES  # otherwise it may be tried again
            if decided and self.state.owner(seat) == owner:  # the next owner's ids may be the same
                self._answers.add(seat, id, refused)
            return refused

    async def decide(self, seat: int | None, id: str, absent: int, choice: str | None) -> Message | None:
        """Count a seat's vote about an absent player, None to withdraw it; return why it was refused."""
        if seat is None:
            return Message("spectators_watch")
        repeated = self._answers.has(seat, id)
        refused = await self.command(seat, id, partial(votes.cast, voter=seat, absent=absent, choice=choice))
        if refused is None and choice == votes.WAIT and not repeated and absent not in self.state.people.votes:
            self._extend_waiting(absent)
        return refused

    async def settle_votes(self) -> None:
        """Carry out the decisions about absent players that are due because somebody else came or went."""
        waits = votes.waits(self.state, self.audience.moment(self.state))
        if await self.attempt(votes.settle) is None:
            for absent in waits:
                self._extend_waiting(absent)

    async def forget(self, guest: str) -> None:
        """Free the seats of a guest for good; raises GramyError when that is not possible now."""
        if self.services.bus.shared:
            await self.refresh()
        for number in reversed(range(len(self.state.seats))):  # people move to lower seats only
            if refused := await self.attempt(partial(state.give_up, seat=number, guest=guest)):
                raise Refused(refused)

    async def stand_in_for_absent(self, token: str | None) -> None:
        """Let a bot play for a person who is not connected to this server; at a waiting table open their seat."""
        if self.state.seat_of(token, None) not in self.audience.presence.here:
            await self.attempt(partial(moderation.at_seat_of, token=token, step=state.leave))

    # --- the one writer -----------------------------------------------------------------------------------------------

    async def change(self, step: Step) -> None:
        """Compute the next state, store it, swap it in and notify. Raises GramyError or StoreUnavailable."""
        async with self._lock:
            await self._change(step)

    async def attempt(self, step: Step) -> Message | None:
        """Change the table; return why it was refused, None when it was done."""
        async with self._lock:
            return await self._attempt(step)

    def _attempt_later(self, transition: Callable[..., TableState], **arguments: Any) -> None:
        self.background.spawn(self.attempt(partial(transition, **arguments)))

    async def _attempt(self, step: Step) -> Message | None:
        try:
            await self._change(step)
        except GramyError as error:
            return error.message
        except StoreUnavailable as error:
            LOG.debug("a change was not stored", extra={"why": str(error)})
            return Message("save_unknown" if isinstance(error, WriteUnknown) else "not_saved")
        return None

    async def _change(self, step: Step) -> None:
        try:
            for _ in range(ATTEMPTS):
                try:
                    moment = self.audience.moment(self.state)
                    after = dealing.proceed(step(self.state, moment), moment)
                except GramyError:
                    if not (self.services.bus.shared and await self._load_if_behind()):
                        raise
                    continue  # the refusal came from an old state
                if after is self.state:
                    return
                asked_at = self.services.now()
                try:
                    self._swap(after, await save_change(self.services.store, self.state, after), asked_at)
                    return
                except Conflict:
                    await self._load()
        except TableDeleted:
            raise Refused(Message("no_such_table", {"table": self.id})) from None
        except StoreUnavailable:
            self._recover_later()
            raise
        raise Refused(Message("too_late"))

    def _swap(self, after: TableState, revision: int, asked_at: float) -> None:
        """Make a stored state the current one, and notify viewers and other servers."""
        in_sequence = revision == self.state.revision + 1  # otherwise another server stored a change in between
        if in_sequence:
            self._record_confirmation(asked_at)
        self._show(replace(after, revision=revision) if in_sequence else after)
        if not in_sequence:
            self.background.spawn(self.refresh())
        self.services.bus.publish(self.id, {"what": bus.CHANGED, "revision": revision})

    def _show(self, after: TableState) -> None:
        before, self.state = self.state, after
        if before.round != after.round or before.match is None:  # another round, or perhaps other owners
            self._answers.clear()
        if self.audience.follow_owners(before, after):
            self.report_presence()
        self.wake(keep_parts=after.status == before.status and after.only_match_differs(before))

    # --- other servers, the store's absence, and time -----------------------------------------------------------------

    async def reload(self) -> None:
        """Load what is stored, if it is newer; raises StoreUnavailable. A deleted table stays as it is."""
        async with self._lock:
            with contextlib.suppress(TableDeleted):
                await self._load_if_behind()

    async def refresh(self, newest: int | None = None) -> None:
        """Load what another server has stored, if there is anything; `newest` is the revision that its note named."""
        async with self._lock:
            try:
                if newest is None:
                    await self._load_if_behind()
                elif newest > self.state.revision:
                    await self._load()
            except (TableDeleted, StoreUnavailable) as error:
                if self._paused is None:  # a pause was logged when it began
                    LOG.debug("the table cannot be loaded again", extra={"why": str(error)})

    async def _confirm(self) -> None:
        """Load what another server has stored; raises StoreUnavailable when the store does not answer."""
        async with self._lock:
            try:
                await self._load_if_behind()
            except TableDeleted:
                raise Refused(Message("no_such_table", {"table": self.id})) from None

    def is_behind(self, stored: int | None, asked_at: float) -> bool:
        """Take the stored revision (None: deleted) that the store was asked for; return whether it is another one."""
        if stored == self.state.revision:
            self._record_confirmation(asked_at)
        return stored not in (None, self.state.revision)

    async def _load_if_behind(self) -> bool:
        """Load the stored table if it is newer; return whether it was."""
        asked_at = self.services.now()
        if not self.is_behind((await self.services.store.revisions([self.id])).get(self.id), asked_at):
            return False
        await self._load()
        return True

    async def _load(self) -> None:
        asked_at = self.services.now()
        try:
            newest = await load_newest(self.services.store, self.state, asked_at)
        except UnreadableTable as error:
            if self._begin_pause(Message("table_unreadable")):
                LOG.error("a table is paused", extra={"table": self.id, "why": str(error)})
            raise
        self._record_confirmation(asked_at)
        if newest is not self.state:
            self._show(newest)
            self._remove_stand_ins()  # the other server did not know who is here

    def _remove_stand_ins(self) -> None:
        """Give the players who are here their seats back from the bots that stand in."""
        for number in self.audience.presence.here:
            if self.state.seats[number].stand_in:
                self._attempt_later(state.come_back, seat=number)

    def _begin_pause(self, reason: Message) -> bool:
        """Pause the table; return False if it was paused before for the same reason."""
        if self._paused == reason:
            return False
        self._paused = reason
        self.audience.notify(self.state, keep_parts=True)
        return True

    def _record_confirmation(self, asked_at: float) -> None:
        """Record that the store has this state as the newest one, and end a pause."""
        if self._confirmation is not None:
            self._confirmation.record(asked_at)
        if self._paused is not None and (self._confirmation is None or self._confirmation.holds):
            self._paused = None
            self.audience.notify(self.state)

    def _recover_later(self) -> None:
        if not self._recovering and self.state.revision:  # a table that was never stored has nothing to load
            self._recovering = True
            self.background.spawn(self._recover())

    async def _recover(self) -> None:
        """Wait until the store answers, load what it has, and go on with what could not be done."""
        while self._recovering:
            await asyncio.sleep(self.services.times.retry)
            async with self._lock:
                try:
                    await self._load()
                except StoreUnavailable:
                    continue
                except TableDeleted:
                    pass
                self._recovering = False
        self._remove_stand_ins()
        self.wake()

    def receive(self, note: bus.Note) -> None:
        """Take a note from another server."""
        match note["what"]:
            case bus.CHANGED:
                newest = note.get("revision")  # an older version of the server sends none
                if newest is None or newest > self.state.revision:
                    self.background.spawn(self.refresh(newest))
            case bus.WHO:
                self.report_presence()
            case bus.HERE:
                self.audience.presence.report(note["node"], note["seats"])
                self._notify_of_presence()
            case bus.WAIT:
                self._wait_for(note["seat"])

    def report_presence(self) -> None:
        """Tell other servers which seats have an open view on this one."""
        self.services.bus.publish(self.id, {"what": bus.HERE, "seats": self.audience.presence.here})

    def _notify_of_presence(self) -> None:
        if self.audience.note_presence(self.state):
            self.wake()

    def _extend_waiting(self, seat: int) -> None:
        """Give an absent player more time, on all servers."""
        self._wait_for(seat)
        self.services.bus.publish(self.id, {"what": bus.WAIT, "seat": seat})

    def _wait_for(self, seat: int) -> None:
        self.audience.presence.wait_for(seat, self.services.times.wait)
        self.wake()

    def wake(self, keep_parts: bool = False) -> None:
        """Notify viewers and listeners, and set the timer for the next deadline."""
        self.audience.notify(self.state, keep_parts)
        if keep_parts and self.audience.only_people:  # a move changes neither the deadlines nor what listeners do
            return
        deadline = self.audience.next_deadline(self.state)
        self.background.set_timer(None if deadline is None else deadline - self.services.now(), self.wake)
        for listener in self.listeners:
            listener()
