"""The games, one line each: the only place that lists them."""

from gramy.game import Rules
from gramy.games import face_to_face, gra, quick_easy

GAMES: dict[str, Rules] = {rules.NAME: rules for rules in (face_to_face, quick_easy, gra)}
