"""docs/security.md names a test for each promise; here the names are looked up."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_the_page_names_exists() -> None:
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    written = {
        name
        for file in ROOT.glob("tests/**/test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)\(", file.read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 40
    assert not named - written
