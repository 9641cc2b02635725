"""Every error that a caller can cause. Each carries a message, so that it can be said in every language.

GramyError                      the request cannot be fulfilled
├── UnknownLanguage             no such language
├── UnknownGame                 no such game
├── BadOptions                  no such option, or not that value
├── BadPosition                 a position that cannot be read or cannot exist
├── BadRecord                   a damaged file; `line` says where
└── MoveError                   the move was not made and nothing has changed
    ├── UnreadableMove          the text is not a move of this game
    └── IllegalMove             a move, but not a legal one now; the message says why
"""

from __future__ import annotations

from gramy.messages import Message
from gramy.text import GramyError, UnknownLanguage

__all__ = [
    "BadOptions",
    "BadPosition",
    "BadRecord",
    "GramyError",
    "IllegalMove",
    "MoveError",
    "UnknownGame",
    "UnknownLanguage",
    "UnreadableMove",
]


class UnknownGame(GramyError):
    """There is no game of that name."""


class BadOptions(GramyError):
    """The game has no such option, or the option cannot take that value."""


class BadPosition(GramyError):
    """The position cannot be read, or no match can reach it."""


class BadRecord(GramyError):
    """The file is not a whole, correct record; `line` counts from 1, and is 0 for the file as a whole."""

    def __init__(self, line: int, cause: Message) -> None:
        super().__init__(Message("record_line", {"line": line, "cause": cause}) if line else cause)
        self.line, self.cause = line, cause

    def __reduce__(self) -> tuple[type[BadRecord], tuple[int, Message]]:
        return type(self), (self.line, self.cause)


class MoveError(GramyError):
    """The move was not made and nothing has changed."""


class UnreadableMove(MoveError):
    """The text is not a move of this game."""


class IllegalMove(MoveError):
    """The move exists but is not legal here and now."""
