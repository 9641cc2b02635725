"""Table talk in Quick & Easy: what was said stays while it holds, on every screen, and the choice hides no card."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from gramy.games.quick_easy.notation import CARDS
from gramy.games.quick_easy.rules import BANDS, COLOURS, band
from tests.browser.accessibility import SETTLED, violations
from tests.browser.geometry import resize
from tests.browser.test_multiplayer import lay
from tests.browser.users import BOT, BY_LOT, Users, hand, in_turn_order, join, open_table, text_of

TEAM = "quick-easy"
NAMES = ("Ada", "Mimi", "Bartholomäus", "Bo", "Zuzanna")
COLOUR_OF = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "S": "grey"}
# The bubbles that cannot be read: hidden, cut off, covered, outside of their partner, or too small.
UNREADABLE = """() => [...document.querySelectorAll('.partner')].flatMap((partner) => {
  const frame = partner.getBoundingClientRect();
  return [...partner.querySelectorAll('.bubble')].filter((bubble) => {
    const words = [...bubble.querySelectorAll('.phrase > span')];
    return !words.length || words.some((word) => {
      const range = document.createRange();
      range.selectNodeContents(word);
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return !width || left < frame.left || right > frame.right + 0.5 || top < frame.top || bottom > frame.bottom + 0.5
        || right > innerWidth || !bubble.contains(above) || parseFloat(getComputedStyle(word).fontSize) < 11;
    });
  }).map((bubble) => {
    const { left, right, top, bottom } = bubble.getBoundingClientRect();
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return `${bubble.dataset.phrase} at ${[left, top, right, bottom]} below ${above?.outerHTML.slice(0, 80)}`;
  });
})"""
# Which parts that belong to the player the open choice covers, and whether it leaves the window.
COVERED = """() => {
  const box = document.querySelector('.phrases').getBoundingClientRect();
  const meets = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  };
  const found = [...document.querySelectorAll('[data-card] .card')].filter(meets).map(() => 'a card');
  if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) found.push('the edge');
  for (const button of document.querySelectorAll('.phrases .button')) {
    const { width, height } = button.getBoundingClientRect();
    if (width < 44 || height < 44) found.push(`a button of ${width} x ${height}`);
    if (button.scrollWidth > button.clientWidth || button.scrollHeight > button.clientHeight)
      found.push(`the text of ${button.dataset.phrase}`);
  }
  return found;
}"""
PHONES = [(320, 568), (320, 640), (360, 740), (390, 844)]
SIDEWAYS = [(568, 320), (740, 360), (844, 390)]


def sit_together(users: Users, players: int, pro: str = "off", **about: Any) -> tuple[str, list[Page]]:
    """Open a table for some users; return it and their pages, by seat."""
    pages = [users.open_page(None, **about) for _ in range(players)]
    table = open_table(pages[0], TEAM, [None] * players, options={**BY_LOT, "players": str(players), "pro": pro})
    for page, name in zip(pages[1:], NAMES[1:], strict=False):
        join(page, table, name)
        page.goto(f"/t/{table}")
    for page in pages:
        page.locator("[data-card]").first.wait_for()
    return table, pages


def unreadable(page: Page) -> list[str]:
    """Return the phrases that cannot be read. After a resize, hit tests answer by the old layout for some frames."""
    with contextlib.suppress(TimeoutError):
        page.wait_for_function(f"() => ({UNREADABLE})().length === 0", timeout=5_000)
    found: list[str] = page.evaluate(UNREADABLE)
    return found


def say(page: Page, phrase: str) -> None:
    """Say a phrase by the menu, true or not."""
    first, _, second = phrase.partition(" ")
    page.locator(f'[data-about="{first if first in COLOURS else "piles"}"]').click()
    if page.locator(".doubt").count() == 0 and page.locator(".phrases").count():
        page.locator(f'.phrases [data-phrase="{phrase}"]').click()
    page.wait_for_function("() => !document.querySelector('.phrases') || document.querySelector('.doubt')")
    if page.locator(".doubt").count():
        page.locator("[data-button=say]").click()
    expect(page.locator(".phrases")).to_have_count(0)
    expect(page.locator(f'.note [data-phrase="{first} {second}"], .note [data-phrase="{first}"]').first).to_be_visible()


def heard_from(page: Page, name: str) -> list[str]:
    """Return the phrases that a page shows for a partner."""
    partner = page.locator(".partner").filter(has_text=name)
    return [one.get_attribute("data-phrase") or "" for one in partner.locator(".bubble").all()]


def phrase_for(card: str) -> str:
    return f"{COLOUR_OF[card[0]]} {band(CARDS[card])}"


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_all_talk_of_four_partners_is_readable_on_phones(users: Users, language: str) -> None:
    _, pages = sit_together(users, 5, locale=language)
    for number, page in enumerate(pages[1:]):
        say(page, f"{COLOURS[number]} highish")
        say(page, f"{COLOURS[number + 1]} lowish")
    page = pages[0]
    expect(page.locator(".partner .bubble")).to_have_count(8)
    for width, height in [*PHONES, *SIDEWAYS, (768, 1024), (1280, 800)]:
        resize(page, width, height)
        assert unreadable(page) == [], f"{width} x {height}"
        end = page.locator("[data-button=end]").bounding_box()
        assert end is not None
        assert end["y"] + end["height"] <= height, f"the button is cut off at {width} x {height}"
    page.set_viewport_size({"width": 320, "height": 568})
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_the_talk_of_the_pro_variant_is_readable_on_phones(users: Users, language: str) -> None:
    _, pages = sit_together(users, 4, "on", locale=language)
    for phrase in ("red", "blue", "mine up", "turn down"):
        say(pages[1], phrase)
    for page, phrase in zip(pages[2:], ("green", "mine down"), strict=True):
        say(page, phrase)
    page = pages[0]
    expect(page.locator(".partner .bubble")).to_have_count(6)
    for width, height in [*PHONES, *SIDEWAYS, (768, 1024), (1280, 800)]:
        resize(page, width, height)
        assert unreadable(page) == [], f"{width} x {height}"


def test_what_was_said_is_there_for_late_viewers_and_after_a_reload(users: Users) -> None:
    table, pages = sit_together(users, 2)
    speaker, listener = in_turn_order(*pages)
    name = NAMES[pages.index(speaker)]
    first, second = hand(speaker)
    phrases = list(dict.fromkeys(phrase_for(card) for card in (first, second)))
    for phrase in phrases:
        say(speaker, phrase)
    expect(listener.locator(".partner .bubble")).to_have_count(len(phrases))
    card, _ = lay(speaker)
    rest = [phrase for phrase in phrases if phrase != phrase_for(card)]
    expect(listener.locator(".partner .bubble")).to_have_count(len(rest))
    assert heard_from(listener, name) == rest
    speaker.locator("[data-button=undo]").click()
    expect(listener.locator(".partner .bubble")).to_have_count(len(phrases))
    assert heard_from(listener, name) == phrases

    card, _ = lay(speaker)
    speaker.locator("[data-button=end][aria-disabled=false]").click()
    expect(listener.locator(".table-page.my-turn")).to_be_visible()
    assert heard_from(listener, name) == rest  # the other card is still in the speaker's hand
    listener.reload()
    expect(listener.locator(".partner .bubble")).to_have_count(len(rest))
    assert heard_from(listener, name) == rest
    spectator = users.open_page(f"/t/{table}")
    spectator.locator(".partner").first.wait_for()
    expect(spectator.locator(".bubble")).to_have_count(len(rest))


def test_the_choice_of_phrases_hides_no_own_card_and_says_what_heights_mean(
    users: Users, subtests: pytest.Subtests
) -> None:
    page = users.open_page(None, locale="de")
    open_table(page, TEAM, [None, BOT, BOT, BOT, BOT], options={**BY_LOT, "players": "5"})
    page.locator(".table-page.my-turn [data-card]").nth(1).wait_for()
    for width, height in [*PHONES, *SIDEWAYS, (768, 1024), (1024, 768), (1280, 800)]:
        resize(page, width, height)
        with subtests.test(width=width, height=height):
            check_choice_of_phrases(page)


def check_choice_of_phrases(page: Page) -> None:
    """Open the choices of a colour and of the piles: they cover no card, move nothing, and have their texts."""
    places = [card.bounding_box() for card in page.locator("[data-card]").all()]
    ways = page.locator("[data-about=piles] .arrow").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).scale)"
    )
    assert ways == ["none", "1 -1"]  # one points up and one down, also with forced colours
    for about in ("green", "piles"):
        page.locator(f'[data-about="{about}"]').click()
        page.locator(".phrases .button").first.wait_for()
        page.evaluate(SETTLED)
        assert page.evaluate(COVERED) == []
        assert [card.bounding_box() for card in page.locator("[data-card]").all()] == places  # nothing moves
        if about == "green":
            shown = [one.inner_text() for one in page.locator(".phrases .button small").all()]
            assert shown == ["1–2", "3–4", "5–6", "7–8", "9–10"]
            expect(page.get_by_role("button", name="(3 bis 4)")).to_be_visible()
        page.get_by_role("button", name=text_of("close", "de"), exact=True).click()
        expect(page.locator(".phrases")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_phrase_that_is_not_true_is_questioned_before_it_is_sent(users: Users, language: str) -> None:
    page = users.open_page(None, locale=language)
    open_table(page, TEAM, [None, BOT], options={**BY_LOT, "players": "2"})
    page.locator("[data-card]").nth(1).wait_for()
    held = {phrase_for(card) for card in hand(page)}
    untrue = next(f"{colour} {word}" for colour in COLOURS for word in BANDS if f"{colour} {word}" not in held)
    colour = untrue.split()[0]
    own = page.locator(".note .bubble")
    page.locator(f'[data-about="{colour}"]').click()
    page.locator(f'.phrases [data-phrase="{untrue}"]').click()
    expect(page.locator(".doubt")).to_contain_text(text_of("board_untrue", language, TEAM, phrase=untrue))
    expect(page.locator(".doubt")).to_contain_text(text_of("board_say_anyway", language, TEAM))
    assert violations(page) == []
    page.get_by_role("button", name=text_of("cancel", language)).click()
    expect(page.locator(".phrases")).to_have_count(0)
    expect(own).to_have_count(0)

    say(page, true := sorted(held)[0])  # without a question
    expect(own).to_have_count(1)
    assert own.get_attribute("data-phrase") == true
    page.locator(f'[data-about="{colour}"]').click()
    page.locator(f'.phrases [data-phrase="{untrue}"]').click()
    page.get_by_role("button", name=text_of("board_say", language, TEAM)).click()
    expect(page.locator(f'.note .bubble[data-phrase="{untrue}"]')).to_be_visible()
    page.locator("[data-about=piles]").click()
    page.locator('.phrases [data-phrase="turn up"]').click()
    if page.locator(".pile.up .start-card").count():  # nothing to turn back yet
        expect(page.locator(".doubt")).to_contain_text(text_of("board_untrue", language, TEAM, phrase="turn up"))


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_the_pro_variant_asks_for_one_card(users: Users, language: str) -> None:
    page = users.open_page(None, locale=language)
    open_table(page, TEAM, [None, BOT], options={**BY_LOT, "players": "2", "pro": "on"})
    page.locator(".table-page.my-turn").wait_for()
    expect(page.locator(".prompt")).to_have_text(text_of("board_lay_pro", language, TEAM))
    lay(page)
    expect(page.locator(".prompt")).to_have_text(text_of("board_end_now", language, TEAM))
