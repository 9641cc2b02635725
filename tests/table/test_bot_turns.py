"""Bots at a table: they compute from their own seat's view, and move and talk like everybody."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from gramy.bots.quick_easy import MEDIUM
from gramy.matches import Entry, Match
from gramy.table import state
from gramy.table.bot_pool import BotMove, BotRequest
from gramy.table.bus import LocalBus
from gramy.table.clock import TimeControl
from gramy.table.lobby import Lobby
from gramy.table.services import Times
from gramy.table.store import FINISHED, PLAYING
from gramy.table.table import Table
from tests.clock import Time
from tests.table.services import ThreadBotPool, Watcher, first_move, lobby_at, move, snapshot, until, until_or_not


async def opened(lobby: Lobby, game: str, seats: list[str | None], **options: str) -> Table:
    table, _, _ = await lobby.open(game, options, seats, False, None, "Ada", "guest")
    return table


def said(table: Table) -> list[Entry]:
    return [entry for entry in table.state.match.log if entry.text.startswith("say ")]


@pytest.mark.parametrize(("game", "players"), [("face-to-face", 2), ("quick-easy", 4), ("gra", 5)])
async def test_bots_play_a_match_to_its_end_while_a_bot_stands_in_for_the_person(
    tmp_path: Path, game: str, players: int
) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, game, [None] + ["easy"] * (players - 1), players=str(players))
        table.enter(Watcher(None))
        await table.change(partial(state.stand_in, seat=0))
        await until(lambda: table.state.status == FINISHED and table.background.idle)
        match = table.state.match
        assert match.outcome is not None
        assert table.state.bots_to_act(0.0) == []
        stored = await lobby.services.store.lines(table.id, 1)
        assert stored == [Entry(entry.seat, entry.text) for entry in match.log]
        assert Match.replayed(match.game, match.log).outcome == match.outcome


async def test_a_bot_gets_only_what_its_own_seat_may_know(tmp_path: Path) -> None:
    class Recording(ThreadBotPool):
        def __init__(self) -> None:
            super().__init__()
            self.requests: list[BotRequest] = []

        async def move(self, request: BotRequest) -> BotMove:
            self.requests.append(request)
            return await super().move(request)

    bots = Recording()
    async with lobby_at(tmp_path, bots=bots) as lobby:
        table = await opened(lobby, "gra", [None, "easy", "easy"], players="3", starter="lot")
        await until(lambda: len(bots.requests) == 2 and table.background.idle)
        for request in bots.requests:
            assert request.view.seat in (1, 2)
            assert request.view.board.hand is not None
            secret = [entry for entry in request.history if entry.reader not in (None, request.view.seat)]
            assert all(set(entry.text.split()[1:]) == {"?"} for entry in secret)


async def test_a_table_never_computes_two_moves_at_once(tmp_path: Path) -> None:
    class Counting(ThreadBotPool):
        running = most = 0
        lock = threading.Lock()

        async def move(self, request: BotRequest) -> BotMove:
            with self.lock:
                self.running += 1
                self.most = max(self.most, self.running)
            thought = await super().move(request)
            with self.lock:
                self.running -= 1
            return thought

    bots = Counting()
    async with lobby_at(tmp_path, bots=bots) as lobby:
        table = await opened(lobby, "quick-easy", [None] + ["easy"] * 3, players="4")
        await table.change(partial(state.stand_in, seat=0))
        number = 0
        while table.state.status == PLAYING:  # somebody sends commands all the time
            number += 1
            await move(table, 0, "sing", f"poke {number}", 0)
            table.wake()
            await asyncio.sleep(0.001)
        assert bots.most == 1
        stored = await lobby.services.store.lines(table.id, 1)
        assert [line.text for line in stored] == [entry.text for entry in table.state.match.log]


class HeldPool(ThreadBotPool):
    """Bots that answer only once they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.moves, self.going = 0, asyncio.Event()

    async def move(self, request: BotRequest) -> BotMove:
        self.moves += 1
        await self.going.wait()
        return await super().move(request)


async def test_a_bot_computes_again_when_its_moment_has_passed(tmp_path: Path) -> None:
    bots = HeldPool()
    async with lobby_at(tmp_path, bots=bots) as lobby:
        table = await opened(lobby, "quick-easy", [None, "easy"])
        await table.change(partial(state.stand_in, seat=0))
        await until(lambda: bots.moves == 1)
        await first_move(table)  # somebody else was faster
        lines = len(table.state.match.log)
        bots.going.set()
        await until(lambda: table.state.status == FINISHED)
        made = [
            entry for entry in table.state.match.log[lines:] if entry.seat < 2 and not entry.text.startswith("say ")
        ]
        assert bots.moves > len(made)


async def test_a_bot_does_not_move_for_a_person_who_is_back(tmp_path: Path) -> None:
    class Waiting(ThreadBotPool):
        def __init__(self) -> None:
            super().__init__()
            self.started, self.going = asyncio.Event(), asyncio.Event()

        async def move(self, request: BotRequest) -> BotMove:
            self.started.set()
            await self.going.wait()
            return await super().move(request)

    bots = Waiting()
    async with lobby_at(tmp_path, bots=bots) as lobby:
        table = await opened(lobby, "face-to-face", [None, None])
        await table.sit("Bob", "bob", None)
        (seat,) = table.state.match.to_act
        await table.change(partial(state.stand_in, seat=seat))
        await bots.started.wait()
        lines = len(table.state.match.log)
        table.enter(Watcher(seat))
        await until(lambda: not table.state.seats[seat].stand_in)
        bots.going.set()
        await until(lambda: table.background.idle)
        assert len(table.state.match.log) == lines


async def test_a_bot_does_not_make_a_move_of_the_round_before(tmp_path: Path) -> None:
    """Ada ends the match and begins another one while the bot computes; both logs have the same length."""

    class Late(ThreadBotPool):
        def __init__(self) -> None:
            super().__init__()
            self.moves, self.going = 0, asyncio.Event()

        async def move(self, request: BotRequest) -> BotMove:
            self.moves += 1
            await (self.going if self.moves == 1 else asyncio.Event()).wait()
            return BotMove((), table.state.match.moves(1)[0])

    bots = Late()
    async with lobby_at(tmp_path, bots=bots) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        table.enter(Watcher(0))
        await until(lambda: bots.moves == 1)
        lines = len(table.state.match.log)
        await table.change(partial(state.leave, seat=0))
        await table.change(partial(state.ask_rematch, seat=0))
        assert (table.state.round, len(table.state.match.log)) == (2, lines)
        bots.going.set()
        await until_or_not(lambda: bots.moves == 2)
        assert len(table.state.match.log) == lines
        assert bots.moves == 2


async def test_a_server_that_does_not_play_the_bots_waits_once_however_often_it_is_woken(tmp_path: Path) -> None:
    class Idle(LocalBus):
        asked = 0

        async def acquire_lease(self, table: str) -> bool:
            self.asked += 1
            return False

    bus = Idle()
    async with lobby_at(tmp_path, times=Times(seed_wait=0), bus=bus) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        await until(lambda: bus.asked == 1)
        waiting = len(asyncio.all_tasks())
        for asked in range(2, 12):
            table.wake()
            await until(lambda asked=asked: bus.asked == asked)
        assert len(asyncio.all_tasks()) == waiting


async def test_a_bot_whose_turn_has_passed_while_the_server_asked_for_the_lease_is_not_asked(tmp_path: Path) -> None:
    class SlowBus(LocalBus):
        def __init__(self) -> None:
            super().__init__()
            self.asked, self.going = asyncio.Event(), asyncio.Event()

        async def acquire_lease(self, table: str) -> bool:
            self.asked.set()
            await self.going.wait()
            return True

    class Counting(ThreadBotPool):
        moves = 0

        async def move(self, request: BotRequest) -> BotMove:
            self.moves += 1
            return await super().move(request)

    bus, bots = SlowBus(), Counting()
    async with lobby_at(tmp_path, bus=bus, bots=bots) as lobby:
        table = await opened(lobby, "face-to-face", [None, None])
        await table.sit("Bob", "bob", None)
        (seat,) = table.state.match.to_act
        await table.change(partial(state.stand_in, seat=seat))
        await bus.asked.wait()
        table.enter(Watcher(seat))
        await until(lambda: not table.state.seats[seat].stand_in)
        bus.going.set()
        await until(lambda: table.background.idle)
        assert bots.moves == 0


async def test_bots_play_on_when_the_log_is_too_long_for_talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "LONG_LOG", 1)
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "quick-easy", [None, "medium", "medium"], players="3")
        await table.change(partial(state.stand_in, seat=0))
        await until(lambda: table.state.status == FINISHED)
        assert said(table) == []


async def test_a_bot_pauses_so_that_people_can_follow(tmp_path: Path) -> None:
    async with lobby_at(tmp_path, times=Times(pause=3600, seed_wait=0)) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        await until(lambda: not table.background.idle)
        lines = len(table.state.match.log)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(table.state.match.log) == lines
        watcher = Watcher(0)
        table.enter(watcher)
        assert snapshot(table, watcher)["thinking"] == [1]


async def test_closing_a_table_cancels_its_bots(tmp_path: Path) -> None:
    class Endless(ThreadBotPool):
        async def move(self, request: BotRequest) -> BotMove:
            await asyncio.Event().wait()
            raise AssertionError

    async with lobby_at(tmp_path, bots=Endless()) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        watcher = Watcher(0)
        table.enter(watcher)
        table.exit(watcher)
        await until(lambda: not table.background.idle)
        lines = len(table.state.match.log)
        await table.background.close()
        assert table.background.idle
        table.wake()  # for instance by a note from another server that is still stopping
        assert table.background.idle
        assert len(await lobby.services.store.lines(table.id, 1)) == lines


async def test_bots_tell_their_partner_what_they_have_before_the_partner_moves(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table = await opened(lobby, "quick-easy", [None, "medium", "medium"], players="3")
        table.enter(Watcher(0))
        await until(lambda: table.state.match.to_act == (0,) and table.background.idle)
        before = len(table.state.match.log)
        for id in ("a1", "a2"):  # a person lays a card and ends the turn: the bots talk before that person's next turn
            assert await move(table, 0, table.state.match.moves()[-1], id) == ""
        await until(
            lambda: table.state.status == FINISHED or (table.state.match.to_act == (0,) and table.background.idle)
        )
        assert {entry.seat for entry in table.state.match.log[before:] if entry.text.startswith("say ")} <= {1, 2}
        assert {entry.seat for entry in said(table)} == {1, 2}
        assert len(said(table)) < 30  # nothing is said again and again


# --- the start --------------------------------------------------------------------------------------------------------

WAITING = Times(pause=0.001, seed_wait=0, retry=0.01, start=20)


class AskedPool(ThreadBotPool):
    """Bots that say nothing by themselves, and count their answers about moves."""

    def __init__(self) -> None:
        super().__init__(silent=True)
        self.answers = 0

    async def move(self, request: BotRequest) -> BotMove:
        answer = await super().move(request)
        self.answers += 1
        return answer


async def ask_again(table: Table, pool: AskedPool, bots: int) -> None:
    """Wake the bots until all of them have been asked once more, after what they were doing."""
    before = pool.answers

    def asked() -> bool:
        table.wake()
        return pool.answers >= before + 2 * bots

    await until(asked)


def starts(table: Table) -> list[int]:
    return [entry.seat for entry in table.state.match.log if entry.text == "start"]


def keenest_bots(table: Table) -> list[int]:
    """Return the seats of the bots that start most gladly; several may be equal."""
    match = table.state.match
    bots = [seat for seat in match.to_act if table.state.seats[seat].bot_level]
    rng = random.Random(1)
    keen = {seat: MEDIUM.eagerness(match.view(seat), match.history(seat), rng) for seat in bots}
    return [seat for seat in bots if keen[seat] == max(keen.values())]


@pytest.mark.parametrize("game", ["quick-easy", "gra"])
async def test_bots_leave_the_start_to_a_person_and_take_it_after_a_while(tmp_path: Path, game: str) -> None:
    time, pool = Time(), AskedPool()
    async with lobby_at(tmp_path, time, WAITING, pool) as lobby:
        table = await opened(lobby, game, [None, "medium", "medium"], players="3")
        table.enter(Watcher(0))
        for _ in range(3):  # however often they are asked, and until 6 seconds have passed
            time.pass_by(1.9)
            await ask_again(table, pool, 2)
            assert starts(table) == []
        time.pass_by(20 - 3 * 1.9)
        table.wake()
        await until(lambda: len(starts(table)) == 1)
        assert starts(table)[0] in (1, 2)


async def test_the_bot_whose_hand_opens_best_takes_the_start(tmp_path: Path) -> None:
    time, pool = Time(), AskedPool()
    async with lobby_at(tmp_path, time, WAITING, pool) as lobby:
        clear = 0
        while clear < 3:  # equal hands show nothing
            table = await opened(lobby, "quick-easy", [None, "medium", "medium", "medium"], players="4")
            best = keenest_bots(table)
            if len(best) > 1:
                continue
            clear += 1
            await ask_again(table, pool, 3)
            time.pass_by(20)
            table.wake()
            await until(lambda table=table: len(starts(table)) == 1)
            assert starts(table) == best


async def test_a_person_takes_the_start_while_bots_wait(tmp_path: Path) -> None:
    pool = AskedPool()
    async with lobby_at(tmp_path, times=WAITING, bots=pool) as lobby:
        table = await opened(lobby, "quick-easy", [None, "easy"])
        await ask_again(table, pool, 1)
        assert await move(table, 0, "start", "a") == ""
        assert (starts(table), table.state.match.to_act) == ([0], (0,))


async def test_bots_play_at_once_when_a_person_took_the_start_while_they_thought_about_it(tmp_path: Path) -> None:
    bots = HeldPool()
    async with lobby_at(tmp_path, times=replace(WAITING, start=10_000), bots=bots) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        await until(lambda: bots.moves == 1)
        assert await move(table, 0, "start", "a") == ""
        bots.going.set()
        moved = until(lambda: any(entry.seat == 1 for entry in table.state.match.log))
        await asyncio.wait_for(moved, 15)  # later a table is woken anyway


async def test_who_comes_second_is_told_that_it_is_too_late(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await lobby.open("quick-easy", {}, [None, None], False, None, "Ada", "guest")
        await table.sit("Bob", "other", None)
        lines = len(table.state.match.log)
        assert await move(table, 1, "start", "a", at=lines) == ""
        assert await move(table, 0, "start", "b", at=lines) == "too_late"
        assert await move(table, 1, "start", "c", at=lines) == ""  # the answer was lost, and it is sent again
        assert starts(table) == [1]


async def test_people_alone_are_not_started_by_anybody_else(tmp_path: Path) -> None:
    time, pool = Time(), AskedPool()
    async with lobby_at(tmp_path, time, WAITING, pool) as lobby:
        table, _, _ = await lobby.open("gra", {}, [None, None], False, None, "Ada", "guest")
        await table.sit("Bob", "other", None)
        time.pass_by(3600)
        table.wake()
        await until(lambda: table.background.idle)
        assert pool.answers == 0
        assert (starts(table), table.state.match.to_act) == ([], (0, 1))


async def test_among_bots_one_starts_at_once(tmp_path: Path) -> None:
    async with lobby_at(tmp_path, times=WAITING) as lobby:
        table = await opened(lobby, "quick-easy", [None, "easy", "easy"], players="3")
        await table.change(partial(state.stand_in, seat=0))
        await until(lambda: len(starts(table)) == 1)


async def test_no_clock_runs_until_somebody_has_started(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        control = TimeControl(5, 2)
        table, _, _ = await lobby.open("quick-easy", {}, [None, None], False, control, "Ada", "guest")
        await table.sit("Bob", "other", None)
        viewer = Watcher(0)
        table.enter(viewer)
        time.pass_by(100)
        assert snapshot(table, viewer)["clock"] == {"left": [300.0, 300.0], "running": []}
        assert await move(table, 1, "start", "a") == ""
        time.pass_by(10)
        assert snapshot(table, viewer)["clock"] == {"left": [300.0, 290.0], "running": [1]}


class KeenPool(AskedPool):
    """Bots that all say the same about how gladly they would start."""

    def __init__(self, eagerness: float) -> None:
        super().__init__()
        self.eagerness = eagerness

    async def move(self, request: BotRequest) -> BotMove:
        return (await super().move(request))._replace(eagerness=self.eagerness)


async def seconds_until_the_start(folder: Path, eagerness: float, seed: int) -> int:
    """Return for how many seconds the bots of a table leave the start to a person who does nothing."""
    folder.mkdir()
    time, pool = Time(), KeenPool(eagerness)
    async with lobby_at(folder, time, WAITING, pool) as lobby:
        lobby.services.rng = random.Random(seed)
        table = await opened(lobby, "quick-easy", [None, "easy"])
        for seconds in range(21):
            asked = pool.answers

            def done(asked: int = asked) -> bool:
                table.wake()
                return bool(starts(table)) or pool.answers >= asked + 2

            await until(done)
            if starts(table):
                return seconds
            time.pass_by(1)
    raise AssertionError("no bot took the start")


async def test_the_time_until_a_bot_takes_the_start_does_not_tell_its_hand(tmp_path: Path) -> None:
    waits = [await seconds_until_the_start(tmp_path / f"keen {keen}", keen, 1) for keen in (0.0, 0.4, 1.0)]
    assert len(set(waits)) == 1
    drawn = {await seconds_until_the_start(tmp_path / f"seed {seed}", 0.4, seed) for seed in range(2, 6)}
    assert len(drawn) > 1
    assert all(6 <= seconds <= 20 for seconds in drawn)


async def test_a_failed_move_is_tried_again_soon_although_a_longer_wait_has_not_ended(tmp_path: Path) -> None:
    class FailingPool(AskedPool):
        failed = False

        async def move(self, request: BotRequest) -> BotMove:
            if not self.failed and request.history:  # somebody has started
                self.failed = True
                raise RuntimeError("the process of the bot has died")
            return await super().move(request)

    pool = FailingPool()
    times = Times(pause=0.001, seed_wait=0, retry=0.01, start=600, away=600)  # the bots sleep for minutes, in real time
    async with lobby_at(tmp_path, times=times, bots=pool) as lobby:
        table = await opened(lobby, "gra", [None, "easy"])
        await ask_again(table, pool, 1)
        assert await move(table, 0, "start", "a") == ""
        await until(lambda: any(entry.seat == 1 for entry in table.state.match.log))  # both choose a card at once
        assert pool.failed
