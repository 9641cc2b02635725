"""Arguments that several commands share, for argparse, and the files they write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from gramy import text
from gramy.console import preferred_language
from gramy.contract import Game
from gramy.errors import BadOptions
from gramy.games import GAMES, game
from gramy.messages import Message
from gramy.options import format_options, split_options


def add_game(command: argparse.ArgumentParser, without: str | None = None) -> None:
    """Add the name of a game and its options to a command. `without` says what happens if no game is named."""
    add_game_name(command, without is not None, without)
    help = "options of the game, such as players=3; `gramy rules` lists them"
    command.add_argument("options", nargs="*", metavar="option=value", help=help)


def add_game_name(command: argparse.ArgumentParser, optional: bool = False, without: str | None = None) -> None:
    """Add the name of a game to a command."""
    help = "one of: " + ", ".join(GAMES) + (f" ({without})" if without else "")
    command.add_argument("game", nargs="?" if optional else None, help=help)


def chosen_game(args: argparse.Namespace) -> Game:
    """Return the game that the arguments of `add_game` name."""
    return game(args.game, split_options(args.options))


def game_title(game: Game) -> str:
    """Return the game and its options as one line, as they are typed."""
    return " ".join([game.name, *(f"{name}={value}" for name, value in format_options(game.options).items())])


def add_json(command: argparse.ArgumentParser) -> None:
    """Add the flag for output that programs read."""
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def add_language(command: argparse.ArgumentParser) -> None:
    """Add the language of the output."""
    default = preferred_language(os.environ)
    help = f"language of the output (default, from your locale: {default})"
    command.add_argument("--language", choices=text.LANGUAGES, default=default, help=help)


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a function that reads a whole number in a range."""

    def read(word: str) -> int:
        limits = f"{least} or more" if most is None else f"from {least} to {most}"
        if not (word.isascii() and word.isdigit()) or len(word) > 18 or not least <= int(word) <= (most or int(word)):
            raise argparse.ArgumentTypeError(f"“{text.clip(word)}” is not a whole number {limits}")
        return int(word)

    return read


def seconds(most: float) -> Callable[[str], float]:
    """Return a function that reads a number of seconds up to a limit."""

    def read(word: str) -> float:
        try:
            number = float(word)
        except ValueError:
            number = -1.0
        if not 0 <= number <= most:
            raise argparse.ArgumentTypeError(f"“{text.clip(word)}” is not a number of seconds from 0 to {most:g}")
        return number

    return read


def check_suffix(path: str, suffixes: Collection[str]) -> Path:
    """Return the path if it ends in one of the suffixes; raises BadOptions otherwise."""
    if Path(path).suffix not in suffixes:
        raise BadOptions(Message("file_kind", {"path": path, "known": list(suffixes)}))
    return Path(path)


def check_target(path: str, suffixes: Collection[str]) -> Path:
    """Return the path if a file of one of these kinds can be written there; raises BadOptions otherwise.

    A command checks its targets before it works for hours.
    """
    target = check_suffix(path, suffixes)
    if not target.parent.is_dir():
        raise BadOptions(Message("no_folder", {"path": path, "folder": str(target.parent)}))
    if target.is_dir() or not os.access(target if target.exists() else target.parent, os.W_OK):
        raise BadOptions(Message("file_failed", {"path": path, "why": "a folder" if target.is_dir() else "read-only"}))
    return target


def new_folder(path: str) -> Path:
    """Return an empty folder, created if it is not there; raises BadOptions if it holds anything."""
    folder = Path(path)
    if not folder.parent.is_dir():
        raise BadOptions(Message("no_folder", {"path": path, "folder": str(folder.parent)}))
    with writing(folder):
        folder.mkdir(exist_ok=True)
        if any(folder.iterdir()):
            raise BadOptions(Message("folder_used", {"path": path}))
    return folder


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a failure to write the file into a BadOptions error."""
    try:
        yield
    except OSError as error:
        raise BadOptions(Message("file_failed", {"path": str(path), "why": str(error.strerror)})) from None
