"""One connection to a table, which plays random moves and measures the latency."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec
from msgspec import Struct

from gramy.loadtest.figures import Figures
from gramy.remote.exchange import ClientSeeds

FINISHED = "finished"


class TablePart(Struct):
    """The fields of a table that a client needs."""

    table: str
    status: str
    round: int


class ViewPart(Struct):
    """The fields of a view that a client needs."""

    to_act: tuple[int, ...]
    moves: tuple[str, ...]


class DealPart(Struct):
    """The fields of a deal that a client needs to take part in it."""

    phase: str
    attempt: int
    commitment: str
    commitments: tuple[str, ...]
    client_seeds: tuple[str, ...]


class SnapshotPart(Struct, tag_field="type", tag="snapshot"):
    """The fields of a snapshot that a client needs."""

    answers: tuple[str, ...]
    you: int | None
    lines: int
    table: TablePart
    view: ViewPart | None
    deal: DealPart


class MessagePart(Struct):
    """The key of a message, by which errors are counted."""

    key: str


class RefusedPart(Struct, tag_field="type", tag="refused"):
    """The refusal of a command."""

    id: str
    message: MessagePart


class ByePart(Struct, tag_field="type", tag="bye"):
    """The notice that the server stops."""

    message: MessagePart


class PausedPart(Struct, tag_field="type", tag="paused"):
    """The notice that the server cannot show the table now."""


_decode = msgspec.json.Decoder(SnapshotPart | RefusedPart | ByePart | PausedPart).decode
_encode = msgspec.json.Encoder().encode


@dataclass
class SentMoves:
    """When each move of a round was sent; shared by the clients of a table, to measure when it reaches the others."""

    round: int = 0
    by_lines: dict[int, tuple[float, Client]] = field(default_factory=dict)  # by the length of the log before the move

    def add(self, round: int, lines: int, moment: float, client: Client) -> None:
        if round != self.round:
            self.round, self.by_lines = round, {}
        self.by_lines[lines] = moment, client


class Client:
    """A player or spectator of a table. It plays between `begin` and `stop`."""

    def __init__(
        self,
        connection: aiohttp.ClientWebSocketResponse,
        figures: Figures,
        sent_moves: SentMoves,
        rng: random.Random,
        think: float,
        matches: int | None,
        enough: Callable[[], bool],
    ) -> None:
        self._connection, self._figures, self._sent_moves, self._rng = connection, figures, sent_moves, rng
        self._think, self._matches, self._enough = think, matches, enough
        self._latest: SnapshotPart | None = None
        self._playing = False
        self._thinking: asyncio.TimerHandle | None = None
        self._listening: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._pending = ""  # the id of the command that is not answered yet
        self._pending_since = 0.0
        self._commands = 0
        self._rematch_after = 0  # the last round after which this client asked for a rematch
        self._seeds = ClientSeeds(lambda: f"{rng.getrandbits(128):032x}")
        self._seat: int | None = None
        self.over = True  # until it has a seat

    @property
    def waiting(self) -> bool:
        """Whether a command of this client is not answered yet."""
        return bool(self._pending)

    async def say_hello(self, token: str | None) -> None:
        """Send the hello, read the first snapshot, and start to listen, because a client must answer pings."""
        await self._connection.send_str(_encode({"type": "hello", "token": token}).decode())
        first = _decode((await self._connection.receive(timeout=30)).data)
        assert isinstance(first, SnapshotPart)
        self._latest, self._seat, self.over = first, first.you, first.you is None
        self._take_part(first)
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Handle messages until the connection ends."""
        figures = self._figures
        async for frame in self._connection:
            if frame.type is not aiohttp.WSMsgType.TEXT:
                break
            figures.messages += 1
            figures.bytes += len(frame.data)
            message = _decode(frame.data)
            if isinstance(message, SnapshotPart):
                self._see(message)
                self._take_part(message)
            elif isinstance(message, RefusedPart):
                figures.error(f"refused: {message.message.key}")
                self._pending = "" if message.id == self._pending else self._pending
            elif isinstance(message, PausedPart):
                figures.error("paused")
            if self._playing:
                self._act()
        if self._playing and not self.over:
            figures.error(f"closed: {self._connection.close_code}")
            self._pending, self.over = "", True

    def begin(self) -> None:
        self._playing = True
        self._act(first=True)

    def stop(self) -> None:
        self._playing = False
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def close(self) -> None:
        self.stop()
        await self._connection.close()
        if self._listening is not None:
            await self._listening

    # --- incoming -----------------------------------------------------------------------------------------------------

    def _see(self, snapshot: SnapshotPart) -> None:
        now, before = time.perf_counter(), self._latest
        self._latest = snapshot
        if self._pending and self._pending in snapshot.answers:
            if self._pending[0] == "m":
                self._figures.answered.add(now, now - self._pending_since)
            self._pending = ""
        if before is not None and before.table.round == snapshot.table.round == self._sent_moves.round:
            for lines in range(before.lines, snapshot.lines):
                moment, mover = self._sent_moves.by_lines.get(lines, (now, self))
                if mover is not self:
                    self._figures.shown.add(now, now - moment)
        if snapshot.table.status == FINISHED and before is not None and before.table.status != FINISHED:
            self._figures.matches += self._seat == 0
            self.over = self.over or snapshot.table.round == self._matches

    # --- outgoing -----------------------------------------------------------------------------------------------------

    def _take_part(self, now: SnapshotPart) -> None:
        """Commit to a client seed when a deal asks for it, and reveal it when the list is closed."""
        if command := self._seeds.answer(now.table, now.deal, self._seat):
            self._send_later({"id": f"{command['type']}{now.table.round}-{now.deal.attempt}", **command})

    def _act(self, first: bool = False) -> None:
        """Move, after a delay, if it is this seat's turn; ask for a rematch when a match is over."""
        now = self._latest
        if self._pending or self._thinking is not None or self.over or now is None:
            return
        if now.table.status == FINISHED:
            if self._rematch_after != now.table.round:
                self._rematch_after = now.table.round
                self._command("r", {"type": "rematch"})
        elif self._may_move(now) and not self._enough():
            if self._think:
                share = self._rng.random() if first else 0.5 + self._rng.random()  # spread the first moves
                seconds = self._think * share
                due = time.perf_counter() + seconds
                self._thinking = asyncio.get_running_loop().call_later(seconds, self._move, due)
            else:
                self._move()

    def _may_move(self, now: SnapshotPart) -> bool:
        """Return whether this seat is to move. Where several seats have one and the same move, the first makes it."""
        if now.view is None or self._seat not in now.view.to_act or not now.view.moves:
            return False
        return len(now.view.moves) > 1 or self._seat == min(now.view.to_act)

    def _move(self, due: float | None = None) -> None:
        now = self._latest
        self._thinking = None
        if due is not None:
            self._figures.late.add(due, time.perf_counter() - due)
        if now is None or now.view is None or not self._may_move(now):
            return  # the turn has passed in the meantime
        self._figures.sent += 1
        move = self._rng.choice(now.view.moves)
        self._command("m", {"type": "move", "at": now.lines, "round": now.table.round, "move": move})
        self._sent_moves.add(now.table.round, now.lines, self._pending_since, self)

    def _command(self, kind: str, fields: dict[str, Any]) -> None:
        self._commands += 1
        self._pending = f"{kind}{self._commands}"
        self._pending_since = time.perf_counter()
        self._send_later({**fields, "id": self._pending})

    def _send_later(self, command: dict[str, Any]) -> None:
        sending = asyncio.ensure_future(self._send(_encode(command).decode()))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _send(self, message: str) -> None:
        try:
            await self._connection.send_str(message)
        except (ConnectionError, aiohttp.ClientError) as error:
            self._figures.error(f"sending: {type(error).__name__}")
            self._pending = ""
