"""Tools to draw boards as text: sentences in one language, optional colour, and blocks of text side by side.

Colour is never the only sign of anything, so a screen without colour shows the same. Widths are columns on the screen:
escape sequences and combining marks take none, wide characters take two.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gramy.contract import View
from gramy.messages import Message
from gramy.text import find, say

WIDTH = 80
MARGIN = "  "
SCOPE = "terminal"
"""The catalogue of the terminal's texts."""

STYLES = {
    "bold": "1",
    "dim": "2",
    "good": "1;32",
    "bad": "1;31",
    "red": "31",
    "blue": "34",
    "green": "32",
    "yellow": "33",
    "grey": "2",  # dim, because real grey is unreadable on some screens
}

TIMES = "\N{MULTIPLICATION SIGN}"

Block = list[str]
"""Lines of text that belong together."""


@dataclass(frozen=True)
class Pen:
    """How to write for one table: the players' names, the seats of bots, the language, and whether to use colour."""

    names: Sequence[str]
    bots: frozenset[int] = frozenset()
    language: str = "en"
    colour: bool = False

    def say(self, message: Message) -> str:
        """Return a message as a sentence."""
        return say(message, self.language, self.names)

    def words(self, key: str, **values: Any) -> str:
        """Return a sentence of the catalogue `terminal`."""
        return self.say(terminal_message(key, **values))

    def typed(self, move: str) -> str:
        """Return a move, a command or a phrase as it is typed in this language."""
        return " ".join(self.words("typed", word=word) for word in move.split())

    def paint(self, style: str, words: str) -> str:
        """Return the words in a style, or unchanged without colour."""
        return f"\x1b[{STYLES[style]}m{words}\x1b[0m" if self.colour else words

    def name(self, seat: int, most: int = 16) -> str:
        """Return a player's name, cut to fit a board."""
        return cut(self.names[seat], most)

    def mark(self, view: View, seat: int) -> str:
        """Return the sign before a name: ★ for a winner, ▸ for a seat that must act."""
        if view.outcome and seat in view.outcome.winners:
            return self.paint("good", "★ ")
        return "▸ " if seat in view.to_act else "  "

    def heading(self, view: View) -> Block:
        """Return the first lines of a board: the game, and whose turn it is."""
        title = str(find("title", view.game, self.language))
        turn = self.words("over") if view.outcome else self.words("turn", to_act=view.to_act)
        turn = cut(turn, WIDTH - width(title) - 6)
        gap = " " * (WIDTH - 4 - width(title) - width(turn))
        return [f"{MARGIN}{self.paint('bold', title)}{gap}{self.paint('bold', turn)}", self.paint("dim", "─" * WIDTH)]

    def wrapped(self, words: str, indent: str = MARGIN) -> Block:
        """Return a sentence in as many lines as it needs."""
        return textwrap.wrap(words, WIDTH - 2, initial_indent=indent, subsequent_indent=indent) or [""]


def terminal_message(key: str, **values: Any) -> Message:
    """Return a message of the catalogue `terminal`."""
    return Message(key, values, SCOPE)


def width(words: str) -> int:
    """Return how many columns the words take on a screen."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", words)
    return sum(_columns(letter) for letter in plain)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def cut(words: str, most: int) -> str:
    """Return the words, cut to a number of columns with an ellipsis if they are longer."""
    if width(words) <= most:
        return words
    while words and width(words) > most - 1:
        words = words[:-1]
    return words + "…"


def padded(words: str, columns: int) -> str:
    """Return the words with spaces up to a width."""
    return words + " " * (columns - width(words))


def centred(words: str, columns: int) -> str:
    """Return the words in the middle of a width."""
    return padded(" " * ((columns - width(words)) // 2) + words, columns)


def box(lines: Iterable[str], inner: int, pen: Pen, style: str = "") -> Block:
    """Return a card: lines in the middle of a frame, which may have a style."""

    def frame(words: str) -> str:
        return pen.paint(style, words) if style else words

    sides = [f"{frame('│')}{centred(line, inner)}{frame('│')}" for line in lines]
    return [frame(f"╭{'─' * inner}╮"), *sides, frame(f"╰{'─' * inner}╯")]


def beside(blocks: Sequence[Block], gap: int = 1) -> Block:
    """Return blocks of text side by side, aligned at the top."""
    columns = [max(map(width, block), default=0) for block in blocks]
    height = max(map(len, blocks), default=0)
    rows = []
    for at in range(height):
        cells = [block[at] if at < len(block) else "" for block in blocks]
        rows.append((" " * gap).join(padded(cell, wide) for cell, wide in zip(cells, columns, strict=True)).rstrip())
    return rows


def indented(block: Block) -> Block:
    """Return a block with the margin of a board."""
    return [f"{MARGIN}{line}".rstrip() for line in block]


def pips(number: int) -> str:
    """Return a number of face-down cards."""
    return "▮" * number or "-"
