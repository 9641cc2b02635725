"""The options of a game: the values that each may take, and options from and to text.

A game's options are a frozen dataclass. Each field is a `bool` or a `Literal`, so its type says what may be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import product
from typing import Any, Literal, Protocol, TypeAlias, get_args, get_origin, get_type_hints

from gramy.errors import BadOptions
from gramy.messages import Message

Choices: TypeAlias = Mapping[str, tuple[Any, ...]]
"""The values that each option may take, by its name."""


class HasOptions(Protocol):
    """A game as far as its options go: see `gramy.contract.Rules`."""

    NAME: str
    Options: type[Any]


def choices(options: type[Any]) -> Choices:
    """Return the values that each option of a game may take, read from the types of its fields."""
    hints = get_type_hints(options, include_extras=True)
    return {item.name: _values(hints[item.name]) for item in fields(options)}


def combinations(options: type[Any]) -> list[Any]:
    """Return a game's options in every combination of their values."""
    allowed = choices(options)
    return [options(**dict(zip(allowed, values, strict=True))) for values in product(*allowed.values())]


def split_options(words: Iterable[str]) -> dict[str, str]:
    """Return the options that words such as `players=3` give; raises BadOptions for a word without a value."""
    options = {}
    for option in words:
        name, equals, value = option.partition("=")
        if not equals:
            raise BadOptions(Message("option_form", {"word": option}))
        options[name] = value
    return options


def parse_options(rules: HasOptions, wanted: Mapping[str, Any]) -> Any:
    """Return a game's options from names and values; a value may be a text (`on`, `3`) or a Python value."""
    allowed = choices(rules.Options)
    parsed = {}
    for name, value in wanted.items():
        if name not in allowed:
            raise BadOptions(Message("no_such_option", {"game": rules.NAME, "option": name, "known": list(allowed)}))
        by_text = {format_value(choice): choice for choice in allowed[name]}
        text = format_value(value)
        if text not in by_text:
            raise BadOptions(Message("no_such_value", {"option": name, "value": text, "known": list(by_text)}))
        parsed[name] = by_text[text]
    return rules.Options(**parsed)


def format_options(options: Any) -> dict[str, str]:
    """Return options as texts by name, in order: the inverse of `parse_options`."""
    return {item.name: format_value(getattr(options, item.name)) for item in fields(options)}


def format_value(value: Any) -> str:
    """Return an option's value as text."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def _values(hint: Any) -> tuple[Any, ...]:
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Literal:
        return get_args(hint)
    raise TypeError(f"an option is a bool or a Literal, not {hint}")
