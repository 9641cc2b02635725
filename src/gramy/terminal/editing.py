"""Line editing, history and completion for the line mode, where the system has readline."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gramy.terminal.files import make_private_folder

MOST_LINES = 1000


def completer(candidates: Callable[[], Sequence[str]]) -> Callable[[str, int], str | None]:
    """Return a function for readline: the n-th candidate that begins with the line so far, None after the last."""

    def complete(begun: str, number: int) -> str | None:
        found = [one for one in candidates() if one.casefold().startswith(begun.casefold())]
        return found[number] if number < len(found) else None

    return complete


@contextlib.contextmanager
def line_editing(candidates: Callable[[], Sequence[str]], history: Path | None) -> Iterator[None]:
    """In this block, edit lines with history and completion. Without a file the history is empty and not kept."""
    try:
        readline: Any = importlib.import_module("readline")
    except ImportError:  # Windows: its console edits lines by itself
        yield
        return
    readline.clear_history()
    readline.set_completer(completer(candidates))
    readline.set_completer_delims("")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    with contextlib.suppress(OSError):
        if history is not None and history.exists():
            readline.read_history_file(history)
    try:
        yield
    finally:
        readline.set_completer(None)
        if history is not None:
            _write(readline, history)
        readline.clear_history()


def forget_lines() -> None:
    """Forget the lines typed so far: the next person at the keyboard must not see them."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline").clear_history()


def _write(readline: Any, history: Path) -> None:
    """Write the history to a file that only its owner can read; a failure costs nothing but the history."""
    with contextlib.suppress(OSError):
        make_private_folder(history.parent)
        os.close(os.open(history, os.O_WRONLY | os.O_CREAT, 0o600))
        readline.set_history_length(MOST_LINES)
        readline.write_history_file(history)
        history.chmod(0o600)
