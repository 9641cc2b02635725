"""The protocol in files that programs read: JSON Schema and AsyncAPI 3, both made from the code.

`python -m gramy.web.schema docs` writes them. The server serves them too, and a test compares them with the files.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from gramy.contract import View
from gramy.games import GAMES
from gramy.remote import messages
from gramy.web import wire
from gramy.web.limits import Limits
from gramy.web.session import PROTOCOL

SCHEMA_FILE, ASYNCAPI_FILE = "protocol.schema.json", "asyncapi.json"
DEFS = "#/$defs/"
REQUESTS = (wire.OpenTable, wire.JoinTable, wire.ChallengeBot, wire.AskEvents, wire.SentRecord, wire.SeatChosen)
"""The bodies of HTTP requests."""
RESPONSES = (
    *(messages.ErrorBody, messages.Opened, messages.TableSummary, messages.GameSummary, messages.BotSummary),
    *(messages.OwnAccount, messages.ChallengeMade, messages.ChallengeState, messages.BotEvents, messages.Notice),
)
"""The bodies of HTTP responses, or the items of those that are lists."""


@cache
def protocol_schema() -> dict[str, Any]:
    """Return the JSON Schema of every message, request, response and board. All callers share it."""
    client, server = get_args(wire.Incoming), get_args(messages.ServerMessage)
    boards = [messages.board_type(game) for game in GAMES]
    types = [*client, *server, *REQUESTS, *RESPONSES, View, *boards]
    listed, found = msgspec.json.schema_components(types, ref_template=DEFS + "{name}")
    places = [one["$ref"].removeprefix(DEFS) for one in listed]
    names = {place: f"Board-{game}" for game, place in zip(GAMES, places[-len(boards) :], strict=True)}
    defs = {names.get(name, name): _rewritten(part, names) for name, part in found.items()}
    general = defs.pop("View")
    for game in GAMES:
        own = {"game": {"const": game}, "board": {"$ref": f"{DEFS}Board-{game}"}}
        titled = {**general, "title": f"View of {game}"}
        defs[f"View-{game}"] = {**titled, "properties": {**general["properties"], **own}}
    views = [{"$ref": f"{DEFS}View-{game}"} for game in GAMES]
    defs["Snapshot"]["properties"]["view"] = {"anyOf": [{"type": "null"}, *views]}
    defs["ClientMessage"] = {"oneOf": [{"$ref": f"{DEFS}{name}"} for name in places[: len(client)]]}
    sent = places[len(client) : len(client) + len(server)]
    defs["ServerMessage"] = {"oneOf": [{"$ref": f"{DEFS}{name}"} for name in sent]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Gramy protocol, version {PROTOCOL}",
        "description": "docs/protocol.md explains it. A client ignores fields that it does not know.",
        "anyOf": [{"$ref": f"{DEFS}ClientMessage"}, {"$ref": f"{DEFS}ServerMessage"}],
        "$defs": dict(sorted(defs.items())),
    }


def _rewritten(part: Any, names: dict[str, str]) -> Any:
    """Return a part of the schema with these names in references, and with patterns as ECMAScript writes them."""
    if isinstance(part, dict):
        changed = {key: _rewritten(value, names) for key, value in part.items() if key != "discriminator"}
        if isinstance(part.get("$ref"), str):
            name = part["$ref"].removeprefix(DEFS)
            changed["$ref"] = DEFS + names.get(name, name)
        if isinstance(part.get("pattern"), str):
            changed["pattern"] = part["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
        return changed
    return [_rewritten(item, names) for item in part] if isinstance(part, list) else part


@cache
def asyncapi() -> dict[str, Any]:
    """Return the WebSocket of a table as AsyncAPI 3, from the side of the server. All callers share it."""
    schema = protocol_schema()["$defs"]
    names = {side: [one["$ref"].removeprefix(DEFS) for one in schema[side]["oneOf"]] for side in SIDES}
    rate = Limits().commands_a_second
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Gramy",
            "version": str(PROTOCOL),
            "description": "The WebSocket of a table. docs/protocol.md explains it, with the HTTP requests. "
            f"A client may send {rate:g} commands a second, and twice as many at once.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": {
                "address": "/ws/{table}",
                "parameters": {"table": {"description": "the id of a table"}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for side in SIDES for name in names[side]},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            action: {
                "action": action,
                "channel": {"$ref": "#/channels/table"},
                "messages": [{"$ref": f"#/channels/table/messages/{name}"} for name in names[side]],
            }
            for side, action in SIDES.items()
        },
        "components": {
            "messages": {
                name: {
                    "name": schema[name]["properties"]["type"]["enum"][0],
                    "summary": schema[name].get("description", "").partition("\n")[0],
                    "payload": {"$ref": f"./{SCHEMA_FILE}{DEFS}{name}"},
                }
                for side in SIDES
                for name in names[side]
            }
        },
    }


SIDES = {"ClientMessage": "receive", "ServerMessage": "send"}
"""What the server does with the messages of each side."""


def texts() -> dict[str, str]:
    """Return the files by their names."""
    return {
        SCHEMA_FILE: json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n",
        ASYNCAPI_FILE: json.dumps(asyncapi(), indent=1, ensure_ascii=False) + "\n",
    }


if __name__ == "__main__":
    for name, text in texts().items():
        Path(sys.argv[1], name).write_text(text, "utf-8")
