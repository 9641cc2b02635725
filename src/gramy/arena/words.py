"""The arena's sentences, in every language."""

from __future__ import annotations

from typing import Any

from gramy import text
from gramy.contract import Message


def words(key: str, language: str, **values: Any) -> str:
    """A sentence of the arena's own catalogue."""
    return text.say(Message(key, values, "arena"), language)
