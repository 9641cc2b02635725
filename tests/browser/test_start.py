"""Who starts: everybody sees the question, may talk about it, and takes the start by a button or a key."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.accessibility import violations
from tests.browser.users import PHONE, Users, join, open_table, text_of

AGREED = {"starter": "agreed"}
START = "[data-button=start]"


def seated(
    users: Users, game: str, language: str = "en", size: ViewportSize = PHONE, **options: str
) -> tuple[Page, Page]:
    """Seat two people at a table whose cards are dealt, and where nobody has started."""
    ada, bo = (users.open_page(None, locale=language, viewport=size) for _ in range(2))
    table = open_table(ada, game, [None, None], options={**AGREED, **options})
    join(bo, table)
    bo.goto(f"/t/{table}")
    for page in (ada, bo):
        expect(page.locator(START)).to_be_visible()
    return ada, bo


@pytest.mark.parametrize(
    ("game", "language"), [("quick-easy", "en"), ("gra", "en"), ("quick-easy", "pl"), ("gra", "de")]
)
def test_the_first_who_presses_the_button_starts_and_the_others_are_told(
    users: Users, game: str, language: str
) -> None:
    ada, bo = seated(users, game, language)
    for page in (ada, bo):
        expect(page.locator(START)).to_have_text(text_of("board_start", language, game))
        expect(page.get_by_text(text_of("board_start_prompt", language, game)).first).to_be_visible()
    bo.locator(START).click()
    told = text_of("starts", language, "", ("Ada", "Bo"), seat=1)
    expect(ada.get_by_role("status").filter(has_text=told)).to_have_count(1)
    for page in (ada, bo):
        expect(page.locator(START)).to_have_count(0)
        page.keyboard.press("l")
        expect(page.locator(".log-line:visible", has_text=told).first).to_be_visible()


@pytest.mark.parametrize("game", ["quick-easy", "gra"])
def test_the_key_s_takes_the_start(users: Users, game: str) -> None:
    ada, bo = seated(users, game)
    assert violations(ada) == []
    ada.keyboard.press("s")
    for page in (ada, bo):
        expect(page.locator(START)).to_have_count(0)


def test_in_quick_easy_the_team_talks_before_the_start_and_no_card_is_laid(users: Users) -> None:
    ada, bo = seated(users, "quick-easy")
    ada.locator("[data-about]").first.click()
    ada.locator(".phrases button").first.click()
    said = ada.locator("[data-button=say], .beside .log-line.own").first
    said.wait_for(state="attached")  # a phone hides the log
    if ada.locator("[data-button=say]").count():  # the phrase is not true of this hand
        ada.locator("[data-button=say]").click()
    expect(bo.locator(".partner .bubbles")).not_to_be_empty()
    card = ada.locator("[data-card]").first
    card.click()
    ada.locator("[data-pile=up]").click(force=True)
    expect(ada.locator(".note.refused")).to_have_text(text_of("start_first", scope="quick-easy"))
    expect(ada.locator(START)).to_be_visible()
    bo.locator(START).click()
    expect(ada.locator("[data-button=end]")).to_be_visible()
    expect(ada.locator(".note.refused")).to_have_count(0)  # the refusal has gone


def test_in_quick_easy_a_card_that_fits_nowhere_is_not_asked_for_a_pile_and_spectators_see_all_names(
    users: Users,
) -> None:
    ada, _ = seated(users, "quick-easy", pro="on")
    ada.locator(START).click()
    ada.locator("[data-card]").first.click()
    ada.locator("[data-pile=up]").click()
    expect(ada.locator("[data-card]")).to_have_count(1)
    ada.locator("[data-card]").click()
    expect(ada.locator(".note")).to_contain_text(text_of("board_fits_nowhere", scope="quick-easy"))
    spectator = users.open_page(ada.url)
    expect(spectator.locator(".note .name")).to_have_text("Ada")
    expect(spectator.locator(".partner .name")).to_have_text("Bo")


@pytest.mark.parametrize("language", ["en", "pl", "de"])
@pytest.mark.parametrize("game", ["quick-easy", "gra"])
def test_on_the_smallest_phone_the_whole_button_is_in_sight(users: Users, game: str, language: str) -> None:
    ada, _ = seated(users, game, language, {"width": 320, "height": 568})
    expect(ada.locator(START)).to_be_in_viewport(ratio=1)
