"""The waiting room over the protocol: on one server, across a restart, and on two servers."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gramy.messages import Message
from gramy.table.services import Times
from gramy.text import LANGUAGES, say
from tests.clock import Time
from tests.web.client import GENEROUS, Client, Visitor, serving, visiting
from tests.web.test_cluster import Two, fork_server, two_nodes

__all__ = ["fork_server", "two_nodes"]  # fixtures


async def room(*visitors: Visitor, players: int = 4, **words: Any) -> list[Client]:
    """A table of GRA that the first visitor opens and the others join; all have it open."""
    seats = [None] * players
    opened = await visitors[0].open("gra", seats, options={"players": str(players)}, **words)
    clients = [await visitors[0].sit(opened["table"], opened["token"])]
    for visitor, name in zip(visitors[1:], ("Bob", "Cem", "Dan"), strict=False):
        joined = await visitor.join(opened["table"], name)
        clients.append(await visitor.sit(opened["table"], joined["token"]))
    for client in clients:
        await client.until(lambda now: names(now)[: len(visitors)] == ["Ada", "Bob", "Cem", "Dan"][: len(visitors)])
        await client.until(lambda now: sum(seat["online"] for seat in now["table"]["seats"]) == len(visitors))
    return clients


def names(now: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in now["table"]["seats"]]


@contextlib.asynccontextmanager
async def people(*addresses: str) -> AsyncIterator[list[Visitor]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(visiting(address)) for address in addresses]


COMMANDS = {
    "bot": {"seat": 2, "level": "easy"},
    "start": {"bots": "easy"},
    "configure": {"options": {"players": "3"}, "clock": None},
    "handover": {"seat": 1},
    "remove": {"seat": 1, "block": False},
}


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_guest_who_arranges_the_table_is_told_who_may(tmp_path: Path, command: str) -> None:
    async with serving(tmp_path) as (address, _), people(address, address, address) as visitors:
        _, bob, _ = await room(*visitors)
        before = bob.now["table"]
        refused = await bob.do(command, **{**COMMANDS[command], **({"seat": 2} if command == "handover" else {})})
        assert refused is not None
        assert refused["key"] in ("only_opener", "only_opener_removes")
        message = Message(refused["key"], refused["values"])
        assert len({say(message, language) for language in LANGUAGES}) == len(LANGUAGES)
        assert bob.now["table"] == before


@pytest.mark.parametrize("command", COMMANDS)
async def test_spectators_arrange_nothing(tmp_path: Path, command: str) -> None:
    async with serving(tmp_path) as (address, _), people(address, address) as (ada, eve):
        (client,) = await room(ada)
        beside = await eve.sit(client.now["table"]["table"])
        refused = await beside.do(command, **COMMANDS[command])
        assert refused is not None
        assert refused["key"] == "spectators_watch"


async def test_a_table_is_arranged_and_started_by_commands(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), people(address, address, address) as visitors:
        ada, bob, cem = await room(*visitors, players=5)
        assert await ada.do("bot", seat=3, level="hard") is None
        assert await bob.do("rename", name="Bea") is None
        assert await ada.do("remove", seat=1, name="Bea", block=False) is None
        await bob.until(lambda now: now["you"] is None)
        # Ada, a free seat, Cem, a bot and a free seat: three of them are taken
        options = {"players": "3", "jokers": "on"}
        assert await ada.do("configure", options=options, clock={"minutes": 5, "seconds": 10}) is None
        await cem.until(lambda now: now["you"] == 1 and now["table"]["options"]["jokers"] == "on")
        assert names(cem.now) == ["Ada", "Cem", "Leo"]
        assert await ada.do("handover", seat=1, name="Cem") is None
        assert await cem.do("start", bots=None) is None
        begun = await ada.until(lambda now: now["view"] is not None)
        assert begun["table"]["options"]["jokers"] == "on"
        assert [round(left / 60) for left in begun["clock"]["left"]] == [5] * 3


async def test_the_others_have_time_to_see_changed_settings_before_the_start(tmp_path: Path) -> None:
    time, times = Time(), Times(pause=0.001, seed_wait=0)
    async with serving(tmp_path, now=time, times=times) as (address, _), people(address, address) as visitors:
        ada, bob = await room(*visitors)
        assert await ada.do("configure", options={"players": "4", "jokers": "on"}, clock=None) is None
        refused = await ada.do("start", bots="easy")
        assert refused is not None
        assert refused["key"] == "settings_just_changed"
        time.pass_by(times.settings)
        assert await ada.do("start", bots="easy") is None
        begun = await bob.until(lambda now: now["view"] is not None)
        assert begun["table"]["options"]["jokers"] == "on"


async def test_what_was_arranged_is_there_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), people(address, address) as visitors:
        ada, bob = await room(*visitors, players=6)
        assert await ada.do("configure", options={"players": "3", "jokers": "on"}, clock=None) is None
        assert await ada.do("bot", seat=2, level="hard") is None
        assert await ada.do("handover", seat=1) is None
        table = (await bob.until(lambda now: now["table"]["opener"] == 1))["table"]
        kept = [{cookie.key: cookie.value for cookie in visitor.session.cookie_jar} for visitor in visitors]
    async with serving(tmp_path) as (address, _), people(address, address) as visitors:
        for visitor, jar in zip(visitors, kept, strict=True):
            visitor.session.cookie_jar.update_cookies(jar)
        clients = [await visitor.sit(table["table"]) for visitor in visitors]
        now = await clients[1].until(lambda now: all(seat["online"] for seat in now["table"]["seats"]))
        assert now["table"] == table
        assert now["deal"]["phase"] == "wait"
        assert await clients[1].do("start", bots="easy") is None
        await clients[0].until(lambda now: now["view"] is not None)


async def test_everybody_sees_who_is_away_since_when_and_who_inherits_the_table(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), people(address, address, address) as visitors:
        ada, _, cem = await room(*visitors)
        await ada.socket.close()
        now = await cem.until(lambda now: not now["table"]["seats"][0]["online"])
        assert now["table"]["seats"][0]["away_since"] == round(time())
        assert now["table"]["successor"] == {"seat": 1, "at": round(time()) + Times().succession}
        time.pass_by(Times().succession + 1)
        await cem.do("rename", name="Cem")  # the timer of the table runs in real time
        now = await cem.until(lambda now: now["table"]["opener"] == 1)
        assert now["table"]["successor"] is None


async def test_the_waiting_room_on_two_servers_with_postgresql_and_redis(two_nodes: Two) -> None:
    async with two_nodes() as (first, second), people(*[first.address, second.address] * 2) as visitors:
        ada, bob, cem, dan = await room(*visitors, players=6)
        assert await ada.do("bot", seat=4, level="easy") is None
        assert await ada.do("remove", seat=1, name="Bob", block=False) is None
        await bob.until(lambda now: now["you"] is None)
        assert await ada.do("configure", options={"players": "4", "jokers": "on"}, clock=None) is None
        for client, seat in ((ada, 0), (cem, 1), (dan, 2)):  # at both servers people have moved up
            await client.until(lambda now, seat=seat: now["you"] == seat and len(now["table"]["seats"]) == 4)
            await client.until(lambda now: [seat["online"] for seat in now["table"]["seats"]] == [True] * 4)
        assert await ada.do("handover", seat=2, name="Dan") is None
        await dan.until(lambda now: now["table"]["opener"] == 2)
        assert await dan.do("start", bots=None) is None
        for client in (ada, cem, dan):
            begun = await client.until(lambda now: now["view"] is not None)
            assert names(begun) == ["Ada", "Cem", "Dan", "Zuza"]
            assert begun["table"]["options"]["jokers"] == "on"


async def test_a_player_may_not_change_names_without_end(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, limits=replace(GENEROUS, talk_a_minute=5)) as (address, _),
        people(address) as visitors,
    ):
        (ada,) = await room(*visitors)
        keys = {(await ada.do("rename", name=f"Ada {number}") or {}).get("key") for number in range(30)}
        assert keys == {None, "too_much_talk"}
