"""Back and Escape close what is open before Back leaves the page; the list of keys is that of the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.users import BOT, PHONE, Users, open_table, text_of, title

SHEET = "dialog[open]"


def open_menu(page: Page) -> None:
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    page.locator(SHEET).wait_for()


def open_from_lobby(users: Users) -> tuple[Page, str]:
    """Return a page that came to its table from the lobby."""
    page = users.open_page("/", viewport=PHONE)
    page.get_by_role("button", name=text_of("settings")).wait_for()
    table = open_table(page, "gra", [None, BOT])
    page.locator(".gra-confirm").wait_for()
    return page, table


def test_back_closes_the_menu_and_then_leaves_the_table(users: Users) -> None:
    page, table = open_from_lobby(users)
    open_menu(page)
    page.go_back()
    expect(page.locator(SHEET)).to_have_count(0)
    assert page.url.endswith(table)
    page.go_back()
    expect(page.locator("#welcome")).to_be_visible()


def test_a_sheet_closed_in_another_way_costs_no_extra_back(users: Users) -> None:
    page, _ = open_from_lobby(users)
    for _ in range(2):
        open_menu(page)
        page.keyboard.press("Escape")
        expect(page.locator(SHEET)).to_have_count(0)
    page.wait_for_function("() => !history.state?.layer")
    page.go_back()
    expect(page.locator("#welcome")).to_be_visible()


def test_back_works_after_a_reload_with_an_open_menu(users: Users) -> None:
    page, table = open_from_lobby(users)
    open_menu(page)
    page.reload()
    page.locator(".gra-confirm").wait_for()
    expect(page.locator(SHEET)).to_have_count(0)
    page.wait_for_function("() => !history.state?.layer")
    assert page.url.endswith(table)
    page.go_back()
    expect(page.locator("#welcome")).to_be_visible()


def test_a_link_in_the_menu_leads_back_to_the_table_in_one_step(users: Users) -> None:
    page, table = open_from_lobby(users)
    open_menu(page)
    page.locator(SHEET).get_by_role("link", name=text_of("rules")).click()
    page.locator("article h1").wait_for()
    page.go_back()
    page.locator(".gra-confirm").wait_for()
    expect(page.locator(SHEET)).to_have_count(0)
    assert page.url.endswith(table)
    page.go_forward()
    page.locator("article h1").wait_for()


def test_back_closes_the_sheets_of_the_lobby(users: Users) -> None:
    page = users.open_page("/fairness")
    page.goto("/")
    page.get_by_role("button", name=text_of("settings")).click()
    page.locator(SHEET).wait_for()
    page.go_back()
    expect(page.locator(SHEET)).to_have_count(0)
    expect(page.locator("#welcome")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("face-to-face", ["← →", "Enter", "1 – 4", "E", "U", "H", "L", "M", "?", "Esc"]),
        ("quick-easy", ["← →", "Enter", "1 2", "E", "U", "S", "H", "L", "M", "?", "Esc"]),
        ("gra", ["1 – 5", "↑ ↓", "← →", "Enter", "C", "S", "H", "L", "M", "?", "Esc"]),
    ],
)
def test_the_list_of_keys_is_that_of_the_game(users: Users, game: str, keys: list[str]) -> None:
    page = users.open_page(None)
    table = open_table(page, game, [None, BOT])
    page.locator(".table-page.my-turn").wait_for()
    page.keyboard.press("?")
    page.locator(SHEET).wait_for()
    assert page.locator(f"{SHEET} kbd").all_inner_texts() == keys
    spectator = users.open_page(f"/t/{table}")
    spectator.get_by_role("heading", name=title(game).split(": ")[-1]).wait_for()
    spectator.keyboard.press("?")
    spectator.locator(SHEET).wait_for()
    assert spectator.locator(f"{SHEET} kbd").all_inner_texts() == ["L", "M", "?", "Esc"]
