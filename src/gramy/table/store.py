"""Where tables live when nobody looks: one small interface, for SQLite (`sqlite.py`) and PostgreSQL (`postgres.py`).

Acknowledged means committed: a call returns after its transaction is on the disk. Any number of servers may write: a
line is kept under (table, round, number) and a table under its revision, so the second of two writers is refused, looks
at what the first has done, and decides again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from gramy.fair import Deal
from gramy.matches import Entry

WAITING, PLAYING, FINISHED, ABANDONED = "waiting", "playing", "finished", "abandoned"

SCHEMA = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, version INTEGER NOT NULL, options TEXT NOT NULL,
        public INTEGER NOT NULL, clock TEXT NOT NULL, round INTEGER NOT NULL, status TEXT NOT NULL,
        touched DOUBLE PRECISION NOT NULL);
    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat INTEGER NOT NULL, kind TEXT NOT NULL,
        name TEXT NOT NULL, level TEXT, guest TEXT, token TEXT, PRIMARY KEY (table_id, seat));
    CREATE TABLE entries (
        table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, round INTEGER NOT NULL, number INTEGER NOT NULL,
        seat INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (table_id, round, number));
    CREATE INDEX tables_by_time ON tables (status, touched);
    """,
    """
    ALTER TABLE tables ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE tables ADD COLUMN rematch TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE seats ADD COLUMN stand_in INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE deals (
        table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, round INTEGER NOT NULL, seed TEXT NOT NULL,
        luck TEXT NOT NULL, PRIMARY KEY (table_id, round));
    """,
    "ALTER TABLE deals RENAME COLUMN luck TO client_seeds;",
)
"""The steps from nothing to today's tables, for every back end; a step is never changed, only followed by another."""


class SeatRow(NamedTuple):
    """Who sits where; the token only as its hash."""

    kind: str
    name: str = ""
    level: str | None = None
    guest: str | None = None
    token: str | None = None
    stand_in: bool = False


class TableRow(NamedTuple):
    """A table without its moves. `deals` are this round's and the next one's, whose seed is bound already."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    public: bool
    clock: dict[str, Any] | None
    round: int
    status: str
    touched: float
    seats: tuple[SeatRow, ...]
    deals: tuple[Deal, Deal]
    rematch: dict[int, str]  # who wants another round, with their luck for it
    revision: int = 0  # the one that this row follows; 0: it is new


class Conflict(Exception):
    """Somebody else has written this line already, or has changed the table."""


class TableDeleted(Exception):
    """The table is not there any more."""


class StoreUnavailable(Exception):
    """It could not be written, and nothing of it was; or it could not be read."""


class WriteUnknown(StoreUnavailable):
    """The database went away before it answered: nothing or all of it was written; the next look will show."""


class CannotOpenStore(Exception):
    """The store cannot be opened; the words say why."""


def newer(version: int) -> str:
    """Why a schema from the future is left alone."""
    return f"it was written by a newer Gramy (schema {version}, known {len(SCHEMA)})"


class Store(Protocol):
    """What a table needs kept. Every call returns when it is safe on the disk; all of it, or (raising) nothing."""

    async def save(self, table: TableRow, lines: Iterable[Entry] = ()) -> int:
        """Write a table with its seats and deals, and the first lines of its round; its new revision. Raises Taken
        unless the table is at the revision that the row follows, Gone when it is not there any more."""

    async def append(
        self,
        table: str,
        round: int,
        number: int,
        lines: Iterable[Entry],
        touched: float | None = None,
        status: str = PLAYING,
        clock: dict[str, Any] | None = None,
    ) -> int:
        """Add lines to a log from a number on, with what they change about the table (None: nothing); its new revision.
        Raises Taken when a line is there already or this round is not being played, Gone when there is no table."""

    async def load(self, table: str) -> TableRow | None:
        """A table, None when there is none."""

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        """The log of a round from a line on."""

    async def deal(self, table: str, round: int) -> Deal | None:
        """Where the cards of a round came from."""

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        """How far these tables are; the ones that are gone are left out."""

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        """The tables that wait or play, the last touched first; all of them, or the public ones."""

    async def sitting(self, guest: str) -> list[str]:
        """The tables that wait or play with a guest at them."""

    async def forget(self, guest: str) -> int:
        """Take a guest's name and marks off every seat that is not being played on; how many seats."""

    async def delete_expired(self, finished_before: float, idle_before: float) -> int:
        """Delete finished and idle tables that nobody has touched since; how many."""

    async def close(self) -> None:
        """Finish what is under way."""
