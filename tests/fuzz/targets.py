"""The targets of fuzzing: each takes any bytes, and raises an exception if the code under test does something wrong.

Wrong are: an exception other than a GramyError (or the errors that a socket expects of an unreadable frame), a change
after a refusal, a refusal that depends on hidden cards, a message that is no sentence, and an accepted input that
changes when it is written and read again. `test_fuzz.py` tries some inputs in every `make test`, `__main__.py` many.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from aiohttp import web

import gramy
from gramy import record, text
from gramy.errors import BadOptions, GramyError
from gramy.matches import Entry, Match, ShuffledDealer
from gramy.messages import Message, to_builtins
from gramy.options import format_options, parse_options
from gramy.table.names import JOINERS, MOST_CODE_POINTS, distinct, nickname
from gramy.table.rows import row_of
from gramy.table.seat import Seat, token_hash
from gramy.table.snapshot import NOTHING_SEEN, cached_parts, snapshot
from gramy.table.state import Moment, TableState, unseeded_deal
from gramy.table.store import FINISHED, PLAYING, WAITING
from gramy.web import wire
from gramy.web.hosts import WrongHost, parse_host
from gramy.web.session import step_for
from gramy.web.visitor import Guests, prefixes
from tests.web.recording import MAX_SIZE, RecordingConnection
from tests.web.test_secrecy import random_match, twin_of

Target = Callable[[bytes], None]

GAMES = [
    gramy.game("face-to-face"),
    gramy.game("face-to-face", dead_end="loss", last_card_grace="on"),
    gramy.game("quick-easy", players="2"),
    gramy.game("quick-easy", players="4", pro="on"),
    gramy.game("quick-easy", players="3", starter="lot"),
    gramy.game("gra", players="2"),
    gramy.game("gra", players="4", starter="lot"),
    gramy.game("gra", players="3", jokers="on", directions="on"),
    gramy.game("gra", players="6", fewer_cards="on", bid_order="quantity_first"),
]


@cache
def situations() -> list[tuple[Match, int, Match]]:
    """Return matches in progress, each with a seat and a match that this seat cannot tell from the first."""
    rng, found = random.Random("situations"), []
    for game in GAMES:
        for lines in (3, 9, 20, 45):
            match = random_match(game, rng, lines).dealt_by(None)
            for seat in range(game.players):
                if (twin := twin_of(match, seat, rng)) is not None:
                    found.append((match, seat, twin))
    return found


def check_message(message: Message) -> None:
    """Check that a message is a short sentence on one line, in one of the languages."""
    sent = wire.encode(to_builtins(message))
    sentence = text.say(message, text.LANGUAGES[len(sent) % len(text.LANGUAGES)])
    assert sentence.isprintable(), sentence
    assert len(sentence) < 600, sentence


def result_of(match: Match, seat: int, move: str) -> Any:
    """Return the events of a move, or the reason of its refusal; check that the match itself does not change."""
    before = match.state, len(match.log), len(match.events_by_line)
    try:
        ahead = match.copy()
        events = ahead.replay(Entry(seat, move))
    except GramyError as error:
        check_message(error.message)
        result: Any = "refused", error.message
    else:
        assert len(ahead.log) > len(match.log)
        assert Match.replayed(match.game, ahead.log, None, match.names, match.origin).state == ahead.state
        result = "played", events
    assert (match.state, len(match.log), len(match.events_by_line)) == before
    return result


# --- the targets ------------------------------------------------------------------------------------------------------


def moves(data: bytes) -> None:
    """Play any text as a move of a seat: matches that the seat cannot tell apart refuse it in the same way."""
    found = situations()
    match, seat, twin = found[data[0] % len(found)] if data else found[0]
    move = data[1:].decode("utf-8", "replace")
    here, there = result_of(match, seat, move), result_of(twin, seat, move)
    assert here[0] == there[0], (move, here, there)
    if here[0] == "refused":
        assert here == there, (move, here, there)
    result_of(match, (seat + 1) % match.game.players, move)


def positions(data: bytes) -> None:
    """Parse any line as a position; an accepted position can be played."""
    game = GAMES[data[0] % len(GAMES)] if data else GAMES[0]
    try:
        state = game.parse_position(data[1:].decode("utf-8", "replace"))
    except GramyError as error:
        check_message(error.message)
        return
    assert game.parse_position(game.format_position(state)) == state
    match = Match(game, ShuffledDealer(random.Random(data)), (), state)
    for seat in (None, *range(game.players)):
        wire.encode(to_builtins(match.view(seat)))
    for _ in range(4):
        if match.to_act:
            match.play(match.moves(match.to_act[0])[-1], match.to_act[0])
    assert record.parse(record.format(match)).state == match.state


def records(data: bytes) -> None:
    """Parse any text as a record; an accepted record stays the same when it is written and read again."""
    try:
        match, deal = record.parse_checkable(data.decode("utf-8", "replace"))
    except GramyError as error:
        check_message(error.message)
        return
    again, same = record.parse_checkable(record.format(match, deal))
    assert (again.log, again.state, again.names, same) == (match.log, match.state, match.names, deal)


def frames(data: bytes) -> None:
    """Any bytes as a client's frames give the same messages and the same close code, however they are split."""
    at = data[0] % len(data) if data else 0
    splits = [data], [data[:at], data[at:]], [bytes([byte]) for byte in data]
    first, second, third = (LOOP.run_until_complete(_received(pieces)) for pieces in splits)
    assert first == second == third
    assert all(body is None or len(body) <= MAX_SIZE for body in first[0])


LOOP = asyncio.new_event_loop()


async def _received(pieces: list[bytes]) -> tuple[list[bytes | None], int | None]:
    connection = RecordingConnection()
    for piece in pieces:
        connection.data_received(piece)
    return connection.messages, connection.socket.close_code


def bodies(data: bytes) -> None:
    """Decode any bytes as a message or a body; an accepted one stays the same when it is encoded and decoded again."""
    for decode in DECODERS:
        try:
            read: Any = decode(data)
        except wire.UNREADABLE:
            continue
        assert decode(wire.encode(read)) == read
        if isinstance(read, wire.OpenTable):
            check_options(read)


DECODERS = [decode for name, decode in vars(wire).items() if name.startswith("decode_")]


def check_options(wanted: wire.OpenTable) -> None:
    """Parse the options of a table; accepted options stay the same when they are formatted and parsed again."""
    try:
        rules = gramy.game(wanted.game).rules
        options = parse_options(rules, wanted.options)
    except GramyError as error:
        check_message(error.message)
        return
    assert parse_options(rules, format_options(options)) == options


def names(data: bytes) -> None:
    """Take any text as a name: an accepted name is short, printable and not empty, and never twice at a table."""
    name = data.decode("utf-8", "replace")
    try:
        shown = nickname(name)
    except BadOptions as error:
        check_message(error.message)
        return
    assert 0 < len(shown) <= MOST_CODE_POINTS
    assert JOINERS.sub("", shown).isprintable()
    assert nickname(shown) == shown
    other = distinct(shown, [shown, "Ada"])
    assert other != shown
    assert nickname(other) == other


GUESTS = Guests(["key", "older"])


class CookieRequest(dict[Any, Any]):
    """The parts of a request that a guest's cookie depends on; it has shown no token of a bot."""

    scheme = "http"

    def __init__(self, cookie: str) -> None:
        super().__init__()
        self.cookies = {"guest": cookie}


def cookies(data: bytes) -> None:
    """Take any bytes as a cookie, which identifies no guest, as an address and as a Host header."""
    word = data.decode("utf-8", "surrogateescape")
    assert GUESTS.get(CookieRequest(word)) is None  # type: ignore[arg-type]  # it has the cookies only
    assert all(len(prefix) < 64 for prefix in prefixes(word))
    with contextlib.suppress(WrongHost):
        assert re.fullmatch(r"[-.:\w]{1,253}", parse_host(word), re.ASCII)


def tables(data: bytes) -> None:
    """Apply any frames, line by line, to a table: a refusal is a message, and no snapshot contains a secret."""
    first, *frames = data.split(b"\n")
    table, seat, moment = a_table(sum(first))
    for frame in frames[:8]:
        try:
            message = wire.decode_message(frame)
        except wire.UNREADABLE:
            return  # the socket is closed
        if seat is None or isinstance(message, wire.Hello | wire.HintRequest):
            continue
        before = contents(table)
        try:
            after = step_for(message, seat)(table, moment)
        except GramyError as error:
            check_message(error.message)
            after = table
        assert contents(table) == before  # a step changes nothing in place
        table = after
        parts = cached_parts(table, moment.present)
        for viewer in (None, *range(table.game.players)):
            sent = wire.encode(snapshot(table, parts, viewer, NOTHING_SEEN, [], moment.now))
            assert table.deals[1].seed.encode() not in sent
            assert table.is_over or table.deals[0].seed.encode() not in sent
            assert not any(secret in sent for secret in (b"guest-", b"token-"))


# --- tables -----------------------------------------------------------------------------------------------------------


def a_table(number: int) -> tuple[TableState, int | None, Moment]:
    """Return one of some tables, a seat at it (or a spectator's None), and a moment when everybody else is overdue."""
    found = situations()
    match, seat, _ = found[number % len(found)]
    players = match.game.players
    status = (PLAYING, PLAYING, WAITING, FINISHED)[number // len(found) % 4]
    dealer = ShuffledDealer(random.Random(number))  # as at every table
    table = TableState(
        id="aaaaaaaaaaaa",
        game=match.game,
        seats=tuple(Seat("person", f"P{at}", None, f"guest-{at}", token_hash(f"token-{at}")) for at in range(players)),
        deals=(unseeded_deal(f"{number:064x}", players), unseeded_deal(f"{number + 1:064x}", players)),
        touched=1e6,
        status=status,
        match=None if status == WAITING else match.dealt_by(dealer),
        revision=1,
    )
    viewed_from = None if number % 7 == 0 else seat
    present = frozenset(() if viewed_from is None else (viewed_from,))
    others = frozenset(range(players)) - present
    return table, viewed_from, Moment(1e6, 1e6, lambda: f"{number + 2:064x}", present, present, others)


def contents(table: TableState) -> Any:
    """Return all that a step must not change in place."""
    return row_of(table), table.match, table.match and len(table.match.log)


# --- valid inputs -----------------------------------------------------------------------------------------------------


@cache
def corpus() -> dict[str, list[bytes]]:
    """Return valid inputs of each target, for a fuzzer to change."""
    rng = random.Random("corpus")
    found: dict[str, list[bytes]] = {name: [] for name in TARGETS}
    for number, (match, seat, _) in enumerate(situations()[::3]):
        here = bytes([3 * number])
        found["moves"] += [here + move.encode() for move in (*match.moves(seat)[:3], "undo", "say red low", "deal 5")]
        found["positions"].append(bytes([GAMES.index(match.game)]) + match.position.encode())
        found["records"].append(record.format(match).encode())
        messages = [
            {"type": "move", "id": "a1", "at": len(match.log), "move": (*match.moves(seat), "end")[0]},
            {"type": "undo", "id": "a2", "at": len(match.log), "round": 1},
            {"type": "say", "id": "a3", "at": len(match.log), "phrase": "red low"},
            {"type": "absent", "id": "a4", "seat": rng.randrange(6), "choice": rng.choice(["wait", "bot", "end"])},
            {"type": "rematch", "id": "a5"},
            {"type": "commit", "id": "a8", "round": 1, "attempt": 1, "commitment": "5e" * 32, "seat": 1},
            {"type": "reveal", "id": "a9", "round": 1, "attempt": 1, "client_seed": "k3Vx"},
            {"type": "leave", "id": "a6"},
        ]
        rng.shuffle(messages)
        lines = [json.dumps(message).encode() for message in messages]
        found["tables"].append(b"\n".join([bytes([number]), *lines]))
        found["bodies"] += lines
        found["frames"].append(b"".join(masked(rng, line) for line in lines[:3]))
    found["bodies"] += [
        json.dumps(body).encode()
        for body in (
            {"type": "hello", "token": "8rVbZz0mJm1yq3kq4v0n4A", "client_seed": "Zm9y"},
            {
                "game": "gra",
                "options": {"players": "3", "jokers": "on"},
                "seats": [None, {"bot": "easy"}],
                "name": "Ada",
            },
            {
                "game": "face-to-face",
                "seats": [None],
                "name": "x",
                "public": True,
                "clock": {"minutes": 1, "seconds": 2.5},
            },
            {"name": "Bob", "seat": 1},
        )
    ]
    found["names"] = [
        name.encode() for name in ("Ada", "Zażółć 🦊", "a\u202eb", "A\u0301\u0301", "مرحبا", "Ада 2", "\u3164x")
    ]
    request: Any = CookieRequest("")
    response = web.Response()
    GUESTS.set_cookie(request, response, "guest")
    signed = response.cookies["guest"].value
    found["cookies"] = [signed[:-4].encode(), b"x.y", b"2001:db8::1%eth0", b"::ffff:1.2.3.4", b"10.0.0.1"]
    return found


def masked(rng: random.Random, line: bytes) -> bytes:
    """A line as one frame of a client or as two, with a ping before it."""
    size, key = len(line), rng.randbytes(4)
    cut = rng.choice((size, rng.randrange(size)))
    parts = [(0x89, b"?"), (0x81 if cut == size else 0x01, line[:cut]), *([(0x80, line[cut:])] if cut < size else [])]
    return b"".join(
        bytes([first]) + _masked_length(len(body)) + key + bytes(byte ^ key[at % 4] for at, byte in enumerate(body))
        for first, body in parts
    )


def _masked_length(size: int) -> bytes:
    return bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2)


TARGETS: dict[str, Target] = {
    one.__name__: one for one in (moves, positions, records, frames, bodies, names, cookies, tables)
}
