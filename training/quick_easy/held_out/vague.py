"""A partner of Quick & Easy that had no part in making the bots: it names its colours and nothing else, and listens.

It plays like the level medium, which looks two turns ahead by what the others have said.
"""

import random

from gramy.bots.quick_easy import MEDIUM, say_vaguely
from gramy.contract import View
from gramy.matches import Entry


def choose(view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
    """Return the move of medium."""
    return MEDIUM.choose(view, history, rng, budget)


def say(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return the colours of the cards that were not named yet."""
    return say_vaguely(view, history, rng)
