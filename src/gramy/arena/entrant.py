"""Who competes: a level or reference bot, or a bot from somebody's own file, and how long it may think.

`expert:50ms` is the expert with a budget of 0.05 seconds, `my_bot.py:2s` a file. A file has an object BOT, or functions
of its own: `choose(view, history, rng, budget)` and, if it speaks, `say(view, history, rng)`; see `gramy.bots.Bot`.
What is sent to the processes that play is the file's text, so that it need not lie on every machine.
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
from gramy.contract import BadOptions, Message

BUDGET = 1.0
"""Seconds of a reference core for a move, where none are asked for."""

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
SPEC = re.compile(r"(?P<who>.+?)(?::(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m))?")


class Entrant(NamedTuple):
    """A bot by name, with its budget; `source` is the text of its file, empty for the bots that are built in."""

    name: str
    level: str
    budget: float = BUDGET
    source: str = ""


def entrant(spec: str) -> Entrant:
    """Who is meant by `level[:budget]` or `file.py[:budget]`."""
    found = SPEC.fullmatch(spec)
    if found is None or ":" in found["who"][2:]:  # a colon in second place belongs to a drive
        raise BadOptions(Message("bot_form", {"word": spec}, "arena"))
    budget = float(found["number"]) * UNITS[found["unit"]] if found["number"] else BUDGET
    if not found["who"].endswith(".py"):
        return Entrant(spec, found["who"], budget)
    path = Path(found["who"])
    try:
        source = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadOptions(Message("bot_file", {"path": str(path), "why": str(error)}, "arena")) from None
    return Entrant(path.stem + spec[len(found["who"]) :], path.name, budget, source)


def mind(game: str, who: Entrant) -> Bot:
    """The bot itself."""
    return _from_source(who.level, who.source) if who.source else bots.bot(game, who.level)


class FromFile(NamedTuple):
    """A bot made of a file's functions."""

    choose: Callable[..., str]
    say: Callable[..., tuple[str, ...]]


@cache
def _from_source(name: str, source: str) -> Bot:
    module = ModuleType(f"gramy_bot_{sha256(source.encode()).hexdigest()[:16]}")
    sys.modules[module.__name__] = module  # where dataclasses look for what they are made of
    try:
        exec(compile(source, name, "exec"), module.__dict__)
    except Exception as error:
        raise BadOptions(
            Message("bot_file", {"path": name, "why": f"{type(error).__name__}: {error}"}, "arena")
        ) from error
    player = getattr(module, "BOT", module)
    if not callable(getattr(player, "choose", None)):
        raise BadOptions(Message("bot_file", {"path": name, "why": "no BOT, and no function choose"}, "arena"))
    return FromFile(player.choose, getattr(player, "say", _silent))


def _silent(*_: object) -> tuple[str, ...]:
    return ()
