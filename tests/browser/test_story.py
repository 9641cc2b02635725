"""GRA's reveal is a story: nothing around the board gives its end away, and whoever is in a hurry can cut it short."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.players import BID, CHECK, CONFIRM, ONWARD, REVEAL
from tests.browser.visitors import BOT, Visitors, finish, open_table

# What the page shows after each change, from now on.
WATCH = """() => {
  const count = (selector) => document.querySelectorAll(selector).length;
  window.seen = [];
  const note = () => window.seen.push({
    reveal: count('.gra-reveal'), verdict: count('.gra-reveal .gra-truth'), lines: count('.beside .log-line'),
    result: count('#result'), said: document.getElementById('announcements').textContent,
    mine: count('.table-page.my-turn'),
  });
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def doubt(page: Page) -> None:
    """Go on until somebody checks: this reader at the first chance, or a bot before."""
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}, {REVEAL}").first.wait_for()
    if page.locator(REVEAL).count() == 0:
        page.locator(CHECK if page.locator(CHECK).count() else BID).click()
    page.locator(f"{REVEAL}, {CHECK}").first.wait_for()
    if page.locator(REVEAL).count() == 0:
        page.locator(CHECK).click()
        page.locator(REVEAL).wait_for()


def seen(page: Page) -> list[dict[str, Any]]:
    states: list[dict[str, Any]] = page.evaluate("window.seen")
    return states


def test_nothing_gives_the_reveal_away(visitors: Visitors) -> None:
    page = visitors.arrive(None, reduced_motion="no-preference")
    table = open_table(page, "gra", [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.evaluate(WATCH)
    doubt(page)
    page.locator(f"{REVEAL} .gra-truth").wait_for()
    states = seen(page)
    turning = [state for state in states if state["reveal"] and not state["verdict"]]
    assert len(turning) > 2, "the cards turn one by one"
    quiet = {"lines": turning[0]["lines"], "result": 0, "mine": 0}
    assert [{key: state[key] for key in quiet} for state in turning] == [quiet] * len(turning)
    expect(page.locator(".beside .log-line")).not_to_have_count(quiet["lines"])

    said = page.locator("#announcements")  # what came before is read out a moment later, so perhaps under the reveal
    expect(said).not_to_have_text(turning[-1]["said"])
    verdict = said.text_content()
    assert verdict
    assert not any(verdict in state["said"] for state in turning)

    page.keyboard.press("Enter")
    expect(page.locator(REVEAL)).to_have_count(0)
    finish(page, table)
    expect(page.locator("#result")).to_be_focused()
    assert not any(state["result"] and state["reveal"] for state in seen(page))
    left = page.locator(".beside .log-lines").evaluate("log => log.scrollHeight - log.clientHeight - log.scrollTop")
    assert left < 2, "the result has pushed the newest lines out of sight"


def test_whoever_is_in_a_hurry_clicks_twice(visitors: Visitors) -> None:
    page = visitors.arrive(None, reduced_motion="no-preference")
    open_table(page, "gra", [None, BOT])
    doubt(page)
    page.locator(ONWARD).click()
    expect(page.locator(f"{REVEAL} .gra-truth")).to_be_visible()
    page.locator(ONWARD).click()
    expect(page.locator(REVEAL)).to_have_count(0)


def test_with_reduced_motion_everything_is_told_at_once(visitors: Visitors) -> None:
    page = visitors.arrive(None)
    open_table(page, "gra", [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.evaluate(WATCH)
    doubt(page)
    assert all(state["verdict"] for state in seen(page) if state["reveal"])
