"""docs/protocol.md is true: the server accepts and sends what its examples show."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from aiohttp import WSCloseCode
from jsonschema import Draft202012Validator

from gramy.games import GAMES
from gramy.table.lobby import Lobby
from gramy.table.services import Services
from gramy.text import LANGUAGES
from gramy.web import wire
from gramy.web.app import Site
from gramy.web.limits import Limits
from gramy.web.metrics import Metrics
from gramy.web.schema import asyncapi, protocol_schema, texts
from gramy.web.visitor import Guests
from tests.web.client import BOT, Client, Visitor, serving, visiting
from tests.web.schema import MESSAGES, check, check_client_message, check_server_message

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
EXAMPLES: dict[str, Any] = {
    name: json.loads(body) for name, body in re.findall(r"```json ([a-z ]+)\n(.*?)```", PAGE, re.DOTALL)
}
CLIENT = [name for name in EXAMPLES if name.startswith("client ")]
BY_MOVE = ("effects", "refusals")


@cache
def structs() -> dict[str, type[msgspec.Struct]]:
    """Return all structs of client messages and their parts."""
    found = {name: one for name, one in vars(wire).items() if isinstance(one, type) and issubclass(one, msgspec.Struct)}
    return {name: one for name, one in found.items() if one not in (msgspec.Struct, wire.ClientMessage)}


def kinds(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each path in a message with the type of its value. All items of a list share one path."""
    if isinstance(value, dict):
        yield path, "object"
        for name, item in value.items():
            by_move = path.rpartition(".")[2] in BY_MOVE
            yield from kinds(item, f"{path}.{name.split()[0] if by_move else name}")
    elif isinstance(value, list):
        yield path, "array"
        for item in value:
            yield from kinds(item, f"{path}[]")
    else:
        yield path, type(value).__name__


def same_kinds(example: Any, sent: Any) -> None:
    """Check that a message has the fields and types of an example, which may show only some moves."""
    shown, real = set(kinds(example)), set(kinds(sent))
    some = {path for path, _ in shown}
    for by_move in BY_MOVE:
        real = {(path, kind) for path, kind in real if not path.startswith(f".{by_move}.") or path in some}
    arrays = {path for path, kind in shown | real if kind == "array"}
    empty = [
        one for one in arrays if not all(any(path.startswith(f"{one}[]") for path, _ in side) for side in (shown, real))
    ]
    left_out = {(path, kind) for path, kind in shown ^ real if any(path.startswith(f"{one}[]") for one in empty)}
    assert sorted(real - left_out) == sorted(shown - left_out)


def test_every_example_has_its_test() -> None:
    server = {"refused", "bye", "hint", "paused", "snapshot"}
    assert set(EXAMPLES) - set(CLIENT) == {
        "error",
        "event",
        "open",
        "opened",
        "table",
        *(f"server {name}" for name in server),
    }
    assert len(EXAMPLES) == PAGE.count("```json ")


# --- what clients send ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLIENT)
def test_the_examples_of_client_messages_can_be_decoded(name: str) -> None:
    message = wire.decode_message(json.dumps(EXAMPLES[name]))
    assert f"client {message.__struct_config__.tag}" == name
    assert json.loads(wire.encode(message)) == EXAMPLES[name]


def test_every_message_of_a_client_has_an_example() -> None:
    assert {f"client {one.__struct_config__.tag}" for one in get_args(wire.Incoming)} == set(CLIENT)


def test_every_field_that_a_client_may_send_is_on_the_page() -> None:
    assert set(structs()) >= {"OpenTable", "JoinTable", "BotSeat", "ClockSettings", "Hello"}
    missing = [
        f"{name}.{field}"
        for name, one in structs().items()
        for field in one.__struct_fields__
        if f'"{field}"' not in PAGE
    ]
    assert missing == []


def test_every_route_is_on_the_page() -> None:
    lobby = Lobby(Services(None, None))  # type: ignore[arg-type]
    site = Site(lobby, Guests(["secret"]), None, Metrics(), Limits(), admin_token="t" * 32)  # type: ignore[arg-type]
    words = {"{table}": "TABLE", "{round}": "ROUND", "{game}": "GAME", "{language}": "LANGUAGE", "{path}": "PATH"}
    words |= {"{order}": "ORDER", "{report}": "REPORT", "{bot}": "BOT", "{challenge}": "CHALLENGE"}
    missing = []
    for route in site.app().router.routes():
        if route.method == "HEAD" or route.resource is None:
            continue
        path = route.resource.canonical
        for name, word in words.items():
            path = path.replace(name, word)
        if not re.search(rf"`({route.method} )?{re.escape(path)}[`?#]", PAGE):
            missing.append(f"{route.method} {path}")
    assert missing == []


# --- what the server sends --------------------------------------------------------------------------------------------


async def test_opening_the_table_of_the_page_gives_the_responses_of_the_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        wanted = wire.decode_open(json.dumps(EXAMPLES["open"]))
        assert json.loads(wire.encode(wanted)) == EXAMPLES["open"]
        status, opened = await ada.post("api/tables", EXAMPLES["open"])
        assert status == 201
        same_kinds(EXAMPLES["opened"], opened)
        assert len(opened["token"]) == len(EXAMPLES["opened"]["token"])
        await ada.sit(opened["table"], opened["token"])
        _, table = await ada.get(f"api/tables/{opened['table']}")
        same_kinds(EXAMPLES["table"], table)
        names = {"table": "", "seats": [{**seat, "name": ""} for seat in table["seats"]]}
        shown = {"table": "", "seats": [{**seat, "name": ""} for seat in EXAMPLES["table"]["seats"]]}
        assert {**table, **names} == {**EXAMPLES["table"], **shown}
        _, tables = await ada.get("api/tables")
        assert tables == [table]


async def test_an_error_matches_its_example(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        assert await ada.get("api/tables/zzzz") == (404, EXAMPLES["error"])


async def test_a_malformed_request_is_told_which_field_is_wrong(tmp_path: Path) -> None:
    table = {"game": "gra", "seats": [None, None], "name": "Ada"}
    wrong = [
        ({"game": "gra", "name": "Ada"}, "missing_field", "seats"),
        ({**table, "seats": [None, {}]}, "missing_field", "seats[1].bot"),
        ({**table, "clock": {"minutes": 1}}, "missing_field", "clock.seconds"),
        ({**table, "clock": {"minutes": "1", "seconds": 1}}, "wrong_field", "clock.minutes"),
        ({**table, "colour": "red"}, "unknown_field", "colour"),
        ({**table, "public": 1}, "wrong_field", "public"),
    ]
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        for body, key, field in wrong:
            expected = {"error": {"key": key, "values": {"field": field}, "game": ""}}
            assert await ada.post("api/tables", body) == (400, expected)
        opened = await ada.open("gra", [None, None])
        client = await ada.sit(opened["table"], opened["token"])
        await client.socket.send_json({"type": "move", "id": "a"})
        frame = await client.socket.receive()
        assert (frame.data, frame.extra) == (
            WSCloseCode.UNSUPPORTED_DATA,
            "not a message of this protocol: missing_field at",
        )


async def test_the_schema_and_asyncapi_files_are_those_of_the_code_and_are_served(tmp_path: Path) -> None:
    for name, text in texts().items():
        written = (Path(__file__).parents[2] / "docs" / name).read_text("utf-8")
        assert written == text, f"docs/{name} is out of date; run: python -m gramy.web.schema docs"
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        assert await ada.get("api/protocol.schema.json") == (200, protocol_schema())
        assert await ada.get("api/asyncapi.json") == (200, asyncapi())


def test_the_schema_is_valid_and_has_every_message_and_every_board() -> None:
    Draft202012Validator.check_schema(protocol_schema())
    assert {f"client {kind}" for kind in MESSAGES["ClientMessage"]} == set(CLIENT)
    assert {f"Board-{game}" for game in GAMES} | {f"View-{game}" for game in GAMES} <= set(protocol_schema()["$defs"])
    for name in CLIENT:
        check_client_message(EXAMPLES[name])
    for name in ("refused", "bye", "hint", "paused", "snapshot"):
        check_server_message(EXAMPLES[f"server {name}"])
    check("OpenTable", EXAMPLES["open"])
    check("Opened", EXAMPLES["opened"])
    check("TableSummary", EXAMPLES["table"])
    check("ErrorBody", EXAMPLES["error"])
    check("BotEvents", EXAMPLES["event"])


def test_the_limits_on_the_page_are_those_of_the_server() -> None:
    rows = PAGE.partition("## Limits")[2].partition("\n## ")[0]
    limits = Limits()
    for number in (
        *(limits.commands_a_second, limits.tables_a_minute, limits.tables_a_day, limits.tables_a_guest),
        *(limits.lines_a_day, limits.talk_a_minute, limits.challenges_a_minute, limits.sockets_an_address),
        *(limits.bot_tables_a_minute, limits.bot_tables_a_day, limits.bot_tables, limits.bot_lines_a_day),
        *(limits.requests_a_second, limits.replays_a_minute),
    ):
        assert f" {number:,.0f} " in rows


async def test_games_texts_rules_and_qr_codes_match_the_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        _, games = await ada.get("api/games")
        assert [set(game) for game in games] == [{"name", "title", "seats", "options", "levels"}] * 3
        for game in games:
            least, most = game["seats"]
            assert [str(number) for number in range(least, most + 1)] == game["options"]["players"]
        for language in LANGUAGES:
            status, texts = await ada.get(f"api/text/{language}")
            assert status == 200
            assert set(texts) == {"common", "web", "analysis", *(game["name"] for game in games)}
            for game in games:
                status, rules = await ada.get(f"api/rules/{game['name']}?language={language}")
                assert (status, set(rules)) == (200, {"html"})
                assert rules["html"].startswith("<h1>")
        opened = await ada.open("gra", [None, None])
        status, picture = await ada.get(f"api/tables/{opened['table']}/qr.svg")
        assert status == 200
        assert picture.startswith("<svg")


async def test_polish_texts_and_rules_have_non_breaking_spaces_after_one_letter_words(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        _, texts = await ada.get("api/text/pl")
        assert texts["quick-easy"]["ended"]["one"] == "{seat} kończy turę i\u00a0dobiera 1 kartę."
        _, rules = await ada.get("api/rules/quick-easy?language=pl")
        assert "na dwa stosy" in rules["html"]
        assert "w\u00a0pięciu kolorach" in rules["html"]


async def after_two_cards(ada: Visitor) -> Client:
    """Return a client that has laid two cards in its first turn; its latest snapshot answers the second."""
    while True:
        opened = await ada.open("face-to-face", [None, BOT])
        client = await ada.sit(opened["table"], opened["token"])
        await client.until(lambda now: now["view"]["to_act"] == [0] and not now["thinking"])
        for _ in range(2):
            up = [move for move in client.now["view"]["moves"] if move.startswith("up ")]
            assert await client.move(min(up, key=lambda move: int(move.split()[1]))) is None
        piles = client.now["view"]["board"]["halves"][1]
        moves = {move.split()[0] for move in client.now["view"]["moves"]}
        if (piles["up"] == 1 or piles["down"] == 60) and moves >= {"up", "down", "end"}:
            return client


async def test_a_snapshot_matches_its_example(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        client = await after_two_cards(ada)
        assert len(client.now["answers"]) == 1
        same_kinds(EXAMPLES["server snapshot"], client.now)


async def test_the_table_of_a_snapshots_fields_is_complete(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        opened = await ada.open("gra", [None, None])
        client = await ada.sit(opened["table"], opened["token"])
        described = PAGE.partition("### Snapshots")[2].partition("```")[0]
        rows = [row.split("|")[1] for row in described.splitlines() if row.startswith("| `")]
        assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(client.now) - {"type"}


async def test_a_refusal_matches_its_example(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, _), visiting(address) as ada:
        too_low: list[str] = []
        while not too_low:
            client = await after_two_cards(ada)
            up = [move for move in client.now["view"]["moves"] if move.startswith("up ")]
            await client.move(max(up, key=lambda move: int(move.split()[1])))
            too_low = [move for move, why in client.now["refusals"].items() if why["key"] == "too_low"]
        await client.move(too_low[0])
        (sent,) = [json.loads(text) for text in client.received if '"refused"' in text]
        same_kinds(EXAMPLES["server refused"], sent)
        assert sent["message"]["key"] == EXAMPLES["server refused"]["message"]["key"]


async def test_bye_matches_its_example(tmp_path: Path) -> None:
    async with visiting("") as ada:
        async with serving(tmp_path) as (address, _):
            ada.address = address
            opened = await ada.open("gra", [None, None])
            client = await ada.sit(opened["table"], opened["token"])
            leaving = asyncio.create_task(last_words(client))
        assert await leaving == EXAMPLES["server bye"]


async def last_words(client: Client) -> Any:
    while (message := await client.receive())["type"] != "bye":
        pass
    assert (await client.socket.receive()).data == WSCloseCode.SERVICE_RESTART
    return message
