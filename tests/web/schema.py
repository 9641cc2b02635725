"""Validates what the tests' servers send and take against the published JSON Schema, with no field that it lacks."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "protocol.schema.json").read_text("utf-8"))
MESSAGES = {
    side: {SCHEMA["$defs"][name]["properties"]["type"]["enum"][0]: name for name in names}
    for side in ("ClientMessage", "ServerMessage")
    if (names := [one["$ref"].rpartition("/")[2] for one in SCHEMA["$defs"][side]["oneOf"]])
}
"""The messages of each side by their field `type`."""
REQUESTS = {
    "api/tables": "OpenTable",
    "api/tables/*/join": "JoinTable",
    "api/tables/*/challenge": "ChallengeBot",
    "api/tables/*/report": "SeatChosen",
    "api/bot/events": "AskEvents",
    "api/replay": "SentRecord",
}
RESPONSES = {
    "GET api/tables/*": "TableSummary",
    "GET api/tables": ["TableSummary"],
    "GET api/games": ["GameSummary"],
    "GET api/bots": ["BotSummary"],
    "GET api/notices": ["Notice"],
    "GET api/bot": "OwnAccount",
    "GET api/challenges/*": "ChallengeState",
    "POST api/tables": "Opened",
    "POST api/tables/*/join": "Opened",
    "POST api/tables/*/challenge": "ChallengeMade",
    "POST api/bot/events": "BotEvents",
    "POST api/bot/challenges/*/accept": "Opened",
}


def closed(part: Any) -> Any:
    """Return a schema that allows no fields beside its properties."""
    if isinstance(part, dict):
        strict = {key: closed(value) for key, value in part.items()}
        return {"additionalProperties": False, **strict} if "properties" in part and "type" in part else strict
    return [closed(item) for item in part] if isinstance(part, list) else part


STRICT = closed(SCHEMA["$defs"])


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": STRICT})


def check(name: str, value: Any) -> None:
    """Raise jsonschema.ValidationError unless a value follows a definition of the schema."""
    validator(name).validate(value)


def check_client_message(message: dict[str, Any]) -> None:
    """Check a message that a client sends over a table's WebSocket."""
    check(MESSAGES["ClientMessage"][message["type"]], message)


def check_server_message(message: dict[str, Any]) -> None:
    """Check a message that a server sends over a table's WebSocket; of a snapshot, the view of its game."""
    if message["type"] == "snapshot" and message["view"] is not None:
        check(f"View-{message['table']['game']}", message["view"])
        message = {**message, "view": None}
    check(MESSAGES["ServerMessage"][message["type"]], message)


def check_exchange(method: str, path: str, sent: Any, status: int, answer: Any) -> None:
    """Check the bodies of a request that the server took, and of its response."""
    words = path.partition("?")[0].split("/")
    named = {at + 1 for at, word in enumerate(words) if word in ("tables", "challenges")}
    place = "/".join("*" if at in named else word for at, word in enumerate(words))
    if isinstance(answer, dict) and "error" in answer:
        check("ErrorBody", answer)
    elif status < 300:
        if method == "POST" and place in REQUESTS:
            check(REQUESTS[place], sent)
        expected = RESPONSES.get(f"{method} {place}")
        if isinstance(expected, str):
            check(expected, answer)
        elif expected is not None:
            for item in answer:
                check(expected[0], item)
