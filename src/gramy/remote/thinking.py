"""Thinker: a bot that thinks in a process of its own, with a time limit, while this program goes on."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import secrets
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from gramy.arena.bot_process import LimitedPlayers
from gramy.arena.entrant import Entrant
from gramy.contract import Game, View
from gramy.log import Entry

T = TypeVar("T")


class Thinker:
    """Asks one bot about one table. A daemon thread waits for the bot's process, so that Ctrl-C need not wait."""

    def __init__(self, entrant: Entrant, limit: float) -> None:
        self._entrant, self._limit = entrant, limit
        self._players: LimitedPlayers | None = None
        self._game: Game | None = None
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="bot", daemon=True).start()

    async def begin(self, game: Game) -> None:
        """Start a match: the bot gets a new random generator. Raises BadOptions if it does not play this game."""
        await self._ask(lambda: self._begin(game))

    async def choose(self, seat: int, view: View[Any], history: tuple[Entry, ...]) -> str:
        """Return the bot's move; raises OutOfTime or BotRaised."""
        return await self._ask(lambda: self._ready().choose(seat, view, history))

    async def say(self, seat: int, view: View[Any], history: tuple[Entry, ...]) -> tuple[str, ...]:
        """Return what the bot says now; raises OutOfTime or BotRaised."""
        return await self._ask(lambda: self._ready().say(seat, view, history))

    def close(self) -> None:
        """End the thread and, with it, the process."""
        self._work.put(None)

    def _begin(self, game: Game) -> None:
        seeds = [secrets.token_hex(16)] * game.players
        self._game, self._players = game, LimitedPlayers(game, [self._entrant] * game.players, seeds, self._limit)

    def _ready(self) -> LimitedPlayers:
        """Return the bot's process, a new one after the last was killed."""
        if self._players is None or not self._players.alive:
            assert self._game is not None
            self._begin(self._game)
        assert self._players is not None
        return self._players

    async def _ask(self, question: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            try:
                found = question()
            except Exception as error:
                _later(loop, answer, partial(answer.set_exception, error))
            else:
                _later(loop, answer, partial(answer.set_result, found))

        self._work.put(work)
        return await answer

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()


def _later(loop: asyncio.AbstractEventLoop, answer: asyncio.Future[T], resolve: Callable[[], None]) -> None:
    """Resolve an answer in its event loop, if somebody still waits for it."""

    def deliver() -> None:
        if not answer.done():
            resolve()

    with contextlib.suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(deliver)
