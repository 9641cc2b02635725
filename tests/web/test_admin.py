"""A host keeps order: the admin page's API, bans, mutes, announcements, maintenance, closed tables and reports."""

from __future__ import annotations

import argparse
import contextlib
import logging
import random
import re
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from gramy import text
from gramy.errors import BadOptions
from gramy.table.lobby import Lobby
from gramy.web.command import add_arguments, settings
from gramy.web.host_login import ATTEMPTS, LOGIN_LIFETIME, SHORTEST_TOKEN
from gramy.web.moderation import REPORT_SHARES, REPORTS_AT_ONCE
from gramy.web.session import EXPELLED
from gramy.web.visitor import parse_networks
from tests.servers import Postgres, RedisServer
from tests.table.backends import PostgresBackend
from tests.web.client import BOT, TIMEOUT, Client, Json, Visitor, closed, pair, play_on, serving, visiting

TOKEN = "t0ken-of-the-host-0123456789abcdef"
HOST = {"Authorization": f"Bearer {TOKEN}"}


@contextlib.asynccontextmanager
async def hosted(folder: Path, **words: Any) -> AsyncIterator[tuple[str, Lobby]]:
    async with serving(folder, admin_token=TOKEN, **words) as server:
        yield server


async def order(host: Visitor, kind: str, minutes: float = 60, **words: Any) -> str:
    status, answer = await host.post("api/admin/orders", {"kind": kind, "minutes": minutes, **words}, headers=HOST)
    assert status == 201, answer
    id: str = answer["id"]
    return id


async def overview(host: Visitor) -> Json:
    status, found = await host.get("api/admin", headers=HOST)
    assert status == 200
    return found


async def goodbye(client: Client) -> Json:
    """Receive until the server says goodbye; return its message."""
    while (message := await client.receive())["type"] != "bye":
        pass
    assert message["retry_after"] is None
    assert await closed(client.socket) == EXPELLED
    return message["message"]


# --- getting in -------------------------------------------------------------------------------------------------------


async def test_without_a_token_there_is_no_admin_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as eve:
        for path in ("admin", "api/admin", "api/admin/text/en"):
            assert (await eve.get(path, headers=HOST))[0] == 404
        assert (await eve.post("api/admin/login", {"token": ""}))[0] == 404
        assert (await eve.post("api/admin/orders", {"kind": "maintenance", "minutes": 1}, headers=HOST))[0] == 404


async def test_only_the_token_opens_the_api(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as eve:
        assert (await eve.get("admin"))[0] == 200
        table = (await eve.open("gra", [None, BOT]))["table"]
        asked = [
            ("GET", "api/admin", None),
            ("POST", "api/admin/orders", {"kind": "maintenance", "minutes": 1}),
            ("DELETE", "api/admin/orders/x", None),
            ("POST", f"api/admin/tables/{table}/close", {}),
            ("POST", f"api/admin/tables/{table}/rename", {"seat": 0}),
            ("DELETE", "api/admin/reports/x", None),
        ]
        for method, path, body in asked:
            for headers in ({}, {"Cookie": "admin=x"}, {"Cookie": "admin=\xff"}, {"Authorization": "Basic x"}):
                assert (await eve.ask(method, path, json=body, headers=headers))[0] == 401, path
        assert (await eve.get("api/admin", headers={"Authorization": f"Bearer {TOKEN}x"}))[0] == 401


async def test_the_cookie_is_strict_short_lived_and_bound_to_the_token(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as host:
        async with host.session.post(f"{address}api/admin/login", json={"token": TOKEN}) as response:
            assert response.status == 204
            cookie = SimpleCookie(response.headers["Set-Cookie"])["admin"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert cookie["max-age"] == str(LOGIN_LIFETIME) == "3600"
        assert cookie["path"] == "/"
        assert (await host.get("api/admin"))[0] == 200
        evil = {"Origin": "http://evil.example"}
        body = {"kind": "maintenance", "minutes": 1}
        assert (await host.post("api/admin/orders", body, headers=evil))[0] == 403
        assert (await host.ask("DELETE", "api/admin/login"))[0] == 204
        assert (await host.get("api/admin"))[0] == 401
    async with serving(tmp_path, admin_token=TOKEN[::-1]) as (address, _), visiting(address) as host:
        assert (await host.get("api/admin", headers={"Cookie": f"admin={cookie.value}"}))[0] == 401


async def test_over_https_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    proxies, https = parse_networks(["127.0.0.1"]), {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    async with hosted(tmp_path, proxies=proxies) as (address, _), visiting(address) as host:
        async with host.session.post(f"{address}api/admin/login", json={"token": TOKEN}, headers=https) as response:
            cookie = SimpleCookie(response.headers["Set-Cookie"])["__Host-admin"]
        assert cookie["secure"]
        assert (await host.get("api/admin", headers={**https, "Cookie": f"__Host-admin={cookie.value}"}))[0] == 200
        assert (await host.get("api/admin", headers={**https, "Cookie": f"admin={cookie.value}"}))[0] == 401


async def test_guessing_the_token_is_slow(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as eve:
        statuses = [(await eve.post("api/admin/login", {"token": "x"}))[0] for _ in range(int(ATTEMPTS) + 2)]
        assert statuses == [401] * int(ATTEMPTS) + [429] * 2
        assert (await eve.post("api/admin/login", {"token": TOKEN}))[0] == 429
        assert (await eve.get("api/admin", headers={"Authorization": "Bearer x"}))[0] == 429


def test_a_short_token_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def asked(*words: str) -> argparse.Namespace:
        command = argparse.ArgumentParser()
        add_arguments(command)
        return command.parse_args(words)

    assert settings(asked(), tmp_path).admin_token == ""
    monkeypatch.setenv("GRAMY_ADMIN_TOKEN", "x" * SHORTEST_TOKEN)
    assert settings(asked(), tmp_path).admin_token == "x" * SHORTEST_TOKEN
    monkeypatch.setenv("GRAMY_ADMIN_TOKEN", "x" * (SHORTEST_TOKEN - 1))
    with pytest.raises(BadOptions, match="at least 32"):
        settings(asked(), tmp_path)
    file = tmp_path / "token"
    for content in (None, "", "short\n"):
        if content is not None:
            file.write_text(content)
        with pytest.raises(BadOptions):
            settings(asked("--admin-token-file", str(file)), tmp_path)
    file.write_text(TOKEN + "\n")
    assert settings(asked("--admin-token-file", str(file)), tmp_path).admin_token == TOKEN


# --- seeing -----------------------------------------------------------------------------------------------------------


async def test_the_host_sees_tables_seats_and_presence_but_no_address_or_cookie(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as host:
        opened = await ada.open("gra", [None, BOT])
        await ada.sit(opened["table"], opened["token"])
        found = await overview(host)
        (table,) = found["tables"]
        assert (table["table"], table["game"], table["viewers"]) == (opened["table"], "gra", 1)
        person, bot = table["seats"]
        assert (person["name"], person["online"], bot["kind"]) == ("Ada", True, "bot")
        assert person["network"] == "127.0.0.0/24"
        assert found["server"]["store_seconds"] >= 0
        assert found["server"]["loop_delay"] >= 0
        guest = lobby.tables[opened["table"]].state.seats[0].guest
        assert guest is not None
        assert guest not in str(found)
        assert opened["token"] not in str(found)


# --- bans -------------------------------------------------------------------------------------------------------------


async def test_a_banned_guest_goes_at_once_and_a_bot_stands_in(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        one, other = await pair(address, ada, bob, "face-to-face")
        table = one.now["table"]["table"]
        async with visiting(address) as host:
            await order(host, "ban", table=table, seat=0, reason="spoils the game")
        message = await goodbye(one)
        assert (message["key"], message["values"]["reason"]) == ("banned_reason", "spoils the game")
        await other.until(lambda now: now["table"]["seats"][0]["stand_in"])
        assert other.now["table"]["status"] == "playing"
        await play_on([other], random.Random(1), most=2)  # the match goes on

        status, refused = await ada.get("api/tables")
        assert (status, refused["error"]["key"]) == (403, "banned_reason")
        assert (await ada.post("api/tables", {"game": "gra", "seats": [None, BOT], "name": "A"}))[0] == 403
        again = await ada.session.ws_connect(f"{address}ws/{table}")
        assert (await again.receive_json())["message"]["key"] == "banned_reason"
        assert await closed(again) == EXPELLED
        for path in ("", f"t/{table}"):
            status, page = await ada.get(path)
            assert status == 403
            for language in text.LANGUAGES:
                assert f'<p lang="{language}">' in page
            assert page.count("spoils the game") == len(text.LANGUAGES)
        assert (await bob.get("api/tables"))[0] == 200
        assert (await ada.ask("DELETE", "api/guest"))[0] == 204  # they may still delete their data


async def test_a_reason_is_never_interpreted_as_markup(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as host:
        await order(host, "ban", network="127.0.0.1", reason="<script>alert(1)</script>\n\x00x")
        page = (await host.get(""))[1]
        assert "<script" not in page
        assert "&lt;script&gt;" in page


async def test_a_banned_seat_cannot_be_used_from_another_browser(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("gra", [None, None])
        await ada.sit(opened["table"], opened["token"])
        await order(eve, "ban", table=opened["table"], seat=0)
        socket = await eve.session.ws_connect(f"{address}ws/{opened['table']}")
        await socket.send_json({"type": "hello", "token": opened["token"]})
        received = await socket.receive_json()
        assert received["type"] == "bye" or received["you"] is None  # the seat of a waiting table is open again
        await socket.close()


NETWORKS = [
    ("203.0.113.9", "203.0.113.9", "203.0.113.8"),
    ("203.0.113.0/24", "203.0.113.200", "203.0.114.1"),
    ("2001:db8:1:2::/64", "2001:db8:1:2::9", "2001:db8:1:3::9"),
    ("2001:db8:1::/48", "2001:db8:1:ffff::9", "2001:db8:2::9"),
]


async def test_a_network_is_banned_and_its_open_sessions_are_closed(tmp_path: Path) -> None:
    proxies = parse_networks(["127.0.0.1"])
    async with hosted(tmp_path, proxies=proxies) as (address, _), visiting(address) as host:
        table = (await host.open("gra", [None, None]))["table"]

        async def watch(visitor: str) -> Client:
            socket = await host.session.ws_connect(f"{address}ws/{table}", headers={"X-Forwarded-For": visitor})
            host.sockets.append(socket)
            await socket.send_json({"type": "hello", "token": "none"})
            client = Client(socket)
            await client.receive()
            return client

        for network, banned, free in NETWORKS:
            inside, outside = await watch(banned), await watch(free)
            id = await order(host, "ban", network=network)
            assert (await goodbye(inside))["key"] == "banned"
            assert (await host.get("api/tables", headers={"X-Forwarded-For": banned}))[0] == 403
            assert (await host.get("api/tables", headers={"X-Forwarded-For": free}))[0] == 200
            assert (await host.ask("DELETE", f"api/admin/orders/{id}", headers=HOST))[0] == 204
            assert (await host.get("api/tables", headers={"X-Forwarded-For": banned}))[0] == 200
            assert not outside.socket.closed


async def test_a_network_that_is_too_large_cannot_be_banned(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as host:
        for network in ("", "x", "0.0.0.0/0", "10.0.0.0/8", "2001:db8::/32", "203.0.113.0/25"):
            body = {"kind": "ban", "minutes": 1, "network": network}
            status, answer = await host.post("api/admin/orders", body, headers=HOST)
            assert (status, answer["error"]["key"]) == (400, "bad_network"), network


async def test_a_guest_is_banned_with_their_network_although_the_host_names_no_address(tmp_path: Path) -> None:
    proxies, home = parse_networks(["127.0.0.1"]), {"X-Forwarded-For": "203.0.113.9"}
    async with hosted(tmp_path, proxies=proxies) as (address, lobby), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        socket = await ada.session.ws_connect(f"{address}ws/{opened['table']}", headers=home)
        await socket.send_json({"type": "hello", "token": opened["token"]})
        ada.sockets.append(socket)
        async with visiting(address) as host:
            await order(host, "ban", table=opened["table"], seat=0, reach="wide")
            assert await closed(socket) == EXPELLED
            while not any(found.subject == "203.0.113.0/24" for found in lobby.order_book.orders.all):
                await host.get("health")
            assert (await host.get("api/tables", headers={"X-Forwarded-For": "203.0.113.77"}))[0] == 403


# --- mutes, names and reports -----------------------------------------------------------------------------------------


async def test_a_muted_guest_plays_on_without_talk_and_without_a_name(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        one, other = await pair(address, ada, bob, "quick-easy")
        phrase = one.now["phrases"][0]["key"] if isinstance(one.now["phrases"][0], dict) else one.now["phrases"][0]
        assert await one.do("say", phrase=phrase, at=one.now["lines"]) is None
        id = await order(bob, "mute", table=one.now["table"]["table"], seat=0)
        refused = await one.do("say", phrase=phrase, at=one.now["lines"])
        assert refused is not None
        assert refused["key"] == "muted"
        await play_on([one, other], random.Random(1), most=2)
        await ada.open("gra", [None, BOT], name="A rude name", public=True)
        assert "rude" not in str(await overview(bob))
        await bob.ask("DELETE", f"api/admin/orders/{id}", headers=HOST)
        assert await one.do("say", phrase=phrase, at=one.now["lines"]) is None


async def test_a_reported_name_reaches_the_host_who_removes_it(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        one, other = await pair(address, ada, bob, "face-to-face", name="A rude name")
        table = one.now["table"]["table"]
        path = f"api/tables/{table}/report"
        assert await bob.post(path, {"seat": 0}) == (201, {"new": True})
        assert await bob.post(path, {"seat": 0}) == (200, {"new": False})
        (report,) = (await overview(bob))["reports"]
        assert (report["name"], report["table"], report["seat"]) == ("A rude name", table, 0)
        rename = await bob.post(f"api/admin/tables/{table}/rename", {"seat": 0}, headers=HOST)
        assert rename[0] == 204
        await other.until(lambda now: now["table"]["seats"][0]["name"] == "")
        assert "rude" not in str(await bob.get(f"api/tables/{table}"))
        assert (await bob.post(path, {"seat": 0}))[1]["error"]["key"] == "nobody_to_report"
        await order(bob, "mute", guest=report["guest"])
        assert (await bob.ask("DELETE", f"api/admin/reports/{report['id']}", headers=HOST))[0] == 204
        assert not (await overview(bob))["reports"]


@pytest.mark.parametrize("seat", [1, 5])
async def test_bots_and_empty_seats_cannot_be_reported(tmp_path: Path, seat: int) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada:
        table = (await ada.open("gra", [None, BOT]))["table"]
        status, answer = await ada.post(f"api/tables/{table}/report", {"seat": seat})
        assert (status, answer["error"]["key"]) == (400, "nobody_to_report")


async def test_reports_are_limited(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada:
        table = (await ada.open("gra", [None, BOT]))["table"]
        answers = [(await ada.post(f"api/tables/{table}/report", {"seat": 0}))[0] for _ in range(7)]
        assert answers == [201] + [200] * (int(REPORTS_AT_ONCE) - 1) + [429] * (7 - int(REPORTS_AT_ONCE))


async def test_the_addresses_of_a_network_share_a_limit_of_reports(tmp_path: Path) -> None:
    """Otherwise one customer with many addresses could fill the disk, and bury what others report."""
    async with hosted(tmp_path, proxies=parse_networks(["127.0.0.1"])) as (address, _), visiting(address) as ada:
        table = (await ada.open("gra", [None, BOT]))["table"]
        senders = [{"X-Forwarded-For": f"2001:db8:0:{number:x}::1"} for number in range(30)]
        answers = [(await ada.post(f"api/tables/{table}/report", {"seat": 0}, headers=one))[0] for one in senders]
        most = int(REPORTS_AT_ONCE) * REPORT_SHARES[1]
        assert answers == [201] + [200] * (most - 1) + [429] * (30 - most)


# --- closing, announcing, maintenance ---------------------------------------------------------------------------------


async def test_a_closed_table_tells_its_viewers_why_and_never_plays_again(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        one, other = await pair(address, ada, bob, "face-to-face", public=True)
        waiting = (await ada.open("gra", [None, None], public=True))["table"]
        table = one.now["table"]["table"]
        for id in (table, waiting):
            closing = await bob.post(f"api/admin/tables/{id}/close", {"reason": "a rude name"}, headers=HOST)
            assert closing[0] == 204
        for client in (one, other):
            assert (await goodbye(client))["key"] == "table_closed_reason"
        assert (await bob.get("api/tables"))[1] == []
        assert (await bob.post(f"api/tables/{waiting}/join", {"name": "Bob"}))[1]["error"]["key"] == "table_full"
        assert lobby.tables[table].state.status == "closed"
    async with hosted(tmp_path) as (address, lobby), visiting(address) as ada:
        for id in (table, waiting):
            assert (await ada.get(f"api/tables/{id}"))[1]["status"] == "finished"
            assert lobby.tables[id].state.status == "closed"
        socket = await ada.session.ws_connect(f"{address}ws/{table}")
        assert (await socket.receive_json())["message"]["values"] == {"reason": "a rude name"}
        assert await closed(socket) == EXPELLED
        assert (await ada.get(f"api/record/{table}/1"))[0] == 200  # the players may keep the match


async def test_an_announcement_reaches_open_tables_and_the_lobby_until_it_ends(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        client = await ada.sit(opened["table"], opened["token"])
        texts = {"en": "Tournament at eight", "pl": "Turniej o ósmej", "de": "Turnier um acht"}
        id = await order(ada, "announcement", texts=texts)
        while (message := await client.receive())["type"] != "notices":
            pass
        assert [notice["texts"] for notice in message["notices"]] == [texts]
        status, notices = await ada.get("api/notices")
        assert (status, notices) == (200, message["notices"])
        await ada.ask("DELETE", f"api/admin/orders/{id}", headers=HOST)
        while (message := await client.receive())["type"] != "notices":
            pass
        assert message["notices"] == (await ada.get("api/notices"))[1] == []


async def test_maintenance_lets_matches_go_on_and_none_begin(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = list(await pair(address, ada, bob, "gra"))
        waiting = (await ada.open("gra", [None, None]))["table"]
        id = await order(bob, "maintenance")
        status, answer = await ada.post("api/tables", {"game": "gra", "seats": [None, BOT], "name": "Ada"})
        assert (status, answer["error"]["key"]) == (503, "maintenance")
        assert (await bob.post(f"api/tables/{waiting}/join", {"name": "Bob"}))[0] == 503
        assert [notice["kind"] for notice in (await ada.get("api/notices"))[1]] == ["maintenance"]
        opener = await ada.sit(waiting)
        refused = await opener.do("start", bots="easy")
        assert refused is not None
        assert refused["key"] == "maintenance"
        await play_on(clients, random.Random(3))
        refused = await clients[0].do("rematch")
        assert refused is not None
        assert refused["key"] == "maintenance"
        await bob.ask("DELETE", f"api/admin/orders/{id}", headers=HOST)
        assert await clients[0].do("rematch") is None


UNCLEAR: list[Json] = [
    {"kind": "announcement", "minutes": 1},
    {"kind": "announcement", "minutes": 1, "texts": {"en": " \n"}},
    {"kind": "ban", "minutes": 1},
    {"kind": "mute", "minutes": 1, "network": "203.0.113.9"},
    {"kind": "ban", "minutes": 1, "guest": "everybody"},
    {"kind": "ban", "minutes": 0, "network": "203.0.113.9"},
    {"kind": "ban", "minutes": 1e9, "network": "203.0.113.9"},
    {"kind": "closed", "minutes": 1},
    {"kind": "announcement", "minutes": 1, "texts": {"fr": "x"}},
    {"kind": "announcement", "minutes": 1, "texts": {"en": "x" * 401}},
]


async def test_an_unclear_order_is_refused(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (address, lobby), visiting(address) as host:
        for body in UNCLEAR:
            assert (await host.post("api/admin/orders", body, headers=HOST))[0] == 400, body
        assert not lobby.order_book.orders.all


# --- records of actions, and several servers --------------------------------------------------------------------------


async def test_every_action_is_logged_and_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with hosted(tmp_path) as (address, _), visiting(address) as host:
        table = (await host.open("gra", [None, None], name="A rude name"))["table"]
        await host.post("api/admin/login", {"token": TOKEN})
        caplog.clear()
        id = await order(host, "ban", network="203.0.113.9", reason="noise")
        await host.ask("DELETE", f"api/admin/orders/{id}", headers=HOST)
        await host.post(f"api/admin/tables/{table}/rename", {"seat": 0}, headers=HOST)
        await host.post(f"api/admin/tables/{table}/close", {}, headers=HOST)
        logged = [entry for entry in caplog.records if entry.name == "gramy.admin" and entry.levelno >= logging.WARNING]
        assert [vars(entry)["action"] for entry in logged] == ["ban", "end_ban", "rename", "close"]
        audit = (await overview(host))["audit"]
        assert [entry["action"] for entry in audit] == ["close", "rename", "end_ban", "ban", "login"]
        assert audit[3]["subject"] == "203.0.113.9/32"
        assert audit[3]["detail"] == "noise"
        assert not re.search(r"rude|203\.0\.113|" + table, caplog.text)
        assert TOKEN not in caplog.text


async def test_orders_reach_the_visitors_of_every_server(
    postgres: Postgres, redis: RedisServer, tmp_path: Path
) -> None:
    store = PostgresBackend(postgres).url
    words: dict[str, Any] = {"store": store, "bus": redis.url, "secrets": ("s" * 32,)}
    async with (
        hosted(tmp_path, **words) as (first, _),
        hosted(tmp_path, **words) as (second, _),
        visiting(first) as bob,
        visiting(second) as ada,
        visiting(first) as host,
    ):
        opened = await bob.open("face-to-face", [None, None])
        joined = await ada.join(opened["table"])
        here = await bob.sit(opened["table"], opened["token"])
        there = await ada.sit(opened["table"], joined["token"])
        await here.until(lambda now: now["view"] is not None)
        await order(host, "announcement", texts={"en": "Hello"})
        while (await there.receive())["type"] != "notices":
            pass
        await order(host, "ban", table=opened["table"], seat=1)
        assert (await goodbye(there))["key"] == "banned"
        await here.until(lambda now: now["table"]["seats"][1]["stand_in"])
        assert (await ada.get("api/tables"))[0] == 403
        await host.post(f"api/admin/tables/{opened['table']}/close", {}, headers=HOST)
        assert (await goodbye(here))["key"] == "table_closed"
        async with aiohttp.ClientSession() as eve, eve.ws_connect(f"{second}ws/{opened['table']}") as socket:
            assert (await socket.receive_json(timeout=TIMEOUT))["type"] == "bye"
