"""The shared spelling of positions: `key=value` words on one line, sets of cards with ranges, seats apart by `;`.

Every game writes its positions in these; what the keys mean is the game's own affair.
"""

from collections.abc import Callable, Iterable

from gramy.cards import positions
from gramy.contract import BadPosition, Message


def fields(line: str, keys: tuple[str, ...]) -> dict[str, str]:
    """The words of a position by key; each key exactly once, and no other."""
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
    """A number that may stand at a key; `-` is -1, for nobody and nothing."""
    value = -1 if word == "-" else int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None
    if value is None or value not in allowed:
        raise BadPosition(Message("position_value", {"key": key, "value": word}))
    return value


def numbers(key: str, word: str, allowed: Iterable[int], length: int) -> list[int]:
    """So many numbers apart by commas."""
    parts = word.split(",")
    if len(parts) != length:
        raise BadPosition(Message("position_length", {"key": key, "length": length, "found": len(parts)}))
    return [number(key, part, allowed) for part in parts]


def each(key: str, word: str, seats: int) -> list[str]:
    """One part for each seat, apart by `;`."""
    parts = word.split(";")
    if len(parts) != seats:
        raise BadPosition(Message("position_length", {"key": key, "length": seats, "found": len(parts)}))
    return parts


def format_set(cards: int, name: Callable[[int], str] = str) -> str:
    """A set of cards: runs of three and more as `first~last`, `-` when it is empty."""
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
    """The inverse of `format_set`; a card named twice is an error."""
    cards = 0
    for part in [] if word == "-" else word.split(","):
        first, run, last = part.partition("~")
        low, high = read(first), read(last if run else first)
        named = 0 if low is None or high is None or high < low else (2 << high) - (1 << low)
        if not named or cards & named:
            raise BadPosition(Message("position_value", {"key": key, "value": part}))
        cards |= named
    return cards
