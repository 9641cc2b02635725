"""Players of GRA. `plain` reckons with simple chances, `sampled` imagines how a round may go on."""

from gramy.bots.gra.honest import claims, holds
from gramy.bots.gra.plain import EASY, MEDIUM, NAIVE
from gramy.bots.gra.sampled import Sampler

HARD = Sampler(0.1)
EXPERT = Sampler()

__all__ = ["EASY", "EXPERT", "HARD", "MEDIUM", "NAIVE", "claims", "holds"]
