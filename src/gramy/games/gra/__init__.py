"""GRA, assembled from its rules, notation (moves and positions as text), views and observations."""

from gramy.assembly import assemble
from gramy.games.gra import notation, observation, rules, view
from gramy.games.gra.rules import NAME
from gramy.games.gra.view import Board

__all__ = ["NAME", "RULES", "Board"]

RULES = assemble(rules, notation, view, observation)
