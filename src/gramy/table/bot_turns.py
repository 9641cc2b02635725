"""The turns of the bots at a table: they compute elsewhere, and move and talk through `Table.attempt`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from gramy.bots.protocol import keenest
from gramy.matches import Match
from gramy.messages import Message
from gramy.table import stand_ins, state
from gramy.table.bot_pool import BotMove, BotRequest
from gramy.table.seat import BOT, STAND_IN_LEVEL
from gramy.table.snapshot import NOTHING_SEEN, Seen
from gramy.table.state import Moment, Step, TableState
from gramy.table.store import PLAYING
from gramy.table.table import STORE_FAILURES, Table

LOG = logging.getLogger("gramy.table")
TOO_LATE = Message("too_late")


def _if_a_bots_turn(table: TableState, moment: Moment, *, seat: int, step: Step) -> TableState:
    """Change the table unless the person of the seat is back, or the match is over."""
    return step(table, moment) if seat in table.bots_to_act(moment.now) else table


LEAST_WAIT = 0.3
"""The share of the longest wait for which bots leave the start to people at least."""


class Agreement(NamedTuple):
    """The players of a round agree on who starts, since this server first saw it."""

    round: int
    since: float
    seed: int  # of the bots' answers: asked again, they answer alike unless somebody has talked
    patience: float  # the share of the longest wait for which bots leave the start to people


class BotTurns:
    """Plays the bots of one table. With several servers, the one that holds the table's lease plays them."""

    __slots__ = ("_agreement", "_playing", "_table", "_talked_at", "_wake_at")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._playing = False
        self._agreement: Agreement | None = None
        self._wake_at: float | None = None  # a task sleeps until then, by the event loop's clock, and wakes the bots
        self._talked_at = NOTHING_SEEN  # how far the match was when the bots last had a chance to talk
        table.listeners.append(self.wake)

    @property
    def playing(self) -> bool:
        """Whether a bot's move is being computed or made."""
        return self._playing

    def wake(self) -> None:
        """Start what the bots have to do now: a move of the bot to act, and talk after every move."""
        table, now = self._table, self._table.state
        if now.status != PLAYING or not (now.clock or any(seat.bot_level for seat in now.seats)):
            return
        if not self._playing and table.state.bots_to_act(table.services.now()):
            self._playing = True
            table.background.spawn(self._play())
        if table.seen() != self._talked_at and self._may_talk():
            self._talked_at = table.seen()
            table.background.spawn(self._talk())

    # --- moves --------------------------------------------------------------------------------------------------------

    async def _play(self) -> None:
        """Make moves until a person is to act."""
        table, services = self._table, self._table.services
        retry_in = 0.0
        try:
            while not retry_in and table.state.bots_to_act(services.now()):
                if not await services.bus.acquire_lease(table.id):
                    retry_in = services.times.retry / 2  # another server plays them, unless it dies
                elif not (seats := table.state.bots_to_act(services.now())):
                    break  # somebody else has moved meanwhile
                elif table.state.match and table.state.match.agreeing:
                    retry_in = await self._start(seats)
                elif refused := await self._move(seats[0]):
                    level = (
                        logging.DEBUG if refused.key in STORE_FAILURES else logging.ERROR
                    )  # `readiness.py` reports it
                    LOG.log(level, "a bot's move was refused", extra={"why": refused.key})
                    retry_in = services.times.retry
        except Exception:
            LOG.exception("a bot failed")
            retry_in = services.times.retry
        finally:
            self._playing = False
        if retry_in:
            await self._wake_in(retry_in)

    async def _wake_in(self, seconds: float) -> None:
        """Wake the bots after some seconds, unless they are woken earlier anyway."""
        wake_at = asyncio.get_running_loop().time() + seconds
        if self._wake_at is not None and self._wake_at <= wake_at:
            return
        self._wake_at = wake_at
        await asyncio.sleep(seconds)
        if self._wake_at == wake_at:  # otherwise an earlier time has replaced it
            self._wake_at = None
            self.wake()

    async def _start(self, seats: list[int]) -> float:
        """Let the keenest bot take the start, unless it leaves that to people; return for how many more seconds.

        How long it waits is random, so that it tells nothing about the hand. Among bots only, one starts at once.
        """
        table, services = self._table, self._table.services
        match, seen = table.state.match, table.seen()
        assert match is not None
        if self._agreement is None or self._agreement.round != table.state.round:
            patience = services.rng.uniform(LEAST_WAIT, 1)
            self._agreement = Agreement(table.state.round, services.now(), services.rng.getrandbits(64), patience)
        _, since, seed, patience = self._agreement
        requests = {seat: self._request(match, seat)._replace(seed=seed + seat) for seat in seats}
        answers = {seat: await services.bots.move(request) for seat, request in requests.items()}
        if table.seen() != seen:
            return 0.0  # somebody took the start, or talked, while they thought
        eagerness = {seat: answer.eagerness for seat, answer in answers.items()}
        seat = keenest(eagerness, services.rng)
        rest = since + patience * services.times.start_wait - services.now()
        if rest > 0 and any(one not in seats for one in match.to_act):
            return rest
        refused = await self._make(seat, seen, answers[seat], services.now())
        return services.times.retry if refused else 0.0

    async def _move(self, seat: int) -> Message | None:
        """Compute a bot's move, then talk and move; return why that was refused."""
        table, services = self._table, self._table.services
        match, seen, began = table.state.match, table.seen(), services.now()
        assert match is not None
        return await self._make(seat, seen, await services.bots.move(self._request(match, seat)), began)

    async def _make(self, seat: int, seen: Seen, answer: BotMove, began: float) -> Message | None:
        """Make a bot's move after a pause that people can follow; return why it was refused."""
        table, services = self._table, self._table.services
        if (rest := services.times.pause - (services.now() - began)) > 0:
            await asyncio.sleep(rest)
        if seat not in table.state.bots_to_act(services.now()):
            return None
        await self._say_all(seat, answer.said, seen)
        play = partial(state.play, seat=seat, at=seen.lines, move=answer.move, round=seen.round)
        before, time_up = table.state, table.state.seats[seat].bot_level is None
        refused = await table.attempt(partial(_if_a_bots_turn, seat=seat, step=play))
        if time_up and refused is None and table.state is not before:
            await table.attempt(partial(stand_ins.count_time_up, seat=seat))
        return None if refused == TOO_LATE else refused

    # --- talk ---------------------------------------------------------------------------------------------------------

    def _may_talk(self) -> bool:
        now = self._table.state
        if now.match is None or not any(seat.kind == BOT for seat in now.seats):
            return False
        return bool(now.game.phrases()) and not (now.match.log and now.match.log[-1].text.startswith("say "))

    async def _talk(self) -> None:
        """Let every bot say what it has to say, whoever is to act: partners want to know before they move."""
        table, services = self._table, self._table.services
        match, seen = table.state.match, table.seen()
        if match is None or not await services.bus.acquire_lease(table.id):
            return
        for number, seat in enumerate(table.state.seats):
            if seat.kind == BOT and table.state.status == PLAYING:
                phrases = await services.bots.say(self._request(match, number))
                log = table.state.match.log if table.state.match else []
                if log[: len(match.log)] == match.log:
                    await self._say_all(number, phrases, seen)

    async def _say_all(self, seat: int, phrases: Iterable[str], seen: Seen) -> None:
        """Say phrases until one is refused. That stops no move: a long log may have no room for talk."""
        for phrase in phrases:
            say = partial(state.say, seat=seat, phrase=phrase, at=seen.lines, round=seen.round)
            if await self._table.attempt(say):
                return

    def _request(self, match: Match, seat: int) -> BotRequest:
        table, services = self._table, self._table.services
        level = table.state.seats[seat].bot_level or STAND_IN_LEVEL  # a person whose time is up gets a stand-in too
        seed = services.rng.getrandbits(64)
        return BotRequest(match.view(seat), match.history(seat), seed, level, services.times.budget)
