"""The variants in force and the clock are shown in words at the table and in the list of tables."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.users import BOT, PHONE, Users, open_table, text_of

CLOCK = {"minutes": 5, "seconds": 10}
VARIANTS = [
    ("face-to-face", {"players": "2", "dead_end": "loss"}, "Dead ends: lose the match"),
    ("quick-easy", {"players": "2", "pro": "on"}, "Pro variant"),
    ("gra", {"players": "2", "fewer_cards": "on", "bid_order": "quantity_first"}, "Fewer cards"),
]
IN_FORCE = ".table-title .in-force"


def names_in_sheet(page: Page) -> list[str]:
    page.locator(IN_FORCE).click()
    page.locator("dialog[open] dt").first.wait_for()
    return page.locator("dialog[open] dt").all_inner_texts()


@pytest.mark.parametrize(("game", "options", "words"), VARIANTS)
def test_players_and_spectators_read_the_variants_and_the_clock(
    users: Users, game: str, options: dict[str, str], words: str
) -> None:
    player = users.open_page(None)
    table = open_table(player, game, [None, BOT], options=options, clock=CLOCK, public=True)
    spectator = users.open_page(f"/t/{table}", viewport=PHONE)
    for page in (player, spectator):
        expect(page.locator(IN_FORCE)).to_contain_text(words)
        expect(page.locator(IN_FORCE)).to_contain_text("5 minutes, plus 10 s a turn")
        shown = names_in_sheet(page)
        assert words in shown
        assert len(shown) == len(options)  # one for each variant, and the clock instead of the players
    guest = users.open_page("/")
    row = guest.locator(".tables .table-row", has_text=words)
    expect(row.filter(has_text="5 minutes, plus 10 s a turn").first).to_be_visible()


@pytest.mark.parametrize("language", ["pl", "de"])
def test_the_variants_are_in_the_users_language(users: Users, language: str) -> None:
    page = users.open_page(None, locale=language)
    open_table(page, "quick-easy", [None, BOT], options={"players": "2", "pro": "on"})
    expect(page.locator(IN_FORCE)).to_contain_text(text_of("variant", language, option="pro"))


def test_the_basic_game_without_a_clock_has_nothing_to_show(users: Users) -> None:
    page = users.open_page(None)
    open_table(page, "gra", [None, BOT])
    page.locator(".gra-confirm").wait_for()
    expect(page.locator(IN_FORCE)).to_have_count(0)
