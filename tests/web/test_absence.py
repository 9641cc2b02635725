"""Leaving, coming back and being absent over real sockets."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from gramy.table.services import Times
from tests.clock import Time
from tests.web.client import BOT, Client, pair, play_on, serving, visiting

NO_VOTES = {"voters": [0], "votes": {}}


def board(client: Client) -> Any:
    return client.now["view"]["board"]


# --- coming and going -------------------------------------------------------------------------------------------------


async def test_leaving_a_waiting_table_opens_the_seat_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("quick-easy", [None, None, None], options={"players": "3"}, public=True)
        mine = await ada.sit(opened["table"], opened["token"])
        joined = await bob.join(opened["table"], seat=2)
        theirs = await bob.sit(opened["table"], joined["token"])
        assert await theirs.do("leave") is None
        assert theirs.seat is None
        await mine.until(lambda now: now["table"]["seats"][2]["kind"] == "open")
        assert mine.now["table"]["seats"][2]["name"] == ""
        assert (await bob.sit(opened["table"], joined["token"])).seat is None
        assert (await bob.sit(opened["table"])).seat is None
        again = await bob.join(opened["table"], seat=2)
        assert again["token"] != joined["token"]
        assert (await bob.sit(opened["table"], again["token"])).seat == 2


async def test_a_bot_plays_on_for_a_player_who_leaves_a_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        assert await theirs.do("leave") is None
        await theirs.socket.close()
        await mine.until(lambda now: now["table"]["seats"][1]["stand_in"])
        await play_on([mine], random.Random(6))
        assert mine.outcome is not None
        assert mine.outcome["key"] != "abandoned"
        assert any(line["seat"] == 1 for line in mine.lines)


async def test_a_match_ends_when_its_last_person_leaves(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        assert await client.do("leave") is None
        assert client.now["table"]["status"] == "finished"
        assert client.outcome == {"winners": [], "key": "abandoned", "values": {}}
        assert client.now["effects"] == client.now["refusals"] == {}
        lines = client.now["lines"]
        assert (await client.move("choose 1"))["key"] == "no_match_running"
        assert client.now["lines"] == lines


async def test_a_token_opens_its_seat_from_another_device(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as phone:
        opened = await ada.open("face-to-face", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        other = await phone.sit(opened["table"], opened["token"])
        assert other.seat == 0
        assert board(other)["halves"][0]["hand"]
        await client.until(lambda now: 0 in now["view"]["to_act"])
        await other.until(lambda now: now["lines"] == client.now["lines"])
        assert client.now["view"] == other.now["view"]
        assert await other.move(other.now["view"]["moves"][0]) is None
        await client.until(lambda now: now["lines"] >= other.now["lines"])
        await client.socket.close()
        assert await other.do("undo", at=other.now["lines"]) is None
        assert other.now["absent"] == []


async def test_a_wrong_token_only_watches_even_with_a_valid_cookie(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("face-to-face", [None, BOT])
        for token in ("x", opened["token"][:-1], opened["token"] + "A", opened["token"].swapcase()):
            client = await ada.sit(opened["table"], token)
            assert client.seat is None
            assert all(half["hand"] is None for half in board(client)["halves"])
            assert (await client.do("leave"))["key"] == "spectators_watch"


async def test_a_guests_cookie_opens_the_seat_and_a_forged_one_does_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("face-to-face", [None, BOT])
        assert (await ada.sit(opened["table"])).seat == 0
        assert (await eve.sit(opened["table"])).seat is None
        (cookie,) = ada.session.cookie_jar
        assert cookie.key == "guest"
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        value = cookie.value
        signed = value.rindex(".") + 5  # inside the signature; its last letter has unused bits
        forged = [value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :] for at in (0, 8, signed)]
        forged += [value[: value.rindex(".")], "", "x" * 3000]
        for wrong in forged:
            eve.session.cookie_jar.update_cookies({"guest": wrong})
            assert (await eve.sit(opened["table"])).seat is None, wrong
        eve.session.cookie_jar.update_cookies({"guest": value})
        assert (await eve.sit(opened["table"])).seat == 0


# --- absent players ------------------------------------------------------------------------------------------------


async def vanished(mine: Client, theirs: Client) -> None:
    await theirs.socket.close()
    await mine.until(lambda now: now["absent"])


async def test_the_others_decide_only_after_the_stated_time_of_absence(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face")
        missing = {"key": "nobody_absent", "values": {}, "game": ""}
        assert await mine.do("absent", seat=1, choice="end") == missing
        await vanished(mine, theirs)
        assert mine.now["absent"] == [{"seat": 1, "seconds": 20.0, "can_decide": False, **NO_VOTES}]
        time.pass_by(19.9)
        for choice in ("wait", "bot", "end"):
            assert await mine.do("absent", seat=1, choice=choice) == missing
        assert await mine.do("absent", seat=0, choice="end") == missing
        time.pass_by(0.1)

        assert await mine.do("absent", seat=1, choice="wait") is None
        assert mine.now["absent"] == [{"seat": 1, "seconds": 60.0, "can_decide": False, **NO_VOTES}]
        assert await mine.do("absent", seat=1, choice="bot") == missing
        time.pass_by(60)
        assert await mine.do("absent", seat=5, choice="bot") == missing
        assert await mine.do("absent", seat=1, choice="end") is None
        assert mine.now["table"]["status"] == "finished"
        assert mine.outcome == {"winners": [], "key": "abandoned", "values": {}}


async def test_a_snapshot_says_when_the_others_may_decide(tmp_path: Path) -> None:
    times = Times(pause=0, away=0.2, wait=0.2, seed_wait=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face")
        await vanished(mine, theirs)
        await mine.until(lambda now: now["absent"][0]["can_decide"])
        assert await mine.do("absent", seat=1, choice="wait") is None
        await mine.until(lambda now: not now["absent"][0]["can_decide"])
        await mine.until(lambda now: now["absent"][0]["can_decide"])


async def test_a_bot_plays_for_an_absent_player_until_they_are_back(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        mine = await ada.sit(opened["table"], opened["token"])
        theirs = await bob.sit(opened["table"], joined["token"])
        await mine.until(lambda now: now["table"]["seats"][1]["online"])
        await vanished(mine, theirs)
        time.pass_by(30)
        assert await mine.do("absent", seat=1, choice="bot") is None
        assert mine.now["absent"] == []
        assert mine.now["table"]["seats"][1]["stand_in"]
        while mine.now["view"]["to_act"] == [0]:
            await play_on([mine], random.Random(7), most=1)
        await mine.until(lambda now: now["view"]["to_act"] == [0] or now["view"]["outcome"])
        assert [line for line in mine.lines if line["seat"] == 1]

        back = await bob.sit(opened["table"], joined["token"])
        assert back.seat == 1
        await mine.until(lambda now: now["table"]["seats"][1]["online"] and not now["table"]["seats"][1]["stand_in"])
        assert mine.now["thinking"] == []


async def test_a_player_who_is_back_is_told_once_what_a_bot_did_for_them(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        table = mine.now["table"]["table"]
        assert theirs.now["bot_played"] is None
        await vanished(mine, theirs)
        time.pass_by(20)
        assert await mine.do("absent", seat=1, choice="bot") is None
        await play_on([mine], random.Random(7), most=12)
        await mine.until(lambda now: now["view"]["to_act"] == [0] or now["view"]["outcome"])
        made = sum(line["seat"] == 1 and not line["move"].startswith("say ") for line in mine.lines)
        assert made > 0
        assert mine.now["bot_played"] is None

        back = await bob.sit(table)
        await back.until(lambda now: now["bot_played"])
        last = max(
            at for at, line in enumerate(back.lines) if line["seat"] == 1 and not line["move"].startswith("say ")
        )
        assert back.now["bot_played"] == {"reason": "others", "since": time(), "moves": made, "line": last}
        assert await back.do("acknowledge") is None
        assert back.now["bot_played"] is None
        assert (await bob.sit(table)).now["bot_played"] is None


async def test_two_of_three_players_decide_together_about_the_third(tmp_path: Path) -> None:
    time = Time()
    async with (
        serving(tmp_path, now=time) as (address, lobby),
        visiting(address) as ada,
        visiting(address) as bob,
        visiting(address) as cem,
    ):
        opened = await ada.open("gra", [None, None, None], options={"players": "3"})
        table = opened["table"]
        mine = await ada.sit(table)
        await bob.join(table)
        await cem.join(table, "Cem")
        theirs, third = await bob.sit(table), await cem.sit(table)
        await mine.until(lambda now: all(seat["online"] for seat in now["table"]["seats"]))
        await third.socket.close()
        await mine.until(lambda now: now["absent"])
        time.pass_by(20)
        assert await mine.do("absent", seat=2, choice="end") is None
        await theirs.until(lambda now: now["absent"] and now["absent"][0]["votes"])
        assert theirs.now["absent"][0]["votes"] == {"0": "end"}
        assert theirs.now["absent"][0]["voters"] == [0, 1]
        assert await mine.do("absent", seat=2, choice=None) is None
        assert mine.now["absent"][0]["votes"] == {}
        assert await mine.do("absent", seat=2, choice="bot") is None
        assert not mine.now["table"]["seats"][2]["stand_in"]
        assert await theirs.do("absent", seat=2, choice="bot") is None
        assert theirs.now["table"]["seats"][2]["stand_in"]
        assert lobby.tables[table].state.people.votes == {}


async def test_votes_are_dropped_when_the_absent_player_is_back(tmp_path: Path) -> None:
    time = Time()
    async with (
        serving(tmp_path, now=time) as (address, lobby),
        visiting(address) as ada,
        visiting(address) as bob,
        visiting(address) as cem,
    ):
        opened = await ada.open("gra", [None, None, None], options={"players": "3"})
        table = opened["table"]
        mine = await ada.sit(table)
        await bob.join(table)
        await cem.join(table, "Cem")
        await bob.sit(table)
        third = await cem.sit(table)
        await mine.until(lambda now: all(seat["online"] for seat in now["table"]["seats"]))
        await third.socket.close()
        await mine.until(lambda now: now["absent"])
        time.pass_by(20)
        assert await mine.do("absent", seat=2, choice="end") is None
        await cem.sit(table)
        await mine.until(lambda now: not now["absent"] and not lobby.tables[table].state.people.votes)


async def test_a_player_who_is_back_in_time_is_no_longer_absent(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face")
        await vanished(mine, theirs)
        time.pass_by(100)
        back = await bob.sit(mine.now["table"]["table"])
        assert back.seat == 1
        await mine.until(lambda now: not now["absent"])
        assert (await mine.do("absent", seat=1, choice="bot"))["key"] == "nobody_absent"


async def test_nobody_decides_for_a_bot_or_before_the_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("quick-easy", [None, None, BOT], options={"players": "3"})
        client = await ada.sit(opened["table"], opened["token"])
        for seat in (1, 2):
            assert (await client.do("absent", seat=seat, choice="end"))["key"] == "nobody_absent"
