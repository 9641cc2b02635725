"""Hints: advice for a person at a table, computed from what their seat may know."""

from __future__ import annotations

from typing import NamedTuple

from gramy.analysis import Advice
from gramy.messages import Message
from gramy.table.bot_pool import BotRequest
from gramy.table.services import Services
from gramy.table.state import Refused, TableState
from gramy.table.store import PLAYING


class Hint(NamedTuple):
    """Advice for a seat, given when the log had `at` lines."""

    at: int
    advice: Advice


async def hint(state: TableState, services: Services, seat: int | None) -> Hint:
    """Return advice for a seat; raises Refused when it may not have any now."""
    match = state.match
    if match is None or seat is None or state.status != PLAYING or not state.allows_hints or seat not in match.to_act:
        raise Refused(Message("no_hints_now"))
    seed, budget = services.rng.getrandbits(64), services.times.advice
    request = BotRequest(match.view(seat), match.history(seat), seed, budget=budget)
    return Hint(len(match.log), await services.bots.advise(request))
