"""Who sits at a table, and what everybody may see of that."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

from gramy.table.store import SeatRow

OPEN, PERSON, BOT = "open", "person", "bot"
BOT_NAMES = ("Kika", "Otto", "Mimi", "Leo", "Zuza", "Nero")


@dataclass(slots=True)
class Seat:
    """A place at a table: open, a person's or a bot's. A bot may stand in for a person who is away."""

    kind: str = OPEN
    name: str = ""
    level: str | None = None
    guest: str | None = None
    token: str | None = None  # its hash
    stand_in: bool = False
    answered: dict[str, object] = field(default_factory=dict)  # commands by the client's own id, to answer again

    def take(self, name: str, guest: str) -> str:
        """A person sits down; the token that brings him back."""
        token = secrets.token_urlsafe(16)
        self.kind, self.name, self.level, self.guest, self.token = PERSON, name, None, guest, digest(token)
        return token

    @classmethod
    def of_bot(cls, at: int, level: str) -> Seat:
        """A bot's place, which has a name of its own."""
        return cls(kind=BOT, name=BOT_NAMES[at], level=level)

    def clear(self) -> None:
        """The seat is free again."""
        self.__init__()  # type: ignore[misc]  # every field as it begins

    def view(self, online: bool) -> dict[str, Any]:
        """A seat as everybody sees it."""
        there = self.kind == BOT or online
        return {"kind": self.kind, "name": self.name, "level": self.level, "online": there, "stand_in": self.stand_in}

    def row(self) -> SeatRow:
        return SeatRow(self.kind, self.name, self.level, self.guest, self.token, self.stand_in)

    @classmethod
    def of(cls, row: SeatRow) -> Seat:
        return cls(*row)


def digest(token: str) -> str:
    """What is kept of a token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode()).hexdigest()
