"""How bots play at a table: they think elsewhere, and talk and move by the same door as everybody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from gramy.contract import Message
from gramy.table.bot_pool import BotRequest
from gramy.table.seat import BOT
from gramy.table.store import PLAYING

if TYPE_CHECKING:
    from gramy.table.table import Table

LOG = logging.getLogger("gramy.table")
STAND_IN = "easy"
RETRY = 5.0


def drive(table: Table) -> None:
    """Let a bot move, if it is a bot's turn."""
    if not table.driven and played_by_bots(table):
        table.driven = True
        table.spawn(_moves(table))


def played_by_bots(table: Table) -> list[int]:
    """The awaited seats that a bot plays: its own, a missing person's, or one whose time is up."""
    if table.status != PLAYING or table.match is None:
        return []
    fallen = table.clock.fallen(table.services.now()) if table.clock else ()
    waiting = [(number, table.seats[number]) for number in table.match.to_act]
    return [number for number, seat in waiting if seat.kind == BOT or seat.stand_in or number in fallen]


async def _moves(table: Table) -> None:
    again = 0.0
    try:
        while not again and (waiting := played_by_bots(table)):
            if not await table.services.bus.lead(table.id):
                again = RETRY / 2  # another server plays them; unless it dies
            elif refused := await _move(table, waiting[0]):
                LOG.error("a bot could not move", extra={"why": refused.key})
                again = RETRY
    except Exception:
        LOG.exception("a bot failed")
        again = RETRY
    finally:
        table.driven = False
        if again:
            table.later(again)
        table.tell()


async def _move(table: Table, seat: int) -> Message | None:
    """Think, then talk and move; why not, if it was refused."""
    services = table.services
    match, times = table.match, services.times
    assert match is not None
    table.tell()
    level = table.seats[seat].level or STAND_IN
    began, seed = services.now(), services.rng.getrandbits(64)
    request = BotRequest(match.view(seat), match.history(seat), seed, level, times.budget)
    thought = await services.bots.move(request)
    if (rest := times.pause - (services.now() - began)) > 0:
        await asyncio.sleep(rest)
    async with table.lock:
        if seat not in played_by_bots(table):
            return None  # the person is back, or the match is over
        at = len(match.log)
        refused = await _say_all(table, seat, thought.said, at)
        refused = refused or await table.attempt(partial(table.play, at=at, move=thought.move), seat)
        return None if refused == Message("too_late") else refused


async def _say_all(table: Table, seat: int, phrases: Iterable[str], at: int) -> Message | None:
    for phrase in phrases:
        if refused := await table.attempt(partial(table.say, phrase=phrase, at=at), seat):
            return refused
    return None


def talk(table: Table) -> None:
    """After a move every bot says what it has to say, whoever's turn it is: partners want to know before they
    move."""
    if table.status == PLAYING and table.game.phrases() and any(seat.kind == BOT for seat in table.seats):
        table.spawn(_talk(table))


async def _talk(table: Table) -> None:
    services = table.services
    match = table.match
    if match is None or match.log[-1].text.startswith("say ") or not await services.bus.lead(table.id):
        return
    for seat, one in enumerate(table.seats):
        if one.kind == BOT and table.status == PLAYING:
            seed, level = services.rng.getrandbits(64), one.level or STAND_IN
            said = await services.bots.say(BotRequest(match.view(seat), match.history(seat), seed, level))
            async with table.lock:
                if table.match is not None and table.match.log[: len(match.log)] == match.log:
                    await _say_all(table, seat, said, len(match.log))
