"""A partner of Quick & Easy that had no part in making the bots: it plays on the rising pile, and says nothing.

It lays the card with the shortest step on that pile, and a second one there if that costs at most three. If no card
fits there, it lays its highest one that fits on the falling pile.
"""

import random

from gramy.bots.quick_easy.talk import visible_state
from gramy.bots.quick_easy.turns import gap
from gramy.cards import code_of, positions
from gramy.contract import View
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import DOWN, UP, apply, legal_moves
from gramy.matches import Entry

SECOND_STEP = 3
"""The longest step for which it lays a second card."""


def choose(view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
    """Return the shortest step on the rising pile; without one, the highest card for the falling pile."""
    if len(view.moves) == 1:
        return view.moves[0]
    state = visible_state(view)
    before, rows = gap(state.up, state.down), legal_moves(state, state.seat)
    steps = []
    for card in positions(rows[UP]):
        after = apply(state, state.seat, code_of(UP, card))
        steps.append((before - gap(after.up, after.down), card))
    if steps and (not state.laid or min(steps)[0] <= SECOND_STEP):
        return format_move(state, state.seat, code_of(UP, min(steps)[1]))
    if state.laid:
        return "end"
    return format_move(state, state.seat, code_of(DOWN, max(positions(rows[DOWN]), key=lambda card: card % 10)))
