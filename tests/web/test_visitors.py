"""Visitors: addresses behind proxies, limits per address, and guests after a change of the secret."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest

from gramy.web.limits import Limits
from gramy.web.visitor import parse_networks
from tests.web.client import BOT, Visitor, pair, serving, turn_of, visiting

LOOPBACK = parse_networks(["127.0.0.1", "::1"])
FEW = Limits(commands_a_second=1e6, requests_a_second=0.5, tables_a_minute=1e6)  # five at once


async def asked(visitor: Visitor, times: int, **headers: str) -> list[int]:
    words = {name.replace("_", "-"): value for name, value in headers.items()}
    return [(await visitor.get("api/games", headers=words))[0] for _ in range(times)]


async def test_visitors_behind_a_trusted_proxy_are_counted_separately(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=FEW, proxies=LOOPBACK) as (address, _), visiting(address) as ada:
        assert (await asked(ada, 7, X_Forwarded_For="203.0.113.7")).count(429) >= 1
        assert await asked(ada, 3, X_Forwarded_For="203.0.113.8") == [200] * 3
        # A visitor's own header comes before what the proxy adds, and is not trusted.
        assert await asked(ada, 1, X_Forwarded_For="203.0.113.9, 203.0.113.7, 127.0.0.1") == [429]


async def test_forwarded_addresses_are_trusted_only_from_named_proxies(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=FEW) as (address, _), visiting(address) as ada:
        answers = [(await asked(ada, 1, X_Forwarded_For=f"203.0.113.{number}"))[0] for number in range(9)]
        assert answers.count(429) >= 3


@pytest.mark.parametrize("odd", ["", "somewhere", "1.2.3", "127.0.0.1", "203.0.113.7:80", "’"])
async def test_without_a_valid_forwarded_address_the_proxy_is_counted(tmp_path: Path, odd: str) -> None:
    async with serving(tmp_path, limits=FEW, proxies=LOOPBACK) as (address, _), visiting(address) as ada:
        assert (await asked(ada, 8, X_Forwarded_For=odd)).count(429) >= 2


async def test_a_forwarded_https_request_gets_a_secure_cookie_and_an_https_invitation(tmp_path: Path) -> None:
    async with serving(tmp_path, proxies=LOOPBACK) as (address, _), visiting(address) as ada:
        body = {"game": "gra", "seats": [None, BOT], "name": "Ada"}
        for scheme, secure in (("https", True), ("http", False), ("gopher", False)):
            headers = {"X-Forwarded-Proto": scheme}
            async with ada.session.post(f"{address}api/tables", json=body, headers=headers) as response:
                assert response.status == 201
                assert ("Secure" in response.headers["Set-Cookie"]) is secure


async def test_a_family_behind_one_address_gets_all_files_of_the_client(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=Limits()) as (address, _), visiting(address) as ada:
        for _ in range(8):  # devices that load fifty files each
            for _ in range(50):
                assert (await ada.get("static/app.js"))[0] == 200
        assert await asked(ada, 20) == [200] * 20


async def test_an_address_can_open_another_socket_after_closing_one(tmp_path: Path) -> None:
    limits = Limits(1e6, 1e6, 1e6, 1e6, sockets_an_address=3)
    async with serving(tmp_path, limits=limits) as (address, lobby), visiting(address) as ada:
        one, other = await ada.open("gra", [None, None]), await ada.open("gra", [None, None])
        first = await ada.sit(one["table"], one["token"])
        for _ in range(2):
            await ada.sit(other["table"])
        with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
            await ada.sit(other["table"])
        await first.socket.close()
        assert (await ada.sit(other["table"], other["token"])).seat == 0
        assert not lobby.tables[one["table"]].viewers


async def test_guests_keep_their_seats_after_the_secret_changes(tmp_path: Path) -> None:
    old, new = "old" * 11, "new" * 11
    async with serving(tmp_path, secrets=(old,)) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        cookies = {cookie.key: cookie.value for cookie in ada.session.cookie_jar}
    for secrets, seat in (((new, old), 0), ((new,), None)):
        async with serving(tmp_path, secrets=secrets) as (address, _), visiting(address) as ada:
            ada.session.cookie_jar.update_cookies(cookies)
            assert (await ada.sit(opened["table"])).seat == seat


async def test_a_phrase_repeated_after_a_restart_is_said_once(tmp_path: Path) -> None:
    phrase = {"phrase": "red low", "id": "a1"}
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        mover, _ = turn_of(await pair(address, ada, bob, "quick-easy"))
        table, before = mover.now["table"]["table"], mover.now["lines"]
        cookies = {cookie.key: cookie.value for cookie in (ada, bob)[mover.seat or 0].session.cookie_jar}
        assert await mover.do("say", at=before, **phrase) is None
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        ada.session.cookie_jar.update_cookies(cookies)
        client = await ada.sit(table)
        assert await client.do("say", at=before, **phrase) is None
        assert [line["move"] for line in client.lines].count("say red low") == 1
        assert await client.do("say", at=client.now["lines"], phrase="red low") is None
        assert [line["move"] for line in client.lines].count("say red low") == 2
