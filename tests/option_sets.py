"""Every game with every combination of its options. A test takes a group of them: ten thousand tests cost too much."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, wraps
from itertools import groupby

import pytest

import gramy
from gramy.contract import Game
from gramy.options import combinations, format_options

SIZE = 32  # option sets of a group
Check = Callable[[Game], None]
Group = tuple[Game, ...]


@cache
def every(name: str) -> list[Game]:
    """Return the game with each combination of its options."""
    rules = gramy.GAMES[name]
    return [Game(rules, options) for options in combinations(rules.Options)]


EVERY = [game for name in gramy.GAMES for game in every(name)]


@cache
def label(game: Game) -> str:
    """Return the game's name and options, such as `quick-easy players=2 starter=lot`."""
    return " ".join([game.name, *(f"{name}={value}" for name, value in format_options(game.options).items())])


def groups(games: Iterable[Game]) -> dict[str, Group]:
    """Return the games in groups of at most SIZE; the names of the groups are unique."""
    found: dict[str, Group] = {}
    for name, same in groupby(games, key=lambda game: game.name):
        options = tuple(same)
        for first in range(0, len(options), SIZE):
            part = options[first : first + SIZE]
            found[f"{name} {first + 1}-{first + len(part)}"] = part
    return found


def each_of(games: Iterable[Game], seed: int) -> Callable[[Check], Callable[[Group], None]]:
    """Return a decorator: the test checks every one of the games, in groups, and names all for which it fails.

    All tests of one group run one after the other, so that they share the matches that they play.
    """
    named = groups(games)
    ids = [f"{name} seed={seed}" for name in named]

    def decorate(check: Check) -> Callable[[Group], None]:
        @pytest.mark.parametrize("group", named.values(), ids=ids, scope="module")
        @wraps(check)
        def test(group: Group) -> None:
            failures: dict[str, Exception] = {}
            for game in group:
                try:
                    check(game)
                except Exception as error:
                    failures[label(game)] = error
            if failures:
                first = next(iter(failures.values()))
                first.add_note(f"Fails with seed {seed} for {', '.join(failures)}")
                raise first

        del test.__wrapped__  # pytest would ask for the parameters of the check
        return test

    return decorate
