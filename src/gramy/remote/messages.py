"""The messages of a server as structs. The JSON Schema of the protocol is made from them.

Fields that a client does not know are ignored, so a newer server can send more.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypeAlias, get_type_hints

import msgspec
from msgspec import Raw, Struct, field

from gramy import games
from gramy.contract import View
from gramy.messages import Message

Seconds: TypeAlias = float


class SeatState(Struct, frozen=True):
    """Who sits in a seat. `bot_account`: a program plays it over the network, under a token of the host."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None
    online: bool
    away_since: Seconds | None
    stand_in: bool
    bot_account: bool = False


class Successor(Struct, frozen=True):
    """Who runs a table next, and when, in seconds since 1970."""

    seat: int
    at: Seconds


class ClockState(Struct, frozen=True):
    """Minutes for the whole match, and seconds added per turn."""

    minutes: float
    seconds: float


class TableSummary(Struct, frozen=True):
    """A table as the lobby shows it."""

    table: str
    game: str
    options: dict[str, str]
    variants: tuple[str, ...]
    clock: ClockState | None
    status: Literal["waiting", "playing", "finished"]
    round: int
    public: bool
    opener: int | None
    successor: Successor | None
    seats: tuple[SeatState, ...]


class DealState(Struct, frozen=True):
    """What everybody may know about the deal."""

    phase: Literal["wait", "commit", "reveal", "dealt"]
    attempt: int
    commitment: str
    commitments: tuple[str, ...]
    client_seeds: tuple[str, ...]
    withheld: tuple[tuple[int, ...], ...]
    seed: str | None
    next_commitment: str


class ReadLine(Struct, frozen=True):
    """A line of the log as this client may read it (hidden words are `?`), with the events that followed."""

    seat: int
    move: str
    events: tuple[Message, ...]


class LogPart(Struct, frozen=True):
    """The lines of the log from a number on."""

    lines: tuple[ReadLine, ...]
    start: int = field(name="from")


class AbsentPlayer(Struct, frozen=True):
    """A player who is away, and the votes about them so far."""

    seat: int
    seconds: Seconds
    can_decide: bool
    voters: tuple[int, ...]
    votes: dict[str, Literal["wait", "bot", "end"]]


class TimesLeft(Struct, frozen=True):
    """The seconds that each seat has left, and the seats whose clocks run."""

    left: tuple[Seconds, ...]
    running: tuple[int, ...]


class PlayedByBot(Struct, frozen=True):
    """What a bot did for this player while they were away."""

    reason: Literal["left", "others", "time"]
    since: Seconds
    moves: int
    line: int | None


class Snapshot(Struct, frozen=True, tag_field="type", tag="snapshot"):
    """Everything that a client shows; it replaces the one before."""

    sequence: int
    answers: tuple[str, ...]
    you: int | None
    lines: int
    table: TableSummary
    effects: dict[str, dict[str, Any]]
    refusals: dict[str, Message]
    phrases: tuple[str, ...]
    log: LogPart
    absent: tuple[AbsentPlayer, ...]
    clock: TimesLeft | None
    thinking: tuple[int, ...]
    rematch: tuple[int, ...]
    bot_played: PlayedByBot | None
    hints: bool
    deal: DealState
    encoded_view: Raw = field(name="view")  # decoded by `view`, because the game decides its type
    protocol: int | None = None
    elsewhere: bool = False  # a server of an older version does not send it

    @property
    def view(self) -> View[Any] | None:
        """What this seat may know, with the board of the game; None before the match."""
        return _view_decoder(self.table.game).decode(self.encoded_view)

    @property
    def must_move(self) -> bool:
        """Whether this seat must act: it is in the list `to_act` of a match that is being played.

        The list of moves does not say so: a seat that need not act may still have moves, to change a choice.
        """
        view = self.view
        return self.table.status == "playing" and view is not None and self.you in view.to_act and bool(view.moves)


class RefusedMessage(Struct, frozen=True, tag_field="type", tag="refused"):
    """The refusal of a command."""

    id: str
    message: Message


class HintMessage(Struct, frozen=True, tag_field="type", tag="hint"):
    """The answer to a request for a hint: moves with chances to win, the advised one first, and why."""

    id: str
    at: int
    moves: tuple[tuple[str, float], ...]
    claims: dict[str, float]
    reason: Message | None = None


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The server closes the connection; come back after so many seconds, with None never."""

    message: Message
    retry_after: Seconds | None


class Paused(Struct, frozen=True, tag_field="type", tag="paused"):
    """What the client shows may be old; the next snapshot ends that."""

    message: Message


class Notice(Struct, frozen=True):
    """An announcement of the host, by language."""

    id: str
    kind: Literal["announcement", "maintenance"]
    texts: dict[str, str]
    until: Seconds


class Notices(Struct, frozen=True, tag_field="type", tag="notices"):
    """All announcements of the host."""

    notices: tuple[Notice, ...]


class ErrorBody(Struct, frozen=True):
    """The body of an HTTP error."""

    error: Message


class Opened(Struct, frozen=True):
    """The response to a guest or bot who took a seat."""

    table: str
    seat: int
    token: str
    round: int
    deal: DealState


class GameSummary(Struct, frozen=True):
    """A game of the server: the least and the most players, its options and the levels of its bots."""

    name: str
    title: str
    seats: tuple[int, int]
    options: dict[str, tuple[str, ...]]
    levels: tuple[str, ...]


class BotSummary(Struct, frozen=True):
    """A bot account that can be challenged now, to one of these games."""

    bot: str
    name: str
    games: tuple[str, ...]


class OwnAccount(Struct, frozen=True):
    """The account of a bot's token."""

    bot: str
    name: str


class ChallengeMade(Struct, frozen=True):
    """The response to a challenge."""

    challenge: str


class ChallengeState(Struct, frozen=True):
    """How a challenge stands."""

    challenge: str
    bot: str
    table: str
    status: Literal["asked", "accepted", "declined", "expired"]


class Challenger(Struct, frozen=True):
    """Who has made a challenge."""

    name: str
    bot_account: bool


class BotChallenge(Struct, frozen=True):
    """A challenge as its bot gets it: who asks, and the table."""

    challenge: str
    by: Challenger
    table: TableSummary


class BotEvents(Struct, frozen=True):
    """The challenges that wait for a bot's answer."""

    challenges: tuple[BotChallenge, ...]


ServerMessage: TypeAlias = Snapshot | RefusedMessage | HintMessage | Bye | Paused | Notices
"""Everything that a server sends over a table's WebSocket, besides the text `pong`."""

decode_server_message = msgspec.json.Decoder(ServerMessage).decode


@cache
def board_type(game: str) -> type[Any]:
    """Return the class of a game's board."""
    found: type[Any] = get_type_hints(games.named(game).board)["return"]
    return found


@cache
def _view_decoder(game: str) -> msgspec.json.Decoder[View[Any] | None]:
    view: Any = View[board_type(game)]  # type: ignore[misc]
    return msgspec.json.Decoder(view | None)


def message_of(error: Mapping[str, Any]) -> Message:
    """Return the message in the body of an error response."""
    return msgspec.convert(error["error"], Message)
