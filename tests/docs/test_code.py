"""Code in the documents: blocks of Python and JSON can be read, and tutorials do what they say.

Examples with `>>>` are doctests: `testpaths` in pyproject.toml names the pages.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, Block, blocks, name, pages, shell_lines

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
EXAMPLES = ROOT / "docs" / "examples"
SHORTER = {"--deals": "1", "--minutes": "0.01", "--budget": "1", "--games": "100"}
"""Options that make a command of a tutorial run for seconds instead of minutes."""


@pytest.mark.parametrize("page", pages(), ids=name)
def test_blocks_of_python_and_json_can_be_read(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python" and ">>> " not in block.code:
            ast.parse(block.code)
        if block.language == "json":
            json.loads(block.code)


def test_pages_with_examples_are_doctests(pytestconfig: pytest.Config) -> None:
    tested = [ROOT / path for path in pytestconfig.getini("testpaths")]
    examples = [page for page in pages() if any(">>> " in block.code for block in blocks(page))]
    same = ROOT / "packaging" / "gramy" / "README.md"  # a copy of README.md
    assert [name(page) for page in examples if not {page, *page.parents} & set(tested) and page != same] == []


@pytest.mark.parametrize("page", TUTORIALS, ids=name)
def test_the_commands_of_a_tutorial_run(page: Path, tmp_path: Path) -> None:
    """They run in a folder with the examples and the files that the tutorial lets its reader save."""
    for example in EXAMPLES.glob("*.py"):
        shutil.copy(example, tmp_path)
    for block in blocks(page):
        save(block, tmp_path)
        for line in shell_lines(block) if block.language == "console" else ():
            done = subprocess.run(command(line), cwd=tmp_path, capture_output=True, text=True, timeout=600)
            assert "Traceback" not in done.stderr, done.stderr
            assert done.returncode == 0 or "versus.py" in line, done.stderr  # so soon the learner need not win


def save(block: Block, folder: Path) -> None:
    """Save a block that begins with the name of a file."""
    found = re.match(r"(?:#|//) (\w+\.\w+)\n", block.code)
    if found:
        (folder / found[1]).write_text(block.code, encoding="utf-8")


def command(line: str) -> list[str]:
    """Return a command of a tutorial, to be run by this Python and for a short time."""
    words = shlex.split(line)
    for option, value in SHORTER.items():
        if option in words:
            words[words.index(option) + 1] = value
    started = {"gramy": [sys.executable, "-m", "gramy"], "python": [sys.executable]}
    return [*started.get(words[0], [words[0]]), *words[1:]]
