"""A table is the one writer of its match: bots enter by the same door, one move at a time, stored before it is told."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gramy.analysis import Advice
from gramy.contract import GramyError
from gramy.matches import Entry, Match
from gramy.table import bot_pool
from gramy.table.bot_pool import BotRequest, Thought
from gramy.table.bot_turns import drive, played_by_bots
from gramy.table.lobby import Lobby
from gramy.table.refused import Refused
from gramy.table.rounds import ask_again
from gramy.table.services import REMEMBERED, UNHEARD, Times, Viewer
from gramy.table.store import FINISHED, PLAYING, WAITING, Conflict, StoreUnavailable
from gramy.table.table import Table
from tests.table.services import ThreadBotPool, Time, lobby_at, shown, until

TRIGGER, FULL = "CREATE TEMP TRIGGER full BEFORE INSERT ON", "BEGIN SELECT RAISE(FAIL, 'disk is full'); END"


async def opened(lobby: Lobby, game: str, seats: list[str | None], **options: str) -> Table:
    table, _, _ = await lobby.open(game, options, seats, False, None, "Ada", "guest")
    return table


async def duel(lobby: Lobby, game: str = "face-to-face") -> tuple[Table, Viewer, Viewer]:
    """Two people at a table; who is to move comes first."""
    table = await opened(lobby, game, [None, None])
    await table.sit("Bob", "other", None)
    viewers = Viewer(0), Viewer(1)
    for viewer in viewers:
        table.enter(viewer)
    mover = table.match.to_act[0]
    return table, viewers[mover], viewers[1 - mover]


def texts(lines: list[Entry]) -> list[str]:
    return [line.text for line in lines]


# --- bots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("face-to-face", 2), ("quick-easy", 4), ("gra", 5)])
async def test_bots_play_a_match_to_its_end_while_a_bot_stands_in_for_the_person(
    tmp_path: Path, game: str, players: int
) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, game, [None] + ["easy"] * (players - 1), players=str(players))
        table.seats[0].stand_in = True
        viewer = Viewer(None)
        table.enter(viewer)
        drive(table)
        await until(lambda: table.status == FINISHED and not table._tasks)
        assert table.match.outcome is not None
        assert played_by_bots(table) == []
        stored = await lobby.services.store.lines(table.id, 1)
        assert stored == [Entry(entry.seat, entry.text) for entry in table.match.log]
        assert Match.replayed(table.game, table.match.log).outcome == table.match.outcome


async def test_a_bot_thinks_about_what_its_own_seat_may_know(tmp_path: Path) -> None:
    asked: list[Any] = []

    class Recording(ThreadBotPool):
        async def move(self, request: BotRequest) -> Thought:
            asked.append((request.view, request.history))
            return await super().move(request)

    async with lobby_at(tmp_path, bots=Recording(silent=True)) as lobby:
        table = await opened(lobby, "gra", [None, "easy", "easy"], players="3")
        await until(lambda: len(asked) == 2 and not table.driven)
        for view, history in asked:
            assert view.seat in (1, 2)
            assert view.board.hand is not None
            secret = [entry for entry in history if entry.reader not in (None, view.seat)]
            assert all(set(entry.text.split()[1:]) == {"?"} for entry in secret)


async def test_a_table_never_makes_two_moves_at_once(tmp_path: Path) -> None:
    busy, most, lock = 0, 0, threading.Lock()

    def slowly(request: BotRequest) -> Thought:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        done = bot_pool.move(request)
        with lock:
            busy -= 1
        return done

    class Counting(ThreadBotPool):
        async def move(self, request: BotRequest) -> Thought:
            return await asyncio.to_thread(slowly, request)

    async with lobby_at(tmp_path, bots=Counting(silent=True)) as lobby:
        table = await opened(lobby, "quick-easy", [None] + ["easy"] * 3, players="4")
        table.seats[0].stand_in = True
        viewer = Viewer(0)
        table.viewers.add(viewer)  # he pokes without taking the seat back
        number = 0
        while table.status == PLAYING:  # everybody pokes the table all the time
            number += 1
            await table.command(viewer, f"poke {number}", lambda seat: table.play(seat, 0, "sing"))
            drive(table)
            await asyncio.sleep(0.001)
        assert most == 1
        stored = await lobby.services.store.lines(table.id, 1)
        assert texts(stored) == [entry.text for entry in table.match.log]


async def test_a_bot_thinks_again_when_the_moment_has_passed(tmp_path: Path) -> None:
    going, thoughts = asyncio.Event(), 0

    class Waiting(ThreadBotPool):
        async def move(self, request: BotRequest) -> Thought:
            nonlocal thoughts
            thoughts += 1
            await going.wait()
            return bot_pool.move(request)

    async with lobby_at(tmp_path, bots=Waiting(silent=True)) as lobby:
        table = await opened(lobby, "quick-easy", [None, "easy"])
        table.enter(Viewer(0))
        table.seats[0].stand_in = True
        drive(table)
        await until(lambda: thoughts == 1)
        first = table.match.to_act[0]
        await table._step(table.match.moves()[0], first)  # somebody else was faster
        lines = len(table.match.log)
        going.set()
        await until(lambda: thoughts >= 2)
        moves = [entry for entry in table.match.log[lines:] if not entry.text.startswith("say ")]
        await until(lambda: table.status == FINISHED)
        assert Match.replayed(table.game, table.match.log).outcome is not None
        assert thoughts > len(moves)


async def test_a_bot_waits_so_that_people_can_follow(tmp_path: Path) -> None:
    async with lobby_at(tmp_path, times=Times(pause=3600, seed_wait=0)) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        await until(lambda: table.driven)
        lines = len(table.match.log)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(table.match.log) == lines
        viewer = Viewer(0)
        table.enter(viewer)
        assert table.snapshot(viewer)["thinking"] == [1]


async def test_closing_stops_bots_and_waiting(tmp_path: Path) -> None:
    class Endless(ThreadBotPool):
        async def move(self, request: BotRequest) -> Thought:
            await asyncio.Event().wait()
            raise AssertionError

    async with lobby_at(tmp_path, bots=Endless(silent=True)) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        viewer = Viewer(0)
        table.enter(viewer)
        table.exit(viewer)
        await until(lambda: table.driven)
        lines = len(table.match.log)
        await table.close()
        assert table._tasks == set()
        assert not table.driven
        assert len(await lobby.services.store.lines(table.id, 1)) == lines


async def test_a_move_that_could_not_be_stored_is_not_made(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        store: Any = lobby.services.store
        table, mover, other = await duel(lobby)
        lines = len(table.match.log)
        await store._do(lambda file: file.execute(f"{TRIGGER} main.entries {FULL}"))
        with pytest.raises((StoreUnavailable, Conflict)):
            await table.play(mover.seat, lines, table.match.moves()[0])
        assert len(table.match.log) == lines  # stored first, told then: so not told
        await store._do(lambda file: file.execute("DROP TRIGGER temp.full"))
        await table.play(mover.seat, lines, table.match.moves()[0])
        assert len(table.match.log) == lines + 1
        assert other.seat != mover.seat


# --- commands ---------------------------------------------------------------------------------------------------------


async def test_who_was_shown_something_that_could_not_be_kept_is_shown_that_it_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table = await opened(lobby, "gra", [None, None, None], players="3")
        ada, watcher = Viewer(0), Viewer(None)
        table.enter(ada)
        table.enter(watcher)

        async def unkept(*_: Any) -> int:
            table.tell()  # somebody has come meanwhile
            assert shown(table, watcher)["table"]["seats"] != before
            raise StoreUnavailable("disk is full")

        before = shown(table, watcher)["table"]["seats"]
        with monkeypatch.context() as away:
            away.setattr(lobby.services.store, "save", unkept)
            with pytest.raises(StoreUnavailable):
                await table.sit("Bob", "bob", None)
            assert watcher.fresh
            assert shown(table, watcher)["table"]["seats"] == before
            await table.command(ada, "left", table.leave)
            assert ada.refusals[-1][1].key == "not_saved"
            assert shown(table, watcher)["table"]["seats"] == before


@pytest.mark.parametrize("round", [1, 2])
async def test_a_round_that_could_not_be_begun_begins_as_soon_as_the_store_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, round: int
) -> None:
    """Nobody comes or asks again: all sit there and wait."""
    monkeypatch.setattr("gramy.table.table.RETRY", 0.01)
    async with lobby_at(tmp_path, times=Times(pause=0, seed_wait=0.01 if round == 1 else 0)) as lobby:
        table = await opened(lobby, "face-to-face", [None, None])
        save, tried = lobby.services.store.save, asyncio.Event()

        async def away(*_: Any) -> int:
            tried.set()
            raise StoreUnavailable("away")

        await table.sit("Bob", "bob", None)
        viewers = [Viewer(0), Viewer(1)]
        if round == 2:
            for viewer in viewers:
                table.enter(viewer)
            await table.command(viewers[0], "c1", lambda _: table._abandon())
            await table.command(viewers[0], "c2", lambda seat: ask_again(table, seat))
        with monkeypatch.context() as lost:
            lost.setattr(lobby.services.store, "save", away)
            if round == 2:
                table.exit(viewers[1])  # so everybody who is there has asked
            await tried.wait()
            await until(lambda: not table.busy)
            assert table.status != PLAYING
        assert lobby.services.store.save == save
        await until(lambda: table.status == PLAYING)
        assert table.round == round


async def test_a_move_is_stored_before_anybody_is_told(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, other = await duel(lobby)
        other.fresh = False
        lines = len(table.match.log)
        playing = asyncio.ensure_future(table.play(mover.seat, lines, table.match.moves()[0]))
        while not other.fresh:
            assert len(table.match.log) == lines
            await asyncio.sleep(0)
        file = sqlite3.connect(tmp_path / "gramy.sqlite")
        (stored,) = file.execute("SELECT count(*) FROM entries").fetchone()
        file.close()
        assert stored == lines + 1
        await playing


async def test_of_two_commands_at_once_for_the_same_moment_one_is_late(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        at, moves = len(table.match.log), table.match.moves()
        await asyncio.gather(
            *(
                table.command(mover, f"c{number}", lambda seat, move=move: table.play(seat, at, move))
                for number, move in enumerate(moves[:2])
            )
        )
        assert mover.answers == ["c0"]
        assert [(id, message.key) for id, message in mover.refusals] == [("c1", "too_late")]
        assert len(table.match.log) == at + 1


async def test_a_line_that_another_node_has_written_is_taken_over(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        at, (theirs, mine) = len(table.match.log), table.match.moves()[:2]
        await lobby.services.store.append(table.id, 1, at, [Entry(mover.seat, theirs)], 0.0)
        await table.command(mover, "c1", lambda seat: table.play(seat, at, mine))
        assert [message.key for _, message in mover.refusals] == ["too_late"]
        assert [entry.text for entry in table.match.log[at:]] == [theirs]
        assert table.snapshot(mover)["lines"] == at + 1


async def test_only_so_many_commands_are_remembered(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, _ = await duel(lobby)
        for number in range(UNHEARD + 20):
            await table.command(mover, f"c{number}", partial(ask_again, table))
        assert len(table.seats[mover.seat].answered) == REMEMBERED
        assert f"c{UNHEARD + 19}" in table.seats[mover.seat].answered
        assert len(mover.refusals) == UNHEARD


async def test_the_two_seats_do_not_share_the_ids_of_their_commands(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, other = await duel(lobby, "quick-easy")
        for viewer in (mover, other):
            await table.command(viewer, "a1", lambda seat: table.play(seat, len(table.match.log), "say red"))
        said = [entry.seat for entry in table.match.log if entry.text == "say red"]
        assert sorted(said) == [0, 1]


async def test_a_snapshot_has_only_the_lines_that_are_new_to_the_viewer(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, mover, other = await duel(lobby)
        first = table.snapshot(other)
        assert (first["log"]["from"], len(first["log"]["lines"])) == (0, first["lines"])
        for _ in range(2):
            await table.play(mover.seat, len(table.match.log), table.match.moves()[0])
        second = table.snapshot(other)
        assert (second["log"]["from"], len(second["log"]["lines"])) == (first["lines"], 2)
        assert second["version"] > first["version"]
        third = table.snapshot(other)
        assert third["log"] == {"from": first["lines"] + 2, "lines": []}


async def test_nothing_is_played_before_or_after_a_match(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "face-to-face", [None, None])
        assert table.status == WAITING
        with pytest.raises(Refused) as error:
            await table.play(0, 0, "up 5")
        assert error.value.message.key == "match_not_on"
        await table.sit("Bob", "other", None)
        await table.leave(0)
        assert table.status == FINISHED
        with pytest.raises(Refused):
            await table.play(table.match.to_act[0], len(table.match.log), table.match.moves()[0])


# --- seats ------------------------------------------------------------------------------------------------------------


async def test_a_seat_with_two_screens_is_away_when_both_are_closed(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table, mover, other = await duel(lobby)
        second = Viewer(other.seat)
        table.enter(second)
        table.exit(other)
        assert table.snapshot(mover)["away"] == []
        table.exit(second)
        assert [one["seat"] for one in table.snapshot(mover)["away"]] == [other.seat]


async def test_only_the_hash_of_a_token_is_kept(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, token = await lobby.open("gra", {}, [None, None], False, None, "Ada", "guest")
        assert token not in repr(table.seats)
        assert token not in repr(await lobby.services.store.load(table.id))
        for file in tmp_path.iterdir():
            assert token.encode() not in file.read_bytes()
        assert len(token) == 22


async def test_a_seat_that_could_not_be_stored_is_not_taken(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        store: Any = lobby.services.store
        table = await opened(lobby, "gra", [None, None])
        await store._do(lambda file: file.execute(f"{TRIGGER} main.seats {FULL}"))
        with pytest.raises(StoreUnavailable):
            await table.sit("Bob", "other", None)
        assert table.seats[1].kind == "open"
        await store._do(lambda file: file.execute("DROP TRIGGER temp.full"))
        seat, _ = await table.sit("Bob", "other", None)
        assert seat == 1
        assert table.status == PLAYING


async def test_nobody_sits_twice_on_a_seat(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "quick-easy", [None, None, None], players="3")
        answers = await asyncio.gather(
            *(table.sit(f"Bob {number}", "other", 1) for number in range(5)), return_exceptions=True
        )
        assert [type(answer) for answer in answers] == [tuple] + [Refused] * 4
        assert all(isinstance(answer, tuple | GramyError) for answer in answers)


async def test_bots_tell_their_partner_what_they_have_before_the_partner_moves(tmp_path: Path) -> None:
    async with lobby_at(tmp_path, bots=ThreadBotPool()) as lobby:
        table = await opened(lobby, "quick-easy", [None, "medium", "medium"], players="3")
        viewer = Viewer(0)
        table.enter(viewer)
        await until(lambda: table.match.to_act == (0,) and not table.driven)
        before = len(table.match.log)
        for id in ("a1", "a2"):  # a person lays a card and ends the turn: the bots are heard before his next turn
            move = partial(table.play, at=len(table.match.log), move=table.match.moves()[-1])
            await table.command(viewer, id, move)
        assert viewer.answers == ["a1", "a2"]
        await until(lambda: table.status == FINISHED or (table.match.to_act == (0,) and not table._tasks))
        said = [entry.seat for entry in table.match.log[before:] if entry.text.startswith("say ")]
        assert set(said) <= {1, 2}
        assert {entry.seat for entry in table.match.log if entry.text.startswith("say ")} == {1, 2}
        texts_said = [entry[:2] for entry in table.match.log if entry.text.startswith("say ")]
        assert len(texts_said) < 30  # what was said is not said again and again


async def test_advice_that_fails_is_refused_instead_of_never_coming(tmp_path: Path) -> None:
    class Failing(ThreadBotPool):
        async def advise(self, request: BotRequest) -> Advice:
            raise RuntimeError("no idea")

    async with lobby_at(tmp_path, bots=Failing(silent=True)) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        viewer = Viewer(0)
        await table.hint(viewer, "a1")
        assert [(id, message.key) for id, message in viewer.refusals] == [("a1", "server_error")]
