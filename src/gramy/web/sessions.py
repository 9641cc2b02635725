"""Sessions: all open sessions of this server. They are accepted, counted, kept alive and closed here."""

from __future__ import annotations

import asyncio

from aiohttp import WSCloseCode, web

from gramy.messages import Message
from gramy.table.lobby import Lobby
from gramy.table.table import Table
from gramy.web import wire
from gramy.web.bans import RecentNetworks, refusal
from gramy.web.blocks import AddressBlocks
from gramy.web.connections import Connections
from gramy.web.frames import accept
from gramy.web.limits import Limits, Meter, OpenCount
from gramy.web.session import Session
from gramy.web.visitor import prefixes, scopes_of
from gramy.web.websocket import HEARTBEAT, take_over

SHUTDOWN_TIMEOUT = 3.0
"""Seconds that a stopping server waits for running commands and for clients to close."""


class Sessions:
    """All open sessions of this server."""

    def __init__(self, lobby: Lobby, connections: Connections, limits: Limits, blocks: AddressBlocks) -> None:
        self.lobby, self.limits, self.metrics = lobby, limits, connections.metrics
        self._connections = connections
        self._blocks = blocks
        self._open: set[Session] = set()
        self._sockets = OpenCount("socket", limits)
        self._heartbeat_timer: asyncio.TimerHandle | None = None
        self._all_closed: asyncio.Future[None] | None = None  # set while the server waits for that
        self._stopping = False
        self.recent = RecentNetworks()
        lobby.forget_listeners.append(self.recent.forget)
        self.command_meter, self.line_meter = Meter("command", limits), Meter("line", limits)
        self.bot_line_meter = Meter("bot_line", limits)
        self._talk_meter = Meter("talk", limits)

    async def accept(self, request: web.Request, guest: str | None) -> web.StreamResponse:
        """Answer a WebSocket handshake and open a session on its socket."""
        table_id, address = request.match_info["table"], request.remote
        table = await self.lobby.find(table_id)
        scopes, networks = scopes_of(address, guest), prefixes(address)
        if not self._sockets.has_room(scopes):
            raise web.HTTPTooManyRequests
        if not self._connections.has_room(len(self._open), table.state.seat_of(None, guest) is not None):
            raise web.HTTPServiceUnavailable
        response = accept(request)
        if request.transport is None or request.transport.is_closing():
            raise web.HTTPBadRequest  # the client has disconnected
        if self._stopping:
            raise web.HTTPServiceUnavailable
        session = Session(self, table_id, guest, address)
        take_over(request, response, session)
        self._sockets.add(scopes)
        self._open.add(session)
        if guest:
            self.recent.add(guest, networks, self.lobby.services.date())
        if refused := refusal(self.lobby, [guest], networks, table_id):
            session.expel(refused)  # a browser shows no other answer to a handshake
        if self._heartbeat_timer is None:
            self._start_heartbeat()
        return web.Response(status=101)  # aiohttp cannot send it: the socket is ours now

    @property
    def open(self) -> list[Session]:
        """The sessions that are open now."""
        return list(self._open)

    def may_talk(self, session: Session, table: str) -> bool:
        """Count a phrase or an undo; return False if it is too many for the guest, the table or the address."""
        return self._talk_meter.take({**session.scopes, "table": table})

    def remove(self, session: Session) -> None:
        """Forget a session that is over."""
        self._open.discard(session)
        self._sockets.remove(session.scopes)
        if self._all_closed is not None and not self._open and not self._all_closed.done():
            self._all_closed.set_result(None)

    def block_address(self, removed: Session) -> None:
        """Block the address of a removed player, unless another player of the table has the same one: a household.

        Whoever is blocked now and watches the table in another tab has to go too.
        """
        networks = [
            prefixes(one.address)[0] for one in self._open if one.seat is not None and one.table_id == removed.table_id
        ]
        if prefixes(removed.address)[0] not in networks:
            self._blocks.add(removed.table_id, removed.address)
        watching = [one for one in self._open if one.seat is None and one.table is removed.table]
        for one in watching:
            if one.table is not None and self.is_blocked(one, one.table):
                one.end_as_removed()

    def is_blocked(self, session: Session, table: Table) -> bool:
        """Return whether the opener of a table has removed the session's guest or somebody with its address."""
        return session.guest in table.state.people.blocked or self._blocks.has(table.id, session.address)

    async def close(self) -> None:
        """Tell all clients that the server stops and when to reconnect, and close their connections."""
        self._stopping = True
        bye = wire.encode({"type": "bye", "message": Message("server_restarts"), "retry_after": 2.0})
        for session in list(self._open):
            session.send(bye)
            session.close(WSCloseCode.SERVICE_RESTART, "restart")
        if self._open:
            self._all_closed = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._all_closed], timeout=SHUTDOWN_TIMEOUT)
        if self._heartbeat_timer is not None:
            self._heartbeat_timer.cancel()

    def _start_heartbeat(self) -> None:
        self._heartbeat_timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._heartbeat)

    def _heartbeat(self) -> None:
        """Call every session's heartbeat. One timer per session would be the largest part of an idle session."""
        for session in list(self._open):
            session.heartbeat()
        self.recent.delete_old(self.lobby.services.date())
        self._heartbeat_timer = None
        if self._open:
            self._start_heartbeat()
