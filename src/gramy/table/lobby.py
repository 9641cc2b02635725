"""Lobby: opens tables, finds them in memory or in the store, lists the public ones, and deletes expired ones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from gramy import games
from gramy.bots import bot
from gramy.contract import Game
from gramy.errors import BadOptions, GramyError
from gramy.fair import Deal
from gramy.messages import Message
from gramy.table.bot_accounts import BotAccounts
from gramy.table.bot_turns import BotTurns
from gramy.table.bus import CHALLENGED, CHANGED, EVERYWHERE, WHO, Note
from gramy.table.challenges import Challenges
from gramy.table.clock import TimeControl
from gramy.table.moderation import close
from gramy.table.names import nickname
from gramy.table.order_book import OrderBook
from gramy.table.orders import CLOSED_TABLE, Order
from gramy.table.presence import REPORT_EVERY
from gramy.table.rounds import RoundStarter
from gramy.table.rows import is_playable, load_log, state_of
from gramy.table.seat import Seat
from gramy.table.services import Services
from gramy.table.snapshot import summary
from gramy.table.state import TableState, ready_deal, unseeded_deal
from gramy.table.store import (
    PLAYING,
    WAITING,
    Expired,
    Expiry,
    StoreUnavailable,
    TableDeleted,
    TableRow,
    UnreadableTable,
)
from gramy.table.succession import Succession
from gramy.table.table import Table
from gramy.table.threads import in_thread
from gramy.table.vote_counter import VoteCounter

LOG = logging.getLogger("gramy.lobby")
CHECK_PAUSES_EVERY = 0.5
"""Seconds between two looks for tables that must be paused."""
ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no letters that look alike
ID_LENGTH = 12
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
UNLOAD_AFTER = 10 * MINUTE
FINISHED_EXPIRY = 90 * DAY
IDLE_EXPIRY = 14 * DAY
GRACE = 7 * DAY
SHORT_LOG = 50
"""Lines that are replayed on the event loop. Each takes up to 0.1 ms; more of them are replayed in a thread."""
MOST_LISTED = 50
LISTED_PER_GUEST, LISTED_PER_NETWORK = 3, 12
REVISIONS_AT_ONCE = 500
"""Tables whose revisions are asked for in one query, so that a long answer does not hold up the event loop."""


class NoSuchTable(GramyError):
    """There is no table of that name, or it has expired."""


class Lobby:
    """All tables of a server."""

    def __init__(self, services: Services, most: int = 20_000) -> None:
        self.services = services
        self.most = most
        self.tables: dict[str, Table] = {}
        self._last_found: dict[str, float] = {}  # when a table in memory was last asked for
        self.order_book = OrderBook(services)
        self.bot_accounts, self.challenges = BotAccounts(services), Challenges(services)
        self.forget_listeners: list[Callable[[str], None]] = []  # called with a guest who is being forgotten
        self._forgotten = 0  # how many guests this server has forgotten
        self._orders_changed = False  # another server has said so, or it is time to ask
        self._listing: asyncio.Future[list[TableRow]] | None = None  # the last query for the public tables
        self._next_listing: asyncio.Future[list[TableRow]] | None = None  # the one that begins after it
        self._notes_missed = asyncio.Event()
        self._watching: list[asyncio.Task[None]] = []
        self._next_report = 0.0  # when to tell the other servers again who is present

    async def start(self) -> None:
        """Receive notes from other servers. Tables are loaded when somebody asks for them."""
        with contextlib.suppress(StoreUnavailable):  # every pass over the expired tables asks again
            await self.services.synchronise_date()
            await self.order_book.load()
            await self.bot_accounts.load()
        await self.services.bus.start(self._receive, self._notes_missed.set)
        if self.services.bus.shared:
            self._watching = [asyncio.create_task(work) for work in (self._watch(), self._pause_unconfirmed())]

    async def open(
        self,
        name: str,
        options: Mapping[str, str],
        seats: Sequence[str | None],
        public: bool,
        control: TimeControl | None,
        player: str,
        guest: str,
    ) -> tuple[Table, int, str]:
        """Open a table and sit down at the first open seat; return the table, the seat and its token.

        `seats` has the level of each bot, and None for each open seat.
        """
        game = games.game(name, options)
        self._check_room()
        if len(seats) != game.players or None not in seats:
            raise BadOptions(Message("seats_number", {"players": game.players, "seats": len(seats)}))
        id = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        state = TableState(
            id=id,
            game=game,
            seats=tuple(Seat() if level is None else _bot_seat(game, at, level) for at, level in enumerate(seats)),
            deals=(ready_deal(self._new_deal(game), id, 1), self._new_deal(game)),
            touched=self.services.date(),
            public=public,
            control=control,
        )
        table = self._assemble(state)
        seat, token = await table.sit(self.admit(guest, player), guest, None)
        await self._add(table)
        return table, seat, token

    async def find(self, id: str) -> Table:
        """Return a table by its id, from memory or from the store; raises NoSuchTable."""
        if id not in self.tables:
            row = await self.services.store.load(id) if len(id) <= 32 and set(id) <= set(ID_LETTERS) else None
            if row is None:
                raise NoSuchTable(Message("no_such_table", {"table": id}))
            await self._load(row)
            if row.marked is not None:
                await self.services.store.restore([id], self.services.date())
        self._last_found[id] = self.services.date()
        return self.tables[id]

    def admit(self, guest: str, name: str) -> str:
        """Return the name under which a guest sits down: none if they are muted. Raises GramyError in maintenance."""
        orders, now = self.order_book.orders, self.services.date()
        if orders.maintenance(now):
            raise GramyError(Message("maintenance"))
        return "" if orders.is_muted(guest, now) else nickname(name)

    async def close_table(self, id: str, reason: str, until: float) -> None:
        """End a table for good, and order all servers to tell its viewers why."""
        table = await self.find(id)
        await table.change(close)
        order = Order(f"{CLOSED_TABLE}-{id}", CLOSED_TABLE, id, until, self.services.date(), reason)
        await self.order_book.give(order)

    async def listed(self, network_of: Callable[[str], str | None] = lambda id: None) -> list[dict[str, Any]]:
        """Return the public tables where one can sit down or watch, of all servers, few of one guest or network.

        Tables where somebody is present come first, then the others, newest first.
        """
        if self._next_listing is None:
            self._next_listing = asyncio.ensure_future(self._list_after(self._listing))
        rows = await asyncio.shield(self._next_listing)
        stored = [self.tables.get(row.id) or row for row in rows if is_playable(row)]
        present = [table for table in self.tables.values() if table.state.public and table.audience.presence.online]
        present.sort(key=lambda table: table.state.touched, reverse=True)
        chosen = islice(_few_of_each([*present, *stored], network_of), MOST_LISTED)
        return [found.summary() if isinstance(found, Table) else _row_summary(found) for found in chosen]

    async def _list_after(self, before: asyncio.Future[list[TableRow]] | None) -> list[TableRow]:
        """Ask the store for the public tables when the query before has ended.

        That takes up to 30 ms of the store's time. All who ask meanwhile share the next query, so a flood of visitors
        delays no move for longer than that.
        """
        if before is not None:
            await asyncio.wait([before])
        self._listing, self._next_listing = self._next_listing, None
        return await self.services.store.listed_tables(3 * MOST_LISTED, LISTED_PER_GUEST)

    async def expire(self) -> Expired:
        """Unload tables that nobody views, mark expired ones, delete those marked long ago; return the numbers."""
        await self.services.synchronise_date()
        now = self.services.date()
        for table in list(self.tables.values()):
            unused = now - max(table.state.touched, self._last_found.get(table.id, 0.0))
            patience = HOUR if table.state.public and table.state.status == WAITING else UNLOAD_AFTER
            if not table.viewers and unused > patience and not table.busy:
                del self.tables[table.id]  # first, so that nobody finds a table that is about to close
                self._last_found.pop(table.id, None)
                await self.services.bus.unfollow(table.id)
                await table.background.close()
        in_use = list(self.tables)  # somebody views them, or did a few minutes ago
        expired = await self.services.store.expire(now, in_use, Expiry(FINISHED_EXPIRY, IDLE_EXPIRY, GRACE))
        await self.order_book.delete_expired(now)
        await self.bot_accounts.load()
        await self.challenges.delete_old()
        return expired

    async def forget(self, guest: str) -> None:
        """Free all seats of a guest, and remove their name and marks from the store and from memory.

        On return this server has forgotten them. A note asks the other servers to load the tables again; a server that
        misses it sees the new revisions at its next look into the store.
        """
        for id in await self.services.store.sitting(guest):
            try:
                table = await self.find(id)
            except GramyError:  # played by other rules, deleted this moment, or there is no room: only the name goes
                continue
            await table.forget(guest)
        await self.order_book.forget(guest)  # before the store, which then overwrites what was deleted
        changed = await self.services.store.forget(guest)
        self._forgotten += 1
        for listener in self.forget_listeners:
            listener(guest)
        for id, revision in changed.items():
            self.services.bus.publish(id, {"what": CHANGED, "revision": revision})
        for table in list(self.tables.values()):
            if table.id in changed or any(seat.guest == guest for seat in table.state.seats):
                await table.reload()

    async def close(self) -> None:
        """Close all tables and the bus."""
        for task in self._watching:
            task.cancel()
        for table in self.tables.values():
            await table.background.close()
        await self.services.bus.close()

    # --- making tables ------------------------------------------------------------------------------------------------

    async def _load(self, row: TableRow) -> None:
        """Put a stored table into memory, with its match as far as it was played."""
        if not is_playable(row):
            raise NoSuchTable(Message("other_rules", {"game": row.game, "found": row.version}))
        self._check_room()
        forgotten = self._forgotten
        try:
            row, lines = await load_log(self.services.store, row)
        except TableDeleted:
            raise NoSuchTable(Message("no_such_table", {"table": row.id})) from None
        try:
            if len(lines) > SHORT_LOG:
                state = await in_thread(state_of, row, lines, self.services.now())
            else:
                state = state_of(row, lines, self.services.now())
        except UnreadableTable as error:
            LOG.error("a table cannot be loaded", extra={"table": row.id, "why": str(error)})
            raise GramyError(Message("table_unreadable")) from error
        if row.id not in self.tables:  # nobody else loaded it meanwhile
            table = self._assemble(state)
            await self._add(table)
            if self._forgotten != forgotten:  # the row may have the name of a guest who was forgotten meanwhile
                await table.reload()
            table.wake()

    def _assemble(self, state: TableState) -> Table:
        """Return a table with everything that listens to it."""
        table = Table(state, self.services)
        RoundStarter(table)
        BotTurns(table)
        VoteCounter(table)
        Succession(table)
        return table

    async def _add(self, table: Table) -> None:
        self.tables[table.id] = table
        self._last_found[table.id] = self.services.date()  # so that it is not unloaded at once
        await self.services.bus.follow(table.id)
        self.services.bus.publish(table.id, {"what": WHO})

    def _check_room(self) -> None:
        if len(self.tables) >= self.most:
            raise GramyError(Message("server_full"))

    def _new_deal(self, game: Game) -> Deal:
        return unseeded_deal(self.services.new_seed(), game.players)

    # --- other servers ------------------------------------------------------------------------------------------------

    def _receive(self, id: str, note: Note) -> None:
        if id == EVERYWHERE and note["what"] == CHALLENGED:
            self.challenges.wake_all()
        elif id == EVERYWHERE:
            self._orders_changed = True
            self._notes_missed.set()
        elif (table := self.tables.get(id)) is not None:
            table.receive(note)

    async def _watch(self) -> None:
        """Every few seconds, report who is present, and ask the store for changes that no note announced."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._notes_missed.wait(), self.services.times.confirm_every)
            if self._notes_missed.is_set():  # the others may have missed ours too
                self._next_report = 0.0
            self._notes_missed.clear()
            try:
                await self._refresh_all()
            except StoreUnavailable as error:
                LOG.debug("the store cannot be asked for changes", extra={"why": str(error)})
            except Exception:  # a failure at one table must not stop the others
                LOG.exception("asking for changes failed")

    async def _refresh_all(self) -> None:
        """Ask about the tables that somebody views; every few seconds about all, and report who is present."""
        if self._orders_changed:
            self._orders_changed = False
            await self.order_book.load()
            await self.bot_accounts.load()
        tables = [table for table in self.tables.values() if table.viewers]
        if (now := self.services.now()) >= self._next_report:
            self._next_report = now + REPORT_EVERY
            self._orders_changed = True
            tables = list(self.tables.values())
            for table in tables:
                if table.viewers or table.state.status == PLAYING:
                    table.report_presence()
        for start in range(0, len(tables), REVISIONS_AT_ONCE):
            part, asked_at = tables[start : start + REVISIONS_AT_ONCE], self.services.now()
            stored = await self.services.store.revisions([table.id for table in part])
            for table in [table for table in part if table.is_behind(stored.get(table.id), asked_at)]:
                if not table.busy:
                    await table.refresh()

    async def _pause_unconfirmed(self) -> None:
        """Pause the tables that the store has not confirmed for too long, even while a question to it hangs."""
        paused = 0
        while True:
            await asyncio.sleep(CHECK_PAUSES_EVERY)
            before, paused = paused, sum(table.pause() is not None for table in self.tables.values() if table.viewers)
            if bool(paused) != bool(before):
                LOG.warning("tables are paused" if paused else "all tables go on", extra={"tables": paused})


def _few_of_each(
    tables: Iterable[Table | TableRow], network_of: Callable[[str], str | None]
) -> Iterator[Table | TableRow]:
    """Yield the tables that are not over, each once, and only a few that one guest or network has opened."""
    seen: set[str] = set()
    listed: Counter[str] = Counter()
    for table in tables:
        state = table.state if isinstance(table, Table) else table
        guest = next((seat.guest for seat in state.seats if seat.guest), state.id)
        network = network_of(state.id) or state.id
        if state.status not in (WAITING, PLAYING) or state.id in seen:
            continue
        if listed[guest] < LISTED_PER_GUEST and listed[network] < LISTED_PER_NETWORK:
            seen.add(state.id)
            listed.update((guest, network))
            yield table


def _row_summary(row: TableRow) -> dict[str, Any]:
    """Return the summary of a table that is not in memory: nobody has it open on this server."""
    return summary(replace(state_of(row, (), now=0.0), status=row.status), frozenset())


def _bot_seat(game: Game, number: int, level: str) -> Seat:
    bot(game.name, level)  # raises GramyError if there is no such level
    return Seat.for_bot(number, level)
