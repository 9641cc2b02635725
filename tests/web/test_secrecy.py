"""Secrecy: no viewer is sent what they may not know, in 1,000 random matches, byte for byte.

Each match is compared with a twin: the same moves with another deal of the cards that a viewer has not seen must give
that viewer the same bytes. `RENAMED` in tests/test_laws.py says for each game what a seat has not seen.
"""

from __future__ import annotations

import json
import logging
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import gramy
from gramy import cards
from gramy.contract import DEALER, Game
from gramy.errors import GramyError, IllegalMove
from gramy.matches import Entry, Match, ShuffledDealer
from gramy.messages import to_builtins
from gramy.table.seat import Seat, token_hash
from gramy.table.snapshot import Seen, cached_parts, snapshot
from gramy.table.state import TableState, unseeded_deal
from gramy.table.store import ABANDONED, FINISHED, PLAYING
from gramy.web import wire
from tests.option_sets import every
from tests.starting import by_lot
from tests.test_laws import RENAMED
from tests.web.client import BOT, Client, Visitor, play_on, serving, visiting

MATCHES = 332  # per game without a socket; with those over sockets 1,000 in all
CHUNKS = 3


# --- twins ------------------------------------------------------------------------------------------------------------


def table_of(match: Match, abandoned: bool = False) -> TableState:
    """Return a table where this match is played."""
    players = match.game.players
    return TableState(
        id="aaaaaaaaaaaa",
        game=match.game,
        seats=tuple(
            Seat("person", f"P{seat}", None, f"guest {seat}", token_hash(str(seat))) for seat in range(players)
        ),
        deals=(unseeded_deal("1" * 64, players), unseeded_deal("2" * 64, players)),
        touched=1000.0,
        match=match,
        status=ABANDONED if abandoned else FINISHED if match.outcome else PLAYING,
    )


def sent(match: Match, seat: int | None, since: int = 0, abandoned: bool = False) -> bytes:
    """Return the bytes of a snapshot, with the log from a line on."""
    table = table_of(match, abandoned)
    return wire.encode(snapshot(table, cached_parts(table, ()), seat, Seen(1, since), [], now=1000.0))


def twin_of(match: Match, seat: int | None, rng: random.Random) -> Match | None:
    """Return a match with the same public moves and other hidden cards; None if a player would have had no move."""
    other = Match(match.game)
    try:
        for entry in RENAMED[match.game.name](match.game, match.log, seat, rng):
            other.replay(entry)
    except IllegalMove:
        return None
    return other if other.outcome == match.outcome and other.to_act == match.to_act else None


def attempts(game: Game, rng: random.Random) -> list[str]:
    """Return moves that a player might try in order to learn something from the refusal."""
    words = [game.rules.format_card(card) for card in rng.sample(range(2, 30), 3)]
    verbs = {"face-to-face": ("up", "help-down"), "quick-easy": ("up", "down"), "gra": ("choose", "bid")}[game.name]
    return [f"{verb} {word}" for verb in verbs for word in words] + ["end", "check", "bid 1x6", "undo", "say red", "x"]


def refusal(match: Match, seat: int, move: str) -> Any:
    try:
        match.copy().replay(Entry(seat, move))
    except GramyError as error:
        return to_builtins(error.message)
    return None


def random_match(game: Game, rng: random.Random, lines: int) -> Match:
    """Return a random match with talk, changed choices and undo, of the given number of lines."""
    match = Match(game, ShuffledDealer(rng))
    while match.to_act and len(match.log) < lines:
        seat = rng.choice(match.to_act)
        if rng.random() < 0.1 and game.phrases():
            match.say(rng.choice(game.phrases()), rng.randrange(game.players))
        elif rng.random() < 0.15 and game.rules.undoable(match.state):
            match.undo(seat)
        else:
            match.play(random_move(match, seat, rng), seat)
            if rng.random() < 0.1 and seat not in match.to_act and any(game.rules.legal_moves(match.state, seat)):
                match.play(random_move(match, seat, rng), seat)  # a changed choice
    return match


def random_move(match: Match, seat: int, rng: random.Random) -> str:
    rows = match.game.rules.legal_moves(match.state, seat)
    return match.game.rules.format_move(match.state, seat, cards.pick(rows, rng.randrange(cards.count_moves(rows))))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", gramy.GAMES)
def test_matches_that_a_viewer_cannot_tell_apart_send_the_same_bytes(name: str, chunk: int) -> None:
    """One position of each match, sometimes the last, seen by a spectator and two players."""
    compared = 0
    for number in range(chunk, MATCHES, CHUNKS):
        rng = random.Random(f"secrecy {name} {number}")
        games = every(name)
        lines = rng.randrange(2, 80) if number % 10 else 10_000
        match = random_match(games[number * 7 % len(games)], rng, lines)
        compared += compare(match, rng, abandoned=number % 5 == 1)
    assert compared > MATCHES / CHUNKS


def compare(match: Match, rng: random.Random, abandoned: bool) -> int:
    """Compare the bytes for viewers who cannot tell two matches apart; return how many were compared."""
    compared = 0
    tries = attempts(match.game, rng)
    for seat in (None, *rng.sample(range(match.game.players), 2)):
        twin = twin_of(match, seat, rng)
        if twin is None:
            continue
        assert sent(match, seat, abandoned=abandoned) == sent(twin, seat, abandoned=abandoned)
        if seat is not None:
            for move in rng.sample(tries, 4):
                assert refusal(match, seat, move) == refusal(twin, seat, move)
        compared += twin.log != match.log
    return compared


def test_twin_matches_differ_for_viewers_who_see_the_difference() -> None:
    """Snapshots do depend on hidden cards; otherwise the test above would prove nothing."""
    rng = random.Random(3)
    for name in gramy.GAMES:
        match = Match(gramy.game(name, **by_lot(name)), ShuffledDealer(rng))  # in GRA cards come after the start
        twin = twin_of(match, None, rng)
        assert twin is not None
        assert sent(match, None) == sent(twin, None)
        assert any(sent(match, seat) != sent(twin, seat) for seat in range(match.game.players))


# --- over real sockets ------------------------------------------------------------------------------------------------


def secrets_of(folder: Path, tokens: list[str], visitors: list[Visitor]) -> list[str]:
    """Return what no message, log line or metric may contain: tokens, hashes, guests, cookies, the secret."""
    file = sqlite3.connect(folder / "gramy.sqlite")
    guests = [guest for (guest,) in file.execute("SELECT DISTINCT guest FROM seats WHERE guest IS NOT NULL")]
    kept = [token for (token,) in file.execute("SELECT token FROM seats WHERE token IS NOT NULL")]
    file.close()
    cookies = [cookie.value for visitor in visitors for cookie in visitor.session.cookie_jar]
    assert sorted(kept) == sorted(token_hash(token) for token in tokens)
    assert len(guests) >= 2
    assert len(cookies) >= 2
    return [*tokens, *kept, *guests, *cookies, (folder / "secret").read_text().strip()]


def check_snapshots(match: Match, client: Client, rng: random.Random) -> int:
    """Check that a match with other hidden cards would have sent the same snapshots."""
    compared = 0
    messages = [message for message in map(json.loads, client.received) if message.get("view")]
    for message in [*rng.sample(messages, min(len(messages), 12)), messages[-1]]:
        then = match.at(message["lines"])
        twin = twin_of(then, message["you"], rng)
        if twin is None:
            continue
        expected = json.loads(sent(twin, message["you"], message["log"]["from"]))
        for part in ("view", "effects", "refusals", "log", "phrases", "lines"):
            assert expected[part] == message[part]
        compared += twin.log != then.log
    return compared


@pytest.mark.parametrize(
    ("name", "options", "bots"),
    [
        ("face-to-face", {}, 0),
        ("face-to-face", {"dead_end": "loss", "last_card_grace": "on"}, 0),
        ("quick-easy", {"players": "2", "pro": "on"}, 0),
        ("quick-easy", {"players": "4"}, 2),
        ("gra", {"players": "2"}, 0),
        ("gra", {"players": "3", "jokers": "on", "directions": "on"}, 1),
    ],
    ids=lambda value: " ".join(value.values()) if isinstance(value, dict) else str(value),
)
async def test_nothing_secret_is_sent_logged_or_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, options: dict[str, str], bots: int
) -> None:
    caplog.set_level(logging.DEBUG)
    rng = random.Random(f"{name} {options}")
    received: list[str] = []
    async with (
        serving(tmp_path) as (address, lobby),
        visiting(address) as ada,
        visiting(address) as bob,
        visiting(address) as eve,
    ):
        opened = await ada.open(name, [None, None] + [BOT] * bots, "Grażyna", options=options, public=True)
        id = opened["table"]
        joined = await bob.join(id, "Bożydar")
        clients = [await ada.sit(id, opened["token"]), await bob.sit(id, joined["token"])]
        beside = await eve.sit(id)
        hidden = secrets_of(tmp_path, [opened["token"], joined["token"]], [ada, bob])

        await play_on(clients, rng, most=4)
        for client in (*clients, beside):  # refusals and errors during the match
            for move in attempts(lobby.tables[id].state.game, rng):
                if move.split()[0] not in ("say", "undo") and move not in client.now["view"]["moves"]:
                    await client.move(move)
        if not clients[0].outcome:
            for path in (
                f"api/replay/{id}/1",
                f"api/replay/{id}/1?seat=0",
                f"api/record/{id}/1",
                f"api/deal/{id}/1",
            ):
                status, body = await eve.get(path)
                assert (status, body) == (400, {"error": {"key": "match_not_over", "values": {}, "game": ""}})
        paths = ["api/tables", f"api/tables/{id}", "health", "metrics", f"api/tables/{id}/qr.svg", f"t/{id}"]
        received.extend([str((await eve.get(path))[1]) for path in (*paths, "api/tables/nowhere", "nowhere")])
        received.append(str((await eve.post(f"api/tables/{id}/join", {"name": "Eve"}))[1]))
        received.append(str((await eve.post("api/tables", {"name": opened["token"]}))[1]))

        await play_on(clients, rng)
        await beside.until(lambda now: now["lines"] == max(client.now["lines"] for client in clients))
        _, metrics = await eve.get("metrics")
        match = lobby.tables[id].state.match
        assert match is not None
        for client in (*clients, beside):
            assert check_snapshots(match, client, rng) > 0
            received.extend(client.received)
        for path in (f"api/replay/{id}/1", f"api/replay/{id}/1?seat=1", f"api/record/{id}/1"):
            received.append(str((await eve.get(path))[1]))
        logged = "\n".join(record.getMessage() + str(vars(record)) for record in caplog.records)
        for word in hidden:
            assert all(word not in text for text in received)
            assert word not in logged + metrics
        for word in (id, "Grażyna", "Bożydar"):
            assert word not in logged + metrics
        for entry in match.log:
            assert not re.search(rf"\b{re.escape(entry.text)}\b", logged + metrics) or entry.text in (
                "end",
                "check",
            )
        assert any(entry.seat == DEALER for entry in match.log)


async def test_the_list_of_tables_contains_only_public_data(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        hidden = await ada.open("gra", [None, BOT], public=False)
        await ada.open("gra", [None, BOT], public=True)
        _, listed = await eve.get("api/tables")
        (table,) = listed
        assert table["table"] != hidden["table"]
        about = {"game", "options", "variants", "clock", "status", "round", "public"}
        assert set(table) == {"table", "seats", "opener", "successor"} | about
        for seat in table["seats"]:
            assert set(seat) == {"kind", "name", "level", "online", "away_since", "stand_in", "bot_account"}


async def test_spectators_do_not_see_the_cards_of_an_abandoned_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada, visiting(address) as eve:
        opened = await ada.open("gra", [None, BOT])
        client, beside = await ada.sit(opened["table"], opened["token"]), await eve.sit(opened["table"])
        assert await client.do("leave") is None
        await beside.until(lambda now: now["table"]["status"] == "finished")
        assert beside.now["view"]["board"]["hand"] is None
        assert beside.now["view"]["board"]["revealed"] is None
        assert all("?" in line["move"] for line in beside.lines if re.match(r"deal \d\d|deal \?|choose", line["move"]))
