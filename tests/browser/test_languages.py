"""Polish, German and English: lobby, board and reasons change at once, and numbers take the right form."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import violations
from tests.browser.players import edge
from tests.browser.serving import Server
from tests.browser.test_company import lay, two_at_a_duel
from tests.browser.visitors import Visitors, join, on_turn, open_table, words

DUEL = "face-to-face"
TEAM = "quick-easy"
COLOUR_OF = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "S": "grey"}
FREE_SEATS = {
    "en": {5: "5 free seats", 2: "2 free seats", 1: "1 free seat"},
    "pl": {5: "5 wolnych miejsc", 2: "2 wolne miejsca", 1: "1 wolne miejsce"},
    "de": {5: "5 freie Plätze", 2: "2 freie Plätze", 1: "1 freier Platz"},
}


@pytest.fixture
def server(fresh_server: Server) -> Server:
    return fresh_server


def speak(page: Page, language: str, now: str = "en") -> None:
    page.get_by_label(words("language", now)).select_option(language)
    page.wait_for_function("language => document.documentElement.lang === language", arg=language)


@pytest.mark.parametrize("language", ["pl", "de"])
def test_switching_the_language_changes_lobby_board_and_reasons(visitors: Visitors, language: str) -> None:
    _, page, _ = two_at_a_duel(visitors)
    expect(page.locator("[data-button=end]")).to_contain_text(words("board_owe", "en", DUEL, missing=2))
    speak(page, language)
    expect(page.locator("[data-button=end]")).to_contain_text(words("board_owe", language, DUEL, missing=2))
    expect(page.locator(".prompt")).to_have_text(words("board_lay", language, DUEL, missing=2))
    expect(page.get_by_role("group", name=words("board_hand", language, DUEL))).to_be_visible()
    expect(page.locator(".beside .log-line").first).not_to_contain_text("starts")

    card = page.locator("[data-card]").first
    card.click(position=edge(card))
    refused = page.locator("[data-pile=help-up]")
    expect(refused).to_contain_text(words("board_why_nothing_to_improve", language, DUEL))
    refused.click(force=True)
    expect(page.locator(".note")).to_contain_text(words("nothing_to_improve", language, DUEL))

    page.get_by_role("link", name=words("home", language)).click()
    expect(page.locator("h1")).to_have_text(words("tagline", language))
    expect(page.get_by_role("button", name=words("play_now", language)).first).to_be_visible()
    assert violations(page) == []
    page.reload()  # the choice is remembered
    expect(page.locator("h1")).to_have_text(words("tagline", language))


def test_numbers_take_the_form_that_each_language_gives_them(visitors: Visitors) -> None:
    host = visitors.arrive(None)
    table = open_table(host, "gra", [None] * 6)
    guest = visitors.arrive(None)
    now = "en"
    for free in (5, 4, 3, 2, 1):
        for language, seats in FREE_SEATS.items():
            if free in seats:
                speak(host, language, now)
                now = language
                expect(host.locator("h2 .chip")).to_have_text(seats[free])
        if free > 1:
            join(guest, table)


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_card_is_announced_by_its_colour_and_number(visitors: Visitors, language: str) -> None:
    ada, bo = visitors.arrive(None, locale=language), visitors.arrive(None, locale=language)
    table = open_table(ada, TEAM, [None, None])
    join(bo, table)
    bo.goto(f"/t/{table}")
    laying, listening = on_turn(ada, bo)
    card, pile = lay(laying)
    named = words("board_card_laid", language, TEAM, colour=COLOUR_OF[card[0]], number=int(card[1:]))
    seat = [ada, bo].index(laying)
    sentence = words("laid", language, TEAM, ["Ada", "Bo"], seat=seat, card=named, on=pile)
    expect(listening.locator("#announcements")).to_have_text(sentence)
    expect(listening.locator(".beside .log-line").last).to_contain_text(named)


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_card_taken_back_is_named_in_words(visitors: Visitors, language: str) -> None:
    _, laying, watching = two_at_a_duel(visitors)
    speak(watching, language)
    card, pile = lay(laying)
    expect(watching.locator(".beside .log-line").last).to_contain_text(card)
    laying.locator("[data-button=undo]").click()
    move = words(f"board_move_{pile}", language, DUEL, card=card)
    expect(watching.locator(".beside .log-line").last).to_contain_text(move)
    expect(watching.locator("#announcements")).to_contain_text(move)
