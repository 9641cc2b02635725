"""Bots of Face to Face: `heuristic` ones without learning, and in `search` those that use the network and roll-outs."""

from gramy.bots.face_to_face.heuristic import EASY, G2, MEDIUM
from gramy.bots.face_to_face.reasons import explain
from gramy.bots.face_to_face.search import EXPERT, GO, HARD, MC

__all__ = ["EASY", "EXPERT", "G2", "GO", "HARD", "MC", "MEDIUM", "explain"]
