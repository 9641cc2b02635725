"""Gramy: card games as a library. Rules are pure, chance is a seat, and nobody is shown more than they may know.

`game` is the rules of a game with options, `match` one play of it, `load` and `save` a match as a file. README.md plays
a match in twelve lines; `gramy.contract` is the contract that every game fulfils.
"""

from __future__ import annotations

import random
from typing import Any

from gramy import games
from gramy.contract import (
    DEALER,
    BadOptions,
    BadPosition,
    BadRecord,
    Event,
    Game,
    GramyError,
    IllegalMove,
    Message,
    MoveError,
    Outcome,
    Reason,
    UnknownGame,
    UnreadableMove,
    View,
)
from gramy.games import GAMES
from gramy.matches import Dealer, Entry, Match, ShuffledDealer
from gramy.record import load, save
from gramy.text import say

__version__ = "0.1.0"


def game(name: str, /, **options: Any) -> Game:
    """The rules of a game with these options, for example `game(name, players=3)`."""
    return games.game(name, options)


def match(name: str, /, *, seed: int | None = None, names: tuple[str, ...] = (), **options: Any) -> Match:
    """A match that deals by itself; the same seed deals the same cards."""
    return Match(game(name, **options), ShuffledDealer(random.Random(seed)), names)


__all__ = [
    "DEALER",
    "GAMES",
    "BadOptions",
    "BadPosition",
    "BadRecord",
    "Dealer",
    "Entry",
    "Event",
    "Game",
    "GramyError",
    "IllegalMove",
    "Match",
    "Message",
    "MoveError",
    "Outcome",
    "Reason",
    "ShuffledDealer",
    "UnknownGame",
    "UnreadableMove",
    "View",
    "game",
    "load",
    "match",
    "save",
    "say",
]
