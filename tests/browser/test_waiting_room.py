"""The waiting room: people, bots and settings are arranged in browsers, and everybody is told."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.users import BOT, DESK, PHONE, Users, join, open_table, text_of, title

pytestmark = pytest.mark.usefixtures("server")


def seat(page: Page, number: int) -> object:
    return page.locator(".waiting-seats li").nth(number)


def enter(users: Users, table: str, name: str, **about: object) -> Page:
    """Open the invitation as a new user, and join under a name."""
    page = users.open_page(f"/t/{table}", **about)
    page.get_by_label(text_of("nickname")).fill(name)
    page.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    expect(page.locator(".waiting-seats .person", has_text=name)).to_contain_text(text_of("you"))
    return page


def news(page: Page) -> object:
    return page.locator(".room-news")


def test_four_browsers_arrange_a_table_and_play(users: Users) -> None:
    """Ada opens a table for five, two guests come, one of them leaves, and a third one takes the table over."""
    ada = users.open_page(None, viewport=DESK)
    table = open_table(ada, "gra", [None] * 5)
    bo = enter(users, table, "Bo", viewport=PHONE)
    expect(news(ada)).to_contain_text(text_of("room_joined", name="Bo"))
    cy = enter(users, table, "Cy", viewport=PHONE, color_scheme="light")
    expect(ada.locator(".waiting-seats .person")).to_have_count(3)

    # One closes the page: everybody sees since when they are away, and their seat can be freed.
    bo.close()
    expect(seat(ada, 1)).to_contain_text(re.compile(text_of("away_since", time=r"\d+:\d\d")))
    expect(seat(cy, 1)).to_contain_text(re.compile(text_of("away_since", time=r"\d+:\d\d")))
    ada.get_by_role("button", name=text_of("player_options", name="Bo")).click()
    ada.get_by_role("button", name=text_of("free_seat"), exact=True).click()
    expect(seat(ada, 1)).to_contain_text(text_of("open_seat"))
    expect(news(cy)).to_contain_text(text_of("room_left", name="Bo"))

    # A bot is added, changed, taken out and added again.
    free = text_of("seat_label", number=2)
    ada.get_by_role("button", name=f"{text_of('bot_add')}: {free}").click()
    level = ada.locator(".waiting-seats").get_by_role("combobox")
    level.select_option("hard")
    expect(seat(cy, 1)).to_contain_text(text_of("bot_level", level="hard"))
    name = seat(ada, 1).locator("b").inner_text()
    ada.get_by_role("button", name=text_of("bot_remove", name=name)).click()
    expect(seat(cy, 1)).to_contain_text(text_of("open_seat"))
    ada.get_by_role("button", name=f"{text_of('bot_add')}: {free}").click()
    expect(seat(cy, 1)).to_contain_text(text_of("bot_level", level="hard"))

    # A fourth browser joins; then a variant, the clock and the number of players are changed, and all are told.
    dan = enter(users, table, "Dan")
    ada.get_by_role("button", name=text_of("room_settings"), exact=True).click()
    sheet = ada.get_by_role("dialog", name=text_of("room_settings_title"))
    sheet.get_by_text("4", exact=True).click()
    sheet.get_by_role("switch", name=text_of("variant", option="jokers")).click()
    sheet.get_by_text(text_of("clock_value", minutes=5, seconds=10)).click()
    sheet.get_by_role("button", name=text_of("room_save"), exact=True).click()
    expect(sheet).to_have_count(0)
    for page in (ada, cy, dan):
        expect(news(page)).to_contain_text(text_of("variant", option="jokers"))
        expect(page.locator(".waiting-seats li")).to_have_count(4)
        expect(page.locator(".variants-on")).to_contain_text(text_of("clock_value", minutes=5, seconds=10))
    expect(seat(dan, 3)).to_contain_text(text_of("you"))  # the free seat before them is gone

    # The table is full by a change of the settings, so it waits. Ada hands it over, and Cy starts.
    expect(cy.get_by_text(text_of("room_full", name="Ada"))).to_be_visible()
    ada.get_by_role("button", name=text_of("player_options", name="Cy")).click()
    ada.get_by_role("button", name=text_of("hand_over"), exact=True).click()
    expect(news(cy)).to_contain_text(text_of("room_runs_you"))
    expect(news(dan)).to_contain_text(text_of("room_runs", name="Cy"))
    expect(ada.get_by_role("button", name=re.compile(text_of("start_now")))).to_have_count(0)
    cy.get_by_role("button", name=re.compile(text_of("start_now"))).click()
    for page in (ada, cy, dan):
        expect(page.locator(".gra-card").first).to_be_visible()
        expect(page.locator(".in-force")).to_contain_text(text_of("variant", option="jokers"))


def test_on_a_phone_the_invitation_is_in_sight_before_anybody_has_come(users: Users) -> None:
    ada = users.open_page(None, viewport=PHONE, locale="de")
    open_table(ada, "quick-easy", [None] * 4)
    expect(ada.locator(".link-row .button").first).to_be_in_viewport(ratio=1)


def test_a_start_says_with_whom_and_plays_so(users: Users) -> None:
    ada = users.open_page(None)
    table = open_table(ada, "quick-easy", [None] * 4)
    bo = enter(users, table, "Bo")
    with_bots = ada.get_by_role("button", name=text_of("start_with_bots", bots=2))
    fewer = ada.get_by_role("button", name=text_of("start_with_players", players=2))
    expect(with_bots).to_be_visible()
    expect(bo.get_by_role("button", name=re.compile(text_of("start_now")))).to_have_count(0)
    expect(bo.get_by_text(text_of("waiting_for_others", name="Ada"))).to_be_visible()
    fewer.click()
    for page in (ada, bo):
        expect(page.locator("[data-card]").first).to_be_visible()
        expect(page.locator(".table-page .seat")).to_have_count(2)

    alone = users.open_page(None)
    open_table(alone, "quick-easy", [None] * 4)
    expect(alone.get_by_role("button", name=re.compile(text_of("start_now")))).to_have_count(1)
    alone.get_by_role("button", name=text_of("start_with_bots", bots=3)).click()
    expect(alone.locator("[data-card]").first).to_be_visible()
    expect(alone.locator(".table-page .seat")).to_have_count(4)


def test_a_bot_in_the_last_seat_can_be_taken_out_again(users: Users) -> None:
    ada = users.open_page(None)
    table = open_table(ada, "face-to-face", [None, None])
    ada.get_by_role("button", name=re.compile(text_of("bot_add"))).click()
    expect(ada.get_by_text(text_of("room_full_yours"))).to_be_visible()
    late = users.open_page(f"/t/{table}")
    expect(late.get_by_text(text_of("ask_for_seat", name="Ada"))).to_be_visible()
    ada.get_by_role("button", name=re.compile(text_of("bot_remove", name="Otto"))).click()
    expect(ada.get_by_text(text_of("room_yours"))).to_be_visible()
    expect(late.get_by_role("button", name=text_of("sit_down"))).to_be_visible()


def test_everybody_renames_themselves(users: Users) -> None:
    ada = users.open_page(None)
    table = open_table(ada, "gra", [None] * 3)
    bo = enter(users, table, "Bo", viewport=PHONE)
    bo.get_by_role("button", name=text_of("rename"), exact=True).click()
    bo.get_by_label(text_of("nickname")).fill("Bea")
    bo.get_by_role("button", name=text_of("rename_save"), exact=True).click()
    expect(news(ada)).to_contain_text(text_of("room_renamed", before="Bo", name="Bea"))
    expect(seat(ada, 1)).to_contain_text("Bea")
    bo.reload()
    expect(seat(bo, 1)).to_contain_text("Bea")


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_an_invitation_says_what_is_played_before_one_sits_down(users: Users, language: str) -> None:
    ada = users.open_page(None)
    options = {"players": "4", "jokers": "on", "bid_order": "quantity_first"}
    seats = [None, None, None, BOT]
    table = open_table(ada, "gra", seats, options=options, clock={"minutes": 5, "seconds": 10})
    guest = users.open_page(f"/t/{table}", locale=language)
    card = guest.locator(".invitation-card")
    expect(card.get_by_role("heading", level=2)).to_have_text(title("gra", language))
    for words in (
        text_of("invited_by", language, name="Ada"),
        text_of("variant", language, option="jokers"),
        text_of("variant_about", language, option="jokers"),
        text_of("variant_value", language, value="quantity_first"),
        text_of("clock_value", language, minutes=5, seconds=10),
        text_of("clock_about", language),
        text_of("players_exactly", language, number=4),
        text_of("bot_level", language, level="easy"),
    ):
        expect(card).to_contain_text(words)
    expect(card.locator(".waiting-seats")).to_contain_text("Ada")
    expect(guest.locator(".waiting-seats .person")).to_have_count(1)  # nobody sits down by looking
    expect(card.get_by_role("button", name=text_of("sit_down", language), exact=True)).to_be_visible()


def test_a_proposed_name_stands_in_the_field_and_is_the_name_at_the_table(users: Users) -> None:
    ada = users.open_page(None)
    table = open_table(ada, "gra", [None, None, None], name="Heron")
    guest = users.open_page(f"/t/{table}")
    field = guest.get_by_label(text_of("nickname"))
    expect(field).to_have_value(re.compile("."))
    proposed = field.input_value()
    assert proposed in text_of("nicknames").split(", ")
    assert proposed != "Heron"
    field.fill("")
    field.blur()
    proposed = field.input_value()
    assert proposed in text_of("nicknames").split(", ")
    guest.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    expect(seat(ada, 1)).to_contain_text(proposed)


def test_the_lobby_proposes_a_name_in_the_field_itself(users: Users) -> None:
    page = users.open_page("/")
    field = page.get_by_label(text_of("nickname"))
    expect(field).not_to_have_value("")
    assert field.input_value() in text_of("nicknames").split(", ")


def test_a_guest_whose_seat_was_freed_is_told_and_can_join_again(users: Users) -> None:
    ada, bo = users.open_page(None), users.open_page(None)
    table = open_table(ada, "gra", [None] * 3)
    join(bo, table)
    bo.goto(f"/t/{table}")
    expect(seat(bo, 1)).to_contain_text(text_of("you"))
    ada.get_by_role("button", name=text_of("player_options", name="Bo")).click()
    ada.get_by_role("button", name=text_of("free_seat"), exact=True).click()
    expect(news(bo)).to_contain_text(text_of("room_freed"))
    bo.get_by_label(text_of("nickname")).fill("Bo")
    bo.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    expect(seat(ada, 1)).to_contain_text("Bo")


def test_guests_see_who_takes_the_table_over_when_its_opener_is_away(users: Users) -> None:
    ada, bo = users.open_page(None), users.open_page(None)
    table = open_table(ada, "gra", [None] * 3)
    join(bo, table)
    bo.goto(f"/t/{table}")
    expect(seat(bo, 0)).to_contain_text(text_of("runs_table"))
    ada.close()
    expect(bo.locator(".room-successor")).to_contain_text(text_of("room_successor_you", name="Ada", time="")[:13])


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_the_waiting_room_has_no_violations_in_both_themes(users: Users, language: str) -> None:
    ada = users.open_page(None, viewport=PHONE, locale=language)
    seats = [None, None, None, BOT]
    table = open_table(ada, "gra", seats, options={"players": "4", "jokers": "on"}, clock={"minutes": 5, "seconds": 10})
    guest = users.open_page(f"/t/{table}", viewport=PHONE, locale=language)
    expect(guest.locator(".join-form")).to_be_visible()
    assert violations(guest) == []
    guest.get_by_role("button", name=text_of("sit_down", language), exact=True).click()
    expect(ada.locator(".waiting-seats .person")).to_have_count(2)
    assert violations(guest) == []
    assert violations(ada) == []
    ada.get_by_role("button", name=text_of("room_settings", language), exact=True).click()
    expect(ada.get_by_role("dialog")).to_be_visible()
    assert violations(ada) == []
