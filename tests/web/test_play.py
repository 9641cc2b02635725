"""Playing over real sockets: whole matches, and commands that are repeated, stale or illegal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from gramy import Match, record
from tests.web.client import BOT, GAMES, Client, pair, play_on, serving, turn_of, visiting

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
        assert await client.move("end") == {"key": "no_match_running", "values": {}, "game": ""}
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
        assert await ada.post("api/replay?seat=0", {"record": text}) == (200, replay)
        nameless = record.format(Match.replayed(match.game, match.log))
        assert (await ada.post("api/replay", {"record": nameless}))[1]["names"] == [""] * len(replay["names"])
        status, beside = await ada.get(f"api/replay/{opened['table']}/1")
        assert beside["steps"][-1]["view"]["seat"] is None
        status, deal = await ada.get(f"api/deal/{opened['table']}/1")
        assert deal == {
            **deal,
            "commitment": opened["deal"]["commitment"],
            "seed": client.now["deal"]["seed"],
        }
        assert [one["line"] for one in deal["deals"]] == [
            number for number, line in enumerate(client.lines, 1) if line["seat"] == 6
        ]


@each_game
async def test_players_and_spectator_read_one_log_with_only_their_own_cards(
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


async def test_a_repeated_command_is_executed_once_and_answered_twice(tmp_path: Path) -> None:
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


async def test_a_command_repeated_after_a_reconnect_is_not_executed_again(tmp_path: Path) -> None:
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


async def test_a_stale_move_is_refused(tmp_path: Path) -> None:
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


async def test_talk_does_not_make_a_move_stale(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, other = turn_of(await pair(address, ada, bob, "quick-easy"))
        at, move = mover.now["lines"], mover.now["view"]["moves"][0]
        assert await other.do("say", at=0, phrase="red low") is None
        assert await mover.move(move, at=at) is None
        assert [line["move"] for line in mover.lines[at:]][:2] == ["say red low", move]


async def test_a_concurrent_secret_choice_does_not_make_a_choice_stale(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "gra")
        at = mine.now["lines"]
        assert mine.now["view"]["to_act"] == [0, 1]
        assert await theirs.move(theirs.now["view"]["moves"][0], at=at) is None
        assert await theirs.move(theirs.now["view"]["moves"][0]) is None  # they may choose again
        assert await mine.move(mine.now["view"]["moves"][0], at=at) is None
        assert board(mine)["phase"] == "bidding"
        bidder, checker = turn_of((mine, theirs))
        await checker.until(lambda now: now["lines"] == mine.now["lines"])
        stale = checker.now["lines"]
        assert await bidder.move("bid 1x4") is None
        assert (await checker.move("check", at=stale))["key"] == "too_late"


async def test_undo_takes_the_last_card_back_and_is_a_log_line(tmp_path: Path) -> None:
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


async def test_an_illegal_move_is_refused_with_the_announced_reason(tmp_path: Path) -> None:
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


async def test_any_player_may_say_the_phrases_of_the_game_at_any_time(tmp_path: Path) -> None:
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
