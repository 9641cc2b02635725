"""Hints at tables without human opponents, and the analysis of a finished match."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from gramy.table.services import Times
from tests.web.client import BOT, Client, Json, pair, play_on, serving, turn_of, visiting
from tests.web.test_protocol import PAGE

HINT = json.loads(PAGE.split("```json server hint", 1)[1].split("```", 1)[0])
TIMES = Times(pause=0, seed_wait=0, advice=0.02)


async def hinted(client: Client) -> Json:
    """Ask for a hint; return it, or the refusal."""
    id = await client.send("hint")
    while (message := await client.receive()).get("id") != id:
        pass
    return message


@pytest.mark.parametrize("game", ["quick-easy", "gra"])
async def test_a_hint_against_bots_lists_the_legal_moves_best_first(tmp_path: Path, game: str) -> None:
    async with serving(tmp_path, times=TIMES) as (address, _), visiting(address) as ada:
        opened = await ada.open(game, [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        await client.until(lambda now: now["view"] and 0 in now["view"]["to_act"])
        assert client.now["hints"]
        hint = await hinted(client)
        assert list(hint) == list(HINT)  # as docs/protocol.md shows it
        assert hint["at"] <= client.now["lines"]  # the bot may have chosen its cards meanwhile
        moves, chances = zip(*hint["moves"], strict=True)
        assert set(moves) <= set(client.now["view"]["moves"])
        assert sorted(chances, reverse=True) == list(chances)
        assert all(0 <= chance <= 1 for chance in chances)
        assert hint["reason"]["key"].startswith("why_")
        assert await client.move(moves[0]) is None


async def test_a_second_hint_is_refused_while_the_first_is_computed(tmp_path: Path) -> None:
    async with serving(tmp_path, times=TIMES) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        await client.until(lambda now: now["view"] and 0 in now["view"]["to_act"])
        ids = [await client.send("hint") for _ in range(2)]
        answers: dict[str, Json] = {}
        while not set(ids) <= set(answers):
            message = await client.receive()
            answers[message.get("id", "")] = message
        assert [answers[id]["type"] for id in ids] == ["hint", "refused"]
        assert answers[ids[1]]["message"]["key"] == "no_hints_now"


async def test_no_hints_against_people_for_spectators_or_out_of_turn(tmp_path: Path) -> None:
    async with serving(tmp_path, times=TIMES) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = await pair(address, ada, bob, "face-to-face")
        for client in clients:
            assert not client.now["hints"]
            assert (await hinted(client))["message"]["key"] == "no_hints_now"
        mover, other = turn_of(await pair(address, ada, bob, "quick-easy"))
        assert (await hinted(other))["message"]["key"] == "no_hints_now"
        assert (await hinted(mover))["moves"]  # hints among partners are allowed
        beside = await bob.sit((await ada.open("gra", [None, BOT]))["table"], "nobody's")
        assert not beside.now["hints"]
        assert (await hinted(beside))["message"]["key"] == "no_hints_now"
        timed = await ada.open("gra", [None, BOT], clock={"minutes": 5, "seconds": 1})
        client = await ada.sit(timed["table"], timed["token"])
        assert (await hinted(client))["message"]["key"] == "no_hints_now"


async def test_finished_matches_are_analysed_and_live_ones_are_not(tmp_path: Path) -> None:
    async with serving(tmp_path, times=TIMES) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = await pair(address, ada, bob, "quick-easy")
        path = f"api/analysis/{clients[0].now['table']['table']}/1"
        status, refused = await ada.get(path)
        assert (status, refused["error"]["key"]) == (400, "match_not_over")
        await play_on(list(clients), random.Random(5))
        status, answer = await ada.get(path)
        assert status == 200
        made = [line for line in clients[0].lines if line["seat"] != 6 and not line["move"].startswith("say ")]
        assert answer["of"] == len(made)
        while answer["analysis"] is None:
            assert answer["done"] <= answer["of"]
            _, answer = await ada.get(path)
        analysis = answer["analysis"]
        assert [one["move"] for one in analysis["decisions"]] == [line["move"] for line in made]
        assert all(0 <= one["cost"] <= 1 for one in analysis["decisions"])
        assert all((one["reason"] is not None) == bool(one["mark"]) for one in analysis["decisions"])
        assert [curve[-1]["line"] for curve in analysis["curves"]] == [clients[0].now["lines"]] * 2
