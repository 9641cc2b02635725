"""The player `gives_early` of `training.face_to_face.population`, for the arena."""

from training.face_to_face.bots import PolicyBot
from training.face_to_face.population import GIVES_EARLY

BOT = PolicyBot(GIVES_EARLY)
