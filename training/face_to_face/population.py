"""The players that the learner of Face to Face meets: itself, earlier selves, references, and players of set habits.

Nobody is met alone in any part of a run, so the network is tuned to no one. Some players are never met in training: a
gain against those shows that the network has not only learned its opponents. All functions can be compiled.
"""

from __future__ import annotations

from gramy.bots.face_to_face.greedy import NOT_GIVEN
from gramy.bots.face_to_face.heuristic import counting_cost, last_cards_cost, next_hand, progress
from gramy.bots.face_to_face.turns import G2, GO, NETWORK, Workspace
from gramy.bots.face_to_face.turns import value_of as value_to_bot
from gramy.cards import count
from gramy.games.face_to_face.rules import State

GIVES_MUCH, GIVES_LITTLE, GIVES_LATE, HURRIES, GIVES_EARLY, GIVES_FOR_CARDS, COUNTS = range(5, 12)
"""Policies of players with set habits, beside those of the bots (`turns`)."""

MEMBERS = ("self", "earlier", "go", "g2", "gives_much", "gives_little", "gives_late", "hurries")
"""Whom the learner meets; `earlier` is a snapshot of the learner, or the network that it is to beat."""
SELF, EARLIER = range(2)
POLICIES = (NETWORK, NETWORK, GO, G2, GIVES_MUCH, GIVES_LITTLE, GIVES_LATE, HURRIES)
"""The policy of each member. The learner and its earlier selves may keep to promising turns (`run.Plan`)."""
HELD_OUT = {"gives_early": GIVES_EARLY, "gives_for_cards": GIVES_FOR_CARDS, "counts": COUNTS}
"""Players that the learner never meets, for measurements; `counts` is the bot `medium` over all turns."""

POPULATION = (50, 14, 9, 9, 3, 7, 6, 2)
"""How often (%) the learner meets each member in the first part of a run, in which it learns to play."""
STYLES = (20, 10, 16, 16, 6, 14, 12, 6)
"""The same in the second part. Most opponents play unlike the learner there: it learns what their habits tell."""
SELF_PLAY = (100, 0, 0, 0, 0, 0, 0, 0)
GREEDY_PLAY = (0, 0, 25, 22, 8, 18, 17, 10)
"""Greedy players alone: for a network that plays only against those who were recognised as greedy."""
STRONG_PLAY = (45, 25, 8, 8, 3, 5, 4, 2)
"""Mostly the learner and its earlier selves: for a network that plays against strong players."""
GO_ALONE = (0, 0, 100, 0, 0, 0, 0, 0)
"""Only `go`: what a network that is tuned to one player can reach. Never for the package."""
EXPLOITER = (0, 100, 0, 0, 0, 0, 0, 0)

HURRY = 3.0
"""What each card laid is worth to a player who hurries."""
LATE_DECK, EARLY_DECK = 20, 30
"""The size of the own deck up to which a late giver gives, and from which on an early giver does."""


def value_of(
    left: State, hand: int, tops: tuple[int, int, int, int], laid: int, policy: int, workspace: Workspace
) -> float:
    """Return the value of leaving this state, to a policy of a bot or of a player with set habits."""
    if policy < GIVES_MUCH:
        return value_to_bot(left, hand, tops, laid, policy, workspace)
    if policy == COUNTS:
        return -counting_cost(left)
    return -habit_cost(left, policy)


def habit_cost(left: State, policy: int) -> float:
    """Return the cost of a state to a player with set habits: the cost of `go` with other weights."""
    foe_weight, card_weight, gift_cost, deck = 0.5, 3.0, 0.0, count(left.me.deck)
    if policy == GIVES_MUCH:
        foe_weight, gift_cost = 0.2, -10.0
    elif policy == GIVES_LITTLE:
        gift_cost = 12.0
    elif policy == GIVES_FOR_CARDS:
        foe_weight, card_weight = 0.0, 6.0
    elif (
        policy == HURRIES
        or (policy == GIVES_LATE and deck > LATE_DECK)
        or (policy == GIVES_EARLY and deck < EARLY_DECK)
    ):
        gift_cost = NOT_GIVEN
    cost = progress(left.me) - foe_weight * progress(left.foe) - card_weight * next_hand(left)
    if policy == HURRIES:
        cost -= HURRY * left.laid
    return cost + gift_cost * left.helped + last_cards_cost(left)
