"""The application, played by Textual's pilot: whole matches, every key, and what each person sees."""

import pytest

from gramy.terminal.pages.dialogs import ResultPage
from tests.terminal.players import local_app, running

MATCHES = [
    ("face-to-face", 1, {}),
    ("face-to-face", 2, {}),
    ("quick-easy", 1, {"players": 3}),
    ("quick-easy", 2, {"players": 4, "pro": True}),
    ("gra", 1, {"players": 3, "jokers": True, "directions": True}),
    ("gra", 2, {"players": 2}),
]


@pytest.mark.parametrize(("name", "people", "options"), MATCHES)
async def test_a_match_is_played_to_its_end_by_keys(name, people, options):
    async with running(local_app(name, people, **options)) as player:
        await player.play(player.by_keys)
        assert isinstance(player.app.top, ResultPage)
        assert player.scene.view.outcome is not None
        assert player.table.board.result().split(".")[0] in " ".join(player.text.split())
