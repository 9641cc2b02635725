"""The client's files as they are served: without comments, and otherwise as they are written."""

from __future__ import annotations

import re
from pathlib import Path

from gramy.web.files import read_static, without_comments

STATIC = Path(__file__).parents[2] / "src" / "gramy" / "web" / "static"
OWN = sorted(path for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.css")] if path.parent.name != "vendor")


def code(source: str) -> str:
    """Return a script or style without comments and white space, found in another way."""
    without = re.sub(r"/\*.*?\*/|^[ \t]*//[^\n]*", "", source, flags=re.DOTALL | re.MULTILINE)
    return "".join(without.split())


def test_lines_of_comments_are_empty_and_all_others_unchanged() -> None:
    source = """// about
import x from "./x.js"; // why

/**
 * Return it.
 * @param {string} y
 */
const f = (y) =>
  /** @type {any} */ (y);
/** One line. */
/* styles too */
const g = "/* not one */";
"""
    assert without_comments(source).split("\n") == [
        *("", 'import x from "./x.js"; // why', "", "", "", "", ""),
        *("const f = (y) =>", "  /** @type {any} */ (y);", "", "", 'const g = "/* not one */";', ""),
    ]


def test_a_served_file_differs_from_its_source_in_comments_only() -> None:
    files = read_static()
    assert len(OWN) > 80
    for path in OWN:
        written = path.read_text("utf-8").split("\n")
        served = files[path.relative_to(STATIC).as_posix()].body.decode().split("\n")
        assert len(written) == len(served), path
        assert all(after in (before, "") for before, after in zip(written, served, strict=True)), path
        assert code("\n".join(written)) == code("\n".join(served)), path


def test_vendored_files_are_served_as_they_are() -> None:
    files = read_static()
    assert files["vendor/preact.js"].body == (STATIC / "vendor" / "preact.js").read_bytes()
