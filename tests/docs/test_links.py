"""Every link in a Markdown page leads to a file and a heading that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.markdown import SCHEME, anchors, links, name, pages

ADDRESS = re.compile(r"(https?://[a-z0-9.-]+\.[a-z]+(:\d+)?(/[^\s<>\"]*)?|mailto:[^@\s]+@[^@\s]+|cards:[^\s]+)")
"""The form of an address; `cards:` is a row of cards in the rules, which the client draws."""


@pytest.mark.parametrize("page", pages(), ids=name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert [link for link in links(page) if not leads_somewhere(page, link)] == []


def leads_somewhere(page: Path, link: str) -> bool:
    """Return whether a link leads to a file and a heading of ours. Of an address only the form is checked."""
    if SCHEME.match(link):
        return ADDRESS.fullmatch(link) is not None
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return False
    return not anchor or (target.suffix == ".md" and anchor in anchors(target))
