"""A table that may be old is paused, not shown: what one server acknowledged, no other server leaves out."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gramy.matches import Entry
from gramy.table.services import Times
from gramy.table.state import stand_in
from gramy.table.store import Store, StoreUnavailable
from gramy.table.table import Table
from tests.table.services import Time, Watcher, Wire, first_move, lobby_at, move, until

TIMES = Times(pause=0, seed_wait=0, retry=0.01, confirm_every=0.01)


class StoreLink:
    """The way from a server to its store, which a test may cut; it counts the calls that pass."""

    def __init__(self, store: Store) -> None:
        self.store, self.whole = store, True
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        async def call(*words: Any, **more: Any) -> Any:
            if name != "close":
                self.calls[name] += 1
                if not self.whole:
                    raise StoreUnavailable("the link is cut")
            return await getattr(self.store, name)(*words, **more)

        return call


@contextlib.asynccontextmanager
async def duel(folder: Path, wire: Wire, time: Time) -> AsyncIterator[tuple[list[Table], list[StoreLink], Watcher]]:
    """Yield a duel at two servers, their links to the store, and a spectator at the second."""
    async with (
        lobby_at(folder, time, TIMES, bus=wire.end()) as here,
        lobby_at(folder, time, TIMES, bus=wire.end()) as there,
    ):
        links = []
        for lobby in (here, there):
            link = StoreLink(lobby.services.store)
            lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
            links.append(link)
        table, _, _ = await here.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        other = await there.find(table.id)
        await other.sit("Bob", "bob", None)
        watcher = Watcher(None)
        other.enter(watcher)
        await until(lambda: table.state.match is not None and other.state.match is not None)
        yield [table, other], links, watcher


async def test_a_server_that_has_lost_the_store_does_not_let_anybody_in_with_an_old_board(tmp_path: Path) -> None:
    """The store and another server die together: what that server acknowledged is unknown here."""
    wire = Wire()
    async with duel(tmp_path, wire, Time()) as ((here, there), links, _):
        wire.whole = False
        links[1].whole = False
        await first_move(here)
        with pytest.raises(StoreUnavailable):
            await there.seat_of(None, "ada")
        links[1].whole = True
        assert await there.seat_of(None, "ada") is not None
        assert there.state.match.log == here.state.match.log


async def test_viewers_are_paused_when_the_store_has_confirmed_nothing_for_some_seconds(tmp_path: Path) -> None:
    time, wire = Time(), Wire()
    async with duel(tmp_path, wire, time) as ((here, there), links, watcher):
        await until(lambda: there.pause() is None)
        wire.whole = False
        links[1].whole = False
        await first_move(here)
        time.pass_by(TIMES.confirmed_for - 0.1)
        assert there.pause() is None
        time.pass_by(0.2)
        watcher.notified = False
        await until(lambda: watcher.notified)  # nobody asked: the server itself finds out
        paused = there.pause()
        assert paused is not None
        assert paused.key == "table_paused"
        watcher.notified = False
        links[1].whole = True
        await until(lambda: there.pause() is None)
        assert watcher.notified
        assert there.state.match.log == here.state.match.log


async def test_a_server_that_was_frozen_shows_nothing_before_the_store_has_confirmed_it(tmp_path: Path) -> None:
    time, wire = Time(), Wire()
    async with duel(tmp_path, wire, time) as ((_, there), links, _):
        links[1].whole = False
        time.pass_by(3600)
        assert there.pause() is not None  # at once, before any timer of the server runs


async def test_a_move_confirms_the_table_without_another_question_to_the_store(tmp_path: Path) -> None:
    time = Time()
    slow = Times(pause=0, seed_wait=0, confirm_every=3600)
    async with lobby_at(tmp_path, time, slow, bus=Wire().end()) as lobby:
        table, _, _ = await lobby.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        await table.sit("Bob", "bob", None)
        link = StoreLink(lobby.services.store)
        lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
        for _ in range(3):
            time.pass_by(0.9 * slow.confirmed_for)
            await first_move(table)
            assert table.pause() is None
        assert link.calls == {"append": 3}


async def test_a_server_that_is_alone_asks_nothing_and_is_never_paused(tmp_path: Path) -> None:
    time = Time()
    async with lobby_at(tmp_path, time) as lobby:
        table, _, _ = await lobby.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        await table.sit("Bob", "bob", None)
        link = StoreLink(lobby.services.store)
        lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
        time.pass_by(3600)
        await first_move(table)
        assert await table.seat_of(None, "ada") is not None
        assert table.pause() is None
        assert link.calls == {"append": 1}


async def test_a_command_that_the_store_refused_is_tried_again_under_the_same_id(tmp_path: Path) -> None:
    """A client that lost the answer sends the command again; by then the store may be back."""
    async with lobby_at(tmp_path) as lobby:
        table, _, _ = await lobby.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        await table.sit("Bob", "bob", None)
        link = StoreLink(lobby.services.store)
        lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
        (seat,) = table.state.match.to_act
        text = table.state.match.view(seat).moves[0]
        link.whole = False
        assert await move(table, seat, text, "c1") == "not_saved"
        link.whole = True
        assert await move(table, seat, text, "c1") == ""
        assert [line.text for line in table.state.match.log if line.seat == seat] == [text]


async def test_a_log_that_cannot_be_replayed_pauses_its_table_until_it_is_repaired(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with lobby_at(tmp_path, times=TIMES) as lobby:
        link = StoreLink(lobby.services.store)
        lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
        table, _, _ = await lobby.open("face-to-face", {}, [None, None], True, None, "Ada", "ada")
        await table.sit("Bob", "bob", None)
        watcher, lines = Watcher(None), len(table.state.match.log)
        table.enter(watcher)
        await link.append(table.id, 1, lines, [Entry(0, "sing")])
        (seat,) = table.state.match.to_act
        watcher.notified = False
        with caplog.at_level(logging.ERROR):
            assert await move(table, seat, table.state.match.view(seat).moves[0], "c1") == "not_saved"
            paused = table.pause()
            assert paused is not None
            assert paused.key == "table_unreadable"
            assert watcher.notified
            await until(lambda: link.calls["lines"] > 3)  # it is loaded again and again, and logged once
        assert [record.getMessage() for record in caplog.records] == ["a table is paused"]
        await link.store.run(  # type: ignore[attr-defined]  # the real store of a file
            lambda file: file.execute("DELETE FROM entries WHERE text='sing'")
        )
        await until(lambda: table.pause() is None)
        await first_move(table)


async def test_a_bot_that_waits_for_the_store_logs_no_error_at_each_attempt(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """`readiness.py` reports once that the store is away. With thousands of tables the log would fill the disk."""
    async with lobby_at(tmp_path, times=TIMES) as lobby:
        link = StoreLink(lobby.services.store)
        lobby.services.store = link  # type: ignore[assignment]  # it passes all calls on
        table, seat, _ = await lobby.open("face-to-face", {}, [None, "easy"], True, None, "Ada", "ada")
        table.enter(Watcher(seat))
        await until(lambda: table.state.match is not None and table.state.match.to_act == (seat,))
        with caplog.at_level(logging.ERROR):
            await table.attempt(partial(stand_in, seat=seat))
            link.whole, asked = False, link.calls["append"]
            await until(lambda: link.calls["append"] > asked + 2)
        assert not caplog.records
        link.whole = True
