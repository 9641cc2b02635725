"""Bots: players that see what a person in their seat sees, and nothing else.

Each game has its bots in the subpackage of its name; `protocol` says what a bot is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from gramy import games
from gramy.bots import face_to_face, gra, quick_easy, uniform
from gramy.bots.protocol import Bot
from gramy.bots.reasons import Explain
from gramy.bots.styles import StyledBot, Talk, say_nothing
from gramy.contract import Game, View
from gramy.errors import BadOptions
from gramy.matches import Entry, Match, ShuffledDealer
from gramy.messages import Message

__all__ = ["CLAIMS", "LEVELS", "REASONS", "REFERENCES", "STYLES", "Bot", "bot", "names", "prepare", "styled", "styles"]

PREPARE_BUDGET = 0.001
"""Seconds a move while `prepare` runs the bots once."""

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
"""The levels that people choose from, weakest first: a bot for each game."""

REFERENCES: dict[str, dict[str, Bot]] = {
    "random": dict.fromkeys(games.GAMES, uniform.RANDOM),
    "g2": {games.face_to_face.NAME: face_to_face.G2},
    "go": {games.face_to_face.NAME: face_to_face.GO},
    "mc": {games.face_to_face.NAME: face_to_face.MC},
    "greedy": {games.quick_easy.NAME: quick_easy.GREEDY},
    "cheap": {games.quick_easy.NAME: quick_easy.CHEAP_PARTNER},
    "careful": {games.quick_easy.NAME: quick_easy.CAREFUL_PARTNER},
    "talker": {games.quick_easy.NAME: quick_easy.TALKER},
    "listener": {games.quick_easy.NAME: quick_easy.LISTENING_PARTNER},
    "child": {games.quick_easy.NAME: quick_easy.CHILD_PARTNER},
    "naive": {games.gra.NAME: gra.NAIVE},
    **{name: {games.gra.NAME: player} for name, player in gra.EXPLOITERS.items()},
}
"""Bots to measure others against. They never change, so that figures can be compared over time."""

STYLES: dict[str, dict[str, Talk]] = {
    "silent": dict.fromkeys(games.GAMES, say_nothing),
    "vague": {games.quick_easy.NAME: quick_easy.say_vaguely},
    "literal": {games.quick_easy.NAME: quick_easy.say_literally},
}
"""Styles of talk that any bot of a game can take on: it says nothing, as little as makes sense, or all that the rules
allow it to say of its cards."""

CLAIMS: dict[str, Callable[[View, tuple[Entry, ...]], dict[str, float]]] = {games.gra.NAME: gra.claim_probabilities}
"""For games in which a move claims something: the probability that the claim of each legal move is true, given what the
seat knows."""

REASONS: dict[str, Explain] = {
    games.face_to_face.NAME: face_to_face.explain,
    games.quick_easy.NAME: quick_easy.explain,
    games.gra.NAME: gra.explain,
}
"""Why a move is advised, from what the seat knows and how its moves were evaluated."""


WARM_UPS: dict[str, Callable[[], None]] = {games.gra.NAME: gra.warm_up}
"""Functions that compile what a match of a game with the default options does not reach."""


def prepare(game: Game, players: Iterable[Bot] | None = None) -> None:
    """Let each of these bots (by default one of every level) play a match of a game, with a tiny budget.

    The code that they compile is then on disk, and no later move waits for the compiler.
    """
    rng = random.Random(0)
    for player in [level[game.name] for level in LEVELS.values() if game.name in level] if players is None else players:
        match = Match(game, ShuffledDealer(rng))
        while match.to_act:
            seat = match.to_act[0]
            match.play(player.choose(match.view(seat), match.history(seat), rng, PREPARE_BUDGET), seat)
    if game.name in WARM_UPS:
        WARM_UPS[game.name]()


def names(game: str) -> tuple[str, ...]:
    """Return the names of a game's bots: the levels, weakest first, then the reference bots."""
    games.named(game)  # raises if there is no such game
    return tuple(name for name, bots in (LEVELS | REFERENCES).items() if game in bots)


def styles(game: str) -> tuple[str, ...]:
    """Return the styles of talk that a game's bots can take on; none where the rules allow no talk."""
    return tuple(style for style, talks in STYLES.items() if game in talks) if games.game(game).phrases() else ()


def bot(game: str, level: str) -> Bot:
    """Return the bot of a level, or a reference bot, for a game."""
    if level not in names(game):
        raise BadOptions(Message("no_such_level", {"level": level, "known": list(names(game))}))
    return (LEVELS | REFERENCES)[level][game]


def styled(game: str, player: Bot, style: str) -> Bot:
    """Return a bot that plays like `player` and talks in this style."""
    known = styles(game)
    if not known:
        raise BadOptions(Message("no_styles", {"style": style}))
    if style not in known:
        raise BadOptions(Message("no_such_style", {"style": style, "known": list(known)}))
    return StyledBot(player, STYLES[style][game])
