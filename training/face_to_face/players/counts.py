"""The player `counts` of `training.face_to_face.population`, for the arena."""

from training.face_to_face.bots import PolicyBot
from training.face_to_face.population import COUNTS

BOT = PolicyBot(COUNTS)
