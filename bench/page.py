"""Writes docs/benchmarks.md; each benchmark replaces its own sections and keeps the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
TITLES = (
    HEAD := "# Benchmarks",
    START_UP := "## Start-up time",
    EQUAL := "## Compiled rules compared with interpreted rules",
    C := "## Play-outs compared with C",
    ROLLOUTS := "## Play-outs compared with OpenSpiel's C++ roll-outs",
    FROM_PYTHON := "## One match driven from Python",
    ENVIRONMENTS := "## One match through PettingZoo",
    BATCHES := "## Many matches at once",
    POLICIES := "## A policy of one's own",
    COLD_START := "## First move and first hint without compiled code",
    SERVERS := "## Server cost and latency",
    OTHERS := "### Cost of a move, compared with boardgame.io",
    LIVE := "### Latency at 1,000 live tables",
    GROWTH := "### Cost of a move by number of tables",
    NODES := "### Cost of a move on one node and on two",
    BROWSER := "## Browser load and latency",
)


def write(title: str, lines: Sequence[str]) -> None:
    """Replace the section with this title, or add it in its place on the page."""
    parts = _parts(PAGE.read_text("utf-8") if PAGE.exists() else "")
    parts[title] = "\n".join([title, "", *lines])
    PAGE.write_text("\n\n".join(parts[title].strip("\n") for title in TITLES if title in parts) + "\n", "utf-8")


def _parts(page: str) -> dict[str, str]:
    titles = "|".join(re.escape(title) for title in TITLES)
    found = re.split(rf"^(?=(?:{titles})$)", page, flags=re.MULTILINE)
    return {part.partition("\n")[0]: part for part in found if part}
