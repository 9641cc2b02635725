"""The games, one line each: the only place that lists them."""

from collections.abc import Mapping
from typing import Any

from gramy.contract import Game, Message, Rules, UnknownGame, parse_options
from gramy.games import face_to_face, gra, quick_easy

GAMES: dict[str, Rules] = {rules.NAME: rules for rules in (face_to_face, quick_easy, gra)}


def named(name: str) -> Rules:
    """The rules of a game; raises UnknownGame."""
    if name not in GAMES:
        raise UnknownGame(Message("unknown_game", {"game": name, "known": list(GAMES)}))
    return GAMES[name]


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The rules of a game with options, for what is not said their usual values; raises UnknownGame, BadOptions."""
    rules = named(name)
    return Game(rules, parse_options(rules, options or {}))
