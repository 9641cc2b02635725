"""A table on a server, through the client of the protocol."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import aiohttp

from gramy import record
from gramy.analysis import Advice
from gramy.matches import Match
from gramy.messages import Message
from gramy.remote import Connected, Disconnected, Link, RemoteError, Server, Snapshot, TableConnection
from gramy.remote.connection import Update
from gramy.remote.errors import problem
from gramy.remote.messages import HintMessage, Paused, SeatState
from gramy.terminal.scene import Absence, LogRow, Room, Scene, TableClock

SECONDS_TO_CONNECT = 20.0
"""Seconds until a table that does not answer counts as unreachable."""


class RemoteTable:
    """A seat at a server's table, or a spectator's place."""

    def __init__(self, server: Server, connection: TableConnection) -> None:
        self._server, self._table = server, connection
        self._notice: Message | None = None
        self._scene = Scene("", ())
        self._shown: Snapshot | None = None
        self._at = 0.0  # when the snapshot came, for its clocks
        self._changed: Callable[[], None] = lambda: None

    @property
    def scene(self) -> Scene:
        return self._scene

    async def first_scene(self) -> None:
        """Wait for the first snapshot; raises RemoteError."""
        self._show(await anext(aiter(self._table)))

    async def run(self, changed: Callable[[], None]) -> None:
        """Follow the table; raises RemoteError when the server says that the client must not come back."""
        self._changed = changed
        async for now in self._table:
            self._notice = None
            self._show(now)
            changed()

    def listen(self, update: Update) -> None:
        """Note what happens to the connection."""
        if isinstance(update, Disconnected):
            self._notice = Message("reconnecting", {}, "web")
        elif isinstance(update, Connected):
            self._notice = None
        elif isinstance(update, Paused):
            self._notice = update.message
        else:
            return
        if self._table.now is not None:
            self._show(self._table.now)
            self._changed()

    def _show(self, now: Snapshot) -> None:
        view, table = now.view, now.table
        if now is not self._shown:
            self._shown, self._at = now, time.monotonic()
        free = sum(seat.kind == "open" for seat in table.seats)
        names = tuple(_shown_name(seat, number) for number, seat in enumerate(table.seats, 1))
        room = Room(f"{self._server.address}/t/{table.table}", free, table.opener == now.you)
        self._scene = Scene(
            game=table.game,
            names=names,
            view=view,
            log=tuple(LogRow(line.seat, line.move, tuple(line.events)) for line in self._table.log),
            effects=now.effects,
            refusals=now.refusals,
            phrases=now.phrases if now.you is not None else (),
            variants=table.variants,
            bots=frozenset(number for number, seat in enumerate(table.seats) if seat.kind == "bot" or seat.bot_account),
            thinking=now.thinking,
            hints=now.hints,
            rematch=now.rematch,
            room=None if view else room,
            clock=TableClock(now.clock.left, now.clock.running, self._at) if now.clock else None,
            absence=_absence(now, self._at),
            notice=self._notice or _waiting_notice(now, names),
        )

    # --- commands -----------------------------------------------------------------------------------------------------

    async def play(self, move: str) -> Message | None:
        return await self._table.move(move)

    async def undo(self) -> Message | None:
        return await self._table.undo()

    async def say(self, phrase: str) -> Message | None:
        return await self._table.say(phrase)

    async def hint(self) -> Advice | Message:
        found = await self._table.hint()
        return Advice(found.moves, found.claims, found.reason) if isinstance(found, HintMessage) else found

    async def leave_start(self) -> Message | None:
        return None  # whoever says nothing leaves the start to the others

    async def rematch(self) -> Message | None:
        return await self._table.do("rematch")

    async def start(self, level: str) -> Message | None:
        return await self._table.do("start", bots=level)

    async def vote(self, seat: int, choice: str | None) -> Message | None:
        return await self._table.do("absent", seat=seat, choice=choice)

    async def fetch_match(self) -> Match:
        """Return the finished match of this round; raises GramyError."""
        now = self._table.now
        assert now is not None
        path = f"/api/record/{now.table.table}/{now.table.round}"
        try:
            async with self._server.session.get(self._server.address + path) as response:
                return record.parse((await self._server.read(response)).decode(errors="replace"))
        except (aiohttp.ClientError, OSError) as error:
            raise problem("unreachable", server=self._server.address, why=str(error)) from None

    def take_keyboard(self) -> None:
        """Do nothing: each person at a server has a screen of their own."""


def _shown_name(seat: SeatState, number: int) -> str:
    """Return the name of a seat; that of a bot account says so."""
    name = seat.name or f"{number}"
    return f"Bot {name}" if seat.bot_account else name


def _waiting_notice(now: Snapshot, names: tuple[str, ...]) -> Message | None:
    """Return whom a rematch waits for; None if nobody."""
    if now.rematch and now.you in now.rematch:
        people = [number for number, seat in enumerate(now.table.seats) if seat.kind == "person"]
        rest = [names[number] for number in people if number not in now.rematch]
        return Message("rematch_waiting", {"who": ", ".join(rest)}, "web") if rest else None
    return None


def _absence(now: Snapshot, at: float) -> Absence | None:
    """Return the player who is away and about whom this player can decide, or will be able to; None if nobody."""
    if now.you is None or now.table.status != "playing" or not now.absent:
        return None
    away = next((one for one in now.absent if one.can_decide), now.absent[0])
    votes = {int(seat): choice for seat, choice in away.votes.items()}
    return Absence(away.seat, away.seconds, at, away.can_decide, away.voters, votes)


async def sit_down(server: Server, link: Link, name: str) -> str:
    """Return the token of a seat: that of the link, or of a free seat that was taken; empty for a spectator."""
    if link.token:
        return link.token
    try:
        return (await server.join(link.table, name)).token
    except RemoteError as error:
        if error.key in ("table_full", "only_before_deal"):
            return ""
        raise


async def follow(link: Link, name: str, opened: Callable[[RemoteTable], Callable[[], None]]) -> None:
    """Play at a table until this is cancelled; `opened` shows it and returns what to call after each change."""
    async with Server(link.server) as server:
        token = await sit_down(server, link, name)
        tables: list[RemoteTable] = []

        def listen(update: Update) -> None:
            for table in tables:
                table.listen(update)

        async with TableConnection(server, link.table, token, listen) as connection:
            table = RemoteTable(server, connection)
            try:
                async with asyncio.timeout(SECONDS_TO_CONNECT):
                    await table.first_scene()
            except TimeoutError:
                raise problem("unreachable", server=link.server, why=f"{SECONDS_TO_CONNECT:g} s") from None
            tables.append(table)
            await table.run(opened(table))
