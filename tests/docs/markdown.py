"""The Markdown pages of the repository: their headings, links and blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
SKIPPED = {"node_modules", "build", "dist"}
FENCE = re.compile(
    r"^(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<language>[^\n]*)\n(?P<code>.*?)^(?P=indent)(?P=mark)$", re.M | re.S
)
INLINE = re.compile(r"`([^`\n]+)`")
SCHEME = re.compile(r"[a-z][a-z+.-]*:")


class Block(NamedTuple):
    """A fenced block of code: the word after its fence, its text, and the number of its first line."""

    language: str
    code: str
    line: int


def pages() -> list[Path]:
    """Return every Markdown page of ours, once: not those of environments, packages and caches, nor links to pages."""
    found = (page for page in ROOT.rglob("*.md") if not any(part.is_symlink() for part in (page, *page.parents)))
    parts = ((page, page.relative_to(ROOT).parts) for page in found)
    return sorted(page for page, names in parts if not any(name.startswith(".") or name in SKIPPED for name in names))


def name(page: Path) -> str:
    """Return the path of a page in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    found = FENCE.finditer(text)
    return [Block(one["language"].strip(), one["code"], text.count("\n", 0, one.start()) + 2) for one in found]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """Return the targets of a page's links and pictures; code is not searched."""
    text = INLINE.sub("", prose(page))
    return re.findall(r"\]\(<?([^)\s>]+)", text) + re.findall(r"^\[[^\]]+\]:\s*(\S+)", text, re.M)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", prose(page), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        repeated = (f"{slug}-{number}" for number in range(1, 100))
        found.add(slug if slug not in found else next(other for other in repeated if other not in found))
    return found


def shell_lines(block: Block) -> Iterator[str]:
    """Yield the commands of a block: whole lines, without the prompt, the comments and what is printed."""
    whole = re.sub(r"\\\n\s*", "", block.code)
    for line in whole.splitlines():
        command, prompt = re.subn(r"^\s*\$ ", "", line)
        if prompt or "$ " not in whole:
            yield re.sub(r"(^|\s)#.*", "", command).strip()
