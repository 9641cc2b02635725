"""Records: a match as a text file that people can read and the rules can replay, line by line.

    gramy record 3
    game: the name and the version of its rules
    options: name=value ...
    names: 0 "Ada" 1 "Bo"              left out when no player has a name
    seed: 91b7...                      left out unless the deals can be checked: see gramy.fair
    client-seeds: 0 k3Vx               the client seeds of the seats that revealed one; goes with the seed
    table: 5e1f...                     the hash of the table's id; this line and the next two go together
    round: 1                           the round at the table
    commitments: 0 8c02... 1 -         the closed list of commitments; `-`: the person sent none
    void-1: 40aa...; 0 77e1... 1 0b9d...; 0 Zm9y
                                       a void attempt: its seed, its commitments, the client seeds that were revealed
    position: key=value ...            left out when the match began with the first deal

    dealer deal first 0                the moves: a seat and its move
    0 undo
    result: 0 all_laid                 the winners (- for none) and the reason, or: unfinished

A record is correct when every line can be played, and whole when it ends in the result that its moves lead to.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gramy.contract import DEALER, Game
from gramy.errors import BadRecord, GramyError
from gramy.fair import Deal, Exchange, VoidAttempt
from gramy.games import GAMES, options_since
from gramy.matches import Entry, Match
from gramy.messages import Message
from gramy.options import choices, format_options, parse_options

FIRST = "gramy record 3"
OLDER = {"gramy record 1": {"luck": "client-seeds"}, "gramy record 2": {}}
"""Formats that are still read, each with the headers that have another name today."""
EXCHANGE = ("table", "round", "commitments")
VOIDS = tuple(f"void-{attempt}" for attempt in range(1, 13))  # at most two for each of six seats: see dealing.py
HEADERS = ("game", "options", "names", "seed", "client-seeds", *EXCHANGE, *VOIDS, "position")
LONGEST_ROUND = 9  # digits
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
        lines += _seed_lines(deal)
    if match.origin != game.start():
        lines.append(f"position: {game.format_position(match.origin)}")
    lines.append("")
    lines += [f"{'dealer' if entry.seat == DEALER else entry.seat} {entry.text}" for entry in match.log]
    lines.append(f"result: {_result(match)}")
    return "\n".join(lines) + "\n"


def _seed_lines(deal: Deal) -> list[str]:
    lines = [f"seed: {deal.seed}", f"client-seeds: {_by_seat(deal.client_seeds)}"]
    if deal.exchange is not None:
        lines.append(f"table: {deal.exchange.table}")
        lines.append(f"round: {deal.exchange.round}")
        lines.append(f"commitments: {_by_seat(deal.exchange.commitments)}")
        lines += [
            f"void-{attempt}: {seed}; {_by_seat(commitments)}; {_by_seat(client_seeds)}"
            for attempt, (seed, commitments, client_seeds) in enumerate(deal.exchange.voids, 1)
        ]
    return lines


def _by_seat(words: Iterable[str]) -> str:
    """Return each seat's word after its number; seats without one are left out."""
    return " ".join(f"{seat} {word}" for seat, word in enumerate(words) if word)


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
    since = options_since(rules, version)
    if since is None:
        raise BadRecord(number, Message("record_version", {"game": name, "found": version, "known": rules.VERSION}))
    number, value = headers["options"]
    try:
        words = [word.partition("=")[::2] for word in value.split()]
        if len(dict(words)) < len(words):
            raise BadRecord(number, Message("record_header_twice", {"key": value}))
        if newer := since.keys() & dict(words).keys():
            values = {"game": name, "option": min(newer), "known": sorted(choices(rules.Options).keys() - since.keys())}
            raise BadRecord(number, Message("no_such_option", values))
        game = Game(rules, parse_options(rules, {**dict(words), **since}))
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
    """Return the seed, the client seeds and how they were collected: a record has them whole, or not at all."""
    found = {"seed", "client-seeds", *EXCHANGE, *VOIDS} & set(headers)
    if not found:
        return None
    if not {"seed", "client-seeds"} <= found:
        raise BadRecord(max(headers[key][0] for key in found), Message("record_client_seeds"))
    deal = Deal(headers["seed"][1], _words_by_seat(*headers["client-seeds"], players))
    found -= {"seed", "client-seeds"}
    return deal._replace(exchange=_exchange(headers, found, players)) if found else deal


def _exchange(headers: Headers, found: set[str], players: int) -> Exchange:
    voids = VOIDS[: len(found) - len(EXCHANGE)]
    last = max(headers[key][0] for key in found)
    round = headers["round"][1] if "round" in headers else ""
    if found != {*EXCHANGE, *voids} or not round.isdecimal() or len(round) > LONGEST_ROUND:
        raise BadRecord(last, Message("record_exchange"))
    commitments = _words_by_seat(*headers["commitments"], players)
    attempts = tuple(_void(*headers[key], players) for key in voids)
    return Exchange(headers["table"][1], int(round), commitments, True, attempts)


def _void(number: int, value: str, players: int) -> VoidAttempt:
    parts = [part.strip() for part in value.split(";")]
    if len(parts) != 3:
        raise BadRecord(number, Message("record_exchange"))
    seed, commitments, client_seeds = parts
    return VoidAttempt(
        seed, _words_by_seat(number, commitments, players), _words_by_seat(number, client_seeds, players)
    )


def _words_by_seat(number: int, value: str, players: int) -> tuple[str, ...]:
    """Return the word of each seat, empty for a seat without one."""
    words = value.split()
    by_seat = dict(zip(words[::2], words[1::2], strict=False))
    seats = [str(seat) for seat in range(players)]
    if len(words) != 2 * len(by_seat) or not set(by_seat) <= set(seats):
        raise BadRecord(number, Message("record_client_seeds"))
    return tuple(by_seat.get(seat, "") for seat in seats)


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
