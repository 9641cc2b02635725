"""Lobby: opens tables, finds them (in memory or in the store), lists the public ones, and sweeps up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from gramy import games
from gramy.bots import bot
from gramy.contract import BadOptions, Game, GramyError, Message
from gramy.table import rounds
from gramy.table.bus import WHO, Note
from gramy.table.clock import Control
from gramy.table.names import nickname
from gramy.table.presence import BEAT
from gramy.table.seat import Seat
from gramy.table.services import Services
from gramy.table.store import FINISHED, PLAYING, WAITING, StoreUnavailable, TableRow
from gramy.table.table import Table

LOG = logging.getLogger("gramy.lobby")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
UNLOADED_AFTER = 10 * MINUTE
FINISHED_KEPT = 90 * DAY
IDLE_KEPT = 14 * DAY
LISTED = 50


class NoSuchTable(GramyError):
    """There is no table of that name, or it has been swept."""


class Lobby:
    """All tables of a server."""

    def __init__(self, services: Services, most: int = 20_000) -> None:
        self.services = services
        self.most = most
        self.tables: dict[str, Table] = {}
        self._asked: dict[str, float] = {}  # when a table in memory was last looked for
        self._late = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Hear other servers; the tables come back when somebody asks for them."""
        await self.services.bus.start(self._heard, self._missed)
        if self.services.bus.shared:
            self._watching = asyncio.create_task(self._watch())

    async def open(
        self,
        name: str,
        options: Mapping[str, str],
        seats: Sequence[str | None],
        public: bool,
        control: Control | None,
        player: str,
        guest: str,
    ) -> tuple[Table, int, str]:
        """A new table: a level for each bot's seat, None for each open one; the opener takes the first open seat."""
        game = games.game(name, options)
        self._check_room()
        if len(seats) != game.players or None not in seats:
            raise BadOptions(Message("seats_number", {"players": game.players, "seats": len(seats)}))
        places = [Seat() if level is None else _bot_seat(game, at, level) for at, level in enumerate(seats)]
        id = "".join(secrets.choice(LETTERS) for _ in range(12))
        table = Table(id, game, places, public, control, self.services)
        seat, token = await table.sit(nickname(player), guest, None)
        await self._loaded(table)
        return table, seat, token

    async def find(self, id: str) -> Table:
        """A table by its name."""
        if id in self.tables:
            self._asked[id] = self.services.date()
            return self.tables[id]
        row = await self.services.store.load(id) if len(id) <= 32 and set(id) <= set(LETTERS) else None
        if row is None:
            raise NoSuchTable(Message("no_such_table", {"table": id}))
        self._asked[id] = self.services.date()
        return self.tables.get(id) or await self._adopt(row)

    async def listed(self) -> list[dict[str, Any]]:
        """The public tables where one can sit down or watch, newest first, whatever server they were opened at."""
        rows = await self.services.store.open_tables(public=True, most=LISTED)
        shown = [self.tables.get(row.id) or self._table(row) for row in rows if self._playable(row)]
        return [table.summary() for table in shown if table.status != FINISHED]

    async def delete_expired(self) -> int:
        """Unload what nobody looks at, delete what nobody has touched for long; how many were deleted."""
        now = self.services.date()
        for table in list(self.tables.values()):
            alone = now - max(table.touched, self._asked.get(table.id, 0.0))
            patience = HOUR if table.public and table.status == WAITING else UNLOADED_AFTER
            if not table.viewers and alone > patience and not table.busy:
                del self.tables[table.id]  # first, so that nobody finds a table that is about to close
                self._asked.pop(table.id, None)
                await self.services.bus.unfollow(table.id)
                await table.close()
        return await self.services.store.delete_expired(now - FINISHED_KEPT, now - IDLE_KEPT)

    async def forget(self, guest: str) -> None:
        """A guest gets up everywhere, and nothing that is kept names him any more."""
        for id in await self.services.store.sitting(guest):
            with contextlib.suppress(NoSuchTable):  # of other rules, or swept this moment
                await (await self.find(id)).forget(guest)
        await self.services.store.forget(guest)
        for table in list(self.tables.values()):
            if table.seat_of(None, guest) is not None:
                await table.look_in_store()

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        for table in self.tables.values():
            await table.close()
        await self.services.bus.close()

    async def _adopt(self, row: TableRow) -> Table:
        """A table from the store, with its match as far as it was played."""
        if not self._playable(row):
            raise NoSuchTable(Message("other_rules", {"game": row.game, "found": row.version}))
        self._check_room()
        table = self._table(row)
        table.take_over(row, await self.services.store.lines(row.id, row.round))
        if row.id not in self.tables:
            await self._loaded(table)
            await rounds.if_full(table)
            table.resume()
        return self.tables[row.id]

    def _check_room(self) -> None:
        if len(self.tables) >= self.most:
            raise GramyError(Message("server_full"))

    @staticmethod
    def _playable(row: TableRow) -> bool:
        return row.game in games.GAMES and row.version == games.GAMES[row.game].VERSION

    def _table(self, row: TableRow) -> Table:
        """A table from the store, without its match."""
        game = games.game(row.game, row.options)
        control = Control(row.clock["minutes"], row.clock["seconds"]) if row.clock else None
        table = Table(row.id, game, [Seat.of(seat) for seat in row.seats], row.public, control, self.services)
        table.status, table.round, table.touched = row.status, row.round, row.touched
        return table

    async def _loaded(self, table: Table) -> None:
        self.tables[table.id] = table
        await self.services.bus.follow(table.id)
        self.services.bus.tell(table.id, {"what": WHO})

    # --- other servers ------------------------------------------------------------------------------------------------

    def _heard(self, id: str, note: Note) -> None:
        if (table := self.tables.get(id)) is not None:
            table.hear(note)

    def _missed(self) -> None:
        """Notes were lost: look for what they would have told."""
        self._late.set()

    async def _watch(self) -> None:
        """Every few seconds: tell who is here, and see in the store what the bus has not told."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._late.wait(), BEAT / 2)
            self._late.clear()
            try:
                await self._look_around()
            except StoreUnavailable as error:
                LOG.warning("cannot see what others have done", extra={"why": str(error)})
            except Exception:  # one table's trouble is not the others'
                LOG.exception("looking around failed")

    async def _look_around(self) -> None:
        watched = {id: table for id, table in self.tables.items() if table.viewers or table.status == PLAYING}
        found = await self.services.store.revisions(list(watched))
        for id, table in watched.items():
            table.say_who_is_here()
            if found.get(id, table.revision) != table.revision and not table.busy:
                await table.look_in_store()


def _bot_seat(game: Game, at: int, level: str) -> Seat:
    bot(game.name, level)  # says so if there is no such level
    return Seat.of_bot(at, level)
