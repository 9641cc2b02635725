"""The SQL statements of both back ends (`?` is a parameter), and rows made from their results.

`MANY` stands for a list of values that is passed as JSON; each back end has its own function for that.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from gramy.fair import Deal, Exchange, VoidAttempt
from gramy.matches import Entry
from gramy.table.people import decode_people, encode_people
from gramy.table.sealing import Sealer
from gramy.table.seat import BotPlayed, Seat
from gramy.table.store import PLAYING, TableRow

Row: TypeAlias = Sequence[Any]

INSERT_TABLE = (
    "INSERT INTO tables (public, clock, round, status, touched, rematch, people, revision, options, version, id, game)"
    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?) RETURNING revision"
)
UPDATE_TABLE = (
    "UPDATE tables SET public=?, clock=?, round=?, status=?, touched=?, rematch=?, people=?, revision=?, options=?,"
    " version=? WHERE id=? AND revision=? RETURNING revision"
)
UPSERT_SEAT = (
    "INSERT INTO seats (table_id, seat, kind, name, level, guest, token, stand_in, bot_played)"
    " VALUES (?,?,?,?,?,?,?,?,?)"
    " ON CONFLICT (table_id, seat) DO UPDATE SET kind=excluded.kind, name=excluded.name, level=excluded.level,"
    " guest=excluded.guest, token=excluded.token, stand_in=excluded.stand_in,"
    " bot_played=excluded.bot_played"
)
DELETE_SEATS = "DELETE FROM seats WHERE table_id=? AND seat>=?"
"""Deletes the seats that a table with fewer players does not have any more."""
UPSERT_DEAL = (
    "INSERT INTO deals (table_id, round, seed, client_seeds, exchange) VALUES (?,?,?,?,?)"
    " ON CONFLICT (table_id, round) DO UPDATE SET seed=excluded.seed, client_seeds=excluded.client_seeds,"
    " exchange=excluded.exchange"
)
STORE_PROBE = (
    "INSERT INTO facts (name, value) VALUES ('probe', ?) ON CONFLICT (name) DO UPDATE SET value=excluded.value"
)
INSERT_LINE = "INSERT INTO entries (table_id, round, number, seat, text) VALUES (?,?,?,?,?)"
UPDATE_AFTER_MOVE = (
    "UPDATE tables SET touched=COALESCE(?, touched), status=?, clock=COALESCE(?, clock), revision=revision+1"
    " WHERE id=? AND round=? AND status=? RETURNING revision"
)
COUNT_MOVE = "UPDATE tables SET revision=revision+1 WHERE id=? AND round=? AND status=? RETURNING revision"
"""The same when no indexed column changes."""
SELECT_REVISION = "SELECT revision FROM tables WHERE id=?"
SELECT_LINES = "SELECT number, seat, text FROM entries WHERE table_id=? AND round=? AND number>=? ORDER BY number"
SELECT_DEAL = "SELECT table_id, round, seed, client_seeds, exchange FROM deals WHERE table_id=? AND round=?"
SELECT_REVISIONS = "SELECT id, revision FROM tables WHERE id IN (SELECT value FROM MANY)"

SELECT_TABLES = (
    "SELECT id, game, version, options, public, clock, round, status, touched, rematch, people, revision, marked"
    " FROM tables"
)
SELECT_TABLE = f"{SELECT_TABLES} WHERE id=?"
SELECT_OPEN = (
    f"{SELECT_TABLES} WHERE status IN ('waiting', 'playing') AND public>=? AND marked IS NULL"
    " ORDER BY touched DESC LIMIT ?"
)
SELECT_LISTED = f"""{SELECT_TABLES} WHERE id IN (
    SELECT id FROM (
        SELECT id, touched, ROW_NUMBER() OVER (PARTITION BY opener ORDER BY touched DESC) AS place FROM (
            SELECT id, touched, COALESCE(
                (SELECT guest FROM seats WHERE table_id=id AND guest IS NOT NULL ORDER BY seat LIMIT 1), id) AS opener
            FROM tables WHERE public=1 AND status IN ('waiting', 'playing') AND marked IS NULL
            ORDER BY touched DESC LIMIT 1000) AS newest
        ) AS ranked WHERE place<=? ORDER BY touched DESC LIMIT ?)
    ORDER BY touched DESC"""
"""Whoever opened a table has its first taken seat. Older tables than the newest thousand are not looked at."""
SELECT_SEATS = (
    "SELECT table_id, kind, name, level, guest, token, stand_in, bot_played FROM seats"
    " WHERE table_id IN (SELECT value FROM MANY) ORDER BY table_id, seat"
)
SELECT_DEALS = (
    "SELECT table_id, deals.round, seed, client_seeds, exchange FROM deals JOIN tables ON tables.id=table_id"
    " WHERE table_id IN (SELECT value FROM MANY) AND deals.round BETWEEN tables.round AND tables.round+1"
    " ORDER BY table_id, deals.round"
)
FORGET_GUEST = "UPDATE seats SET name='', guest=NULL, token=NULL WHERE guest=?"
TOUCH_FORGOTTEN = (
    "UPDATE tables SET revision=revision+1 WHERE id IN (SELECT table_id FROM seats WHERE guest=?)"
    " RETURNING id, revision"
)
"""Runs before FORGET_GUEST: other servers have the name in memory, and load a table again when its revision differs."""
FORGET_BLOCKED = "UPDATE tables SET people=REPLACE(people, ?, ''), revision=revision+1 WHERE people LIKE ?"
"""Removes a guest from the lists of blocked guests."""
SELECT_SITTING = (
    "SELECT DISTINCT table_id FROM seats JOIN tables ON tables.id=table_id"
    " WHERE guest=? AND status IN ('waiting', 'playing')"
)


def save_statement(table: TableRow) -> tuple[str, tuple[Any, ...]]:
    """Return the statement that writes a table, and its parameters."""
    changed = (
        int(table.public), json.dumps(table.clock), table.round, table.status, table.touched,
        json.dumps(dict.fromkeys(sorted(table.rematch), "-")), encode_people(table.people),
        table.revision + 1, json.dumps(table.options), table.version, table.id,
    )  # fmt: skip
    if table.revision == 0:
        return INSERT_TABLE, (*changed, table.game)
    return UPDATE_TABLE, (*changed, table.revision)


def seat_parameters(table: TableRow, written: TableRow | None = None) -> list[tuple[Any, ...]]:
    """Return the parameters for all seats of a table; none if they are written already."""
    if written is not None and written.seats == table.seats:
        return []
    return [
        (table.id, number, *seat[:-2], int(seat.stand_in), seat.bot_played and json.dumps(seat.bot_played))
        for number, seat in enumerate(table.seats)
    ]


def deal_parameters(table: TableRow, sealer: Sealer, written: TableRow | None = None) -> list[tuple[Any, ...]]:
    """Return the parameters for the deals of a table that are not written already."""
    known = {} if written is None else dict(enumerate(written.deals, written.round))
    return [
        (
            table.id,
            round,
            sealer.seal(deal.seed, "seed", table.id, round),
            sealer.seal(json.dumps(deal.client_seeds), "client_seeds", table.id, round),
            sealer.seal(json.dumps(deal.exchange), "exchange", table.id, round),
        )
        for round, deal in enumerate(table.deals, table.round)
        if known.get(round) != deal
    ]


def line_parameters(
    table: str, round: int, number: int, lines: Iterable[Entry], sealer: Sealer
) -> list[tuple[Any, ...]]:
    """Return the parameters for lines of a log; those that not everybody may read are sealed."""
    return [
        (table, round, at, seat, text if reader is None else sealer.seal(text, "text", table, round, at))
        for at, (seat, text, reader) in enumerate(lines, number)
    ]


def lines_from_rows(rows: Iterable[Row], table: str, round: int, sealer: Sealer) -> list[Entry]:
    return [Entry(seat, sealer.unseal(text, "text", table, round, number)) for number, seat, text in rows]


def move_parameters(
    table: str, round: int, touched: float | None, status: str, clock: dict[str, Any] | None
) -> tuple[Any, ...]:
    return (touched, status, None if clock is None else json.dumps(clock), table, round, PLAYING)


def deal_from_row(row: Row, sealer: Sealer) -> Deal:
    table, round, seed, client_seeds, exchange = row
    return Deal(
        sealer.unseal(seed, "seed", table, round),
        tuple(json.loads(sealer.unseal(client_seeds, "client_seeds", table, round))),
        _exchange(json.loads(sealer.unseal(exchange, "exchange", table, round))),
    )


def _exchange(stored: list[Any] | None) -> Exchange | None:
    """Return an exchange from its fields; a deal of an older version has none."""
    if stored is None:
        return None
    table, round, commitments, closed, voids = stored
    attempts = tuple(VoidAttempt(seed, tuple(listed), tuple(revealed)) for seed, listed, revealed in voids)
    return Exchange(table, round, tuple(commitments), closed, attempts)


def tables_from_rows(
    tables: Iterable[Row], seats: Iterable[Row], deals: Iterable[Row], sealer: Sealer
) -> list[TableRow]:
    """Return tables made from the results of the statements on tables, seats and deals."""
    seats_by_table: defaultdict[str, list[Seat]] = defaultdict(list)
    for id, kind, name, level, guest, token, stand_in, bot_played in seats:
        played = BotPlayed(*json.loads(bot_played)) if bot_played else None
        seats_by_table[id].append(Seat(kind, name, level, guest, token, bool(stand_in), played))
    deals_by_table: defaultdict[str, list[Deal]] = defaultdict(list)
    for row in deals:
        deals_by_table[row[0]].append(deal_from_row(row, sealer))
    return [_table_from_rows(row, tuple(seats_by_table[row[0]]), deals_by_table[row[0]]) for row in tables]


def _table_from_rows(row: Row, seats: tuple[Seat, ...], deals: list[Deal]) -> TableRow:
    id, game, version, options, public, clock, round, status, touched, rematch, people, revision, marked = row
    while len(deals) < 2:  # the table is older than verifiable deals: its next cards come from a new seed
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
        rematch=frozenset(map(int, json.loads(rematch))),
        people=decode_people(people),
        revision=revision,
        marked=marked,
    )
