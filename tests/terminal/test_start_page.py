"""The page on which a game is chosen: every setting by keys and by the mouse, in three languages."""

import random

import pytest

from gramy.terminal.app import TerminalApp
from gramy.terminal.command import open_start, open_table
from gramy.terminal.local import LocalSettings
from gramy.terminal.names import player_names
from gramy.terminal.pages.start import StartPage
from gramy.terminal.pages.table import TablePage
from gramy.text import LANGUAGES
from tests.terminal.players import running


def starting(language="en"):
    """Return an application that begins with the page, and the list to which it adds what was chosen."""
    chosen = []

    def begin(app):
        def opened(game, people, level):
            chosen.append((game, people, level))
            names = player_names(game, people, (), language)
            open_table(app, LocalSettings(game, names, people, level, pause=0, key_guard=0), random.Random(1), None)

        open_start(app, opened, 1, "easy")

    return TerminalApp(begin, language), chosen


async def test_enter_begins_with_what_was_chosen_by_keys():
    app, chosen = starting()
    async with running(app) as player:
        await player.press(
            "right", "right", "down", "right", "down", "right", "down", "right", "down", "right", "enter"
        )
        await player.until(lambda: isinstance(app.top, TablePage) or len(app.pages) > 1)
        ((game, people, level),) = chosen
        assert (game.name, game.players, people, level) == ("gra", 3, 2, "medium")
        assert game.variants == ("jokers",)


async def test_a_click_chooses_a_value():
    app, chosen = starting()
    async with running(app) as player:
        await player.click("value:0 1")
        await player.click("value:1 3")
        await player.click("action:enter")
        await player.until(lambda: bool(chosen))
        assert (chosen[0][0].name, chosen[0][0].players) == ("quick-easy", 5)


async def test_options_of_a_game_are_kept_while_another_one_is_looked_at():
    app, _ = starting()
    async with running(app) as player:
        await player.press("right", "down", "right", "up", "right")
        assert isinstance(app.top, StartPage)
        assert app.top.game.name == "gra"
        await player.press("left")
        assert app.top.game.players == 3


async def test_people_in_all_seats_need_no_level():
    app, chosen = starting()
    async with running(app) as player:
        assert "Bot level" in player.text
        await player.press("down", "right")
        assert "Bot level" not in player.text
        await player.press("enter")
        await player.until(lambda: bool(chosen))
        assert chosen[0][1] == 2


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_setting_fits_the_smallest_window(language):
    app, _ = starting(language)
    async with running(app) as player:
        await player.press("right", "right")
        for _ in range(len(app.top.settings())):
            await player.press("down")
            assert "…" not in player.text
            assert app.top.settings()[-1].shown[-1] in player.text
