"""Who may not come in: visitors whom the host has banned, and everybody at a table that the host has closed."""

from __future__ import annotations

import html
from collections import OrderedDict
from collections.abc import Iterable
from datetime import UTC, datetime

from aiohttp import web

from gramy import text
from gramy.messages import Message
from gramy.table.lobby import Lobby
from gramy.table.orders import Order, guest_mark
from gramy.table.seat import is_bot_guest
from gramy.text.typography import bind
from gramy.web import wire

HOUR = 3600.0
RECENT = HOUR
"""Seconds for which a guest's network is kept in memory, so that a ban can include it."""
MOST_RECENT = 10_000


def refusal(lobby: Lobby, guests: Iterable[str | None], networks: Iterable[str], table: str = "") -> Message | None:
    """Return why a visitor may not come in, or not to this table; None if they may."""
    orders, now = lobby.order_book.orders, lobby.services.date()
    guests = tuple(guests)
    if any(guest and is_bot_guest(guest) and not lobby.bot_accounts.is_in_force(guest) for guest in guests):
        return Message("bot_revoked")
    if not orders.all:
        return None
    if ban := orders.ban_of(guests, networks, now):
        return ban_message(ban)
    closing = orders.closing_of(table, now) if table else None
    if closing is None:
        return None
    return Message("table_closed_reason" if closing.reason else "table_closed", {"reason": closing.reason})


def ban_message(ban: Order) -> Message:
    """Return the message to a banned visitor."""
    until = datetime.fromtimestamp(ban.until, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Message("banned_reason" if ban.reason else "banned", {"until": until, "reason": ban.reason})


def command_refusal(lobby: Lobby, guest: str | None, command: wire.Command) -> Message | None:
    """Return why the host's orders forbid a guest's command, None if they do not. Moves are never forbidden."""
    orders, now = lobby.order_book.orders, lobby.services.date()
    if isinstance(command, wire.Rename) and is_bot_guest(guest):
        return Message("bot_keeps_name")
    if isinstance(command, wire.Say | wire.Rename) and orders.is_muted(guest, now):
        return Message("muted")
    if isinstance(command, wire.Rematch | wire.StartMatch) and orders.maintenance(now):
        return Message("maintenance")
    return None


def ban_page(message: Message) -> web.Response:
    """Return the page that a banned visitor gets, in all languages."""
    sentences = {language: html.escape(bind(text.say(message, language), language)) for language in text.LANGUAGES}
    told = "".join(f'<p lang="{language}">{sentence}</p>' for language, sentence in sentences.items())
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gramy</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/static/style/base.css"><link rel="stylesheet" href="/static/style/page.css">'
        f'</head><body><div class="page"><main class="notice-page"><h1>Gramy</h1>{told}</main></div></body></html>'
    )
    return web.Response(text=page, status=403, content_type="text/html", charset="utf-8")


class RecentNetworks:
    """The networks that guests came from lately, in memory only."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, tuple[tuple[str, ...], float]] = OrderedDict()

    def add(self, guest: str, networks: tuple[str, ...], now: float) -> None:
        """Note where a guest comes from."""
        mark = guest_mark(guest)
        self._found[mark] = networks, now
        self._found.move_to_end(mark)
        if len(self._found) > MOST_RECENT:
            self._found.popitem(last=False)

    def get(self, mark: str, now: float) -> tuple[str, ...]:
        """Return the networks of a guest, narrowest first; none if they have not been here lately."""
        networks, when = self._found.get(mark, ((), 0.0))
        return networks if now - when < RECENT else ()

    def delete_old(self, now: float) -> None:
        """Delete what is older than RECENT."""
        while self._found and now - next(iter(self._found.values()))[1] >= RECENT:
            self._found.popitem(last=False)

    def forget(self, guest: str) -> None:
        """Delete a guest's entry."""
        self._found.pop(guest_mark(guest), None)
