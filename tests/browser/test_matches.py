"""A whole match of each game from the lobby to the result: by mouse, by keyboard, and by touch on a small phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.players import Keyboard, Mouse, Player, Touch
from tests.browser.users import PHONE, Users, text_of

GAMES = ("face-to-face", "quick-easy", "gra")
ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "no-preference"}
ENDINGS = ("you_won", "won_together")
GRADES = ("so_close", "nearly", "half_way", "ahead", "close", "second", "other")  # of a loss; each game has some


def play_through(users: Users, game: str, kind: type[Player], **about: Any) -> Player:
    player = kind(users.open_page("/", **about))
    player.play(game)
    expect(player.page.locator("#result")).to_be_visible()
    graded = [text_of("board_result", "en", game, grade=grade) for grade in GRADES]
    assert player.page.locator("#result").inner_text() in [*(text_of(key) for key in ENDINGS), *graded]
    return player


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_mouse(users: Users, game: str) -> None:
    play_through(users, game, Mouse)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_keyboard(users: Users, game: str) -> None:
    player = play_through(users, game, Keyboard)
    expect(player.page.locator("#result")).to_be_focused()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_touch_on_a_phone(users: Users, game: str) -> None:
    player = play_through(users, game, Touch, **ON_A_PHONE)
    assert isinstance(player, Touch)
    if player.done:  # without a legal move there is nothing to drag
        assert player.dragged
    width = player.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], "the page is wider than the phone"
