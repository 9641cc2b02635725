"""Visitors: addresses behind proxies, limits per address, and guests after a change of the secret."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from itsdangerous import TimestampSigner, URLSafeSerializer, URLSafeTimedSerializer

from gramy.web.limits import Limits
from gramy.web.visitor import SALT, Guests, parse_networks
from tests.web.client import BOT, TABLE, Visitor, pair, serving, turn_of, visiting

SECRET, OLDER = "s" * 32, "t" * 32
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


def signed_at(date: float, secret: str, guest: str) -> str:
    """Return a cookie as a server with this secret signed it at this date."""

    class Signer(TimestampSigner):
        def get_timestamp(self) -> int:
            return int(date)

    signed = URLSafeTimedSerializer(secret, salt=SALT, signer=Signer).dumps(guest)
    assert isinstance(signed, str)
    return signed


async def set_cookies(visitor: Visitor, path: str, scheme: str = "https", **cookies: str) -> dict[str, Any]:
    """Return the cookies that a response sets for a visitor who sends these; `Host_guest` has the prefix."""
    words = "; ".join(f"{name.replace('Host_', '__Host-')}={value}" for name, value in cookies.items())
    headers = {"X-Forwarded-Proto": scheme, "Cookie": words}
    async with visitor.session.get(visitor.address + path, headers=headers) as response:
        assert response.status == 200
        return dict(response.cookies.items())


async def test_under_https_the_cookie_has_the_host_prefix_and_the_old_name_is_replaced(tmp_path: Path) -> None:
    async with serving(tmp_path, proxies=LOOPBACK, secrets=(SECRET,)) as (address, _), visiting(address) as ada:
        headers = {"X-Forwarded-Proto": "https"}
        async with ada.session.post(f"{address}api/tables", json=TABLE, headers=headers) as response:
            assert response.status == 201
            (header,) = response.headers.getall("Set-Cookie")
            assert header.startswith("__Host-guest=")
            assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(header.split("; "))
            assert "Domain" not in header
        old = URLSafeSerializer(SECRET, salt="guest").dumps("ada")
        renewed = await set_cookies(ada, "api/tables", guest=old)
        assert renewed["__Host-guest"]["secure"]
        assert renewed["guest"]["max-age"] == "0"
        again = renewed["__Host-guest"].value
        assert await set_cookies(ada, "api/tables", Host_guest=again) == {}
        assert list(await set_cookies(ada, "api/tables", "http", guest=old)) == ["guest"]


async def test_a_cookie_is_signed_again_after_a_month_and_after_a_change_of_the_secret(tmp_path: Path) -> None:
    secrets = (SECRET, OLDER)
    month = 30 * 86_400
    async with serving(tmp_path, proxies=LOOPBACK, secrets=secrets) as (address, _), visiting(address) as ada:
        for age, secret, renewed in (
            (0, SECRET, False), (month - 600, SECRET, False), (month + 600, SECRET, True), (0, OLDER, True),
            (400 * 86_400, OLDER, True), (-400 * 86_400, SECRET, False),
        ):  # fmt: skip
            cookie = signed_at(time.time() - age, secret, "ada")
            found = await set_cookies(ada, "api/tables", Host_guest=cookie)
            assert list(found) == (["__Host-guest"] if renewed else []), (age, secret)
            if renewed:
                again: Any = Cookies({"__Host-guest": found["__Host-guest"].value})
                assert Guests([SECRET]).get(again) == "ada"
        assert await set_cookies(ada, "api/tables", Host_guest="forged") == {}
        assert await set_cookies(ada, "static/app.js", guest=signed_at(0, SECRET, "ada")) == {}  # caches store it


class Cookies:
    """The parts of a request that a guest depends on."""

    def __init__(self, cookies: dict[str, str]) -> None:
        self.cookies = cookies

    def get(self, key: object) -> None:
        """Return that no bot's token was shown."""


def test_a_cookie_with_the_host_prefix_wins_over_one_that_another_site_may_have_set() -> None:
    mine, planted = signed_at(0, SECRET, "ada"), signed_at(0, SECRET, "eve")
    request = Cookies({"guest": planted, "__Host-guest": mine})
    assert Guests([SECRET]).get(request) == "ada"  # type: ignore[arg-type]


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
