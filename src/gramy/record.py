"""Records: a match as a text file that people can read and the rules can replay, line by line.

    gramy record 2
    game: the name and the version of its rules
    options: name=value ...
    names: 0 "Ada" 1 "Bo"              left out when no player has a name
    seed: 91b7...                      left out unless the deals can be checked: see gramy.fair
    client-seeds: 0 k3Vx 1 -           the client seeds of the seats that sent one; goes with the seed
    position: key=value ...            left out when the match began with the first deal

    dealer deal first 0                the moves: a seat and its move
    0 undo
    result: 0 all_laid                 the winners (- for none) and the reason, or: unfinished

A record is correct when every line can be played, and whole when it ends in the result that its moves lead to.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from gramy.contract import DEALER, Game
from gramy.errors import BadRecord, GramyError
from gramy.fair import Deal
from gramy.games import GAMES
from gramy.matches import Entry, Match
from gramy.messages import Message
from gramy.options import format_options, parse_options

FIRST = "gramy record 2"
OLDER = {"gramy record 1": {"luck": "client-seeds"}}
"""Formats that are still read, each with the headers that have another name today."""
HEADERS = ("game", "options", "names", "seed", "client-seeds", "position")
LARGEST = 1 << 20
"""The most bytes that a record may have; no match of any game comes near."""


def format(match: Match, deal: Deal | None = None) -> str:
    """Return a match as a record; with its seeds where they are known and no longer secret."""
    game = match.game
    lines = [
        FIRST,
        f"game: {game.name} {game.rules.VERSION}",
        "options: " + " ".join(f"{name}={value}" for name, value in format_options(game.options).items()),
    ]
    if match.names:
        quoted = (json.dumps(name, ensure_ascii=False) for name in match.names)
        lines.append("names: " + " ".join(f"{seat} {name}" for seat, name in enumerate(quoted)))
    if deal is not None:
        lines.append(f"seed: {deal.seed}")
        lines.append(
            "client-seeds: " + " ".join(f"{seat} {word}" for seat, word in enumerate(deal.client_seeds) if word)
        )
    if match.origin != game.start():
        lines.append(f"position: {game.format_position(match.origin)}")
    lines.append("")
    lines += [f"{'dealer' if entry.seat == DEALER else entry.seat} {entry.text}" for entry in match.log]
    lines.append(f"result: {_result(match)}")
    return "\n".join(lines) + "\n"


def parse(text: str) -> Match:
    """Return the match of a record, replayed; raises BadRecord with the line that is wrong."""
    return parse_checkable(text)[0]


def parse_checkable(text: str) -> tuple[Match, Deal | None]:
    """Return the match and the seeds that its cards should follow from, None where the record has none."""
    lines = list(enumerate(text.rstrip("\n").split("\n"), 1))
    renamed = {FIRST: {}, **OLDER}.get(lines[0][1].strip())
    if renamed is None:
        raise BadRecord(1, Message("record_first_line", {"expected": FIRST}))
    rest = ((number, line.strip()) for number, line in lines[1:])
    headers = _headers(rest, renamed)
    match = _begin(headers, len(lines))
    deal = _deal(headers, match.game.players)
    for number, line in rest:
        if not line:
            continue
        if line.startswith("result:"):
            _finish(match, number, line.removeprefix("result:").strip(), rest)
            return match, deal
        _play(match, number, line)
    raise BadRecord(len(lines), Message("record_result_missing"))


def save(match: Match, path: str | os.PathLike[str]) -> None:
    """Write a match to a file, completely or not at all."""
    target = Path(path)
    beside = target.with_name(target.name + ".part")
    beside.write_text(format(match), "utf-8", newline="\n")
    beside.replace(target)


def load(path: str | os.PathLike[str]) -> Match:
    """Return the match in a file; raises BadRecord."""
    return parse(read(path))


def read(path: str | os.PathLike[str]) -> str:
    """Return a file as text; raises BadRecord when it cannot be a record."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a path that is impossible on every system
        why = getattr(error, "strerror", None) or str(error)
        raise BadRecord(0, Message("record_unreadable", {"path": str(path), "why": why})) from None
    if len(raw) > LARGEST:
        raise BadRecord(0, Message("record_too_large", {"most": LARGEST}))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRecord(raw[: error.start].count(b"\n") + 1, Message("record_encoding")) from None


Lines = Iterator[tuple[int, str]]
Headers = dict[str, tuple[int, str]]


def _headers(lines: Lines, renamed: Mapping[str, str]) -> Headers:
    """Return the lines up to the first empty one, by key, with their numbers."""
    found: Headers = {}
    for number, line in lines:
        if not line:
            break
        key, colon, value = line.partition(":")
        key = renamed.get(key, key)
        if not colon or key not in HEADERS:
            raise BadRecord(number, Message("record_header", {"line": line, "known": HEADERS}))
        if key in found:
            raise BadRecord(number, Message("record_header_twice", {"key": key}))
        found[key] = number, value.strip()
    return found


def _begin(headers: Headers, last: int) -> Match:
    for key in ("game", "options"):
        if key not in headers:
            raise BadRecord(min(len(headers) + 2, last), Message("record_header_missing", {"key": key}))
    number, value = headers["game"]
    name, _, version = value.partition(" ")
    if name not in GAMES:
        raise BadRecord(number, Message("unknown_game", {"game": name, "known": list(GAMES)}))
    rules = GAMES[name]
    if version != str(rules.VERSION):
        raise BadRecord(number, Message("record_version", {"game": name, "found": version, "known": rules.VERSION}))
    number, value = headers["options"]
    try:
        words = [word.partition("=")[::2] for word in value.split()]
        if len(dict(words)) < len(words):
            raise BadRecord(number, Message("record_header_twice", {"key": value}))
        game = Game(rules, parse_options(rules, dict(words)))
        number, value = headers.get("position", (number, ""))
        position = game.parse_position(value) if "position" in headers else None
        number, value = headers.get("names", (number, ""))
        return Match(game, None, _names(number, value), position)
    except BadRecord:
        raise
    except GramyError as error:
        raise BadRecord(number, error.message) from None


def _names(number: int, value: str) -> list[str]:
    """Return the names, which are JSON strings, each after its seat."""
    names: list[str] = []
    decoder = json.JSONDecoder()
    while value:
        seat = f"{len(names)} "
        try:
            name, end = decoder.raw_decode(value.removeprefix(seat)) if value.startswith(seat) else (None, 0)
        except (ValueError, RecursionError):
            name = None
        if not isinstance(name, str):
            raise BadRecord(number, Message("record_names"))
        names.append(name)
        value = value.removeprefix(seat)[end:].strip()
    return names


def _deal(headers: Headers, players: int) -> Deal | None:
    """Return the seed and the client seeds: a record has both, or neither."""
    if "seed" not in headers and "client-seeds" not in headers:
        return None
    number, value = headers.get("client-seeds", headers.get("seed", (0, "")))
    words = value.split()
    client_seeds = dict(zip(words[::2], words[1::2], strict=False))
    seats = [str(seat) for seat in range(players)]
    if (
        not {"seed", "client-seeds"} <= set(headers)
        or len(words) != 2 * len(client_seeds)
        or not set(client_seeds) <= set(seats)
    ):
        raise BadRecord(number, Message("record_client_seeds"))
    return Deal(headers["seed"][1], tuple(client_seeds.get(seat, "") for seat in seats))


def _play(match: Match, number: int, line: str) -> None:
    who, _, move = line.partition(" ")
    seats = {"dealer": DEALER} | {str(seat): seat for seat in range(match.game.players)}
    if who not in seats or not move:
        raise BadRecord(number, Message("record_move", {"line": line}))
    try:
        match.replay(Entry(seats[who], move))
    except GramyError as error:
        raise BadRecord(number, error.message) from None


def _result(match: Match) -> str:
    if match.outcome is None:
        return "unfinished"
    return f"{','.join(map(str, match.outcome.winners)) or '-'} {match.outcome.key}"


def _finish(match: Match, number: int, found: str, rest: Lines) -> None:
    if found != _result(match):
        raise BadRecord(number, Message("record_result_wrong", {"found": found, "expected": _result(match)}))
    for after, line in rest:
        if line:
            raise BadRecord(after, Message("record_after_result"))
