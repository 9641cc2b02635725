"""What a table shows of itself: the variants in force and the clock in words, and whole emoji in names."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.players import edge
from tests.browser.users import BOT, PHONE, Users, open_table, text_of
from tests.starting import by_lot

CLOCK = {"minutes": 5, "seconds": 10}
VARIANTS = [
    ("face-to-face", {"players": "2", "dead_end": "loss"}, "Dead ends: lose the match"),
    ("quick-easy", {"players": "2", "pro": "on"}, "Pro variant"),
    ("gra", {"players": "2", "fewer_cards": "on", "bid_order": "quantity_first"}, "Fewer cards"),
]
IN_FORCE = ".table-title .in-force"


def names_in_sheet(page: Page) -> list[str]:
    page.locator(IN_FORCE).click()
    page.locator("dialog[open] dt").first.wait_for()
    return page.locator("dialog[open] dt").all_inner_texts()


@pytest.mark.parametrize(("game", "options", "words"), VARIANTS)
def test_players_and_spectators_read_the_variants_and_the_clock(
    users: Users, game: str, options: dict[str, str], words: str
) -> None:
    player = users.open_page(None)
    agreed = {"starter": "agreed"} if by_lot(game) else {}
    table = open_table(player, game, [None, BOT], options=options | agreed, clock=CLOCK, public=True)
    spectator = users.open_page(f"/t/{table}", viewport=PHONE)
    for page in (player, spectator):
        expect(page.locator(IN_FORCE)).to_contain_text(words)
        expect(page.locator(IN_FORCE)).to_contain_text("5 minutes, plus 10 s a turn")
        shown = names_in_sheet(page)
        assert words in shown
        assert len(shown) == len(options)  # one for each variant, and the clock instead of the players
    guest = users.open_page("/")
    row = guest.locator(".tables .table-row", has_text=words)
    expect(row.filter(has_text="5 minutes, plus 10 s a turn").first).to_be_visible()


@pytest.mark.parametrize("language", ["pl", "de"])
def test_the_variants_are_in_the_users_language(users: Users, language: str) -> None:
    page = users.open_page(None, locale=language)
    open_table(page, "quick-easy", [None, BOT], options={"players": "2", "pro": "on"})
    expect(page.locator(IN_FORCE)).to_contain_text(text_of("variant", language, option="pro"))


def test_the_basic_game_without_a_clock_has_nothing_to_show(users: Users) -> None:
    page = users.open_page(None)
    open_table(page, "gra", [None, BOT], options={"starter": "agreed"})
    page.locator(".table-page.my-turn").wait_for()
    expect(page.locator(IN_FORCE)).to_have_count(0)


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


def test_a_joined_emoji_stays_whole_from_the_name_field_to_the_avatar(users: Users) -> None:
    page = users.open_page("/")
    name = page.get_by_label(text_of("nickname"))
    name.fill(FAMILY * 12)
    assert name.input_value() == FAMILY * 9  # as much as the server takes, and none is cut
    name.fill(f"{FAMILY} Ada")
    page.get_by_role("button", name=text_of("play_now")).first.click()
    page.locator(".table-page.my-turn").wait_for()
    expect(page.locator(".half.mine .avatar")).to_have_text(FAMILY)
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    expect(page.locator("dialog .seat.you .seat-face")).to_have_text(FAMILY)
    expect(page.locator("dialog .seat.you b")).to_contain_text(f"{FAMILY} Ada")


def test_forced_colours_keep_rising_and_falling_apart(users: Users) -> None:
    page = users.open_page(None, forced_colors="active")
    open_table(page, "face-to-face", [None, BOT])
    page.locator(".table-page.my-turn").wait_for()
    shapes = page.locator(".pile .arrow").evaluate_all(
        "all => all.map((one) => { const { clipPath, scale, backgroundColor } = getComputedStyle(one);"
        " return [clipPath.startsWith('polygon'), scale, backgroundColor]; })"
    )
    assert [shape for shape, _, _ in shapes] == [True] * 4
    assert [scale for _, scale, _ in shapes] == ["none", "1 -1", "none", "1 -1"]
    text = page.locator("body").evaluate("body => getComputedStyle(body).color")
    assert {colour for _, _, colour in shapes} == {text}, "an arrow in the colour of the background is not seen"
    pips = page.locator(".pips i")
    assert pips.count() == 2  # the cards that must still be laid
    assert set(pips.evaluate_all("all => all.map((one) => getComputedStyle(one).borderTopStyle)")) == {"solid"}
    card = page.locator("[data-card]:not(.dead)").first
    card.click(position=edge(card))
    page.locator(".pile.open").first.wait_for()
    outline = "one => getComputedStyle(one).outlineStyle"
    assert page.locator("[data-card][aria-pressed=true]").evaluate(outline) == "solid"
    styles = {
        kind: page.locator(f".pile.{kind} .slot").first.evaluate(outline)
        for kind in ("open", "closed")
        if page.locator(f".pile.{kind}").count()
    }
    assert styles.pop("open") == "solid"
    assert set(styles.values()) <= {"dashed"}
