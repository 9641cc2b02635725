"""Hints at a table, a match looked back at, and cards that a browser deals again."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, expect

from gramy.bots import prepare
from gramy.games import game
from tests.browser.access import violations
from tests.browser.players import CHECK, CONFIRM, play_now
from tests.browser.test_company import two_at_a_duel
from tests.browser.visitors import BOT, PHONE, Visitors, finish, open_table, words

GAME = "gra"  # the quickest to compile and to play
POINTED = "[data-pointed]"
HINT = ".hint-button"


@pytest.fixture(scope="module", autouse=True)
def compiled_bots() -> None:
    """On a fresh machine the bots are compiled first: a minute that no test shall count as slowness."""
    prepare(game(GAME))


def over(page: Page) -> str:
    """Plays a match from the lobby to its end; its table."""
    play_now(page, GAME).click()
    page.locator(".gra-card").first.wait_for()
    table = page.url.rsplit("/", 1)[-1]
    finish(page, table)
    page.locator("#result").wait_for()
    return table


def test_a_hint_is_shown_said_and_gone_with_the_next_move(visitors: Visitors) -> None:
    page = visitors.arrive(None)
    open_table(page, GAME, [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.get_by_role("button", name=words("hint"), exact=True).click()
    page.locator(POINTED).wait_for()
    expect(page.locator(".prompt p")).to_contain_text("%")
    assert violations(page) == []
    while page.locator("li[data-pointed]").count():  # a card whose other face is better
        page.locator("li[data-pointed] button").first.click()
    page.locator(f"{CONFIRM}{POINTED}").click()
    expect(page.locator(POINTED)).to_have_count(0)

    page.locator(".gra-send button").first.wait_for()
    page.keyboard.press("h")
    page.locator(f".gra-send {POINTED}").wait_for()
    expect(page.locator(f".gra-value .gra-odds, {CHECK} .gra-odds").first).to_contain_text("%")
    assert violations(page) == []
    page.keyboard.press("h")
    expect(page.locator(POINTED)).to_have_count(0)


def test_against_a_person_there_is_no_hint_and_the_key_says_so(visitors: Visitors) -> None:
    _, first, _ = two_at_a_duel(visitors)
    assert first.locator(HINT).count() == 0
    first.keyboard.press("h")
    expect(first.locator(".prompt.refused")).to_have_text(words("no_hints_now", scope="common"))


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desk", "phone"])
def test_a_match_is_looked_back_at(visitors: Visitors, viewport: dict[str, int] | None) -> None:
    page = visitors.arrive("/", **({"viewport": viewport} if viewport else {}))
    over(page)
    page.get_by_role("link", name=words("to_replay")).click()
    page.get_by_role("button", name=words("analyse")).click()
    page.locator(".chart").wait_for()
    marks = page.locator(".chart .mark-sign")
    if marks.count():  # play at random is seldom without
        page.keyboard.press("n")
        step = page.url.rsplit("#", 1)[-1]
        expect(page.get_by_role("slider")).to_have_value(step)
        expect(page.locator(".chart .mark-sign[aria-current]")).to_have_count(1)
        assert page.locator(".ticks i").count() == marks.count()
        assert page.locator(".beside .log-line[aria-current] .mark-sign").count() == 1
        page.reload()
        expect(page.get_by_role("slider")).to_have_value(step)
        page.get_by_role("button", name=words("analyse")).click()
        page.locator(".chart").wait_for()
    box = page.locator(".chart").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] - 3)
    last = page.get_by_role("slider").get_attribute("max") or ""
    expect(page.get_by_role("slider")).to_have_value(last)
    assert violations(page) == []
    page.get_by_role("button", name=words("care")).click()
    expect(page.locator(".care li")).to_have_count(3)
    assert violations(page, "light") == []


def test_the_cards_of_a_match_and_of_a_rematch_are_checked(visitors: Visitors) -> None:
    page = visitors.arrive("/")
    table = over(page)
    expect(page.locator(".result .fair[data-verdict=fair]")).to_be_visible()
    page.get_by_role("button", name=words("rematch")).click()
    expect(page.locator("#result")).to_have_count(0)
    page.locator(".gra-card").first.wait_for()
    assert finish(page, table) == 2
    expect(page.locator(".result .fair[data-verdict=fair]")).to_be_visible()
    page.get_by_role("link", name=words("to_replay")).click()
    expect(page.locator(".scrubber .fair[data-verdict=fair]")).to_be_visible()
    other = visitors.arrive(f"/replay/{table}/2")  # who was not there has no promise to hold it to
    expect(other.locator(".scrubber .fair[data-verdict=fair_uncommitted]")).to_be_visible()


@pytest.mark.parametrize("spoilt", ["seed", "dealt", "client_seeds"])
def test_cards_that_were_not_dealt_fairly_are_said_to_be_so(visitors: Visitors, spoilt: str) -> None:
    page = visitors.arrive("/")

    def tamper(route: Route) -> None:
        answer = route.fetch().json()
        if spoilt == "seed":
            answer["seed"] = answer["seed"][::-1]
        elif spoilt == "client_seeds":
            answer["client_seeds"][0] = "chosen"
        else:
            one = answer["deals"][-1]
            one["dealt"] = [next(card for card in one["pool"] if card not in one["dealt"]), *one["dealt"][1:]]
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    page.route("**/api/deal/**", tamper)
    over(page)
    expect(page.locator(".result .unfair")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text(words("cards", verdict="unfair", line="").split("!")[0])
    assert violations(page) == []
