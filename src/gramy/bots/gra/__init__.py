"""Players of GRA, from `plain` ones, who reckon with simple chances, to `strong` ones.

Rounds between two are played by tables (`store`, `duel`), which `solve` and `compute` make of a game cut down by a plan
(`tree`, `shape`, `sight`). Among more, hands are imagined (`imagine`, `sampled`).
"""

from gramy.bots.gra.honest import claims, holds
from gramy.bots.gra.plain import EASY, FEELING, MEDIUM, NAIVE
from gramy.bots.gra.sampled import Sampler
from gramy.bots.gra.strong import Expert, Impulsive

HARD = Impulsive(Expert(Sampler(0.1)), FEELING, slip=0.6)
EXPERT = Expert(Sampler(1.0))

__all__ = ["EASY", "EXPERT", "HARD", "MEDIUM", "NAIVE", "claims", "holds"]
