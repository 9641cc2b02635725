"""The Game: Face to Face, assembled from its rules, its notation (moves and positions as text) and its views."""

from gramy.assembly import assemble
from gramy.games.face_to_face import notation, rules, view
from gramy.games.face_to_face.rules import NAME
from gramy.games.face_to_face.view import Board

__all__ = ["NAME", "RULES", "Board"]

RULES = assemble(rules, notation, view)
