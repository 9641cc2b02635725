"""Bots of GRA.

`heuristics` has rule-based bots for the lower levels. The expert plays rounds between two players by stored equilibrium
strategies (`strategy_tables`, `table_play`). The programs in `training/gra` compute them by CFR+ in an abstraction of
the game (`abstraction`, `bid_tree`). Where no table fits, it solves the rest of the round at every decision
(`round_search`, `search_play`). The expert plays all other rounds by Monte-Carlo rollouts (`deal_sampling`), in which
opponents check and bid as the history of the match suggests (`opponent_model`). They also replace the search against a
player who surely checks always or never, or bids without regard to its hand.
"""

from gramy.bots.gra.bid_probability import claim_probabilities
from gramy.bots.gra.deal_sampling import DealSampler
from gramy.bots.gra.expert import Expert, WeakenedExpert
from gramy.bots.gra.exploiters import BLUFFER, CHECKER, HONEST, ONE_MORE, RAISER
from gramy.bots.gra.heuristics import EASY, HEURISTIC, MEDIUM, NAIVE
from gramy.bots.gra.reasons import explain
from gramy.bots.gra.search_play import warm_up

HARD = WeakenedExpert(Expert(DealSampler(effort=0.1)), HEURISTIC, heuristic_rate=0.75)
EXPERT = Expert(DealSampler(effort=1.0))

EXPLOITERS = {"checker": CHECKER, "raiser": RAISER, "one-more": ONE_MORE, "honest": HONEST, "bluffer": BLUFFER}
"""Reference bots with one fixed idea each, by name."""

__all__ = ["EASY", "EXPERT", "EXPLOITERS", "HARD", "MEDIUM", "NAIVE", "claim_probabilities", "explain", "warm_up"]
