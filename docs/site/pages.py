"""The pages of the documentation site: where each comes from, and where its links lead.

Most pages are Markdown files of the repository, and their links lead to files of the repository. `write` copies them
into a folder for Sphinx. There a link to another page leads to that page, and a link to any other file to the
repository's address.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import reference

import gramy
from gramy.text import LANGUAGES

ROOT = Path(__file__).parent.parent.parent
RENAMED = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "training/README.md": "training.md",
    "docs/decisions/README.md": "decisions/index.md",
    **{
        f"src/gramy/text/{language}/rules/{game}.md": f"rules/{language}/{game}.md"
        for language in LANGUAGES
        for game in gramy.GAMES
    },
}
"""Pages whose place on the site differs from their place in docs/."""

ADDED = {"docs/decisions/README.md": "\n```{toctree}\n:hidden:\n:glob:\n\n0*\n```\n"}
"""What Sphinx needs at the end of a page and a reader of the repository does not."""

FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2`*~*$", re.MULTILINE | re.DOTALL)
DRAWN = re.compile(r"^!\[[^\]]*\]\(cards:[^)]*\)\n\n?", re.MULTILINE)
"""A figure that the browser client draws. Here it is left out, as in the terminal."""

LINK = re.compile(r"(\]\()([^)\s]+)(\))")
SCHEME = re.compile(r"[a-z][a-z+.-]*:")


def sources() -> dict[str, str]:
    """Return the place on the site of every file that it is made of, by its path in the repository."""
    found = dict(RENAMED)
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT).as_posix()
        found.setdefault(name, name.removeprefix("docs/").removeprefix("site/"))
    return found


def repository() -> str:
    """Return the address of the repository's files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['urls']['Repository']}/blob/main/"


def write(folder: Path) -> None:
    """Write all pages, their pictures and the pages of the reference into a new folder."""
    places, address = sources(), repository()
    shutil.rmtree(folder, ignore_errors=True)
    for name, place in places.items():
        text = DRAWN.sub("", (ROOT / name).read_text(encoding="utf-8"))
        shown = {picture: picture.removeprefix("docs/") for picture in pictures(name, text)}
        for picture, copied in shown.items():
            copy(ROOT / picture, folder / copied)
        put(folder / place, relinked(text, name, places | shown, address) + ADDED.get(name, ""))
    for place, text in reference.pages():
        put(folder / place, text)


def put(path: Path, text: str) -> None:
    """Write a page, and the folder that it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy(source: Path, target: Path) -> None:
    """Copy a file, and make the folder that it goes to."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def pictures(name: str, text: str) -> Iterator[str]:
    """Yield the pictures of a page, by their paths in the repository."""
    for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text):
        if not SCHEME.match(target):
            yield resolved(name, target)


def relinked(text: str, name: str, places: Mapping[str, str], address: str) -> str:
    """Return a page with links that lead to pages of the site or to the repository; code stays as it is."""
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        code = re.sub(r"\n\n( *[`~]+)$", r"\n\1", fence.group())  # doctest needs the empty line, a page does not
        parts += [_linked(text[end : fence.start()], name, places, address), code]
        end = fence.end()
    return "".join([*parts, _linked(text[end:], name, places, address)])


def _linked(prose: str, name: str, places: Mapping[str, str], address: str) -> str:
    return LINK.sub(lambda link: link[1] + _target(link[2], name, places, address) + link[3], prose)


def _target(link: str, name: str, places: Mapping[str, str], address: str) -> str:
    """Return where a link of a page leads on the site."""
    path, mark, anchor = link.removeprefix(address).partition("#")
    if not path or SCHEME.match(path):
        return link
    wanted = path if link.startswith(address) else resolved(name, path)
    if wanted in places:
        folder = PurePosixPath(places[name]).parent
        return os.path.relpath(places[wanted], folder).replace(os.sep, "/") + mark + anchor
    return f"{address}{wanted}{mark}{anchor}"


def resolved(name: str, link: str) -> str:
    """Return the path in the repository that a relative link of a page leads to."""
    return os.path.normpath(PurePosixPath(name).parent / link).replace(os.sep, "/")
