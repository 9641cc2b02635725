"""Orders of the host: bans, mutes, announcements, maintenance and closed tables, and whom they concern.

Orders are frozen values and the rules here are pure. `order_book.py` stores them and spreads them to all servers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

BAN, MUTE, ANNOUNCEMENT, MAINTENANCE, CLOSED_TABLE = "ban", "mute", "announcement", "maintenance", "closed"
KINDS = (BAN, MUTE, ANNOUNCEMENT, MAINTENANCE, CLOSED_TABLE)
NARROW, WIDE = "narrow", "wide"
"""How much of a banned guest's network is banned with them: the address (IPv6: /64), or the /24 (IPv6: /48)."""


class Order(NamedTuple):
    """Something that the host has ordered, until a date."""

    id: str
    kind: str
    subject: str  # a guest's mark, a network such as 203.0.113.0/24, or a table; empty: everybody
    until: float  # calendar seconds
    made: float
    reason: str = ""  # shown to those whom it concerns
    texts: Mapping[str, str] = {}  # by language, for announcements and maintenance
    reach: str = ""  # NARROW or WIDE: a ban of a guest that extends to their network

    def notice(self) -> dict[str, Any]:
        """Return what everybody may see of an announcement."""
        return {"id": self.id, "kind": self.kind, "texts": dict(self.texts), "until": self.until}


class Report(NamedTuple):
    """A player's name that another visitor has reported to the host."""

    id: str
    table: str
    seat: int
    name: str
    guest: str  # the mark of the guest who has the name
    reporter: str  # the mark of the guest who reported it
    made: float


class AuditEntry(NamedTuple):
    """One action of the host."""

    made: float
    action: str
    subject: str
    detail: str


def guest_mark(guest: str) -> str:
    """Return what orders and reports call a guest: a hash, from which nobody gets the guest's cookie."""
    return "guest:" + hashlib.sha256(guest.encode()).hexdigest()[:32]


class Orders:
    """The orders in force. `now` is always calendar time: an order that has expired since it was loaded is ignored."""

    __slots__ = ("_by_subject", "all", "has_bans")

    def __init__(self, orders: Iterable[Order] = ()) -> None:
        self.all = tuple(orders)
        self._by_subject = {(order.kind, order.subject): order for order in sorted(self.all, key=_until)}
        self.has_bans = any(order.kind == BAN for order in self.all)

    def ban_of(self, guests: Iterable[str | None], networks: Iterable[str], now: float) -> Order | None:
        """Return the ban that concerns one of these guests or networks, None without one."""
        if not self.has_bans:
            return None
        subjects = [*(guest_mark(guest) for guest in guests if guest), *networks]
        bans = (self._in_force(BAN, subject, now) for subject in subjects)
        return max((ban for ban in bans if ban is not None), key=_until, default=None)

    def is_muted(self, guest: str | None, now: float) -> bool:
        """Whether a guest may neither talk nor choose a name."""
        return bool(self.all and guest) and self._in_force(MUTE, guest_mark(guest or ""), now) is not None

    def closing_of(self, table: str, now: float) -> Order | None:
        """Return the order that closed a table, None without one."""
        return self._in_force(CLOSED_TABLE, table, now)

    def maintenance(self, now: float) -> Order | None:
        """Return the order for maintenance, None without one."""
        return self._in_force(MAINTENANCE, "", now)

    def notices(self, now: float) -> list[dict[str, Any]]:
        """Return the announcements that all pages show."""
        kinds = ANNOUNCEMENT, MAINTENANCE
        return [order.notice() for order in self.all if order.kind in kinds and order.until > now]

    def _in_force(self, kind: str, subject: str, now: float) -> Order | None:
        order = self._by_subject.get((kind, subject))
        return order if order is not None and order.until > now else None


def _until(order: Order) -> float:
    return order.until
