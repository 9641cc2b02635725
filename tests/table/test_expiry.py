"""No clock deletes a match: expired tables are marked first, and a clock that jumps deletes nothing, on both stores."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from gramy.matches import Entry
from gramy.table.lobby import Lobby
from gramy.table.services import Services, Times
from gramy.table.store import Expired, Expiry
from tests.clock import Time
from tests.table.backends import Backend, PostgresBackend, SqliteBackend, row
from tests.table.services import ThreadBotPool, Watcher, Wire, first_move

DAY, YEAR = 86_400.0, 365 * 86_400.0
EXPIRY = Expiry(finished=90 * DAY, idle=14 * DAY, grace=7 * DAY)


class Clocked:
    """A store whose database clock a test sets. PostgreSQL has its own clock, so its rows move instead."""

    def __init__(self, backend: Backend, store: Any) -> None:
        self.backend, self.store, self.now = backend, store, Time()
        self.is_postgres = isinstance(backend, PostgresBackend)

    async def date(self) -> float:
        return float(await self.store.date(self.now()))

    async def pass_by(self, seconds: float) -> None:
        """Let the database's clock advance, or go back."""
        self.now.pass_by(seconds)
        if self.is_postgres:
            dates = f"touched=touched-({seconds}), seen=seen-({seconds}), marked=marked-({seconds})"
            await self.backend.script(f"UPDATE tables SET {dates};")
            await self.backend.script(f"UPDATE facts SET value=value::float8-({seconds}) WHERE name='last pass';")

    async def expire(self, *viewed: str) -> Expired:
        done: Expired = await self.store.expire(self.now(), viewed, EXPIRY)
        return done

    async def days(self, number: int, *viewed: str) -> Expired:
        """Let days pass with two passes each; return what they did together."""
        done = []
        for _ in range(2 * number):
            await self.pass_by(DAY / 2)
            done.append(await self.expire(*viewed))
        return Expired(*(sum(one[at] for one in done) for at in range(3)))


async def tables(backend: Backend) -> set[str]:
    return {id for (id,) in await backend.query("SELECT id FROM tables")}


async def test_expired_tables_are_marked_and_later_deleted_with_everything_that_belongs_to_them(
    backend: Backend,
) -> None:
    async with backend.opened() as store:
        clocked = Clocked(backend, store)
        date = await clocked.date()
        for status in ("waiting", "playing", "finished", "abandoned"):
            for age in (0, 15, 91):
                await store.save(row(f"{status} {age}", status=status, touched=date - age * DAY), [Entry(0, "x")])
        assert await clocked.expire() == Expired(marked=6)
        assert await clocked.days(6) == Expired()
        assert await clocked.days(1) == Expired(deleted=6)
        kept = {f"{status} {age}" for status in ("finished", "abandoned") for age in (0, 15)}
        assert await tables(backend) == kept | {"waiting 0", "playing 0"}
        for part in ("seats", "entries", "deals"):
            left = await backend.query(f"SELECT DISTINCT table_id FROM {part}")
            assert {id for (id,) in left} == await tables(backend)


@pytest.mark.parametrize("jump", [15 * DAY, YEAR, -YEAR])
async def test_a_clock_that_jumps_deletes_no_table(backend: Backend, jump: float) -> None:
    async with backend.opened() as store:
        clocked = Clocked(backend, store)
        date = await clocked.date()
        await store.save(row("fresh", touched=date))
        await store.save(row("marked", touched=date - 15 * DAY))
        assert await clocked.expire() == Expired(marked=1)
        await clocked.pass_by(jump)
        jumped = await clocked.expire()
        assert jumped.deleted == 0
        assert jumped.jump == pytest.approx(jump, abs=60)
        assert (await clocked.days(5)).deleted == 0  # the grace period begins again
        await clocked.pass_by(-jump)
        back = await clocked.expire()
        assert (back.deleted, back.jump) == (0, pytest.approx(-jump, abs=60))
        assert [id for id, *_ in await store.marked_tables()] == ["marked"]
        assert await tables(backend) == {"fresh", "marked"}


async def test_a_table_that_somebody_views_is_not_marked_whatever_the_clock_says(backend: Backend) -> None:
    async with backend.opened() as store:
        clocked = Clocked(backend, store)
        await store.save(row("viewed", touched=0.0))
        assert await clocked.days(40, "viewed") == Expired()
        await clocked.pass_by(YEAR)
        assert (await clocked.expire("viewed"))[:3] == (0, 0, 0)
        assert await clocked.days(13) == Expired()
        assert await clocked.days(2) == Expired(marked=1)
        assert await clocked.expire("viewed") == Expired(restored=1)
        assert await store.open_tables(public=True, most=9) != []


async def test_a_marked_table_is_not_listed_until_it_is_restored(backend: Backend) -> None:
    async with backend.opened() as store:
        clocked = Clocked(backend, store)
        date = await clocked.date()
        await store.save(row("old", touched=date - 15 * DAY))
        await clocked.expire()
        assert await store.open_tables(public=True, most=9) == []
        ((id, game, status, marked),) = await store.marked_tables()
        assert (id, game, status, marked) == ("old", "gra", "playing", pytest.approx(date, abs=60))
        assert (await store.load("old")).marked == marked
        assert await store.restore(["old", "nowhere"], date) == 1
        assert await store.restore(["old"], date) == 0
        assert await clocked.expire() == Expired()
        assert [table.id for table in await store.open_tables(public=True, most=9)] == ["old"]


async def test_a_server_that_was_off_counts_as_one_day(backend: Backend) -> None:
    """A server that runs only at week-ends deletes expired tables, too."""
    async with backend.opened() as store:
        clocked = Clocked(backend, store)
        await store.save(row("old", touched=await clocked.date() - 15 * DAY))
        assert await clocked.expire() == Expired(marked=1)
        for _ in range(2):
            await clocked.pass_by(5 * DAY)
            assert (await clocked.expire()).deleted == 0
            assert await clocked.days(2) == Expired()
        await clocked.pass_by(5 * DAY)
        assert (await clocked.expire()).deleted == 0
        assert await clocked.days(2) == Expired(deleted=1)


@pytest.mark.parametrize("ahead", [15 * DAY, YEAR, -YEAR])
async def test_a_server_whose_clock_is_wrong_deletes_nothing_of_another_one(backend: Backend, ahead: float) -> None:
    """Each server looks for expired tables in turn, for days. Nobody views the idle table; a match is going on."""
    async with backend.opened() as store, backend.opened() as other:
        wire, right, wrong = Wire(), Time(), Time()
        wrong.pass_by(ahead)
        lobbies = [
            Lobby(Services(one, ThreadBotPool(), wire.end(), random.Random(20_261), now=Time(), date=clock))
            for one, clock in ((store, right), (other, wrong))
        ]
        for lobby in lobbies:
            lobby.services.times = Times(pause=0, seed_wait=0)
            await lobby.start()
        try:
            good, bad = lobbies
            idle, _, _ = await bad.open("gra", {}, [None, None], True, None, "Ada", "ada")
            live, _, _ = await good.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
            await live.sit("Bob", "bob", None)
            live.enter(Watcher(0))
            for _ in range(12):
                for clock in (right, wrong):
                    clock.pass_by(DAY / 2)
                for lobby in (bad, good):
                    assert (await lobby.expire()).deleted == 0
                await first_move(live)
            assert await tables(backend) == {idle.id, live.id}
            assert live.id in {table["table"] for table in await good.listed()}
        finally:
            for lobby in lobbies:
                await lobby.close()


async def test_on_postgresql_the_date_of_a_change_is_by_the_database(request: pytest.FixtureRequest) -> None:
    backend = PostgresBackend(request.getfixturevalue("postgres"))
    async with backend.opened() as store:
        lobby = Lobby(Services(store, ThreadBotPool(), date=Time()))
        await lobby.start()
        table, _, _ = await lobby.open("gra", {}, [None, None], True, None, "Ada", "ada")
        ((age,),) = await backend.query("SELECT extract(epoch FROM now()) - touched FROM tables")
        assert abs(age) < 60
        assert abs(table.state.touched - Time()()) > DAY
        await lobby.close()


async def test_a_machine_that_starts_in_1970_goes_on_from_the_last_known_date(tmp_path: Path) -> None:
    async with SqliteBackend(tmp_path).opened() as store:
        date = Time()()
        assert await store.date(5.0) == 5.0
        await store.expire(date, [], EXPIRY)
        assert await store.date(5.0) == date
        assert await store.date(date - YEAR / 10) == date - YEAR / 10
        await store.save(row("fresh", touched=date))
        assert await store.expire(60.0, [], EXPIRY) == Expired()
