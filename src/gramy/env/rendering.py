"""Boards for `render`: as text, or printed. A board is what one seat may see, without the hidden cards of others."""

from __future__ import annotations

from gramy.contract import Game, State
from gramy.drawing import board_text

MODES = ["ansi", "human"]


def render(game: Game, state: State, seat: int | None, mode: str | None) -> str | None:
    """Return the board as text (`ansi`), or print it (`human`); without a mode do nothing."""
    if mode is None:
        return None
    text = board_text(game.view(state, seat), (), (), game.players, "en")
    if mode == "ansi":
        return text
    print(text)
    return None
