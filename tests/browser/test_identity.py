"""A player has one colour and one name in the list of seats, on the board and in the log."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.users import BOT, BY_LOT, Users, join, open_table, text_of

# The colours of each player by name: in the list of seats, on the board and in the log.
COLOURS = """() => {
  const colour = (element) => getComputedStyle(element).getPropertyValue('--a');
  const found = {};
  const add = (name, element) => (found[name] ??= []).push(colour(element));
  const named = (box) => box.querySelector('.name').firstChild.textContent.trim();
  for (const seat of document.querySelectorAll('dialog .seat')) add(named(seat), seat.querySelector('.seat-face'));
  for (const one of document.querySelectorAll('.partner, .head')) add(named(one), one.querySelector('.avatar'));
  for (const seat of document.querySelectorAll('.gra-seat')) add(named(seat), seat.querySelector('.dot'));
  for (const line of document.querySelectorAll('.beside .log-line:not(.dealer)')) {
    const name = Object.keys(found).find((one) => line.innerText.startsWith(one));
    if (name) add(name, line.querySelector('.dot'));
  }
  return found;
}"""
GOLD = "#a8741a"


def act(page: Page, game: str) -> None:
    """Make the log name the viewer: say something in Quick & Easy, choose in GRA."""
    if game == "quick-easy":
        page.locator("[data-about=red]").click()
        page.locator('.phrases [data-phrase="red"]').click()
        page.locator("[data-button=say], .beside .log-line.own").first.wait_for()
        if page.locator("[data-button=say]").count():  # the phrase is not true of this hand
            page.locator("[data-button=say]").click()
    elif game == "gra":
        page.locator(".gra-confirm button").click()


@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
def test_everybody_has_one_colour_and_the_viewers_own_is_gold(users: Users, game: str) -> None:
    ada, bo = users.open_page(None), users.open_page(None)
    if game == "face-to-face":
        table = open_table(ada, game, [None, None])
    else:
        table = open_table(ada, game, [None, None, BOT], options={**BY_LOT, "players": "3"})
    join(bo, table)
    bo.goto(f"/t/{table}")
    for page, name in ((ada, "Ada"), (bo, "Bo")):
        page.locator("[data-card], .gra-card").first.wait_for()
        act(page, game)
        if game != "face-to-face":
            page.locator(".beside .log-line.own").first.wait_for()
        page.get_by_role("button", name=text_of("menu"), exact=True).click()
        page.locator("dialog .seat").nth(1).wait_for()
        colours = page.evaluate(COLOURS)
        assert len(colours) == (2 if game == "face-to-face" else 3)
        assert all(len(of_one) > 1 and len(set(of_one)) == 1 for seat, of_one in colours.items() if seat != name), (
            colours
        )
        assert set(colours[name]) == {GOLD}
        assert len({of_one[0] for of_one in colours.values()}) == len(colours)
        marked = page.locator(".name:has(.you-mark)").all_inner_texts()
        assert {one.split()[0] for one in marked} == {name}
        on_board = page.locator(".board-place .you-mark")
        expect(on_board).to_have_count(0 if game == "quick-easy" else 1)  # its board has no place for the viewer
        expect(page.locator("dialog .seat.you .you-mark")).to_have_text(text_of("you"))
