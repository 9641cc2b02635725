"""Docstrings for Sphinx: ours are plain sentences with `code` as in Markdown, and Sphinx reads reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

CODE = re.compile(r"(`[^`]+`)(\w?)")
SPECIAL = re.compile(r"([\\*|])|(?<=\w)_(?!\w)")


def to_rest(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText: paragraphs, lists, code and drawings as they were."""
    written: list[str] = []
    for blank, group in groupby(lines, key=lambda line: not line.strip()):
        paragraph = list(group)
        if blank:
            continue
        drawn = any("├" in line or line.startswith("    ") for line in paragraph)
        written += [*_literal(paragraph), ""] if drawn else [*_prose(paragraph), ""]
    return written


def _literal(paragraph: list[str]) -> Iterator[str]:
    """Yield a paragraph whose spaces count: an example, or a tree."""
    yield from ("::", "")
    yield from (f"    {line}" for line in paragraph)


def _prose(paragraph: list[str]) -> Iterator[str]:
    """Yield sentences with their code marked, and every other character as it is; a list begins a new paragraph."""
    code = CODE.split(re.sub(r"\A(?!- )(.*?)\n- ", r"\1\n\n- ", "\n".join(paragraph), flags=re.DOTALL))
    for at in range(0, len(code), 3):
        code[at] = SPECIAL.sub(lambda found: "\\" + found[0], code[at])
        if at + 2 < len(code):
            code[at + 1] = f"`{code[at + 1]}`" + ("\\ " if code[at + 2] else "")
    yield from "".join(code).split("\n")
