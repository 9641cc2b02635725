"""The reveal of GRA: nothing around the board shows how it ends before the board does, and it can be skipped."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.players import BID, CHECK, CONFIRM, CONTINUE, REVEAL
from tests.browser.users import BOT, Users, finish, open_table

# Records what the page shows after each change, from now on.
WATCH = """() => {
  const count = (selector) => document.querySelectorAll(selector).length;
  window.seen = [];
  const save = () => window.seen.push({
    reveal: count('.gra-reveal'), verdict: count('.gra-reveal .gra-truth'), lines: count('.beside .log-line'),
    result: count('#result'), announced: document.getElementById('announcements').textContent,
    my_turn: count('.table-page.my-turn'),
  });
  new MutationObserver(save).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def play_until_reveal(page: Page) -> None:
    """Play until a player checks: the user at the first chance, or a bot before."""
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}, {REVEAL}").first.wait_for()
    if page.locator(REVEAL).count() == 0:
        page.locator(CHECK if page.locator(CHECK).count() else BID).click()
    page.locator(f"{REVEAL}, {CHECK}").first.wait_for()
    if page.locator(REVEAL).count() == 0:
        page.locator(CHECK).click()
        page.locator(REVEAL).wait_for()


def states(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.seen")
    return found


def test_nothing_shows_the_end_of_a_reveal_early(users: Users) -> None:
    page = users.open_page(None, reduced_motion="no-preference")
    table = open_table(page, "gra", [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.evaluate(WATCH)
    play_until_reveal(page)
    page.locator(f"{REVEAL} .gra-truth").wait_for()
    turning = [state for state in states(page) if state["reveal"] and not state["verdict"]]
    assert len(turning) > 2, "the cards do not turn one by one"
    unchanged = {"lines": turning[0]["lines"], "result": 0, "my_turn": 0}
    assert [{key: state[key] for key in unchanged} for state in turning] == [unchanged] * len(turning)
    expect(page.locator(".beside .log-line")).not_to_have_count(unchanged["lines"])

    # Earlier lines are announced a moment later, perhaps during the reveal.
    announcements = page.locator("#announcements")
    expect(announcements).not_to_have_text(turning[-1]["announced"])
    verdict = announcements.text_content()
    assert verdict
    assert not any(verdict in state["announced"] for state in turning)

    page.keyboard.press("Enter")
    expect(page.locator(REVEAL)).to_have_count(0)
    finish(page, table)
    expect(page.locator("#result")).to_be_focused()
    assert not any(state["result"] and state["reveal"] for state in states(page))
    left = page.locator(".beside .log-lines").evaluate("log => log.scrollHeight - log.clientHeight - log.scrollTop")
    assert left < 2, "the result has pushed the newest lines out of view"


def test_two_clicks_skip_a_reveal(users: Users) -> None:
    page = users.open_page(None, reduced_motion="no-preference")
    open_table(page, "gra", [None, BOT])
    play_until_reveal(page)
    page.locator(CONTINUE).click()
    expect(page.locator(f"{REVEAL} .gra-truth")).to_be_visible()
    page.locator(CONTINUE).click()
    expect(page.locator(REVEAL)).to_have_count(0)


def test_with_reduced_motion_a_reveal_shows_everything_at_once(users: Users) -> None:
    page = users.open_page(None)
    open_table(page, "gra", [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.evaluate(WATCH)
    play_until_reveal(page)
    assert all(state["verdict"] for state in states(page) if state["reveal"])
