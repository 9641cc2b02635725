"""Gramy: card games as a library.

`game` returns a game with its options, `match` starts a match of it, `load` and `save` read and write a match as a
file. README.md plays a match in twelve lines. `gramy.contract` is the contract that every game fulfils.
"""

from __future__ import annotations

import random
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gramy import games
from gramy.contract import DEALER, Game, Outcome, View
from gramy.errors import (
    BadOptions,
    BadPosition,
    BadRecord,
    GramyError,
    IllegalMove,
    MoveError,
    UnknownGame,
    UnknownLanguage,
    UnreadableMove,
)
from gramy.games import GAMES
from gramy.log import Entry
from gramy.matches import Dealer, Match, ShuffledDealer
from gramy.messages import Event, Message, Reason
from gramy.record import load, save
from gramy.text import say

if TYPE_CHECKING:
    from gramy.batch import Batch
    from gramy.simulation import compile_with_rules, simulate

__version__ = "0.1.0"


def game(name: str, /, **options: Any) -> Game:
    """Return a game with these options, for example `game(name, players=3)`."""
    return games.game(name, options)


def match(name: str, /, *, seed: int | None = None, names: tuple[str, ...] = (), **options: Any) -> Match:
    """Return a match that deals by itself; the same seed deals the same cards."""
    return Match(game(name, **options), ShuffledDealer(random.Random(seed)), names)


LATER = {"Batch": "batch", "compile_with_rules": "simulation", "simulate": "simulation"}
"""What only some programs use, and its module: imported on first use, so that `import gramy` stays fast."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(import_module(f"gramy.{LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "DEALER",
    "GAMES",
    "BadOptions",
    "BadPosition",
    "BadRecord",
    "Batch",
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
    "UnknownLanguage",
    "UnreadableMove",
    "View",
    "compile_with_rules",
    "game",
    "load",
    "match",
    "save",
    "say",
    "simulate",
]
