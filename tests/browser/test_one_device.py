"""Several people at one device: it is handed over, and nobody's cards are in the page before their owner says so."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.family import DICE, DUEL, TEAM, Family
from tests.browser.geometry import resize
from tests.browser.players import CONFIRM
from tests.browser.users import DESK, PHONE, Users, text_of


def test_two_play_face_to_face_on_one_phone(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(DUEL)
    family.until("cover")
    for width, height in ((320, 568), (PHONE["width"], PHONE["height"])):
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []

    # Escape, Tab, Back and a reload show nothing.
    for key in ("Escape", "Escape", "Tab", "Tab", "Tab", "Tab", "Escape"):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('.cover')")
    family.next_name()
    page.go_back()
    page.locator(".lobby").wait_for()
    page.go_forward()
    family.until("cover")
    family.cover()
    page.wait_for_function("document.activeElement.id === 'content'")
    resize(page, DESK["width"], DESK["height"])
    page.evaluate("() => { window.busy = setInterval(() => dispatchEvent(new Event('wheel')), 500); }")
    family.until("hand_over")
    assert violations(page) == []
    page.evaluate("clearInterval(busy)")
    page.locator("dialog.cover").wait_for()  # without a press too, when the page was not touched for a while
    family.cover()
    family.until("lay")
    family.lay()
    page.reload()
    family.until("cover")
    assert family.next_name() == family.holders[-1]  # whose turn it still is
    family.play_on()

    assert set(family.holders) == {"Ada", "Bo"}
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
    page.get_by_role("button", name=text_of("rematch")).click()  # one press for both
    page.locator("dialog.cover").wait_for()
    family.next_name()


def test_two_agree_on_the_start_of_quick_and_easy_and_talk(users: Users) -> None:
    page = users.open_page(None)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(TEAM)  # a bot of a quick server would take the start at once
    family.until("cover")
    family.take("Ada")
    start = page.get_by_role("button", name=text_of("board_start", "en", TEAM))
    start.wait_for()
    expect(page.locator(".hand-over")).to_have_count(0)  # everybody may start, so nobody has to give the device away
    page.get_by_role("button", name=text_of("pass_tool")).click()
    assert family.next_name() == "Bo"
    family.take("Bo")
    page.locator(".phrasebook button").first.click()
    page.locator(".phrases button").first.click()
    expect(page.locator(".beside .log-line").last).to_contain_text("Bo")
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    link = page.get_by_label(text_of("other_device"), exact=True).input_value()
    assert link.endswith(page.evaluate("JSON.parse(localStorage['gramy.places'])[0].others[0]"))  # Bo's, not Ada's
    page.keyboard.press("Escape")
    page.get_by_role("button", name=text_of("pass_tool")).click()
    family.cover()
    assert family.holders == ["Ada", "Bo", "Ada"]
    assert page.locator(".phrases").count() == 0
    start.click()
    family.until("hand_over", "over")
    assert family.holders[-1] == "Ada"


def test_a_reveal_of_gra_with_a_bot_stays_until_it_was_read(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(DICE, "here", "bot")
    family.until("cover")
    family.cover()
    start = page.get_by_role("button", name=text_of("board_start", "en", DICE))
    page.locator(f"[data-button=start], {CONFIRM}").first.wait_for()
    if start.count():
        start.click()
    family.until("reveal")
    assert page.locator(".hand-over, .cover").count() == 0
    holder = family.holders[-1]
    family.reveal()
    family.until("choose", "hand_over", "over")
    assert family.holders[-1] == holder  # both have seen the reveal on the same screen
    assert {"Ada", "Bo"} == set(family.holders)


def test_two_here_and_one_on_another_device(users: Users) -> None:
    page, guest = users.open_page(None), users.open_page(None)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(DICE, "open", "open")
    for name in ("Dot", "Bo"):
        page.get_by_role("button", name=text_of("here_add")).first.click()
        page.get_by_label(text_of("seat_here_name", number=2)).fill(name)
        page.get_by_role("button", name=text_of("sit_down"), exact=True).click()
        expect(page.locator(".waiting-seats .person")).to_have_count(2)
        if name == "Dot":
            page.get_by_role("button", name=text_of("player_options", name=name)).click()
            page.get_by_role("button", name=text_of("free_seat"), exact=True).click()
            expect(page.locator(".waiting-seats .person")).to_have_count(1)
    assert violations(page) == []

    guest.goto(page.url)
    expect(guest.locator(".waiting-seats .gone.person")).to_have_count(0)  # both are here
    guest.get_by_label(text_of("nickname")).fill("Cy")
    guest.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    family.until("cover")
    family.cover()
    guest.locator(".gra").wait_for()
    seats: list[dict[str, Any]] = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["seats"]
    assert [(seat["name"], seat["online"]) for seat in seats] == [("Ada", True), ("Bo", True), ("Cy", True)]
    assert page.evaluate("JSON.parse(localStorage['gramy.places'])[0].others.length") == 1
