"""How often a network of Quick & Easy wins: in a team of equals, or beside a partner of another kind.

Without a search it chooses by the evaluation alone. With one it rolls out its turns in sampled deals, and the roll-outs
play the partner as it really plays. That, and the knowledge of the partner's cards, are bounds for a bot that sees only
what a player sees.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal, NamedTuple

from gramy.bots.kernel import kernel
from gramy.bots.quick_easy.evaluation import new_evaluator
from gramy.bots.quick_easy.partners import LIKE_ME
from gramy.bots.quick_easy.talk import BAND, COLOUR, PILE, SILENT
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import Options, start
from gramy.playout import first_word
from training.quick_easy.learning import TeamPlay, new_beliefs, new_learner, new_search, train

STYLES = {"silent": SILENT, "colour": COLOUR, "band": BAND, "pile": PILE}
"""How a partner can talk: not at all, or by the colour, the colour and height, or the colour and piles of each card."""


class Team(NamedTuple):
    """Who plays: the number of players, whether it is the pro game, and the model and the talk of the partners.

    One seat plays by the network and says all that the rules allow. The others do the same if they are LIKE_ME.
    """

    players: Literal[2, 3, 4, 5]
    pro: bool
    partner: int
    style: int


class Search(NamedTuple):
    """How the network's seat searches: sampled deals for a turn (0: no search), turns of a roll-out, and whether it
    knows the partners' cards."""

    deals: int = 0
    horizon: int = 0
    sees: bool = False


NO_SEARCH = Search()


def wins(weights: Sequence[float], team: Team, matches: int, seed: int, how: Search = NO_SEARCH) -> tuple[int, int]:
    """Return how many matches a team won and how many it played: the network has each seat in `matches` of them."""
    won, word, seats = 0, first_word(seed), range(team.players if team.partner != LIKE_ME else 1)
    evaluator = new_evaluator(array("d", weights))
    for own in seats:
        beliefs = new_beliefs(team.style)
        if team.partner != LIKE_ME:
            for seat in range(len(beliefs.models)):
                beliefs.models[seat] = LIKE_ME if seat == own else team.partner
            beliefs.styles[own] = PILE if team.pro else BAND
        search = new_search(team.style, how.horizon, how.sees)
        search.beliefs.models[:] = beliefs.models
        search.beliefs.styles[:] = beliefs.styles
        play = TeamPlay(beliefs, evaluator, search, how.deals, noise=0.0)
        state = start(Options(team.players, team.pro, "lot"))
        # A learning rate of 0 changes no weight, so this only plays.
        more, word = kernel(RULES, train)(state, play, new_learner(), matches, 0.0, word)
        won += int(more)
    return won, matches * len(seats)
