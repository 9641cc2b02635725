"""What a screen reader hears and reads: cards, bids and moves in words, in every language, and never a card's code."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.listening import CODE, LISTEN, codes
from tests.browser.players import edge
from tests.browser.test_multiplayer import lay, open_duel
from tests.browser.users import BOT, BY_LOT, Users, finish, hand, in_turn_order, join, open_table, text_of

LANGUAGES = ("en", "pl", "de")
DUEL, TEAM = "face-to-face", "quick-easy"
COLOUR_OF = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "S": "grey"}


def card_text(card: str, language: str, key: str = "board_card") -> str:
    """Return a card of Quick & Easy in words: "G3" is "green 3"."""
    return text_of(key, language, TEAM, colour=COLOUR_OF[card[0]], number=int(card[1:]))


def refused_card(page: Page) -> tuple[str, str] | None:
    """Pick a card that a pile refuses; return both, or None if there is no such card now."""
    for name in hand(page):
        card = page.locator(f'[data-card="{name}"]')
        card.click(position=edge(card))
        expect(card).to_have_attribute("aria-pressed", "true")
        closed = page.locator(".pile.closed")
        if closed.count():
            return name, closed.first.get_attribute("data-pile") or ""
    page.keyboard.press("Escape")
    return None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_names_the_cards_in_words(users: Users, language: str) -> None:
    pages = [users.open_page(None, locale=language) for _ in range(2)]
    table = open_table(pages[0], TEAM, [None, None], options={**BY_LOT, "players": "2"})
    join(pages[1], table)
    pages[1].goto(f"/t/{table}")
    while True:
        page, _ = in_turn_order(*pages)
        picked = refused_card(page)
        if picked or page.locator("#result").count():
            break
        lay(page)
        page.locator("[data-button=end][aria-disabled=false]").click()
        page.wait_for_function("() => !document.querySelector('.table-page.my-turn')")
    assert picked, "the match ended before a pile refused a card"
    card, pile = picked
    page.locator(f"[data-pile={pile}]").click(force=True)
    note = page.locator(".note.refused")
    expect(note).to_contain_text(card_text(card, language))
    expect(page.locator("#announcements")).to_contain_text(card_text(card, language))
    assert not re.search(CODE, note.inner_text())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_laid_and_taken_back_is_named_in_words(users: Users, language: str) -> None:
    ada, bo = users.open_page(None, locale=language), users.open_page(None, locale=language)
    table = open_table(ada, TEAM, [None, None], options={**BY_LOT, "players": "2"})
    join(bo, table)
    bo.goto(f"/t/{table}")
    laying, watching = in_turn_order(ada, bo)
    card, pile = lay(laying)
    named = card_text(card, language, "board_card_laid")
    seat = [ada, bo].index(laying)
    laid = text_of("laid", language, TEAM, ["Ada", "Bo"], seat=seat, card=named, on=pile)
    expect(watching.locator("#announcements")).to_have_text(laid)
    expect(watching.locator(".beside .log-line").last).to_contain_text(named)
    laying.locator("[data-button=undo]").click()
    undone = text_of(f"board_undone_{pile}", language, TEAM, ["Ada", "Bo"], seat=seat, card=named)
    expect(watching.locator("#announcements")).to_have_text(undone)
    expect(watching.locator(".beside .log-line").last).to_contain_text(named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_taken_back_is_named_in_words(users: Users, language: str) -> None:
    _, laying, watching = open_duel(users)
    watching.get_by_label(text_of("language")).select_option(language)
    watching.wait_for_function("language => document.documentElement.lang === language", arg=language)
    card, pile = lay(laying)
    expect(watching.locator("#announcements")).to_contain_text(card)  # sentences of the same moment are joined
    laying.locator("[data-button=undo]").click()
    own_seat_first = watching.locator(".seat").first.evaluate("one => one.classList.contains('you')")
    undone = text_of(f"board_undone_{pile}", language, DUEL, ["Ada", "Bo"], seat=int(own_seat_first), card=card)
    expect(watching.locator(".beside .log-line").last).to_contain_text(undone)
    expect(watching.locator("#announcements")).to_have_text(undone)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_announces_cards_in_words_and_names_open_hands(users: Users, language: str) -> None:
    page = users.open_page(None, locale=language)
    table = open_table(page, TEAM, [None, BOT], options={**BY_LOT, "players": "2"})
    page.locator("[data-card]").first.wait_for()
    finish(page, table)
    page.goto(f"/replay/{table}/1#3")
    page.get_by_role("slider").wait_for()
    page.locator(".backs.open").wait_for()
    page.evaluate(LISTEN)
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    lines = 0
    for step in range(4, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("slider")).to_have_value(str(step))
        current = page.locator(".log-line[aria-current] button")
        if current.locator(".inline-card").count():
            named = current.locator(".sr").first.inner_text()
            page.wait_for_function("words => window.announced.some((one) => one.includes(words))", arg=named)
            lines += 1
    assert lines
    assert codes(page) == []
    page.goto(f"/replay/{table}/1#3")
    page.locator(".backs.open").wait_for()
    own = {card_text(card, language) for card in hand(page)}
    others = {one.strip() for one in page.locator(".backs.open .sr").all_inner_texts()}
    possible = {card_text(f"{letter}{number}", language) for letter in COLOUR_OF for number in range(1, 11)}
    assert len(others & possible) == 2
    assert not own & others
