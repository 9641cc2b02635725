"""The files of a server: who may read its data folder, which server uses it, and the secret in it."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from gramy import system
from gramy.errors import GramyError
from gramy.messages import Message

SHORTEST_SECRET = 32
"""Characters that a secret needs: a shorter one could be guessed from any signed cookie."""
OWN_FILES = {"gramy.sqlite", "gramy.sqlite-wal", "gramy.sqlite-shm", "secret", "secret.part", "lock"}


class CannotServe(GramyError):
    """The server cannot start; the message says what to change."""


def default_folder() -> Path:
    """Return the default data folder."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "gramy"


def unusable(folder: Path, error: Exception) -> CannotServe:
    return CannotServe(Message("data_unusable", {"folder": str(folder), "why": str(error)}))


def make_private(folder: Path) -> None:
    """Make the folder if it does not exist, and let only this user read it and our files in it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = list(folder.iterdir())
    ours = [path for path in found if path.name in OWN_FILES]
    for path in ours:
        with contextlib.suppress(FileNotFoundError):  # another server of this folder has just stopped
            _close_to_others(path)
    if len(ours) == len(found):  # otherwise others may have files here, as in a home folder
        _close_to_others(folder)


def _close_to_others(path: Path) -> None:
    mode = path.stat().st_mode
    if mode & 0o077:
        path.chmod(mode & 0o700)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for one server, whose screens would not follow another one's moves in the same file."""
    with contextlib.ExitStack() as held:
        try:
            make_private(folder)
            held.enter_context(system.locked_folder(folder))
        except BlockingIOError:
            raise CannotServe(Message("data_in_use", {"folder": str(folder)})) from None
        except OSError as error:
            raise unusable(folder, error) from None
        yield


def check_secrets(given: Iterable[str]) -> None:
    """Refuse secrets from the settings that are too short."""
    for secret in given:
        if len(secret) < SHORTEST_SECRET:
            raise CannotServe(Message("secret_short", {"found": len(secret), "least": SHORTEST_SECRET}))


def load_secret(folder: Path) -> str:
    """Return the secret in the folder; the first start generates it, readable by this user only."""
    path = folder / "secret"
    try:
        if not path.exists():
            make_private(folder)
            _write_private(path, secrets.token_urlsafe(SHORTEST_SECRET))
        secret = path.read_bytes().decode("ascii", "replace").strip()
    except OSError as error:
        raise unusable(folder, error) from None
    if len(secret) < SHORTEST_SECRET:
        where = {"path": str(path), "found": len(secret), "least": SHORTEST_SECRET}
        raise CannotServe(Message("secret_file_short", where))
    return secret


def _write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read: all of it, or none if the disk is full or the power fails."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    system.sync_folder(path.parent)
