"""Playing over real sockets: whole matches, two people at a table, and everything that can happen between two moves."""

from __future__ import annotations

import asyncio
import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

from gramy import record
from gramy.contract import DEALER
from gramy.fair import Deal, first_unfair
from gramy.table.clock import TimeControl
from gramy.table.lobby import Lobby
from gramy.table.services import Times
from tests.web.client import BOT, GAMES, Client, Time, pair, play_on, serving, turn_of, visiting

each_game = pytest.mark.parametrize(("game", "options", "players"), GAMES, ids=[game for game, *_ in GAMES])


def board(client: Client) -> Any:
    return client.now["view"]["board"]


# --- whole matches ----------------------------------------------------------------------------------------------------


@each_game
async def test_a_whole_match_against_bots_with_its_replay_and_its_record(
    tmp_path: Path, game: str, options: dict[str, str], players: int
) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open(game, [None] + [BOT] * (players - 1), options=options)
        assert opened["seat"] == 0
        client = await ada.sit(opened["table"], opened["token"])
        assert client.now["table"]["status"] == "playing"
        for what in ("replay", "record", "deal"):
            path = f"api/{what}/{opened['table']}/1"
            status, body = await ada.get(path)
            assert (status, body["error"]["key"]) == (400, "match_not_over")

        await play_on([client], random.Random(1))

        assert client.now["table"]["status"] == "finished"
        assert client.outcome is not None
        assert client.now["view"]["to_act"] == client.now["view"]["moves"] == client.now["thinking"] == []
        assert await client.move("end") == {"key": "match_not_on", "values": {}, "game": ""}
        status, text = await ada.get(f"api/record/{opened['table']}/1")
        assert status == 200
        match = record.parse(text)
        assert match.outcome is not None
        assert [entry.seat for entry in match.log] == [line["seat"] for line in client.lines]
        assert list(match.names) == [seat["name"] for seat in client.now["table"]["seats"]]
        status, replay = await ada.get(f"api/replay/{opened['table']}/1?seat=0")
        assert status == 200
        assert [{**step, "view": None} for step in replay["steps"]] == [{**line, "view": None} for line in client.lines]
        assert replay["steps"][-1]["view"] == client.now["view"]
        status, beside = await ada.get(f"api/replay/{opened['table']}/1")
        assert beside["steps"][-1]["view"]["seat"] is None
        status, deal = await ada.get(f"api/deal/{opened['table']}/1")
        assert deal == {
            **deal,
            "commitment": opened["commitment"],
            "client_seeds": client.now["deal"]["client_seeds"],
        }
        assert [one["line"] for one in deal["deals"]] == [
            number for number, line in enumerate(client.lines, 1) if line["seat"] == 6
        ]


@each_game
async def test_two_people_and_a_spectator_read_the_same_log_each_with_own_cards_only(
    tmp_path: Path, game: str, options: dict[str, str], players: int
) -> None:
    async with (
        serving(tmp_path) as (address, _),
        visiting(address) as ada,
        visiting(address) as bob,
        visiting(address) as eve,
    ):
        opened = await ada.open(game, [None, None] + [BOT] * (players - 2), options=options)
        waiting = await ada.sit(opened["table"], opened["token"])
        assert (waiting.now["table"]["status"], waiting.now["view"]) == ("waiting", None)
        joined = await bob.join(opened["table"])
        assert joined["seat"] == 1
        other = await bob.sit(opened["table"], joined["token"])
        beside = await eve.sit(opened["table"])
        await waiting.until(lambda now: now["view"] is not None)
        assert (waiting.seat, other.seat, beside.seat) == (0, 1, None)

        await play_on([waiting, other], random.Random(2))
        await beside.until(lambda now: now["lines"] == waiting.now["lines"])

        assert len(waiting.lines) == len(other.lines) == len(beside.lines)
        secret = 0
        for mine, theirs, public in zip(waiting.lines, other.lines, beside.lines, strict=True):
            assert mine["seat"] == theirs["seat"] == public["seat"]
            assert mine["events"] == theirs["events"] == public["events"]
            verb, *words = public["move"].split()
            if "?" in words:
                secret += 1
                assert set(words) == {"?"}
                assert public["move"] in (mine["move"], theirs["move"])
                assert verb == "deal" or (verb, game) == ("choose", "gra")
            else:
                assert mine["move"] == theirs["move"] == public["move"]
        assert secret >= 2
        assert beside.now["view"]["moves"] == []
        assert beside.now["effects"] == beside.now["refusals"] == {}
        assert "hand" not in board(beside) or board(beside)["hand"] is None
        assert await beside.do("rematch") == {"key": "spectators_watch", "values": {}, "game": ""}


# --- commands ---------------------------------------------------------------------------------------------------------


async def test_the_same_command_twice_is_done_once_and_answered_twice(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "face-to-face"))
        at = mover.now["lines"]
        words = {"id": "once", "at": at, "move": mover.now["view"]["moves"][0]}
        await mover.send("move", **words)
        await mover.send("move", **words)
        answers = 0
        while answers < 2:
            answers += (await mover.receive())["answers"].count("once")
        assert mover.now["lines"] == at + 1
        assert not mover.refused
        wrong = {"id": "wrong", "at": at + 1, "move": "up 99"}
        first, again = await mover.do("move", **wrong), await mover.do("move", **wrong)
        assert first == again
        assert first["key"] == "unreadable"
        await other.until(lambda now: now["lines"] == at + 1)


async def test_a_command_that_is_sent_again_after_a_reconnect_is_not_done_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("quick-easy", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        await client.until(lambda now: 0 in now["view"]["to_act"])
        words = {"id": "one", "at": client.now["lines"], "move": client.now["view"]["moves"][0]}
        assert await client.do("move", **words) is None
        await client.socket.close()
        back = await ada.sit(opened["table"], opened["token"])
        assert await back.do("move", **words) is None
        assert [line["move"] for line in back.lines].count(words["move"]) == 1


async def test_a_move_for_a_moment_that_is_over_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "face-to-face"))
        at = mover.now["lines"]
        assert await mover.move(mover.now["view"]["moves"][0]) is None
        lines = mover.lines.copy()
        for moment in (at, 0, at + 50):
            refusal = await mover.move(mover.now["view"]["moves"][0], at=moment)
            assert refusal == {"key": "too_late", "values": {}, "game": ""}
        assert (await mover.do("undo", at=at))["key"] == "too_late"
        assert mover.lines == lines
        turn = await other.move("end", at=other.now["lines"])
        assert turn["key"] in ("not_your_turn", "too_late")


async def test_talk_in_between_does_not_make_a_move_late(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "quick-easy"))
        at, move = mover.now["lines"], mover.now["view"]["moves"][0]
        assert await other.do("say", at=0, phrase="red low") is None
        assert await mover.move(move, at=at) is None
        assert [line["move"] for line in mover.lines[at:]][:2] == ["say red low", move]


async def test_a_secret_choice_at_the_same_time_does_not_make_a_choice_late(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "gra")
        at = mine.now["lines"]
        assert mine.now["view"]["to_act"] == [0, 1]
        assert await theirs.move(theirs.now["view"]["moves"][0], at=at) is None
        assert await theirs.move(theirs.now["view"]["moves"][0]) is None  # another mind, while nobody is ready
        assert await mine.move(mine.now["view"]["moves"][0], at=at) is None
        assert board(mine)["phase"] == "bidding"
        bidder, checker = turn_of((mine, theirs))
        await checker.until(lambda now: now["lines"] == mine.now["lines"])
        stale = checker.now["lines"]
        assert await bidder.move("bid 1x4") is None
        assert (await checker.move("check", at=stale))["key"] == "too_late"


async def test_undo_takes_the_last_card_back_and_is_a_line_of_its_own(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "face-to-face"))
        before = mover.now["view"]
        assert before["undoable"] is False
        nothing = {"key": "nothing_to_undo", "values": {}, "game": ""}
        assert await mover.do("undo", at=mover.now["lines"]) == nothing
        move = before["moves"][0]
        assert await mover.move(move) is None
        assert mover.now["view"]["undoable"] is True
        await other.until(lambda now: now["lines"] == mover.now["lines"])
        assert other.now["view"]["undoable"] is False
        assert await other.do("undo", at=other.now["lines"]) == nothing
        assert await mover.do("undo", at=mover.now["lines"]) is None
        assert mover.now["view"] == before
        assert [line["move"] for line in mover.lines[-2:]] == [move, "undo"]


async def test_an_illegal_move_is_refused_with_the_reason_that_was_shown_before(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, _ = turn_of(await pair(address, ada, bob, "face-to-face"))
        lines, reasons = mover.now["lines"], mover.now["refusals"]
        assert reasons["end"]["key"] == "lay_two"
        assert not set(reasons) & set(mover.now["view"]["moves"])
        assert set(mover.now["effects"]) <= set(mover.now["view"]["moves"])
        for move, reason in reasons.items():
            assert await mover.move(move) == reason
        for words, key in (("", "empty_move"), ("sing", "unreadable"), ("deal 5", "only_the_dealer_deals")):
            assert (await mover.move(words))["key"] == key
        assert mover.now["lines"] == lines


async def test_only_the_phrases_of_the_game_can_be_said_by_anybody_at_any_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "quick-easy"))
        assert "mine up" in mover.now["phrases"]
        for client in (mover, other):
            assert await client.do("say", at=client.now["lines"], phrase="mine up") is None
            assert client.lines[-1]["events"] == [
                {"key": "said", "values": {"seat": client.seat, "phrase": "mine up"}, "game": "quick-easy"}
            ]
            for phrase in ("I have the red three", "", "RED", "red low <b>"):
                assert (await client.do("say", at=client.now["lines"], phrase=phrase))["key"] == "no_such_phrase"
        silent, _ = turn_of(await pair(address, ada, bob, "face-to-face"))
        assert silent.now["phrases"] == []
        assert (await silent.do("say", at=silent.now["lines"], phrase="red"))["key"] == "no_such_phrase"


# --- after a match ----------------------------------------------------------------------------------------------------


async def test_a_rematch_keeps_the_seats_and_begins_when_everybody_there_asked(tmp_path: Path) -> None:
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


async def test_a_rematch_does_not_wait_for_somebody_who_has_gone(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        await play_on([mine, theirs], random.Random(3))
        await theirs.socket.close()
        await mine.until(lambda now: not now["table"]["seats"][1]["online"])
        assert await mine.do("rematch") is None
        await mine.until(lambda now: now["table"]["round"] == 2)


async def test_a_rematch_begins_when_the_only_one_who_did_not_ask_goes(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        await play_on([mine, theirs], random.Random(3))
        assert await mine.do("rematch") is None
        await theirs.socket.close()
        await asyncio.wait_for(mine.until(lambda now: now["table"]["round"] == 2), 2)


async def test_a_replay_is_of_a_seat_that_exists(tmp_path: Path) -> None:
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


# --- coming and going -------------------------------------------------------------------------------------------------


async def test_leaving_a_table_that_waits_opens_the_seat_again(tmp_path: Path) -> None:
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


async def test_leaving_a_match_lets_a_bot_play_on_for_the_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        assert await theirs.do("leave") is None
        await theirs.socket.close()
        await mine.until(lambda now: now["table"]["seats"][1]["stand_in"])
        await play_on([mine], random.Random(6))
        assert mine.outcome is not None
        assert mine.outcome["key"] != "abandoned"
        assert any(line["seat"] == 1 for line in mine.lines)


async def test_the_last_person_who_leaves_a_match_ends_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        assert await client.do("leave") is None
        assert client.now["table"]["status"] == "finished"
        assert client.outcome == {"winners": [], "key": "abandoned", "values": {}}
        assert client.now["effects"] == client.now["refusals"] == {}
        lines = client.now["lines"]
        assert (await client.move("choose 1"))["key"] == "match_not_on"
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


async def test_a_wrong_token_only_watches_whatever_the_cookie_says(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("face-to-face", [None, BOT])
        for token in ("x", opened["token"][:-1], opened["token"] + "A", opened["token"].swapcase()):
            client = await ada.sit(opened["table"], token)
            assert client.seat is None
            assert all(half["hand"] is None for half in board(client)["halves"])
            assert (await client.do("leave"))["key"] == "spectators_watch"


async def test_the_cookie_of_a_guest_brings_the_seat_back_and_a_forged_one_does_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("face-to-face", [None, BOT])
        assert (await ada.sit(opened["table"])).seat == 0
        assert (await eve.sit(opened["table"])).seat is None
        (cookie,) = ada.session.cookie_jar
        assert cookie.key == "guest"
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        value = cookie.value
        signed = value.rindex(".") + 5  # in the signature; its very last letter has spare bits
        forged = [value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :] for at in (0, 8, signed)]
        forged += [value[: value.rindex(".")], "", "x" * 3000]
        for wrong in forged:
            eve.session.cookie_jar.update_cookies({"guest": wrong})
            assert (await eve.sit(opened["table"])).seat is None, wrong
        eve.session.cookie_jar.update_cookies({"guest": value})
        assert (await eve.sit(opened["table"])).seat == 0


# --- somebody vanishes ------------------------------------------------------------------------------------------------


async def vanished(mine: Client, theirs: Client) -> None:
    await theirs.socket.close()
    await mine.until(lambda now: now["absent"])


async def test_the_others_decide_only_when_somebody_has_been_away_for_the_stated_time(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face")
        missing = {"key": "nobody_missing", "values": {}, "game": ""}
        assert await mine.do("absent", seat=1, choice="end") == missing
        await vanished(mine, theirs)
        assert mine.now["absent"] == [{"seat": 1, "seconds": 30.0, "can_decide": False}]
        time.pass_by(29.9)
        for choice in ("wait", "bot", "end"):
            assert await mine.do("absent", seat=1, choice=choice) == missing
        assert await mine.do("absent", seat=0, choice="end") == missing
        time.pass_by(0.1)

        assert await mine.do("absent", seat=1, choice="wait") is None
        assert mine.now["absent"] == [{"seat": 1, "seconds": 60.0, "can_decide": False}]
        assert await mine.do("absent", seat=1, choice="bot") == missing
        time.pass_by(60)
        assert await mine.do("absent", seat=5, choice="bot") == missing
        assert await mine.do("absent", seat=1, choice="end") is None
        assert mine.now["table"]["status"] == "finished"
        assert mine.outcome == {"winners": [], "key": "abandoned", "values": {}}


async def test_the_others_are_told_when_they_may_decide(tmp_path: Path) -> None:
    times = Times(pause=0, away=0.2, wait=0.2, seed_wait=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face")
        await vanished(mine, theirs)
        await mine.until(lambda now: now["absent"][0]["can_decide"])
        assert await mine.do("absent", seat=1, choice="wait") is None
        await mine.until(lambda now: not now["absent"][0]["can_decide"])
        await mine.until(lambda now: now["absent"][0]["can_decide"])


async def test_a_bot_plays_for_somebody_who_vanished_until_he_is_back(tmp_path: Path) -> None:
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


async def test_somebody_who_is_back_in_time_is_missed_no_longer(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face")
        await vanished(mine, theirs)
        time.pass_by(100)
        back = await bob.sit(mine.now["table"]["table"])
        assert back.seat == 1
        await mine.until(lambda now: not now["absent"])
        assert (await mine.do("absent", seat=1, choice="bot"))["key"] == "nobody_missing"


async def test_nobody_decides_for_a_bot_or_before_the_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("quick-easy", [None, None, BOT], options={"players": "3"})
        client = await ada.sit(opened["table"], opened["token"])
        for seat in (1, 2):
            assert (await client.do("absent", seat=seat, choice="end"))["key"] == "nobody_missing"


# --- the clock --------------------------------------------------------------------------------------------------------


async def against_time(lobby: Lobby, control: TimeControl) -> tuple[str, str]:
    table, _, token = await lobby.open("face-to-face", {}, [None, "easy"], False, control, "Ada", "guest")
    return table.id, token


async def test_a_clock_runs_for_who_is_awaited_and_adds_the_increment(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "face-to-face", clock={"minutes": 5, "seconds": 10})
        mover, other = turn_of((mine, theirs))
        assert mover.now["clock"] == {"left": [300.0, 300.0], "running": [mover.seat]}
        time.pass_by(20)
        while mover.seat in mover.now["view"]["to_act"]:
            end = "end" in mover.now["view"]["moves"]
            assert await mover.move("end" if end else mover.now["view"]["moves"][0]) is None
        assert mover.now["clock"]["left"][mover.seat] == 290.0
        assert mover.now["clock"]["left"][other.seat] == 300.0
        assert mover.now["clock"]["running"] == [other.seat]


async def test_an_empty_bank_lets_a_bot_move(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table, token = await against_time(lobby, TimeControl(0.005, 0))
        client = await ada.sit(table, token)
        await client.until(lambda now: any(line["seat"] == 0 for line in client.lines))
        assert client.now["clock"]["left"][0] == 0.0
        await client.until(lambda now: bool(now["view"]["outcome"]))


async def test_an_empty_bank_is_noticed_at_the_stated_second(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as (address, lobby), visiting(address) as ada:
        table, token = await against_time(lobby, TimeControl(1, 5))
        client = await ada.sit(table, token)
        await client.until(lambda now: now["view"]["to_act"] == [0] and not now["thinking"])
        time.pass_by(59)
        assert (await client.move("sing"))["key"] == "unreadable"
        assert not [line for line in client.lines if line["seat"] == 0]
        time.pass_by(1)
        assert (await client.move("sing"))["key"] == "unreadable"
        await client.until(lambda now: any(line["seat"] == 0 for line in client.lines))
        await client.until(lambda now: bool(now["view"]["outcome"]) or now["clock"]["left"][0] == 5.0)


# --- fair dealing -----------------------------------------------------------------------------------------------------


async def test_the_cards_of_a_match_can_be_checked_when_it_is_over_and_not_before(tmp_path: Path) -> None:
    times = Times(pause=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        assert joined["commitment"] == opened["commitment"]
        path = f"api/record/{opened['table']}/1"
        first = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        assert first.now["table"]["status"] == "waiting"  # there are no cards yet
        second = await bob.sit(opened["table"], joined["token"], client_seed="xyz")
        await first.until(lambda now: now["table"]["status"] == "playing")
        assert first.now["deal"]["client_seeds"] == ["abc", "xyz"]
        assert first.now["deal"]["seed"] is None
        assert (await ada.get(path))[0] == 400
        following = first.now["deal"]["next_commitment"]
        await play_on([first, second], random.Random(3))
        seed = first.now["deal"]["seed"]
        assert hashlib.sha256(seed.encode()).hexdigest() == opened["commitment"]
        status, told = await ada.get(path)
        assert status == 200
        match, deal = record.parse_checkable(told)
        assert deal == Deal(seed, ("abc", "xyz"))
        assert first_unfair(match, deal) is None

        assert await first.do("rematch", client_seed="def") is None
        assert await second.do("rematch", client_seed="uvw") is None
        await first.until(lambda now: now["table"]["round"] == 2)
        assert first.now["deal"]["commitment"] == following
        assert first.now["deal"]["client_seeds"] == ["def", "uvw"]


async def test_a_match_does_not_wait_long_for_the_luck_of_somebody_who_does_not_look(tmp_path: Path) -> None:
    times = Times(pause=0, seed_wait=0.05)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        await bob.join(opened["table"])
        client = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        await client.until(lambda now: now["table"]["status"] == "playing")
        assert client.now["deal"]["client_seeds"] == ["abc", ""]
