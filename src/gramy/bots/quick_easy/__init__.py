"""Bots for Quick & Easy: `plain` ones by rules of thumb, `thinker` for those who search, `talk` for what all say."""

from gramy.bots.quick_easy.plain import EASY, GREEDY, MEDIUM
from gramy.bots.quick_easy.thinker import EXPERT, HARD

__all__ = ["EASY", "EXPERT", "GREEDY", "HARD", "MEDIUM"]
