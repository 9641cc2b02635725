"""The files of the terminal in the user's data folder: the latest match of each game, and the history of lines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gramy import record
from gramy.errors import BadOptions
from gramy.matches import Match
from gramy.messages import Message

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
    beside = path.with_name(path.name + ".part")
    try:
        make_private_folder(path.parent)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(record.format(match).encode())
        beside.replace(path)
    except (OSError, ValueError) as error:
        raise save_failed(path, error) from None


def save_failed(path: Path, error: Exception) -> BadOptions:
    """Return the error that says why a file cannot be written."""
    why = getattr(error, "strerror", None) or type(error).__name__
    return BadOptions(Message("save_failed", {"path": str(path), "why": why}, "terminal"))


def make_private_folder(folder: Path) -> None:
    """Create a folder that only its owner can read, unless it is there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
