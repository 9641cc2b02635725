"""The application: one Textual widget that shows the pages, and workers for what takes time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

from gramy.console import as_ascii
from gramy.drawing.pen import width
from gramy.errors import GramyError
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.pages.page import Page
from gramy.terminal.palette import DARK, LIGHT
from gramy.terminal.words import Words

LEAST_COLUMNS, LEAST_ROWS = 80, 24
"""The smallest window in which everything fits."""


@cache
def style(name: str, light: bool) -> Style:
    """Return the style of a name."""
    return Style.parse((LIGHT if light else DARK)[name])


class CanvasPane(Widget):
    """Shows a canvas, and reports clicks on its regions."""

    DEFAULT_CSS = "CanvasPane { width: 100%; height: 100%; }"

    def __init__(self, paint: Callable[[Canvas], None], light: bool, ascii_only: bool) -> None:
        super().__init__()
        self.paint, self.light, self.ascii_only = paint, light, ascii_only
        self.canvas = Canvas(0, 0)

    def repaint(self) -> None:
        """Draw everything again."""
        self.canvas = Canvas(self.size.width, self.size.height)
        self.paint(self.canvas)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        self.repaint()

    def render_line(self, y: int) -> Strip:
        if y >= self.canvas.height:
            return Strip.blank(self.size.width, style("", self.light))
        runs = self.canvas.runs(y)
        segments = [Segment(self._shown(words), style(name, self.light)) for words, name in runs]
        return Strip(segments, self.canvas.width)

    def _shown(self, words: str) -> str:
        """Return words in characters that the terminal has, each in as many columns as before."""
        return "".join(as_ascii(letter)[:1].ljust(width(letter)) for letter in words) if self.ascii_only else words


class TerminalApp(App[None]):
    """A stack of pages. `begin` opens the first ones."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, begin: Callable[[TerminalApp], None], language: str, light: bool = False, ascii_only: bool = False
    ) -> None:
        super().__init__()
        self._begin, self.language = begin, language
        self.pages: list[Page] = []
        self.pane = CanvasPane(self._paint, light, ascii_only)
        self.failure: GramyError | None = None

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.set_interval(1.0, self._tick)
        try:
            self._begin(self)
        except GramyError as error:
            self._fail(error)

    # --- what pages may ask for ---------------------------------------------------------------------------------------

    def open(self, page: Page) -> None:
        """Put a page on top."""
        self.pages.append(page)
        self.repaint()

    def close(self, page: Page) -> None:
        """Take a page away."""
        if page in self.pages:
            self.pages.remove(page)
        self.repaint()

    @property
    def top(self) -> Page:
        """The page that gets keys and clicks."""
        return self.pages[-1]

    def run_soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background; the pages are drawn again when it ends."""
        self.run_worker(self._watched(work), exit_on_error=True)

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except GramyError as error:
            self._fail(error)
        self.repaint()

    def repaint(self) -> None:
        """Draw the pages again."""
        if self.pane.is_mounted:
            self.pane.repaint()

    def _tick(self) -> None:
        if any(page.ticks for page in self.pages):
            self.repaint()

    def toggle_light(self) -> None:
        """Change between dark and light colours."""
        self.pane.light = not self.pane.light
        self.repaint()

    def leave(self) -> None:
        """End the application."""
        self.exit()

    def action_help_quit(self) -> None:
        """Leave at Ctrl-C, as other programs in a terminal do."""
        self.leave()

    def _fail(self, error: GramyError) -> None:
        """End the application; the command then says what was wrong."""
        self.failure = error
        self.exit()

    # --- keys, mouse and drawing --------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        letter = event.character
        key = letter.lower() if letter and event.is_printable and not letter.isspace() else event.key
        if key in ("ctrl+q", "ctrl+c"):
            return
        event.stop()
        if self.pages and not self._is_too_small:
            self.top.press(key)
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        region = self.pane.canvas.region_at(event.screen_x, event.screen_y)
        if region is not None and self.pages:
            self.top.click(region)
            self.repaint()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll(-3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll(3)

    def _scroll(self, lines: int) -> None:
        if self.pages:
            self.top.scroll(lines)
            self.repaint()

    @property
    def _is_too_small(self) -> bool:
        return self.pane.size.width < LEAST_COLUMNS or self.pane.size.height < LEAST_ROWS

    def _paint(self, canvas: Canvas) -> None:
        if not canvas.width or not canvas.height:
            return
        if self._is_too_small:
            values = {"columns": canvas.width, "rows": canvas.height}
            words = Words("", (), self.language).words("too_small", **values)
            canvas.paragraph(Area(0, 0, canvas.width, canvas.height), words)
            return
        lowest = max((at for at, page in enumerate(self.pages) if page.opaque), default=0)
        for page in self.pages[lowest:]:
            page.draw(canvas)
