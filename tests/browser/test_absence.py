"""A player who is away does not block a table, and gets the seat back on return."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.test_multiplayer import open_duel
from tests.browser.users import Users, hand, text_of

FLAGS = ("--away", "1")


def test_a_bot_plays_for_an_absent_player_until_they_come_back(users: Users) -> None:
    table, absent, other = open_duel(users)
    name = absent.locator(".seat.you b").inner_text()
    saved = absent.context.storage_state()
    absent.context.close()

    dialog = other.get_by_role("alertdialog")
    expect(dialog).to_contain_text(text_of("away_title", name=name))
    dialog.get_by_role("button", name=text_of("bot_takes_over")).click()
    expect(dialog).to_have_count(0)
    seat = other.locator(".seat").filter(has_text=name)
    expect(seat).to_contain_text(text_of("stand_in"))
    other.locator(".table-page.my-turn").wait_for()  # the bot has taken the turn that blocked the table

    back = users.open_page(f"/t/{table}", storage_state=saved)
    back.locator("[data-card]").first.wait_for()
    assert len(hand(back)) == 6
    expect(seat).not_to_contain_text(text_of("stand_in"))
    expect(seat).to_contain_text(text_of("online"))


def test_the_others_may_end_the_match(users: Users) -> None:
    _, absent, other = open_duel(users)
    absent.context.close()
    other.get_by_role("alertdialog").get_by_role("button", name=text_of("end_match")).click()
    expect(other.locator("#result")).to_have_text(text_of("match_over_title"))
