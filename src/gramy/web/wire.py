"""The messages that clients may send. Decoding refuses unknown fields, wrong types and long texts."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from gramy.messages import Message

Short = Annotated[str, Meta(max_length=64)]
ClientSeed = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z]{1,64}\Z")]
JoinKey = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z_-]{22,64}\Z")]
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Text = Annotated[str, Meta(max_length=200)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Count = Annotated[int, Meta(ge=0, le=100_000)]

MISSING = re.compile(r"Object missing required field `(?P<name>[^`]*)`(?: - at `\$(?P<at>[^`]*)`)?")
UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`(?: - at `\$(?P<at>[^`]*)`)?")
WRONG = re.compile(r".* - at `\$(?P<at>[^`]*)`", re.DOTALL)
"""What msgspec says about a message whose JSON can be read."""

MOST_REASON = 120
"""Characters of a close frame's reason, in ASCII; the frame has room for 123 bytes."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions that decoding can raise."""


class ClientMessage(Struct, forbid_unknown_fields=True, tag_field="type"):
    """A message on the socket; its field `type` names the subclass."""


class Hello(ClientMessage, tag="hello"):
    """The first message: the token of a seat, if the client has one.

    After a reconnect, `round` and `at` say what the client has seen: so many lines of that round's log.
    """

    token: Short | None = None
    client_seed: ClientSeed | None = None  # of version 2: decoded so that such a client learns that it is too old
    protocol: Count | None = None  # the version that the client uses
    round: Count | None = None
    at: Count | None = None


class Move(ClientMessage, tag="move"):
    """A move that the player chose when the log had `at` lines."""

    id: Short
    at: Count
    move: Text
    round: Count | None = None


class Say(ClientMessage, tag="say"):
    """A phrase of the game, chosen when the log had `at` lines."""

    id: Short
    at: Count
    phrase: Short
    round: Count | None = None


class Undo(ClientMessage, tag="undo"):
    """Undo the last move of this turn."""

    id: Short
    at: Count
    round: Count | None = None


class Absent(ClientMessage, tag="absent"):
    """A vote about the seat of a player who is away; None withdraws it."""

    id: Short
    seat: SeatNumber
    choice: Literal["wait", "bot", "end"] | None


class Remove(ClientMessage, tag="remove"):
    """Remove a person from the table for good. Only its opener may do that.

    `name` is the person's: when somebody else sits there by now, nobody is removed. Without `block` only their seat
    is freed, before the deal.
    """

    id: Short
    seat: SeatNumber
    name: Text | None = None
    block: bool = True


class SetBot(ClientMessage, tag="bot"):
    """Give an open seat to a bot of a level, or with None open a bot's seat again. For the opener, before the deal."""

    id: Short
    seat: SeatNumber
    level: Short | None


class StartMatch(ClientMessage, tag="start"):
    """Begin now: with bots of a level in the open seats or, with None, without these seats. For the opener."""

    id: Short
    bots: Short | None


class Rename(ClientMessage, tag="rename"):
    """Take another name, before the deal."""

    id: Short
    name: Text


class HandOver(ClientMessage, tag="handover"):
    """Let another person run the table; `name` is theirs. For the opener."""

    id: Short
    seat: SeatNumber
    name: Text | None = None


class Acknowledge(ClientMessage, tag="acknowledge"):
    """The player has read what a bot did for them."""

    id: Short


class HintRequest(ClientMessage, tag="hint"):
    """Ask for advice."""

    id: Short


class Commit(ClientMessage, tag="commit"):
    """The commitment to a client seed for a deal; without one, the client takes part without a client seed.

    `seat` is the one that the commitment names: before the deal a player may move to another one.
    """

    id: Short
    round: Count
    attempt: Count
    commitment: Hash | None = None
    seat: SeatNumber | None = None


class Reveal(ClientMessage, tag="reveal"):
    """The client seed that the client has committed to."""

    id: Short
    round: Count
    attempt: Count
    client_seed: ClientSeed


class Rematch(ClientMessage, tag="rematch"):
    """Ask for another round."""

    id: Short


class Leave(ClientMessage, tag="leave"):
    """Leave the seat. It is open again while the table waits; during a match a bot stands in."""

    id: Short


class BotSeat(Struct, forbid_unknown_fields=True):
    """A seat for a bot of the named level."""

    bot: Short


class ClockSettings(Struct, forbid_unknown_fields=True):
    """Minutes for the whole match and seconds added per turn."""

    minutes: Annotated[float, Meta(ge=0.5, le=180)]
    seconds: Annotated[float, Meta(ge=0, le=300)]


class Configure(ClientMessage, tag="configure"):
    """Change the variants, the number of players and the clock. For the opener, before the deal."""

    id: Short
    options: Annotated[dict[Short, Short], Meta(max_length=16)]
    clock: ClockSettings | None = None


RoomCommand = SetBot | StartMatch | Configure | Rename | HandOver
"""The commands of the waiting room."""
Command = Move | Say | Undo | Absent | Commit | Reveal | Rematch | Leave | Remove | Acknowledge | RoomCommand
Incoming = Hello | HintRequest | Command


class OpenTable(Struct, forbid_unknown_fields=True):
    """Open a table."""

    game: Short
    name: Text
    seats: Annotated[list[BotSeat | None], Meta(max_length=6)]
    options: Annotated[dict[Short, Short], Meta(max_length=16)] = {}
    public: bool = False
    clock: ClockSettings | None = None


class JoinTable(Struct, forbid_unknown_fields=True):
    """Take a seat at a table. A client that lost the answer sends the same `key` again and gets the same seat."""

    name: Text
    seat: SeatNumber | None = None
    key: JoinKey | None = None
    another_seat: bool = False  # for a guest who has a seat here already: two people at one device


class ChallengeBot(Struct, forbid_unknown_fields=True):
    """Ask an online bot account to sit down at this table."""

    bot: Short


class AskEvents(Struct, forbid_unknown_fields=True):
    """A bot waits for challenges to these games. It has seen the challenges that it lists in `known`."""

    games: Annotated[list[Short], Meta(max_length=16)]
    known: Annotated[list[Short], Meta(max_length=64)] = []
    wait: Annotated[float, Meta(ge=0, le=25)] = 25.0


class NewBot(Struct, forbid_unknown_fields=True):
    """The name of a new bot account."""

    name: Text


class SentRecord(Struct, forbid_unknown_fields=True):
    """A match that a visitor has saved as a file and wants to see again."""

    record: str  # the limit of a request's body is also its limit


class SeatChosen(Struct, forbid_unknown_fields=True):
    """A seat of a table: whose name is reported to the host, or removed by them."""

    seat: SeatNumber


class HostToken(Struct, forbid_unknown_fields=True):
    """The host's token, to log in to the admin page."""

    token: Annotated[str, Meta(max_length=512)]


class GiveOrder(Struct, forbid_unknown_fields=True):
    """An order of the host. A ban or a mute names a seat, a guest's mark or a network."""

    kind: Literal["ban", "mute", "announcement", "maintenance"]
    minutes: Annotated[float, Meta(gt=0, le=527_040)]  # a year at most
    table: Short | None = None
    seat: SeatNumber | None = None
    guest: Short | None = None
    network: Short | None = None
    reach: Literal["", "narrow", "wide"] = ""
    reason: Text = ""
    texts: dict[Literal["en", "pl", "de"], Annotated[str, Meta(max_length=400)]] = {}


class CloseTable(Struct, forbid_unknown_fields=True):
    """Close a table; the reason is shown to its viewers."""

    reason: Text = ""


decode_message = msgspec.json.Decoder(Incoming).decode
decode_open = msgspec.json.Decoder(OpenTable).decode
decode_join = msgspec.json.Decoder(JoinTable).decode
decode_challenge = msgspec.json.Decoder(ChallengeBot).decode
decode_events = msgspec.json.Decoder(AskEvents).decode
decode_bot = msgspec.json.Decoder(NewBot).decode
decode_record = msgspec.json.Decoder(SentRecord).decode
decode_report = msgspec.json.Decoder(SeatChosen).decode
decode_login = msgspec.json.Decoder(HostToken).decode
decode_order = msgspec.json.Decoder(GiveOrder).decode
decode_closing = msgspec.json.Decoder(CloseTable).decode
encode = msgspec.json.Encoder().encode


def unreadable_message(error: Exception) -> Message:
    """Return what is wrong with a message that could not be decoded: it names the field, if it is about one."""
    said = str(error) if isinstance(error, msgspec.ValidationError) else ""
    if found := MISSING.fullmatch(said):
        return Message("missing_field", {"field": _path(found["at"], found["name"])})
    if found := UNKNOWN.fullmatch(said):
        return Message("unknown_field", {"field": _path(found["at"], found["name"])})
    if found := WRONG.fullmatch(said):
        return Message("wrong_field", {"field": _path(found["at"], "")})
    return Message("bad_request")


def close_reason(error: Exception) -> str:
    """Return the same in English, short enough for a close frame."""
    found = unreadable_message(error)
    detail = f": {found.key} {found.values['field']}" if found.values else ""
    return f"not a message of this protocol{detail}".encode("ascii", "replace").decode()[:MOST_REASON]


def _path(at: str | None, name: str) -> str:
    """Return the place of a field, such as `seats[0].bot`."""
    return ".".join(part for part in ((at or "").removeprefix("."), name) if part)[:MOST_REASON]
