"""docs/benchmarks.md: each part of the benchmark writes its own half and leaves the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
SERVERS = "## Servers"


def write_playouts(lines: Sequence[str]) -> None:
    """The first half, with its title."""
    _write("\n".join(lines), _halves()[1])


def write_servers(lines: Sequence[str]) -> None:
    """The second half, which begins with SERVERS."""
    _write(_halves()[0], "\n".join(lines))


def _halves() -> tuple[str, str]:
    before, title, after = PAGE.read_text("utf-8").partition(f"\n{SERVERS}\n") if PAGE.exists() else ("", "", "")
    return before, f"{SERVERS}\n{after}" if title else ""


def _write(*halves: str) -> None:
    PAGE.write_text("\n\n".join(half.strip("\n") for half in halves if half) + "\n", "utf-8")
