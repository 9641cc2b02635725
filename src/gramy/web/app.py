"""Site: the web application. It guards every request and joins the handlers of pages, tables and replays.

No address contains a secret, and every text from outside is limited before it is parsed. Clients rely on
docs/protocol.md.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import web

import gramy
from gramy.errors import GramyError
from gramy.messages import Message
from gramy.table.bot_pool import BotPool
from gramy.table.lobby import Lobby
from gramy.table.store import StoreUnavailable
from gramy.web import wire
from gramy.web.admin import AdminApi
from gramy.web.analyses import Analyses
from gramy.web.blocks import AddressBlocks
from gramy.web.bots import BotsApi
from gramy.web.connections import Connections
from gramy.web.hosts import Hosts, WrongHost
from gramy.web.limits import Limits, Meter
from gramy.web.metrics import Metrics
from gramy.web.moderation import Moderation
from gramy.web.pages import Pages
from gramy.web.previews import Previews
from gramy.web.quotas import FreeDisk
from gramy.web.rare_log import RareLog
from gramy.web.readiness import Readiness
from gramy.web.replays import ReplaysApi
from gramy.web.responses import add_headers, error_response, http_error_response, json_response, wants_page
from gramy.web.sessions import Sessions
from gramy.web.tables import TablesApi
from gramy.web.visitor import Guests, Networks, check_rate, checked_request

LOG = logging.getLogger("gramy.web")
RARE = RareLog(LOG)
MAX_BODY = 16 * 1024

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HasRoutes(Protocol):
    """Handlers of requests."""

    def routes(self) -> list[web.RouteDef]:
        """Return the routes that they handle."""


class Site:
    """The web application with everything that it needs."""

    def __init__(
        self,
        lobby: Lobby,
        guests: Guests,
        bots: BotPool,
        metrics: Metrics,
        limits: Limits,
        origins: frozenset[str] = frozenset(),
        proxies: Networks = (),
        disk: FreeDisk | None = None,
        admin_token: str = "",
        in_network: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._lobby, self._guests, self._metrics = lobby, guests, metrics
        self._origins, self._proxies, self._hosts = origins, proxies, Hosts(origins, in_network)
        blocks = AddressBlocks()
        self.connections = Connections(metrics)
        self._sessions = Sessions(lobby, self.connections, limits, blocks)
        self._moderation = Moderation(lobby, guests, self._sessions)
        self._analyses = Analyses(bots)
        tables = TablesApi(lobby, guests, limits, self._hosts, blocks, disk)
        self._bots = BotsApi(lobby, guests, limits, tables)
        self._readiness = Readiness(lobby, metrics)
        self._pages = Pages(lobby, self._hosts, admin=bool(admin_token))
        self._handlers: list[HasRoutes] = [
            self._pages,
            Previews(lobby, limits),
            tables,
            self._bots,
            ReplaysApi(lobby, self._analyses, limits),
            self._readiness,
            self._moderation,
            *([AdminApi(lobby, self._sessions, admin_token)] if admin_token else []),
        ]
        self._request_meter = Meter("request", limits)
        self._file_meter = Meter("file", limits)

    def app(self) -> web.Application:
        """Return the aiohttp application."""
        app = web.Application(client_max_size=MAX_BODY, middlewares=[self.guard])
        for handlers in self._handlers:
            app.add_routes(handlers.routes())
        app.add_routes(
            [
                web.get("/ws/{table}", self.websocket),
                web.get("/health", self.health),
                web.get("/metrics", self.metrics),
            ]
        )
        app.on_startup.append(self._readiness.start)
        app.on_shutdown.append(self._readiness.close)
        app.on_shutdown.append(self.shut_down)
        return app

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Check host, origin and rate, call the handler, make messages of errors, add headers and count the request."""
        try:
            request = checked_request(request, self._proxies, self._hosts)
        except WrongHost as error:
            response: web.StreamResponse = error_response(error.message)
        else:
            with self.connections.answering(request):
                response = await self._respond(request, handler)
        if not response.prepared:
            add_headers(request, response)
            self._guests.renew_cookie(request, response)
        method = request.method if request.method in ("GET", "HEAD", "POST", "DELETE") else "other"
        self._metrics.count_request(method, _route(request), response.status)
        return response

    async def _respond(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if request.method not in ("GET", "HEAD") or request.path.startswith("/ws/"):
                self._check_origin(request)
            check_rate(self._file_meter if request.path.startswith("/static/") else self._request_meter, request)
            await self._bots.sign_in(request)
            return self._moderation.refusal(request) or await handler(request)
        except GramyError as error:
            return error_response(error.message)
        except wire.UNREADABLE as error:
            return error_response(wire.unreadable_message(error))
        except StoreUnavailable as error:
            LOG.debug("the store is unavailable", extra={"why": str(error)})  # `readiness.py` reports it once
            return error_response(Message("store_unavailable"), 503, retry=True)
        except web.HTTPException as error:
            if error.status == 404 and wants_page(request):
                return self._pages.missing(request)
            return http_error_response(error.status)
        except Exception:
            route = _route(request)
            RARE.warning("a request failed", kind=route, exc_info=True, route=route)
            return error_response(Message("server_error"), 500)

    def _check_origin(self, request: web.Request) -> None:
        """Refuse a browser's request from another site, which must not act for a guest."""
        # A proxy may end TLS without saying so, so https is always an origin of our own.
        own = {f"{request.scheme}://{request.host}", f"https://{request.host}"}
        if not self._origins | own >= set(request.headers.getall("Origin", ())):
            raise web.HTTPForbidden

    async def websocket(self, request: web.Request) -> web.StreamResponse:
        return await self._sessions.accept(request, self._guests.get(request))

    async def health(self, request: web.Request) -> web.Response:
        return json_response({"status": "ok", "version": gramy.__version__, "tables": len(self._lobby.tables)})

    async def metrics(self, request: web.Request) -> web.Response:
        viewers = sum(len(table.viewers) for table in self._lobby.tables.values())
        return web.Response(body=self._metrics.page(len(self._lobby.tables), viewers), content_type="text/plain")

    async def shut_down(self, app: web.Application) -> None:
        self._lobby.challenges.close()
        await self._sessions.close()
        await self._moderation.close()
        await self._analyses.close()


def _route(request: web.Request) -> str:
    """Return the pattern of a request's route: a label for metrics and logs that names no table."""
    resource = request.match_info.route.resource
    return "none" if resource is None else resource.canonical
