"""The lobby opens tables, finds them again after they were unloaded, lists the public ones, deletes expired ones."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gramy.errors import BadOptions, GramyError
from gramy.fair import Deal
from gramy.matches import Entry
from gramy.table import state
from gramy.table.bus import LocalBus
from gramy.table.lobby import FINISHED_EXPIRY, GRACE, IDLE_EXPIRY, UNLOAD_AFTER, Lobby, NoSuchTable
from gramy.table.names import LONGEST_NAME, nickname
from gramy.table.seat import Seat, token_hash
from gramy.table.services import Times
from gramy.table.store import ABANDONED, FINISHED, PLAYING, WAITING, Expired, StoreUnavailable, TableRow
from gramy.table.table import Table
from tests.table.services import Time, Watcher, first_move, lobby_at, snapshot, until, until_or_not
from tests.table.test_pauses import StoreLink

DAY = 86_400.0


async def opened(
    lobby: Lobby, seats: Any = (None, None), public: bool = True, game: str = "face-to-face", guest: str = "guest"
) -> Table:
    table, _, _ = await lobby.open(game, {}, list(seats), public, None, "Ada", guest)
    return table


async def test_an_unloaded_table_is_loaded_again_as_it_was(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table, seat, token = await lobby.open("face-to-face", {}, [None, None], False, None, "Ada", "guest")
        await table.sit("Bob", "other", None)
        await first_move(table)
        time.pass_by(UNLOAD_AFTER + 1)
        assert (await lobby.expire()).deleted == 0
        assert lobby.tables == {}

        found = await lobby.find(table.id)
        assert found is not table
        assert found is await lobby.find(table.id)
        assert (found.state.status, found.state.round, found.state.public) == (PLAYING, 1, False)
        assert found.state.match.position == table.state.match.position
        assert found.state.match.log == table.state.match.log
        assert found.state.match.moves() == table.state.match.moves()
        assert [one.name for one in found.state.seats] == ["Ada", "Bob"]
        assert await found.seat_of(token, None) == seat
        assert await found.seat_of(None, "other") == 1


async def test_a_table_is_not_unloaded_while_it_is_being_loaded(tmp_path: Path) -> None:
    class Sweeping(LocalBus):
        async def follow(self, table: str) -> None:
            await lobby.expire()

    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table = await opened(lobby)
    time.pass_by(DAY)
    async with lobby_at(tmp_path, time, bus=Sweeping()) as lobby:
        assert (await lobby.find(table.id)).id == table.id
        assert list(lobby.tables) == [table.id]


async def test_a_table_that_nobody_opened_is_not_found(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        for name in ("", "nowhere", "x" * 5000, "' OR 1=1 --", "\x00"):
            with pytest.raises(NoSuchTable):
                await lobby.find(name)


async def test_only_public_tables_that_are_not_over_are_listed_newest_first(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        old = await opened(lobby)
        time.pass_by(1)
        await opened(lobby, public=False)
        playing = await opened(lobby)
        await playing.sit("Bob", "other", None)
        time.pass_by(1)
        over = await opened(lobby)
        await over.sit("Bob", "other", None)
        await over.change(partial(state.leave, seat=0))
        time.pass_by(1)
        new = await opened(lobby)
        assert over.state.status == ABANDONED
        assert [table["table"] for table in await lobby.listed()] == [new.id, playing.id, old.id]
        assert (await lobby.listed())[0] == new.summary()
        for number in range(60):
            await opened(lobby, guest=f"guest {number}")
        assert len(await lobby.listed()) == 50


async def test_after_a_restart_public_tables_are_listed_and_others_are_found_by_id(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        waiting, hidden = await opened(lobby), await opened(lobby, public=False)
    async with lobby_at(tmp_path, time) as lobby:
        assert [table["table"] for table in await lobby.listed()] == [waiting.id]
        assert (await lobby.find(hidden.id)).state.status == WAITING


async def test_tables_with_viewers_or_recent_changes_stay_in_memory(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        looked_at, waiting = await opened(lobby, public=False), await opened(lobby)
        left = await opened(lobby, public=False)
        looked_at.enter(Watcher(0))
        time.pass_by(UNLOAD_AFTER + 1)
        fresh = await opened(lobby, public=False)
        await lobby.expire()
        assert set(lobby.tables) == {looked_at.id, waiting.id, fresh.id}
        assert (await lobby.find(left.id)).id == left.id


async def days(lobby: Lobby, time: Time, number: float) -> Expired:
    """Let days pass with a look for expired tables every half day, as on a server that runs; return what they did."""
    done = [Expired()]
    for _ in range(round(2 * number)):
        time.pass_by(DAY / 2)
        done.append(await lobby.expire())
    return Expired(*(sum(one[at] for one in done) for at in range(3)))


async def test_tables_are_deleted_after_the_stated_times(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        idle, over = await opened(lobby, public=False), await opened(lobby, public=False)
        await over.sit("Bob", "other", None)
        await over.change(partial(state.leave, seat=0))
        assert await days(lobby, time, 14) == Expired()
        assert await days(lobby, time, 1) == Expired(marked=1)
        assert await days(lobby, time, 6) == Expired()
        assert await days(lobby, time, 1) == Expired(deleted=1)
        with pytest.raises(NoSuchTable):
            await lobby.find(idle.id)
        assert await days(lobby, time, 90 - 22) == Expired()
        assert await days(lobby, time, 1) == Expired(marked=1)
        assert await days(lobby, time, 8) == Expired(deleted=1)
        with pytest.raises(NoSuchTable):
            await lobby.find(over.id)
    assert (IDLE_EXPIRY, FINISHED_EXPIRY, GRACE) == (14 * DAY, 90 * DAY, 7 * DAY)


async def test_a_marked_table_is_not_listed_and_a_visit_restores_it(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table = await opened(lobby, public=True)
        assert await days(lobby, time, 15) == Expired(marked=1)
        assert await lobby.listed() == []
        assert await lobby.services.store.marked_tables() == [(table.id, "face-to-face", "waiting", time() - DAY / 2)]
        assert (await lobby.find(table.id)).id == table.id
        assert await lobby.services.store.marked_tables() == []
        assert [one["table"] for one in await lobby.listed()] == [table.id]
        assert await days(lobby, time, 14) == Expired()
        assert await days(lobby, time, 1) == Expired(marked=1)


async def test_a_table_that_somebody_has_open_never_expires(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table = await opened(lobby)
        table.enter(Watcher(0))
        assert await days(lobby, time, 120) == Expired()
        assert (await lobby.find(table.id)) is table


async def test_a_full_server_refuses_new_tables(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        lobby.most = 3
        for _ in range(3):
            await opened(lobby)
        with pytest.raises(GramyError) as error:
            await opened(lobby)
        assert error.value.message.key == "server_full"
        assert len(lobby.tables) == 3


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ada", "Ada"), ("  Ada   Lovelace ", "Ada Lovelace"), ("Łódź", "Łódź"), ("🦊", "🦊"), ("a\u0000b", "a b")],
)
def test_a_nickname_is_printable(name: str, shown: str) -> None:
    assert nickname(name) == shown


@pytest.mark.parametrize("name", ["", " ", "\n", "\u200b", "\u202e", "x" * (LONGEST_NAME + 1)])
def test_a_nickname_is_not_empty_and_not_long(name: str) -> None:
    with pytest.raises(BadOptions):
        nickname(name)


async def test_a_refused_name_opens_no_table(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        with pytest.raises(BadOptions):
            await lobby.open("gra", {}, [None, "easy"], True, None, "", "guest")
        assert lobby.tables == {}
        assert await lobby.services.store.open_tables(public=False, most=100) == []


# --- what a crash can leave behind ------------------------------------------------------------------------------------


def stored(status: str, second: Seat, round: int = 1) -> TableRow:
    first = Seat("person", "Ada", None, "guest", token_hash("token"))
    options = {"players": "2", "dead_end": "reject", "last_card_grace": "off"}
    deals = Deal("seed", ("-", "")), Deal("another", ("", ""))
    now = 1_800_000_000.0
    return TableRow("crashed", "face-to-face", 1, options, True, None, round, status, now, (first, second), deals, {})


BOT, PERSON = Seat("bot", "Otto", "easy"), Seat("person", "Bob", None, "other", token_hash("other"))


async def played_out(lobby: Lobby) -> list[Entry]:
    """Play a whole duel and return its lines."""
    table = await opened(lobby, public=False)
    await table.sit("Bob", "other", None)
    rng = random.Random(5)
    while table.state.status == PLAYING:
        match = table.state.match
        await table.change(partial(state.play, seat=match.to_act[0], at=len(match.log), move=rng.choice(match.moves())))
    return [Entry(entry.seat, entry.text) for entry in table.state.match.log]


async def test_a_crash_between_the_last_move_and_its_status_leaves_a_finished_match(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        lines = await played_out(lobby)
        await lobby.services.store.save(stored("playing", PERSON))
        await lobby.services.store.append("crashed", 1, 0, lines, 0.0)
        table = await lobby.find("crashed")
        assert table.state.match.outcome is not None
        assert table.state.status == FINISHED


async def test_a_crash_between_the_last_seat_and_the_deal_leaves_a_match_that_begins(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        await lobby.services.store.save(stored("waiting", PERSON))
        table = await lobby.find("crashed")
        table.enter(Watcher(0))
        table.enter(Watcher(1))
        await until_or_not(lambda: table.state.status == PLAYING)
        assert table.state.status == PLAYING


async def test_a_match_without_a_line_goes_on_after_a_restart(tmp_path: Path) -> None:
    """In GRA the players choose who starts before any card is dealt."""
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await lobby.open("gra", {}, [None, None], True, None, "Ada", "guest")
        await table.sit("Bob", "other", None)
        assert (table.state.match.log, table.state.status) == ([], PLAYING)
    async with lobby_at(tmp_path) as lobby:
        again = await lobby.find(table.id)
        assert (again.state.match.moves(0), again.state.status) == (("start",), PLAYING)
        await again.change(partial(state.play, seat=1, at=0, move="start"))
        assert again.state.match.log[0][:2] == (1, "start")


async def test_a_bot_to_act_moves_after_a_restart(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        lines = [Entry(6, "deal first 1"), Entry(6, "deal 10 20 30 40 50 55"), Entry(6, "deal 11 21 31 41 51 56")]
        await lobby.services.store.save(stored("playing", BOT))
        await lobby.services.store.append("crashed", 1, 0, lines, 0.0)
        table = await lobby.find("crashed")
        assert table.state.match.to_act == (1,)
        table.enter(Watcher(0))
        await until_or_not(lambda: len(table.state.match.log) > 3)
        assert len(table.state.match.log) > 3


async def test_a_table_that_was_opened_with_rules_version_1_is_played_on_by_lot(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        lines = [Entry(6, "deal first 1"), Entry(6, "deal R1 R2"), Entry(6, "deal B5 B6"), Entry(1, "up R1")]
        old = stored("playing", PERSON)._replace(game="quick-easy", version=1, options={"players": "2", "pro": "off"})
        await lobby.services.store.save(old)
        await lobby.services.store.append("crashed", 1, 0, lines, 0.0)
        table = await lobby.find("crashed")
        assert table.state.game.options.starter == "lot"
        assert [entry[:2] for entry in table.state.match.log] == [entry[:2] for entry in lines]
        assert (table.state.match.to_act, table.state.status) == ((1,), PLAYING)


async def test_the_clock_runs_on_after_a_restart(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        lines = [Entry(6, "deal first 0"), Entry(6, "deal 10 20 30 40 50 55"), Entry(6, "deal 11 21 31 41 51 56")]
        await lobby.services.store.save(stored("playing", PERSON)._replace(clock={"minutes": 5.0, "seconds": 1.0}))
        await lobby.services.store.append("crashed", 1, 0, lines, 0.0)
        table = await lobby.find("crashed")
        viewer = Watcher(0)
        table.enter(viewer)
        time.pass_by(7)
        assert snapshot(table, viewer)["clock"] == {"left": [293.0, 300.0], "running": [0]}


async def test_the_others_are_notified_when_they_may_decide_about_a_player_absent_since_a_restart(
    tmp_path: Path,
) -> None:
    time = Time()
    async with lobby_at(tmp_path, time, Times(pause=0, away=0.05, seed_wait=0)) as lobby:
        lines = [Entry(6, "deal first 0"), Entry(6, "deal 10 20 30 40 50 55"), Entry(6, "deal 11 21 31 41 51 56")]
        await lobby.services.store.save(stored("playing", PERSON))
        await lobby.services.store.append("crashed", 1, 0, lines, 0.0)
        table = await lobby.find("crashed")
        viewer = Watcher(0)
        table.enter(viewer)
        viewer.notified = False
        time.pass_by(1)
        await until_or_not(lambda: viewer.notified)
        assert viewer.notified
        (absent,) = snapshot(table, viewer)["absent"]
        assert (absent["seat"], absent["seconds"], absent["can_decide"]) == (1, 0.0, True)


async def test_after_a_restart_the_next_round_waits_for_the_others_to_come_back(tmp_path: Path) -> None:
    """Ada asked for another round, Bob did not, and Ada's client is the first that connects again."""
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table = await opened(lobby)
        await table.sit("Bob", "bob", None)
        for watcher in (Watcher(0), Watcher(1)):
            table.enter(watcher)
        await table.change(state.abandon)
        await table.change(partial(state.ask_rematch, seat=0))
        assert table.state.round == 1
    async with lobby_at(tmp_path, time) as lobby:
        found = await lobby.find(table.id)
        found.enter(Watcher(0))
        await until(lambda: found.background.idle)
        assert (found.state.round, found.state.rematch) == (1, {0})
        time.pass_by(found.services.times.away)
        found.wake()
        await until(lambda: found.background.idle)
        assert found.state.round == 2


async def test_a_damaged_table_does_not_affect_the_others(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        good = await opened(lobby)
        await lobby.services.store.save(stored("playing", PERSON))
        await lobby.services.store.append("crashed", 1, 0, [Entry(0, "sing")], 0.0)
    async with lobby_at(tmp_path) as lobby:
        with pytest.raises(GramyError):
            await lobby.find("crashed")
        assert (await lobby.find(good.id)).state.status == WAITING


async def test_a_match_of_another_rules_version_is_not_loaded(tmp_path: Path) -> None:
    async with lobby_at(tmp_path) as lobby:
        lines = [Entry(6, "deal first 0"), Entry(6, "deal 10 20 30 40 50 55"), Entry(6, "deal 11 21 31 41 51 56")]
        await lobby.services.store.save(stored("playing", PERSON)._replace(version=0))
        await lobby.services.store.append("crashed", 1, 0, lines, 0.0)
        with pytest.raises(GramyError):
            await lobby.find("crashed")


async def test_visitors_who_ask_for_the_list_at_once_share_a_query(tmp_path: Path) -> None:
    """One address may ask two hundred times at once. Moves would wait for seconds behind that many queries."""
    async with lobby_at(tmp_path) as lobby:
        link = StoreLink(lobby.services.store)
        lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
        asking = [asyncio.create_task(lobby.listed()) for _ in range(100)]
        await until(lambda: link.calls["listed_tables"] == 1)
        table, _, _ = await lobby.open("gra", {}, [None, None], True, None, "Ada", "ada")
        later = await asyncio.gather(*(lobby.listed() for _ in range(100)))
        assert all([one["table"] for one in found] == [table.id] for found in later)  # it was opened before they asked
        await asyncio.gather(*asking)
        assert link.calls["listed_tables"] <= 3
        link.whole = False
        with pytest.raises(StoreUnavailable):
            await lobby.listed()
        link.whole = True
        assert await lobby.listed()
