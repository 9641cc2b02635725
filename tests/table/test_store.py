"""The store keeps what it has acknowledged: one contract for both backend ends, with real files and a real server."""

from __future__ import annotations

import asyncio

import pytest

from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table.seat import Seat
from gramy.table.store import SCHEMA, CannotOpenStore, Conflict, StoreUnavailable, TableDeleted
from tests.table.backends import Backend, row


async def test_a_table_is_loaded_as_it_was_saved_and_changed(backend: Backend) -> None:
    async with backend.opened() as store:
        assert await store.load("t1") is None
        assert await store.save(row()) == 1
        assert await store.load("t1") == row(revision=1)
        seats = (Seat("open"), Seat("bot", "Otto", "easy"), Seat("person", "Bob", None, "g", "h"))
        deals = Deal("another", ("a", "", "")), Deal("a third", ("", "", ""))
        changed = row(
            round=2, status="finished", touched=2000.0, seats=seats, public=False, deals=deals, rematch=frozenset({2})
        )
        assert await store.save(changed._replace(revision=1)) == 2
        changed = changed._replace(revision=2)
        assert await store.load("t1") == changed
        assert [await store.deal("t1", round) for round in (1, 2, 3, 4)] == [row().deals[0], *deals, None]
        await store.save(row("t2", clock=None))
        assert (await store.load("t2")).clock is None
        assert await store.load("t1") == changed


async def test_seats_and_deals_that_are_written_already_are_not_written_again(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        first, second = row().deals
        changed = row(revision=1, touched=2000.0, deals=(first._replace(client_seeds=("a", "b", "c")), second))
        others = row().seats[:2], (first, Deal("not written", ("", "", "")))
        await store.save(changed._replace(seats=others[0]), written=row(seats=others[0], deals=row().deals))
        assert await store.load("t1") == changed._replace(revision=2)
        later = changed._replace(revision=2, deals=others[1])
        await store.save(later, written=later)
        assert await store.load("t1") == changed._replace(revision=3)


async def test_options_are_saved_with_the_version_of_the_rules_that_they_belong_to(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        newer = row(version=2, options={"players": "3", "jokers": "on", "starter": "lot"}, revision=1)
        await store.save(newer)
        assert await store.load("t1") == newer._replace(revision=2)


async def test_an_acknowledged_write_is_on_the_disk(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        for number in range(5):
            await store.append("t1", 1, number, [Entry(number % 2, f"up {number}")], 1001.0 + number)
            stored = await backend.query("SELECT number, seat, text FROM entries ORDER BY number")
            assert stored == [(one, one % 2, f"up {one}") for one in range(number + 1)]
            assert await backend.query("SELECT touched FROM tables") == [(1001.0 + number,)]


async def test_the_second_writer_of_a_line_gets_a_conflict_and_writes_nothing(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "first")], 1001.0)
        with pytest.raises(Conflict):
            await store.append("t1", 1, 0, [Entry(1, "second")], 1002.0)
        await store.append("t1", 1, 2, [Entry(0, "third")], 1003.0)
        with pytest.raises(Conflict):
            await store.append("t1", 1, 1, [Entry(1, "a"), Entry(1, "b"), Entry(1, "c")], 1004.0)
        assert await store.lines("t1", 1) == [Entry(0, "first"), Entry(0, "third")]
        assert (await store.load("t1")).touched == 1003.0
        with pytest.raises(Conflict):  # not the round that is on
            await store.append("t1", 2, 0, [Entry(0, "another round")], 1005.0)
        assert await store.append("t1", 1, 3, [Entry(1, "last")], 1006.0, "finished") == 4
        with pytest.raises(Conflict):  # it is over
            await store.append("t1", 1, 4, [Entry(1, "too late")], 1007.0)
        assert await store.lines("t1", 1, 2) == [Entry(0, "third"), Entry(1, "last")]


async def test_a_round_that_begins_in_one_batch_with_a_refused_write_has_all_its_lines(backend: Backend) -> None:
    async with backend.opened() as store:
        lines = [Entry(6, "deal first 0"), Entry(6, "deal 1 2 3")]
        begun, refused = await asyncio.gather(
            store.save(row(), lines),
            store.append("nowhere", 1, 0, [Entry(0, "up 2")], 1001.0),
            return_exceptions=True,
        )
        assert begun == 1
        assert isinstance(refused, TableDeleted)
        assert await store.lines("t1", 1) == lines


async def test_a_table_is_saved_only_from_its_newest_revision(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(0, "x")], 1001.0)
        with pytest.raises(Conflict):
            await store.save(row(status="abandoned", revision=1))
        assert await store.save(row(status="abandoned", revision=2)) == 3
        with pytest.raises(TableDeleted):
            await store.save(row("t2", revision=1))
        assert await store.revisions(["t1", "t2"]) == {"t1": 3}


async def test_a_guest_is_forgotten_at_all_tables(backend: Backend) -> None:
    """At a table that this version cannot load, a seat of a match in progress loses its name like any other."""
    async with backend.opened() as store:
        for status in ("playing", "finished", "abandoned"):
            await store.save(row(status, status=status))
        assert await store.sitting("guest") == ["playing"]
        changed = {"playing": 2, "finished": 2, "abandoned": 2}
        assert await store.forget("guest") == changed
        assert await store.revisions(list(changed)) == changed
        assert await store.forget("guest") == {}
        for status in changed:
            assert (await store.load(status)).seats[0] == Seat("person")


async def test_of_many_writers_of_a_line_one_wins(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        writers = [store.append("t1", 1, 0, [Entry(seat, f"by {seat}")], 0.0) for seat in range(30)]
        answers = await asyncio.gather(*writers, return_exceptions=True)
        (winner,) = [seat for seat, answer in enumerate(answers) if answer == 2]
        assert sum(isinstance(answer, Conflict) for answer in answers) == 29
        assert await store.lines("t1", 1) == [Entry(winner, f"by {winner}")]


async def test_two_servers_do_not_write_the_same_line(backend: Backend) -> None:
    async with backend.opened() as store:
        other = await backend.open()
        try:
            await store.save(row())
            for number in range(10):
                answers = await asyncio.gather(
                    *(one.append("t1", 1, number, [Entry(0, "x")], 0.0) for one in (store, other)),
                    return_exceptions=True,
                )
                assert {type(answer) for answer in answers} == {int, Conflict}
            assert len(await other.lines("t1", 1)) == 10
        finally:
            await other.close()


async def test_a_job_that_fails_unexpectedly_fails_alone(backend: Backend) -> None:
    """For example a text with a zero byte, which raises an error of another kind in each back end."""
    async with backend.opened() as store:
        await store.save(row())
        with pytest.raises((ValueError, StoreUnavailable)):  # each database has its own error
            await asyncio.wait_for(store.load("\ud800"), 2)
        assert await asyncio.wait_for(store.load("t1"), 2) == row(revision=1)


async def test_a_cancelled_caller_does_not_disturb_the_others(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        impatient = asyncio.ensure_future(store.append("t1", 1, 0, [Entry(0, "x")], 0.0))
        await asyncio.sleep(0)
        impatient.cancel()
        assert await store.load("t1") is not None
        assert impatient.cancelled()
        while not (lines := await store.lines("t1", 1)):
            pass
        assert lines == [Entry(0, "x")]


async def test_everything_is_there_after_reopening_and_migrations_run_once(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        await store.append("t1", 1, 0, [Entry(6, "deal first 1"), Entry(1, "choose 4")], 1002.0)
    assert await backend.query(backend.version) == [(len(SCHEMA),)]
    async with backend.opened() as store:
        assert await store.load("t1") == row(touched=1002.0, revision=2)
        assert await store.lines("t1", 1) == [Entry(6, "deal first 1"), Entry(1, "choose 4")]
    assert await backend.query(backend.version) == [(len(SCHEMA),)]


async def test_closing_finishes_the_writes_under_way(backend: Backend) -> None:
    store = await backend.open()
    await store.save(row())
    jobs = [asyncio.ensure_future(store.append("t1", 1, number, [Entry(0, "x")], 0.0)) for number in range(600)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*jobs)
    assert await backend.query("SELECT count(*) FROM entries") == [(600,)]


async def test_open_tables_are_those_that_wait_or_play_newest_first(backend: Backend) -> None:
    async with backend.opened() as store:
        for at, status in enumerate(("waiting", "playing", "finished", "abandoned", "waiting")):
            await store.save(row(f"t{at}", status=status, touched=float(at)))
        assert [table.id for table in await store.open_tables(public=True, most=9)] == ["t4", "t1", "t0"]
        await store.save(row("t5", public=False))
        assert [table.id for table in await store.open_tables(public=True, most=2)] == ["t4", "t1"]
        assert len(await store.open_tables(public=False, most=9)) == 4


async def test_the_list_has_few_tables_of_one_guest(backend: Backend) -> None:
    async with backend.opened() as store:
        for at in range(8):
            opened_by = "eve" if at % 2 else f"guest{at}"
            seats = (Seat("person", "x", guest=opened_by), Seat("person", "y", guest="ada"))
            await store.save(row(f"t{at}", status="waiting", touched=float(at), seats=seats))
        await store.save(row("t8", public=False, touched=9.0))
        await store.save(row("t9", status="finished", touched=9.0))
        listed = await store.listed_tables(most=9, per_guest=2)
        assert [table.id for table in listed] == ["t7", "t6", "t5", "t4", "t2", "t0"]
        assert [table.id for table in await store.listed_tables(most=2, per_guest=2)] == ["t7", "t6"]


async def test_many_appends_at_once_are_all_there(backend: Backend) -> None:
    async with backend.opened() as store:
        await asyncio.gather(*(store.save(row(f"t{table}")) for table in range(20)))
        pairs = [[Entry(0, f"up {number}"), Entry(6, "deal 1")] for number in range(10)]
        appending = (
            store.append(f"t{table}", 1, 2 * number, pair, 0.0)
            for number, pair in enumerate(pairs)
            for table in range(20)
        )
        await asyncio.gather(*appending)
        for table in range(20):
            assert await store.lines(f"t{table}", 1) == [line for pair in pairs for line in pair]


async def test_a_failed_job_does_not_roll_back_its_neighbours(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
        await store.append("t1", 1, 3, [Entry(0, "in the way")], 0.0)
        jobs = [store.append("t1", 1, number, [Entry(0, f"line {number}")], 0.0) for number in range(6)]
        orphan = store.append("no such table", 1, 0, [Entry(0, "x")], 0.0)
        answers = await asyncio.gather(*jobs, orphan, store.save(row("t2")), store.save(row()), return_exceptions=True)
        kinds = [type(answer) for answer in answers]
        assert kinds == [int] * 3 + [Conflict] + [int] * 2 + [TableDeleted, int, Conflict]
        texts = [line.text for line in await store.lines("t1", 1)]
        assert texts == ["line 0", "line 1", "line 2", "in the way", "line 4", "line 5"]
        assert await store.load("t2") is not None


async def test_tables_of_the_first_schema_are_migrated(backend: Backend) -> None:
    await backend.script(f"""{SCHEMA[0]}; {backend.set_version(1)};
        INSERT INTO tables VALUES ('old', 'gra', 1, '{{"players": "2"}}', 1, 'null', 1, 'playing', 5.0);
        INSERT INTO seats VALUES ('old', 0, 'person', 'Ada', NULL, 'guest', 'hash');
        INSERT INTO entries VALUES ('old', 1, 0, 6, 'deal first 1');""")
    async with backend.opened() as store:
        old = await store.load("old")
        assert old is not None
        assert (old.revision, old.rematch, old.seats) == (1, set(), (Seat("person", "Ada", None, "guest", "hash"),))
        assert len(old.deals[0].seed) == 64  # its next cards come from a seed
        assert await store.append("old", 1, 1, [Entry(1, "check")], 6.0) == 2


async def test_client_seeds_of_the_second_schema_are_migrated(backend: Backend) -> None:
    await backend.script(f"""{SCHEMA[0]}; {SCHEMA[1]}; {backend.set_version(2)};
        INSERT INTO tables (id, game, version, options, public, clock, round, status, touched)
            VALUES ('old', 'gra', 1, '{{}}', 0, 'null', 1, 'waiting', 0.0);
        INSERT INTO seats (table_id, seat, kind, name) VALUES ('old', 0, 'open', ''), ('old', 1, 'open', '');
        INSERT INTO deals (table_id, round, seed, luck) VALUES ('old', 1, '91b7', '["k3Vx", ""]');""")
    async with backend.opened() as store:
        assert await store.deal("old", 1) == Deal("91b7", ("k3Vx", ""))
        old = await store.load("old")
        assert old is not None
        assert old.deals[0] == Deal("91b7", ("k3Vx", ""))


async def test_a_newer_schema_is_refused_and_not_touched(backend: Backend) -> None:
    async with backend.opened() as store:
        await store.save(row())
    newer = len(SCHEMA) + 1
    mark = f"PRAGMA user_version={newer}" if "PRAGMA" in backend.version else f"UPDATE gramy_schema SET version={newer}"
    await backend.script(mark)
    with pytest.raises(CannotOpenStore, match="newer"):
        await backend.open()
    assert await backend.query(backend.version) == [(newer,)]
