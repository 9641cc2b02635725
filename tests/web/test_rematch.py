"""After a match: rematches and replays over real sockets."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from gramy.contract import DEALER
from tests.web.client import BOT, pair, play_on, serving, visiting


async def test_a_rematch_keeps_the_seats_and_begins_when_all_present_have_asked(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        table = mine.now["table"]["table"]
        assert (await mine.do("rematch"))["key"] == "match_not_over"
        await play_on([mine, theirs], random.Random(3))
        first = mine.lines.copy()
        assert await mine.do("rematch") is None
        assert (mine.now["table"]["round"], mine.now["rematch"]) == (1, [0])
        await theirs.until(lambda now: now["rematch"] == [0])
        assert await theirs.do("rematch") is None
        for client in (mine, theirs):
            await client.until(lambda now: now["table"]["round"] == 2)
            assert client.now["table"]["status"] == "playing"
            assert client.outcome is None
            assert client.now["rematch"] == []
        assert (mine.seat, theirs.seat) == (0, 1)
        assert [seat["name"] for seat in mine.now["table"]["seats"]] == ["Ada", "Bob"]
        status, replay = await ada.get(f"api/replay/{table}/1?seat=0")
        assert status == 200
        assert [step["move"] for step in replay["steps"]] == [line["move"] for line in first]
        for asked in ("2", "3", "0", "-1", "1.0", "x", "99999999", "²"):
            status, body = await ada.get(f"api/replay/{table}/{asked}")
            assert (status, body["error"]["key"]) == (400, "match_not_over"), asked
        await play_on([mine, theirs], random.Random(4))
        assert (await ada.get(f"api/record/{table}/2"))[0] == 200


async def test_a_rematch_does_not_wait_for_an_absent_player(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        await play_on([mine, theirs], random.Random(3))
        await theirs.socket.close()
        await mine.until(lambda now: not now["table"]["seats"][1]["online"])
        assert await mine.do("rematch") is None
        await mine.until(lambda now: now["table"]["round"] == 2)


async def test_a_rematch_begins_when_the_last_player_without_a_request_leaves(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        await play_on([mine, theirs], random.Random(3))
        assert await mine.do("rematch") is None
        await theirs.socket.close()
        await asyncio.wait_for(mine.until(lambda now: now["table"]["round"] == 2), 2)


async def test_a_replay_needs_an_existing_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("quick-easy", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        await play_on([client], random.Random(5))
        for seat in ("2", "-1", "6", "x", "", "0" * 50):
            status, body = await ada.get(f"api/replay/{opened['table']}/1?seat={seat}")
            assert (status, body["error"]["key"]) == (400, "no_such_seat")
        hands = [(await ada.get(f"api/replay/{opened['table']}/1?seat={seat}"))[1] for seat in (0, 1)]
        dealt = [
            [step["move"] for step in hand["steps"] if step["seat"] == DEALER and "?" not in step["move"]]
            for hand in hands
        ]
        assert dealt[0] != dealt[1]
