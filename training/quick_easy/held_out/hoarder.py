"""A partner of Quick & Easy that had no part in making the bots: it keeps its low cards, and names its colours.

It lays its highest card that fits, on the pile where the step is shorter, and never a second one. It does not listen.
"""

import random

from gramy.bots.quick_easy.talk import say_vaguely, visible_state
from gramy.bots.quick_easy.turns import gap
from gramy.cards import bit_of, codes
from gramy.contract import View
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import apply, legal_moves
from gramy.matches import Entry


def choose(view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
    """Return the move of the highest card that fits; after one card the end of the turn."""
    if len(view.moves) == 1 or "end" in view.moves:
        return view.moves[0] if len(view.moves) == 1 else "end"
    state = visible_state(view)
    *rows, _ = legal_moves(state, state.seat)

    def preference(code: int) -> tuple[int, int]:
        after = apply(state, state.seat, code)
        return bit_of(code) % 10, gap(after.up, after.down)

    return format_move(state, state.seat, max(codes(tuple(rows)), key=preference))


def say(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return the colours of the cards that were not named yet."""
    return say_vaguely(view, history, rng)
