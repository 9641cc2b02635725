"""Lobby: opens tables, finds them (in memory or in the store), lists the public ones, and sweeps up."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from gramy.bots import bot
from gramy.game import BadOptions, Game, GramyError, Message, UnknownGame, chosen
from gramy.games import GAMES
from gramy.table.clock import Control
from gramy.table.seat import BOT, Seat
from gramy.table.store import TableRow
from gramy.table.table import FINISHED, WAITING, Surroundings, Table

LOG = logging.getLogger("gramy.lobby")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
BOT_NAMES = ("Kika", "Otto", "Mimi", "Leo", "Zuza", "Nero")
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
UNLOADED_AFTER = 10 * MINUTE
FINISHED_KEPT = 90 * DAY
IDLE_KEPT = 14 * DAY
LONGEST_NAME = 24


class NoSuchTable(GramyError):
    """There is no table of that name, or it has been swept."""


class Lobby:
    """All tables of a server."""

    def __init__(self, around: Surroundings, most: int = 20_000) -> None:
        self.around = around
        self.most = most
        self.tables: dict[str, Table] = {}
        self._asked: dict[str, float] = {}  # when a table in memory was last looked for

    async def start(self) -> None:
        """Bring back the public tables that were open; the others come back when somebody asks for them."""
        for row in await self.around.store.open_tables():
            try:
                if row.public:
                    await self._adopt(row)
            except GramyError:
                LOG.exception("a table cannot be brought back", extra={"game": row.game})

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
        if name not in GAMES:
            raise UnknownGame(Message("unknown_game", {"game": name, "known": list(GAMES)}))
        if len(self.tables) >= self.most:
            raise GramyError(Message("server_full"))
        game = Game(GAMES[name], chosen(GAMES[name], options))
        if len(seats) != game.players or None not in seats:
            raise BadOptions(Message("seats_number", {"players": game.players, "seats": len(seats)}))
        places = [Seat() if level is None else _bot_seat(game, at, level) for at, level in enumerate(seats)]
        id = "".join(secrets.choice(LETTERS) for _ in range(12))
        table = Table(id, game, places, public, control, self.around)
        self.tables[id] = table
        try:
            seat, token = await table.sit(nickname(player), guest, None)
        except Exception:
            del self.tables[id]
            raise
        return table, seat, token

    async def find(self, id: str) -> Table:
        """A table by its name."""
        if id in self.tables:
            self._asked[id] = self.around.now()
            return self.tables[id]
        row = await self.around.store.load(id) if len(id) <= 32 else None
        if row is None:
            raise NoSuchTable(Message("no_such_table", {"table": id}))
        self._asked[id] = self.around.now()
        return self.tables.get(id) or await self._adopt(row)

    def listed(self) -> list[dict[str, Any]]:
        """The public tables where one can sit down or watch, newest first."""
        shown = [table for table in self.tables.values() if table.public and table.status != FINISHED]
        return [table.summary() for table in sorted(shown, key=lambda table: -table.touched)[:50]]

    async def sweep(self) -> int:
        """Unload what nobody looks at, delete what nobody has touched for long; how many were deleted."""
        now = self.around.now()
        for table in list(self.tables.values()):
            alone = now - max(table.touched, self._asked.get(table.id, 0.0))
            patience = HOUR if table.public and table.status == WAITING else UNLOADED_AFTER
            if not table.viewers and alone > patience and not table.busy:
                del self.tables[table.id]  # first, so that nobody finds a table that is about to close
                self._asked.pop(table.id, None)
                await table.close()
        return await self.around.store.sweep(now - FINISHED_KEPT, now - IDLE_KEPT)

    async def close(self) -> None:
        for table in self.tables.values():
            await table.close()

    async def _adopt(self, row: TableRow) -> Table:
        """A table from the store, with its match as far as it was played."""
        if row.game not in GAMES or row.version != GAMES[row.game].VERSION:
            raise NoSuchTable(Message("other_rules", {"game": row.game, "found": row.version}))
        game = Game(GAMES[row.game], chosen(GAMES[row.game], row.options))
        control = Control(row.clock["minutes"], row.clock["seconds"]) if row.clock else None
        table = Table(row.id, game, [Seat.of(seat) for seat in row.seats], row.public, control, self.around)
        table.touched = row.touched
        table.take_over(row, await self.around.store.lines(row.id, row.round))
        if row.id not in self.tables:
            self.tables[row.id] = table
            await table.begin_if_full()
            table.resume()
        return self.tables[row.id]


def _bot_seat(game: Game, at: int, level: str) -> Seat:
    bot(game.name, level)  # says so if there is no such level
    return Seat(kind=BOT, name=BOT_NAMES[at], level=level)


def nickname(name: str) -> str:
    """A name as it may be shown: short, printable, not empty."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    if not words or len(words) > LONGEST_NAME:
        raise BadOptions(Message("bad_name", {"most": LONGEST_NAME}))
    return words
