"""Models of greedy players of Face to Face, for `recognition`. All of it can be compiled."""

from __future__ import annotations

from gramy.bots.face_to_face.heuristic import last_cards_cost, next_hand, progress
from gramy.games.face_to_face.rules import State

GREEDY_MODELS = 6
"""How many greedy players `greedy_cost` describes."""
NOT_GIVEN = 300
"""The cost of a card given by a player who does not give: more than any turn costs otherwise."""


def greedy_cost(left: State, model: int) -> float:
    """The cost to a model of a greedy player: the own progress, minus a part of the other's, minus something for each
    card of the next hand. The last two models give no card if they need not.

    The weights lie on both sides of what is plausible and are those of no bot: the models stand for greedy play of any
    kind (`recognition`).
    """
    foe_weight = 0.8 if model & 1 else 0.25
    card_weight = 4.0 if model & 2 else 1.5
    gift_cost = 0
    if model >= 4:
        card_weight = 4.0 if model & 1 else 1.5
        gift_cost = NOT_GIVEN
    cost = progress(left.me) - foe_weight * progress(left.foe) - card_weight * next_hand(left)
    return cost + gift_cost * left.helped + last_cards_cost(left)
