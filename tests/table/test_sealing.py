"""A copied database tells no cards: seeds and hidden lines of the log are sealed with the server's secret."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table import state
from gramy.table.lobby import Lobby
from gramy.table.sealing import PREFIX, SEALED_COLUMNS, Sealer
from gramy.table.services import Services, Times
from gramy.table.store import CannotOpenStore, UnreadableTable
from gramy.table.table import Table
from tests.servers import Postgres
from tests.table.backends import SECRET, Backend, PostgresBackend, SqliteBackend, row
from tests.table.services import ThreadBotPool, Watcher

OLD, NEW = "old secret " * 4, "new secret " * 4
PLACE = "seed", "t1", 1


@pytest.mark.parametrize("text", ["", "deal 5 9", "choose 4", "x" * 31, "x" * 32, "x" * 33, '["k3Vx", ""]', "zażółć"])
def test_a_sealed_text_is_unsealed_in_its_place_only(text: str) -> None:
    sealer = Sealer([SECRET])
    sealed = sealer.seal(text, *PLACE)
    assert sealer.unseal(sealed, *PLACE) == text
    assert sealer.seal(text, *PLACE) != sealed
    for other in (("seed", "t2", 1), ("seed", "t1", 2), ("client_seeds", "t1", 1), ("seed", "t1")):
        with pytest.raises(UnreadableTable):
            sealer.unseal(sealed, *other)


def test_a_changed_text_and_another_secret_are_refused() -> None:
    sealed = Sealer([OLD]).seal("deal 5 9", *PLACE)
    with pytest.raises(UnreadableTable, match="another secret"):
        Sealer([NEW]).unseal(sealed, *PLACE)
    for changed in (sealed[:-6] + "AAAAAA", sealed[:PREFIX], f"{sealed}A", f"{sealed[:PREFIX]}%%%"):
        with pytest.raises(UnreadableTable, match="changed"):
            Sealer([OLD]).unseal(changed, *PLACE)


def test_the_length_of_a_sealed_text_tells_nothing_about_the_cards() -> None:
    sealer = Sealer([SECRET])
    assert len({len(sealer.seal(text, *PLACE)) for text in ("deal 1 2 3 4 5 6", "deal 10 20 30 40 50 51")}) == 1


def test_the_first_secret_seals_and_all_unseal() -> None:
    sealed = Sealer([OLD]).seal("seed", *PLACE)
    both = Sealer([NEW, OLD])
    assert both.unseal(sealed, *PLACE) == "seed"
    assert Sealer([NEW]).unseal(both.seal("seed", *PLACE), *PLACE) == "seed"


def test_a_text_of_an_older_version_is_read_as_it_is() -> None:
    assert Sealer([SECRET]).unseal("deal 5 9", *PLACE) == "deal 5 9"


async def raw(backend: Backend) -> bytes:
    """Return all bytes that a thief of the files, or of a dump, has."""
    if isinstance(backend, SqliteBackend):
        return b"".join(path.read_bytes() for path in backend.path.parent.glob("gramy.sqlite*"))
    texts = [await backend.query(f"SELECT * FROM {table}") for table in ("tables", "seats", "entries", "deals")]
    return repr(texts).encode()


async def live_match(store: Any, game: str, options: dict[str, str], seats: int) -> Table:
    """Play some moves of a match that is not over."""
    rng = random.Random(20_261)
    services = Services(store, ThreadBotPool(), rng=rng, times=Times(pause=0, seed_wait=0))
    lobby = Lobby(services)
    table, _, _ = await lobby.open(game, options, [None] * seats, False, None, "Ada", "g0")
    table.enter(Watcher(0))
    for seat in range(1, seats):
        await table.sit("Bob", f"g{seat}", None)
    await play(table, rng, most=12)
    return table


async def play(table: Table, rng: random.Random, most: int) -> None:
    for _ in range(most):
        match = table.state.match
        assert match is not None
        seat = rng.choice(match.to_act)
        step = partial(state.play, seat=seat, at=len(match.log), move=rng.choice(match.moves(seat)))
        if step(table.state, table.audience.moment(table.state)).is_over:
            return
        await table.change(step)


@pytest.mark.parametrize(
    ("game", "options", "seats"), [("face-to-face", {}, 2), ("quick-easy", {"players": "3"}, 3), ("gra", {}, 2)]
)
async def test_the_bytes_of_a_live_match_have_no_hidden_card_and_no_seed(
    backend: Backend, game: str, options: dict[str, str], seats: int
) -> None:
    async with backend.opened() as store:
        table = await live_match(store, game, options, seats)
        match, deals = table.state.match, table.state.deals
        assert match is not None
        stolen = await raw(backend)
        for deal in deals:
            assert deal.seed.encode() not in stolen
        stored = await backend.query("SELECT seat, text FROM entries ORDER BY number")
        shown = {entry.text for entry in match.history(None)}  # as a spectator may read them
        hidden = [entry.text for entry in match.log if entry.reader is not None]
        assert hidden
        for entry, (seat, text) in zip(match.log, stored, strict=True):
            assert seat == entry.seat
            assert text.startswith("~") if entry.reader is not None else text in shown
        for text in hidden:
            if len(text) > 12:  # shorter texts may appear by chance
                assert text.encode() not in stolen, text
        again = await store.lines(table.id, 1)
        assert [entry[:2] for entry in again] == [entry[:2] for entry in match.log]


async def test_seeds_that_were_not_revealed_are_not_in_the_bytes(backend: Backend) -> None:
    async with backend.opened() as store:
        seeds = Deal("5eed" * 16, ("client seed of Ada", "", "-")), Deal("0ther" * 12, ("", "", ""))
        await store.save(row(deals=seeds))
        assert (await store.load("t1")).deals == seeds
        stolen = await raw(backend)
        for secret in ("5eed5eed", "0ther0ther", "client seed of"):
            assert secret.encode() not in stolen


async def test_plain_texts_of_an_older_version_are_sealed_at_the_start(backend: Backend) -> None:
    async with backend.opened():
        pass
    await backend.script("""
        INSERT INTO tables (id, game, version, options, public, clock, round, status, touched, rematch)
            VALUES ('live', 'gra', 1, '{}', 0, 'null', 1, 'playing', 0.0, '{}'),
                ('over', 'gra', 1, '{}', 0, 'null', 2, 'finished', 0.0, '{}');
        INSERT INTO deals (table_id, round, seed, client_seeds)
            VALUES ('live', 1, 'seed of the match', '["seed of Ada", ""]'), ('over', 3, 'seed of the next one', '[""]');
        INSERT INTO entries (table_id, round, number, seat, text)
            VALUES ('live', 1, 0, 6, 'deal 10 20 30 40 50'), ('over', 1, 0, 6, 'deal 11 21 31 41 51');""")
    async with backend.opened() as store:
        assert await store.deal("live", 1) == Deal("seed of the match", ("seed of Ada", ""))
        assert await store.lines("live", 1) == [Entry(6, "deal 10 20 30 40 50")]
        assert await store.lines("over", 1) == [Entry(6, "deal 11 21 31 41 51")]
        stolen = await raw(backend)
        for secret in ("seed of", "deal 10 20"):
            assert secret.encode() not in stolen
        assert b"deal 11 21" in stolen  # everybody may read it


async def test_after_a_change_of_the_secret_the_old_one_is_needed_for_one_start_only(backend: Backend) -> None:
    backend.secrets = (OLD,)
    async with backend.opened() as store:
        await store.save(row(), [Entry(6, "deal 1 2 3", 0)])
    backend.secrets = (NEW,)
    with pytest.raises(CannotOpenStore, match="another secret"):
        await backend.open()
    for backend.secrets in ((NEW, OLD), (NEW,)):
        async with backend.opened() as store:
            assert await store.load("t1") == row(revision=1)
            assert await store.lines("t1", 1) == [Entry(6, "deal 1 2 3")]


async def test_sealing_again_does_not_undo_what_another_server_writes(postgres: Postgres) -> None:
    backend = PostgresBackend(postgres)
    (column, *_) = SEALED_COLUMNS
    async with backend.opened() as store:
        await store.save(row())
        found = await backend.query(column.select.replace("?", "'-'"))
        update, _ = column.sealed_again(Sealer([SECRET]), sorted(found))
        changed = row(deals=(Deal("newer", ("", "", "")), row().deals[1]), revision=1)
        await store.save(changed)
        statement = column.update
        for value in update:
            statement = statement.replace("?", f"'{value}'", 1)
        await backend.script(statement)
        assert (await store.load("t1")).deals[0].seed == "newer"
