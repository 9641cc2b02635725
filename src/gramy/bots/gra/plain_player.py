"""How a plain player bids: by the probability of its claims, without bluffs and without regard to earlier bids.

The search expects such play from the other seat now and then (a restricted Nash response: Johanson, Zinkevich and
Bowling, 2007). The formulas are those by which sampled deals are weighed (`belief`), here for all hand types at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gramy.bots.gra.belief import BLUFF_RATE, LIKELIHOOD_TEMPERATURE, OPENING_DECAY
from gramy.bots.gra.bid_graph import GraphNode, GraphRoot, bid_graph
from gramy.bots.gra.bid_probability import hit_probability
from gramy.bots.gra.hand_types import hand_types, type_hits
from gramy.bots.gra.observation import CHECK, Action


def opening_likelihood(cards: int, jokers: bool, bid: Action) -> Any:
    """Return how likely an opening is for each type, beside one that the type is sure of."""
    import numpy as np

    number, value = bid
    lacking = np.maximum(0, number - type_hits(cards)[int(jokers), value])
    return BLUFF_RATE + (1 - BLUFF_RATE) * OPENING_DECAY**lacking


@lru_cache(4)
def plain_strategy(root: GraphRoot, cards: int) -> Any:
    """Return how a plain player acts in the nodes of seat 1, by [row][type]."""
    import numpy as np

    types = len(hand_types(cards))
    rows = [plain_actions(root, node, cards) for node in bid_graph(root) if node.seat == 1]
    return np.concatenate(rows).astype(np.float32) if rows else np.zeros((1, types), np.float32)


def plain_actions(root: GraphRoot, node: GraphNode, cards: int) -> Any:
    """Return how likely a plain player takes each action in a node, by [action][type]."""
    import numpy as np

    claims = []
    seen: set[int] = set()
    for action in node.actions:
        bid = node.standing if action == CHECK else action
        if action != CHECK and bid[1] in seen:  # it makes the lowest bid on a value
            claims.append(np.full(len(hand_types(cards)), -np.inf))
            continue
        seen.add(bid[1] if action != CHECK else 0)
        probability = claim_probability(cards, root.cards_in_play, node.jokers, bid)
        claims.append(1 - probability if action == CHECK else probability)
    weights = np.exp(np.stack(claims) / LIKELIHOOD_TEMPERATURE)
    return weights / weights.sum(0)


@lru_cache(512)
def claim_probability(cards: int, cards_in_play: int, jokers: bool, bid: Action) -> Any:
    """Return how probable a bid is for each type, which counts the others' cards as unknown."""
    import numpy as np

    number, value = bid
    wild = jokers and value != 1
    tail = np.array([hit_probability(needed, cards_in_play - cards, wild) for needed in range(number + 1)])
    return tail[np.maximum(0, number - type_hits(cards)[int(jokers), value])]
