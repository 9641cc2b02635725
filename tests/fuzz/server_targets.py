"""Targets of fuzzing around the rules: the whole server over sockets, headers, notes, stored rows, the command line.

As in `targets.py`, each takes any bytes, and raises an exception if the code under test does something wrong.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import json
import logging
import random
import re
import socket
import struct
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from multidict import CIMultiDict

import gramy
from gramy import cli, record, web
from gramy.errors import GramyError
from gramy.fair import SeededDealer
from gramy.matches import Entry, Match
from gramy.options import choices, format_options, parse_options
from gramy.table.bot_accounts import INSERT_ACCOUNT, TOKEN_PREFIX, bot_token_hash
from gramy.table.bus import parse_note
from gramy.table.rows import row_of, state_of
from gramy.table.services import Times
from gramy.table.state import unseeded_deal
from gramy.table.store import UnreadableTable
from gramy.web import command as serve_command
from gramy.web.hosts import Hosts, WrongHost, is_origin, parse_host
from gramy.web.server import Settings, running
from gramy.web.visitor import checked_request, parse_networks, prefixes
from tests.fuzz.targets import a_table, check_message, masked
from tests.table.services import ThreadBotPool
from tests.web.client import GENEROUS

LOOP = asyncio.new_event_loop()
SECRET, ADMIN_TOKEN = "fuzz" * 8, "host" * 8
ROUTE = re.compile(r"web\.(get|post|put|patch|delete)\(\s*f?\"([^\"]+)\"")
CHANGING = ("POST", "PUT", "PATCH")
END = b"\r\n\r\nGET /health HTTP/1.1\r\nHost: gramy.test\r\nConnection: close\r\n\r\n"
"""Follows every input: it ends a request that is not whole, and shows that the connection still answers."""
HANDSHAKE = (
    b"GET /ws/TABLE HTTP/1.1\r\nHost: gramy.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
HELLO = b'{"type": "hello", "client_seed": "Zm9y", "protocol": 3}'
HOST_BODIES: list[dict[str, Any]] = [
    {"token": ADMIN_TOKEN},
    {"kind": "ban", "minutes": 5, "network": "2001:db8::/48", "reason": "spam"},
    {"kind": "ban", "minutes": 60, "table": "aaaaaaaaaaaa", "seat": 0, "reach": "wide"},
    {"kind": "mute", "minutes": 0.5, "guest": "x"},
    {"kind": "announcement", "minutes": 9, "texts": {"en": "Hello", "pl": "Cześć", "de": "Hallo"}},
    {"kind": "maintenance", "minutes": 1},
    {"reason": "late"},
    {"seat": 1},
]
BOT_TOKEN = TOKEN_PREFIX + "f" * 43
BOT_BODIES: list[dict[str, Any]] = [
    {"games": ["gra", "face-to-face"], "known": ["1"], "wait": 0},
    {"games": [], "wait": 25},
    {"bot": "fuzz"},
    {"game": "gra", "seats": [None, None], "name": ""},
    {},
]
CLOSE = bytes([0x88, 0x82, 0, 0, 0, 0]) + (1000).to_bytes(2)
"""A close frame of a client."""
SILENCE = 0.005
"""Seconds without more of an answer after which the server counts as waiting for more."""
INPUTS_A_SERVER = 2_000
INPUTS_OF_A_HOST = 200
"""A host's orders close tables, ban visitors and stop the server from opening any."""


# --- the whole server -------------------------------------------------------------------------------------------------


class Errors(logging.Handler):
    """Collects what the server logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, entry: logging.LogRecord) -> None:
        self.found.append(logging.Formatter().format(entry))


class Served:
    """A real server on a port of loopback, with a table for two. It is replaced after some inputs: tables add up."""

    def __init__(self) -> None:
        self.errors, self.used = Errors(), 0
        logging.getLogger("gramy").addHandler(self.errors)
        LOOP.set_exception_handler(lambda _, context: self.errors.found.append(repr(context)))
        self.stack, self.folder = contextlib.AsyncExitStack(), tempfile.TemporaryDirectory()
        LOOP.run_until_complete(self.start())

    async def start(self) -> None:
        settings = Settings(
            port=0,
            data=Path(self.folder.name),
            times=Times(pause=0, seed_wait=0),
            limits=GENEROUS,
            proxies=parse_networks(["127.0.0.0/8"]),
            secrets=(SECRET,),
            admin_token=ADMIN_TOKEN,
        )
        (address, *_), lobby = await self.stack.enter_async_context(running(settings))
        lobby.services.bots = ThreadBotPool()
        lobby.services.rng = random.Random("fuzz")
        self.port = int(address.rstrip("/").rpartition(":")[2])
        body = json.dumps({"game": "face-to-face", "seats": [None, None], "name": "Ada"}).encode()
        head = (
            b"POST /api/tables HTTP/1.1\r\nHost: gramy.test\r\nConnection: close\r\nContent-Type: application/json\r\n"
        )
        opened = await self.send(head + b"Content-Length: %d\r\n\r\n" % len(body) + body, 30.0)
        account = "fuzz", "Zorro", bot_token_hash(BOT_TOKEN), 0.0
        await lobby.services.store.transact([(INSERT_ACCOUNT, account)])
        self.table: bytes = json.loads(opened.partition(b"\r\n\r\n")[2])["table"].encode()

    async def send(self, data: bytes, patience: float = 0.02) -> bytes:
        """Send bytes on a new connection, and return what comes back until it is closed or silent."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        # Reset the connection at its end, so that a million of them leave no ports waiting.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        answer = b""
        with contextlib.suppress(ConnectionError, TimeoutError):
            writer.write(data)
            while len(answer) < 1 << 20:
                async with asyncio.timeout(SILENCE if answer else patience):
                    answer += (chunk := await reader.read(1 << 16))
                if not chunk:
                    break
        writer.transport.abort()
        return answer

    def check(self, answer: bytes) -> None:
        """Check that the server answered as it should, and logged no error."""
        assert not self.errors.found, self.errors.found
        for status in re.findall(rb"^HTTP/1\.[01] (\d{3})", answer, re.MULTILINE):
            assert int(status) < 500 or status == b"503", answer[:2000]
        assert b"Traceback" not in answer

    async def stop(self) -> None:
        await self.stack.aclose()
        logging.getLogger("gramy").removeHandler(self.errors)
        self.folder.cleanup()


_SERVED: list[Served] = []


def served(inputs: int = INPUTS_A_SERVER) -> Served:
    """Return the server of this process; it is another one after so many inputs."""
    if _SERVED and _SERVED[0].used >= inputs:
        LOOP.run_until_complete(_SERVED.pop().stop())
    if not _SERVED:
        _SERVED.append(Served())
    _SERVED[0].used += 1
    return _SERVED[0]


def http(data: bytes) -> None:
    """Send any bytes to a server: it answers without an error of its own, and goes on."""
    server = served()
    server.check(LOOP.run_until_complete(server.send(data.replace(b"TABLE", server.table) + END)))


def sockets(data: bytes) -> None:
    """Send any bytes as frames on an open WebSocket to a table: the server closes it or answers, and goes on."""
    server = served()
    answer = LOOP.run_until_complete(server.send(HANDSHAKE.replace(b"TABLE", server.table) + data + CLOSE, 30.0))
    assert answer.startswith(b"HTTP/1.1 101"), answer[:200]
    server.check(answer)


def handshakes(data: bytes) -> None:
    """Send a WebSocket handshake with any other headers: it is accepted whole or refused."""
    server = served()
    head = HANDSHAKE.replace(b"TABLE", server.table)
    at = data[0] % 8 if data else 0
    lines = head.split(b"\r\n")[:-2]
    lines[min(at, len(lines)) :] = [data[1:], *lines[min(at, len(lines)) + (data[:1] > b"\x80") :]]
    answer = LOOP.run_until_complete(server.send(b"\r\n".join(lines) + b"\r\n\r\n" + CLOSE))
    server.check(answer)


def admin(data: bytes) -> None:
    """Send any bytes as the body or the path of a request with the host's token: it is obeyed or refused."""
    server = served(INPUTS_OF_A_HOST)
    routes = [(method, path) for method, path in routes_of_server() if "/admin" in path]
    method, path = routes[data[0] % len(routes)] if data else routes[0]
    filled = path.replace("TABLE", server.table.decode())
    body = data[1:]
    if method == "DELETE":
        filled += quote(data[1:], safe="")
        body = b""
    token = f"Authorization: Bearer {ADMIN_TOKEN}\r\n".encode()
    answer = LOOP.run_until_complete(
        server.send(_request(method, filled, body).replace(b"\r\n", b"\r\n" + token, 1) + END)
    )
    server.check(answer)


# --- headers ----------------------------------------------------------------------------------------------------------

HOSTS, ANY_HOST = Hosts(["https://gramy.test", "http://other.test:8080"]), Hosts()
PROXIES = parse_networks(["127.0.0.0/8", "::1"])


class ForwardedRequest:
    """The parts of a request that the visitor's address, scheme and host depend on."""

    def __init__(self, headers: CIMultiDict[str], remote: str, scheme: str = "http", host: str = "") -> None:
        self.headers, self.remote, self.scheme, self.host = headers, remote, scheme, host

    def clone(self, **words: Any) -> ForwardedRequest:
        return ForwardedRequest(self.headers, **{"remote": self.remote, "scheme": self.scheme, **words})


def hosts(data: bytes) -> None:
    """Take any lines as Host and forwarding headers, and as an origin: what is accepted is short and plain."""
    words = data.decode("utf-8", "surrogateescape").split("\n")
    is_origin(words[0])
    with contextlib.suppress(WrongHost):
        name = parse_host(words[0])
        assert name.isascii()
        assert len(name) <= 253
        assert not set(name) & set(" /?#@<>\"'\\%\r\n")
    headers = CIMultiDict(
        zip(("Host", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"), words, strict=False)
    )
    for remote in ("127.0.0.1", "192.0.2.1"):
        for known in (HOSTS, ANY_HOST):
            request: Any = ForwardedRequest(headers, remote, host=words[0])
            try:
                seen = checked_request(request, PROXIES, known)
            except WrongHost as error:
                check_message(error.message)
                continue
            assert seen.scheme in ("http", "https")
            assert parse_host(seen.host)
            assert known is ANY_HOST or seen.host in ("gramy.test", "other.test:8080")
            assert all(len(scope) < 64 for scope in prefixes(seen.remote))


# --- other servers, the store and the command line -------------------------------------------------------------------


def notes(data: bytes) -> None:
    """Take any text as a note of another server: what is accepted can be used."""
    note = parse_note(data.decode("utf-8", "replace"))
    if note is None:
        return
    assert isinstance(note["node"], str)
    if note["what"] == "here":
        assert set(note["seats"]) <= set(range(6))
    if note["what"] == "changed":
        assert isinstance(note.get("revision", 0), int | None)
    assert parse_note(json.dumps(note)) == note


def rows(data: bytes) -> None:
    """Take any lines as the stored log of a table: it is replayed, or the table counts as unreadable."""
    number, *lines = data.decode("utf-8", "replace").split("\n")
    table, _, _ = a_table(sum(number.encode()))
    row = row_of(table)
    entries = [Entry(int(seat) if seat.isascii() and seat.isdigit() else 6, move) for seat, _, move in
               (line.partition(" ") for line in lines)]  # fmt: skip
    try:
        state = state_of(row, entries, 1e6)
    except UnreadableTable:
        return
    lines_read = [] if state.match is None else state.match.log
    assert len(lines_read) >= len(entries)  # the dealer may go on
    again = state_of(row, lines_read, 1e6)
    assert (again.status, again.match and again.match.state) == (state.status, state.match and state.match.state)


def options(data: bytes) -> None:
    """Take any words as options of a game; accepted options stay the same when they are formatted and parsed again."""
    names = list(gramy.GAMES)
    rules = gramy.GAMES[names[data[0] % len(names)] if data else names[0]]
    pairs = [word.partition("=") for word in data[1:].decode("utf-8", "replace").split(" ")]
    try:
        found = parse_options(rules, {name: value for name, _, value in pairs})
    except GramyError as error:
        check_message(error.message)
        return
    assert parse_options(rules, format_options(found)) == found


def arguments(data: bytes) -> None:
    """Take any words as arguments of the command line: they are understood, or refused in one line."""
    words = data.decode("utf-8", "replace").replace("\0", "").split("\n")
    said = io.StringIO()
    asked, code = None, None
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            asked = command_line().parse_args(words)
    except SystemExit as ended:
        code = ended.code
    assert code in (None, 0, 2)
    assert code != 2 or said.getvalue().startswith("gramy")
    if asked is not None and words[0] == "serve":
        with contextlib.suppress(GramyError):
            serve_command.settings(asked, Path("unused"))


def verify(data: bytes) -> None:
    """Take any text as a record and its commitment: `gramy verify` confirms it or says what is wrong, in one line."""
    commitment, _, text = data.partition(b"\n")
    with tempfile.NamedTemporaryFile(suffix=".gramy", dir=_memory()) as file:
        file.write(text)
        file.flush()
        words = [f"--commitment={commitment.decode('utf-8', 'replace')}"] if commitment else []
        asked = command_line().parse_args(["verify", file.name, *words])
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                asked.run(asked)
        except GramyError as error:
            check_message(error.message)
        else:
            assert len(said.getvalue().splitlines()) >= 2


@cache
def command_line() -> Any:
    return cli.parser()


@cache
def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


# --- valid inputs -----------------------------------------------------------------------------------------------------


def server_corpus(found: dict[str, list[bytes]]) -> dict[str, list[bytes]]:
    """Return valid inputs of the targets of this module, some of them made from those of the other module."""
    rng = random.Random("server")
    bodies = found["bodies"]
    return {
        "http": [_request(method, path, body) for method, path, body in _requests(bodies)]
        + [
            _request(method, path, json.dumps(body).encode(), f"Authorization: Bearer {BOT_TOKEN}\r\n")
            for method, path in routes_of_server()
            if re.search("bot|challenge|/api/tables", path)
            for body in BOT_BODIES
        ],
        "admin": [
            bytes([at]) + json.dumps(body).encode()
            for at in range(sum("/admin" in path for _, path in routes_of_server()))
            for body in HOST_BODIES
        ],
        "sockets": [masked(rng, HELLO) + frames for frames in found["frames"]],
        "handshakes": [
            bytes([at]) + line
            for at in (1, 2, 5)
            for line in (
                b"Host: gramy.test",
                b"Origin: https://gramy.test",
                b"Cookie: guest=x.y",
                b"Sec-WebSocket-Key: " + base64.b64encode(rng.randbytes(16)),
                b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
                b"Sec-WebSocket-Protocol: gramy, chat",
                b"Transfer-Encoding: chunked\r\nContent-Length: 4",
            )
        ],
        "hosts": [
            *(b"gramy.test", b"localhost:8484", b"[::1]:8484", b"xn--gr-fka.test", b"10.0.0.1", b"a" * 253),
            *(b"gramy.test\n1.2.3.4, 127.0.0.1\nhttps\nother.test:8080", b"x.test\n2001:db8::1\nhttp"),
            *(b"https://gramy.test", b"http://[::1]:80"),
        ],
        "notes": [
            json.dumps({"node": "0a1b2c", **note}).encode()
            for note in (
                {"what": "changed", "revision": 7},
                {"what": "changed"},
                {"what": "who"},
                {"what": "here", "seats": [0, 2, 5]},
                {"what": "wait", "seat": 1},
            )
        ],
        "rows": [_log(number, a_table(number)[0].match) for number in range(0, 120, 7)],
        "options": [
            bytes([at])
            + " ".join(f"{name}={rng.choice(values)}" for name, values in choices(rules.Options).items()).encode()
            for at, rules in enumerate(gramy.GAMES.values())
            for _ in range(4)
        ],
        "arguments": [
            "\n".join(words.split()).encode()
            for words in (
                "serve --port 0 --proxy 127.0.0.1 --origin https://gramy.test --requests-a-second 5 --away 3",
                "serve --host 0.0.0.0 --store postgresql://x/y --bus redis://x --quick --open --verbose --data .",
                "simulate gra players=3 jokers=on --games 10 --seed 3 --plain --json --language pl",
                "play quick-easy --people 2 --name Ada --name Bo --level easy --seed 4",
                "verify match.gramy --commitment 00ff --language de",
                "replay match.gramy --seat 1 --json",
                "rules face-to-face",
                "analyse match.gramy",
                "arena gra --bots easy,hard --deals 3",
                "loadtest http://127.0.0.1:1 --tables 3",
                "bot http://127.0.0.1:1 --token x --level easy --matches 1 --join http://127.0.0.1:1/t/abc",
                "bot-token add Zorro --data x",
                "--version",
            )
        ],
        "verify": [_checkable(number) for number in range(6)] + [b"\n" + text for text in found["records"][:6]],
    }


@cache
def routes_of_server() -> list[tuple[str, str]]:
    """Return the methods and paths of all routes in the sources of the server, with values for their variables."""
    sources = "".join(path.read_text("utf-8") for path in sorted(Path(web.__file__).parent.glob("*.py")))
    values = {"table": "TABLE", "game": "gra", "language": "en", "round": "1", "path:.+": "app.js"}
    found = [
        (method.upper(), re.sub(r"\{(.*?)\}", lambda name: values.get(name[1], "1"), path))
        for method, path in ROUTE.findall(sources)
    ]
    assert len(found) > 20
    return found


def _requests(bodies: list[bytes]) -> list[tuple[str, str, bytes]]:
    """Return a request for each route, and for a route that takes a body one with each of some."""
    routes = routes_of_server()
    return [(method, path, b"") for method, path in routes] + [
        (method, path, body) for method, path in routes if method in CHANGING for body in bodies[-12:]
    ]


def _request(method: str, path: str, body: bytes, more: str = "") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: gramy.test\r\n{more}"
    if body or method in CHANGING:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Cookie: guest=x.y\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n" + body


def _log(number: int, match: Match | None) -> bytes:
    lines = [] if match is None else [f"{entry.seat} {entry.text}" for entry in match.log]
    return "\n".join([chr(number), *lines]).encode()


def _checkable(number: int) -> bytes:
    """Return a fair match as a record, after its commitment."""
    game = gramy.game(list(gramy.GAMES)[number % len(gramy.GAMES)])
    deal = unseeded_deal(f"{number:064x}", game.players)
    match = Match(game, SeededDealer(deal))
    for _ in range(3 * number):
        if match.to_act:
            match.play(match.moves(match.to_act[0])[0], match.to_act[0])
    return f"{deal.commitment}\n{record.format(match, deal)}".encode()
