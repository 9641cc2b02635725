"""The Game: Face to Face, assembled from its rules, notation (moves and positions as text), views and observations."""

from gramy.assembly import assemble
from gramy.games.face_to_face import notation, observation, rules, view
from gramy.games.face_to_face.rules import NAME
from gramy.games.face_to_face.view import Board

__all__ = ["NAME", "RULES", "Board"]

RULES = assemble(rules, notation, view, observation)
