"""How a table's state is written to the store and read back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gramy import games
from gramy.contract import DEALER, Game
from gramy.fair import SeededDealer
from gramy.matches import Entry, Match
from gramy.options import format_options
from gramy.table.clock import Clock, TimeControl, timed_seats
from gramy.table.people import next_person
from gramy.table.state import TableState
from gramy.table.store import (
    ABANDONED,
    CLOSED,
    FINISHED,
    PLAYING,
    WAITING,
    Store,
    TableDeleted,
    TableRow,
    UnreadableTable,
)


def row_of(state: TableState) -> TableRow:
    """Return the row that stores a state; the moves are stored line by line beside it."""
    clock = state.clock.stored() if state.clock else state.control._asdict() if state.control else None
    return TableRow(
        id=state.id,
        game=state.game.name,
        version=state.game.rules.VERSION,
        options=format_options(state.game.options),
        public=state.public,
        clock=clock,
        round=state.round,
        status=state.status,
        touched=state.touched,
        seats=state.seats,
        deals=state.deals,
        rematch=state.rematch,
        people=state.people,
        revision=state.revision,
    )


async def save_change(store: Store, before: TableState, after: TableState) -> int:
    """Store the difference between two states and return the new revision. A move only appends lines to the log."""
    if before.match is None or after.match is None or not after.only_match_differs(before):
        begun = after.match is not None and (before.match is None or before.round != after.round)
        row, written = row_of(after), None
        if before.revision and before.deals[0].exchange is not None:  # otherwise a deal may be in memory only
            written = row._replace(round=before.round, seats=before.seats, deals=before.deals)
        return await store.save(row, after.match.log if after.match and begun else (), written)
    number = len(before.match.log)
    return await store.append(
        after.id,
        after.round,
        number,
        after.match.log[number:],
        touched=None if after.touched == before.touched else after.touched,
        status=after.status,
        clock=None if after.clock is None else after.clock.stored(),
    )


async def load_newest(store: Store, known: TableState, now: float) -> TableState:
    """Return the stored state of a table, `known` itself if it has the same revision; raises TableDeleted."""
    row = await store.load(known.id)
    if row is None:
        raise TableDeleted(known.id)
    if row.revision == known.revision:
        return known
    row, lines = await load_log(store, row, known)
    return state_of(row, lines, now, known)


async def load_log(store: Store, row: TableRow, known: TableState | None = None) -> tuple[TableRow, Sequence[Entry]]:
    """Return a row with the lines of its log that `known` does not have; raises TableDeleted.

    The row was loaded before. If the match began in between, the row is from before the deal, perhaps with other
    options: then it is loaded again.
    """
    match = _known_match(row, known)
    lines = await store.lines(row.id, row.round, len(match.log) if match else 0)
    if not lines or row.status != WAITING:
        return row, lines
    newer = await store.load(row.id)
    if newer is None:
        raise TableDeleted(row.id)
    return (row, lines) if newer.revision == row.revision else await load_log(store, newer, known)


def is_playable(row: TableRow) -> bool:
    """Whether the installed rules still play by those that the table was opened with."""
    return row.game in games.GAMES and games.options_since(games.GAMES[row.game], str(row.version)) is not None


def state_of(row: TableRow, lines: Sequence[Entry], now: float, known: TableState | None = None) -> TableState:
    """Return the state that a row and the lines of its log describe.

    `known` is an earlier state of the same table: then `lines` are only those that it does not have, and what is equal
    stays the same object. The log decides the status: with a line the match has begun, with an outcome it is over. A
    match without a line has begun if the row says so: the players may choose who starts before any card is dealt.
    Raises UnreadableTable when the log cannot be replayed.
    """
    game = _game_of(row)
    if known and known.game.option_texts == game.option_texts:
        game = known.game
    try:
        match = _match_of(row, lines, game, _known_match(row, known))
    except Exception as error:  # whatever a damaged log makes the rules do
        raise UnreadableTable(f"the log of table {row.id} cannot be replayed: {error!r}") from error
    control = TimeControl(row.clock["minutes"], row.clock["seconds"]) if row.clock else None
    status = row.status
    if match is None:
        status = status if status in (ABANDONED, CLOSED) else WAITING
    elif status in (WAITING, PLAYING):
        status = PLAYING if match.outcome is None else FINISHED
    clock = None
    if control and row.clock and match is not None and status == PLAYING:
        full = Clock.start(control, len(row.seats), now)
        clock = full._replace(left=tuple(row.clock.get("left") or full.left)).press(timed_seats(match), now)
        if known and known.clock and not lines and known.clock.stored() == row.clock:
            clock = known.clock  # the same turn: the time that it has taken so far is not stored
    people = row.people
    if people.opener is None:  # nobody sits here, or the table is older than this
        people = replace(people, opener=next_person(row.seats, 0))
    return TableState(
        id=row.id,
        game=game,
        seats=known.seats if known and known.seats == row.seats else row.seats,
        deals=known.deals if known and known.deals == row.deals else row.deals,
        touched=row.touched,
        public=row.public,
        control=control,
        status=status,
        round=row.round,
        match=match,
        clock=clock,
        rematch=known.rematch if known and known.rematch == row.rematch else row.rematch,
        people=known.people if known and known.people == people else people,
        revision=row.revision,
    )


def _game_of(row: TableRow) -> Game:
    """Return the game that a table plays. Options that its version did not have are those that make up for it."""
    since = games.options_since(games.named(row.game), str(row.version)) or {}
    return games.game(row.game, {**since, **row.options})


def _known_match(row: TableRow, known: TableState | None) -> Match | None:
    """Return the match of an earlier state, if the row has the same round of the same game."""
    match = known.match if known and known.round == row.round else None
    return match if match is not None and match.game.option_texts == _game_of(row).option_texts else None


def _match_of(row: TableRow, lines: Sequence[Entry], game: Game, match: Match | None) -> Match | None:
    if match is None and not lines and row.status != PLAYING:
        return None
    names = [seat.name for seat in row.seats]
    match = (match or Match(game, None, names)).followed_by(lines)
    deals_made = sum(entry.seat == DEALER for entry in match.log)
    return match.dealt_by(SeededDealer(row.deals[0], deals_made)).named(names)
