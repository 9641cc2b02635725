"""What is said to people: catalogues of whole sentences in each language, shared by all doors.

The rules speak in keys and values; here a key becomes a sentence. A catalogue entry is a sentence, or a table of them
that names in `by` the value that decides: a number by its plural category (CLDR), a truth by `true` and `false`, a word
by itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramy.contract import Message

LANGUAGES = ("en", "pl", "de")
SEATS = frozenset({"seat", "seats", "winner", "loser", "bidder", "to_act"})
"""The values that are seats, and so are said by the names of who sits there."""

LONGEST = 60
"""How much of a stranger's words a sentence repeats."""


def say(message: Message, language: str = "en", names: Sequence[str] = ()) -> str:
    """The sentence for a message, with players' names where they are known."""
    entry = find(message.key, message.game, language)
    words = {key: word(key, value, language, names) for key, value in message.values.items()}
    if not isinstance(entry, str):
        case = category(message.values.get(entry["by"]), language)
        entry = entry.get(case) or entry["other"]
    return str(entry.format(**words))


def find(key: str, game: str, language: str) -> Any:
    """The entry of the game's own catalogue, or of the common one."""
    if game and key in (own := catalogue(game, language)):
        return own[key]
    return catalogue("common", language)[key]


@cache
def catalogue(scope: str, language: str) -> Mapping[str, Any]:
    """One file of sentences: a game's, or the common ones."""
    return tomllib.loads(files(__name__).joinpath(language, f"{scope}.toml").read_text("utf-8"))


def rules_page(game: str) -> str:
    """The numbered rules of a game."""
    return files(__name__).joinpath("rules", f"{game}.md").read_text("utf-8")


def family_page(game: str, language: str) -> str:
    """The rules of a game as told to people who want to play, in their language."""
    return files(__name__).joinpath(language, "rules", f"{game}.md").read_text("utf-8")


def word(key: str, value: Any, language: str, names: Sequence[str]) -> str:
    """A value inside a sentence."""
    if hasattr(value, "key"):
        return say(value, language, names)
    if isinstance(value, list | tuple):
        return ", ".join(word(key, item, language, names) for item in value)
    if key in SEATS and 0 <= value < len(names) and names[value]:  # no name: who had it wanted to be forgotten
        return clip(names[value])
    if key in SEATS:
        common = catalogue("common", language)
        return str(common.get(f"seat_{value}", common["seat_name"].format(seat=value)))
    return clip(str(value))


def clip(words: str) -> str:
    """What somebody sent, safe to repeat in a sentence: short, and without control characters."""
    short = words if len(words) <= LONGEST else words[:LONGEST] + "…"
    return "".join(letter if letter.isprintable() else "�" for letter in short)


def category(value: Any, language: str) -> str:
    """Which of an entry's sentences a value asks for: CLDR's plural category of a whole number, otherwise a word."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if not isinstance(value, int):
        return str(value)
    if value == 1:
        return "one"
    if language != "pl":
        return "other"
    few = value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14)
    return "few" if few else "many"
