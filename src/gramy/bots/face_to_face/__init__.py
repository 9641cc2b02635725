"""Players of Face to Face: plain ones that weigh a table by hand-made rules, and ones that have learned and search."""

from gramy.bots.face_to_face.plain import EASY, G2, MEDIUM
from gramy.bots.face_to_face.searching import EXPERT, GO, HARD, MC

__all__ = ["EASY", "EXPERT", "G2", "GO", "HARD", "MC", "MEDIUM"]
