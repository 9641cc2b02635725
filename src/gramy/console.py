"""The terminal that a command writes to: the language of its user, and the characters that it can show."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping
from typing import Any

from gramy.text import LANGUAGES

SUBSTITUTES = {
    "“": '"', "”": '"', "„": '"', "‚": "'", "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "×": "x", "·": "-",
    "±": "+-", "→": "->", "←": "<-", "↑": "^", "↓": "v", "▲": "^", "▼": "v", "▇": "#", "█": "#", "░": ".",
    "│": "|", "─": "-", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┼": "+", "ß": "ss", "ł": "l",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "╌": "-", "╎": "|", "┏": "#", "┓": "#", "┗": "#", "┛": "#", "━": "=",
    "┃": "#", "▮": "#", "▯": ".", "★": "*", "●": "o", "♣": "&", "■": "#", "▸": ">", "◂": "<", "△": "^", "▽": "v",
    "○": ".", "♥": "+", "✓": "y", "✗": "x", "−": "-", "›": ">",
    "Ł": "L", "\N{NO-BREAK SPACE}": " ",
}  # fmt: skip
"""What a terminal shows that knows only ASCII."""


def preferred_language(environment: Mapping[str, str]) -> str:
    """Return the language of the user's locale, as POSIX orders the variables; English if we do not have it."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "")
    language = locale[:2].lower()
    return language if language in LANGUAGES else LANGUAGES[0]


def show_any_text(*streams: Any) -> None:
    """Let streams print any text: a character that the terminal does not know is replaced instead of an error."""
    codecs.register_error("gramy", _substitute)
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="gramy")


def _substitute(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for the characters that cannot be encoded, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(as_ascii, error.object[error.start : error.end])), error.end


def as_ascii(letter: str) -> str:
    """Return a letter in ASCII: a substitute, the letter without its accent, or a question mark."""
    if letter in SUBSTITUTES:
        return SUBSTITUTES[letter]
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"
