"""Messages: sentences before they have a language, and the immutable values that are sent to clients."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, TypeAlias

from msgspec import Struct


class Payload(Struct, frozen=True, gc=False):
    """An immutable value that the JSON encoder takes as it is.

    It holds only values that existed before it, so it is in no reference cycle and needs no garbage collector.
    """


class Message(Payload, frozen=True):
    """A sentence before it has a language: a key, its values, and the game whose catalogue has it ('': every game)."""

    key: str
    values: Mapping[str, Any] = {}
    game: str = ""


Reason: TypeAlias = Message
"""Why a move is not legal, or why it is advised."""

Event: TypeAlias = Message
"""A public fact that followed from a move."""


def to_builtins(value: Any) -> Any:
    """Return payloads and NamedTuples as dicts and tuples as lists, at every depth, ready for JSON."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if isinstance(value, Struct):
        return {name: to_builtins(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, (tuple, list)):
        items = map(to_builtins, value)
        return list(items) if kind in LISTS else dict(zip(kind._fields, items, strict=True))
    if isinstance(value, Mapping):
        return {name: to_builtins(item) for name, item in value.items()}
    return value


ATOMS = frozenset({str, int, bool, float, NoneType})
LISTS = frozenset({tuple, list})
