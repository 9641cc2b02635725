"""A whole match of each game from the lobby to the result: by mouse, by keyboard alone, by finger on a small phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.players import Finger, Keyboard, Mouse, Player
from tests.browser.visitors import PHONE, Visitors, words

GAMES = ("face-to-face", "quick-easy", "gra")
ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "no-preference"}
ENDINGS = ("you_won", "you_lost", "won_together", "lost_together")


def play_through(visitors: Visitors, game: str, kind: type[Player], **about: Any) -> Player:
    player = kind(visitors.arrive("/", **about))
    player.play(game)
    expect(player.page.locator("#result")).to_be_visible()
    assert player.page.locator("#result").inner_text() in [words(key) for key in ENDINGS]
    return player


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_clicks(visitors: Visitors, game: str) -> None:
    play_through(visitors, game, Mouse)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_keys_alone(visitors: Visitors, game: str) -> None:
    player = play_through(visitors, game, Keyboard)
    expect(player.page.locator("#result")).to_be_focused()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_finger_on_a_phone(visitors: Visitors, game: str) -> None:
    player = play_through(visitors, game, Finger, **ON_A_PHONE)
    assert isinstance(player, Finger)
    if player.done:  # whoever cannot lay at all has nothing to drag
        assert player.dragged
    width = player.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], "the page is wider than the phone"
