"""What we ship or install that others have made: known to the byte, so that nobody slips anything in."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

import gramy

ROOT = Path(__file__).parents[2]
STATIC = Path(gramy.__file__).parent / "web" / "static"
SUMS = STATIC / "vendor" / "SHA256SUMS"
PLACES = ("requirements*.txt", "bench/requirements.txt", "tests/*/requirements.txt")
PINNED = [path.relative_to(ROOT).as_posix() for place in PLACES for path in ROOT.glob(place)]


def test_files_of_others_are_the_ones_that_were_looked_at() -> None:
    """Written by `sha256sum`, and checked by it as well: `sha256sum --check SHA256SUMS`."""
    sums = dict(reversed(line.split("  ")) for line in SUMS.read_text().splitlines())
    for name, expected in sums.items():
        assert hashlib.sha256((SUMS.parent / name).read_bytes()).hexdigest() == expected, name
    vendored = {path for path in SUMS.parent.iterdir() if path != SUMS} | set(STATIC.glob("**/*.woff2"))
    assert {(SUMS.parent / name).resolve() for name in sums} == {path.resolve() for path in vendored}


def test_files_of_others_say_which_versions_they_are() -> None:
    first = (SUMS.parent / "preact.js").read_text().splitlines()[0]
    versions = re.findall(r"([@\w/]+) (\d+\.\d+\.\d+)", first)
    assert len(versions) == 3
    for name, version in versions:
        assert f"=== {name} {version}" in (SUMS.parent / "LICENSES.txt").read_text()


@pytest.mark.parametrize("path", PINNED)
def test_everything_that_is_installed_is_pinned_with_its_hashes(path: str) -> None:
    text = (ROOT / path).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==[^\s;]+", line), line
        assert "--hash=sha256:" in line, line


def test_the_audit_asks_about_everything_that_is_pinned() -> None:
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    (audited,) = re.findall(r"^AUDITED := (.*)$", makefile, re.MULTILINE)
    assert sorted(audited.split()) == sorted(PINNED)
