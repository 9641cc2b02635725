"""Settings of GRA at three to six players in which levels and exploiters are measured.

They are a seeded sample over players, variants and both bid orders. `training.strength` measures them.
"""

from __future__ import annotations

import random
from itertools import product

SEED, SETTINGS = 16, 24
PLAYERS = (3, 4, 5, 6)
SWITCHES = ("jokers", "directions", "fewer_cards", "longer_game")
BID_ORDERS = ("value_first", "quantity_first")


def sampled_settings(seed: int = SEED, number: int = SETTINGS) -> list[dict[str, str]]:
    """Return the options of different settings, as many for each number of players."""
    rng = random.Random(seed)
    every = [
        {**{name: word for name, word in zip(SWITCHES, switches, strict=True) if word == "on"}, "bid_order": order}
        for switches in product(("off", "on"), repeat=len(SWITCHES))
        for order in BID_ORDERS
    ]
    return [
        {"players": str(players), **variant}
        for players in PLAYERS
        for variant in rng.sample(every, number // len(PLAYERS))
    ]


def options_text(options: dict[str, str]) -> str:
    """Return options as words of a command line, without the default bid order."""
    return " ".join(f"{name}={word}" for name, word in options.items() if word != "value_first")
