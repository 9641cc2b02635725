"""Bots of Quick & Easy: `heuristic` ones without search, and in `search` those that roll out whole turns."""

from gramy.bots.quick_easy.heuristic import EASY, GREEDY, MEDIUM
from gramy.bots.quick_easy.search import EXPERT, HARD
from gramy.bots.quick_easy.talk import say_literally, say_vaguely

__all__ = ["EASY", "EXPERT", "GREEDY", "HARD", "MEDIUM", "say_literally", "say_vaguely"]
