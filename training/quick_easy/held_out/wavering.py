"""A partner of Quick & Easy that had no part in making the bots: it wavers between two ways to play.

In one of three moves it does whatever fits. In the others it makes the shortest step and then ends its turn. It
describes about half of its cards by colour and height, and does not listen.
"""

import random

from gramy.bots.quick_easy.talk import card_phrases, visible_state
from gramy.bots.quick_easy.turns import gap
from gramy.cards import codes
from gramy.contract import View
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import apply, legal_moves
from gramy.matches import Entry


def choose(view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
    """Return any legal move in one of three cases, otherwise the one with the shortest step, or the end of the turn."""
    if len(view.moves) == 1 or rng.random() < 1 / 3:
        return rng.choice(view.moves)
    if "end" in view.moves:
        return "end"
    state = visible_state(view)
    *rows, _ = legal_moves(state, state.seat)

    def room_left(code: int) -> int:
        after = apply(state, state.seat, code)
        return gap(after.up, after.down)

    return format_move(state, state.seat, max(codes(tuple(rows)), key=room_left))


def say(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return the descriptions of about half of the cards that were drawn just now."""
    drawn = [entry for entry in history if not entry.text.startswith("say ")]
    if not drawn or not drawn[-1].text.startswith("deal ") or drawn[-1].text.endswith("?"):
        return ()
    return tuple(phrase for phrase in card_phrases(view, history, heights=True) if rng.random() < 0.5)
