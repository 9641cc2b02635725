"""OrderBook: the host's orders, reports to the host, and the list of the host's actions, in the store.

The orders in force are in memory on every server. After a change a note on the bus asks the other servers to load them;
if it is lost, they load them at their next look into the store.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable
from typing import Any

from gramy.table.bus import EVERYWHERE, ORDERS
from gramy.table.orders import AuditEntry, Order, Orders, Report, guest_mark
from gramy.table.services import Services
from gramy.table.store import Statement

LOG = logging.getLogger("gramy.admin")
DAY = 86_400.0
AUDIT_KEPT = 90 * DAY
MOST_AUDIT = 200
MOST_REPORTS = 200

SELECT_ORDERS = (
    "SELECT id, kind, subject, until, made, reason, texts, reach FROM orders WHERE until > ? ORDER BY made, id"
)
UPSERT_ORDER = (
    "INSERT INTO orders (id, kind, subject, until, made, reason, texts, reach) VALUES (?,?,?,?,?,?,?,?)"
    " ON CONFLICT (id) DO UPDATE SET until=excluded.until, reason=excluded.reason, texts=excluded.texts"
)
DELETE_ORDER = "DELETE FROM orders WHERE id=?"
DELETE_EXPIRED_ORDERS = "DELETE FROM orders WHERE until < ?"
INSERT_REPORT = (
    "INSERT INTO reports (id, table_id, seat, name, guest, reporter, made) VALUES (?,?,?,?,?,?,?)"
    " ON CONFLICT (table_id, seat, guest, reporter) DO NOTHING RETURNING id"
)
SELECT_REPORTS = "SELECT id, table_id, seat, name, guest, reporter, made FROM reports ORDER BY made DESC LIMIT ?"
DELETE_REPORT = "DELETE FROM reports WHERE id=?"
INSERT_AUDIT = "INSERT INTO audit (id, made, action, subject, detail) VALUES (?,?,?,?,?)"
SELECT_AUDIT = "SELECT made, action, subject, detail FROM audit ORDER BY made DESC LIMIT ?"
DELETE_OLD_AUDIT = "DELETE FROM audit WHERE made < ?"
FORGET_IN_ORDERS = (
    "DELETE FROM orders WHERE subject=?",
    "DELETE FROM reports WHERE guest=?",
    "UPDATE reports SET reporter=id WHERE reporter=?",
    "UPDATE audit SET subject='' WHERE subject=?",
    "DELETE FROM challenges WHERE challenger=?",
)


class OrderBook:
    """Keeps the orders in force in memory. `listeners` are called when they have changed."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.orders = Orders()
        self.listeners: list[Callable[[], None]] = []

    async def load(self) -> None:
        """Load the orders in force."""
        (rows,) = await self._run((SELECT_ORDERS, (self._services.date(),)))
        found = Orders(Order._make((*values, json.loads(texts), reach)) for *values, texts, reach in rows)
        if found.all != self.orders.all:
            self.orders = found
            for listener in self.listeners:
                listener()

    async def give(self, order: Order) -> None:
        """Store an order, replace one with the same id, and put it into force on all servers."""
        values = (*order[:6], json.dumps(dict(order.texts)), order.reach)
        await self._run((UPSERT_ORDER, values))
        await self._spread()

    async def revoke(self, id: str) -> Order | None:
        """Delete an order; return it, None if there is none."""
        await self.load()  # another server may have given it just now
        revoked = next((order for order in self.orders.all if order.id == id), None)
        await self._run((DELETE_ORDER, (id,)))
        await self._spread()
        return revoked

    async def report(self, report: Report) -> bool:
        """Store a report; return False if the same guest has reported the same player before."""
        (rows,) = await self._run((INSERT_REPORT, tuple(report)))
        return bool(rows)

    async def reports(self) -> list[Report]:
        """Return the latest reports, newest first."""
        (rows,) = await self._run((SELECT_REPORTS, (MOST_REPORTS,)))
        return [Report(*row) for row in rows]

    async def delete_report(self, id: str) -> None:
        """Delete a report that the host has dealt with."""
        await self._run((DELETE_REPORT, (id,)))

    async def note(self, action: str, subject: str = "", detail: str = "") -> None:
        """Add an action of the host to the log and to the stored list. The log names no table, guest or network."""
        LOG.warning("the host acted", extra={"action": action})
        await self._run((INSERT_AUDIT, (secrets.token_hex(8), self._services.date(), action, subject, detail)))

    async def audit(self) -> list[AuditEntry]:
        """Return the host's latest actions, newest first."""
        (rows,) = await self._run((SELECT_AUDIT, (MOST_AUDIT,)))
        return [AuditEntry(*row) for row in rows]

    async def forget(self, guest: str) -> None:
        """Remove a guest from reports, orders and the list of actions."""
        mark = guest_mark(guest)
        await self._run(*((statement, (mark,)) for statement in FORGET_IN_ORDERS))
        if any(order.subject == mark for order in self.orders.all):
            await self._spread()

    async def delete_expired(self, date: float) -> None:
        """Delete what has expired by this date."""
        await self._run((DELETE_EXPIRED_ORDERS, (date,)), (DELETE_OLD_AUDIT, (date - AUDIT_KEPT,)))
        await self.load()

    async def _spread(self) -> None:
        await self.load()
        self._services.bus.publish(EVERYWHERE, {"what": ORDERS})

    async def _run(self, *statements: Statement) -> list[list[Any]]:
        return await self._services.store.transact(statements)
