"""The catalogues as the tests read them: straight from their files."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import gramy
from gramy import text

PACKAGE = Path(text.__file__).parent.parent
SCOPES = (
    "common",
    "terminal",
    "web",
    "room",
    "lesson",
    "arena",
    "analysis",
    "loadtest",
    "remote",
    "admin",
    "preview",
    *gramy.GAMES,
)

Entry = str | dict[str, str]


@cache
def read(scope: str, language: str) -> dict[str, Entry]:
    return tomllib.loads((PACKAGE / "text" / language / f"{scope}.toml").read_text(encoding="utf-8"))


def every(language: str) -> Iterator[tuple[str, str, Entry]]:
    """Yield all entries of a language: the name of the catalogue, the key and the entry."""
    for scope in SCOPES:
        for key, entry in read(scope, language).items():
            yield scope, key, entry


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Yield every form of every entry of a language, with a label for a failed assertion."""
    for scope, key, entry in every(language):
        for case, form in forms(entry).items():
            yield f"{language}/{scope}: {key}.{case}", form


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def forms(entry: Entry) -> dict[str, str]:
    """Return the sentences of an entry by case; a single sentence is the case `other`."""
    return {"other": entry} if isinstance(entry, str) else {case: form for case, form in entry.items() if case != "by"}


def is_counted(entry: Entry) -> bool:
    """Whether a number decides which form is used; a word or a boolean has no form `one`."""
    return "one" in forms(entry)


def deciding(entry: Entry) -> str | None:
    """Return the name of the value that decides which form is used."""
    return None if isinstance(entry, str) else entry["by"]
