"""Bots of Quick & Easy: `heuristic` ones without search, and in `search` those that roll out whole turns."""

from gramy.bots.quick_easy.heuristic import EASY, GREEDY, MEDIUM
from gramy.bots.quick_easy.reasons import explain
from gramy.bots.quick_easy.references import CAREFUL_PARTNER, CHEAP_PARTNER, CHILD_PARTNER, LISTENING_PARTNER, TALKER
from gramy.bots.quick_easy.search import EXPERT, HARD
from gramy.bots.quick_easy.talk import say_literally, say_vaguely

__all__ = [
    "CAREFUL_PARTNER",
    "CHEAP_PARTNER",
    "CHILD_PARTNER",
    "EASY",
    "EXPERT",
    "GREEDY",
    "HARD",
    "LISTENING_PARTNER",
    "MEDIUM",
    "TALKER",
    "explain",
    "say_literally",
    "say_vaguely",
]
