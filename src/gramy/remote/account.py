"""BotRunner: a bot account at a server. It sits down at one table, or waits for challenges and accepts them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from gramy.arena.entrant import Entrant
from gramy.errors import GramyError
from gramy.remote.errors import RemoteBotFailed, RemoteError, report_line
from gramy.remote.player import IDLE_WAIT, Report, TablePlayer
from gramy.remote.server import Seated, Server
from gramy.remote.thinking import Thinker

WAIT = 25.0
"""Seconds that a request for challenges waits at the server."""
RETRY = 5.0
"""Seconds between requests while the server cannot be reached."""
PAUSE = 1.0
"""Seconds before the next request after an answer with nothing new, so that no server can make a program spin."""
MOST_FAILURES = 3
"""Failures of the bot itself after which the program stops. One alone may be the doing of a challenger."""


class BotPlan(NamedTuple):
    """Who plays and for how long."""

    entrant: Entrant
    games: tuple[str, ...]
    limit: float = 10.0  # seconds for a move
    matches: int | None = None  # in all
    tables: int = 4  # at once
    idle: float = IDLE_WAIT  # seconds without a line while others are to act


class BotRunner:
    """Runs one bot account."""

    def __init__(self, server: Server, plan: BotPlan, report: Report) -> None:
        self._server, self._plan, self._report = server, plan, report
        self._finished = 0
        self._games = plan.games  # without those in which the bot has failed
        self._failures = 0
        self._playing: dict[asyncio.Task[int], str] = {}  # with the game
        self._failure: BaseException | None = None
        self._replaced: RemoteError | None = None  # another program uses the token

    async def join(self, table: str, token: str = "") -> int:
        """Sit down at a table and play there; return the number of finished matches."""
        await self._sign_in()
        seated = Seated(table, -1, token) if token else await self._server.join(table, "bot")
        return await self._play(seated)

    async def take_challenges(self) -> int:
        """Accept challenges until enough matches are finished; return their number."""
        await self._sign_in()
        self._report(report_line("waiting", games=", ".join(self._plan.games)))
        known: list[str] = []
        try:
            while not self._enough and self._failure is None and not self._replaced:
                for event in await self._events(known):
                    known = [*known, event["challenge"]][-64:]
                    await self._answer(event)
                self._collect()
            if self._replaced and self._playing:  # the other program takes the challenges from now on
                await asyncio.wait(self._playing)
                self._collect()
        finally:
            await self._stop()
        if failure := self._failure or self._replaced:
            raise failure
        return self._finished

    async def _sign_in(self) -> None:
        account = await self._server.ask("GET", "/api/bot")
        self._report(report_line("signed_in", name=account["name"], server=self._server.address))

    @property
    def _enough(self) -> bool:
        return self._plan.matches is not None and self._finished >= self._plan.matches

    async def _events(self, known: Sequence[str]) -> list[dict[str, Any]]:
        """Return new challenges, none after a while. The end of a match ends the wait too."""
        body = {"games": self._games, "known": known, "wait": WAIT}
        asking = asyncio.create_task(self._server.ask("POST", "/api/bot/events", body, seconds=WAIT + 20))
        try:
            await asyncio.wait({asking, *self._playing}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return []
            found: list[dict[str, Any]] = asking.result()["challenges"]
            fresh = [one for one in found if one["challenge"] not in known]
            if not fresh:
                await asyncio.sleep(PAUSE)
            return fresh
        except RemoteError as error:
            if error.status in (401, 403):
                raise
            if error.key == "bot_token_used_twice":
                self._replaced = error
                return []
            self._report(error.message)
            await asyncio.sleep(RETRY)
            return []
        finally:
            asking.cancel()

    async def _answer(self, event: dict[str, Any]) -> None:
        """Accept a challenge, or decline it when the bot has no time or does not play the game."""
        table, id = event["table"], event["challenge"]
        begun = self._finished + len(self._playing)
        full = len(self._playing) >= self._plan.tables
        full = full or (self._plan.matches is not None and begun >= self._plan.matches)
        accepts = not full and table["game"] in self._games
        values = {"name": event["by"]["name"], "game": table["game"], "accepts": accepts}
        self._report(report_line("challenged", **values))
        try:
            found = await self._server.ask("POST", f"/api/bot/challenges/{id}/{'accept' if accepts else 'decline'}")
        except RemoteError as error:  # the challenger is gone, for instance: others may come
            self._report(error.message)
            if accepts:  # so that the challenger need not wait for the challenge to expire
                with contextlib.suppress(RemoteError):
                    await self._server.ask("POST", f"/api/bot/challenges/{id}/decline")
            return
        if accepts:
            seated = Seated(found["table"], found["seat"], found["token"])
            self._playing[asyncio.create_task(self._play(seated))] = table["game"]

    async def _play(self, seated: Seated) -> int:
        plan = self._plan
        left = None if plan.matches is None else plan.matches - self._finished
        thinker = Thinker(plan.entrant, plan.limit)
        try:
            return await TablePlayer(self._server, seated, thinker, self._report, left, plan.idle).play()
        finally:
            thinker.close()

    def _collect(self) -> None:
        """Count the matches of tables that are over. Report lost tables; a bot that often fails ends the program."""
        for task in [task for task in self._playing if task.done()]:
            game, error = self._playing.pop(task), task.exception()
            if error is None:
                self._finished += task.result()
            elif isinstance(error, RemoteError) and not isinstance(error, RemoteBotFailed):
                self._report(error.message)
            elif isinstance(error, GramyError):
                self._give_up(game, error)
            else:
                self._failure = error

    def _give_up(self, game: str, error: GramyError) -> None:
        """Decline a game in which the bot has failed; stop after several failures, or when no game is left."""
        self._failures += 1
        self._games = tuple(name for name in self._games if name != game)
        if self._failures >= MOST_FAILURES or not self._games:
            self._failure = error
        else:
            self._report(report_line("game_given_up", game=game, most=MOST_FAILURES, why=error.message))

    async def _stop(self) -> None:
        """Be offline at once, and leave all tables."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        if self._replaced:
            return  # the other program is online
        with contextlib.suppress(RemoteError):
            await self._server.ask("DELETE", "/api/bot/events", seconds=3.0)
