"""Verifiable deals over real sockets."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from gramy import record
from gramy.fair import Deal, first_unfair
from gramy.table.services import Times
from tests.web.client import play_on, serving, visiting


async def test_the_deals_of_a_match_can_be_verified_only_when_it_is_over(tmp_path: Path) -> None:
    times = Times(pause=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        assert joined["commitment"] == opened["commitment"]
        path = f"api/record/{opened['table']}/1"
        first = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        assert first.now["table"]["status"] == "waiting"  # nothing is dealt yet
        second = await bob.sit(opened["table"], joined["token"], client_seed="xyz")
        await first.until(lambda now: now["table"]["status"] == "playing")
        assert first.now["deal"]["client_seeds"] == ["abc", "xyz"]
        assert first.now["deal"]["seed"] is None
        assert (await ada.get(path))[0] == 400
        following = first.now["deal"]["next_commitment"]
        await play_on([first, second], random.Random(3))
        seed = first.now["deal"]["seed"]
        assert hashlib.sha256(seed.encode()).hexdigest() == opened["commitment"]
        status, body = await ada.get(path)
        assert status == 200
        match, deal = record.parse_checkable(body)
        assert deal == Deal(seed, ("abc", "xyz"))
        assert first_unfair(match, deal) is None

        assert await first.do("rematch", client_seed="def") is None
        assert await second.do("rematch", client_seed="uvw") is None
        await first.until(lambda now: now["table"]["round"] == 2)
        assert first.now["deal"]["commitment"] == following
        assert first.now["deal"]["client_seeds"] == ["def", "uvw"]


async def test_a_match_does_not_wait_long_for_a_missing_client_seed(tmp_path: Path) -> None:
    times = Times(pause=0, seed_wait=0.05)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("face-to-face", [None, None])
        await bob.join(opened["table"])
        client = await ada.sit(opened["table"], opened["token"], client_seed="abc")
        await client.until(lambda now: now["table"]["status"] == "playing")
        assert client.now["deal"]["client_seeds"] == ["abc", ""]
