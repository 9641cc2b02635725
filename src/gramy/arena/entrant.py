"""Entrants of a comparison: a built-in bot or a bot from a Python file, with its budget of time for a move.

`expert:50ms` is the level expert with a budget of 0.05 seconds; `my_bot.py:2s` is a file. A file has an object BOT, or
the functions `choose(view, history, rng, budget)` and, if the bot talks, `say(view, history, rng)`; see
`gramy.bots.Bot`. An entrant carries the text of its file, so that other machines can play it without the file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gramy import bots
from gramy.bots import Bot
from gramy.errors import BadOptions
from gramy.messages import Message

BUDGET = 1.0
"""The default budget for a move, in seconds of a reference core."""

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
SPEC = re.compile(r"(?P<bot>.+?)(?::(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m))?")


class Entrant(NamedTuple):
    """A bot that competes, with its budget. `source` is the text of its file, empty for a built-in bot."""

    name: str
    level: str
    budget: float = BUDGET
    source: str = ""


def parse_entrant(spec: str) -> Entrant:
    """Return the entrant that `level[:budget]` or `file.py[:budget]` names; raises BadOptions."""
    found = SPEC.fullmatch(spec)
    if found is None or ":" in found["bot"][2:]:  # a colon in second place follows the letter of a drive
        raise BadOptions(Message("bot_form", {"word": spec}, "arena"))
    budget = float(found["number"]) * UNITS[found["unit"]] if found["number"] else BUDGET
    if not found["bot"].endswith(".py"):
        return Entrant(spec, found["bot"], budget)
    path = Path(found["bot"])
    try:
        source = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _bad_file(str(path), str(error)) from None
    return Entrant(path.stem + spec[len(found["bot"]) :], path.name, budget, source)


def load_bot(game: str, entrant: Entrant) -> Bot:
    """Return the bot of an entrant; raises BadOptions if there is none."""
    return _from_source(entrant.level, entrant.source) if entrant.source else bots.bot(game, entrant.level)


class FileBot(NamedTuple):
    """A bot made of the functions of a file."""

    choose: Callable[..., str]
    say: Callable[..., tuple[str, ...]]


@cache
def _from_source(name: str, source: str) -> Bot:
    module = ModuleType(f"gramy_bot_{sha256(source.encode()).hexdigest()[:16]}")
    sys.modules[module.__name__] = module  # dataclasses look their module up here
    try:
        exec(compile(source, name, "exec"), module.__dict__)
    except Exception as error:
        raise _bad_file(name, f"{type(error).__name__}: {error}") from error
    player = getattr(module, "BOT", module)
    if not callable(getattr(player, "choose", None)):
        raise _bad_file(name, "no BOT, and no function choose")
    return FileBot(player.choose, getattr(player, "say", _silent))


def _bad_file(path: str, why: str) -> BadOptions:
    return BadOptions(Message("bot_file", {"path": path, "why": why}, "arena"))


def _silent(*_: object) -> tuple[str, ...]:
    return ()
