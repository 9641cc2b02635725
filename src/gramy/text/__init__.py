"""Sentences for people: catalogues in each language, shared by all interfaces.

The rules produce messages, each a key with values; `say` turns a message into a sentence. A catalogue entry is a
sentence, or a table of sentences. In a table, `by` names the value that decides: a number by its plural category
(CLDR), a boolean by `true` and `false`, a word by itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from gramy.messages import Message

LANGUAGES = ("en", "pl", "de")
SEATS = frozenset({"seat", "seats", "winner", "loser", "bidder", "to_act"})
"""The values that are seats: a sentence has the name of the player there."""

CHANCES = frozenset({"chance", "second"})
"""The values that are probabilities where they are numbers: a sentence has them in per cent."""

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
"""German writes it before a per cent sign."""

LONGEST = 60
"""How many characters of a user's text a sentence repeats."""


class GramyError(Exception):
    """The request cannot be fulfilled. `message` says why in any language, `str()` in English; see `gramy.errors`."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return say(self.message)


class UnknownLanguage(GramyError):
    """There is no such language."""


def say(message: Message, language: str = "en", names: Sequence[str] = ()) -> str:
    """Return the sentence for a message, with players' names where they are known; raises UnknownLanguage."""
    entry = find(message.key, message.game, language)
    words = {key: word(key, value, language, names) for key, value in message.values.items()}
    if not isinstance(entry, str):
        case = category(message.values.get(entry["by"]), language)
        entry = entry.get(case) or entry["other"]
    return str(entry.format(**words))


def find(key: str, game: str, language: str) -> Any:
    """Return the entry of the game's own catalogue, or of the common one."""
    if game and key in (own := catalogue(game, language)):
        return own[key]
    return catalogue("common", language)[key]


@cache
def catalogue(scope: str, language: str) -> Mapping[str, Any]:
    """Return the sentences of one file: a game's, or the common ones."""
    return tomllib.loads(_read(language, f"{scope}.toml"))


def rules_page(game: str) -> str:
    """Return the numbered rules of a game."""
    return files(__name__).joinpath("rules", f"{game}.md").read_text("utf-8")


def family_page(game: str, language: str) -> str:
    """Return the rules of a game for people who want to play, in their language, without figures."""
    return re.sub(r"^!\[.*?\)\n\n", "", illustrated_page(game, language), flags=re.MULTILINE | re.DOTALL)


def illustrated_page(game: str, language: str) -> str:
    """Return the same with figures, which a browser can draw: `![caption](cards:31-21)`."""
    return _read(language, "rules", f"{game}.md")


def fairness_page(language: str) -> str:
    """Return the page that explains how the cards are dealt, in a language."""
    return _read(language, "fairness.md")


def _read(language: str, *path: str) -> str:
    if language not in LANGUAGES:
        raise UnknownLanguage(Message("no_such_language", {"language": language, "known": LANGUAGES}))
    return files(__name__).joinpath(language, *path).read_text("utf-8")


def word(key: str, value: Any, language: str, names: Sequence[str]) -> str:
    """Return a value as it stands in a sentence."""
    if hasattr(value, "key"):
        return say(value, language, names)
    if isinstance(value, list | tuple):
        return ", ".join(word(key, item, language, names) for item in value)
    if key in SEATS and 0 <= value < len(names) and names[value]:  # "": the player asked for their name to be deleted
        return clip(names[value])
    if key in SEATS:
        common = catalogue("common", language)
        return str(common.get(f"seat_{value}", common["seat_name"].format(seat=value)))
    if key in CHANCES and isinstance(value, float):
        return percent(value, language)
    return clip(str(value))


def percent(chance: float, language: str) -> str:
    """Return a probability in per cent, as the language writes it."""
    return f"{round(chance * 100)}{NO_BREAK_SPACE}%" if language == "de" else f"{round(chance * 100)}%"


def clip(words: str) -> str:
    """Return a user's text, safe to repeat in a sentence: short, and without control characters."""
    short = words if len(words) <= LONGEST else words[:LONGEST] + "…"
    return "".join(letter if letter.isprintable() or letter == NO_BREAK_SPACE else "�" for letter in short)


def category(value: Any, language: str) -> str:
    """Return the case of an entry that a value selects: the plural category (CLDR) of an integer, otherwise a word."""
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
