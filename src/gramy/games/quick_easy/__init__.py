"""The Game: Quick & Easy, assembled from its rules, notation (moves and positions as text), views and observations."""

from gramy.assembly import assemble
from gramy.games.quick_easy import notation, observation, rules, view
from gramy.games.quick_easy.rules import NAME
from gramy.games.quick_easy.view import Board

__all__ = ["NAME", "RULES", "Board"]

RULES = assemble(rules, notation, view, observation)
