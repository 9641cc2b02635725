"""Dialogs over the table: hand-over, reveal, result, keys, rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from gramy.drawing.pen import width
from gramy.terminal.boards.board import Action, GameBoard
from gramy.terminal.canvas import Area, Canvas, wrap
from gramy.terminal.pages.page import Desk, Page, draw_actions, draw_panel
from gramy.terminal.scene import LogRow
from gramy.terminal.words import Words
from gramy.text import family_page

ON = ("enter", "space")


class HandOverPage(Page):
    """Covers everything until the next person sits at the keyboard. At first, for `guard` seconds, keys are ignored."""

    def __init__(
        self,
        desk: Desk,
        words: Words,
        seat: int,
        taken: Callable[[], None],
        guard: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(desk)
        self.words, self.seat, self.taken = words, seat, taken
        self._clock, self._opens_at = clock, clock() + guard

    def draw(self, canvas: Canvas) -> None:
        middle = canvas.height // 2
        canvas.centre(0, middle - 4, canvas.width, self.words.title, "dim")
        canvas.centre(0, middle - 2, canvas.width, self.words.name(self.seat, 40), "accent")
        words = self.words.words("hand_over", seat=self.seat)
        canvas.paragraph(Area(10, middle, canvas.width - 20, 3), words, "", centred=True)
        actions = [Action("Enter", "enter", self.words.words("take_keyboard")), _leave(self.words)]
        draw_actions(canvas, canvas.height - 1, actions)

    def press(self, key: str) -> None:
        if self._clock() < self._opens_at:
            return
        if key in ON:
            self.desk.close(self)
            self.taken()
        elif key == "q":
            self.desk.leave()


class ConnectingPage(Page):
    """Shown until a server answers."""

    def __init__(self, desk: Desk, server: str) -> None:
        super().__init__(desk)
        self.server, self.words = server, Words("", (), desk.language)

    def draw(self, canvas: Canvas) -> None:
        middle = canvas.height // 2
        canvas.centre(0, middle - 1, canvas.width, self.server, "accent")
        canvas.centre(0, middle + 1, canvas.width, self.words.web("loading"), "dim")
        draw_actions(canvas, canvas.height - 1, [_leave(self.words)])

    def press(self, key: str) -> None:
        if key == "q":
            self.desk.leave()


class RevealPage(Page):
    """What a line of the log has revealed; it stays until Enter is pressed."""

    opaque = False

    def __init__(self, desk: Desk, board: GameBoard, row: LogRow, closed: Callable[[], None]) -> None:
        super().__init__(desk)
        self.board, self.row, self.closed = board, row, closed

    def draw(self, canvas: Canvas) -> None:
        players = len(self.board.words.names)
        draw_panel(canvas, 66, 14 + (players if players > 4 else 2 * players), self._inside)

    def _inside(self, canvas: Canvas) -> None:
        self.board.draw_reveal(self.row, canvas)
        draw_actions(canvas, canvas.height - 1, [Action("Enter", "enter", self.board.words.words("go_on"))])

    def press(self, key: str) -> None:
        if key in (*ON, "escape"):  # other keys were meant for the table, before the reveal came
            self.desk.close(self)
            self.closed()


class ResultPage(Page):
    """How the match ended, and what to do next."""

    opaque = False

    def __init__(self, desk: Desk, board: GameBoard, actions: Sequence[tuple[Action, Callable[[], None]]]) -> None:
        super().__init__(desk)
        self.board, self.choices = board, actions
        self.note = ""

    def draw(self, canvas: Canvas) -> None:
        draw_panel(canvas, 66, 11, self._inside)

    def _inside(self, canvas: Canvas) -> None:
        canvas.centre(0, 1, canvas.width, self.board.headline(), "accent")
        canvas.paragraph(Area(3, 3, canvas.width - 6, 2), self.board.result(), "", centred=True)
        canvas.paragraph(Area(3, 5, canvas.width - 6, 2), self.note, "good", centred=True)
        draw_actions(canvas, canvas.height - 1, [action for action, _ in self.choices])

    def press(self, key: str) -> None:
        for action, act in self.choices:
            if key == action.name:
                return act()
        if key in (*ON, "escape"):
            self.desk.close(self)
        return None


class KeysPage(Page):
    """The keys, each with what it does."""

    opaque = False

    def __init__(self, desk: Desk, words: Words, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(desk)
        self.words, self.keys = words, keys

    def draw(self, canvas: Canvas) -> None:
        rows = sum(len(wrap(what, 46)) for _, what in self.keys)
        draw_panel(canvas, 64, min(canvas.height, rows + 6), self._inside)

    def _inside(self, canvas: Canvas) -> None:
        canvas.centre(0, 0, canvas.width, self.words.web("keys"), "bold")
        y = 2
        for key, what in self.keys:
            canvas.put(12 - width(key), y, key, "accent")
            y += canvas.paragraph(Area(14, y, 46, 2), what)
        draw_actions(canvas, canvas.height - 1, [Action("Esc", "escape", self.words.web("close"))])

    def press(self, key: str) -> None:
        self.desk.close(self)


class RulesPage(Page):
    """The rules of the game, to scroll through."""

    def __init__(self, desk: Desk, words: Words) -> None:
        super().__init__(desk)
        self.words, self.first = words, 0
        self.source = family_page(words.game, words.language).splitlines()

    def draw(self, canvas: Canvas) -> None:
        columns = min(canvas.width - 4, 76)
        left, room = (canvas.width - columns) // 2, canvas.height - 2
        lines = [(part, _style(line)) for line in self.source for part in wrap(_plain(line), columns)]
        self.first = max(0, min(self.first, len(lines) - room))
        for row, (line, style) in enumerate(lines[self.first : self.first + room]):
            canvas.put(left, row, line, style)
        actions = [
            Action("↑ ↓", "down", self.words.words("scroll")),
            Action("Esc", "escape", self.words.web("close")),
        ]
        draw_actions(canvas, canvas.height - 1, actions)

    def press(self, key: str) -> None:
        steps = {"up": -1, "down": 1, "pageup": -20, "pagedown": 20, "space": 20, "home": -(10**6), "end": 10**6}
        if key in steps:
            self.first = max(0, self.first + steps[key])
        else:
            self.desk.close(self)

    def scroll(self, lines: int) -> None:
        self.first = max(0, self.first + lines)


def _style(line: str) -> str:
    return "accent" if line.startswith("#") else ""


def _plain(line: str) -> str:
    """Return a line of Markdown without its signs."""
    return (
        line.lstrip("#").strip().replace("**", "").replace("`", "") if line.startswith("#") else line.replace("**", "")
    )


def _leave(words: Words) -> Action:
    return Action("Q", "q", words.words("quit"))
