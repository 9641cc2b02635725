"""Options for tests that are not about who starts."""

import gramy
from gramy.options import choices


def by_lot(game: str) -> dict[str, str]:
    """Return the option by which the dealer draws who starts, where a game has it."""
    return {"starter": "lot"} if "starter" in choices(gramy.GAMES[game].Options) else {}
