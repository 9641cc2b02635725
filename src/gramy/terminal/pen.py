"""What the boards are written with: sentences in one language, colour if allowed, blocks of text side by side.

Colour never carries anything alone, so that a screen without it says the same. Widths are what the eye sees: escape
sequences and combining marks take no room, wide characters take two columns.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gramy.contract import Message, View
from gramy.text import find, say

WIDTH = 80
MARGIN = "  "
SCOPE = "terminal"
"""The catalogue with this door's own words."""

STYLES = {
    "bold": "1",
    "dim": "2",
    "good": "1;32",
    "bad": "1;31",
    "red": "31",
    "blue": "34",
    "green": "32",
    "yellow": "33",
    "grey": "2",  # grey text of its own is unreadable on some screens
}

TIMES = "\N{MULTIPLICATION SIGN}"

Block = list[str]
"""Some lines of text that belong together."""


@dataclass(frozen=True)
class Pen:
    """Writes for one table: who sits there, which of them are bots, in which language, in colour or not."""

    names: Sequence[str]
    machines: frozenset[int] = frozenset()
    language: str = "en"
    colour: bool = False

    def say(self, message: Message) -> str:
        """The sentence for a message."""
        return say(message, self.language, self.names)

    def words(self, key: str, **values: Any) -> str:
        """A sentence of this door."""
        return self.say(own(key, **values))

    def paint(self, style: str, words: str) -> str:
        """The words in a style, or just the words."""
        return f"\x1b[{STYLES[style]}m{words}\x1b[0m" if self.colour else words

    def name(self, seat: int, most: int = 16) -> str:
        """A player's name, cut to fit a board."""
        return cut(self.names[seat], most)

    def mark(self, view: View, seat: int) -> str:
        """What stands before a name: who is awaited, or who has won."""
        if view.outcome and seat in view.outcome.winners:
            return self.paint("good", "★ ")
        return "▸ " if seat in view.to_act else "  "

    def heading(self, view: View) -> Block:
        """The first lines of every board: which game, and whose turn it is."""
        title = str(find("title", view.game, self.language))
        turn = self.words("over") if view.outcome else self.words("turn", to_act=view.to_act)
        turn = cut(turn, WIDTH - width(title) - 6)
        gap = " " * (WIDTH - 4 - width(title) - width(turn))
        return [f"{MARGIN}{self.paint('bold', title)}{gap}{self.paint('bold', turn)}", self.paint("dim", "─" * WIDTH)]

    def wrapped(self, words: str, indent: str = MARGIN) -> Block:
        """A sentence in as many lines as it needs."""
        return textwrap.wrap(words, WIDTH - 2, initial_indent=indent, subsequent_indent=indent) or [""]


def own(key: str, **values: Any) -> Message:
    """A sentence of this door, before it has a language."""
    return Message(key, values, SCOPE)


def width(words: str) -> int:
    """How many columns the words take on a screen."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", words)
    return sum(_columns(letter) for letter in plain)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def cut(words: str, most: int) -> str:
    """The words, or their beginning and an ellipsis, in at most so many columns."""
    if width(words) <= most:
        return words
    while width(words) > most - 1:
        words = words[:-1]
    return words + "…"


def padded(words: str, columns: int) -> str:
    """The words with spaces up to a width."""
    return words + " " * (columns - width(words))


def centred(words: str, columns: int) -> str:
    """The words in the middle of a width."""
    return padded(" " * ((columns - width(words)) // 2) + words, columns)


def box(lines: Iterable[str], inner: int, pen: Pen, style: str = "") -> Block:
    """A card: its lines in the middle of a frame, which may have a colour."""

    def frame(words: str) -> str:
        return pen.paint(style, words) if style else words

    sides = [f"{frame('│')}{centred(line, inner)}{frame('│')}" for line in lines]
    return [frame(f"╭{'─' * inner}╮"), *sides, frame(f"╰{'─' * inner}╯")]


def beside(blocks: Sequence[Block], gap: int = 1) -> Block:
    """Blocks of text next to each other, their first lines level."""
    columns = [max(map(width, block), default=0) for block in blocks]
    height = max(map(len, blocks), default=0)
    rows = []
    for at in range(height):
        cells = [block[at] if at < len(block) else "" for block in blocks]
        rows.append((" " * gap).join(padded(cell, wide) for cell, wide in zip(cells, columns, strict=True)).rstrip())
    return rows


def indented(block: Block) -> Block:
    """The block with the margin of a board."""
    return [f"{MARGIN}{line}".rstrip() for line in block]


def pips(number: int) -> str:
    """So many cards, seen from behind."""
    return "▮" * number or "-"
