"""Players are told what happens without them: a clock that runs out, and an absence."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.players import CONFIRM
from tests.browser.users import BOT, PHONE, Users, collect_said, join, open_table, text_of

CLOCK_TIME = 60_000
"""Milliseconds in which a clock of half a minute runs out, on a busy machine."""


def counting(key: str, **values: str) -> re.Pattern[str]:
    """A sentence with any number of seconds."""
    sentence = text_of(key, **values, seconds=77)
    return re.compile(re.escape(sentence).replace("77", r"\d+"))


def test_a_player_is_warned_before_the_time_is_up_and_told_what_the_computer_played(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    open_table(page, "quick-easy", [None, BOT], clock={"minutes": 0.5, "seconds": 0})
    page.locator(".table-page.my-turn").wait_for()
    collect_said(page)
    expect(page.locator(".prompt")).to_contain_text(counting("clock_warning"), timeout=CLOCK_TIME)
    end = text_of("clock_warning", seconds=77).removeprefix("77")
    page.wait_for_function("words => window.said.includes(words)", arg=end)
    notice = page.get_by_role("alertdialog", name=text_of("time_up_title"))
    expect(notice).to_be_visible(timeout=CLOCK_TIME)
    played = text_of("time_up_played", move="Ada")
    expect(notice).to_contain_text(played)  # and the move, as the log has it
    assert violations(page) == []
    notice.get_by_role("button", name=text_of("understood")).click()


def test_the_countdown_for_an_absent_player_is_visible_on_a_phone(users: Users) -> None:
    ada = users.open_page(None, viewport=PHONE)
    table = open_table(ada, "gra", [None, None, BOT, BOT, BOT], clock={"minutes": 5, "seconds": 10})
    bo = users.open_page(None)
    join(bo, table)
    bo.goto(f"/t/{table}")
    for page in (ada, bo):
        page.locator(CONFIRM).wait_for()
    bo.context.close()
    countdown = ada.locator(".absent.soon")
    expect(countdown).to_contain_text(counting("away_soon", name="Bo"))
    expect(countdown).to_be_in_viewport()
    assert violations(ada) == []
    expect(ada.get_by_role("alertdialog")).to_contain_text(text_of("away_title", name="Bo"), timeout=CLOCK_TIME)
    expect(countdown).to_have_count(0)
