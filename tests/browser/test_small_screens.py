"""On a small phone and at a zoom of 200% every control can be reached, in all games and situations."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.geometry import resize, unreachable
from tests.browser.players import BID, CHECK, CONFIRM, LIVE_CARD, REVEAL, edge
from tests.browser.test_reveal import play_until_reveal
from tests.browser.users import BOT, Users, finish, open_table, text_of

SIZES = {"phone": (320, 568), "zoom": (640, 400)}
BESIDE_AN_ANALYSIS = (360, 500)
"""A table of this size has as much height as a replay with its analysis on a phone of 360x740."""
CARD_GAMES = [("face-to-face", 2), ("quick-easy", 2), ("quick-easy", 5)]
CLOCK = {"minutes": 5, "seconds": 10}


def problems(page: Page) -> list[str]:
    """Return a line for each control that cannot be reached on a screen of one of the sizes."""
    found: list[str] = []
    for name, size in SIZES.items():
        resize(page, *size)
        found += [f"{name}: {problem}" for problem in unreachable(page)]
    return found


def sit(users: Users, game: str, players: int, **settings: object) -> tuple[Page, str]:
    """Return a page at a table, in the language with the longest words, on the user's turn."""
    width, height = SIZES["phone"]
    page = users.open_page(None, viewport={"width": width, "height": height}, locale="de")
    table = open_table(page, game, [None, *[BOT] * (players - 1)], **settings)
    page.locator(".table-page.my-turn").wait_for()
    notice = page.locator(".deal-notice button")
    if notice.count():
        notice.click()
    return page, table


def open_sheet(page: Page, name: str) -> None:
    page.get_by_role("button", name=text_of(name, "de"), exact=True).click()
    page.locator("dialog[open]").wait_for()


@pytest.mark.parametrize(("game", "players"), CARD_GAMES)
def test_laying_cards(users: Users, game: str, players: int) -> None:
    page, _ = sit(users, game, players, clock=CLOCK if players > 2 else None)
    assert problems(page) == []
    card = page.locator(LIVE_CARD).first
    card.click(position=edge(card))
    page.locator(".pile.open").first.wait_for()
    assert problems(page) == []


@pytest.mark.parametrize(("game", "players"), CARD_GAMES)
def test_the_name_of_the_game_is_not_cut(users: Users, game: str, players: int) -> None:
    page, _ = sit(users, game, players)
    assert page.locator(".table-title h1").evaluate("title => title.scrollWidth <= title.clientWidth")


def test_face_to_face_shows_the_whole_own_name_beside_the_mark_of_the_user(users: Users) -> None:
    page = users.open_page(None, viewport={"width": 360, "height": 740})
    open_table(page, "face-to-face", [None, BOT], name="Maximilian")
    name = page.locator(".half.mine .head .name")
    name.wait_for()
    assert name.inner_text().split() == ["Maximilian", text_of("you")]
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_what_one_can_say(users: Users) -> None:
    page, _ = sit(users, "quick-easy", 2)
    page.locator(".phrasebook button").first.click()
    page.locator(".phrases button").first.wait_for()
    below = ("button.about", "button.button")  # the menu lies over them until it is closed
    assert [one for one in problems(page) if not any(name in one for name in below)] == []
    page.keyboard.press("Escape")
    page.locator(".phrases").wait_for(state="detached")
    assert problems(page) == []


def test_a_bid_with_a_hint_fits_on_a_small_phone(users: Users) -> None:
    options = {"players": "4", "jokers": "on", "fewer_cards": "on"}  # five cards each
    page, _ = sit(users, "gra", 4, options=options)
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}").first.wait_for()
    page.keyboard.press("h")
    page.locator(".gra-send [data-highlighted]").wait_for()
    resize(page, *SIZES["phone"])
    sizes = page.locator(".gra-scene").evaluate("scene => [scene.scrollHeight, scene.clientHeight]")
    assert sizes[0] <= sizes[1], "the table scrolls"
    assert problems(page) == []


@pytest.mark.parametrize("players", [2, 6])
def test_choosing_faces_bidding_and_a_reveal(users: Users, players: int) -> None:
    options = {"players": str(players), "jokers": "on", "directions": "on"}
    page, _ = sit(users, "gra", players, options=options, clock=CLOCK if players > 2 else None)
    assert problems(page) == []
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}, {REVEAL}").first.wait_for()
    if not page.locator(REVEAL).count():
        assert problems(page) == []


@pytest.mark.parametrize("players", [2, 4])
def test_a_reveal(users: Users, players: int) -> None:
    page, _ = sit(users, "gra", players)
    play_until_reveal(page)
    page.locator(f"{REVEAL} .gra-truth").wait_for()
    assert problems(page) == []
    for size in (*SIZES.values(), BESIDE_AN_ANALYSIS):
        resize(page, *size)
        rows = page.locator(f"{REVEAL} .gra-hands > li")
        parts = (page.locator(f"{REVEAL} header"), rows.first, rows.last, page.locator(f"{REVEAL} .gra-verdict"))
        header, first, last, verdict = (part.bounding_box() for part in parts)
        assert header
        assert first
        assert last
        assert verdict
        assert header["y"] + header["height"] <= first["y"] + 1, f"{size}: the cards lie on the bid"
        assert last["y"] + last["height"] <= verdict["y"] + 1, f"{size}: the verdict lies on the cards"


@pytest.mark.parametrize("name", ["menu", "log"])
def test_the_sheets_of_a_table(users: Users, name: str) -> None:
    page, _ = sit(users, "gra", 4, options={"players": "4", "jokers": "on"}, clock=CLOCK)
    open_sheet(page, name)
    assert problems(page) == []


@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
def test_a_result_and_a_replay(users: Users, game: str) -> None:
    page, table = sit(users, game, 2)
    finish(page, table)
    page.locator("#result").wait_for()
    assert problems(page) == []
    page.goto(f"/replay/{table}/1#5")
    page.locator(".scrubber").wait_for()
    assert problems(page) == []
