"""Quotas of tables, lines and disk space; one seat a guest; a list that one visitor cannot fill."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gramy import text
from gramy.web.limits import Limits
from gramy.web.quotas import FreeDisk
from gramy.web.visitor import parse_networks
from tests.web.client import BOT, TABLE, Visitor, pair, serving, turn_of, visiting

LOOPBACK = parse_networks(["127.0.0.1"])
MANY = {"requests_a_second": 1e6, "tables_a_minute": 1e6}


async def refused(visitor: Visitor, path: str, **body: object) -> tuple[int, str]:
    status, answer = await visitor.post(path, {**TABLE, **body} if path == "api/tables" else body)
    return status, answer.get("error", {}).get("key", "")


async def test_a_guest_has_a_quota_of_unfinished_tables_and_leaving_one_makes_room(tmp_path: Path) -> None:
    limits = Limits(**MANY, tables_a_guest=3)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = [await ada.open("gra", [None, None]) for _ in range(3)]
        other = await bob.open("gra", [None, None])
        assert await refused(ada, "api/tables") == (400, "too_many_tables")
        assert await refused(ada, f"api/tables/{other['table']}/join", name="Ada") == (400, "too_many_tables")
        client = await ada.sit(opened[0]["table"])
        assert await client.do("leave") is None
        assert (await ada.join(other["table"]))["seat"] == 1


async def test_a_seat_that_reaches_the_quota_is_found_again_with_its_key(tmp_path: Path) -> None:
    """The client lost the answer and asks again. It must not learn that it was refused a seat that it has."""
    limits = Limits(**MANY, tables_a_guest=1)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada, visiting(address) as bob:
        table = (await ada.open("gra", [None, None]))["table"]
        await bob.post(f"api/tables/{table}/report", {"seat": 0})  # so Bob has a cookie
        first = await bob.join(table, key="k" * 22)
        again = await bob.join(table, key="k" * 22)
        assert (again["seat"], again["token"]) == (first["seat"], first["token"])


async def test_the_quota_of_a_guest_counts_on_all_servers_of_a_store(tmp_path: Path) -> None:
    limits = Limits(**MANY, tables_a_guest=2)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        for _ in range(2):
            await ada.open("gra", [None, None])
        cookies = {cookie.key: cookie.value for cookie in ada.session.cookie_jar}
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:  # nothing is in its memory
        ada.session.cookie_jar.update_cookies(cookies)
        assert await refused(ada, "api/tables") == (400, "too_many_tables")


async def test_an_address_has_a_quota_of_open_tables_whoever_its_guests_are(tmp_path: Path) -> None:
    limits = Limits(**MANY, tables_an_address=2)
    async with serving(tmp_path, limits=limits, proxies=LOOPBACK) as (address, lobby), visiting(address) as eve:

        async def opened(visitor: str) -> int:
            eve.session.cookie_jar.clear()
            return (await eve.post("api/tables", TABLE, headers={"X-Forwarded-For": visitor}))[0]

        assert [await opened("203.0.113.7") for _ in range(3)] == [201, 201, 400]
        tables = [await opened(f"2001:db8:1:{number:x}::1") for number in range(20)]
        assert tables == [201] * 16 + [400] * 4
        assert await opened("203.0.113.8") == 201
        lobby.tables.clear()  # unloaded
        assert await opened("203.0.113.7") == 201


async def test_tables_in_a_day_are_limited(tmp_path: Path) -> None:
    limits = Limits(**MANY, tables_a_day=3)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        assert [(await ada.post("api/tables", TABLE))[0] for _ in range(4)] == [201] * 3 + [429]


async def test_talk_and_undo_have_a_rate_and_moves_go_on(tmp_path: Path) -> None:
    limits = Limits(1e6, 1e6, talk_a_minute=1)  # two at once
    async with (
        serving(tmp_path, limits=limits) as (address, _),
        visiting(address) as ada,
        visiting(address) as bob,
    ):
        mover, _ = turn_of(await pair(address, ada, bob, "quick-easy"))
        for phrase in ("red low", "blue low"):
            assert await mover.do("say", phrase=phrase, at=mover.now["lines"]) is None
        answer = await mover.do("say", phrase="red low", at=mover.now["lines"])
        assert answer is not None
        assert answer["key"] == "too_much_talk"
        answer = await mover.do("undo", at=mover.now["lines"])
        assert answer is not None
        assert answer["key"] == "too_much_talk"
        assert await mover.move(mover.now["view"]["moves"][0]) is None


async def test_the_lines_of_a_guest_in_a_day_are_limited(tmp_path: Path) -> None:
    limits = Limits(1e6, 1e6, talk_a_minute=1e6, lines_a_day=3)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = await pair(address, ada, bob, "quick-easy")
        mover, other = turn_of(clients)
        for phrase in ("red low", "blue low", "red low"):
            assert await mover.do("say", phrase=phrase, at=mover.now["lines"]) is None
        answer = await mover.do("say", phrase="blue low", at=mover.now["lines"])
        assert answer is not None
        assert answer["key"] == "too_many_lines"
        assert await other.do("say", phrase="red low", at=other.now["lines"]) is None
        assert await mover.do("leave") is None  # what adds no line is not refused


async def test_with_little_disk_space_no_table_is_opened_and_matches_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        cookies = {cookie.key: cookie.value for cookie in ada.session.cookie_jar}
    floor = shutil.disk_usage(tmp_path).total // 1_000_000 + 1
    async with serving(tmp_path, free_disk_mb=floor) as (address, _), visiting(address) as ada:
        ada.session.cookie_jar.update_cookies(cookies)
        assert await refused(ada, "api/tables") == (503, "disk_full")
        client = await ada.sit(opened["table"])
        await client.until(lambda now: client.seat in now["view"]["to_act"])
        assert await client.move(client.now["view"]["moves"][0]) is None


async def test_free_disk_space_is_looked_up_again(tmp_path: Path) -> None:
    assert await FreeDisk(tmp_path, 0).has_room()
    assert not await FreeDisk(tmp_path, 10**9).has_room()


async def test_a_guest_gets_a_second_seat_only_on_request(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("gra", [None, None, None], options={"players": "3"})
        path = f"api/tables/{opened['table']}/join"
        status, answer = await ada.post(path, {"name": "Ada"})
        assert (status, answer["error"]["key"], answer["error"]["values"]) == (409, "already_seated", {"number": 1})
        assert await refused(ada, path, name="Ada", seat=1) == (409, "already_seated")
        second = await ada.join(opened["table"], "Bob", another_seat=True)
        assert second["seat"] == 1
        assert (await ada.sit(opened["table"], second["token"])).seat == 1
        assert [seat.kind for seat in lobby.tables[opened["table"]].state.seats] == ["person", "person", "open"]


async def test_idle_public_tables_of_one_guest_do_not_fill_the_list(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        idle = (await ada.open("gra", [None, None], public=True))["table"]
        present = (await ada.open("gra", [None, None], public=True))["table"]
        await ada.sit(present)
        flood = [(await eve.open("gra", [None, None], "Eve", public=True))["table"] for _ in range(60)]
        listed = [table["table"] for table in (await ada.get("api/tables"))[1]]
        assert listed[0] == present
        assert idle in listed
        assert len(set(listed) & set(flood)) == 3


async def test_public_tables_of_one_network_do_not_fill_the_list(tmp_path: Path) -> None:
    async with serving(tmp_path, proxies=LOOPBACK) as (address, _), visiting(address) as ada, visiting(address) as eve:
        mine = (await ada.open("gra", [None, None], public=True))["table"]
        for number in range(60):
            eve.session.cookie_jar.clear()
            headers = {"X-Forwarded-For": f"2001:db8:1:{number:x}::1"}
            status, _ = await eve.post("api/tables", {**TABLE, "seats": [None, None], "public": True}, headers=headers)
            assert status == 201
        listed = (await ada.get("api/tables"))[1]
        assert mine in [table["table"] for table in listed]
        assert len(listed) == 13


@pytest.mark.parametrize(
    "key", ["too_many_tables", "too_many_open", "too_many_lines", "too_much_talk", "disk_full", "already_seated"]
)
def test_every_refusal_has_its_own_words_in_three_languages(key: str) -> None:
    assert len({text.find(key, "common", language) for language in ("en", "pl", "de")}) == 3
