"""The network in the weight file that the environment variable NETWORK names, without search, for the arena."""

import os

from training.face_to_face.bots import NetworkBot

BOT = NetworkBot(os.environ["NETWORK"])
