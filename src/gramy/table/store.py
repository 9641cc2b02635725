"""The store of tables: one small interface, implemented for SQLite (`sqlite.py`) and PostgreSQL (`postgres.py`).

Acknowledged means committed: a call returns after its transaction is on the disk. Several servers may write. A line has
the key (table, round, number), and a table has a revision, so the second of two writers gets a `Conflict`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table.people import NOBODY, People
from gramy.table.seat import Seat

WAITING, PLAYING, FINISHED, ABANDONED = "waiting", "playing", "finished", "abandoned"
CLOSED = "closed"
"""The host has closed the table: nobody can play there any more."""

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
    "CREATE INDEX seats_by_guest ON seats (guest);",
    """
    ALTER TABLE tables ADD COLUMN seen DOUBLE PRECISION NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN marked DOUBLE PRECISION;
    CREATE INDEX tables_marked ON tables (marked) WHERE marked IS NOT NULL;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    """,
    """
    ALTER TABLE tables ADD COLUMN people TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE seats ADD COLUMN bot_played TEXT;
    """,
    "CREATE INDEX public_tables ON tables (touched) WHERE public=1 AND status IN ('waiting', 'playing');",
    """
    CREATE TABLE orders (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, until DOUBLE PRECISION NOT NULL,
        made DOUBLE PRECISION NOT NULL, reason TEXT NOT NULL, texts TEXT NOT NULL, reach TEXT NOT NULL);
    CREATE TABLE reports (
        id TEXT PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat INTEGER NOT NULL,
        name TEXT NOT NULL, guest TEXT NOT NULL, reporter TEXT NOT NULL, made DOUBLE PRECISION NOT NULL,
        UNIQUE (table_id, seat, guest, reporter));
    CREATE TABLE audit (
        id TEXT PRIMARY KEY, made DOUBLE PRECISION NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL,
        detail TEXT NOT NULL);
    """,
    "ALTER TABLE deals ADD COLUMN exchange TEXT NOT NULL DEFAULT 'null';",
    """
    CREATE TABLE bot_accounts (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, token TEXT NOT NULL UNIQUE, made DOUBLE PRECISION NOT NULL,
        revoked DOUBLE PRECISION, seen DOUBLE PRECISION NOT NULL DEFAULT 0, games TEXT NOT NULL DEFAULT '');
    CREATE TABLE challenges (
        id TEXT PRIMARY KEY, bot TEXT NOT NULL, table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        challenger TEXT NOT NULL, made DOUBLE PRECISION NOT NULL, status TEXT NOT NULL);
    CREATE INDEX challenges_by_bot ON challenges (bot, status, made);
    CREATE INDEX challenges_by_table ON challenges (table_id);
    """,
)
"""The migrations, for every back end. A migration is never changed, only followed by another one."""


Statement: TypeAlias = tuple[str, tuple[Any, ...]]
"""An SQL statement that both back ends understand, with `?` for each parameter, and its parameters."""


class TableRow(NamedTuple):
    """A table without its moves. `deals` are those of this round and of the next one, whose seed is committed to."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    public: bool
    clock: dict[str, Any] | None
    round: int
    status: str
    touched: float
    seats: tuple[Seat, ...]
    deals: tuple[Deal, Deal]
    rematch: frozenset[int]  # the seats that asked for another round
    people: People = NOBODY
    revision: int = 0  # the stored revision that this row was made from; 0: the table is new
    marked: float | None = None  # when it was marked as expired; it is deleted after a grace period


class Expiry(NamedTuple):
    """How many seconds tables are kept."""

    finished: float  # after a match is over
    idle: float  # after the last move or view of any other table
    grace: float  # between the mark and the deletion


class Expired(NamedTuple):
    """What one pass over the expired tables did, in numbers of tables."""

    marked: int = 0
    restored: int = 0
    deleted: int = 0
    jump: float = 0.0  # seconds between this pass and the last one, when they are implausibly many or negative


class Conflict(Exception):
    """Another server has written this line, or has changed the table."""


class TableDeleted(Exception):
    """The table does not exist any more."""


class StoreUnavailable(Exception):
    """The store did not answer, or refused for a technical reason. Nothing was written."""


class WriteUnknown(StoreUnavailable):
    """The connection was lost before the answer to a write: all of it was written, or nothing."""


class UnreadableTable(StoreUnavailable):
    """The store answered, but the stored table cannot be unsealed, or the installed rules cannot replay its log."""


class CannotOpenStore(Exception):
    """The store cannot be opened; the text says why."""


def newer_schema(version: int) -> str:
    """Return why a database with a newer schema cannot be opened."""
    return f"it was written by a newer Gramy (schema {version}, known {len(SCHEMA)})"


class Store(Protocol):
    """Stores tables and logs. A call returns when all of it is on the disk, or raises and has written nothing."""

    async def save(self, table: TableRow, lines: Iterable[Entry] = (), written: TableRow | None = None) -> int:
        """Write a table with its seats and deals, and the first lines of its round; return the new revision.

        `written` is the table as it was written with the row's revision: what is the same is not written again.
        Raises Conflict unless the stored table has the row's revision, TableDeleted when there is none.
        """

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
        """Append lines to a log from a number on; return the new revision. None leaves a value as it is.

        Raises Conflict when a line exists already or this round is not being played, TableDeleted without a table.
        """

    async def load(self, table: str) -> TableRow | None:
        """Return a table, None when there is none."""

    async def lines(self, table: str, round: int, start: int = 0) -> list[Entry]:
        """Return the log of a round from a line on."""

    async def deal(self, table: str, round: int) -> Deal | None:
        """Return the seeds of a round's deal."""

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the revisions of these tables; deleted tables are left out."""

    async def open_tables(self, public: bool, most: int) -> list[TableRow]:
        """Return waiting and playing tables, the last touched first; all of them, or the public ones."""

    async def listed_tables(self, most: int, per_guest: int) -> list[TableRow]:
        """Return the public tables that wait or play, last touched first, at most so many opened by one guest."""

    async def sitting(self, guest: str) -> list[str]:
        """Return the ids of waiting and playing tables where a guest has a seat."""

    async def forget(self, guest: str) -> dict[str, int]:
        """Remove a guest's name and marks from all seats; return the new revisions of their tables."""

    async def date(self, own: float) -> float:
        """Return the calendar time in seconds by the database's clock; `own` is that of this machine."""

    async def expire(self, own: float, viewed: Sequence[str], expiry: Expiry) -> Expired:
        """Mark tables that have expired, delete those that were marked long ago, and return the numbers.

        `viewed` are tables that somebody has open on this server: their marks are removed. After a jump of the clock
        nothing is deleted.
        """

    async def marked_tables(self) -> list[tuple[str, str, str, float]]:
        """Return the tables that are marked as expired: id, game, status and the date of the mark."""

    async def restore(self, tables: Sequence[str], own: float) -> int:
        """Remove the marks of these tables, and store that they were viewed now; return how many had one."""

    async def probe(self) -> None:
        """Write something small, to find out whether the store can be written; raises StoreUnavailable."""

    async def transact(self, statements: Sequence[Statement]) -> list[list[Any]]:
        """Run statements in one transaction; return the rows of each. For what is not part of a table."""

    async def close(self) -> None:
        """Finish the writes under way."""
