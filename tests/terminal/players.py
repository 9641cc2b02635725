"""People who play the application: by keys or by the mouse, through Textual's pilot."""

import asyncio
import random
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

import gramy
from gramy.terminal.app import TerminalApp
from gramy.terminal.boards.gra import GraBoard
from gramy.terminal.boards.gra.bids import parse_bids
from gramy.terminal.boards.laying import LayingBoard
from gramy.terminal.command import open_table
from gramy.terminal.local import LocalSettings
from gramy.terminal.names import player_names
from gramy.terminal.pages.dialogs import HandOverPage, ResultPage, RevealPage
from gramy.terminal.pages.table import TablePage

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Flo")
SMALL, LARGE = (80, 24), (120, 40)


class Player:
    """One person, or several in turn, at the keyboard of an application that runs."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None], rng: random.Random | None = None) -> None:
        self.app, self.pilot, self.rng = app, pilot, rng or random.Random(0)

    @property
    def table(self) -> TablePage:
        return next(page for page in self.app.pages if isinstance(page, TablePage))

    @property
    def scene(self):
        return self.table.scene

    @property
    def text(self) -> str:
        """The screen as plain text."""
        return self.app.pane.canvas.text()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def click(self, region: str) -> None:
        area = self.app.pane.canvas.region_named(region)
        assert area is not None, f"{region} is not on the screen:\n{self.text}"
        await self.pilot.click(offset=(area.x + area.width // 2, area.y + area.height // 2))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition."""
        for _ in range(1500):
            if condition():
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"this has not happened:\n{self.text}")

    @property
    def is_asked(self) -> bool:
        """Whether the application waits for this person: a dialog is open, or it is their turn."""
        return not isinstance(self.app.top, TablePage) or self.scene.is_to_act

    async def play(self, act: Callable[[str], object], turns: int = 1000) -> None:
        """Play random legal moves until the result is shown, or for some turns."""
        for _ in range(turns):
            await self.until(lambda: self.is_asked)
            if isinstance(self.app.top, ResultPage):
                return
            if isinstance(self.app.top, HandOverPage | RevealPage):
                await self.press("enter")
                continue
            lines = len(self.scene.log)
            await act(self._choice(self.scene.view.moves))
            await self.until(lambda lines=lines: len(self.scene.log) > lines or self.scene.next_person is not None)

    def _choice(self, moves: tuple[str, ...]) -> str:
        """Return a random move; a check or the end of a turn often, so that matches are short."""
        short = [move for move in moves if move in ("check", "end")]
        return short[0] if short and self.rng.random() < 0.6 else self.rng.choice(moves[:12])

    # --- one move -----------------------------------------------------------------------------------------------------

    async def by_keys(self, move: str) -> None:
        board = self.table.board
        if move in ("start", "end", "check"):
            await self.press({"start": "s", "end": "e", "check": "c"}[move])
        elif isinstance(board, LayingBoard):
            pile, _, card = move.partition(" ")
            steps = board.hand().index(card) - board.hand().index(board.card)
            await self.press(*["right" if steps > 0 else "left"] * abs(steps), str(board.PILES.index(pile) + 1))
        elif isinstance(board, GraBoard):
            await self._choose_or_bid(board, move)

    async def _choose_or_bid(self, board: GraBoard, move: str) -> None:
        if move.startswith("choose "):
            for at, face in enumerate(move.split()[1:]):
                if board.faces[at] != int(face):
                    await self.press(str(at + 1))
        else:
            (bid,) = parse_bids([move])
            await self.press(str(bid.value))
            while board.bid.number != bid.number:
                await self.press("up" if board.bid.number < bid.number else "down")
            if board.bid.way != bid.way:
                await self.press("d")
        await self.press("enter")

    async def by_mouse(self, move: str) -> None:
        board = self.table.board
        if move in ("start", "end"):
            await self.click(f"action:{move}")
        elif move == "check":
            await self.click("action:c")
        elif isinstance(board, LayingBoard):
            pile, _, card = move.partition(" ")
            await self.click(f"card:{card}")
            await self.click(f"pile:{pile}")
        elif isinstance(board, GraBoard):
            if move.startswith("choose "):
                for at, face in enumerate(move.split()[1:]):
                    if board.faces[at] != int(face):
                        await self.click(f"card:{at}")
            else:
                (bid,) = parse_bids([move])
                await self.click(f"value:{bid.value}")
                while board.bid.number != bid.number:
                    await self.click("step:up" if board.bid.number < bid.number else "step:down")
            await self.click("action:enter")


@asynccontextmanager
async def running(app: TerminalApp, size=SMALL, rng=None):
    """Run an application without a terminal, and yield a player."""
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Player(app, pilot, rng)


def local_app(
    name, people=1, seed=1, language="en", level="easy", match=None, file: Path | None = None, key_guard=0.0, **options
):
    """Return an application with a table in this process, whose bots move at once."""
    game = gramy.game(name, **options)
    names = player_names(game, people, NAMES[: game.players], language)
    settings = LocalSettings(game, names, people, level, pause=0, key_guard=key_guard, file=file)
    return TerminalApp(lambda app: open_table(app, settings, random.Random(seed), match), language)
