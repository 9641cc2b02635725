"""GRA, assembled from its rules, its notation (moves and positions as text) and its views."""

from gramy.assembly import assemble
from gramy.games.gra import notation, rules, view
from gramy.games.gra.rules import NAME
from gramy.games.gra.view import Board

__all__ = ["NAME", "RULES", "Board"]

RULES = assemble(rules, notation, view)
