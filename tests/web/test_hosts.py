"""Host headers: checked before any handler, whatever they contain."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from gramy.web.hosts import Hosts, WrongHost, is_origin, parse_host
from gramy.web.limits import Limits
from gramy.web.rare_log import RareLog
from gramy.web.visitor import parse_networks
from tests.web.client import TABLE, Visitor, raw, serving, visiting

LOOPBACK = parse_networks(["127.0.0.1"])
WRONG = [
    b"a" * 2250, b"x" * 260, b"a." * 127 + b"a", b"w\xc5\xbcone", b"\xff\xfe", b"a b", b"a/b", b"a@b", b"a\tb", b"a..b",
    b".a", b"-a", b"a-", b"a:", b"a:0", b"a:65536", b"a:1:2", b"[::1", b"[::1]x", b"[:::]", b"[fe80::1%eth0]", b"::1",
    b"a<script>", b"", b"a\\b", b"a" * 64,
]  # fmt: skip
RIGHT = ["localhost", "localhost:8484", "127.0.0.1:80", "[::1]:8484", "[::ffff:1.2.3.4]", "cards.example.org",
         "cards.example.org.", "xn--wone-zmb.pl:443", "gramy_1:8484", "a." * 126 + "a"]  # fmt: skip


async def head(address: str, path: str, host: bytes, *more: bytes) -> bytes:
    lines = [b"GET " + path.encode() + b" HTTP/1.1", b"Host: " + host, b"Connection: close", *more]
    return await raw(address, b"\r\n".join([*lines, b"", b""]))


async def test_a_wrong_host_gets_400_on_every_path_and_logs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        table = (await ada.open("gra", TABLE["seats"]))["table"]
        for path in ("/", f"/api/tables/{table}/qr.svg", "/static/app.js", "/no/such/page", f"/ws/{table}"):
            for host in WRONG:
                response = await head(address, path, host)
                assert response.startswith(b"HTTP/1.1 400 "), (path, host, response)
        for hosts in (b"", b"Host: a\r\nHost: b\r\n"):
            response = await raw(address, b"GET / HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
            assert b" 400 " in response.partition(b"\r\n")[0]
        assert (await raw(address, b"GET /health HTTP/1.0\r\n\r\n")).startswith(b"HTTP/1.0 200 ")
        assert b"wrong_host" in await head(address, "/", b"a" * 300)
    assert not [entry for entry in caplog.records if entry.levelno >= logging.WARNING]


async def test_every_well_formed_host_is_served(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _):
        for host in RIGHT:
            assert (await head(address, "/health", host.encode())).startswith(b"HTTP/1.1 200 "), host


async def qr_code(visitor: Visitor, table: str, **headers: str) -> tuple[int, str]:
    words = {name.replace("_", "-"): value for name, value in headers.items()}
    return await visitor.get(f"api/tables/{table}/qr.svg", headers=words)


async def test_with_a_public_address_other_names_are_refused_and_invitations_show_it(tmp_path: Path) -> None:
    origins = frozenset({"https://cards.example.org"})
    async with serving(tmp_path, origins=origins) as (address, _), visiting(address) as ada:
        table = (await ada.open("gra", TABLE["seats"]))["table"]
        assert (await ada.get("health", headers={"Host": "evil.example.org"}))[0] == 400
        assert (await ada.get("health", headers={"Host": "Cards.Example.ORG"}))[0] == 200
        shown = {await qr_code(ada, table, Host=host) for host in ("cards.example.org", "localhost:1", "[::1]:8484")}
        assert len(shown) == 1  # health checks and proxies reach the server by other names


async def test_a_trusted_proxy_reports_the_host_and_a_wrong_report_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, proxies=LOOPBACK) as (address, _), visiting(address) as ada:
        table = (await ada.open("gra", TABLE["seats"]))["table"]
        forwarded = await qr_code(ada, table, Host="inside:1", X_Forwarded_Host="cards.example.org")
        assert forwarded == await qr_code(ada, table, Host="cards.example.org")
        assert forwarded == await qr_code(ada, table, X_Forwarded_Host="evil.example.org, cards.example.org")
        for wrong in ("a" * 300, "a b", "ż"):
            assert (await qr_code(ada, table, X_Forwarded_Host=wrong))[0] == 400
    async with serving(tmp_path) as (address, _), visiting(address) as ada:  # nobody is trusted
        plain = await qr_code(ada, table, Host="cards.example.org")
        assert plain == await qr_code(ada, table, Host="cards.example.org", X_Forwarded_Host="evil.example.org")


async def test_a_long_chain_of_forwarded_addresses_is_read_from_its_end_only(tmp_path: Path) -> None:
    limits = Limits(requests_a_second=0.5, tables_a_minute=1e6)
    async with serving(tmp_path, limits=limits, proxies=LOOPBACK) as (address, _), visiting(address) as ada:
        chain = ", ".join([*["127.0.0.1"] * 500, "203.0.113.9"])
        answers = [(await ada.get("api/games", headers={"X-Forwarded-For": chain}))[0] for _ in range(8)]
        assert answers.count(429) >= 2


async def test_qr_codes_for_long_hosts_do_not_keep_others_waiting(tmp_path: Path) -> None:
    limits = Limits(requests_a_second=1e6)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada, visiting(address) as eve:
        table = (await ada.open("gra", TABLE["seats"]))["table"]
        hosts = [f"{number}." + ".".join(["a" * 63] * 3) for number in range(60)]
        flood = asyncio.gather(*(qr_code(eve, table, Host=host) for host in hosts))
        slowest, answered = 0.0, 0
        while not flood.done():
            began = asyncio.get_running_loop().time()
            assert (await ada.get("health"))[0] == 200
            answered += 1
            slowest = max(slowest, asyncio.get_running_loop().time() - began)
        statuses = [status for status, _ in await flood]
        assert statuses.count(200) == 30 < statuses.count(429) + 1  # drawing has a limit of its own
        drawn = hosts[statuses.index(200)]
        assert (await qr_code(eve, table, Host=drawn))[0] == 200  # it was kept
        assert slowest < 0.5, (slowest, answered)  # before, all sixty were drawn on the loop: 2 s


@pytest.mark.parametrize("host", [host.decode("utf-8", "surrogateescape") for host in WRONG])
def test_a_malformed_host_is_refused(host: str) -> None:
    with pytest.raises(WrongHost):
        parse_host(host)
    with pytest.raises(WrongHost):
        Hosts({"https://cards.example.org"}).check(host, through_proxy=True)


def test_a_public_address_is_an_origin() -> None:
    assert all(map(is_origin, ("https://a.example", "http://localhost:8484", "https://[::1]")))
    assert not any(map(is_origin, ("a.example", "https://a.example/", "ftp://a.example", "https://", "https://a b")))


def test_a_repeated_entry_is_logged_once_a_minute_with_its_number(caplog: pytest.LogCaptureFixture) -> None:
    time = [0.0]
    log = RareLog(logging.getLogger("gramy.test"), now=lambda: time[0])
    for second in range(100):
        time[0] = float(second)
        log.warning("it happened", why="because")
    assert [entry.__dict__["more_since_last"] for entry in caplog.records] == [0, 59]
