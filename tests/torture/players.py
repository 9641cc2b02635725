"""Players who do not give up: whatever dies, they come back at some server and send again what was not answered.

A player remembers what was promised (moves that were acknowledged) and what was shown, and says so as soon as a screen
contradicts an earlier one.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable
from typing import Any

import aiohttp

Json = dict[str, Any]
Line = tuple[int, str]
GONE = (aiohttp.ClientError, OSError, TimeoutError, asyncio.TimeoutError)
UNDECIDED = frozenset({"not_saved", "save_unknown"})
"""The store is away. What may have been done all the same (a copy was sent before, to a server that died, or nobody is
sure) is sent again; what was sent once and not kept is given up, and must never appear."""


class Broken(AssertionError):
    """A promise was broken."""


def agree(one: Line, other: Line) -> bool:
    """Whether two screens show the same line; what one may not read is a question mark."""
    return one[0] == other[0] and (one[1] == other[1] or "?" in one[1] or "?" in other[1])


class Player:
    """A seat at a table (or a look from beside it), from any server."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        where: Callable[[], str],
        table: str,
        token: str | None,
        rng: random.Random,
    ) -> None:
        self.session, self.where, self.table, self.token, self.rng = session, where, table, token, rng
        self.promised: dict[int, Line] = {}  # by the number of lines that it came after
        self.repeated = 0  # how often a screen was behind and a kept move was made again, for nothing
        self.seat: int | None = None
        self.undecided = 0  # how often the store was away when a move came
        self.given_up = 0  # how many of these moves were never sent again
        self.shown: list[Line] = []
        self.over = False
        self.connections = 0
        self._ids = itertools.count()
        self._pending: Json | None = None
        self._sent = False  # whether that was sent on this connection
        self._copies = 0  # how often it was sent at all
        self._unkept: tuple[int, str] | None = None  # the last move that was given up, and when
        self._old: list[Json] = []  # commands that were answered: to send again, for nothing

    async def play(self) -> None:
        """Until the match is over."""
        while not self.over:
            try:
                async with self.session.ws_connect(f"{self.where()}ws/{self.table}", timeout=_closing()) as socket:
                    await socket.send_json({"type": "hello", **({"token": self.token} if self.token else {})})
                    self.connections += 1
                    await self._look(socket)
            except GONE:
                pass
            await asyncio.sleep(self.rng.uniform(0.0, 0.1))

    async def _look(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        lines: list[Line] = []
        self._sent = False
        while not self.over:
            frame = (
                await socket.receive()
            )  # however long: to come back would heal what the server has forgotten to tell
            if frame.type != aiohttp.WSMsgType.TEXT:
                return
            message = json.loads(frame.data)
            if message["type"] == "snapshot":
                self._see(message, lines)
            self._answered(message)
            if message["type"] != "snapshot" or message["you"] is None:
                continue
            if self._pending is None and not self.over:
                self._choose(message)
                self._sent = False
            if self._pending is not None and not self._sent:
                await asyncio.sleep(self.rng.uniform(0.0, 0.03))
                await self._send(socket)
                self._sent = True

    def _see(self, snapshot: Json, lines: list[Line]) -> None:
        if snapshot["log"]["from"] != len(lines):
            raise Broken(f"lines from {snapshot['log']['from']} on, but {len(lines)} were sent")
        lines += [(line["seat"], line["move"]) for line in snapshot["log"]["lines"]]
        for at, (before, now) in enumerate(zip(self.shown, lines, strict=False)):
            if not agree(before, now):
                raise Broken(f"line {at} was {before} and is {now}")
        if len(lines) >= len(self.shown):
            self.shown = list(lines)
        self.seat = snapshot["you"] if self.seat is None else self.seat
        self.over = bool(snapshot["view"] and snapshot["view"]["outcome"]) and self._pending is None

    def _choose(self, snapshot: Json) -> None:
        view = snapshot["view"]
        if view and snapshot["you"] in view["to_act"] and view["moves"]:
            at = snapshot["lines"]
            others = [move for move in view["moves"] if (at, move) != self._unkept]  # or nobody could tell them apart
            move = self.rng.choice(others or view["moves"])
            self._pending, self._copies = {"at": at, "move": move, "seat": snapshot["you"]}, 0

    async def _send(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        assert self._pending is not None
        self._pending["id"] = id = f"c{next(self._ids)}"
        command = {"type": "move", "id": id, "at": self._pending["at"], "move": self._pending["move"], "round": 1}
        sent = [command]
        match self.rng.randrange(12):
            case 0:  # a duplicate
                sent = [command, command]
            case 1:  # another duplicate, that looks like a command of its own
                sent = [command, {**command, "id": f"again-{id}"}]
            case 2 if self._old:  # an old one, that comes late
                sent = [{**self.rng.choice(self._old), "id": f"late-{id}"}, command]
        for one in sent:
            self._copies += one["at"] == command["at"]
            await socket.send_json(one)
        self._old = [*self._old[-5:], command]

    def _answered(self, message: Json) -> None:
        if self._pending is None:
            return
        line = (self._pending["seat"], self._pending["move"])
        if self._pending.get("id") in message.get("answers", ()):
            self._promise(self._pending["at"], line)
        elif message["type"] == "refused" and message["id"] == self._pending.get("id"):
            key = message["message"]["key"]
            if key in UNDECIDED:
                self.undecided, self._sent = self.undecided + 1, False
                if key == "save_unknown" or self._copies > 1:
                    return
                self.given_up, self._unkept = self.given_up + 1, (self._pending["at"], self._pending["move"])
                self._old.pop()  # it must not come late, either: it would be welcome
            elif key != "too_late":
                raise Broken(f"{line} was refused: {key}")
        else:
            return
        self._pending = None
        if message["type"] == "snapshot":
            self.over = bool(message["view"]["outcome"])

    def _promise(self, at: int, line: Line) -> None:
        """One moment takes one move. A server that cannot look into the store shows an old screen: who then makes his
        move of that moment again is told that it is done."""
        self.repeated += at in self.promised
        if self.promised.setdefault(at, line) != line:
            raise Broken(f"after {at} lines both {self.promised[at]} and {line} were promised")

    def check(self, log: list[Line]) -> None:
        """What was promised is in the log, in order, once, no sooner than its moment, and nothing else of this seat is;
        the last screen shows the whole log."""
        if len(self.shown) != len(log) or not all(map(agree, self.shown, log)):
            raise Broken(f"shown: {self.shown}\nkept: {log}")
        moves = [(at, line) for at, line in enumerate(log) if line[0] == self.seat and not line[1].startswith("say ")]
        promised = sorted(self.promised.items())
        if [line for _, line in moves] != [line for _, line in promised]:
            raise Broken(f"promised: {promised}\nkept: {moves}")
        if any(kept < moment for (kept, _), (moment, _) in zip(moves, promised, strict=True)):
            raise Broken(f"promised: {promised}\nkept sooner: {moves}")


def _closing() -> Any:
    return aiohttp.ClientWSTimeout(ws_close=1.0)
