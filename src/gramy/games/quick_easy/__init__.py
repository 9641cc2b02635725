"""The Game: Quick & Easy, assembled from its rules, its notation (moves and positions as text) and its views."""

from gramy.assembly import assemble
from gramy.games.quick_easy import notation, rules, view
from gramy.games.quick_easy.rules import NAME
from gramy.games.quick_easy.view import Board

__all__ = ["NAME", "RULES", "Board"]

RULES = assemble(rules, notation, view)
