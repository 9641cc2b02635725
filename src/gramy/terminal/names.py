"""The names of the players at a keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from gramy.contract import Game
from gramy.drawing.pen import Pen, cut
from gramy.text import clip


def player_names(game: Game, people: int, names: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the names of all players: those given, and default names for the rest.

    More names than seats are not cut here; the match refuses them.
    """
    pen = Pen((), frozenset(), language)
    given = [cut(clip(" ".join(name.split())), 24) for name in names]
    given += [""] * (game.players - len(given))
    defaults = [pen.words("person" if seat < people else "machine", number=seat + 1) for seat in range(len(given))]
    return tuple(name or default for name, default in zip(given, defaults, strict=True))
