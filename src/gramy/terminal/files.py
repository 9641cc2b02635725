"""The files of the terminal in the user's data folder: the latest match of each game, and the history of lines."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from gramy import record
from gramy.drawing.pen import terminal_message
from gramy.errors import BadOptions
from gramy.matches import Match

HISTORY = "history"


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of the terminal's files; it may not exist yet."""
    home = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "gramy" / "terminal"


def new_file(game: str, environment: Mapping[str, str]) -> Path:
    """Return a new, empty file for a match, numbered after those that are there; raises BadOptions."""
    folder = data_folder(environment)
    number = 1
    while True:
        path = folder / f"{game}-{number}.gramy"
        try:
            make_private_folder(folder)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return path
        except FileExistsError:
            number += 1
        except OSError as error:
            raise save_failed(path, error) from None


def latest_file(environment: Mapping[str, str]) -> Path | None:
    """Return the file of the match that was saved last, None if there is none."""
    saved = [path for path in data_folder(environment).glob("*.gramy") if path.stat().st_size]
    return max(saved, key=lambda path: path.stat().st_mtime, default=None)


def write_private(path: Path, match: Match) -> None:
    """Write a match to a file that only its owner can read, completely or not at all; raises BadOptions."""
    try:
        number, beside = tempfile.mkstemp(".part", f".{path.name}.", path.parent)  # of an own, random name
        try:
            with open(number, "wb") as file:
                file.write(record.format(match).encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
    except (OSError, ValueError) as error:
        raise save_failed(path, error) from None


def check_may_overwrite(path: Path, resumed: Path | None = None) -> None:
    """Raise BadOptions if a file exists already, unless it has the match that is resumed."""
    try:
        if not path.exists() or (resumed is not None and path.samefile(resumed)):
            return
        has_match = is_record(path)
    except (OSError, ValueError) as error:
        raise save_failed(path, error) from None
    if has_match:
        raise BadOptions(terminal_message("save_other_match", path=str(path)))
    raise BadOptions(terminal_message("save_elsewhere", path=str(path)))


def is_record(path: Path) -> bool:
    """Return whether a file is a record of a match; raises OSError."""
    with open(path, "rb") as file:
        return file.read(len(record.FIRST)) == record.FIRST.encode()


def save_failed(path: Path, error: Exception) -> BadOptions:
    """Return the error that says why a file cannot be written."""
    why = getattr(error, "strerror", None) or type(error).__name__
    return BadOptions(terminal_message("save_failed", path=str(path), why=why))


def make_private_folder(folder: Path) -> None:
    """Create a folder that only its owner can read, unless it is there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
