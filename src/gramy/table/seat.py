"""A seat at a table, as a frozen value: open, a person's or a bot's."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from gramy.log import Entry
from gramy.table.names import confusable

OPEN, PERSON, BOT = "open", "person", "bot"
BOT_NAMES = ("Kika", "Otto", "Mimi", "Leo", "Zuza", "Nero", "Bruno", "Hela", "Gizmo", "Tola", "Pako", "Yuki")
"""The names of bots: first one for each seat, then spare ones for seats whose name is too much like a person's."""
MOST_SEATS = 6
BOT_GUEST = "bot:"
"""Begins the guest of a bot account. The ids in guests' cookies have no colon."""
STAND_IN_LEVEL = "easy"
"""The level of a bot that plays for an absent person."""


class BotPlayed(NamedTuple):
    """What a person is told when they are back: why a bot played for them, since when, and how many moves it made."""

    reason: str  # `left`, `others` (they decided it) or `time` (it was up)
    since: float  # in calendar seconds
    round: int
    line: int  # the length of the log when the bot began; and afterwards, when it had made its last move
    moves: int = 0  # those up to `line`


class Seat(NamedTuple):
    """Who sits here. A bot may stand in for a person who is away. `token` is the hash of the seat's token."""

    kind: str = OPEN
    name: str = ""
    level: str | None = None
    guest: str | None = None
    token: str | None = None
    stand_in: bool = False
    bot_played: BotPlayed | None = None  # until the person has read it

    @classmethod
    def for_bot(cls, number: int, level: str, others: Collection[str] = ()) -> Seat:
        """Return a bot's seat; the bot's name follows from the number of the seat, unless it is like another's."""
        names = (BOT_NAMES[number], *BOT_NAMES[MOST_SEATS:], *BOT_NAMES[:MOST_SEATS])
        free = (name for name in names if not any(confusable(name, other) for other in others))
        return cls(kind=BOT, name=next(free, BOT_NAMES[number]), level=level)

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays this seat, None if a person does."""
        if self.kind == BOT:
            return self.level or STAND_IN_LEVEL
        return STAND_IN_LEVEL if self.stand_in else None

    @property
    def bot_account(self) -> bool:
        """Whether a program plays this seat over the network, under a bot's token. Everybody at the table sees that."""
        return is_bot_guest(self.guest)

    def left_to_bot(self, reason: str, since: float, round: int, lines: int) -> Seat:
        """Return the seat with a bot that stands in. An earlier report of the same round that nobody read is added."""
        before = self.bot_played
        moves = before.moves if before is not None and before.round == round else 0
        return self._replace(stand_in=True, bot_played=BotPlayed(reason, since, round, lines, moves))

    def taken_back(self, number: int, round: int, log: Sequence[Entry]) -> Seat:
        """Return the seat of a person who is back, with the number of moves that the bot made."""
        played = self.bot_played
        if played is not None:
            since = log[played.line if played.round == round else 0 :]
            made = sum(entry.seat == number and not entry.text.startswith("say ") for entry in since)
            played = played._replace(moves=played.moves + made, line=len(log))
        return self._replace(stand_in=False, bot_played=played if played and played.moves else None)

    def public(self, online: bool, away_since: float | None = None) -> dict[str, Any]:
        """Return the facts about this seat that everybody may see."""
        return {
            "kind": self.kind,
            "name": self.name,
            "level": self.level,
            "online": online or self.kind == BOT,
            "away_since": away_since,
            "stand_in": self.stand_in,
            "bot_account": self.bot_account,
        }


def is_bot_guest(guest: str | None) -> bool:
    """Whether a guest is a bot account."""
    return guest is not None and guest.startswith(BOT_GUEST)


def token_hash(token: str) -> str:
    """Return the hash of a seat's token. The store has only the hash, so a copy of it opens no seat."""
    return hashlib.sha256(token.encode()).hexdigest()


def other_names(seats: Sequence[Seat], number: int) -> list[str]:
    """Return the names in all seats but one."""
    return [seat.name for at, seat in enumerate(seats) if at != number and seat.name]
