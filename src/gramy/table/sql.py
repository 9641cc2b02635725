"""What both back ends say to their databases: the same sentences (`?` is a value), and rows made of the answers.

`MANY` stands for a list of values, handed over as JSON; each back end has its own word for that.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table.store import PLAYING, SeatRow, TableRow

Row: TypeAlias = Sequence[Any]

NEW_TABLE = (
    "INSERT INTO tables (public, clock, round, status, touched, rematch, revision, id, game, version, options)"
    " VALUES (?,?,?,?,?,?,?,?,?,?,?) RETURNING revision"
)
CHANGED_TABLE = (
    "UPDATE tables SET public=?, clock=?, round=?, status=?, touched=?, rematch=?, revision=?"
    " WHERE id=? AND revision=? RETURNING revision"
)
SEAT = (
    "INSERT INTO seats (table_id, seat, kind, name, level, guest, token, stand_in) VALUES (?,?,?,?,?,?,?,?)"
    " ON CONFLICT (table_id, seat) DO UPDATE SET kind=excluded.kind, name=excluded.name, level=excluded.level,"
    " guest=excluded.guest, token=excluded.token, stand_in=excluded.stand_in"
)
DEAL = (
    "INSERT INTO deals (table_id, round, seed, client_seeds) VALUES (?,?,?,?)"
    " ON CONFLICT (table_id, round) DO UPDATE SET seed=excluded.seed, client_seeds=excluded.client_seeds"
)
LINE = "INSERT INTO entries (table_id, round, number, seat, text) VALUES (?,?,?,?,?)"
MOVED = (
    "UPDATE tables SET touched=COALESCE(?, touched), status=?, clock=COALESCE(?, clock), revision=revision+1"
    " WHERE id=? AND round=? AND status=? RETURNING revision"
)
MOVED_ON = "UPDATE tables SET revision=revision+1 WHERE id=? AND round=? AND status=? RETURNING revision"
"""The same where nothing changes that an index is about."""
THERE = "SELECT revision FROM tables WHERE id=?"
LINES = "SELECT seat, text FROM entries WHERE table_id=? AND round=? AND number>=? ORDER BY number"
ONE_DEAL = "SELECT seed, client_seeds FROM deals WHERE table_id=? AND round=?"
REVISIONS = "SELECT id, revision FROM tables WHERE id IN (SELECT value FROM MANY)"

TABLES = "SELECT id, game, version, options, public, clock, round, status, touched, rematch, revision FROM tables"
ONE = f"{TABLES} WHERE id=?"
OPEN_ONES = f"{TABLES} WHERE status IN ('waiting', 'playing') AND public>=? ORDER BY touched DESC LIMIT ?"
SEATS = (
    "SELECT table_id, kind, name, level, guest, token, stand_in FROM seats"
    " WHERE table_id IN (SELECT value FROM MANY) ORDER BY table_id, seat"
)
DEALS = (
    "SELECT table_id, seed, client_seeds FROM deals JOIN tables ON tables.id=table_id"
    " WHERE table_id IN (SELECT value FROM MANY) AND deals.round BETWEEN tables.round AND tables.round+1"
    " ORDER BY table_id, deals.round"
)
FORGET = (
    "UPDATE seats SET name='', guest=NULL, token=NULL WHERE guest=?"
    " AND table_id NOT IN (SELECT id FROM tables WHERE status IN ('waiting', 'playing'))"
)
FORGOTTEN = (
    "UPDATE tables SET revision=revision+1 WHERE status NOT IN ('waiting', 'playing')"
    " AND id IN (SELECT table_id FROM seats WHERE guest=?)"
)
SITTING = (
    "SELECT DISTINCT table_id FROM seats JOIN tables ON tables.id=table_id"
    " WHERE guest=? AND status IN ('waiting', 'playing')"
)
SWEEP = (
    "DELETE FROM tables WHERE (status IN ('waiting', 'playing') AND touched < ?)"
    " OR (status NOT IN ('waiting', 'playing') AND touched < ?)"
)


def table_values(table: TableRow) -> tuple[str, tuple[Any, ...]]:
    """The sentence that writes a table after its last revision, and its values."""
    changing = (
        int(table.public), json.dumps(table.clock), table.round, table.status, table.touched,
        json.dumps(table.rematch), table.revision + 1, table.id,
    )  # fmt: skip
    if table.revision == 0:
        return NEW_TABLE, (*changing, table.game, table.version, json.dumps(table.options))
    return CHANGED_TABLE, (*changing, table.revision)


def seat_values(table: TableRow) -> list[tuple[Any, ...]]:
    return [(table.id, seat, *row[:-1], int(row.stand_in)) for seat, row in enumerate(table.seats)]


def deal_values(table: TableRow) -> list[tuple[Any, ...]]:
    return [
        (table.id, round, deal.seed, json.dumps(deal.client_seeds))
        for round, deal in enumerate(table.deals, table.round)
    ]


def line_values(table: str, round: int, number: int, lines: Iterable[Entry]) -> list[tuple[Any, ...]]:
    return [(table, round, number + at, line.seat, line.text) for at, line in enumerate(lines)]


def moved_values(
    table: str, round: int, touched: float | None, status: str, clock: dict[str, Any] | None
) -> tuple[Any, ...]:
    return (touched, status, None if clock is None else json.dumps(clock), table, round, PLAYING)


def deal_of(row: Row | None) -> Deal | None:
    return None if row is None else Deal(row[0], tuple(json.loads(row[1])))


def tables_of(tables: Iterable[Row], seats: Iterable[Row], deals: Iterable[Row]) -> list[TableRow]:
    """Tables from the rows that `TABLES`, `SEATS` and `DEALS` have found."""
    sitting: defaultdict[str, list[SeatRow]] = defaultdict(list)
    for id, kind, name, level, guest, token, stand_in in seats:
        sitting[id].append(SeatRow(kind, name, level, guest, token, bool(stand_in)))
    dealt: defaultdict[str, list[Deal]] = defaultdict(list)
    for id, seed, client_seeds in deals:
        dealt[id].append(Deal(seed, tuple(json.loads(client_seeds))))
    return [_table(row, tuple(sitting[row[0]]), dealt[row[0]]) for row in tables]


def _table(row: Row, seats: tuple[SeatRow, ...], deals: list[Deal]) -> TableRow:
    id, game, version, options, public, clock, round, status, touched, rematch, revision = row
    while len(deals) < 2:  # kept before deals could be checked: its next cards come from a seed of now
        deals.append(Deal(secrets.token_hex(32), ("",) * len(seats)))
    return TableRow(
        id=id,
        game=game,
        version=version,
        options=json.loads(options),
        public=bool(public),
        clock=json.loads(clock),
        round=round,
        status=status,
        touched=touched,
        seats=seats,
        deals=(deals[0], deals[1]),
        rematch={int(seat): client_seed for seat, client_seed in json.loads(rematch).items()},
        revision=revision,
    )
