"""Attacks: each of them worked once, or is named by the threat model."""

from __future__ import annotations

import contextlib
import gzip
import json
import logging
import random
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSCloseCode, web
from aiohttp.test_utils import make_mocked_request
from itsdangerous import URLSafeSerializer

from gramy import record
from gramy.table.services import Times
from gramy.web import responses, server, wire
from gramy.web.app import MAX_BODY
from gramy.web.limits import Limits
from gramy.web.visitor import Guests, parse_networks, prefixes
from tests.web.client import BOT, TABLE, Json, closed, pair, play_on, raw, serving, turn_of, visiting

BODY = json.dumps(TABLE).encode()


async def posted(address: str, *headers: bytes, body: bytes = BODY, path: bytes = b"/api/tables") -> tuple[int, Json]:
    """Send a request with exactly these headers; return status and body."""
    lines = [b"POST %s HTTP/1.1" % path, b"Host: here", b"Connection: close", b"Content-Length: %d" % len(body)]
    answer = await raw(address, b"\r\n".join([*lines, *headers, b"", body]))
    head, _, content = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(content)


# --- other players' seats ---------------------------------------------------------------------------------------------


async def test_a_token_opens_only_its_own_seat_at_its_own_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        mine, other = await ada.open("gra", [None, None]), await ada.open("gra", [None, None])
        taken = await eve.join(other["table"], "Eve")
        for token in (
            other["token"],
            taken["token"],
            mine["token"][:-1],
            mine["token"] + "A",
            mine["token"].swapcase(),
        ):
            client = await eve.sit(mine["table"], token)
            assert client.seat is None
            assert (await client.do("leave"))["key"] == "spectators_watch"
        assert (await eve.sit(mine["table"], mine["token"])).seat == 0


FORGED: list[Any] = [
    "",
    "x",
    "null",
    "W10",
    "e30",
    "InJvb3Qi",
    ".eJw",
    "InJvb3Qi.x",
    "'; DROP TABLE seats; --",
    "\\377",
]


async def test_a_cookie_with_a_wrong_signature_is_ignored(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("gra", [None, None])
        (cookie,) = ada.session.cookie_jar
        guest = lobby.tables[opened["table"]].state.seats[0].guest
        forged = [URLSafeSerializer(key, salt="guest").dumps(guest) for key in ("", "guest", "secret")]
        forged += [cookie.value[:-1], cookie.value.partition(".")[0], cookie.value.upper(), *FORGED]
        for value in forged:
            headers = {"Cookie": f"guest={value}"}
            socket = await eve.session.ws_connect(f"{address}ws/{opened['table']}", headers=headers)
            await socket.send_json({"type": "hello"})
            assert (await socket.receive_json())["you"] is None
            await socket.close()
        assert (await ada.sit(opened["table"])).seat == 0


@pytest.mark.parametrize(
    "value", [b"\xff", b"\xed\xa0\x80.x", b"\xff" * 4000, b"a;guest=\xfe", b'"\\377"', b"A" * 7000]
)
async def test_a_cookie_that_is_not_text_is_ignored(tmp_path: Path, value: bytes) -> None:
    async with serving(tmp_path) as (address, _):
        status, opened = await posted(address, b"Cookie: guest=" + value)
        assert (status, opened["seat"]) == (201, 0)


def test_only_a_text_signed_as_a_guest_is_accepted() -> None:
    def request(cookie: str) -> web.Request:
        return make_mocked_request("GET", "/", headers={"Cookie": f"guest={cookie}"})

    signed = [URLSafeSerializer("key", salt="guest").dumps(value) for value in (5, None, ["x"], {"x": 1}, "ada")]
    signed.append(URLSafeSerializer("key", salt="other").dumps("ada"))
    assert [Guests(["key"]).get(request(value)) for value in signed] == [None] * 4 + ["ada", None]


async def test_an_old_command_sent_again_in_another_round_does_nothing(tmp_path: Path) -> None:
    rng = random.Random(5)
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = await pair(address, ada, bob, "face-to-face")
        mover, _ = turn_of(clients)
        old = {"id": "old", "at": mover.now["lines"], "round": 1, "move": mover.now["view"]["moves"][0]}
        assert await mover.do("move", **old) is None
        assert await mover.do("move", **old) is None  # answered again, not executed again
        assert [line["move"] for line in mover.lines].count(old["move"]) == 1
        await play_on(list(clients), rng)
        for client in clients:
            await client.do("rematch")
        for client in clients:
            await client.until(lambda now: now["table"]["round"] == 2 and now["view"])
        lines = mover.now["lines"]
        refused = await mover.do("move", **old)
        assert refused is not None
        assert refused["key"] == "too_late"
        assert mover.now["lines"] == lines


# --- other origins ----------------------------------------------------------------------------------------------------


NOT_OURS: list[list[bytes]] = [
    [b"Origin: x://y://here"],
    [b"Origin: http://here.evil.example"],
    [b"Origin: http://here@evil.example"],
    [b"Origin: here"],
    [b"Origin: HTTP://here"],
    [b"Origin: http://here/"],
    [b"Origin: http://here", b"Origin: http://evil.example"],
    [b"Origin: http://evil.example", b"Origin: http://here"],
    [b"Origin: \xff"],
]


async def test_an_origin_must_match_exactly(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby):
        for headers in NOT_OURS:
            assert (await posted(address, *headers))[0] == 403
        assert not lobby.tables
        assert (await posted(address, b"Origin: http://here"))[0] == 201


async def test_an_http_origin_may_not_act_on_an_https_server(tmp_path: Path) -> None:
    async with serving(tmp_path, proxies=parse_networks(["127.0.0.1"])) as (address, _):
        secure = b"X-Forwarded-Proto: https"
        assert (await posted(address, secure, b"Origin: http://here"))[0] == 403
        assert (await posted(address, secure, b"Origin: https://here"))[0] == 201
        assert (await posted(address, b"Origin: https://here"))[0] == 201  # a proxy may not mention its TLS


# --- floods and slow requests -----------------------------------------------------------------------------------------


async def test_a_body_that_never_arrives_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "BODY_TIMEOUT", 0.05)
    async with serving(tmp_path) as (address, _):
        begun = b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 99\r\n\r\n{"
        assert (await raw(address, begun)).startswith(b"HTTP/1.1 408 ")


async def test_a_request_that_never_arrives_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "KEEPALIVE_TIMEOUT", 0.05)
    async with serving(tmp_path) as (address, _):
        for begun in (b"", b"GET", b"GET / HTTP/1.1\r\nHost: here\r\nX-Slow: "):
            assert await raw(address, begun) == b""


async def test_a_compressed_body_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _):
        bomb = gzip.compress(b" " * 10_000_000)
        assert len(bomb) < MAX_BODY
        for encoding in (b"gzip", b"deflate", b"br", b"zstd", b"x"):
            assert (await posted(address, b"Content-Encoding: " + encoding, body=bomb))[0] == 415


def test_all_addresses_of_an_ipv6_network_share_one_limit() -> None:
    assert prefixes("2001:db8:1:2::1") == ("2001:db8:1:2::/64", "2001:db8:1::/48")
    assert prefixes("2001:db8:1:2:ffff::9") == prefixes("2001:db8:1:2::1")
    assert prefixes("203.0.113.7") == ("203.0.113.7/32", "203.0.113.0/24") == prefixes("::ffff:203.0.113.7")
    assert prefixes("fe80::1%eth0") == prefixes("fe80::2%eth1")
    assert prefixes(None) == prefixes("somewhere") == ("unknown",)


async def test_too_many_spectators_do_not_keep_players_out(tmp_path: Path) -> None:
    limits = Limits(1e6, 1e6, 1e6, 1e6, viewers_a_table=2)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("gra", [None, BOT])
        for _ in range(2):
            await eve.sit(opened["table"])
        socket = await eve.session.ws_connect(f"{address}ws/{opened['table']}")
        await socket.send_json({"type": "hello"})
        assert await closed(socket) == WSCloseCode.TRY_AGAIN_LATER
        assert (await ada.sit(opened["table"])).seat == 0
        assert (await ada.sit(opened["table"], opened["token"])).seat == 0


async def test_the_sockets_of_an_address_share_a_limit_on_commands(tmp_path: Path) -> None:
    limits = Limits(1, 1e6, 1e6, 1e6)  # two at once on a socket, twenty from an address
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as eve:
        opened = await eve.open("gra", [None, BOT])
        clients = [await eve.sit(opened["table"]) for _ in range(60)]
        for client in clients:
            await client.send("rematch")
        ended = []
        for client in clients:
            with contextlib.suppress(AssertionError):  # the server closed the socket
                await client.answer("c1")
            ended.append(client.socket.close_code)
        assert set(ended) == {None, WSCloseCode.POLICY_VIOLATION}
        assert ended.count(None) < 50


async def test_replays_have_a_rate_limit_of_their_own(tmp_path: Path) -> None:
    limits = Limits(1e6, 1e6, 1e6, 1e6, replays_a_minute=3)
    async with serving(tmp_path, limits=limits) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, BOT])
        paths = [f"api/replay/{opened['table']}/1", f"api/record/{opened['table']}/1"] * 3
        assert [(await ada.get(path))[0] for path in paths] == [400] * 3 + [429] * 3
        assert (await ada.get("api/games"))[0] == 200


# --- records, logs and messages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("client_seed", ["abc\n", "abc\n1 x", "", "a b", "ä", "x" * 65, "-", "abc\r", "abc\u2028"])
def test_a_client_seed_is_letters_and_digits_and_cannot_break_a_record(client_seed: str) -> None:
    for message in (
        {"type": "hello", "client_seed": client_seed},
        {"type": "reveal", "id": "1", "round": 1, "attempt": 1, "client_seed": client_seed},
    ):
        with pytest.raises(wire.UNREADABLE):
            wire.decode_message(json.dumps(message))


async def test_a_record_is_read_again_whatever_the_players_are_called(tmp_path: Path) -> None:
    rng = random.Random(7)
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("gra", [None, None], name='"\\ 0 "x')
        await bob.join(opened["table"], "result: 0 seed: luck:")
        clients = [await ada.sit(opened["table"]), await bob.sit(opened["table"])]
        await play_on(clients, rng)
        _, text = await ada.get(f"api/record/{opened['table']}/1")
        match, deal = record.parse_checkable(text)
        assert match.names == ('"\\ 0 "x', "result: 0 seed: luck:")
        assert deal is not None


GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b'GET / HTTP/1.1\r\nEvil\x01: {"level": "error", "event": "forged"}\r\n\r\n',
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 500 + b"\r\n",
    b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n",
    b"\r\n\r\n\r\n\x00",
]


async def test_malformed_http_is_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        for bytes in GARBAGE:
            assert (await raw(address, bytes)).startswith(b"HTTP/1.0 400 ")
        assert (await ada.get("health"))[0] == 200
    assert [line.getMessage() for line in caplog.records] == ["serving"]


def test_a_log_entry_is_always_one_line() -> None:
    forged = 'x\n{"level": "error"}\r\u2028\x1b[2J'
    line = logging.makeLogRecord({"msg": "not kept", "levelname": "ERROR", "why": forged})
    written = server.JsonFormatter().format(line)
    assert written.isprintable()
    assert json.loads(written)["why"] == forged


@pytest.mark.parametrize("password", ["pass", "p@ss", "p@:ss@", "p?ss@", "p/ss", "p//s@s"])
def test_a_password_is_in_no_message_to_the_host(password: str) -> None:
    shown = server.without_password(f"postgresql://ada:{password}@db.example:5432/gramy?sslmode=require")
    assert "ada" not in shown
    assert "ss" not in shown
    assert "ss" not in server.without_password(f"postgresql://db.example/gramy?password={password}")


# --- headers ----------------------------------------------------------------------------------------------------------


async def test_strict_transport_security_is_sent_only_over_https(tmp_path: Path) -> None:
    async with serving(tmp_path, proxies=parse_networks(["127.0.0.1"])) as (address, _), visiting(address) as ada:
        for scheme, expected in (("https", True), ("http", False), ("", False)):
            async with ada.session.get(address, headers={"X-Forwarded-Proto": scheme}) as response:
                assert ("Strict-Transport-Security" in response.headers) is expected


async def test_forwarded_proto_is_trusted_only_from_named_proxies(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        response = await ada.session.get(address, headers={"X-Forwarded-Proto": "https"})
        assert "Strict-Transport-Security" not in response.headers


async def test_only_the_files_of_the_client_may_be_cached(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as bob:
        clients = await pair(address, ada, bob, "gra")
        await play_on(list(clients), random.Random(3))
        table = clients[0].now["table"]["table"]
        private = [f"api/tables/{table}", f"api/tables/{table}/qr.svg", f"api/replay/{table}/1"]
        private += [f"api/record/{table}/1", "api/tables", "health", "metrics", "nowhere", "api/tables/nowhere"]
        kept: dict[str, str] = {}
        for path in (*private, "", f"t/{table}", "static/app.js", "api/text/pl"):
            async with ada.session.get(address + path) as response:
                kept[path] = response.headers["Cache-Control"]
        assert {path for path, how in kept.items() if how == "no-store"} == set(private)
        assert set(kept.values()) == {"no-store", "no-cache"}


# --- seeds ------------------------------------------------------------------------------------------------------------


async def test_a_seed_is_revealed_only_when_its_match_is_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    rng = random.Random(9)
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada, visiting(address) as bob:
        clients = await pair(address, ada, bob, "gra")
        table = lobby.tables[clients[0].now["table"]["table"]]
        seeds, bound = [deal.seed for deal in table.state.deals], [deal.commitment for deal in table.state.deals]
        await play_on(list(clients), rng, most=2)
        for path in (f"api/record/{table.id}/1", f"api/record/{table.id}/2", f"api/replay/{table.id}/1"):
            assert (await bob.get(path))[0] == 400
        assert not any(seed in text for seed in seeds for client in clients for text in client.received)
        await play_on(list(clients), rng)
        deal = clients[0].now["deal"]
        assert (deal["seed"], deal["commitment"], deal["next_commitment"]) == (seeds[0], *bound)
        for client in clients:
            await client.do("rematch")
        for client in clients:
            await client.until(lambda now: now["table"]["round"] == 2 and now["view"])
            assert client.now["deal"]["commitment"] == bound[1]  # fixed before the client seeds were known
            assert not any(seeds[1] in text for text in client.received)
        _, metrics = await bob.get("metrics")
        logged = metrics + "".join(str(vars(line)) for line in caplog.records)
        assert not any(seed in logged for seed in seeds)


async def test_a_commitment_is_not_changed_by_reconnecting(tmp_path: Path) -> None:
    """Otherwise a player could try another client seed after the others have committed to theirs."""
    times = Times(pause=0)
    async with serving(tmp_path, times=times) as (address, _), visiting(address) as ada, visiting(address) as bob:
        opened = await ada.open("gra", [None, None])
        await bob.join(opened["table"])
        first = await ada.sit(opened["table"], client_seed="first")
        await first.until(lambda now: now["deal"]["commitments"][0] != "")
        second = await ada.sit(opened["table"], client_seed="second")
        answer = await second.do("commit", id="another", round=1, attempt=1, commitment="0" * 64)
        assert answer is not None
        assert answer["key"] == "already_committed"
        assert second.now["deal"]["commitments"] == first.now["deal"]["commitments"]
