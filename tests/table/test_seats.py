"""A seat belongs to the person who sits there: nobody keeps a seat that they gave up, on this server or another."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from functools import partial
from pathlib import Path

import pytest

from gramy.errors import GramyError
from gramy.table import dealing, state
from gramy.table.lobby import Lobby
from gramy.table.moderation import at_seat_of, remove_name
from gramy.table.seat import OPEN, PERSON
from gramy.table.services import Times
from gramy.table.store import PLAYING
from gramy.table.table import Table
from gramy.table.waiting_room import configure
from tests.table.services import Time, Watcher, Wire, lobby_at, snapshot, until


async def opened(lobby: Lobby, seats: int = 3) -> Table:
    table, _, _ = await lobby.open("gra", {"players": str(seats)}, [None] * seats, False, None, "Ada", "ada")
    return table


async def test_the_next_owner_of_a_seat_is_not_counted_as_present(tmp_path: Path) -> None:
    """Otherwise the next owner would never count as absent, and the others would wait forever."""
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table = await opened(lobby)
        await table.sit("Bob", "bob", 1)
        ada, bob = Watcher(0), Watcher(1)
        for viewer in (ada, bob):
            table.enter(viewer)
        assert await table.command(bob.seat, "a", partial(state.leave, seat=1)) is None
        assert bob.seat is None
        assert 1 not in table.audience.presence.online
        table.exit(bob)
        await table.sit("Cleo", "cleo", 1)
        await table.sit("Dan", "dan", 2)
        assert table.state.status == PLAYING
        snapshot(table, ada)
        time.pass_by(60)
        assert [one["can_decide"] for one in snapshot(table, ada)["absent"] if one["seat"] == 1] == [True]


async def test_who_moved_while_another_server_removed_and_added_a_seat_counts_as_present_in_the_new_seat(
    tmp_path: Path,
) -> None:
    async with lobby_at(tmp_path) as one, lobby_at(tmp_path) as other:
        table = await opened(one)
        await table.sit("Cem", "cem", 2)
        there = await other.find(table.id)
        cem = Watcher(2)
        there.enter(cem)
        for players in ("2", "3"):
            await table.change(partial(configure, opener=0, options={"players": players}, control=None))
        await there.refresh()
        assert (cem.seat, there.audience.presence.online) == (1, {1})
        there.exit(cem)
        assert there.audience.presence.online == frozenset()


async def test_a_hosts_order_finds_the_person_who_moved_before_it_is_carried_out(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, 4)
        await table.sit("Cem", "cem", 2)
        await table.sit("Dan", "dan", 3)
        token = table.state.seats[2].token  # the host orders something about Cem
        await table.change(partial(configure, opener=0, options={"players": "3"}, control=None))
        await table.change(partial(at_seat_of, token=token, step=remove_name))
        assert table.state.names == ["Ada", "", "Dan"]
        await table.stand_in_for_absent(token)
        assert [seat.kind for seat in table.state.seats] == [PERSON, OPEN, PERSON]
        await table.stand_in_for_absent(token)  # Cem has no seat any more
        await table.stand_in_for_absent(None)
        assert table.state.names == ["Ada", "", "Dan"]


async def test_a_seat_that_was_given_up_at_another_server_is_lost_here_too(tmp_path: Path) -> None:
    """Bob views the seat at two servers and leaves at one; Cleo takes it, and Bob's other view is a spectator's."""
    async with lobby_at(tmp_path) as one, lobby_at(tmp_path) as other:
        table = await opened(one)
        await table.sit("Bob", "bob", 1)
        there = await other.find(table.id)
        left, kept = Watcher(1), Watcher(1)
        table.enter(left)
        there.enter(kept)
        assert await table.command(left.seat, "a", partial(state.leave, seat=1)) is None
        await table.sit("Cleo", "cleo", 1)
        await there.refresh()
        assert there.state.seats[1].name == "Cleo"
        assert kept.seat is None
        assert snapshot(there, kept)["you"] is None
        assert not there.audience.presence.here
        refused = await there.command(kept.seat, "b", partial(state.leave, seat=1))
        assert refused is not None
        assert refused.key == "spectators_watch"
        assert there.state.seats[1].name == "Cleo"


async def test_the_commitment_of_who_leaves_is_not_taken_for_the_next_owner(tmp_path: Path) -> None:
    """Ada leaves, and her client commits to a seed while that is being stored."""
    async with lobby_at(tmp_path, times=Times(pause=0)) as lobby:
        table = await opened(lobby, 2)
        await table.sit("Bob", "bob", 1)
        leaving = asyncio.ensure_future(table.command(0, "a", partial(state.leave, seat=0)))
        await until(lambda: table.busy)
        commit = partial(dealing.commit, seat=0, round=1, attempt=1, commitment="0" * 64)
        refused = await table.command(0, "b", commit)
        assert refused is not None
        assert refused.key == "spectators_watch"
        await leaving
        assert dealing.exchange_of(table.state).commitments == ("", "")


async def test_who_is_forgotten_frees_no_seat_that_somebody_else_has_meanwhile(tmp_path: Path) -> None:
    """Bob leaves and is forgotten at the same time, and Cleo takes the seat in between."""
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby)
        await table.sit("Bob", "bob", 1)
        leaving = table.command(1, "a", partial(state.leave, seat=1))
        await asyncio.gather(leaving, table.sit("Cleo", "cleo", 1), table.forget("bob"))
        assert table.state.names == ["Ada", "Cleo", ""]


async def test_who_is_forgotten_loses_a_seat_that_was_taken_at_another_server(tmp_path: Path) -> None:
    wire = Wire()
    async with lobby_at(tmp_path, bus=wire.end()) as one, lobby_at(tmp_path, bus=wire.end()) as other:
        table = await opened(one)
        there = await other.find(table.id)
        wire.whole = False
        await table.sit("Bob", "bob", 1)
        await there.forget("bob")
        await table.refresh()
        assert table.state.names == ["Ada", "", ""]


async def test_loaded_tables_count_towards_the_limit(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        tables = [await opened(lobby) for _ in range(3)]
    async with lobby_at(tmp_path) as lobby:
        lobby.most = 2
        for table in tables[:2]:
            await lobby.find(table.id)
        with pytest.raises(GramyError, match="in use"):
            await lobby.find(tables[2].id)
        assert (await lobby.find(tables[0].id)).id == tables[0].id


async def test_a_table_from_before_verifiable_deals_takes_commitments(tmp_path: Path) -> None:
    """It waited for players when the server was updated, and has no deals in the store."""
    async with lobby_at(tmp_path, times=Times(pause=0)) as lobby:
        table = await opened(lobby, 2)
        with contextlib.closing(sqlite3.connect(tmp_path / "gramy.sqlite")) as file, file:
            file.execute("DELETE FROM deals")
    async with lobby_at(tmp_path, times=Times(pause=0)) as lobby:
        old = await lobby.find(table.id)
        await old.sit("Bob", "bob", 1)
        commit = partial(dealing.commit, seat=0, round=1, attempt=1, commitment="0" * 64)
        assert await old.command(0, "a", commit) is None
        assert dealing.exchange_of(old.state).commitments == ("0" * 64, "")


async def test_who_takes_a_seat_that_was_left_has_the_whole_time_to_commit(tmp_path: Path) -> None:
    """Everybody has to commit again then: in what was left of the wait, their browsers could not."""
    wait = 1.0
    async with lobby_at(tmp_path, times=Times(pause=0, seed_wait=wait)) as lobby:
        table = await opened(lobby, seats=2)
        await table.sit("Bob", "bob", 1)
        await asyncio.sleep(0.75 * wait)  # the delay under test
        assert await table.command(1, "a", partial(state.leave, seat=1)) is None
        await table.sit("Cleo", "cleo", 1)
        began = asyncio.get_running_loop().time()
        await until(lambda: table.state.status == PLAYING)
        assert asyncio.get_running_loop().time() - began > 0.9 * wait
