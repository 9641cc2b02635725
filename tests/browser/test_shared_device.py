"""A shared device besides its cards: clocks, people on another device, the result, sounds, forced colours."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.family import DICE, DUEL, TEAM, Family
from tests.browser.players import END, LIVE_CARD, OPEN_PILE, STATE, edge
from tests.browser.users import PHONE, Users, in_turn_order, text_of, title

CLOCK = {"minutes": 5, "seconds": 0}
SHORT_CLOCK = {"minutes": 0.5, "seconds": 0}
COVER, HAND_OVER = "dialog.cover", ".hand-over"
# Collects the pitches of all notes, and the notifications; the page says that it is in the background.
LISTEN = """() => {
  window.notes = [];
  window.notified = [];
  const set = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (value, at) {
    window.notes.push(value);
    return set.call(this, value, at);
  };
  window.Notification = class {
    static permission = 'granted';
    constructor(title, about) { window.notified.push([title, about.body]); }
    close() {}
  };
  localStorage.setItem('gramy.notify', 'true');
}"""
HIDE = "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
TURN_PITCHES = [880, 1319]
WIN_PITCHES = [523, 659, 784, 1047]


def family_at(users: Users, **about: Any) -> Family:
    """Return two people at one phone."""
    return Family(users.open_page(None, **{"viewport": PHONE, **about}), ["Ada", "Bo"])


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_the_cover_shows_whose_clock_runs_and_how_long(users: Users, language: str) -> None:
    family = family_at(users, locale=language)
    page, family.language = family.page, language
    family.open_table(DUEL, clock=SHORT_CLOCK)
    cover = page.locator(COVER)
    cover.wait_for()
    heading = cover.get_by_role("heading")
    [name] = [name for name in family.names if heading.inner_text() == text_of("pass_to", language, name=name)]
    expect(cover.locator(".cover-clock")).to_contain_text(text_of("pass_clock", language, name=name))
    expect(cover.locator(".clock")).to_have_text(re.compile(r"0:2\d"))
    first = cover.locator(".clock").inner_text()
    expect(cover.locator(".clock")).not_to_have_text(first)
    assert violations(page) == []
    expect(cover.locator(".clock.short")).to_be_visible()
    warning = text_of("pass_clock_short", language, name=name)
    expect(cover.get_by_role("status").filter(has_text=warning)).to_have_count(1)


def test_while_a_clock_runs_the_device_asks_sooner_for_the_next_person(users: Users) -> None:
    family = family_at(users)
    page = family.page
    page.clock.install()
    family.open_table(DUEL, clock=CLOCK)
    family.until("hand_over")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 3)  # a table without a clock waits for six seconds
    page.locator(COVER).wait_for()
    expect(page.locator(".cover-clock .clock")).to_be_visible()


def test_who_moves_on_to_another_device_is_asked_for_there_until_they_come_back(users: Users) -> None:
    family = family_at(users)
    page, phone = family.page, users.open_page(None, viewport=PHONE)
    tokens = family.open_table(DUEL)
    family.until("cover")
    phone.goto(f"{page.url}#seat={tokens[1]}")
    phone.locator("[data-card]").first.wait_for()
    cover = page.locator(COVER)
    expect(cover).to_contain_text(text_of("pass_elsewhere", name="Bo"))
    expect(cover.get_by_role("heading")).to_have_text(text_of("pass_to", name="Ada"))  # whoever has to move
    assert violations(page) == []
    family.take("Ada")
    if in_turn_order(page, phone)[0] is page:
        for _ in range(2):
            family.until("lay")
            family.lay()
        family.until("end")
        family.end()
    phone.locator(".table-page.my-turn").wait_for()
    expect(page.locator(".prompt")).to_contain_text("Bo")
    expect(page.locator(HAND_OVER)).to_have_count(0)

    # The way back: by closing the table there, and by taking this device.
    phone.goto("about:blank")
    page.locator(HAND_OVER).wait_for()
    phone.goto(f"{users.address}{page.url.removeprefix(users.address)}")
    expect(page.locator(HAND_OVER)).to_have_count(0)
    page.get_by_role("button", name=text_of("pass_tool")).click()
    family.take("Bo")
    page.locator(".table-page.my-turn").wait_for()


def test_a_page_that_is_open_twice_still_asks_for_everybody(users: Users) -> None:
    family = family_at(users)
    page = family.page
    family.open_table(DUEL)
    family.until("cover")
    second = page.context.new_page()
    second.goto(page.url)
    second.locator(COVER).wait_for()
    for one in (page, second):
        expect(one.locator(COVER)).not_to_contain_text(text_of("pass_elsewhere", name="Bo"))
        expect(one.locator(f"{COVER} button")).to_have_count(2)


@pytest.mark.parametrize("game", [DUEL, DICE])
def test_the_result_and_the_reveal_name_people_where_several_look(users: Users, game: str) -> None:
    family = family_at(users)
    page = family.page
    page.add_init_script(f"({LISTEN})()")
    family.open_table(game)
    family.play_on()
    winner = page.evaluate("document.querySelector('#result').textContent")
    assert winner in {text_of("named_won", name=name) for name in family.names}
    expect(page.locator(".medal.won")).to_have_count(1)  # somebody here has won, whoever holds the device
    page.wait_for_function("wanted => wanted.every((one) => notes.includes(one))", arg=WIN_PITCHES)
    assert 262 not in page.evaluate("notes")  # the last note of a defeat
    if game == DICE:
        expect(page.locator(".gra-winner")).to_have_text(winner)


@pytest.mark.parametrize("covered", [False, True], ids=["table", "cover"])
def test_a_move_from_elsewhere_calls_the_people_at_the_device(users: Users, covered: bool) -> None:
    family = family_at(users)
    page, guest = family.page, users.open_page(None)
    page.add_init_script(f"({LISTEN})()")
    family.open_table(TEAM, None, options={"players": "3"})
    assert guest.request.post(f"/api/tables/{page.url.rpartition('/')[2]}/join", data={"name": "Cy"}).ok
    guest.goto(page.url)
    family.until("cover")
    family.take("Bo")
    guest.locator("[data-button=start]").click()  # after one turn no player is stuck, whatever the cards
    guest.locator(".table-page.my-turn").wait_for()
    if covered:
        page.get_by_role("button", name=text_of("pass_tool")).click()
        page.locator(COVER).wait_for()
    page.evaluate(f"{HIDE}; notes.length = notified.length = 0")
    play_turn(guest)
    page.locator(COVER if covered else HAND_OVER).wait_for()
    page.wait_for_function("() => notified.length")
    assert page.evaluate("notified") == [[title(TEAM), text_of("notice_turn")]]
    page.wait_for_function("wanted => wanted.every((one) => notes.includes(one))", arg=TURN_PITCHES)


def play_turn(page: Page) -> None:
    """Lay one card and end the turn."""
    wait = f"state => ({STATE})(-1) === state"
    page.wait_for_function(wait, arg="lay")
    card = page.locator(LIVE_CARD).first
    card.click(position=edge(card))
    page.locator(OPEN_PILE).first.click()
    page.wait_for_function(wait, arg="end")
    page.locator(END).click()


def test_forced_colours_keep_the_cover_and_its_buttons_visible(users: Users) -> None:
    family = family_at(users, forced_colors="active")
    page = family.page
    family.open_table(DUEL, clock=CLOCK)
    family.until("cover")
    cover = page.locator(COVER)
    for part in (cover.locator(".seat-face"), *cover.get_by_role("button").all()):
        assert part.evaluate("one => parseFloat(getComputedStyle(one).borderTopWidth)") > 0, part.inner_text()
    drawn = cover.evaluate(
        """cover => {
          const texts = [...cover.querySelectorAll('h1, p, button, .clock')];
          const colours = texts.map((one) => getComputedStyle(one).color);
          return [...new Set([...colours, getComputedStyle(cover).backgroundColor])];
        }"""
    )
    assert len(drawn) == 2  # all texts have the system's colour, on its background
