"""The application looks as it did. After a wanted change: run `make golden`, and read the diff."""

import pytest

from tests.terminal.golden_screens import FOLDER, SCREENS, GoldenScreen, path, text_of


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
async def test_a_screen_is_what_the_application_shows_today(screen: GoldenScreen) -> None:
    assert (await text_of(screen)).splitlines() == path(screen).read_text("utf-8").splitlines()


def test_every_file_is_a_screen_that_is_written() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == {path(screen).name for screen in SCREENS}
