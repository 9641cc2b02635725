"""Bots: players that see what a person in their seat sees, and nothing else.

A bot is a value without a memory of its own: all it goes by is handed to it, so that the same view, history and random
generator give the same move, any thread may ask it, and one bot may sit at many tables. What belongs to a game is in
the file of its name.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from gramy import games
from gramy.bots import chance, face_to_face, gra, quick_easy
from gramy.contract import BadOptions, Message, View
from gramy.matches import Entry, Match, ShuffledDealer

HARDLY = 0.001
"""Seconds of thought, for those who only want to see a bot move."""


class Bot(Protocol):
    """A player. `view` and `history` are those of its own seat: `match.view(seat)` and `match.history(seat)`."""

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        """One of the view's moves, which must not be empty; `budget` is how much to think, in seconds of a
        quiet core: a bot makes a fixed number of tries of it, so that the same budget always finds the same move."""

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        """The phrases to say now, whoever's turn it is; empty when nothing is new, or where there is no talk."""


LEVELS: dict[str, dict[str, Bot]] = {
    "easy": {
        games.face_to_face.NAME: face_to_face.EASY,
        games.quick_easy.NAME: quick_easy.EASY,
        games.gra.NAME: gra.EASY,
    },
    "medium": {
        games.face_to_face.NAME: face_to_face.MEDIUM,
        games.quick_easy.NAME: quick_easy.MEDIUM,
        games.gra.NAME: gra.MEDIUM,
    },
    "hard": {
        games.face_to_face.NAME: face_to_face.HARD,
        games.quick_easy.NAME: quick_easy.HARD,
        games.gra.NAME: gra.HARD,
    },
    "expert": {
        games.face_to_face.NAME: face_to_face.EXPERT,
        games.quick_easy.NAME: quick_easy.EXPERT,
        games.gra.NAME: gra.EXPERT,
    },
}
"""What people choose from, weakest first."""

REFERENCES: dict[str, dict[str, Bot]] = {
    "random": dict.fromkeys(games.GAMES, chance.RANDOM),
    "g2": {games.face_to_face.NAME: face_to_face.G2},
    "go": {games.face_to_face.NAME: face_to_face.GO},
    "mc": {games.face_to_face.NAME: face_to_face.MC},
    "greedy": {games.quick_easy.NAME: quick_easy.GREEDY},
    "naive": {games.gra.NAME: gra.NAIVE},
}
"""What bots are measured against: they stay as they are, so that figures can be compared over time."""

CLAIMS: dict[str, Callable[[View, tuple[Entry, ...]], dict[str, float]]] = {games.gra.NAME: gra.claims}
"""For games in which a move claims something: the chance that each offered move's claim is true, as its seat knows."""


def prepare(game: str) -> None:
    """Let the bots of every level play a match of a game with hardly a thought: what they compile is then on disk, and
    nobody waits for it later."""
    rng = random.Random(0)
    for level in LEVELS.values():
        match = Match(games.game(game), ShuffledDealer(rng))
        while match.to_act and game in level:
            seat = match.to_act[0]
            match.play(level[game].choose(match.view(seat), match.history(seat), rng, HARDLY), seat)


def bot(game: str, level: str) -> Bot:
    """The bot of a level, or a reference bot, for a game."""
    games.named(game)  # says so if there is no such game
    known = {name: bots[game] for name, bots in (LEVELS | REFERENCES).items() if game in bots}
    if level not in known:
        raise BadOptions(Message("no_such_level", {"level": level, "known": list(known)}))
    return known[level]
