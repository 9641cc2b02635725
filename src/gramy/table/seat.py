"""A seat at a table, as a frozen value: open, a person's or a bot's."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

OPEN, PERSON, BOT = "open", "person", "bot"
BOT_NAMES = ("Kika", "Otto", "Mimi", "Leo", "Zuza", "Nero")
STAND_IN_LEVEL = "easy"
"""The level of a bot that plays for an absent person."""


class Seat(NamedTuple):
    """Who sits here. A bot may stand in for a person who is away. `token` is the hash of the seat's token."""

    kind: str = OPEN
    name: str = ""
    level: str | None = None
    guest: str | None = None
    token: str | None = None
    stand_in: bool = False

    @classmethod
    def for_bot(cls, number: int, level: str) -> Seat:
        """Return a bot's seat; the bot's name follows from the number of the seat."""
        return cls(kind=BOT, name=BOT_NAMES[number], level=level)

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays this seat, None if a person does."""
        if self.kind == BOT:
            return self.level or STAND_IN_LEVEL
        return STAND_IN_LEVEL if self.stand_in else None

    def public(self, online: bool) -> dict[str, Any]:
        """Return the facts about this seat that everybody may see."""
        return {
            "kind": self.kind,
            "name": self.name,
            "level": self.level,
            "online": online or self.kind == BOT,
            "stand_in": self.stand_in,
        }


def token_hash(token: str) -> str:
    """Return the hash of a seat's token. The store has only the hash, so a copy of it opens no seat."""
    return hashlib.sha256(token.encode()).hexdigest()
