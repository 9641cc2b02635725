"""A table is the one writer of its state: a change is computed, stored, swapped in, and only then shown."""

from __future__ import annotations

import asyncio
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gramy.errors import GramyError
from gramy.matches import Entry
from gramy.table import state
from gramy.table.answers import REMEMBERED
from gramy.table.hints import hint
from gramy.table.lobby import Lobby
from gramy.table.services import Times
from gramy.table.state import Refused
from gramy.table.store import ABANDONED, PLAYING, WAITING, StoreUnavailable
from gramy.table.table import Table
from tests.table.services import ThreadBotPool, Time, Watcher, first_move, full_disk, lobby_at, move, snapshot, until


async def opened(lobby: Lobby, game: str, seats: list[str | None], **options: str) -> Table:
    table, _, _ = await lobby.open(game, options, seats, False, None, "Ada", "guest")
    return table


async def duel(lobby: Lobby, game: str = "face-to-face") -> tuple[Table, Watcher, Watcher]:
    """Two people at a table; the one to act comes first."""
    table = await opened(lobby, game, [None, None])
    await table.sit("Bob", "other", None)
    watchers = Watcher(0), Watcher(1)
    for watcher in watchers:
        table.enter(watcher)
    first = table.state.match.to_act[0]
    return table, watchers[first], watchers[1 - first]


def lines(table: Table) -> int:
    return len(table.state.match.log)


# --- viewers ----------------------------------------------------------------------------------------------------------


async def test_a_spectator_who_comes_or_goes_notifies_nobody_else(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, one, other = await duel(lobby)
        spectators = [Watcher(None) for _ in range(3)]
        one.notified = other.notified = False
        for spectator in spectators:
            table.enter(spectator)
            assert spectator.notified
            spectator.notified = False
        table.exit(spectators[0])
        assert not any(viewer.notified for viewer in (one, other, *spectators))
        second = Watcher(one.seat)
        for change, elsewhere in ((table.enter, True), (table.exit, False)):
            one.notified = False
            change(second)  # nobody has come or gone: only the player of that seat has to know
            assert one.notified
            assert snapshot(table, one)["elsewhere"] is elsewhere
            assert not any(viewer.notified for viewer in (other, *spectators))
            assert snapshot(table, other)["elsewhere"] is False
        one.notified = False
        table.exit(other)
        assert one.notified
        assert spectators[1].notified


# --- storing ----------------------------------------------------------------------------------------------------------


async def test_a_move_that_could_not_be_stored_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any, **__: Any) -> int:
        raise StoreUnavailable("disk is full")

    async with lobby_at(tmp_path) as lobby:
        table, _, other = await duel(lobby)
        before, other.notified = table.state, False
        with monkeypatch.context() as away:
            away.setattr(lobby.services.store, "append", fail)
            with pytest.raises(StoreUnavailable):
                await first_move(table)
            assert table.state is before
            assert not other.notified
        await first_move(table)
        assert lines(table) == len(before.match.log) + 1


async def test_a_seat_that_could_not_be_stored_is_not_taken(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "gra", [None, None])
        with full_disk(tmp_path, "seats"), pytest.raises(StoreUnavailable):
            await table.sit("Bob", "other", None)
        assert table.state.seats[1].kind == "open"
        seat, _ = await table.sit("Bob", "other", None)
        assert seat == 1
        assert table.state.status == PLAYING


async def test_nobody_sees_a_change_that_is_not_stored_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody comes while a seat is being stored, and gets a snapshot; then the store fails."""
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "gra", [None, None, None], players="3")
        watcher = Watcher(None)
        table.enter(watcher)
        before = snapshot(table, watcher)["table"]["seats"]

        async def fail(*_: Any) -> int:
            table.wake()
            assert snapshot(table, watcher)["table"]["seats"] == before
            raise StoreUnavailable("disk is full")

        with monkeypatch.context() as away:
            away.setattr(lobby.services.store, "save", fail)
            with pytest.raises(StoreUnavailable):
                await table.sit("Bob", "bob", None)
            refused = await table.command(0, "left", partial(state.leave, seat=0))
            assert refused is not None
            assert refused.key == "not_saved"
        assert snapshot(table, watcher)["table"]["seats"] == before


async def test_a_move_is_stored_before_anybody_is_notified(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, other = await duel(lobby)
        before, other.notified = lines(table), False
        playing = asyncio.ensure_future(first_move(table))
        while not other.notified:
            assert lines(table) == before
            await asyncio.sleep(0)
        file = sqlite3.connect(tmp_path / "gramy.sqlite")
        (stored,) = file.execute("SELECT count(*) FROM entries").fetchone()
        file.close()
        assert stored == before + 1
        await playing


@pytest.mark.parametrize("round", [1, 2])
async def test_a_round_that_could_not_be_stored_begins_as_soon_as_the_store_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, round: int
) -> None:
    """Nobody comes or asks again: all sit there and wait."""
    times = Times(pause=0, seed_wait=0.01 if round == 1 else 0, retry=0.01)
    async with lobby_at(tmp_path, times=times) as lobby:
        table = await opened(lobby, "face-to-face", [None, None])
        tried = asyncio.Event()

        async def away(*_: Any) -> int:
            tried.set()
            raise StoreUnavailable("away")

        await table.sit("Bob", "bob", None)
        watchers = [Watcher(0), Watcher(1)]
        if round == 2:
            for watcher in watchers:
                table.enter(watcher)
            await table.change(state.abandon)
            await table.change(partial(state.ask_rematch, seat=0))
        with monkeypatch.context() as lost:
            lost.setattr(lobby.services.store, "save", away)
            if round == 2:
                table.exit(watchers[1])  # so everybody who is present has asked
            await tried.wait()
            await until(lambda: not table.busy)
            assert table.state.status != PLAYING
        await until(lambda: table.state.status == PLAYING)
        assert table.state.round == round


async def test_a_line_that_another_server_has_stored_is_loaded_and_the_move_decided_again(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        at, (theirs, mine) = lines(table), table.state.match.moves()[:2]
        await lobby.services.store.append(table.id, 1, at, [Entry(mover.seat, theirs)], 0.0)
        assert await move(table, mover.seat, mine, "c1", at) == "too_late"
        assert [entry.text for entry in table.state.match.log[at:]] == [theirs]
        assert snapshot(table, mover)["lines"] == at + 1


async def test_a_deleted_table_says_so(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        file = sqlite3.connect(tmp_path / "gramy.sqlite")
        file.execute("PRAGMA foreign_keys=ON")
        with file:
            file.execute("DELETE FROM tables")
        file.close()
        assert await move(table, mover.seat, table.state.match.moves()[0], "c1") == "no_such_table"


# --- commands ---------------------------------------------------------------------------------------------------------


async def test_of_two_commands_at_once_for_the_same_moment_one_is_late(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        at, moves = lines(table), table.state.match.moves()
        answers = await asyncio.gather(*(move(table, mover.seat, moves[number], f"c{number}", at) for number in (0, 1)))
        assert answers == ["", "too_late"]
        assert lines(table) == at + 1


async def test_a_command_that_is_sent_again_gets_the_same_answer_and_does_nothing(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        first, refused = table.state.match.moves()[0], "down 99"
        for _ in range(2):
            assert await move(table, mover.seat, first, "c1") == ""
            assert await move(table, mover.seat, refused, "c2") != ""
        assert [entry.text for entry in table.state.match.log if entry.seat == mover.seat] == [first]


async def test_the_request_that_begins_a_round_is_remembered_too(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        await table.change(state.abandon)
        assert await table.command(1 - mover.seat, "a", partial(state.ask_rematch, seat=1 - mover.seat)) is None
        for _ in range(2):
            assert await table.command(mover.seat, "b", partial(state.ask_rematch, seat=mover.seat)) is None
        assert table.state.round == 2


async def test_a_decision_to_wait_that_is_sent_again_does_not_wait_longer(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table, mover, other = await duel(lobby)
        table.exit(other)
        time.pass_by(60)
        for can_decide in (False, True):
            assert await table.decide(mover.seat, "c1", other.seat, "wait") is None
            assert [one["can_decide"] for one in snapshot(table, mover)["absent"]] == [can_decide]
            time.pass_by(table.services.times.wait)


async def test_only_the_last_commands_are_remembered(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        first = table.state.match.moves()[0]
        assert await move(table, mover.seat, first, "first") == ""
        for number in range(REMEMBERED - 1):
            assert await move(table, mover.seat, "sing", f"c{number}") != ""
        assert await move(table, mover.seat, first, "first") == ""
        assert await move(table, mover.seat, "sing", "one more") != ""
        assert await move(table, mover.seat, first, "first") != ""  # forgotten: it is decided anew


async def test_the_seats_do_not_share_the_ids_of_their_commands(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await duel(lobby, "quick-easy")
        for seat in (0, 1):
            step = partial(state.say, seat=seat, phrase="red", at=lines(table))
            assert await table.command(seat, "a1", step) is None
        assert sorted(entry.seat for entry in table.state.match.log if entry.text == "say red") == [0, 1]


async def test_a_spectator_cannot_command(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await duel(lobby)
        assert await move(table, None, table.state.match.moves()[0], "c1") == "spectators_watch"


async def test_a_command_that_waited_while_the_seat_got_another_owner_is_refused(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "gra", [None, None, None], players="3")
        leaving = table.command(0, "a", partial(state.leave, seat=0))
        late = table.command(0, "b", partial(state.leave, seat=0))
        refused = await asyncio.gather(leaving, late)
        assert [message and message.key for message in refused] == [None, "spectators_watch"]


async def test_a_snapshot_has_only_the_lines_that_are_new_to_the_viewer(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, other = await duel(lobby)
        first = snapshot(table, other)
        assert (first["log"]["from"], len(first["log"]["lines"])) == (0, first["lines"])
        for _ in range(2):
            await first_move(table)
        second = snapshot(table, other)
        assert (second["log"]["from"], len(second["log"]["lines"])) == (first["lines"], 2)
        assert second["sequence"] > first["sequence"]
        third = snapshot(table, other)
        assert third["log"] == {"from": first["lines"] + 2, "lines": []}


async def test_a_hint_that_cannot_be_computed_is_an_error_and_not_silence(tmp_path: Path) -> None:
    class Clueless(ThreadBotPool):
        async def advise(self, *_: Any) -> Any:
            raise RuntimeError("no idea")

    async with lobby_at(tmp_path, bots=Clueless()) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        with pytest.raises(RuntimeError):
            await hint(table.state, table.services, 0)
        with pytest.raises(Refused):
            await hint(table.state, table.services, None)


# --- seats ------------------------------------------------------------------------------------------------------------


async def test_a_seat_with_two_viewers_is_absent_when_both_have_left(tmp_path: Path) -> None:
    async with lobby_at(tmp_path, Time()) as lobby:
        table, mover, other = await duel(lobby)
        second = Watcher(other.seat)
        table.enter(second)
        table.exit(other)
        assert snapshot(table, mover)["absent"] == []
        table.exit(second)
        assert [one["seat"] for one in snapshot(table, mover)["absent"]] == [other.seat]


async def test_a_player_who_comes_back_while_a_stand_in_is_being_stored_gets_the_seat_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table, mover, other = await duel(lobby)
        table.exit(other)
        time.pass_by(60)
        save = lobby.services.store.save

        async def meanwhile(*words: Any) -> int:
            monkeypatch.undo()
            table.enter(other)
            return await save(*words)

        monkeypatch.setattr(lobby.services.store, "save", meanwhile)
        assert await table.decide(mover.seat, "c1", other.seat, "bot") is None
        assert table.state.seats[other.seat].stand_in
        await until(lambda: table.background.idle)
        assert not table.state.seats[other.seat].stand_in


async def test_a_player_whose_return_could_not_be_stored_gets_the_seat_back_when_the_store_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, other = await duel(lobby)
        table.exit(other)
        await table.change(partial(state.stand_in, seat=other.seat))
        tried = asyncio.Event()

        async def away(*_: Any) -> int:
            tried.set()
            raise StoreUnavailable("away")

        with monkeypatch.context() as lost:
            lost.setattr(lobby.services.store, "save", away)
            table.enter(other)
            await tried.wait()
        await until(lambda: table.background.idle)
        assert not table.state.seats[other.seat].stand_in


async def test_only_the_hash_of_a_token_is_stored(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, token = await lobby.open("gra", {}, [None, None], False, None, "Ada", "guest")
        assert token not in repr(table.state.seats)
        assert token not in repr(await lobby.services.store.load(table.id))
        for file in tmp_path.iterdir():
            assert token.encode() not in file.read_bytes()
        assert len(token) == 22


async def test_of_many_who_want_one_seat_one_gets_it(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "quick-easy", [None, None, None], players="3")
        answers = await asyncio.gather(
            *(table.sit(f"Bob {number}", "other", 1) for number in range(5)), return_exceptions=True
        )
        assert [type(answer) for answer in answers] == [tuple] + [Refused] * 4
        assert all(isinstance(answer, tuple | GramyError) for answer in answers)


async def test_a_table_that_was_left_by_all_is_abandoned_and_cannot_be_played(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "face-to-face", [None, None])
        assert table.state.status == WAITING
        await table.sit("Bob", "other", None)
        await table.change(partial(state.leave, seat=0))
        assert table.state.status == ABANDONED
        assert table.summary()["status"] == "finished"
        with pytest.raises(Refused):
            await first_move(table)
