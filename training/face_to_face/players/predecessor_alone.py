"""The earlier self-play network without search, for the arena: see `training.face_to_face.predecessor`."""

from training.face_to_face.predecessor import HARD as BOT

__all__ = ["BOT"]
