"""A fingerprint of the code that decides how the bots of a game play.

A figure belongs to the code that it was measured on. Comments and docstrings do not count, nor do the rest of the
package and the bots of other games: they change nothing in a match.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from training.provenance import ROOT, SUFFIX

PACKAGE = ROOT / "src" / "gramy"
SHARED = (
    "bots/kernel.py",
    "bots/protocol.py",
    "bots/search.py",
    "bots/styles.py",
    "bots/uniform.py",
    "bots/weights.py",
)
SHARED_ARENA = ("arena/deals.py", "arena/players.py", "arena/seating.py", "arena/figures.py", "cards.py", "playout.py")
LENGTH = 12
"""Hexadecimal digits of a fingerprint."""


def deciding_files(game: str) -> list[Path]:
    """Return the files that decide how the bots of a game play: its rules, its bots, their weights and tables."""
    module = game.replace("-", "_")
    folders = (PACKAGE / "games" / module, PACKAGE / "bots" / module)
    own = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    shared = (PACKAGE / name for name in (*SHARED, *SHARED_ARENA))
    return sorted(path for path in (*own, *shared) if "__pycache__" not in path.parts and not _is_about(path))


def _is_about(path: Path) -> bool:
    """Return whether a file only describes another one."""
    return path.name.endswith(SUFFIX)


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


def _is_text(step: ast.stmt) -> bool:
    return isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant) and isinstance(step.value.value, str)


def _pieces(files: list[Path]) -> Iterator[bytes]:
    for path in files:
        yield path.relative_to(PACKAGE).as_posix().encode() + b"\0"
        if path.suffix == ".py":
            yield code_of(path.read_text(encoding="utf-8")).encode() + b"\0"
        else:
            yield sha256(path.read_bytes()).digest()


def fingerprint(game: str) -> str:
    """Return the fingerprint of the code in this work tree that decides how the bots of a game play."""
    return sha256(b"".join(_pieces(deciding_files(game)))).hexdigest()[:LENGTH]
