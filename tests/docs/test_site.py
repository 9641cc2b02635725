"""The documentation site: it builds without a warning, has every page and every public name, and loads nothing."""

from __future__ import annotations

import re
import sys
import zlib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import gramy
from tests.docs.markdown import ROOT, SCHEME


class Page(HTMLParser):
    """The ids, the links and the loaded files of a page, and its language."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.language = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found["id"]} if "id" in found else set()
        if tag == "html":
            self.language = found["lang"]
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag in ("script", "link", "img", "iframe"):
            self.loaded += [found[name] for name in ("src", "href") if name in found]


@cache
def read(path: Path) -> Page:
    return Page(path)


@pytest.fixture
def html(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


@pytest.fixture
def objects(site: Path) -> set[str]:
    """Return the names that the reference describes, from the list that Sphinx publishes for other sites."""
    head, _, packed = (site / "objects.inv").read_bytes().partition(b"using zlib.\n")
    assert head
    return {line.split()[0] for line in zlib.decompress(packed).decode().splitlines() if " py:" in line}


@pytest.fixture(scope="module")
def reference() -> Any:
    """Return the module that lists what is public."""
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    try:
        import reference
    finally:
        sys.path.pop(0)
    return reference


def test_every_link_within_the_site_leads_to_a_page_and_a_place_on_it(site: Path, html: list[Path]) -> None:
    broken = []
    for page in html:
        for link in read(page).links:
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            if not SCHEME.match(link) and (not target.is_file() or (anchor and anchor not in read(target).ids)):
                broken.append(f"{page.relative_to(site)}: {link}")
    assert len(html) > 80
    assert broken == []


def test_a_page_loads_only_files_of_the_site(site: Path, html: list[Path]) -> None:
    loaded = {(page, link.partition("?")[0]) for page in html for link in read(page).loaded if link != "#"}
    assert [f"{page.relative_to(site)}: {link}" for page, link in loaded if not (page.parent / link).is_file()] == []
    imported = [
        style for style in site.rglob("*.css") if re.search(r"@import|url\(['\"]?(https?:)?//", style.read_text())
    ]
    assert imported == []


def test_the_reference_describes_every_public_name(objects: set[str], reference: Any) -> None:
    assert "gramy" in reference.MODULES["Playing"]
    missing = [name.full for _, names in reference.listed() for name in names if name.full not in objects]
    assert missing == []


def test_a_page_of_the_reference_names_everything_that_its_module_offers(site: Path, reference: Any) -> None:
    for module, names in reference.listed():
        text = re.sub(r"<[^>]+>", "", (site / "reference" / f"{module}.html").read_text(encoding="utf-8"))
        assert [name.short for name in names if not re.search(rf"\b{name.short}\b", text)] == [], module
    text = re.sub(r"<[^>]+>", "", (site / "reference" / "gramy.html").read_text(encoding="utf-8"))
    assert [name for name in gramy.__all__ if name not in text] == []


def test_docstrings_are_shown_as_they_were_written(site: Path, html: list[Path]) -> None:
    pages = [page for page in html if page.parent.name == "reference"]
    assert [
        page.name for page in pages if re.search(r"Alias for field|problematic|system-message", page.read_text())
    ] == []
    tree = (site / "reference" / "gramy.errors.html").read_text(encoding="utf-8")
    assert "├── UnknownLanguage" in tree


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_rules_pages_have_their_own_language(site: Path, language: str) -> None:
    assert {read(page).language for page in (site / "rules" / language).glob("*.html")} == {language}
    assert read(site / "index.html").language == "en"


def test_the_search_finds_a_word_in_every_language(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    for page in ("rules/pl/gra", "rules/de/gra", "reference/gramy.batch", "tutorials/first-bot", "decisions/index"):
        assert f'"{page}"' in index
