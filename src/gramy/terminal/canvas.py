"""A screen as cells: text with named styles, and named regions that can be clicked.

A board draws itself on a canvas, so that drawing is a plain function of what is shown. Nothing here needs Textual.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple, TypeAlias

from gramy.drawing.pen import cut, width

Frame: TypeAlias = tuple[str, str, str, str, str, str]

LIGHT: Frame = ("╭", "─", "╮", "│", "╰", "╯")
HEAVY: Frame = ("┏", "━", "┓", "┃", "┗", "┛")
DASHED: Frame = ("╭", "╌", "╮", "╎", "╰", "╯")
"""The corners and edges of a frame: top left, horizontal, top right, vertical, bottom left, bottom right."""

REPLACEMENT, JOINER = "\N{REPLACEMENT CHARACTER}", "\N{ZERO WIDTH JOINER}"


class Cell(NamedTuple):
    """One column of one row: a character (empty after a wide one) and the name of its style."""

    letter: str = " "
    style: str = ""


class Area(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    def contains(self, x: int, y: int) -> bool:
        """Return whether the cell is inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Canvas:
    """Cells to draw on. Whatever is outside is left out."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows = [[Cell()] * width for _ in range(height)]
        self._regions: list[tuple[str, Area]] = []

    def put(self, x: int, y: int, words: str, style: str = "") -> int:
        """Write words from a cell on; return the column after them. Not all terminals have a no-break space.

        Names come from record files and servers: what is not printable would reach the terminal as its commands.
        """
        for letter in words.replace("\N{NO-BREAK SPACE}", " "):
            if letter == JOINER:
                continue  # the pictures of a joined emoji stand side by side
            columns = width(letter)
            if columns and 0 <= y < self.height and x >= 0 and x + columns <= self.width:
                shown = letter if letter.isprintable() else REPLACEMENT
                self._rows[y][x : x + columns] = [Cell(shown, style), Cell("", style)][:columns]
            x += columns
        return x

    def centre(self, x: int, y: int, columns: int, words: str, style: str = "") -> None:
        """Write words in the middle of some columns, cut to fit."""
        shown = cut(words, columns)
        self.put(x + (columns - width(shown)) // 2, y, shown, style)

    def paragraph(self, area: Area, words: str, style: str = "", centred: bool = False) -> int:
        """Write words in as many lines as they need and have; return how many."""
        lines = wrap(words, area.width)[: area.height]
        for row, line in enumerate(lines):
            if centred:
                self.centre(area.x, area.y + row, area.width, line, style)
            else:
                self.put(area.x, area.y + row, line, style)
        return len(lines)

    def fill(self, area: Area, style: str, letter: str = " ") -> None:
        """Fill a rectangle."""
        for row in range(area.y, area.y + area.height):
            self.put(area.x, row, letter * area.width, style)

    def box(self, area: Area, style: str, frame: Frame = LIGHT, inside: str = "") -> None:
        """Draw a frame and fill it."""
        top_left, horizontal, top_right, vertical, bottom_left, bottom_right = frame
        x, y, columns, rows = area
        self.put(x, y, top_left + horizontal * (columns - 2) + top_right, style)
        for row in range(y + 1, y + rows - 1):
            self.put(x, row, vertical, style)
            self.put(x + 1, row, " " * (columns - 2), inside)
            self.put(x + columns - 1, row, vertical, style)
        self.put(x, y + rows - 1, bottom_left + horizontal * (columns - 2) + bottom_right, style)

    def paste(self, other: Canvas, x: int, y: int) -> None:
        """Copy another canvas, with its regions, to a place on this one."""
        for row in range(other.height):
            at = x
            for words, style in other.runs(row):
                at = self.put(at, y + row, words, style)
        self._regions += [(name, area._replace(x=area.x + x, y=area.y + y)) for name, area in other._regions]

    def clear_regions(self) -> None:
        """Forget all regions: a page covers what is below."""
        self._regions.clear()

    def region(self, name: str, area: Area) -> None:
        """Let a rectangle be clicked under a name."""
        self._regions.append((name, area))

    def region_at(self, x: int, y: int) -> str | None:
        """Return the name of the region at a cell; of several, the last one."""
        return next((name for name, area in reversed(self._regions) if area.contains(x, y)), None)

    def region_named(self, name: str) -> Area | None:
        """Return the rectangle of a region."""
        return next((area for found, area in self._regions if found == name), None)

    @property
    def regions(self) -> tuple[str, ...]:
        """The names of all regions."""
        return tuple(name for name, _ in self._regions)

    def runs(self, row: int) -> Iterator[tuple[str, str]]:
        """Yield the parts of a row with one style each: the words and the style."""
        for style, cells in groupby(self._rows[row], key=lambda cell: cell.style):
            yield "".join(cell.letter for cell in cells), style

    def text(self) -> str:
        """Return all rows as plain text, without spaces at their ends."""
        return "\n".join("".join(words for words, _ in self.runs(row)).rstrip() for row in range(self.height))


def wrap(words: str, columns: int) -> list[str]:
    """Return words in lines of at most so many columns."""
    return textwrap.wrap(words, max(columns, 8)) or [""]
