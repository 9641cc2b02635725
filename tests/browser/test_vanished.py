"""A player who vanishes never blocks a table, and coming back gives the seat back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.test_company import two_at_a_duel
from tests.browser.visitors import Visitors, hand, words

FLAGS = ("--away", "1")


def test_a_bot_plays_on_for_somebody_who_vanished_until_they_come_back(visitors: Visitors) -> None:
    table, gone, there = two_at_a_duel(visitors)
    name = gone.locator(".seat.you b").inner_text()
    kept = gone.context.storage_state()
    gone.context.close()

    asked = there.get_by_role("alertdialog")
    expect(asked).to_contain_text(words("away_title", name=name))
    asked.get_by_role("button", name=words("bot_takes_over")).click()
    expect(asked).to_have_count(0)
    seat = there.locator(".seat").filter(has_text=name)
    expect(seat).to_contain_text(words("stand_in"))
    there.locator(".table-page.my-turn").wait_for()  # the bot has taken the turn that blocked the table

    back = visitors.arrive(f"/t/{table}", storage_state=kept)
    back.locator("[data-card]").first.wait_for()
    assert len(hand(back)) == 6
    expect(seat).not_to_contain_text(words("stand_in"))
    expect(seat).to_contain_text(words("online"))


def test_the_others_may_end_the_match_instead(visitors: Visitors) -> None:
    _, gone, there = two_at_a_duel(visitors)
    gone.context.close()
    there.get_by_role("alertdialog").get_by_role("button", name=words("end_match")).click()
    expect(there.locator("#result")).to_have_text(words("match_over_title"))
