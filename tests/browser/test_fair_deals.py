"""What a browser shows when a server cheats with the deal, and the page that explains deals."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from gramy.text import LANGUAGES
from tests.browser.accessibility import violations
from tests.browser.test_hints import play_match
from tests.browser.users import BOT, PHONE, Users, finish, join, open_table, text_of


def without_commitment(socket: WebSocketRoute) -> None:
    """Connect a page to the server and drop its commitments, as a cheating server would."""
    server = socket.connect_to_server()
    socket.on_message(lambda message: None if '"commit"' in str(message) else server.send(message))


def checks(page: Page) -> dict[str, str]:
    """Return the state of each check that a page shows."""
    found = page.locator("[data-check]").all()
    return {one.get_attribute("data-check") or "": one.get_attribute("data-state") or "" for one in found}


def test_a_player_whose_random_number_was_left_out_is_told_so(users: Users) -> None:
    page = users.open_page(None)
    page.route_web_socket("**/ws/**", without_commitment)
    page.clock.install()
    table = open_table(page, "gra", [None, BOT])
    left_out = text_of("deal_problem", problem="left_out")
    expect(page.locator(".deal-notice")).to_contain_text(left_out)
    assert violations(page) == []
    page.clock.fast_forward("00:20")  # it covers the prompt, so it does not wait for the user
    expect(page.locator(".deal-notice")).to_have_count(0)
    finish(page, table)
    page.locator("#result").wait_for()
    expect(page.locator(".result .fair[data-verdict=noted]")).to_be_visible()
    assert checks(page)["check_own"] == "note"
    assert checks(page)["check_list"] == "note"


def test_a_browser_commits_again_after_somebody_has_left_before_the_deal(users: Users) -> None:
    page, first, second = users.open_page(None), users.open_page(None), users.open_page(None)
    with page.expect_websocket() as opening:
        table = open_table(page, "quick-easy", [None, None])
    with opening.value.expect_event("framesent", lambda message: '"commit"' in str(message)):
        join(first, table, "Bo")
    assert first.request.delete("/api/guest").ok  # before the deal this opens the seat, and drops all commitments
    with opening.value.expect_event("framesent", lambda message: '"commit"' in str(message)):
        join(second, table, "Cem")
    page.locator("[data-card]").first.wait_for()
    expect(page.locator(".deal-notice")).to_have_count(0)


def test_a_list_that_differs_from_the_one_this_browser_was_shown_is_reported(users: Users) -> None:
    """The server showed other commitments to other players: then the record has another list than some of them saw."""
    page = users.open_page("/")

    def equivocate(route: Route) -> None:
        answer = route.fetch().json()
        answer["exchange"]["commitments"][0] = "0" * 64
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    page.route("**/api/deal/**", equivocate)
    play_match(page)
    expect(page.locator(".result .unfair")).to_be_visible()
    assert checks(page)["check_list"] == "failed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_about_fair_deals_is_readable_on_a_phone(users: Users, language: str) -> None:
    page = users.open_page("/fairness", viewport=PHONE, locale=language)
    expect(page.locator("article h2")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations(page) == []
