"""The earlier self-play network with its own search, for the arena: see `training.face_to_face.predecessor`."""

from training.face_to_face.predecessor import EXPERT as BOT

__all__ = ["BOT"]
