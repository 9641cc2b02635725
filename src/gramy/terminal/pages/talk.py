"""The choice of phrases: arrows or a click choose one; a phrase that is not true is asked about first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gramy.drawing.pen import width
from gramy.terminal.boards.board import Action
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.pages.page import Desk, Page, draw_actions, draw_panel
from gramy.terminal.words import Words


class PhraseChoice(Protocol):
    """The phrases of a game, arranged in rows."""

    def rows(self) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """Return the rows: the style and the title of each, and its phrases with short labels."""

    def doubt(self, phrase: str) -> str | None:
        """Return what is not true about a phrase, None if nothing."""


class TalkPage(Page):
    """Phrases in rows; Enter says the chosen one."""

    opaque = False

    def __init__(self, desk: Desk, words: Words, choice: PhraseChoice, said: Callable[[str], None]) -> None:
        super().__init__(desk)
        self.words, self.choice, self.said = words, choice, said
        self.rows = choice.rows()
        self.row = self.column = 0
        self.doubted: str | None = None

    @property
    def chosen(self) -> str:
        """The phrase under the cursor."""
        return self.rows[self.row][2][self.column][0]

    def draw(self, canvas: Canvas) -> None:
        draw_panel(canvas, 78, 2 * len(self.rows) + 7, self._inside)

    def _inside(self, canvas: Canvas) -> None:
        canvas.centre(0, 0, canvas.width, self.words.board("board_talk"), "bold")
        for row, (style, title, phrases) in enumerate(self.rows):
            y = 2 + 2 * row
            canvas.put(1, y, title, style)
            x = 12
            for column, (phrase, label) in enumerate(phrases):
                chosen = (row, column) == (self.row, self.column)
                canvas.region(f"phrase:{phrase}", Area(x, y, width(label) + 2, 1))
                x = canvas.put(x, y, f"[{label}]" if chosen else f" {label} ", "card.picked" if chosen else "card") + 1
        y = 2 + 2 * len(self.rows)
        if self.doubted:
            words = f"{self.choice.doubt(self.doubted)} {self.words.board('board_say_anyway')}"
            canvas.centre(0, y, canvas.width, words, "bad")
        actions = [
            Action("Enter", "enter", self.words.board("board_say")),
            Action("Esc", "escape", self.words.web("close")),
        ]
        draw_actions(canvas, canvas.height - 1, actions)

    def press(self, key: str) -> None:
        if key == "enter":
            return self._say(self.chosen)
        if key in ("up", "down"):
            self.row = (self.row + (1 if key == "down" else -1)) % len(self.rows)
            self.column = min(self.column, len(self.rows[self.row][2]) - 1)
        elif key in ("left", "right"):
            self.column = (self.column + (1 if key == "right" else -1)) % len(self.rows[self.row][2])
        else:
            return self.desk.close(self)
        self.doubted = None
        return None

    def click(self, region: str) -> None:
        kind, _, phrase = region.partition(":")
        if kind != "phrase":
            return super().click(region)
        for row, (_, _, phrases) in enumerate(self.rows):
            for column, (one, _) in enumerate(phrases):
                if one == phrase:
                    self.row, self.column = row, column
        return self._say(phrase)

    def _say(self, phrase: str) -> None:
        """Say a phrase; one that is not true of the hand needs a second Enter."""
        if self.choice.doubt(phrase) and self.doubted != phrase:
            self.doubted = phrase
            return
        self.desk.close(self)
        self.said(phrase)
