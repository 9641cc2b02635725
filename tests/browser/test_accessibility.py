"""No screen violates an accessibility rule, in both themes; with `make browser` in three languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations_in_every_language as violations
from tests.browser.players import BID, CHECK, CONFIRM, LIVE_CARD, REVEAL, edge
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import BOT, PHONE, Users, finish, join, my_turn, open_table, text_of, title

GAMES = ("face-to-face", "quick-easy", "gra")


def close_sheet(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_lobby_its_settings_and_the_form_that_opens_a_table(users: Users) -> None:
    page = users.open_page("/")
    page.get_by_role("button", name=text_of("play_now")).first.wait_for()
    assert violations(page) == []
    page.get_by_role("button", name=text_of("settings")).click()
    page.locator("dialog[open]").wait_for()
    assert violations(page) == []
    close_sheet(page)
    for game in GAMES:
        page.get_by_role("button", name=f"{text_of('open_table')}: {title(game)}").click()
        page.locator("dialog[open] form").wait_for()
        assert violations(page) == []
        close_sheet(page)
        page.locator(f"[data-game={game}] .play-settings").click()
        page.locator("dialog[open] form").wait_for()
        assert violations(page) == []
        close_sheet(page)


def test_the_invitation_and_the_waiting_room(users: Users) -> None:
    host = users.open_page(None)
    table = open_table(host, "gra", [None, None, None, BOT], options={"players": "4"})
    host.get_by_label(text_of("invite"), exact=True).wait_for()
    assert violations(host) == []
    guest = users.open_page(f"/t/{table}", viewport=PHONE)
    guest.get_by_role("button", name=text_of("sit_down"), exact=True).wait_for()
    assert violations(guest) == []
    guest.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    guest.get_by_role("button", name=text_of("rename")).click()
    assert violations(guest) == []
    host.get_by_role("button", name=text_of("room_settings")).click()
    host.locator("dialog[open] form").wait_for()
    assert violations(host) == []
    close_sheet(host)
    host.locator(".waiting-actions .tool").first.click()
    host.locator("dialog[open]").wait_for()
    assert violations(host) == []


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


@pytest.mark.parametrize("game", ["quick-easy", "gra"])
def test_a_table_whose_players_agree_on_who_starts(users: Users, game: str) -> None:
    ada, bo = users.open_page(None), users.open_page(None, viewport=PHONE)
    table = open_table(ada, game, [None, None], options={"players": "2", "starter": "agreed"})  # no bot takes the start
    join(bo, table)
    bo.goto(f"/t/{table}")
    for page in (ada, bo):
        page.get_by_role("button", name=text_of("board_start", "en", game)).wait_for()
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
    # A reveal hides the table of the next round, which may have begun.
    page.locator(f"{REVEAL} .gra-truth, {BID}, {CHECK}, {CONFIRM}[aria-disabled=false]").filter(
        visible=True
    ).first.wait_for()
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
    assert violations(page) == []
    close_sheet(page)
    page.locator(".phrasebook button").first.click()
    page.locator(".phrases button").first.wait_for()
    assert violations(page) == []


def test_the_log_on_a_phone(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    open_table(page, "quick-easy", [None, BOT])
    page.get_by_role("button", name=text_of("log"), exact=True).click()
    page.locator("dialog[open] .log-line").first.wait_for()
    assert violations(page) == []


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
    page.get_by_role("button", name=text_of("copy_link")).click()
    page.locator("dialog[open]").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_the_lesson_and_the_keys(users: Users, game: str) -> None:
    page = users.open_page(f"/rules/{game}")
    page.locator("article h1").wait_for()
    for part in page.locator("article summary").all():
        part.click()
    assert violations(page) == []
    page.goto(f"/learn/{game}")
    page.locator(".teacher").wait_for()
    assert violations(page) == []
    open_table(page, game, [None, BOT])
    page.locator(".table-page.my-turn").wait_for()
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    assert violations(page) == []


def test_pages_that_say_what_is_missing_and_how_cards_are_dealt(users: Users) -> None:
    users.allow("404")
    page = users.open_page("/fairness")
    page.locator("article h1").wait_for()
    assert violations(page) == []
    for path in ("/nonsense", "/record", "/replay/nowhere/1"):
        page.goto(path)
        page.locator(".notice-page h1").wait_for()
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
