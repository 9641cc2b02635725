"""The lobby: "Play now" with the user's own settings, and a layout without holes on every device."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.geometry import resize
from tests.browser.players import play_now
from tests.browser.users import PHONE, Users, finish, text_of, title

GAME = "gra"


def settings_of(page: Page, game: str, language: str = "en") -> Any:
    """Return the button with the settings of "Play now"."""
    card = page.locator(f"[data-game={game}]")
    return card.locator(".play-settings")


def table_of(page: Page) -> dict[str, Any]:
    """Return the table that the page shows."""
    page.wait_for_url("**/t/*")
    answer: dict[str, Any] = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
    return answer


def test_players_level_and_variants_are_one_press_away_and_kept(users: Users) -> None:
    page = users.open_page("/")
    expect(settings_of(page, GAME)).to_have_text("3 players · easy")
    settings_of(page, GAME).click()
    sheet = page.locator("dialog[open]")
    sheet.get_by_role("radio", name="4", exact=True).check(force=True)
    sheet.get_by_role("radio", name=text_of("level", level="hard")).check(force=True)
    sheet.get_by_role("switch", name=text_of("variant", option="jokers")).check()
    sheet.get_by_role("button", name=text_of("play_now")).click()
    table = table_of(page)
    assert table["options"]["players"] == "4"
    assert table["options"]["jokers"] == "on"
    assert [seat["level"] for seat in table["seats"]] == [None, "hard", "hard", "hard"]

    page.goto("/")
    expect(settings_of(page, GAME)).to_have_text("4 players · hard · Jokers")
    expect(settings_of(page, "quick-easy")).to_have_text("3 players · hard")  # each game has its own
    play_now(page, GAME).click()
    again = table_of(page)
    assert again["table"] != table["table"]
    assert again["options"] == table["options"]
    assert [seat["level"] for seat in again["seats"]] == [None, "hard", "hard", "hard"]


def test_a_table_with_friends_has_the_settings_of_the_last_one(users: Users) -> None:
    page = users.open_page("/")
    open_form = page.get_by_role("button", name=f"{text_of('open_table')}: {title(GAME)}")
    open_form.click()
    page.get_by_role("radio", name="5", exact=True).check(force=True)
    page.get_by_role("switch", name=text_of("variant", option="directions")).check()
    page.get_by_role("button", name=text_of("open_now")).click()
    assert table_of(page)["options"]["directions"] == "on"
    page.goto("/")
    expect(settings_of(page, GAME)).to_have_text("3 players · easy")  # alone is another matter
    open_form.click()
    expect(page.get_by_role("radio", name="5", exact=True)).to_be_checked()
    expect(page.get_by_role("switch", name=text_of("variant", option="directions"))).to_be_checked()


def test_settings_that_a_game_no_longer_has_are_dropped(users: Users) -> None:
    page = users.open_page(None)
    page.add_init_script(
        "localStorage['gramy.last.alone'] = JSON.stringify({ gra: "
        "{ players: 99, options: { jokers: 'sometimes', gone: 'on', directions: 'on' } } })"
    )
    page.goto("/")
    expect(settings_of(page, GAME)).to_have_text("6 players · easy · Directions")
    play_now(page, GAME).click()
    assert (
        table_of(page)["options"] | {"players": "6", "directions": "on", "jokers": "off"} == table_of(page)["options"]
    )


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_on_a_phone_name_and_level_come_before_the_first_play_button(
    users: Users, subtests: pytest.Subtests, language: str
) -> None:
    page = users.open_page("/", locale=language, viewport=PHONE, has_touch=True)
    play = page.locator(".game .primary").first
    play.wait_for()
    for width in (320, 360, 390):
        resize(page, width, 740)
        with subtests.test(width=width):
            first = play.bounding_box()
            name = page.get_by_label(text_of("nickname", language)).bounding_box()
            level = page.get_by_role("group", name=text_of("level_label", language)).bounding_box()
            assert first is not None
            assert name is not None
            assert level is not None
            assert name["y"] < level["y"] < first["y"]
            assert first["y"] < 740  # seen without scrolling
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert violations(page, "light") == []


def test_on_a_tablet_the_games_leave_no_hole(users: Users, subtests: pytest.Subtests) -> None:
    page = users.open_page("/")
    page.locator(".game").nth(2).wait_for()
    for width in (600, 768, 820, 999):
        resize(page, width, 1180)
        with subtests.test(width=width):
            boxes = [game.bounding_box() for game in page.locator(".game").all()]
            assert len(boxes) == 3
            assert len({(box["x"], box["width"]) for box in boxes if box}) == 1  # one below the other, all as wide
            assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_settings_of_play_now_are_accessible(users: Users) -> None:
    page = users.open_page("/", viewport=PHONE)
    settings_of(page, GAME).click()
    page.locator("dialog[open] form").wait_for()
    assert violations(page) == []


def test_a_match_that_is_over_stays_in_the_lobby_with_its_replay(users: Users) -> None:
    page = users.open_page("/")
    play_now(page, GAME).click()
    table = table_of(page)["table"]
    finish(page, table)
    page.goto("/")
    section = page.get_by_role("region", name=text_of("played"))
    expect(section.locator(".table-row")).to_have_count(1)
    assert violations(page) == []
    section.get_by_role("link").click()
    page.locator(".scrubber").wait_for()
    assert page.url.startswith(f"{users.address}/replay/{table}/1?seat=0")
    page.goto("/")
    section.get_by_role("button").click()
    expect(section).to_have_count(0)
