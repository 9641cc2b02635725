"""The journal of a comparison: a line for each deal, written as soon as its results are known.

The first line describes the setting and the code, because results of another setting or of other bots must not be
mixed with these. Every other line has the results of one deal, in order. A process that is killed can leave half a
line at the end; it is cut off when the comparison is resumed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from gramy import compiled
from gramy.arena.deals import MatchResult, Setting
from gramy.arguments import writing
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.options import format_options
from gramy.system import lock_file

FORMAT = 1
SYNC = 1.0
"""Seconds between two calls of fsync. A killed process loses nothing; a power cut loses at most this much."""


def describe(setting: Setting) -> dict[str, Any]:
    """Return everything that the results depend on, as JSON types."""
    entrants = [
        [one.name, sha256(one.source.encode()).hexdigest() if one.source else one.level, one.style, one.budget]
        for one in setting.entrants
    ]
    return {
        "gramy journal": FORMAT,
        "game": setting.game.name,
        "options": format_options(setting.game.options),
        "seed": setting.seed,
        "talk": setting.talk,
        "limit": setting.limit,
        "entrants": entrants,
        "seatings": [list(seating) for seating in setting.seatings],
        "compiled": compiled.available(),
        "code": compiled.folder().name,
    }


class Journal:
    """An open journal: `known` has the results that it had, deal by deal; `append` adds those of the next deal, and
    `written` counts them."""

    def __init__(self, path: Path, file: IO[bytes], known: list[tuple[MatchResult, ...]]) -> None:
        self.path = path
        self.known = known
        self.written = 0
        self._file = file
        self._synced = time.monotonic()

    def append(self, deal: tuple[MatchResult, ...]) -> None:
        """Write the results of the next deal."""
        with writing(self.path):
            results = [[result.winners, result.ending, result.moves, result.late] for result in deal]
            self._file.write(json.dumps([deal[0].deal, results]).encode() + b"\n")
            self._file.flush()
            self.written += 1
            if time.monotonic() - self._synced > SYNC:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def close(self) -> None:
        """Write everything to the disk, and release the file."""
        with writing(self.path), self._file:
            os.fsync(self._file.fileno())

    def delete(self) -> None:
        """Delete the file: its results are stored elsewhere."""
        self.path.unlink(missing_ok=True)


def default_path(setting: Setting) -> Path:
    """Return the path of a setting's journal in the user's cache; its name is a hash of the setting."""
    name = sha256(json.dumps(describe(setting)).encode()).hexdigest()[:16]
    return compiled.folder().parent / "arena" / f"{name}.journal"


def create(path: Path, setting: Setting) -> Journal:
    """Return a new journal; raises BadOptions if there is a file already."""
    with writing(path):
        try:
            file = open(path, "x+b")  # noqa: SIM115 - the journal closes it
        except FileExistsError:
            raise BadOptions(Message("journal_exists", {"path": str(path)}, "arena")) from None
        _lock(file, path)
        file.write(json.dumps(describe(setting)).encode() + b"\n")
        file.flush()
    return Journal(path, file, [])


def create_default(setting: Setting) -> Journal:
    """Return a new journal in the user's cache, under the first name that is free."""
    path = default_path(setting)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        try:
            return create(path.with_suffix(f".{number}.journal"), setting)
        except BadOptions as error:
            if error.message.key != "journal_exists":
                raise
            number += 1


def interrupted(setting: Setting) -> list[Path]:
    """Return the journals of this setting in the user's cache that no process is writing, the longest first."""
    path = default_path(setting)
    found = [one for one in path.parent.glob(f"{path.stem}.*.journal") if _is_free(one)]
    return sorted(found, key=lambda one: one.stat().st_size, reverse=True)


def _is_free(path: Path) -> bool:
    with open(path, "rb") as file:
        try:
            _lock(file, path)
        except BadOptions:
            return False
    return True


def resume(path: Path, setting: Setting) -> Journal:
    """Return a journal with the results that it has; raises BadOptions if it belongs to another comparison."""
    with writing(path):
        try:
            file = open(path, "r+b")  # noqa: SIM115 - the journal closes it
        except FileNotFoundError:
            raise BadOptions(Message("no_journal", {"path": str(path)}, "arena")) from None
        try:
            _lock(file, path)
            known = list(_read(file, path, setting))
            file.truncate()
        except BaseException:
            file.close()
            raise
    return Journal(path, file, known)


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock the file until it is closed; raises BadOptions if another process has locked it."""
    try:
        lock_file(file.fileno())
    except BlockingIOError:
        raise BadOptions(Message("journal_busy", {"path": str(path)}, "arena")) from None


def _read(file: IO[bytes], path: Path, setting: Setting) -> Iterator[tuple[MatchResult, ...]]:
    """Yield the results of every deal, and leave the file at the end of its last whole line."""
    expected, found = describe(setting), _parse(file.readline())
    if not isinstance(found, dict) or found.get("gramy journal") != FORMAT:
        raise BadOptions(Message("journal_damaged", {"path": str(path), "line": 1}, "arena"))
    if others := [key for key in expected if expected[key] != found.get(key)]:
        raise BadOptions(Message("journal_differs", {"path": str(path), "what": others}, "arena"))
    whole = file.tell()
    for deal, line in enumerate(iter(file.readline, b"")):
        if not line.endswith(b"\n"):
            break
        results = _results(_parse(line), deal, setting)
        if results is None:
            raise BadOptions(Message("journal_damaged", {"path": str(path), "line": deal + 2}, "arena"))
        yield results
        whole = file.tell()
    file.seek(whole)


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _results(found: Any, deal: int, setting: Setting) -> tuple[MatchResult, ...] | None:
    """Return the results that a line has; None if it is damaged."""
    try:
        number, results = found
        if number != deal:
            return None
        return tuple(
            MatchResult(deal, seating, tuple(map(int, winners)), str(ending), int(moves), int(late))
            for seating, (winners, ending, moves, late) in zip(setting.seatings, results, strict=True)
        )
    except (TypeError, ValueError):
        return None
