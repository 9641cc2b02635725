"""No screen violates an accessibility rule, in the dark and in the light theme."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.players import BID, CHECK, CONFIRM, LIVE_CARD, REVEAL, edge
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import BOT, PHONE, Users, finish, my_turn, open_table, text_of, title

GAMES = ("face-to-face", "quick-easy", "gra")


def close_sheet(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_lobby_its_settings_and_the_form_that_opens_a_table(users: Users) -> None:
    page = users.open_page("/")
    page.get_by_role("button", name=text_of("play_now")).first.wait_for()
    assert violations(page) == []
    page.get_by_role("button", name=text_of("settings")).click()
    assert violations(page) == []
    close_sheet(page)
    for game in GAMES:
        page.get_by_role("button", name=f"{text_of('open_table')}: {title(game)}").click()
        page.locator("dialog[open] form").wait_for()
        assert violations(page, *(() if game == "gra" else ("dark",))) == []
        close_sheet(page)


def test_the_invitation_for_the_host_and_for_a_guest(users: Users) -> None:
    host = users.open_page(None)
    table = open_table(host, "gra", [None, None, BOT])
    host.get_by_label(text_of("invite"), exact=True).wait_for()
    assert violations(host) == []
    guest = users.open_page(f"/t/{table}")
    guest.get_by_role("button", name=text_of("sit_down"), exact=True).wait_for()
    assert violations(guest) == []


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["face-to-face", "quick-easy"])
def test_a_card_board_on_the_users_turn(users: Users, game: str, viewport: dict[str, int] | None) -> None:
    page = users.open_page(None, **({"viewport": viewport} if viewport else {}))
    open_table(page, game, [None, BOT])
    page.locator(".table-page.my-turn").wait_for()
    assert violations(page) == []
    card = page.locator(LIVE_CARD).first
    card.click(position=edge(card))
    page.locator(".pile.open").first.wait_for()
    assert violations(page) == []


def test_the_board_of_gra_while_choosing_bidding_and_revealing(users: Users) -> None:
    page = users.open_page(None)
    open_table(page, "gra", [None, BOT, BOT], options={"players": "3", "jokers": "on"})
    page.locator(CONFIRM).wait_for()
    assert violations(page) == []
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}, {REVEAL}").first.wait_for()
    if page.locator(REVEAL).count() == 0:
        assert violations(page) == []
        page.locator(f"{BID}, {CHECK}").last.click()
    page.locator(f"{REVEAL} .gra-truth, {BID}, {CHECK}, {CONFIRM}[aria-disabled=false]").first.wait_for()
    assert violations(page) == []


def test_the_sheets_of_a_table(users: Users) -> None:
    page = users.open_page(None)
    open_table(page, "quick-easy", [None, BOT])
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    page.locator("dialog[open]").wait_for()
    assert violations(page) == []
    close_sheet(page)
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    assert violations(page, "light") == []
    close_sheet(page)
    page.locator(".phrasebook button").first.click()
    page.locator(".phrases button").first.wait_for()
    assert violations(page) == []


def test_the_log_on_a_phone(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    open_table(page, "quick-easy", [None, BOT])
    page.get_by_role("button", name=text_of("log"), exact=True).click()
    page.locator("dialog[open] .log-line").first.wait_for()
    assert violations(page, "light") == []


@pytest.mark.parametrize("game", GAMES)
def test_a_result_and_a_replay(users: Users, game: str) -> None:
    page = users.open_page(None)
    table = open_table(page, game, [None, BOT])
    page.locator(".beside .log-line").first.wait_for(state="attached")
    finish(page, table)
    page.locator("#result").wait_for()
    assert violations(page) == []
    page.get_by_role("link", name=text_of("to_replay")).click()
    page.locator(".scrubber").wait_for()
    page.keyboard.press("End")
    assert violations(page) == []


def test_the_rules_and_a_missing_table(users: Users) -> None:
    users.allow("404")
    page = users.open_page("/rules/gra")
    page.locator("article h1").wait_for()
    assert violations(page) == []
    page.goto("/t/nowhere")
    expect(page.locator("h1")).to_have_text(text_of("table_missing"))
    assert violations(page) == []


def test_a_player_who_is_away(users: Users) -> None:
    _, first, second = open_duel(users)
    assert my_turn(first)
    first.context.close()
    expect(second.locator(".seat.gone")).to_be_visible()
    assert violations(second) == []
