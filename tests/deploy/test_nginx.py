"""The site for nginx in deploy/: it is valid for one server and for several, and keeps visitors within limits."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.deploy.proxy import NAME, Proxy, gramy_serve, nginx, proxying, write_site
from tests.servers import Postgres, RedisServer, free_port
from tests.web.client import Client, Visitor

REQUEST = f"GET %s HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n%s\r\n"
SERVERS = {"one": ["127.0.0.1:8484"], "several": ["10.84.0.11:8484", "10.84.0.12:8484", "[fd00::1]:8484"]}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Proxy, int]]:
    """Run nginx in front of one `gramy serve`; yield the proxy and the server's own port."""
    folder = tmp_path_factory.mktemp("site")
    nginx(folder)  # skip before the server is started
    with (
        gramy_serve(folder / "server", GRAMY_PROXIES="127.0.0.1", GRAMY_ORIGINS=f"https://{NAME}") as (port, _),
        proxying(folder / "nginx", [f"127.0.0.1:{port}"]) as proxy,
    ):
        yield proxy, port


@contextlib.asynccontextmanager
async def echo() -> AsyncIterator[int]:
    """Run a server that answers a request with its own head; yield its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            size = str(len(head)).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + size + b"\r\n\r\n" + head)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def request(path: str, *headers: str) -> bytes:
    return (REQUEST % (path, "".join(f"{header}\r\n" for header in headers))).encode("latin-1")


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


async def refused_after(proxy: Proxy, most: int, *headers: str) -> int:
    """Send requests until one is refused, and return how many were answered; at most `most`."""
    for answered in range(most):
        if (status := status_of(await proxy.send(request("/api/games", *headers)))) == 429:
            return answered
        assert status == 200
    return most


@pytest.mark.parametrize("servers", SERVERS.values(), ids=SERVERS)
def test_nginx_accepts_the_site(servers: list[str], tmp_path: Path) -> None:
    command = nginx(tmp_path, "-t")
    write_site(tmp_path, servers, free_port(), free_port())
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr
    site = (tmp_path / "site.conf").read_text()
    assert [line.split()[1] for line in site.splitlines() if "fail_timeout" in line] == servers
    assert "example.org" not in site


@pytest.mark.parametrize(
    "words", [["play.test;"], ["-x"], ["Play Test"], ["play.test", "127.0.0.1;"], ["play.test", "a b:1"]]
)
def test_a_name_or_address_that_would_change_the_site_is_refused(words: list[str]) -> None:
    script = Path(__file__).parents[2] / "deploy" / "nginx-site.sh"
    done = subprocess.run(["bash", str(script), *words], capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stdout == ""


async def test_two_visitors_play_over_https(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    async with proxy.visitor("127.0.0.2") as ada, proxy.visitor("127.0.0.3") as bob:
        status, page = await ada.get("")
        assert (status, "<title>Gramy</title>" in page) == (200, True)
        opened = await ada.open("face-to-face", [None, None])
        joined = await bob.join(opened["table"])
        clients = [await ada.sit(opened["table"], opened["token"]), await bob.sit(joined["table"], joined["token"])]
        await play_one_move(clients)


async def play_one_move(clients: list[Client]) -> None:
    """Let the client that is to act make a move, and wait until the others see it."""
    for client in clients:
        await client.until(lambda now: now["view"] is not None and bool(now["view"]["to_act"]))
    mover = next(client for client in clients if client.seat in client.now["view"]["to_act"])
    lines = mover.now["lines"]
    move = mover.now["view"]["moves"][0]
    assert await mover.do("move", move=move, at=lines, id=f"after-{lines}") is None  # an id is good for one command
    for client in clients:
        await client.until(lambda now: now["lines"] > lines)


async def test_cookies_are_only_for_https(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    async with proxy.visitor("127.0.0.4") as ada:
        body = {"game": "gra", "seats": [None, {"bot": "easy"}], "name": "Ada"}
        async with ada.session.post(ada.address + "api/tables", json=body) as response:
            assert response.status == 201
            (cookie,) = response.headers.getall("Set-Cookie")
            assert response.headers["Strict-Transport-Security"]
    assert cookie.startswith("__Host-guest=")
    assert {"secure", "httponly", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}


@pytest.mark.parametrize("page", ["health", "ready", "metrics"])
async def test_pages_for_the_host_are_hidden(page: str, site: tuple[Proxy, int]) -> None:
    proxy, port = site
    spellings = [
        f"/{page}",
        f"//{page}",
        f"/{page}/",
        f"/%{ord(page[0]):x}{page[1:]}",
        f"/api/../{page}",
        f"/{page}?x=1",
    ]
    for path in spellings:
        assert status_of(await proxy.send(request(path))) == 404, path
    async with aiohttp.ClientSession() as direct, direct.get(f"http://127.0.0.1:{port}/health") as response:
        assert response.status == 200  # the host asks the server itself


async def test_a_request_for_another_name_gets_no_answer(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    for host in ("evil.test", "x" * 2250, f"{'x' * 2250}.{NAME}", f"{NAME}.evil.test", "127.0.0.1"):
        head = f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert await proxy.send(head.encode()) == b"", host[:20]
    for host in ("x" * 5000, "ż" * 100, f"{NAME} x", "a/b"):
        answer = await proxy.send(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert answer == b"" or status_of(answer) == 400, host[:20]
    with pytest.raises(ssl.SSLError):
        await proxy.send(request("/"), server_name="evil.test")


async def test_http_leads_to_https_for_our_name_only(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    for host, expected in ((NAME, f"Location: https://{NAME}/t/abc?x=1"), ("evil.test", "")):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.http)
        writer.write(f"GET /t/abc?x=1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = (await reader.read()).decode()
        writer.close()
        assert expected in answer.splitlines() if expected else answer == ""


async def test_only_current_tls_is_accepted(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    with proxy.connect() as connection:
        assert connection.version() == "TLSv1.3"
    old = ssl.create_default_context(cafile=str(proxy.folder / "fullchain.pem"))
    old.minimum_version = ssl.TLSVersion.TLSv1_2
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    old.set_ciphers("AES128-SHA")  # no forward secrecy
    with pytest.raises(ssl.SSLError):
        await asyncio.open_connection("127.0.0.1", proxy.https, ssl=old, server_hostname=NAME)


async def test_a_flood_of_requests_is_refused_and_another_visitor_is_served(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    async with proxy.visitor("127.0.0.5") as flooder, proxy.visitor("127.0.0.6") as other:

        async def ask(visitor: Visitor) -> tuple[int, str]:
            async with visitor.session.get(visitor.address + "api/games") as response:
                return response.status, response.content_type

        flood = [asyncio.create_task(ask(flooder)) for _ in range(500)]
        assert [(await ask(other))[0] for _ in range(5)] == [200] * 5
        answers = await asyncio.gather(*flood)
    assert answers.count((429, "text/html")) > 100  # nginx's own page: these requests did not reach the server
    assert answers.count((200, "application/json")) >= 100


async def test_one_visitor_cannot_hold_all_connections(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    unfinished = f"POST /static/x HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 9\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(await asyncio.to_thread(proxy.connect)).send(unfinished)
        over = stack.enter_context(proxy.connect())
        over.settimeout(30)
        over.send(unfinished)
        answer = await asyncio.to_thread(over.recv, 4096)
        assert status_of(answer) == 429
        async with proxy.visitor("127.0.0.7") as other:
            assert (await other.get(""))[0] == 200


async def test_large_requests_are_refused(site: tuple[Proxy, int]) -> None:
    proxy, _ = site
    assert status_of(await proxy.send(request("/", "X: " + "x" * 5000))) == 400
    assert status_of(await proxy.send(request("/" + "x" * 5000))) == 414
    head = f"POST /api/tables HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 17000\r\nConnection: close\r\n\r\n"
    assert status_of(await proxy.send(head.encode())) == 413


async def test_headers_that_a_visitor_forges_are_replaced(tmp_path: Path) -> None:
    forged = [
        *("X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 7.7.7.7", "X-Forwarded-Proto: http", "X-Real-IP: 6.6.6.6"),
        *("X-Forwarded-Host: evil.test", "X-Forwarded-Port: 666", "Forwarded: for=6.6.6.6;host=evil.test"),
    ]
    async with echo() as port:
        with proxying(tmp_path, [f"127.0.0.1:{port}"]) as proxy:
            seen = (await proxy.send(request("/", *forged))).decode().partition("\r\n\r\n")[2]
    lines = seen.splitlines()
    assert {f"Host: {NAME}", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https"} <= set(lines)
    assert f"X-Forwarded-Host: {NAME}" in lines
    assert not any(word in seen for word in ("6.6.6.6", "7.7.7.7", "evil", "666"))


async def test_addresses_of_one_ipv6_network_share_a_limit(tmp_path: Path) -> None:
    """The address comes from a header here, because loopback has one IPv6 address only."""
    simulated = "set_real_ip_from 127.0.0.1; real_ip_header X-Simulated;"
    async with echo() as port:
        with proxying(tmp_path, [f"127.0.0.1:{port}"], simulated) as proxy:
            assert 100 <= await refused_after(proxy, 1000, "X-Simulated: 2001:db8::1") < 1000
            assert await refused_after(proxy, 50, "X-Simulated: 2001:db8::ffff:2") < 50
            assert await refused_after(proxy, 50, "X-Simulated: 2001:db8:0:1::1") == 50
            assert await refused_after(proxy, 50, "X-Simulated: 10.1.2.3") == 50


async def test_two_servers_behind_nginx_survive_the_loss_of_one(
    postgres: Postgres, redis: RedisServer, tmp_path: Path
) -> None:
    nginx(tmp_path)
    settings = {
        "GRAMY_STORE": postgres.new(),
        "GRAMY_BUS": redis.url,
        "GRAMY_SECRET": "0123456789abcdef0123456789abcdef",
        "GRAMY_PROXIES": "127.0.0.1",
        "GRAMY_ORIGINS": f"https://{NAME}",
    }
    with (
        gramy_serve(tmp_path / "one", **settings) as (first, process),
        gramy_serve(tmp_path / "two", **settings) as (second, _),
        proxying(tmp_path / "nginx", [f"127.0.0.1:{first}", f"127.0.0.1:{second}"]) as proxy,
    ):
        async with proxy.visitor("127.0.0.2") as ada, proxy.visitor("127.0.0.3") as bob:
            opened = await ada.open("face-to-face", [None, None])
            joined = await bob.join(opened["table"])
            tokens = [(ada, opened["token"]), (bob, joined["token"])]
            clients = [await visitor.sit(opened["table"], token) for visitor, token in tokens]
            await play_one_move(clients)
            process.kill()
            await asyncio.to_thread(process.wait, 60)
            clients = [await visitor.sit(opened["table"], token) for visitor, token in tokens]
            await play_one_move(clients)
