"""Write the golden screens: `python -m tests.terminal.golden_screens`, or `make golden`. Read the diff first.

A golden screen is the application's window as plain text after some keys, in a file of `screens/`.
"""

import asyncio
import random
from pathlib import Path
from typing import Any, NamedTuple

import gramy
from gramy.terminal.app import TerminalApp
from gramy.terminal.pages.replay import ReplayPage
from tests.terminal.players import LARGE, NAMES, SMALL, local_app, running

FOLDER = Path(__file__).parent / "screens"


class GoldenScreen(NamedTuple):
    """A window after some keys. With `line` it is a replay that begins at that line."""

    name: str
    game: str
    keys: str
    language: str = "en"
    size: tuple[int, int] = SMALL
    people: int = 1
    options: dict[str, Any] = {}  # noqa: RUF012  # nobody changes it
    line: int | None = None


SCREENS = (
    GoldenScreen("face-to-face-picked", "face-to-face", "enter"),
    GoldenScreen("face-to-face-refused-de", "face-to-face", "3", "de"),
    GoldenScreen("face-to-face-large", "face-to-face", "1 right enter", size=LARGE),
    GoldenScreen("face-to-face-keys-pl", "face-to-face", "?", "pl"),
    GoldenScreen("quick-easy-start-pl", "quick-easy", "", "pl", options={"players": 5}),
    GoldenScreen("quick-easy-picked", "quick-easy", "s 1 enter", options={"players": 3}),
    GoldenScreen("quick-easy-talk-de", "quick-easy", "t down right", "de", options={"players": 3}),
    GoldenScreen("quick-easy-large", "quick-easy", "s enter", size=LARGE, options={"players": 5, "pro": True}),
    GoldenScreen("gra-bidding", "gra", "s enter up", options={"players": 6, "jokers": True, "directions": True}),
    GoldenScreen("gra-bidding-large-pl", "gra", "s enter", "pl", LARGE, options={"players": 4, "jokers": True}),
    GoldenScreen("gra-reveal", "gra", "enter c", options={"players": 2, "starter": "lot"}),
    GoldenScreen("gra-hand-over-de", "gra", "", "de", people=2, options={"players": 3}),
    GoldenScreen("gra-replay", "gra", "right right", line=20, options={"players": 3}),
    GoldenScreen("face-to-face-replay-large-de", "face-to-face", "", "de", LARGE, line=30),
)


async def text_of(screen: GoldenScreen) -> str:
    """Return the window as plain text after the keys of a screen."""
    async with running(_app(screen), screen.size) as player:
        if screen.line is None:
            await player.until(lambda: player.is_asked)
        for key in screen.keys.split():
            await player.press(key)
            if screen.line is None:
                await player.until(lambda: player.is_asked)
        await player.pilot.pause()
        return player.text + "\n"


def _app(screen: GoldenScreen) -> TerminalApp:
    if screen.line is None:
        return local_app(screen.game, screen.people, 3, screen.language, **screen.options)
    rng, game = random.Random(1), gramy.game(screen.game, **screen.options)
    match = gramy.match(screen.game, seed=4, names=NAMES[: game.players], **screen.options)
    while match.to_act:
        seat = match.to_act[0]
        match.play(rng.choice(match.moves(seat)), seat)
    return TerminalApp(lambda app: app.open(ReplayPage(app, match, line=screen.line)), screen.language)


def path(screen: GoldenScreen) -> Path:
    return FOLDER / f"{screen.name}.txt"


def main() -> None:
    """Rewrite every screen and remove those that are no longer written."""
    FOLDER.mkdir(exist_ok=True)
    for file in set(FOLDER.glob("*.txt")) - {path(screen) for screen in SCREENS}:
        file.unlink()
    for screen in SCREENS:
        path(screen).write_text(asyncio.run(text_of(screen)), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
