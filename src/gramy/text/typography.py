"""Non-breaking spaces for texts that a browser lays out.

The catalogues and rules pages are written with ordinary spaces. `bind` makes those non-breaking where no line may end.
`gramy.text.say` does not call it: its sentences go to terminals and files, where people search and copy them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

SPACE = "\u00a0"

_ONE_LETTER_WORD = re.compile(r"(?<!\w)([aiouwzAIOUWZ])(?: |\n *)(?=\S)")
"""Polish sets no one-letter word at the end of a line. In a page the line may end there already."""

_ORDINAL = re.compile(r"(?<=\d\.) (?=[a-ząćęłńóśźż])")
"""Polish: “58. kartę”."""

_UNIT = re.compile(r"(?<=[\d}]) (?=(?:%|s|ms|min|kB)(?!\w))")
"""A number, or the place of one, and its unit: “30 s”, “{chance} %”."""

_ELLIPSIS = re.compile(r"(?<=\S) (?=…)")
"""German sets a space before an ellipsis that stands for words."""


def bind(words: str, language: str) -> str:
    """Return a text with non-breaking spaces where the language does not let a line end."""
    words = _ELLIPSIS.sub(SPACE, _UNIT.sub(SPACE, words))
    if language == "pl":
        words = _ORDINAL.sub(SPACE, _ONE_LETTER_WORD.sub(rf"\1{SPACE}", words))
    return words


def bind_entries(catalogue: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return a catalogue with `bind` applied to each sentence."""
    return {
        key: bind(entry, language) if isinstance(entry, str) else bind_entries(entry, language)
        for key, entry in catalogue.items()
    }
