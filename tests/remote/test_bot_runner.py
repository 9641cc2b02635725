"""BotRunner in this process: other programs with its token, refusals, failures and people who do nothing."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from gramy.arena.entrant import parse_entrant
from gramy.messages import Message
from gramy.remote import RemoteError, Server, TableConnection, player
from gramy.remote.account import BotPlan, BotRunner
from gramy.table.store import StoreUnavailable, WriteUnknown
from tests.remote.test_connection import play
from tests.starting import by_lot
from tests.web.client import serving

GAMES = ("face-to-face", "quick-easy", "gra")


async def test_the_earlier_of_two_programs_with_one_token_stops_and_says_why(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), asyncio.timeout(30):
        _, token = await lobby.bot_accounts.issue("Zorro")
        async with Server(address) as ada, Server(address, token) as one, Server(address, token) as two:
            plan = BotPlan(parse_entrant("easy"), GAMES)
            earlier = asyncio.create_task(BotRunner(one, plan, lambda line: None).take_challenges())
            while not await ada.ask("GET", "/api/bots"):
                await asyncio.sleep(0.01)
            later = asyncio.create_task(BotRunner(two, plan, lambda line: None).take_challenges())
            with pytest.raises(RemoteError) as error:
                await earlier
            assert error.value.key == "bot_token_used_twice"
            assert await ada.ask("GET", "/api/bots")  # the later one takes challenges
            assert not later.done()
            later.cancel()
            await asyncio.gather(later, return_exceptions=True)


class FailingStore:
    """A store that does not write some lines, and writes others without an answer."""

    def __init__(self, store: Any) -> None:
        self.store, self.writes = store, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def append(self, *words: Any, **more: Any) -> Any:
        self.writes += 1
        if self.writes % 5 == 0:
            raise StoreUnavailable("a test")
        answer = await self.store.append(*words, **more)
        if self.writes % 7 == 0:
            raise WriteUnknown("a test")
        return answer


async def patient_play(table: TableConnection, rng: random.Random) -> str:
    """Play random moves, again after a failure of the store, until the match is over; return how it ended."""
    async for now in table:
        if now.table.status == "finished":
            assert now.view is not None
            assert now.view.outcome is not None
            return now.view.outcome.key
        while now.must_move and table.now is now:
            assert now.view is not None
            await table.move(rng.choice(now.view.moves))
    raise AssertionError


async def test_a_bot_stays_in_its_match_when_the_store_fails_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "SAVE_RETRY", 0.05)
    lines: list[Message] = []
    async with serving(tmp_path) as (address, lobby), asyncio.timeout(60):
        _, token = await lobby.bot_accounts.issue("Zorro")
        async with Server(address) as ada, Server(address, token) as server:
            seated = await ada.open("face-to-face", [None, None], "Ada", by_lot("face-to-face"))
            real = lobby.services.store
            lobby.services.store = FailingStore(real)  # type: ignore[assignment]  # it answers by name
            plan = BotPlan(parse_entrant("random"), GAMES, matches=1)
            playing = asyncio.create_task(BotRunner(server, plan, lines.append).join(seated.table))
            async with TableConnection(ada, seated.table, seated.token) as table:
                ended = await patient_play(table, random.Random(4))
            assert await playing == 1
            lobby.services.store = real
    assert ended != "abandoned"
    assert "match_over" in [line.key for line in lines]


async def test_a_bot_that_fails_in_one_game_declines_it_and_plays_the_others(tmp_path: Path) -> None:
    file = tmp_path / "half.py"
    file.write_text(
        "def choose(view, history, rng, budget):\n"
        "    return rng.choice(view.moves) if view.game == 'gra' else 'nonsense'\n"
    )
    lines: list[Message] = []
    async with serving(tmp_path) as (address, lobby), asyncio.timeout(100):
        account, token = await lobby.bot_accounts.issue("Zorro")
        async with Server(address) as ada, Server(address, token) as server:
            plan = BotPlan(parse_entrant(str(file)), GAMES, matches=1)
            runner = asyncio.create_task(BotRunner(server, plan, lines.append).take_challenges())
            for game in ("face-to-face", "gra"):
                while not await ada.ask("GET", "/api/bots"):
                    await asyncio.sleep(0.02)
                seated = await ada.open(game, [None, None], "Ada")
                await ada.ask("POST", f"/api/tables/{seated.table}/challenge", {"bot": account.id})
                async with TableConnection(ada, seated.table, seated.token) as table:
                    await play(table, random.Random(3))
                while game == "face-to-face" and "game_given_up" not in [line.key for line in lines]:
                    await asyncio.sleep(0.02)
            assert await runner == 1


async def test_a_bot_leaves_when_nobody_plays_although_people_come_and_go(tmp_path: Path) -> None:
    lines: list[Message] = []
    async with serving(tmp_path) as (address, lobby), asyncio.timeout(60):
        _, token = await lobby.bot_accounts.issue("Zorro")
        async with Server(address) as ada, Server(address, token) as server:
            seated = await ada.open("face-to-face", [None, None], "Ada", by_lot("face-to-face"))
            plan = BotPlan(parse_entrant("random"), GAMES, idle=1.0)
            playing = asyncio.create_task(BotRunner(server, plan, lines.append).join(seated.table))
            while not playing.done():  # each visit gives the bot a new snapshot
                async with TableConnection(ada, seated.table, seated.token) as table:
                    await anext(table)
                await asyncio.sleep(0.1)
            assert await playing == 0
    assert lines[-1].key == "nobody_plays"
