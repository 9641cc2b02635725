"""The reveal of GRA: nothing shows its end early, it waits for its reader, and the table does not wait for them."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.players import BID, CHECK, CONFIRM, CONTINUE, REVEAL
from tests.browser.users import BOT, Users, finish, join, open_table, text_of

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


def press_until_closed(page: Page) -> None:
    """Go on from a reveal by Enter. A press that comes too soon after the verdict does nothing: nobody has read it."""
    for _ in range(20):
        page.keyboard.press("Enter")
        with contextlib.suppress(TimeoutError):
            page.locator(REVEAL).wait_for(state="detached", timeout=500)
            return
    raise AssertionError("the reveal stays")


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

    press_until_closed(page)
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


VERDICT = f"{REVEAL} .gra-truth"
# Whether an element has the colour of a custom property.
HAS_COLOUR = """(element, name) => {
  const probe = Object.assign(document.createElement('i'), { style: `color: var(${name})` });
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  return getComputedStyle(element).color === wanted;
}"""
# How long the cards of a reveal turn, in milliseconds.
TURNING_TIME = """() => new Promise((done) => {
  let started = 0;
  const look = () => {
    if (!started && document.querySelector('.gra-reveal')) started = performance.now();
    if (document.querySelector('.gra-reveal .gra-truth')) done(performance.now() - started);
    else requestAnimationFrame(look);
  };
  look();
})"""


def duel(users: Users, **about: Any) -> tuple[Page, Page, Page]:
    """Return two players and a spectator of a table in GRA, where the first player's turn to bid has come."""
    pages = [users.open_page(None, **about) for _ in range(3)]
    table = open_table(pages[0], "gra", [None, None])
    join(pages[1], table)
    for page in pages[1:]:
        page.goto(f"/t/{table}")
    for page in pages[:2]:
        page.locator(CONFIRM).click()
    return (*bidder_first(pages[0], pages[1]), pages[2])


def bidder_first(one: Page, two: Page) -> tuple[Page, Page]:
    one.wait_for_function("() => document.querySelector('.gra-seat.turn')")
    return (one, two) if one.locator(".gra-seat.turn.you").count() else (two, one)


def bid_and_check(bidder: Page, checker: Page) -> None:
    bidder.locator(BID).click()
    checker.locator(CHECK).click()


def test_a_verdict_stays_until_the_reader_goes_on(users: Users) -> None:
    page = users.open_page(None, reduced_motion="no-preference")
    page.clock.install()
    open_table(page, "gra", [None, BOT])
    play_until_reveal(page)
    page.locator(VERDICT).wait_for()
    page.clock.run_for(5_000)  # less than a heartbeat of the connection
    expect(page.locator(VERDICT)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(REVEAL)).to_have_count(0)


def test_the_colour_of_a_verdict_is_from_the_viewers_side(users: Users) -> None:
    bidder, checker, spectator = duel(users)
    bid_and_check(bidder, checker)
    loses = text_of("board_loses", scope="gra", mine=True)
    losers = []
    for page in (bidder, checker):
        page.locator(VERDICT).wait_for()
        lost = loses in page.locator(f"{REVEAL} .gra-verdict").inner_text()
        losers.append(lost)
        assert page.locator(VERDICT).evaluate(HAS_COLOUR, "--bad" if lost else "--good")
    assert sorted(losers) == [False, True]
    spectator.locator(VERDICT).wait_for()
    assert spectator.locator(VERDICT).evaluate(HAS_COLOUR, "--ink")


def test_one_reader_does_not_hold_up_the_table(users: Users) -> None:
    bidder, checker, spectator = duel(users)
    bid_and_check(bidder, checker)
    for page in (bidder, checker, spectator):
        page.locator(VERDICT).wait_for()
    expect(checker.locator(".gra-meanwhile")).to_have_text(text_of("board_awaited", scope="gra"))
    expect(spectator.locator(".gra-meanwhile")).to_be_empty()
    for page in (bidder, checker):
        page.locator(CONTINUE).click()
        page.locator(CONFIRM).click()
    first = spectator.locator(REVEAL).inner_text()
    bid_and_check(*bidder_first(bidder, checker))
    bidder.locator(VERDICT).wait_for()

    # The spectator still reads the first reveal, and nothing spoils the second one.
    expect(spectator.locator(".gra-meanwhile")).to_have_text(text_of("board_meanwhile", scope="gra"))
    assert spectator.locator(f"{REVEAL} header").inner_text() in first
    log = spectator.locator(".beside")
    expect(log.get_by_text("Matching cards")).to_have_count(1)
    spectator.locator(CONTINUE).first.click()
    expect(log.get_by_text("Matching cards")).to_have_count(2)
    expect(spectator.locator(".gra-meanwhile")).to_be_empty()
    expect(spectator.locator(VERDICT)).to_be_visible()
    spectator.locator(CONTINUE).click()
    expect(spectator.locator(REVEAL)).to_have_count(0)


def test_a_reader_can_catch_up_with_the_table(users: Users) -> None:
    bidder, checker, spectator = duel(users)
    bid_and_check(bidder, checker)
    spectator.locator(VERDICT).wait_for()
    for page in (bidder, checker):
        page.locator(CONTINUE).click()
        page.locator(CONFIRM).click()
    bid_and_check(*bidder_first(bidder, checker))
    spectator.get_by_role("button", name=text_of("board_catch_up", scope="gra")).click()
    expect(spectator.locator(REVEAL)).to_have_count(0)
    expect(spectator.locator(".beside").get_by_text("Matching cards")).to_have_count(2)


def test_a_reveal_in_the_next_match_waits_too(users: Users) -> None:
    page = users.open_page(None)
    table = open_table(page, "gra", [None, BOT])
    finish(page, table)
    page.get_by_role("button", name=text_of("rematch")).click()
    page.locator(CONFIRM).wait_for()
    play_until_reveal(page)
    expect(page.locator(VERDICT)).to_be_visible()
    page.locator(CONTINUE).click()
    expect(page.locator(REVEAL)).to_have_count(0)


@pytest.mark.parametrize(("speed", "least", "most"), [("slow", 2000, 60_000), ("fast", 300, 2000)])
def test_the_speed_of_the_reveal_is_a_setting_and_is_remembered(
    users: Users, speed: str, least: int, most: int
) -> None:
    page = users.open_page(None, reduced_motion="no-preference")
    table = open_table(page, "gra", [None, BOT])
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    page.get_by_text(text_of("speed_value", speed=speed), exact=True).click()
    page.goto(f"/t/{table}")
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    expect(page.get_by_role("radio", name=text_of("speed_value", speed=speed), exact=True)).to_be_checked()
    page.keyboard.press("Escape")
    page.evaluate(f"() => {{ window.turning = ({TURNING_TIME})(); }}")
    play_until_reveal(page)
    assert least < page.evaluate("() => window.turning") < most


def test_the_table_does_not_shine_through_a_reveal_without_motion(users: Users) -> None:
    page = users.open_page(None)  # it asks for reduced motion
    open_table(page, "gra", [None, BOT])
    page.locator(CONFIRM).wait_for()
    page.evaluate("""() => {
      const look = () => {
        if (!document.querySelector('.gra-reveal') || window.visible) return;
        window.visible = [...document.querySelectorAll('.gra-scene, .gra-scene *')]
          .filter((part) => getComputedStyle(part).visibility === 'visible').length + 1;
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    }""")
    play_until_reveal(page)
    assert page.evaluate("window.visible") == 1, "parts of the table are visible when the reveal comes"
