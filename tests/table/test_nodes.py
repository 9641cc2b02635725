"""Two servers with one store show the same, whichever writes, even when notes between them are lost."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from gramy.fair import client_commitment
from gramy.table import dealing, state
from gramy.table.lobby import Lobby
from gramy.table.presence import REPORT_VALID
from gramy.table.services import Times
from gramy.table.store import FINISHED, StoreUnavailable, WriteUnknown
from gramy.table.table import Table
from tests.table.services import Time, Watcher, Wire, first_move, lobby_at, move, snapshot, until


@contextlib.asynccontextmanager
async def two(folder: Path, wire: Wire, time: Time | None = None) -> AsyncIterator[tuple[Lobby, Lobby]]:
    times = Times(pause=0, seed_wait=0, retry=0.01)
    async with (
        lobby_at(folder, time, times, bus=wire.end()) as here,
        lobby_at(folder, time, times, bus=wire.end()) as there,
    ):
        yield here, there


async def shared_duel(here: Lobby, there: Lobby, game: str = "face-to-face") -> tuple[list[Table], list[Watcher]]:
    """Open a table that Ada views at one server and Bob at the other."""
    table, seat, _ = await here.open(game, {}, [None, None], True, None, "Ada", "ada")
    other = await there.find(table.id)
    bobs, _ = await other.sit("Bob", "bob", None)
    viewers = [Watcher(seat), Watcher(bobs)]
    table.enter(viewers[0])
    other.enter(viewers[1])
    await until(lambda: table.state.match is not None and other.state.match is not None)
    return [table, other], viewers


def same(tables: list[Table]) -> bool:
    return tables[0].state.match.log == tables[1].state.match.log and tables[0].state.status == tables[1].state.status


@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
async def test_a_match_is_played_from_two_servers_to_its_end(tmp_path: Path, game: str) -> None:
    rng = random.Random(20_261)
    async with two(tmp_path, Wire()) as (here, there):
        tables, viewers = await shared_duel(here, there, game)
        for number in range(10_000):
            await until(lambda: same(tables))
            if tables[0].state.status == FINISHED:
                break
            seat = rng.choice(tables[0].state.match.to_act)
            table = tables[viewers[1].seat == seat]
            moves = table.state.match.view(seat).moves
            assert await move(table, seat, rng.choice(moves), f"c{number}") == ""
        assert tables[1].state.match.outcome is not None
        kept = await here.services.store.lines(tables[0].id, 1)
        assert [line[:2] for line in kept] == [line[:2] for line in tables[1].state.match.log]


async def test_of_two_different_moves_at_two_servers_one_is_made(tmp_path: Path) -> None:
    """Both moves are for the same moment, and neither server knows of the other's."""
    async with two(tmp_path, Wire()) as (here, there):
        tables, _ = await shared_duel(here, there)
        (seat,) = tables[0].state.match.to_act
        before, moves = tables[0].state.match.log, tables[0].state.match.view(seat).moves
        answers = await asyncio.gather(*(move(tables[at], seat, moves[at], "c") for at in range(2)))
        assert sorted(answers) == ["", "too_late"]
        await until(lambda: same(tables))
        played = [line for line in tables[0].state.match.log[len(before) :] if line.seat == seat]
        assert [line.text for line in played] == [moves[answers.index("")]]


async def test_the_same_move_at_two_servers_is_made_once_and_acknowledged_by_both(tmp_path: Path) -> None:
    async with two(tmp_path, Wire()) as (here, there):
        tables, _ = await shared_duel(here, there)
        (seat,) = tables[0].state.match.to_act
        lines, text = len(tables[0].state.match.log), tables[0].state.match.view(seat).moves[0]
        answers = await asyncio.gather(*(move(table, seat, text, "c", lines) for table in tables))
        assert answers == ["", ""]
        await until(lambda: same(tables))
        assert [line.text for line in tables[0].state.match.log[lines:] if line.seat == seat] == [text]


async def test_a_change_whose_note_was_lost_is_found_in_the_store(tmp_path: Path) -> None:
    wire = Wire()
    async with two(tmp_path, wire) as (here, there):
        tables, viewers = await shared_duel(here, there)
        wire.whole = False
        (seat,) = tables[0].state.match.to_act
        mine, theirs = (tables[0], tables[1]) if viewers[0].seat == seat else (tables[1], tables[0])
        assert await move(mine, seat, mine.state.match.view(seat).moves[0], "c1") == ""
        assert not same(tables)
        assert await move(theirs, 1 - seat, "end", "c2") != ""  # it is not their turn at either server
        wire.ends[tables.index(theirs)].missed()
        await until(lambda: same(tables))


async def test_asking_the_store_for_changes_goes_on_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire()
    async with two(tmp_path, wire) as (here, there):
        tables, _ = await shared_duel(here, there)
        wire.whole = False
        (seat,) = tables[0].state.match.to_act
        assert await move(tables[0], seat, tables[0].state.match.view(seat).moves[0], "c") == ""
        stumbled = asyncio.Event()

        async def stumble() -> None:
            stumbled.set()
            raise RuntimeError("a log that cannot be replayed")

        for broken in (True, False):
            with monkeypatch.context() as patch:
                if broken:
                    patch.setattr(tables[1], "refresh", stumble)
                wire.ends[1].missed()
                await until(stumbled.is_set if broken else lambda: same(tables))


async def test_a_note_about_a_known_revision_neither_loads_nor_notifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire()
    async with two(tmp_path, wire) as (here, there):
        (one, other), _ = await shared_duel(here, there)
        await until(lambda: other.audience.presence.online == {0, 1} and not other.busy)

        async def look(*_: object) -> None:
            raise AssertionError("it looked")

        monkeypatch.setattr(other, "refresh", look)
        version = other.audience.sequence
        other.receive({"what": "changed", "node": wire.ends[0].node, "revision": one.state.revision})
        other.receive({"what": "here", "node": wire.ends[0].node, "seats": one.audience.presence.here})
        await asyncio.sleep(0)
        assert other.audience.sequence == version


async def test_a_seat_taken_at_one_server_is_known_at_the_other_at_once(tmp_path: Path) -> None:
    wire = Wire()
    async with two(tmp_path, wire) as (here, there):
        table, _, _ = await here.open("gra", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        wire.whole = False
        seat, token = await table.sit("Bob", "bob", None)
        assert await other.seat_of(token, None) == seat
        assert await other.seat_of(None, "bob") == seat
        assert await other.seat_of("wrong", None) is None


async def test_a_viewer_of_a_seat_that_was_given_up_elsewhere_becomes_a_spectator(tmp_path: Path) -> None:
    """Ada views a seat at each server and leaves; Eve takes it. Ada's other view shows nothing of Eve's cards."""
    async with two(tmp_path, Wire()) as (here, there):
        table, seat, _ = await here.open("gra", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        screens = [Watcher(seat), Watcher(seat)]
        table.enter(screens[0])
        other.enter(screens[1])
        assert await table.command(seat, "c1", partial(state.leave, seat=seat)) is None
        taken, _ = await table.sit("Eve", "eve", seat)
        assert taken == seat
        await until(lambda: other.state.seats[seat].name == "Eve")
        for one, screen in ((table, screens[0]), (other, screens[1])):
            assert screen.seat is None
            assert seat not in one.audience.presence.online
            one.exit(screen)
            assert seat not in one.audience.presence.online


async def test_a_former_owner_cannot_play_for_the_next_one_at_a_server_that_is_behind(tmp_path: Path) -> None:
    """Ada left at one server, and Eve took the seat and plays there. The other server has not loaded that yet."""
    wire = Wire()
    async with two(tmp_path, wire) as (here, there):
        table, seat, _ = await here.open("quick-easy", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        ada = Watcher(seat)
        other.enter(ada)
        await until(lambda: other.state.seats == table.state.seats and not other.busy)
        wire.whole = False
        assert await table.command(seat, "c1", partial(state.leave, seat=seat)) is None
        await table.sit("Eve", "eve", seat)
        await table.sit("Bob", "bob", None)
        match = table.state.match
        play = partial(state.play, seat=seat, at=len(match.log), move="end")
        refused = await other.command(ada.seat, "c2", play)
        assert refused is not None
        assert refused.key == "spectators_watch"
        assert other.state.match.log == match.log
        assert ada.seat is None


async def test_the_next_owner_of_a_seat_may_use_the_ids_of_the_one_before(tmp_path: Path) -> None:
    """Ada leaves at one server, Eve takes the seat at the other one and then plays at Ada's."""
    async with two(tmp_path, Wire()) as (here, there):
        table, seat, _ = await here.open("quick-easy", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        assert await table.command(seat, "a1", partial(state.leave, seat=seat)) is None
        await other.sit("Eve", "eve", seat)
        await until(lambda: table.state.seats[seat].name == "Eve")
        assert await table.command(seat, "a1", partial(state.leave, seat=seat)) is None
        assert table.state.seats[seat].name == ""


async def test_votes_at_two_servers_count_together(tmp_path: Path) -> None:
    time = Time()
    async with two(tmp_path, Wire(), time) as (here, there):
        table, ada, _ = await here.open("gra", {"players": "3"}, [None, None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        bob, _ = await other.sit("Bob", "bob", None)
        cem, _ = await other.sit("Cem", "cem", None)
        table.enter(Watcher(ada))
        other.enter(Watcher(bob))
        await until(lambda: table.state.match is not None and table.audience.presence.online == {ada, bob})
        time.pass_by(here.services.times.away)
        for lobby_table in (table, other):  # each server says again who is there
            lobby_table.report_presence()
        await until(lambda: other.audience.presence.online == {ada, bob})
        assert await table.decide(ada, "c1", cem, "bot") is None
        await until(lambda: other.state.people.votes == {cem: {ada: "bot"}})
        assert not table.state.seats[cem].stand_in
        assert await other.decide(bob, "c1", cem, "bot") is None
        await until(lambda: table.state.seats[cem].stand_in)
        assert table.state.people.votes == {}


async def test_a_stand_in_for_a_player_who_is_present_at_another_server_is_removed(tmp_path: Path) -> None:
    """The bus was cut for so long that Bob counted as absent, although they view the table at the other server."""
    time, wire = Time(), Wire()
    async with two(tmp_path, wire, time) as (here, there):
        tables, viewers = await shared_duel(here, there)
        wire.whole = False
        time.pass_by(100)
        ada, bob = viewers
        assert [one["seat"] for one in snapshot(tables[0], ada)["absent"]] == [bob.seat]
        time.pass_by(100)
        assert await tables[0].decide(ada.seat, "c1", bob.seat, "bot") is None
        wire.whole = True
        wire.ends[1].missed()
        await until(
            lambda: tables[0].state.revision == tables[1].state.revision and not tables[0].state.seats[1].stand_in
        )
        assert not tables[1].state.seats[1].stand_in


@pytest.mark.parametrize(("error", "said"), [(StoreUnavailable, "not_saved"), (WriteUnknown, "save_unknown")])
async def test_a_move_with_unknown_outcome_is_shown_as_soon_as_the_store_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[StoreUnavailable], said: str
) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await lobby.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        await table.sit("Bob", "bob", None)
        (seat,) = table.state.match.to_act
        viewer, text, append = Watcher(seat), table.state.match.view(seat).moves[0], lobby.services.store.append
        table.enter(viewer)

        async def unheard(*words: object, **more: object) -> int:
            if error is WriteUnknown:
                await append(*words, **more)
            raise error("lost")

        monkeypatch.setattr(lobby.services.store, "append", unheard)
        lines = len(table.state.match.log)
        assert await move(table, seat, text, "c1") == said
        assert len(table.state.match.log) == lines
        monkeypatch.setattr(lobby.services.store, "append", append)
        if error is WriteUnknown:
            await until(lambda: len(table.state.match.log) > lines)
        assert await move(table, seat, text, "c2", lines) == ""  # done now, or done before
        assert [line.text for line in table.state.match.log if line.seat == seat] == [text]


async def test_a_server_that_is_behind_does_not_refuse_a_timely_move(tmp_path: Path) -> None:
    """Ada's server dies, and the other one has not loaded Ada's last moves yet."""
    wire = Wire()
    async with two(tmp_path, wire) as (here, there):
        tables, _ = await shared_duel(here, there)
        (seat,) = tables[0].state.match.to_act
        wire.whole = False
        for number in range(2):
            lines, text = len(tables[0].state.match.log), tables[0].state.match.view(seat).moves[0]
            assert await move(tables[0], seat, text, f"c{number}") == ""
        assert len(tables[1].state.match.log) < lines
        assert await move(tables[1], seat, text, "c2", lines) == ""  # it was made before, and is not made again
        assert same(tables)
        text = tables[0].state.match.view(seat).moves[0]
        lines = len(tables[0].state.match.log)
        assert await move(tables[0], seat, text, "c3") == ""
        text = tables[0].state.match.view(seat).moves[0]
        assert await move(tables[1], seat, text, "c4", len(tables[0].state.match.log)) == ""


@contextlib.asynccontextmanager
async def one_behind(folder: Path) -> AsyncIterator[tuple[list[Table], int]]:
    """Yield a duel at two servers, of which the second does not know the last move; and the seat that made it."""
    wire = Wire()
    async with two(folder, wire) as (here, there):
        tables, _ = await shared_duel(here, there)
        (seat,) = tables[0].state.match.to_act
        wire.whole = False
        assert await move(tables[0], seat, tables[0].state.match.view(seat).moves[0], "c") == ""
        assert not same(tables)
        yield tables, seat


async def test_a_viewer_of_a_server_that_is_behind_sees_the_newest_state(tmp_path: Path) -> None:
    async with one_behind(tmp_path) as (tables, seat):
        assert await tables[1].seat_of(None, ("ada", "bob")[seat]) == seat
        assert same(tables)


async def test_a_note_without_a_revision_makes_the_server_load(tmp_path: Path) -> None:
    async with one_behind(tmp_path) as (tables, _):
        tables[1].receive({"what": "changed", "node": "old"})  # without the new revision
        await until(lambda: same(tables))


async def test_the_move_that_ended_a_match_is_acknowledged_when_it_is_sent_again(tmp_path: Path) -> None:
    rng = random.Random(20_261)
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await lobby.open("quick-easy", {}, [None, None], True, None, "Ada", "ada")
        await table.sit("Bob", "bob", None)
        while table.state.status != FINISHED:
            seat, lines = rng.choice(table.state.match.to_act), len(table.state.match.log)
            text = rng.choice(table.state.match.view(seat).moves)
            assert await move(table, seat, text, f"{lines}") == ""
        assert await move(table, seat, text, "again", lines) == ""
        assert await move(table, seat, "something else", "other", lines) == "too_late"
        assert await move(table, seat, text, "later") == "no_match_running"


@contextlib.asynccontextmanager
async def fallen_silent(folder: Path) -> AsyncIterator[tuple[Table, Watcher]]:
    """Yield Ada's table and viewer after Bob's server has not reported for too long."""
    time, wire = Time(), Wire()
    async with two(folder, wire, time) as (here, there):
        (table, _), (viewer, _) = await shared_duel(here, there)
        await until(lambda: 1 in table.audience.presence.online)
        assert snapshot(table, viewer)["table"]["seats"][1]["online"]
        wire.whole = False
        time.pass_by(REPORT_VALID + 1)
        yield table, viewer


async def test_an_absent_player_is_not_shown_as_present_when_the_other_server_stops_reporting(tmp_path: Path) -> None:
    async with fallen_silent(tmp_path) as (table, viewer):
        now = snapshot(table, viewer)
        assert not now["table"]["seats"][1]["online"]
        assert [missing["seat"] for missing in now["absent"]] == [1]


async def test_a_move_does_not_hide_that_the_other_server_has_stopped_reporting(tmp_path: Path) -> None:
    async with fallen_silent(tmp_path) as (table, viewer):
        await first_move(table)
        assert not snapshot(table, viewer)["table"]["seats"][1]["online"]


async def test_a_seat_can_be_left_when_the_other_server_has_just_stopped_reporting(tmp_path: Path) -> None:
    async with fallen_silent(tmp_path) as (table, viewer):
        assert await table.command(viewer.seat, "left", partial(state.leave, seat=viewer.seat)) is None
        assert table.state.seats[0].stand_in


async def test_a_deal_is_collected_at_two_servers_and_a_client_seed_is_taken_at_either(tmp_path: Path) -> None:
    """Ada commits at one server and reveals at the other. Both servers have timers, and no attempt is void."""
    times, wire = Times(pause=0, seed_wait=20.0, reveal_wait=20.0, retry=0.01), Wire()
    async with (
        lobby_at(tmp_path, times=times, bus=wire.end()) as here,
        lobby_at(tmp_path, times=times, bus=wire.end()) as there,
    ):
        table, _, _ = await here.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        await other.sit("Bob", "bob", None)
        await until(lambda: dealing.phase_of(table.state) == dealing.COMMIT)
        exchange, deal = dealing.exchange_of(table.state), dealing.deal_of(table.state)
        for seat, one in enumerate((table, other)):
            commitment = client_commitment(exchange.table, 1, 1, seat, deal.commitment, f"seed{seat}")
            step = partial(dealing.commit, seat=seat, round=1, attempt=1, commitment=commitment)
            assert await one.command(seat, "c", step) is None
        await until(lambda: all(dealing.phase_of(one.state) == dealing.REVEAL for one in (table, other)))
        for seat, one in enumerate((other, table)):
            step = partial(dealing.reveal, seat=seat, round=1, attempt=1, client_seed=f"seed{seat}")
            assert await one.command(seat, "r", step) is None
        await until(lambda: table.state.match is not None and table.state.match == other.state.match)
        assert table.state.deals[0].client_seeds == ("seed0", "seed1")
        assert exchange.voids == ()


async def test_two_servers_whose_waits_end_together_void_an_attempt_once(tmp_path: Path) -> None:
    times, wire = Times(pause=0, seed_wait=0.2, reveal_wait=0.2, retry=0.01), Wire()
    async with (
        lobby_at(tmp_path, times=times, bus=wire.end()) as here,
        lobby_at(tmp_path, times=times, bus=wire.end()) as there,
    ):
        table, _, _ = await here.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        await other.sit("Bob", "bob", None)
        commit = partial(dealing.commit, seat=1, round=1, attempt=1, commitment="0" * 64)
        assert await other.command(1, "c", commit) is None
        await until(lambda: table.state.match is not None and other.state.match is not None)
        found = table.state.deals[0].exchange
        assert found is not None
        assert [void.withheld for void in found.voids] == [(1,)]
        assert table.state.deals == other.state.deals
