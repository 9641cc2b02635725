"""Hints at a table, the analysis of a finished match, and the verification of its deal."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.accessibility import violations
from tests.browser.geometry import resize
from tests.browser.players import CHECK, CONFIRM, play_now
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import BOT, PHONE, Users, finish, open_table, text_of

GAME = "gra"  # the quickest to play
HIGHLIGHTED = "[data-highlighted]"
HINT = ".hint-button"
UNCOMPILED = 120_000.0
"""Milliseconds that an analysis may take while the compiler is still at work."""


def play_match(page: Page) -> str:
    """Play a match from the lobby to its end; return the table."""
    play_now(page, GAME).click()
    page.locator(".gra-card").first.wait_for()
    table = page.url.rsplit("/", 1)[-1]
    finish(page, table)
    page.locator("#result").wait_for()
    return table


def test_a_hint_is_shown_until_the_next_move(users: Users) -> None:
    page = users.open_page(None)
    open_table(page, GAME, [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.get_by_role("button", name=text_of("hint"), exact=True).click()
    page.locator(HIGHLIGHTED).wait_for()
    expect(page.locator(".prompt p")).to_contain_text("%")
    expect(page.locator(".prompt .reason")).to_contain_text(".")
    assert violations(page) == []
    while page.locator("li[data-highlighted]").count():  # cards whose other face is better
        page.locator("li[data-highlighted] button").first.click()
    page.locator(f"{CONFIRM}{HIGHLIGHTED}").click()
    expect(page.locator(HIGHLIGHTED)).to_have_count(0)

    page.locator(".gra-send button").first.wait_for()
    page.keyboard.press("h")
    page.locator(f".gra-send {HIGHLIGHTED}").wait_for()
    expect(page.locator(f".gra-value .gra-odds, {CHECK} .gra-odds").first).to_contain_text("%")
    assert violations(page) == []
    resize(page, **PHONE)  # the sentences take room from the board
    card, picker = page.locator(".gra-card").first.bounding_box(), page.locator(".gra-amount").bounding_box()
    assert card is not None
    assert picker is not None
    assert card["y"] + card["height"] <= picker["y"]
    page.keyboard.press("h")
    expect(page.locator(HIGHLIGHTED)).to_have_count(0)


def test_there_are_no_hints_against_a_person_and_the_key_says_so(users: Users) -> None:
    _, first, _ = open_duel(users)
    assert first.locator(HINT).count() == 0
    first.keyboard.press("h")
    expect(first.locator(".prompt.refused")).to_have_text(text_of("no_hints_now", scope="common"))


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desk", "phone"])
def test_the_analysis_marks_mistakes(users: Users, viewport: dict[str, int] | None) -> None:
    page = users.open_page("/", **({"viewport": viewport} if viewport else {}))
    play_match(page)
    page.get_by_role("link", name=text_of("to_replay")).click()
    page.get_by_role("button", name=text_of("analyse")).click()
    page.locator(".chart").wait_for(timeout=UNCOMPILED)
    marks = page.locator(".chart .mark-sign")
    if marks.count():  # random play nearly always has some
        page.keyboard.press("n")
        step = page.url.rsplit("#", 1)[-1]
        expect(page.get_by_role("slider")).to_have_value(step)
        expect(page.locator(".chart .mark-sign[aria-current]")).to_have_count(1)
        assert page.locator(".ticks i").count() == marks.count()
        assert page.locator(".beside .log-line[aria-current] .mark-sign").count() == 1
        expect(page.locator(".look-words .reason")).to_contain_text(".")
        page.reload()
        expect(page.get_by_role("slider")).to_have_value(step)
        page.get_by_role("button", name=text_of("analyse")).click()
        page.locator(".chart").wait_for(timeout=UNCOMPILED)
    box = page.locator(".chart").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] - 3)
    last = page.get_by_role("slider").get_attribute("max") or ""
    expect(page.get_by_role("slider")).to_have_value(last)
    assert violations(page) == []
    page.get_by_role("button", name=text_of("care")).click()
    expect(page.locator(".care li")).to_have_count(3)
    assert violations(page, "light") == []


def test_the_deals_of_a_match_and_of_a_rematch_are_verified(users: Users) -> None:
    page = users.open_page("/")
    table = play_match(page)
    expect(page.locator(".result .fair[data-verdict=fair]")).to_be_visible()
    page.get_by_role("button", name=text_of("rematch")).click()
    expect(page.locator("#result")).to_have_count(0)
    page.locator(".gra-card").first.wait_for()
    assert finish(page, table) == 2
    expect(page.locator(".result .fair[data-verdict=fair]")).to_be_visible()
    page.get_by_role("link", name=text_of("to_replay")).click()
    expect(page.locator(".scrubber .fair[data-verdict=fair]")).to_be_visible()
    other = users.open_page(f"/replay/{table}/2")  # a browser that was not there has no commitment
    expect(other.locator(".scrubber .fair[data-verdict=noted]")).to_be_visible()


@pytest.mark.parametrize("changed", ["seed", "dealt", "client_seeds"])
def test_an_unfair_deal_is_reported(users: Users, changed: str) -> None:
    page = users.open_page("/")

    def tamper(route: Route) -> None:
        answer = route.fetch().json()
        if changed == "seed":
            answer["seed"] = answer["seed"][::-1]
        elif changed == "client_seeds":
            answer["client_seeds"][0] = "chosen"
        else:
            deal = answer["deals"][-1]
            deal["dealt"] = [next(card for card in deal["pool"] if card not in deal["dealt"]), *deal["dealt"][1:]]
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    page.route("**/api/deal/**", tamper)
    play_match(page)
    expect(page.locator(".result .unfair")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text(text_of("cards_verdict", verdict="unfair"))
    assert violations(page) == []
