"""Notation that games share: positions as one line, and moves that have the same text in every state.

A position is a line of `key=value` words. Sets of cards may have ranges, and `;` separates seats. Each game has its own
keys.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gramy.cards import positions
from gramy.errors import BadPosition, UnreadableMove
from gramy.messages import Message


def fields(line: str, keys: tuple[str, ...]) -> dict[str, str]:
    """Return the values of a position by key; each key must be there exactly once, and no other."""
    found: dict[str, str] = {}
    for word in line.split():
        key, equals, value = word.partition("=")
        if not equals or key not in keys:
            raise BadPosition(Message("position_word", {"word": word, "known": keys}))
        if key in found:
            raise BadPosition(Message("position_twice", {"key": key}))
        found[key] = value
    if missing := [key for key in keys if key not in found]:
        raise BadPosition(Message("position_missing", {"key": missing[0]}))
    return found


def number(key: str, word: str, allowed: Iterable[int]) -> int:
    """Return the number at a key if it is allowed; `-` is -1, for nobody and nothing."""
    value = -1 if word == "-" else int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None
    if value is None or value not in allowed:
        raise BadPosition(Message("position_value", {"key": key, "value": word}))
    return value


def numbers(key: str, word: str, allowed: Iterable[int], length: int) -> list[int]:
    """Return the numbers of a list with commas that must have this length."""
    parts = word.split(",")
    if len(parts) != length:
        raise BadPosition(Message("position_length", {"key": key, "length": length, "found": len(parts)}))
    return [number(key, part, allowed) for part in parts]


def each(key: str, word: str, seats: int) -> list[str]:
    """Return the part of each seat; `;` separates them."""
    parts = word.split(";")
    if len(parts) != seats:
        raise BadPosition(Message("position_length", {"key": key, "length": seats, "found": len(parts)}))
    return parts


def format_set(cards: int, name: Callable[[int], str] = str) -> str:
    """Return a set of cards as text: runs of three and more as `first~last`, `-` when it is empty."""
    runs: list[list[int]] = []
    for card in positions(cards):
        if runs and card == runs[-1][-1] + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    words = []
    for run in runs:
        words += [f"{name(run[0])}~{name(run[-1])}"] if len(run) > 2 else [name(card) for card in run]
    return ",".join(words) or "-"


def parse_set(key: str, word: str, read: Callable[[str], int | None]) -> int:
    """Return the set of cards of a text: the inverse of `format_set`; a card named twice is an error."""
    cards = 0
    for part in [] if word == "-" else word.split(","):
        first, run, last = part.partition("~")
        low, high = read(first), read(last if run else first)
        named = 0 if low is None or high is None or high < low else (2 << high) - (1 << low)
        if not named or cards & named:
            raise BadPosition(Message("position_value", {"key": key, "value": part}))
        cards |= named
    return cards


class FixedMoves:
    """Moves that have the same text in every state: a game's `parse_move`, `format_move` and `format_moves`."""

    def __init__(self, game: str, codes: Mapping[tuple[str, ...], int]) -> None:
        self._game, self._codes = game, codes
        self._texts = {code: " ".join(words) for words, code in codes.items()}

    def parse_move(self, state: Any, seat: int, words: tuple[str, ...]) -> int:
        if words not in self._codes:
            raise UnreadableMove(Message("unreadable", {"move": " ".join(words)}, self._game))
        return self._codes[words]

    def format_move(self, state: Any, seat: int, code: int) -> str:
        return self._texts[code]

    def format_moves(self, state: Any, seat: int, codes: Iterable[int]) -> list[str]:
        texts = self._texts
        return [texts[code] for code in codes]
