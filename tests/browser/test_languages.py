"""The language can be changed at any time, and sentences use the right plural forms."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.players import edge
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import Users, join, open_table, text_of

DUEL = "face-to-face"
WITH_BOTS = {
    "en": {5: "with 5 bots", 2: "with 2 bots", 1: "with 1 bot"},
    "pl": {5: "z 5 botami", 2: "z 2 botami", 1: "z 1 botem"},
    "de": {5: "mit 5 Bots", 2: "mit 2 Bots", 1: "mit 1 Bot"},
}


def choose_language(page: Page, language: str, now: str = "en") -> None:
    page.get_by_label(text_of("language", now)).select_option(language)
    page.wait_for_function("language => document.documentElement.lang === language", arg=language)


@pytest.mark.parametrize("language", ["pl", "de"])
def test_changing_the_language_changes_lobby_board_and_refusals(users: Users, language: str) -> None:
    _, page, _ = open_duel(users)
    expect(page.locator("[data-button=end]")).to_contain_text(text_of("board_owe", "en", DUEL, missing=2))
    choose_language(page, language)
    expect(page.locator("[data-button=end]")).to_contain_text(text_of("board_owe", language, DUEL, missing=2))
    expect(page.locator(".prompt")).to_have_text(text_of("board_lay", language, DUEL, missing=2))
    expect(page.get_by_role("group", name=text_of("board_hand", language, DUEL))).to_be_visible()
    expect(page.locator(".beside .log-line").first).not_to_contain_text("starts")

    card = page.locator("[data-card]").first
    card.click(position=edge(card))
    refused = page.locator("[data-pile=help-up]")
    expect(refused).to_contain_text(text_of("board_why_nothing_to_improve", language, DUEL))
    refused.click(force=True)
    expect(page.locator(".note")).to_contain_text(text_of("nothing_to_improve", language, DUEL))

    page.get_by_role("link", name=text_of("home", language)).click()
    expect(page.locator("h1")).to_have_text(text_of("tagline", language))
    expect(page.get_by_role("button", name=text_of("play_now", language)).first).to_be_visible()
    assert violations(page) == []
    page.reload()  # the choice is saved
    expect(page.locator("h1")).to_have_text(text_of("tagline", language))


def test_each_language_uses_its_plural_forms(users: Users) -> None:
    host = users.open_page(None)
    table = open_table(host, "gra", [None] * 6)
    guest = users.open_page(None)
    now = "en"
    for free in (5, 4, 3, 2, 1):
        for language, seats in WITH_BOTS.items():
            if free in seats:
                choose_language(host, language, now)
                now = language
                expect(host.locator(".room-start small").first).to_have_text(seats[free])
        if free > 1:
            join(guest, table, another_seat=True)
