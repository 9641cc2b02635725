"""The opener of a table removes a guest, over real sockets."""

from __future__ import annotations

from pathlib import Path

from gramy.web.blocks import BLOCKED_FOR, MOST_BLOCKED, AddressBlocks
from gramy.web.session import REMOVED
from gramy.web.visitor import parse_networks
from tests.clock import Time
from tests.web.client import Client, Visitor, pair, serving, visiting

KEY = "removed_from_table"


async def close_code(client: Client) -> int | None:
    """Return the code with which the server closes a connection."""
    while not client.socket.closed:
        await client.socket.receive(timeout=10)
    return client.socket.close_code


async def opening_code(visitor: Visitor, table: str, **headers: str) -> int | None:
    """Return the code with which the server closes the connection of a visitor who says hello."""
    socket = await visitor.session.ws_connect(f"{visitor.address}ws/{table}", headers=headers)
    await socket.send_json({"type": "hello"})
    while not socket.closed:
        if (await socket.receive(timeout=10)).type.name == "TEXT":
            return None
    return socket.close_code


async def test_the_opener_removes_a_guest_from_a_waiting_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("quick-easy", [None, None, None], options={"players": "3"})
        table = opened["table"]
        mine = await ada.sit(table)
        joined = await bob.join(table)
        theirs = await bob.sit(table, joined["token"])
        assert mine.now["table"]["opener"] == 0
        assert (await theirs.do("remove", seat=0))["key"] == "only_opener_removes"
        assert await mine.do("remove", seat=1) is None
        assert mine.now["table"]["seats"][1]["kind"] == "open"
        assert await close_code(theirs) == REMOVED
        status, refused = await bob.post(f"api/tables/{table}/join", {"name": "Bob"})
        assert (status, refused["error"]["key"]) == (400, KEY)
        assert await opening_code(bob, table) == REMOVED
        async with visiting(address) as eve:  # the opener has the same address: others at home may come
            assert (await eve.join(table, "Eve"))["seat"] == 1


async def test_a_guest_who_is_removed_does_not_watch_on_in_another_tab(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("quick-easy", [None, None, None], options={"players": "3"})
        table = opened["table"]
        await bob.post(f"api/tables/{table}/report", {"seat": 0})  # so Bob has a cookie
        mine, tab = await ada.sit(table), await bob.sit(table)
        async with visiting(address) as eve:
            other = await eve.sit(table)
            joined = await bob.join(table)
            theirs = await bob.sit(table, joined["token"])
            assert (tab.seat, theirs.seat) == (None, 1)
            assert await mine.do("remove", seat=1) is None
            assert await close_code(theirs) == REMOVED
            assert await close_code(tab) == REMOVED
            assert await ada.join(table, "Ada again", another_seat=True)
            await other.until(lambda now: now["table"]["seats"][1]["kind"] == "person")  # others watch on


async def test_a_bot_plays_on_for_a_guest_who_is_removed_from_a_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        assert await mine.do("remove", seat=1) is None
        assert mine.now["table"]["seats"][1]["kind"] == "bot"
        assert mine.now["table"]["status"] == "playing"
        assert await close_code(theirs) == REMOVED
        assert await opening_code(bob, mine.now["table"]["table"]) == REMOVED
    async with serving(tmp_path) as (address, lobby):  # after a restart
        table = await lobby.find(mine.now["table"]["table"])
        assert len(table.state.people.blocked) == 1


async def test_the_address_of_a_removed_guest_is_blocked_for_an_hour(tmp_path: Path) -> None:
    far = {"X-Forwarded-For": "203.0.113.9"}
    async with (
        serving(tmp_path, proxies=parse_networks(["127.0.0.1", "::1"])) as (address, _),
        visiting(address) as ada,
        visiting(address) as bob,
        visiting(address) as eve,
    ):
        opened = await ada.open("quick-easy", [None, None, None], options={"players": "3"})
        table = opened["table"]
        mine = await ada.sit(table)
        bob.session.headers.update(far)
        eve.session.headers.update(far)
        await bob.join(table)
        theirs = await bob.sit(table)
        assert await opening_code(eve, table) is None
        assert await mine.do("remove", seat=1) is None
        assert await close_code(theirs) == REMOVED
        assert await opening_code(eve, table) == REMOVED
        status, refused = await eve.post(f"api/tables/{table}/join", {"name": "Eve"})
        assert (status, refused["error"]["key"]) == (400, KEY)
        other = await ada.open("quick-easy", [None, None], options={"players": "2"})
        assert (await eve.join(other["table"], "Eve"))["seat"] == 1


def test_a_block_of_an_address_ends_after_an_hour() -> None:
    time = Time()
    blocks = AddressBlocks(time)
    blocks.add("table", "2001:db8::1")
    assert blocks.has("table", "2001:db8::2")
    assert not blocks.has("table", "2001:db8:0:1::2")
    assert not blocks.has("other", "2001:db8::1")
    time.pass_by(BLOCKED_FOR)
    assert not blocks.has("table", "2001:db8::1")


def test_the_blocked_addresses_are_limited() -> None:
    blocks = AddressBlocks(Time())
    for number in range(MOST_BLOCKED + 1):
        blocks.add(f"table {number}", "192.0.2.1")
    assert not blocks.has("table 0", "192.0.2.1")
    assert blocks.has("table 1", "192.0.2.1")


async def test_deleting_their_data_removes_a_guest_from_the_lists_of_blocked_guests(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        mine, theirs = await pair(address, ada, bob, "quick-easy")
        assert await mine.do("remove", seat=1) is None
        await close_code(theirs)
        table = lobby.tables[mine.now["table"]["table"]]
        (guest,) = table.state.people.blocked
        async with bob.session.delete(f"{address}api/guest") as response:
            assert response.status == 204
        row = await lobby.services.store.load(table.id)
        assert row is not None
        assert guest not in row.people.blocked
        await table.refresh()
        assert guest not in table.state.people.blocked
