"""docs/benchmarks.md: each part of the benchmark writes its own part of the page and leaves the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
PLAYOUTS, SERVERS, OTHERS, LIVE, GROWTH, NODES, BROWSER = TITLES = (
    "# Benchmarks",
    "## Servers",
    "### Beside others: 20 tables at full speed",
    "### 1,000 live tables, 2 s of thinking before each move",
    "### From few tables to many",
    "### From one node to two",
    "## In the browser",
)


def write(title: str, lines: Sequence[str]) -> None:
    """The part with this title, in its place on the page."""
    parts = _parts(PAGE.read_text("utf-8") if PAGE.exists() else "")
    parts[title] = "\n".join([title, "", *lines])
    PAGE.write_text("\n\n".join(parts[title].strip("\n") for title in TITLES if title in parts) + "\n", "utf-8")


def _parts(page: str) -> dict[str, str]:
    titles = "|".join(re.escape(title) for title in TITLES)
    found = re.split(rf"^(?=(?:{titles})$)", page, flags=re.MULTILINE)
    return {part.partition("\n")[0]: part for part in found if part}
