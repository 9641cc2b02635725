"""Loading a table while another server deals: its row and its log are read one after the other."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from gramy.matches import Entry
from gramy.table.lobby import Lobby
from gramy.table.rows import row_of, state_of
from gramy.table.store import PLAYING, Store
from gramy.table.table import Table
from gramy.table.waiting_room import configure, rename, start
from tests.table.services import lobby_at
from tests.table.test_state import taken, waiting

JOKERS = {"players": "3", "starter": "lot", "jokers": "on"}


async def opened(lobby: Lobby) -> Table:
    table, _, _ = await lobby.open(
        "gra", {"players": "3", "starter": "lot"}, [None, None, "easy"], False, None, "Ada", "ada"
    )
    return table


def deal_between(monkeypatch: pytest.MonkeyPatch, store: Store, table: Table) -> None:
    """Let another server change the variants and deal, after a row was read here and before its lines are."""
    read = store.lines

    async def lines(id: str, round: int, number: int = 0) -> list[Entry]:
        if table.state.match is None:
            await table.change(partial(configure, opener=0, options=JOKERS, control=None))
            await table.change(partial(start, opener=0, bots="easy"))
        return await read(id, round, number)

    monkeypatch.setattr(store, "lines", lines)


def is_as_dealt(there: Table, dealt: Table) -> bool:
    match = there.state.match
    assert match is not None
    assert there.state.status == PLAYING
    assert match.game.option_texts == there.state.game.option_texts == dealt.state.game.option_texts
    return match.log[:3] == dealt.state.match.log[:3]


async def test_a_table_is_loaded_with_the_variants_that_were_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby_at(tmp_path) as one, lobby_at(tmp_path) as other:
        table = await opened(one)
        deal_between(monkeypatch, other.services.store, table)
        assert is_as_dealt(await other.find(table.id), table)


async def test_a_table_is_loaded_again_with_the_variants_that_were_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby_at(tmp_path) as one, lobby_at(tmp_path) as other:
        table = await opened(one)
        there = await other.find(table.id)
        await table.change(partial(rename, seat=0, name="Adele"))
        deal_between(monkeypatch, other.services.store, table)
        await there.refresh()
        assert is_as_dealt(there, table)


def test_a_match_of_other_variants_is_not_continued() -> None:
    plain, jokers = (taken(waiting("gra", players=2, jokers=on, starter="lot"), "Ada", "Bob") for on in (False, True))
    assert jokers.match is not None
    found = state_of(row_of(jokers), jokers.match.log, 1000.0, plain)
    assert found.match is not None
    assert found.match.game.option_texts["jokers"] == "on"
    assert found.match.log == jokers.match.log
