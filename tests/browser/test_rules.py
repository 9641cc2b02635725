"""The rules pages: figures with captions in every language, and parts that are folded until somebody wants them."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from gramy import text
from tests.browser.accessibility import violations
from tests.browser.users import PHONE, Users

GAMES = ("face-to-face", "quick-easy", "gra")
FOLDED = 4  # options, decisions, how it works here, examples


@pytest.mark.parametrize(("game", "language"), [*zip(GAMES, text.LANGUAGES, strict=True)])
def test_figures_are_drawn_and_the_page_is_short_on_a_phone(users: Users, game: str, language: str) -> None:
    page = users.open_page(f"/rules/{game}", viewport=PHONE, locale=language)
    cards = page.locator("article figure .figure-group > span > *")
    cards.first.wait_for()
    figures = page.locator("article figure")
    assert figures.count() >= 2
    assert figures.locator(".figure-cards:empty").count() == 0
    assert all(figures.locator("figcaption").all_inner_texts())
    assert all(box["width"] > 0 and box["x"] + box["width"] <= PHONE["width"] for box in map(_box, cards.all()))
    assert page.evaluate("document.documentElement.scrollHeight") < 5500
    assert violations(page) == []


def test_a_folded_part_opens_by_its_link_and_by_a_press(users: Users) -> None:
    page = users.open_page("/rules/gra", viewport=PHONE)
    parts = page.locator("article details")
    expect(parts).to_have_count(FOLDED)
    page.locator(".rules-parts a").last.click()
    expect(parts.last).to_have_attribute("open", "")
    expect(parts.last.locator("table").first).to_be_visible()
    parts.first.locator("summary").click()
    expect(parts.first.locator("p, ul").first).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("language", text.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_terminal_gets_the_page_without_figures(game: str, language: str) -> None:
    assert "](cards:" in text.illustrated_page(game, language)
    page = text.family_page(game, language)
    assert "](cards:" not in page
    assert "![" not in page
    assert "\n\n\n" not in page


def _box(card: Locator) -> FloatRect:
    found = card.bounding_box()
    assert found is not None
    return found
