"""What a page is, and what it may ask of the application."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

from gramy.drawing.pen import width
from gramy.terminal.boards.board import Action
from gramy.terminal.canvas import Area, Canvas


class Desk(Protocol):
    """The application as pages see it: a stack of pages, and work in the background."""

    language: str

    def open(self, page: Page) -> None:
        """Put a page on top."""

    def close(self, page: Page) -> None:
        """Take a page away."""

    @property
    def top(self) -> Page:
        """The page that gets keys and clicks."""

    def run_soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background; the pages are drawn again when it ends."""

    def repaint(self) -> None:
        """Draw the pages again."""

    def toggle_light(self) -> None:
        """Change between dark and light colours."""

    def leave(self) -> None:
        """End the application."""


class Page(ABC):
    """A page. An opaque one covers the whole screen, another one is drawn over the page below."""

    opaque = True

    @property
    def ticks(self) -> bool:
        """Whether the page shows seconds, and is drawn again every second."""
        return False

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draw the page."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Use a key."""

    def click(self, region: str) -> None:
        """Use a click on a region. By default the region of an action has the name of its key."""
        self.press(region.removeprefix("action:"))

    def scroll(self, lines: int) -> None:
        """Scroll what can be scrolled, downwards if positive; by default by keys."""
        self.press("down" if lines > 0 else "up")


def draw_actions(canvas: Canvas, y: int, actions: Sequence[Action], x: int = 0, columns: int | None = None) -> None:
    """Write actions with their keys in a row, as many as there is room for; the last one is always there."""
    columns = columns or canvas.width
    canvas.fill(Area(x, y, columns, 1), "bar")
    shown = list(actions)
    while len(shown) > 1 and row_width(shown, 1) > columns - 2:
        shown.pop(-2)
    gap = 2 if row_width(shown, 2) <= columns - 2 else 1
    x += 1
    for action in shown:
        canvas.region(f"action:{action.name}", Area(x, y, row_width([action], 0), 1))
        after = canvas.put(x, y, action.key, "bar.key" if action.enabled else "bar.off")
        x = canvas.put(after + 1, y, action.label, "bar" if action.enabled else "bar.off") + gap


def row_width(actions: Sequence[Action], gap: int) -> int:
    """Return the columns that actions need beside each other."""
    return sum(width(f"{action.key} {action.label}") for action in actions) + gap * (len(actions) - 1)


def draw_panel(canvas: Canvas, columns: int, rows: int, draw: Callable[[Canvas], None]) -> None:
    """Draw a framed panel in the middle of the screen."""
    columns, rows = min(columns, canvas.width), min(rows, canvas.height)
    area = Area((canvas.width - columns) // 2, (canvas.height - rows) // 2, columns, rows)
    canvas.clear_regions()
    canvas.box(area, "accent")
    inside = Canvas(columns - 2, rows - 2)
    draw(inside)
    canvas.paste(inside, area.x + 1, area.y + 1)
