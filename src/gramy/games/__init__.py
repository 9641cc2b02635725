"""The games, one line each: the only place that lists them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gramy.contract import Game, Rules
from gramy.errors import UnknownGame
from gramy.games import face_to_face, gra, quick_easy
from gramy.messages import Message
from gramy.options import parse_options

GAMES: dict[str, Rules] = {game.RULES.NAME: game.RULES for game in (face_to_face, quick_easy, gra)}


def named(name: str) -> Rules:
    """Return the rules of a game; raises UnknownGame."""
    if name not in GAMES:
        raise UnknownGame(Message("unknown_game", {"game": name, "known": list(GAMES)}))
    return GAMES[name]


def options_since(rules: Rules, version: str) -> Mapping[str, str] | None:
    """Return the options with which the rules still play an older version, none for this one; None if they do not."""
    versions = {str(rules.VERSION): {}, **{str(older): options for older, options in rules.OLDER.items()}}
    return versions.get(version)


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """Return a game with these options, the others at their defaults; raises UnknownGame or BadOptions."""
    return _shared_game(name, parse_options(named(name), options or {}))


@lru_cache(1024)
def _shared_game(name: str, options: Any) -> Game:
    """Return a game that all its tables share: it is immutable, and a server has thousands of tables."""
    return Game(GAMES[name], options)
