"""Players that survive the death of servers: they reconnect and send again what was not answered.

A player records the acknowledged moves, the shown log, and everything that the judge must know. It raises an error as
soon as a snapshot contradicts an earlier one.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp

from tests.exchange import SeedExchange
from tests.torture.judge import DOUBLED, LOST, Acknowledged, Disconnected, Event, Hello, Paused, Shown

Json = dict[str, Any]
Line = tuple[int, str]
CONNECTION_LOST = (aiohttp.ClientError, OSError, TimeoutError, asyncio.TimeoutError)
STORE_AWAY = frozenset({"not_saved", "save_unknown"})
"""Refusals while the store is away. A move that may be stored all the same is sent again: its result is unknown, or a
copy went to a server that died. A move that was sent once and not stored is given up, and must never appear."""


HEARTBEAT = 2.0
"""Seconds after which a client pings a silent server; half of that later the connection counts as dead."""
CONNECT_TIMEOUT = 4.0
NO_SIGNS = {ord("-"): "a", ord("_"): "b"}
"""A client seed has only letters and digits."""


class Broken(AssertionError):
    """A server broke a guarantee of a kind."""

    def __init__(self, text: str, kind: str = DOUBLED) -> None:
        super().__init__(text)
        self.kind = kind


def agree(one: Line, other: Line) -> bool:
    """Return whether two viewers see the same line; a hidden word is a question mark."""
    return one[0] == other[0] and (one[1] == other[1] or "?" in one[1] or "?" in other[1])


class Player:
    """A player or spectator of a table, connected to any server."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        where: Callable[[], str],
        table: str,
        token: str | None,
        rng: random.Random,
        number: int = 0,
        history: list[Event] | None = None,
    ) -> None:
        self.number, self.history = number, [] if history is None else history
        self.session, self.where, self.table, self.token, self.rng = session, where, table, token, rng
        self.acknowledged: dict[int, Line] = {}  # by the length of the log before the move
        self.seat: int | None = None
        self.undecided = 0  # moves refused because the store was away
        self.given_up = 0  # those of them that were never sent again
        self.shown: list[Line] = []
        self.over = False
        self.connections = 0
        self._ids = itertools.count()
        self.pending: Json | None = None  # the move that is not answered yet
        self.copies = 0  # how often it was sent at all
        self.answered_commands: list[Json] = []  # to send some of them again, which must change nothing
        self._exchange = SeedExchange(lambda round, attempt: f"{token}{round}{attempt}".translate(NO_SIGNS))
        self._sent = False  # whether the pending move was sent on this connection
        self._abandoned: tuple[int, str] | None = None  # the last move that was given up, with the length of the log

    async def play(self) -> None:
        """Play until the match is over, and reconnect whenever the connection is lost."""
        while not self.over:
            try:
                async with self._connected() as socket:
                    await self._play_on(socket)
            except CONNECTION_LOST:
                pass
            await asyncio.sleep(self.rng.uniform(0.0, 0.1))

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Connect to a server and say hello. A dead connection is noticed by its heartbeats."""
        async with asyncio.timeout(CONNECT_TIMEOUT):
            address = f"{self.where()}ws/{self.table}"
            socket = await self.session.ws_connect(address, timeout=_closing(), heartbeat=HEARTBEAT)
        try:
            self.history.append(Hello(time.monotonic(), self.number))
            await socket.send_json({"type": "hello", **({"token": self.token} if self.token else {})})
            self.connections += 1
            yield socket
        finally:
            self.history.append(Disconnected(time.monotonic(), self.number))
            await socket.close()

    async def _play_on(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        lines: list[Line] = []
        self._sent = False
        self._exchange.repeat()
        while not self.over:
            frame = await socket.receive()  # without a timeout, because a reconnection would hide a lost update
            if frame.type != aiohttp.WSMsgType.TEXT:
                return
            message = json.loads(frame.data)
            if message["type"] == "snapshot":
                self.see(message, lines)
                for number, command in enumerate(self._exchange.answers(message)):
                    await socket.send_json({**command, "id": f"deal{number}-{next(self._ids)}"})
            elif message["type"] == "paused":
                self.history.append(Paused(time.monotonic(), self.number))
            elif message["type"] == "refused" and message["id"].startswith("deal"):
                self._exchange.repeat()  # the store was away; the next snapshot is answered again
            self.handle_answer(message)
            if message["type"] != "snapshot" or message["you"] is None:
                continue
            if self.pending is None and not self.over:
                self.choose_move(message)
                self._sent = False
            if self.pending is not None and not self._sent:
                await asyncio.sleep(self.rng.uniform(0.0, 0.03))
                await self._send(socket)
                self._sent = True

    def see(self, snapshot: Json, lines: list[Line]) -> None:
        self.history.append(Shown(time.monotonic(), self.number, snapshot["table"]["round"], snapshot["lines"]))
        if snapshot["log"]["from"] != len(lines):
            raise Broken(f"lines from {snapshot['log']['from']} on, but {len(lines)} were sent")
        lines += [(line["seat"], line["move"]) for line in snapshot["log"]["lines"]]
        for at, (before, now) in enumerate(zip(self.shown, lines, strict=False)):
            if not agree(before, now):
                raise Broken(f"line {at} was {before} and is {now}")
        if len(lines) >= len(self.shown):
            self.shown = list(lines)
        self.seat = snapshot["you"] if self.seat is None else self.seat
        self.over = bool(snapshot["view"] and snapshot["view"]["outcome"]) and self.pending is None

    def choose_move(self, snapshot: Json) -> None:
        view = snapshot["view"]
        if view and snapshot["you"] in view["to_act"] and view["moves"]:
            at = snapshot["lines"]
            others = [move for move in view["moves"] if (at, move) != self._abandoned]  # not the same again
            # Half of the decisions depend on nothing but the position: on an old board they would be the same again.
            rng = random.Random(at) if self.rng.random() < 0.5 else self.rng
            move = rng.choice(others or view["moves"])
            self.pending, self.copies = {"at": at, "move": move, "seat": snapshot["you"]}, 0

    async def _send(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        assert self.pending is not None
        self.pending["id"] = id = f"c{next(self._ids)}"
        command = {"type": "move", "id": id, "at": self.pending["at"], "move": self.pending["move"], "round": 1}
        sent = [command]
        match self.rng.randrange(12):
            case 0:  # a duplicate
                sent = [command, command]
            case 1:  # a duplicate with another id
                sent = [command, {**command, "id": f"again-{id}"}]
            case 2 if self.answered_commands:  # an old command, which comes late
                sent = [{**self.rng.choice(self.answered_commands), "id": f"late-{id}"}, command]
        for one in sent:
            self.copies += one["at"] == command["at"]
            await socket.send_json(one)
        self.answered_commands = [*self.answered_commands[-5:], command]

    def handle_answer(self, message: Json) -> None:
        if self.pending is None:
            return
        line = (self.pending["seat"], self.pending["move"])
        if self.pending.get("id") in message.get("answers", ()):
            self._acknowledge(self.pending["at"], line)
        elif message["type"] == "refused" and message["id"] == self.pending.get("id"):
            key = message["message"]["key"]
            if key in STORE_AWAY:
                self.undecided, self._sent = self.undecided + 1, False
                if key == "save_unknown" or self.copies > 1:
                    return
                self.given_up, self._abandoned = self.given_up + 1, (self.pending["at"], self.pending["move"])
                self.answered_commands.pop()  # it must not be sent again later: it would be accepted
            elif key != "too_late":
                raise Broken(f"{line} was refused: {key}")
        else:
            return
        self.pending = None
        if message["type"] == "snapshot":
            self.over = bool(message["view"]["outcome"])

    def _acknowledge(self, at: int, line: Line) -> None:
        """Record an acknowledged move. Only one move can follow a given length of the log."""
        self.history.append(Acknowledged(time.monotonic(), self.number, 1, at, line[1]))
        if self.acknowledged.setdefault(at, line) != line:
            raise Broken(f"after {at} lines both {self.acknowledged[at]} and {line} were acknowledged")

    def check(self, log: list[Line]) -> None:
        """Compare with the stored log.

        It must contain the acknowledged moves of this seat and no others, in order, once, and none too early. The
        last snapshot must have shown the whole log.
        """
        if len(self.shown) != len(log) or not all(map(agree, self.shown, log)):
            raise Broken(f"shown: {self.shown}\nstored: {log}", LOST)
        moves = [(at, line) for at, line in enumerate(log) if line[0] == self.seat and not line[1].startswith("say ")]
        acknowledged = sorted(self.acknowledged.items())
        if [line for _, line in moves] != [line for _, line in acknowledged]:
            missing = Counter(line for _, line in acknowledged) - Counter(line for _, line in moves)
            raise Broken(f"acknowledged: {acknowledged}\nstored: {moves}", LOST if missing else DOUBLED)
        if any(stored < sent for (stored, _), (sent, _) in zip(moves, acknowledged, strict=True)):
            raise Broken(f"acknowledged: {acknowledged}\nstored too early: {moves}")


def _closing() -> Any:
    return aiohttp.ClientWSTimeout(ws_close=1.0)
