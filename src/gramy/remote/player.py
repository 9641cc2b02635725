"""TablePlayer: a bot at one table of a server, match after match."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from gramy import games
from gramy.arena.bot_process import BotRaised, OutOfTime
from gramy.contract import View
from gramy.messages import Message
from gramy.remote.connection import Disconnected, TableConnection, Update
from gramy.remote.errors import RemoteBotFailed, problem, report_line
from gramy.remote.messages import Snapshot
from gramy.remote.server import Seated, Server
from gramy.remote.thinking import Thinker

START = "start"
"""The move by which players agree on who begins."""
LEAVE_START = 6.0, 16.0
"""For so many seconds, drawn at random so that they tell nothing, the bot leaves the start to people."""
REMATCH_WAIT = 60.0
"""Seconds that the bot waits for a rematch."""
OPEN_WAIT = 600.0
"""Seconds that the bot waits for a table to fill."""
IDLE_WAIT = 600.0
"""Seconds that the bot waits in a match while others are to act and no line is added."""
SAVE_RETRY = 1.0
"""Seconds before a move that the server could not store is sent again."""
STORE_FAILURES = ("not_saved", "save_unknown")

Report = Callable[[Message], None]


class TablePlayer:
    """Plays a seat until the table is over. `matches` limits how many it plays there, `idle` how long it waits."""

    def __init__(
        self,
        server: Server,
        seated: Seated,
        thinker: Thinker,
        report: Report,
        matches: int | None,
        idle: float = IDLE_WAIT,
    ) -> None:
        self._seated, self._thinker, self._report, self._matches = seated, thinker, report, matches
        self._idle = idle
        self._table = TableConnection(server, seated.table, seated.token, self._note)
        self.played = 0
        self._round = 0  # whose match has begun in the bot's process
        self._counted = 0  # the last round that is counted in `played`
        self._talked_at = -1
        self._stand_in = 0  # the round that a bot of the server plays in this seat
        self._progress: tuple[object, ...] = ()  # what has to change, so that the bot goes on waiting
        self._progress_at = 0.0
        self._start_at: float | None = None  # when the bot takes the start, if nobody else does

    async def play(self) -> int:
        """Play until the table is over; return the number of finished matches. Raises RemoteError."""
        async with self._table as table:
            try:
                while await self._step(table):
                    pass
            finally:
                await self._leave(table)
        return self.played

    async def _step(self, table: TableConnection) -> bool:
        """Do what the newest snapshot asks for; return False when there is nothing left to do here."""
        try:
            async with asyncio.timeout(self._patience(table.now)):
                now = await anext(table)
        except TimeoutError:
            if self._start_at is None or table.now is None:
                self._report(report_line("nobody_plays", table=self._seated.table))
                return False
            now = table.now
        self._note_progress(now)
        if now.you is None:
            return False  # the seat was given away
        await self._vote(table, now)
        if now.table.status == "finished":
            return await self._after(table, now)
        if now.view is not None and now.table.status == "playing":
            await self._act(table, now, now.view)
        return True

    def _patience(self, now: Snapshot | None) -> float | None:
        """Return for how many seconds the bot waits for the next snapshot, None for any time."""
        if self._start_at is not None:
            return max(0.0, self._start_at - asyncio.get_running_loop().time())
        if now is None or now.must_move:
            return None
        if now.table.status == "finished":
            return REMATCH_WAIT
        wait = self._idle if now.table.status == "playing" else OPEN_WAIT
        return max(0.0, self._progress_at + wait - asyncio.get_running_loop().time())

    def _note_progress(self, now: Snapshot) -> None:
        """Note when the match last went on or a seat was taken. Who comes and goes does not count."""
        about = now.table
        progress = about.status, about.round, now.lines, [seat.kind for seat in about.seats]
        if progress != self._progress:
            self._progress, self._progress_at = progress, asyncio.get_running_loop().time()

    # --- a match ------------------------------------------------------------------------------------------------------

    async def _act(self, table: TableConnection, now: Snapshot, view: View[Any]) -> None:
        seat = self._seated_at(now)
        if self._round != now.table.round:
            self._round, self._talked_at = now.table.round, -1
            others = ", ".join(one.name for at, one in enumerate(now.table.seats) if at != seat)
            self._report(report_line("match_begins", table=now.table.table, game=now.table.game, others=others))
            await self._thinker.begin(games.game(now.table.game, now.table.options))
        if now.phrases and now.lines != self._talked_at and table.log and not table.log[-1].move.startswith("say "):
            self._talked_at = now.lines
            for phrase in await self._asked(self._thinker.say(seat, view, table.history()), ()):
                if await table.say(phrase):
                    break
        if table.now is not now:
            return  # somebody was faster
        if now.must_move and self._stand_in != now.table.round and not self._leaves_start(now, view):
            choice = view.moves[0] if len(view.moves) == 1 else random.choice(view.moves)
            if len(view.moves) > 1:
                choice = await self._asked(self._thinker.choose(seat, view, table.history()), choice)
            if choice not in view.moves:
                raise RemoteBotFailed(report_line("bot_illegal", move=choice, game=view.game))
            await self._move(table, now, choice)

    async def _move(self, table: TableConnection, now: Snapshot, move: str) -> None:
        """Make a move; send it again while the server cannot store it and nothing has changed."""
        while table.now is now:
            refusal = await table.do("move", move=move, at=now.lines, round=now.table.round)
            if refusal is None or refusal.key == "too_late":
                return
            if refusal.key == "bot_plays_round":
                self._stand_in = now.table.round
                return
            if refusal.key not in STORE_FAILURES:
                raise problem("move_refused", move=move, why=refusal)
            self._report(report_line("move_refused", move=move, why=refusal))
            await asyncio.sleep(SAVE_RETRY)

    def _leaves_start(self, now: Snapshot, view: View[Any]) -> bool:
        """Return whether the bot still waits for people who may want to start."""
        if view.moves != (START,) or len(view.to_act) == 1:
            self._start_at = None
            return False
        seats = now.table.seats
        people = any(seats[at].kind == "person" and not seats[at].bot_account for at in view.to_act)
        clock = asyncio.get_running_loop().time()
        if self._start_at is None:
            self._start_at = clock + (random.uniform(*LEAVE_START) if people else random.uniform(0.0, 0.5))
        return clock < self._start_at

    async def _asked(self, question: Any, otherwise: Any) -> Any:
        """Return what the bot answers, or something else if it takes too long; raises RemoteBotFailed."""
        try:
            return await question
        except OutOfTime:
            self._report(report_line("bot_too_slow"))
            return otherwise
        except BotRaised as error:
            failure = RemoteBotFailed(report_line("bot_failed", why=error.why))
            failure.add_note(error.traceback)
            raise failure from None

    async def _vote(self, table: TableConnection, now: Snapshot) -> None:
        """Let a bot play for players who have been away for long."""
        for away in now.absent:
            if away.can_decide and now.you in away.voters and str(now.you) not in away.votes:
                await table.do("absent", seat=away.seat, choice="bot")

    # --- after a match ------------------------------------------------------------------------------------------------

    async def _after(self, table: TableConnection, now: Snapshot) -> bool:
        """Report the result once; play again if somebody asks and the limit allows. Return False to go."""
        seat, round = self._seated_at(now), now.table.round
        outcome = now.view.outcome if now.view is not None else None
        if outcome is None or outcome.key == "abandoned":
            self._report(report_line("match_abandoned", table=now.table.table))
            return False
        if self._counted != round:
            self._counted = round
            self.played += 1
            self._report(report_line("match_over", table=now.table.table, won=seat in outcome.winners, lines=now.lines))
        if self._matches is not None and self.played >= self._matches:
            return False
        if now.rematch and seat not in now.rematch:
            await table.do("rematch")
        return any(one.online for at, one in enumerate(now.table.seats) if at != seat and one.kind == "person")

    async def _leave(self, table: TableConnection) -> None:
        """Give the seat up, so that nobody waits for this bot."""
        now = table.now
        if now is not None and now.you is not None and now.table.status != "finished" and table.connected:
            with_limit = asyncio.wait_for(table.do("leave"), 3.0)
            await asyncio.gather(with_limit, return_exceptions=True)

    def _seated_at(self, now: Snapshot) -> int:
        assert now.you is not None
        return now.you

    def _note(self, update: Update) -> None:
        if isinstance(update, Disconnected):
            self._report(report_line("reconnecting", seconds=round(update.retry_after, 1)))
