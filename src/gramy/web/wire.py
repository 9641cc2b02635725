"""What clients may send, exactly: unknown fields, wrong types and long texts are refused before anybody reads them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Short = Annotated[str, Meta(max_length=64)]
ClientSeed = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z]{1,64}\Z")]
Text = Annotated[str, Meta(max_length=200)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Count = Annotated[int, Meta(ge=0, le=100_000)]


class Said(Struct, forbid_unknown_fields=True, tag_field="type"):
    """A message on the socket; `type` says which."""


class Hello(Said, tag="hello"):
    """The first message: the token of a seat, or none; and luck for the cards, if there are none yet."""

    token: Short | None = None
    client_seed: ClientSeed | None = None


class Move(Said, tag="move"):
    """A move, decided when the log had so many lines."""

    id: Short
    at: Count
    move: Text
    round: Count | None = None


class Say(Said, tag="say"):
    """A phrase of the game, said when the log had so many lines."""

    id: Short
    at: Count
    phrase: Short
    round: Count | None = None


class Undo(Said, tag="undo"):
    """Take the last card back."""

    id: Short
    at: Count
    round: Count | None = None


class Vanished(Said, tag="vanished"):
    """What shall happen with the seat of somebody who is away."""

    id: Short
    seat: SeatNumber
    choice: Literal["wait", "bot", "end"]


class Hint(Said, tag="hint"):
    """What should I do?"""

    id: Short


class Rematch(Said, tag="rematch"):
    """Another round, please; with luck for its cards."""

    id: Short
    client_seed: ClientSeed | None = None


class Leave(Said, tag="leave"):
    """Give the seat up."""

    id: Short


Command = Move | Say | Undo | Vanished | Rematch | Leave
Incoming = Hello | Hint | Command


class BotSeat(Struct, forbid_unknown_fields=True):
    """A seat for a bot of a level."""

    bot: Short


class ClockWanted(Struct, forbid_unknown_fields=True):
    """A bank and an increment."""

    minutes: Annotated[float, Meta(ge=0.5, le=180)]
    seconds: Annotated[float, Meta(ge=0, le=300)]


class Open(Struct, forbid_unknown_fields=True):
    """Open a table."""

    game: Short
    name: Text
    seats: Annotated[list[BotSeat | None], Meta(max_length=6)]
    options: Annotated[dict[Short, Short], Meta(max_length=16)] = {}
    public: bool = False
    clock: ClockWanted | None = None


class Join(Struct, forbid_unknown_fields=True):
    """Sit down at a table."""

    name: Text
    seat: SeatNumber | None = None


decode_incoming = msgspec.json.Decoder(Incoming).decode
decode_open = msgspec.json.Decoder(Open).decode
decode_join = msgspec.json.Decoder(Join).decode
encode = msgspec.json.Encoder().encode
