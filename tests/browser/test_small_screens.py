"""On a small phone and at a zoom of 200% every control can be reached, in all games and situations."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.geometry import unreachable
from tests.browser.players import BID, CHECK, CONFIRM, LIVE_CARD, REVEAL, edge
from tests.browser.test_reveal import play_until_reveal
from tests.browser.users import BOT, Users, finish, open_table, text_of

SIZES = pytest.mark.parametrize("size", [(320, 568), (640, 400)], ids=["phone", "zoom"])
CARD_GAMES = [("face-to-face", 2), ("quick-easy", 2), ("quick-easy", 5)]
CLOCK = {"minutes": 5, "seconds": 10}


def sit(users: Users, size: tuple[int, int], game: str, players: int, **settings: object) -> tuple[Page, str]:
    """Return a page at a table, in the language with the longest words, on the user's turn."""
    page = users.open_page(None, viewport={"width": size[0], "height": size[1]}, locale="de")
    table = open_table(page, game, [None, *[BOT] * (players - 1)], **settings)
    page.locator(".table-page.my-turn").wait_for()
    notice = page.locator(".deal-notice button")
    if notice.count():
        notice.click()
    return page, table


def open_sheet(page: Page, name: str) -> None:
    page.get_by_role("button", name=text_of(name, "de"), exact=True).click()
    page.locator("dialog[open]").wait_for()


@SIZES
@pytest.mark.parametrize(("game", "players"), CARD_GAMES)
def test_laying_cards(users: Users, size: tuple[int, int], game: str, players: int) -> None:
    page, _ = sit(users, size, game, players, clock=CLOCK if players > 2 else None)
    assert unreachable(page) == []
    card = page.locator(LIVE_CARD).first
    card.click(position=edge(card))
    page.locator(".pile.open").first.wait_for()
    assert unreachable(page) == []


@SIZES
def test_what_one_can_say(users: Users, size: tuple[int, int]) -> None:
    page, _ = sit(users, size, "quick-easy", 2)
    page.locator(".phrasebook button").first.click()
    page.locator(".phrases button").first.wait_for()
    below = ("button.about", "button.button")  # the menu lies over them until it is closed
    assert [one for one in unreachable(page) if not any(name in one for name in below)] == []
    page.keyboard.press("Escape")
    page.locator(".phrases").wait_for(state="detached")
    assert unreachable(page) == []


@SIZES
@pytest.mark.parametrize("players", [2, 6])
def test_choosing_faces_bidding_and_a_reveal(users: Users, size: tuple[int, int], players: int) -> None:
    options = {"players": str(players), "jokers": "on", "directions": "on"}
    page, _ = sit(users, size, "gra", players, options=options, clock=CLOCK if players > 2 else None)
    assert unreachable(page) == []
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}, {REVEAL}").first.wait_for()
    if not page.locator(REVEAL).count():
        assert unreachable(page) == []


@SIZES
@pytest.mark.parametrize("players", [2, 4])
def test_a_reveal(users: Users, size: tuple[int, int], players: int) -> None:
    page, _ = sit(users, size, "gra", players)
    play_until_reveal(page)
    page.locator(f"{REVEAL} .gra-truth").wait_for()
    assert unreachable(page) == []
    verdict, hands = (page.locator(f"{REVEAL} {part}").bounding_box() for part in (".gra-verdict", ".gra-hands"))
    assert verdict
    assert hands
    assert hands["y"] + hands["height"] <= verdict["y"] + 1, "the verdict lies on the cards"


@SIZES
@pytest.mark.parametrize("name", ["menu", "log"])
def test_the_sheets_of_a_table(users: Users, size: tuple[int, int], name: str) -> None:
    page, _ = sit(users, size, "gra", 4, options={"players": "4", "jokers": "on"}, clock=CLOCK)
    open_sheet(page, name)
    assert unreachable(page) == []


@SIZES
@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
def test_a_result_and_a_replay(users: Users, size: tuple[int, int], game: str) -> None:
    page, table = sit(users, size, game, 2)
    finish(page, table)
    page.locator("#result").wait_for()
    assert unreachable(page) == []
    page.goto(f"/replay/{table}/1#5")
    page.locator(".scrubber").wait_for()
    assert unreachable(page) == []
