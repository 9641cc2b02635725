"""Chair: one connection to a table that plays as a person would, at random, and times what it is told."""

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

FINISHED = "finished"


class Sitting(Struct):
    """What a chair reads of a table."""

    status: str
    round: int


class Seen(Struct):
    """What a chair reads of a view."""

    to_act: tuple[int, ...]
    moves: tuple[str, ...]


class Snapshot(Struct, tag_field="type", tag="snapshot"):
    """Everything there is to show; the rest of it is for people."""

    answers: tuple[str, ...]
    you: int | None
    lines: int
    table: Sitting
    view: Seen | None


class Said(Struct):
    """The key of a sentence is enough to count it."""

    key: str


class Refused(Struct, tag_field="type", tag="refused"):
    """A command that was not done."""

    id: str
    message: Said


class Bye(Struct, tag_field="type", tag="bye"):
    """The server stops."""

    message: Said


_decode = msgspec.json.Decoder(Snapshot | Refused | Bye).decode
_encode = msgspec.json.Encoder().encode


@dataclass
class Round:
    """What the chairs of one table share: when each move of a round was sent, for the others to time its arrival."""

    number: int = 0
    sent: dict[int, tuple[float, Client]] = field(default_factory=dict)  # by the lines that there were

    def note(self, round: int, lines: int, moment: float, client: Client) -> None:
        if round != self.number:
            self.number, self.sent = round, {}
        self.sent[lines] = moment, client


class Client:
    """A seat, or a look from beside the table; `begin` lets it play, `stop` keeps it from more."""

    def __init__(
        self,
        connection: aiohttp.ClientWebSocketResponse,
        figures: Figures,
        shared: Round,
        rng: random.Random,
        think: float,
        matches: int | None,
        enough: Callable[[], bool],
    ) -> None:
        self._connection, self._figures, self._shared, self._rng = connection, figures, shared, rng
        self._think, self._matches, self._enough = think, matches, enough
        self._now: Snapshot | None = None
        self._going = False
        self._thinking: asyncio.TimerHandle | None = None
        self._listening: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._asked = ""  # the id of the command that is not answered yet
        self._asked_at = 0.0
        self._number = 0
        self._again = 0  # the round after which another match was asked for
        self._seat: int | None = None
        self.over = True  # until it has a seat, nobody waits for it

    @property
    def waits(self) -> bool:
        """Whether a command of this chair is not answered yet."""
        return bool(self._asked)

    async def greet(self, token: str | None) -> None:
        """Say who this is; the first snapshot says where it sits. From then on listen: a server hangs up on whoever
        does not answer its pings."""
        await self._connection.send_str(_encode({"type": "hello", "token": token}).decode())
        first = _decode((await self._connection.receive(timeout=30)).data)
        assert isinstance(first, Snapshot)
        self._now, self._seat, self.over = first, first.you, first.you is None
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Hear everything until the connection ends."""
        heard = self._figures
        async for frame in self._connection:
            if frame.type is not aiohttp.WSMsgType.TEXT:
                break
            heard.messages += 1
            heard.bytes += len(frame.data)
            message = _decode(frame.data)
            if isinstance(message, Snapshot):
                self._see(message)
            elif isinstance(message, Refused):
                heard.error(f"refused: {message.message.key}")
                self._asked = "" if message.id == self._asked else self._asked
            if self._going:
                self._act()
        if self._going and not self.over:
            heard.error(f"closed: {self._connection.close_code}")
            self._asked, self.over = "", True

    def begin(self) -> None:
        self._going = True
        self._act(first=True)

    def stop(self) -> None:
        self._going = False
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def close(self) -> None:
        self.stop()
        await self._connection.close()
        if self._listening is not None:
            await self._listening

    # --- hearing ------------------------------------------------------------------------------------------------------

    def _see(self, snapshot: Snapshot) -> None:
        now, before = time.perf_counter(), self._now
        self._now = snapshot
        if self._asked and self._asked in snapshot.answers:
            if self._asked[0] == "m":
                self._figures.answered.add(now, now - self._asked_at)
            self._asked = ""
        if before is not None and before.table.round == snapshot.table.round == self._shared.number:
            for lines in range(before.lines, snapshot.lines):
                moment, mover = self._shared.sent.get(lines, (now, self))
                if mover is not self:
                    self._figures.shown.add(now, now - moment)
        if snapshot.table.status == FINISHED and before is not None and before.table.status != FINISHED:
            self._figures.matches += self._seat == 0
            self.over = self.over or snapshot.table.round == self._matches

    # --- doing --------------------------------------------------------------------------------------------------------

    def _act(self, first: bool = False) -> None:
        """Move if it is this seat's turn, after thinking; ask for another match when one is over."""
        now = self._now
        if self._asked or self._thinking is not None or self.over or now is None:
            return
        if now.table.status == FINISHED:
            if self._again != now.table.round:
                self._again = now.table.round
                self._ask("r", {"type": "rematch"})
        elif now.view is not None and self._seat in now.view.to_act and now.view.moves and not self._enough():
            if self._think:
                share = self._rng.random() if first else 0.5 + self._rng.random()  # at first they are spread out
                seconds = self._think * share
                due = time.perf_counter() + seconds
                self._thinking = asyncio.get_running_loop().call_later(seconds, self._move, due)
            else:
                self._move()

    def _move(self, due: float | None = None) -> None:
        now = self._now
        self._thinking = None
        if due is not None:
            self._figures.late.add(due, time.perf_counter() - due)
        if now is None or now.view is None or self._seat not in now.view.to_act or not now.view.moves:
            return  # it was this seat's turn no longer
        self._figures.asked += 1
        move = self._rng.choice(now.view.moves)
        self._ask("m", {"type": "move", "at": now.lines, "round": now.table.round, "move": move})
        self._shared.note(now.table.round, now.lines, self._asked_at, self)

    def _ask(self, kind: str, words: dict[str, Any]) -> None:
        self._number += 1
        self._asked = f"{kind}{self._number}"
        self._asked_at = time.perf_counter()
        sending = asyncio.ensure_future(self._send(_encode({**words, "id": self._asked}).decode()))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _send(self, message: str) -> None:
        try:
            await self._connection.send_str(message)
        except (ConnectionError, aiohttp.ClientError) as error:
            self._figures.error(f"sending: {type(error).__name__}")
            self._asked = ""
