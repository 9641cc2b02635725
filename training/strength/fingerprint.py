"""A fingerprint of the code that decides the figure of a row.

A figure belongs to the code that it was measured on: the rules of the game, the bots of the row with everything of
`gramy.bots` that they import, their parameters, and the weights or tables if they read any. Comments and docstrings do
not count, nor do other bots and the rest of the package: they change nothing in a match.
"""

from __future__ import annotations

import ast
import io
import re
import shlex
import tokenize
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from gramy.arena.command import read_setting
from gramy.arena.deals import Setting
from gramy.arena.entrant import load_bot
from gramy.bots import Bot
from gramy.cli import parser
from training.provenance import ROOT, SUFFIX
from training.strength.rows import Row

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "gramy"
SHARED = ("arena/deals.py", "arena/figures.py", "arena/players.py", "arena/seating.py", "cards.py", "playout.py")
"""What decides the result of every bot: the deals, the seats, the figures, and the basis of all rules."""
READS_FILES = {"gramy.bots.weights", "importlib.resources"}
"""A module that imports one of these reads the weights or tables of its game."""
LENGTH = 12
"""Hexadecimal digits of a fingerprint."""


def setting_of(row: Row) -> Setting:
    """Return the comparison that a row describes."""
    return read_setting(parser().parse_args(["arena", row.game, *shlex.split(row.arguments)]))


def bots_of(row: Row) -> list[Bot]:
    """Return the bots that play in a row."""
    return [load_bot(row.game, entrant) for entrant in setting_of(row).entrants]


def deciding_files(row: Row) -> list[Path]:
    """Return the files that decide the figure of a row."""
    module = row.game.replace("-", "_")
    modules = _closure({name for bot in bots_of(row) for name in _modules_of(bot)})
    found = {_path(name) for name in modules} | {PACKAGE / name for name in SHARED}
    found |= set((PACKAGE / "games" / module).rglob("*.py"))
    if any(_imports(_path(name)) & READS_FILES for name in modules):
        stored = (path for path in (PACKAGE / "bots" / module).rglob("*") if path.is_file())
        found |= {path for path in stored if path.suffix not in (".py", ".pyc") and not path.name.endswith(SUFFIX)}
    return sorted(found)


def _modules_of(value: Any) -> Iterator[str]:
    """Yield the modules of `gramy.bots` that define a bot, its parts and the functions that it was given."""
    module = getattr(value, "__module__", "") if callable(value) else type(value).__module__
    if module.startswith("gramy.bots."):
        yield module
        if not callable(value):
            for part in getattr(value, "__dict__", {}).values():
                yield from _modules_of(part)
    if isinstance(value, tuple):
        for part in value:
            yield from _modules_of(part)


def _closure(modules: set[str]) -> set[str]:
    """Return these modules of `gramy.bots`, and those that they import, directly or not."""
    found, waiting = set(modules), list(modules)
    while waiting:
        new = {name for name in _imports(_path(waiting.pop())) if name.startswith("gramy.bots.")} - found
        new = {name for name in new if _path(name).is_file()}
        found |= new
        waiting += new
    return found


def _path(module: str) -> Path:
    return (SOURCE / module.replace(".", "/")).with_suffix(".py")


@cache
def _imports(path: Path) -> set[str]:
    """Return the names of the modules that a file imports, and of everything that it imports from them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def code_of(source: str) -> str:
    """Return a module without comments, docstrings and empty lines. The result is the same in every Python."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for text in filter(_is_text, node.body):
                first, last = text.lineno - 1, text.end_lineno or text.lineno
                lines[first:last] = [lines[first][: text.col_offset], *[""] * (last - first - 1)]
    return "\n".join(line.rstrip() for line in lines if line.strip())


@cache
def _code_in(path: Path) -> bytes:
    return code_of(path.read_text(encoding="utf-8")).encode() + b"\0"


def _is_text(step: ast.stmt) -> bool:
    return isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant) and isinstance(step.value.value, str)


def _pieces(row: Row) -> Iterator[bytes]:
    if "--alternate" in row.arguments:
        yield repr(setting_of(row).seatings).encode() + b"\0"  # others follow from SHARED
    for bot in bots_of(row):
        yield re.sub(r" at 0x[0-9a-fA-F]+", "", repr(bot)).encode() + b"\0"  # its parameters; functions by their names
    for path in deciding_files(row):
        yield path.relative_to(PACKAGE).as_posix().encode() + b"\0"
        if path.suffix == ".py":
            yield _code_in(path)
        else:
            yield sha256(path.read_bytes()).digest()


def fingerprint(row: Row) -> str:
    """Return the fingerprint of the code in this work tree that decides the figure of a row."""
    return sha256(b"".join(_pieces(row))).hexdigest()[:LENGTH]
