"""A whole match of each game from the lobby to the result: by mouse, by keyboard, and by touch on a small phone.

Meanwhile the page never grows or scrolls, and a screen reader hears and reads no code of a card.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.height import (
    check_that_the_log_scrolls_in_itself,
    check_that_the_page_never_grew,
    turn_the_wheel,
    watch_the_height,
)
from tests.browser.listening import codes, heard, listen
from tests.browser.players import Keyboard, Mouse, Player, Touch
from tests.browser.users import PHONE, Users, text_of

GAMES = ("face-to-face", "quick-easy", "gra")
ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "no-preference"}
ENDINGS = ("you_won", "won_together")
GRADES = ("so_close", "nearly", "half_way", "ahead", "close", "second", "other")  # of a loss; each game has some


def play_through(users: Users, game: str, kind: type[Player], language: str = "en", **about: Any) -> Player:
    page = users.open_page(None, locale=language, **about)
    watch_the_height(page)
    listen(page)
    page.goto("/")
    player = kind(page, language)
    player.play(game)
    expect(page.locator("#result")).to_be_visible()
    graded = [text_of("board_result", language, game, grade=grade) for grade in GRADES]
    assert page.locator("#result").inner_text() in [*(text_of(key, language) for key in ENDINGS), *graded]
    assert heard(page)
    assert codes(page) == []
    check_that_the_page_never_grew(page)
    return player


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_mouse(users: Users, game: str) -> None:
    player = play_through(users, game, Mouse)
    if game == "face-to-face":
        check_that_the_log_scrolls_in_itself(player.page)
    turn_the_wheel(player.page)
    check_that_the_page_never_grew(player.page)


# Each game in one language: other tests announce the same texts in all of them.
@pytest.mark.parametrize(("game", "language"), [*zip(GAMES, ("pl", "de", "en"), strict=True)])
def test_a_whole_match_by_keyboard(users: Users, game: str, language: str) -> None:
    player = play_through(users, game, Keyboard, language)
    expect(player.page.locator("#result")).to_be_focused()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_touch_on_a_phone(users: Users, game: str) -> None:
    player = play_through(users, game, Touch, **ON_A_PHONE)
    assert isinstance(player, Touch)
    if player.done:  # without a legal move there is nothing to drag
        assert player.dragged
