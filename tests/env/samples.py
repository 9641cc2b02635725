"""The scenarios that the tests of environments try: every game, each option changed once, with talk and in silence."""

from typing import Any, NamedTuple

import gramy
from gramy.options import choices, format_value


class Sample(NamedTuple):
    """A game with options, with talk or in silence."""

    game: str
    talk: bool
    options: dict[str, Any]

    def __str__(self) -> str:
        words = [f"{name}={format_value(value)}" for name, value in self.options.items()]
        return " ".join([self.game, "talking" if self.talk else "silent", *words])


def samples() -> list[Sample]:
    """Return all scenarios to try."""
    found = []
    for name, rules in gramy.GAMES.items():
        defaults = rules.Options()
        changed = [
            {option: value}
            for option, values in choices(rules.Options).items()
            for value in values
            if value != getattr(defaults, option)
        ]
        found += [Sample(name, True, options) for options in [{}, *changed]]
        found += [Sample(name, False, options) for options in ({}, changed[-1]) if gramy.game(name).phrases()]
    return found


SAMPLES = samples()
