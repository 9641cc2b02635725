"""Undo, refused moves, rematches, replays, the rules, and saved records."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from gramy import record
from tests.browser.players import edge
from tests.browser.test_multiplayer import lay, on_top, open_duel
from tests.browser.users import BOT, PHONE, Users, finish, hand, open_table, text_of, title

DUEL = "face-to-face"
# Records which piles are animated: a shake is too short to be observed.
COUNT_SHAKES = """() => {
  const animate = Element.prototype.animate;
  window.shaken = [];
  Element.prototype.animate = function (...how) {
    if (this.dataset?.pile) window.shaken.push(this.dataset.pile);
    return animate.apply(this, how);
  };
}"""


def test_a_card_can_be_undone_until_the_turn_ends(users: Users) -> None:
    _, page, other = open_duel(users)
    before = hand(page)
    tops = {pile: on_top(other, f"help-{pile}").text_content() or "" for pile in ("up", "down")}
    undo = page.locator("[data-button=undo]")
    expect(undo).to_have_attribute("aria-disabled", "true")
    for take_back in (undo.click, lambda: page.keyboard.press("u")):
        card, pile = lay(page)
        expect(undo).to_have_attribute("aria-disabled", "false")
        assert card not in hand(page)
        take_back()
        expect(page.locator(f'[data-card="{card}"]')).to_be_visible()
        assert hand(page) == before
        expect(on_top(other, f"help-{pile}")).to_have_text(tops[pile])


def test_an_illegal_move_shakes_the_pile_says_why_and_keeps_the_card_picked(users: Users) -> None:
    _, page, _ = open_duel(users)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(COUNT_SHAKES)
    card = page.locator("[data-card]").first
    card.click(position=edge(card))
    expect(page.locator("[data-pile=help-up]")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-pile=help-up]").click(force=True)  # dimmed, but it can be clicked
    why = text_of("nothing_to_improve", "en", DUEL)
    expect(page.locator(".note")).to_contain_text(why)
    expect(page.locator("#announcements")).to_contain_text(why)
    expect(card).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.shaken") == ["help-up"]
    page.keyboard.press("e")
    expect(page.locator(".note")).to_contain_text(text_of("lay_two", "en", DUEL, missing=2))


def test_a_rematch_keeps_the_seats(users: Users) -> None:
    page = users.open_page(None)
    table = open_table(page, "quick-easy", [None, BOT, BOT])
    page.locator("[data-card]").first.wait_for()
    names = page.locator(".seat b").all_inner_texts()
    assert len(names) == 3
    finish(page, table)
    page.get_by_role("button", name=text_of("rematch")).click()
    expect(page.locator("#result")).to_have_count(0)
    expect(page.locator(".table-page")).to_have_attribute("data-status", "playing")
    page.locator("[data-card]").first.wait_for()
    assert len(hand(page)) == 2
    assert page.locator(".seat b").all_inner_texts() == names


def step(page: Page) -> int:
    return int(page.get_by_role("slider").input_value())


def test_a_replay_shows_any_step_from_any_seat_and_has_a_link(users: Users) -> None:
    page = users.open_page(None)
    table = open_table(page, DUEL, [None, BOT])
    page.locator("[data-card]").first.wait_for()
    finish(page, table)
    page.get_by_role("link", name=text_of("to_replay")).click()
    slider = page.get_by_role("slider")
    slider.wait_for()
    last = int(slider.get_attribute("max") or 0)
    page.keyboard.press("Home")
    assert step(page) == 1
    for key, where in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("ArrowRight", last)):
        page.keyboard.press(key)
        expect(slider).to_have_value(str(where))
        assert page.url.endswith(f"#{where}")
    slider.fill("4")
    expect(page.locator(".log-line[aria-current]")).to_have_count(1)
    page.locator(".log-line button").nth(4).click()
    expect(slider).to_have_value("5")

    own = hand(page)
    page.get_by_label(text_of("point_of_view")).select_option("1")
    page.wait_for_url("**?seat=1#5")
    expect(page.locator(".half.mine")).to_have_attribute(
        "aria-label", text_of("board_half", "en", DUEL, ("", "Otto"), seat=1)
    )
    page.wait_for_function(
        "own => JSON.stringify([...document.querySelectorAll('[data-card]')].map((card) => card.dataset.card)) !== own",
        arg=str(own).replace("'", '"').replace(", ", ","),
    )
    assert step(page) == 5

    page.get_by_role("button", name=text_of("copy_link")).click()
    link = page.get_by_role("textbox", name=text_of("copy_link")).input_value()
    friend = users.open_page(link)
    friend.locator("[data-card]").first.wait_for()
    assert step(friend) == 5
    assert hand(friend) == hand(page)


@pytest.mark.parametrize("game", [DUEL, "quick-easy", "gra"])
def test_a_replay_without_a_seat_shows_all_hands_and_a_log_without_repetitions(users: Users, game: str) -> None:
    page = users.open_page(None)
    table = open_table(page, game, [None, BOT])
    page.locator(".log-line").first.wait_for(state="attached")
    expect(page.locator(".seats-place")).to_be_hidden()  # the board draws the players
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    expect(page.locator("dialog .seat")).to_have_count(2)
    page.keyboard.press("Escape")
    finish(page, table)
    page.goto(f"/replay/{table}/1#{5 if game == 'gra' else 3}")  # all cards are dealt, and in GRA the faces are chosen
    page.get_by_role("slider").wait_for()
    if game == "gra":
        expect(page.locator(".gra-faces")).to_have_count(1)
    else:
        for own_or_other in ("[data-card]", ".backs.open .little-face"):
            expect(page.locator(own_or_other)).to_have_count(6 if game == DUEL else 2)
    lines = page.locator(".log-line").all_inner_texts()
    assert not [two for two in pairwise(lines) if "ends the turn" in two[0] and re.search(r"^\w+ draws", two[1])]


def test_a_finished_match_can_be_saved_as_a_file(users: Users) -> None:
    page = users.open_page(None)
    table = open_table(page, "gra", [None, BOT])
    finish(page, table)
    with page.expect_download() as download:
        page.get_by_role("link", name=text_of("save_record")).click()
    assert re.fullmatch(r"gramy-gra-\d{4}-\d\d-\d\d-1\.gramy", download.value.suggested_filename)
    saved = record.parse(download.value.path().read_text("utf-8"))
    assert saved.outcome is not None


@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
def test_the_rules_can_be_read_in_each_language(users: Users, game: str) -> None:
    page = users.open_page("/")
    page.get_by_role("link", name=text_of("read_rules_label", title=title(game))).click()
    article = page.locator("article")
    seen = set()
    now = "en"
    for language in ("en", "pl", "de"):
        page.get_by_label(text_of("language", now)).select_option(language)
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        now = language
        page.wait_for_function(
            "seen => { const now = document.querySelector('article')?.innerText; return now && !seen.includes(now); }",
            arg=list(seen),
        )
        seen.add(article.inner_text())
        assert page.locator("article h1").is_visible()
    page.get_by_role("button", name=text_of("close", now)).click()
    expect(page.locator("h1")).to_have_text(text_of("tagline", now))


def test_the_contents_of_the_rules_lead_to_their_parts_without_a_step_in_the_history(users: Users) -> None:
    page = users.open_page("/", viewport=PHONE)
    page.get_by_role("link", name=text_of("read_rules_label", title=title("gra"))).click()
    parts = page.get_by_role("navigation", name=text_of("contents")).get_by_role("link")
    parts.first.wait_for()
    headings = page.locator("article h2").all_inner_texts()
    expect(parts).to_have_text(headings)
    parts.last.click()
    expect(page.locator("article h2").last).to_be_in_viewport()
    expect(page.locator("article h2").last).to_be_focused()
    page.reload()
    expect(page.locator("article h2").last).to_be_in_viewport()
    page.get_by_role("button", name=text_of("close")).click()
    expect(page.locator("#welcome")).to_be_visible()
