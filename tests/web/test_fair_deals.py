"""Verifiable deals over real sockets."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gramy import record
from gramy.fair import first_unfair
from gramy.table.services import Times
from gramy.table.store import StoreUnavailable
from tests.exchange import SeedExchange
from tests.independent_verifier import failures
from tests.web.client import BOT, Client, Json, play_on, seed_for, serving, visiting


async def both_until(clients: tuple[Client, Client], true: Callable[[Json], bool]) -> None:
    """Receive with both clients at once: each must answer for the deal to go on."""
    await asyncio.gather(*(client.until(true) for client in clients))


async def test_the_deals_of_a_match_can_be_verified_only_when_it_is_over(tmp_path: Path) -> None:
    times = Times(pause=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        first = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        assert (first.now["deal"]["phase"], first.now["deal"]["commitments"]) == ("wait", [])
        joined = await bob.join(opened["table"])
        assert joined["deal"]["phase"] == "commit"
        assert joined["deal"]["commitment"] == opened["deal"]["commitment"]
        path = f"api/record/{opened['table']}/1"
        second = await bob.sit(opened["table"], joined["token"], client_seed="xyz")
        await both_until((first, second), lambda now: now["table"]["status"] == "playing")
        seen = [one for one in map(json.loads, first.received) if one.get("deal", {}).get("phase") == "reveal"]
        assert all(
            "" not in one["deal"]["commitments"] for one in seen
        )  # nothing is revealed before the list is closed
        assert first.now["deal"]["seed"] is None
        assert (await ada.get(path))[0] == 400
        following = first.now["deal"]["next_commitment"]
        await play_on([first, second], random.Random(3))
        seed = first.now["deal"]["seed"]
        assert hashlib.sha256(seed.encode()).hexdigest() == opened["deal"]["commitment"]
        status, body = await ada.get(path)
        assert status == 200
        match, deal = record.parse_checkable(body)
        assert deal is not None
        assert deal.exchange is not None
        assert (deal.seed, deal.client_seeds) == (seed, ("abc", "xyz"))
        assert list(deal.exchange.commitments) == seen[0]["deal"]["commitments"]
        assert first_unfair(match, deal) is None

        assert await first.do("rematch") is None
        assert await second.do("rematch") is None
        await both_until((first, second), lambda now: now["table"]["round"] == 2 and now["view"])
        assert first.now["deal"]["commitment"] == following
        await play_on([first, second], random.Random(4))
        _, facts = await ada.get(f"api/deal/{opened['table']}/2")
        assert facts["client_seeds"] == [seed_for("abc", 2, 1), seed_for("xyz", 2, 1)]
        assert facts["exchange"]["voids"] == []


async def test_a_program_without_our_code_verifies_a_deal_and_finds_every_change(tmp_path: Path) -> None:
    times = Times(pause=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada:
        opened = await ada.open("quick-easy", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        await client.until(lambda now: now["table"]["status"] == "playing")
        lists = [one["deal"] for one in map(json.loads, client.received) if one["deal"]["phase"] == "reveal"]
        shown = opened["deal"]["commitment"], lists[0]["commitments"]
        await play_on([client], random.Random(6))
        _, facts = await ada.get(f"api/deal/{opened['table']}/1")
        assert failures(opened["table"], facts, *shown) == []
        exchange = facts["exchange"]
        others = ["0" * 64, *exchange["commitments"][1:]]
        changed: dict[str, Json] = {
            "server seed": {"seed": facts["seed"][::-1]},
            "list": {"exchange": {**exchange, "commitments": others}},  # another list than this client was shown
            "client seed of seat 0": {"client_seeds": ["chosen", ""]},
            "client seed without a commitment": {"client_seeds": ["abc", "bots"]},
            "table": {"exchange": {**exchange, "table": "0" * 64}},
        }
        for what, change in changed.items():
            assert what in failures(opened["table"], {**facts, **change}, *shown), what
        starter, hand, *later = facts["deals"]
        swapped = {**hand, "dealt": [card for card in hand["pool"] if card not in hand["dealt"]][: len(hand["dealt"])]}
        assert failures(opened["table"], {**facts, "deals": [starter, swapped, *later]}, *shown)


async def test_a_client_seed_is_taken_when_the_store_is_back_and_the_client_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = Times(pause=0, reveal_wait=20.0, retry=0.05)
    async with serving(tmp_path, times=times) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        exchange = SeedExchange(lambda *_: "abc")
        (commit,) = exchange.answers(client.now)
        assert await client.do(**commit) is None
        (reveal,) = exchange.answers(client.now)

        async def away(*_: object) -> int:
            raise StoreUnavailable("away")

        with monkeypatch.context() as lost:
            lost.setattr(lobby.services.store, "save", away)
            refused = await client.do(**reveal)
            assert refused is not None
            assert refused["key"] == "not_saved"
        assert await client.do(**reveal) is None
        await client.until(lambda now: now["table"]["status"] == "playing")
        assert lobby.tables[opened["table"]].state.deals[0].client_seeds == ("abc", "")


@pytest.mark.parametrize("phase", ["commit", "reveal"])
async def test_a_deal_goes_on_at_a_server_that_was_restarted(tmp_path: Path, phase: str) -> None:
    times = Times(pause=0, seed_wait=20.0, reveal_wait=20.0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        client = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        if phase == "reveal":
            other = await bob.sit(opened["table"], joined["token"])
            exchange = SeedExchange(lambda *_: "xyz")
            (commit,) = exchange.answers(other.now)
            assert await other.do(**commit) is None
        await client.until(lambda now: now["deal"]["phase"] == phase and now["deal"]["commitments"][0])
    async with serving(tmp_path, times=times) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        first = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        second = await bob.sit(opened["table"], joined["token"], client_seed="xyz")
        await both_until((first, second), lambda now: now["table"]["status"] == "playing")
        assert lobby.tables[opened["table"]].state.deals[0].client_seeds == ("abc", "xyz")


async def test_a_match_does_not_wait_long_for_a_missing_commitment(tmp_path: Path) -> None:
    times = Times(pause=0, seed_wait=0.3)
    async with serving(tmp_path, times=times) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        await bob.join(opened["table"])
        client = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        await client.until(lambda now: now["table"]["status"] == "playing")
        deal = lobby.tables[opened["table"]].state.deals[0]
        assert deal.client_seeds == ("abc", "")
        assert deal.exchange is not None
        assert deal.exchange.commitments[1] == "-"


async def test_a_withheld_client_seed_costs_the_seat_for_one_round_and_the_others_are_dealt_new_cards(
    tmp_path: Path,
) -> None:
    times = Times(pause=0, reveal_wait=0.3)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("gra", [None, None, BOT], options={"players": "3"})
        joined = await bob.join(opened["table"])
        cheat = await bob.sit(opened["table"], joined["token"])
        assert await cheat.do("commit", round=1, attempt=1, commitment="0" * 64) is None
        honest = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        first_commitment, second_commitment = (honest.now["deal"][key] for key in ("commitment", "next_commitment"))
        await cheat.until(lambda now: now["deal"]["phase"] == "reveal")
        answer = await cheat.do("reveal", round=1, attempt=1, client_seed="guessed")
        assert answer is not None
        assert answer["key"] == "wrong_reveal"
        await honest.until(lambda now: now["table"]["status"] == "playing")
        assert honest.now["deal"]["withheld"] == [[1]]
        assert honest.now["deal"]["commitment"] == second_commitment != first_commitment
        assert [seat["stand_in"] for seat in honest.now["table"]["seats"]] == [False, True, False]
        await cheat.until(lambda now: now["table"]["status"] == "playing")
        answer = await cheat.move("check")
        assert answer is not None
        assert answer["key"] == "bot_plays_round"
        again = await bob.sit(opened["table"], joined["token"])  # a reload does not bring the seat back
        assert again.now["table"]["seats"][1]["stand_in"]

        await play_on([honest], random.Random(5))
        _, body = await ada.get(f"api/record/{opened['table']}/1")
        match, deal = record.parse_checkable(body)
        assert deal is not None
        assert deal.exchange is not None
        (void,) = deal.exchange.voids
        assert (void.withheld, void.commitment, void.client_seeds) == ((1,), first_commitment, ("abc", "", ""))
        assert first_unfair(match, deal) is None
        assert record.format(match, deal) == body
        for client in (honest, again, cheat):
            await client.do("rematch")
        await honest.until(lambda now: now["table"]["round"] == 2 and now["view"])
        assert not honest.now["table"]["seats"][1]["stand_in"]


async def test_alone_with_bots_nobody_loses_a_seat_over_a_lost_client_seed(tmp_path: Path) -> None:
    times = Times(pause=0, seed_wait=0.2, reveal_wait=0.2)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        assert await client.do("commit", round=1, attempt=1, commitment="0" * 64) is None
        await client.until(lambda now: now["table"]["status"] == "playing")
        assert client.now["deal"]["withheld"] == [[0]]
        assert not client.now["table"]["seats"][0]["stand_in"]


async def test_whoever_withholds_twice_loses_the_seat_even_if_nobody_has_revealed(tmp_path: Path) -> None:
    """Otherwise a server could claim that no client seed came, and draw new cards until they suit the host."""
    times = Times(pause=0, reveal_wait=0.2)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("gra", [None, None, BOT], options={"players": "3"})
        joined = await bob.join(opened["table"])
        clients = [await ada.sit(opened["table"], opened["token"]), await bob.sit(opened["table"], joined["token"])]
        for attempt in (1, 2):
            for client in clients:
                assert await client.do("commit", round=1, attempt=attempt, commitment="0" * 64) is None
            for client in clients:
                await client.until(lambda now, last=attempt: len(now["deal"]["withheld"]) == last)
            seats = clients[0].now["table"]["seats"]
            assert [seat["stand_in"] for seat in seats] == [attempt == 2, attempt == 2, False]
        await clients[0].until(lambda now: now["table"]["status"] != "waiting")
        assert clients[0].now["deal"]["withheld"] == [[0, 1], [0, 1]]
