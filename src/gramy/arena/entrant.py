"""Entrants of a comparison: `bot[+style][:budget]`.

The bot is a level, a reference bot or a Python file. The style replaces what it says (`gramy.bots.STYLES`), and the
budget is its time for a move. So `expert+silent:50ms` is the level expert that never talks, with a budget of 0.05
seconds. A file has an object BOT, or the functions `choose(view, history, rng, budget)` and, if the bot talks,
`say(view, history, rng)`; see `gramy.bots.Bot`. An entrant carries the text of its file, so that other machines can
play it without the file.
"""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gramy import bots
from gramy.bots import Bot, uniform
from gramy.bots.styles import say_nothing
from gramy.errors import BadOptions
from gramy.messages import Message

BUDGET = 1.0
"""The default budget for a move, in seconds of a reference core."""

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
TIME = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m)")
SPEC = re.compile(r"(?P<bot>.+?)(?:\+(?P<style>[a-z]+))?(?::(?P<budget>[\d.]+[a-z]+))?")


class Entrant(NamedTuple):
    """A bot that competes, with its budget. `level` is a level, a reference bot, or the path of a file whose text is
    `source`. `style` is the style of talk that it takes on, empty for its own."""

    name: str
    level: str
    budget: float = BUDGET
    source: str = ""
    style: str = ""

    @property
    def label(self) -> str:
        """The name without the budget."""
        return self.name.partition(":")[0]


def parse_time(word: str) -> float | None:
    """Return a time such as 50ms, 1.5s or 2m in seconds; None if the word is none."""
    found = TIME.fullmatch(word)
    return float(found["number"]) * UNITS[found["unit"]] if found else None


def parse_entrant(spec: str, budget: float = BUDGET) -> Entrant:
    """Return the entrant that `bot[+style][:budget]` names, with a budget where it names none; raises BadOptions."""
    found = SPEC.fullmatch(spec)
    seconds = parse_time(found["budget"]) if found and found["budget"] else budget
    if found is None or seconds is None or ":" in found["bot"][2:]:  # a colon in second place follows a drive's letter
        raise BadOptions(Message("bot_form", {"word": spec}, "arena"))
    style = found["style"] or ""
    if not found["bot"].endswith(".py"):
        return Entrant(spec, found["bot"], seconds, style=style)
    path = Path(found["bot"])
    try:
        source = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _bad_file(str(path), str(error)) from None
    return Entrant(path.stem + spec[len(found["bot"]) :], str(path), seconds, source, style)


def load_bot(game: str, entrant: Entrant) -> Bot:
    """Return the bot of an entrant; raises BadOptions if there is none."""
    player = _from_source(entrant.level, entrant.source) if entrant.source else bots.bot(game, entrant.level)
    return bots.styled(game, player, entrant.style) if entrant.style else player


class FileBot(NamedTuple):
    """A bot made of the functions of a file."""

    choose: Callable[..., str]
    say: Callable[..., tuple[str, ...]]
    eagerness: Callable[..., float]


@cache
def _from_source(path: str, source: str) -> Bot:
    module = ModuleType(f"gramy_bot_{sha256(source.encode()).hexdigest()[:16]}")
    sys.modules[module.__name__] = module  # dataclasses look their module up here
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)  # tracebacks quote its lines
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except Exception as error:
        failed = _bad_file(path, f"{type(error).__name__}: {error}")
        failed.add_note(own_traceback(error))
        raise failed from error
    player = getattr(module, "BOT", module)
    if not callable(getattr(player, "choose", None)):
        raise _bad_file(path, "no BOT, and no function choose")
    return FileBot(
        player.choose, getattr(player, "say", say_nothing), getattr(player, "eagerness", uniform.RANDOM.eagerness)
    )


def own_traceback(error: BaseException) -> str:
    """Return the traceback of an error in a bot, with files and lines, from the bot's own code on."""
    steps = traceback.extract_tb(error.__traceback__)
    ours = str(Path(__file__).parent)
    first = next((at for at, step in enumerate(steps) if not step.filename.startswith(ours)), 0)
    lines = traceback.format_list(steps[first:]) + traceback.format_exception_only(error)
    return "Traceback (most recent call last):\n" + "".join(lines).rstrip("\n")


def _bad_file(path: str, why: str) -> BadOptions:
    return BadOptions(Message("bot_file", {"path": path, "why": why}, "arena"))
