"""A partner of Quick & Easy that had no part in making the bots: it lays two cards whenever it can, and says nothing.

Of two turns with as many cards it makes the one that leaves more room between the piles.
"""

import random

from gramy.bots.quick_easy.talk import visible_state
from gramy.bots.quick_easy.turns import gap, turn_options
from gramy.contract import View
from gramy.games.quick_easy.notation import format_move
from gramy.matches import Entry


def choose(view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
    """Return the first move of the turn that lays most cards, and of those leaves most room."""
    if len(view.moves) == 1:
        return view.moves[0]
    state = visible_state(view)
    best = max(turn_options(state), key=lambda option: (option.left.laid, gap(option.left.up, option.left.down)))
    return format_move(state, state.seat, best.move)
