"""How a round begins at a table: when everybody sits and has given luck; the next ones when everybody asks."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from gramy.contract import Message
from gramy.fair import Deal, SeededDealer
from gramy.matches import Match
from gramy.table.clock import Clock
from gramy.table.refused import Refused
from gramy.table.seat import OPEN, PERSON
from gramy.table.services import Services
from gramy.table.store import FINISHED, PLAYING, WAITING

if TYPE_CHECKING:
    from gramy.table.table import Table

LOG = logging.getLogger("gramy.table")
NO_CLIENT_SEED = "-"
"""The word of a client that leaves its luck to the others."""


def new_deal(services: Services, seats: int) -> Deal:
    """A seed, before anybody has added luck to it."""
    return Deal(f"{services.rng.getrandbits(256):064x}", ("",) * seats)


# --- the first round --------------------------------------------------------------------------------------------------


async def take_client_seed(table: Table, seat: int, client_seed: str) -> None:
    """A seated client adds its luck to the cards, once, before there are any."""

    async def take(seat: int) -> None:
        if table.status == WAITING and not table.deals[0].client_seeds[seat]:
            put_client_seed(table, seat, client_seed)
            await if_ready(table)

    async with table.lock:
        if refused := await table.attempt(take, seat):
            LOG.warning("luck was not taken", extra={"why": refused.key})
    table.tell()


def put_client_seed(table: Table, seat: int, client_seed: str) -> None:
    deal, following = table.deals
    table.deals = (
        deal._replace(client_seeds=(*deal.client_seeds[:seat], client_seed, *deal.client_seeds[seat + 1 :])),
        following,
    )


async def if_ready(table: Table, patient: bool = True) -> None:
    """Begin when everybody sits and has given luck, else keep the table; but do not wait for luck too long."""
    if table.status != WAITING:
        return
    waits_for_client_seeds = any(
        seat.kind == PERSON and not client_seed
        for seat, client_seed in zip(table.seats, table.deals[0].client_seeds, strict=True)
    )
    if _full(table) and not (waits_for_client_seeds and patient and table.services.times.seed_wait):
        await _begin(table, table.round, table.deals)
        return
    await table.save()
    if _full(table):
        table.spawn(_without_client_seeds(table))


async def _without_client_seeds(table: Table) -> None:
    await asyncio.sleep(table.services.times.seed_wait)
    await if_full(table, patient=False)


async def if_full(table: Table, patient: bool = True) -> None:
    """Begin what was not begun although everybody sits."""
    async with table.lock:
        if table.status == WAITING and _full(table):
            await table.attempt(lambda _: if_ready(table, patient), 0)
    table.tell()


def _full(table: Table) -> bool:
    return all(seat.kind != OPEN for seat in table.seats)


# --- the next ones ----------------------------------------------------------------------------------------------------


async def ask_again(table: Table, seat: int, client_seed: str = NO_CLIENT_SEED) -> None:
    """The next round begins when every person who is there wants it."""
    if table.status != FINISHED:
        raise Refused(Message("match_not_over"))
    if seat not in table.rematch:
        table.rematch[seat] = client_seed
        try:
            await table.save()
        except BaseException:
            table.rematch.pop(seat, None)
            raise
    await _if_all_ask(table)
    table.tell()


async def without(table: Table, seat: int) -> None:
    """Somebody has gone who did not ask for another round; perhaps all who are left did."""
    async with table.lock:
        table.rematch.pop(seat, None)
        await table.attempt(lambda _: _if_all_ask(table), seat)


async def at_last(table: Table) -> None:
    """The store was away: begin what could not be begun, for all who are there may just be waiting."""
    await if_full(table)
    async with table.lock:
        await table.attempt(lambda _: _if_all_ask(table), 0)


async def _if_all_ask(table: Table) -> None:
    there = {at for at, seat in enumerate(table.seats) if seat.kind == PERSON and table.presence.online(at)}
    if table.status == FINISHED and table.rematch and there and there <= set(table.rematch):
        client_seed = tuple(table.rematch.get(seat, "") for seat in range(len(table.seats)))
        deals = table.deals[1]._replace(client_seeds=client_seed), new_deal(table.services, len(table.seats))
        await _begin(table, table.round + 1, deals)


async def _begin(table: Table, round: int, deals: tuple[Deal, Deal]) -> None:
    """A round: its deal, its number and the table's status are kept together or not at all."""
    services = table.services
    match = Match(table.game, SeededDealer(deals[0]), [seat.name for seat in table.seats])
    clock = Clock(table.control, len(table.seats), services.now()) if table.control else None
    row = table.row()._replace(
        round=round,
        status=PLAYING,
        clock=None if clock is None else clock.kept(),
        deals=deals,
        rematch={},
        touched=services.date(),
    )
    table.revision = await services.store.save(row, match.log)
    table.round, table.match, table.clock, table.deals = round, match, clock, deals
    table.status, table.abandoned, table.rematch = PLAYING, False, {}
    for seat in table.seats:
        seat.answered.clear()
    table.after_step(table.revision, begun=True)
