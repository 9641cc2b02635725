"""The player `gives_for_cards` of `training.face_to_face.population`, for the arena."""

from training.face_to_face.bots import PolicyBot
from training.face_to_face.population import GIVES_FOR_CARDS

BOT = PolicyBot(GIVES_FOR_CARDS)
