"""On the smallest phone and at 200% zoom the bid to beat stays visible between the seats of a full table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.players import BID, CONFIRM, REVEAL
from tests.browser.users import BOT, Users, open_table

SMALLEST = {"width": 320, "height": 568}
ZOOMED = {"width": 640, "height": 400}  # a laptop at 200%
# The parts of the bid, and of the line below it, that a seat covers.
COVERED = """() => [...document.querySelectorAll('.gra-standing :is(b, svg), .gra-in-play')].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [...document.querySelectorAll('.gra-seat')].some((seat) => {
    const box = seat.getBoundingClientRect();
    return box.left < right - 2 && box.right > left + 2 && box.top < bottom - 2 && box.bottom > top + 2;
  });
}).map((one) => one.getAttribute('class') ?? one.tagName)"""


def wait_for_a_bid(page: Page) -> None:
    """Play until there is a bid to beat; bots may have checked the first ones already."""
    for _ in range(10):
        parts = page.locator(f".gra-standing, {BID}, {CONFIRM}[aria-disabled=false], {REVEAL}")
        parts.filter(visible=True).first.wait_for()  # a reveal hides the button behind it
        if page.locator(REVEAL).count():
            page.keyboard.press("Escape")
        elif page.locator(".gra-standing").count():
            return
        else:
            page.locator(f"{BID}, {CONFIRM}").filter(visible=True).first.click()
    raise AssertionError("nobody bids")


@pytest.mark.parametrize("viewport", [SMALLEST, ZOOMED], ids=["phone", "zoomed"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_no_seat_covers_the_bid_to_beat(users: Users, players: int, viewport: dict[str, int]) -> None:
    page = users.open_page(None, viewport=viewport)
    options = {"players": str(players), "jokers": "on"}
    open_table(page, "gra", [None, *[BOT] * (players - 1)], options=options)
    wait_for_a_bid(page)
    assert page.evaluate(COVERED) == []
