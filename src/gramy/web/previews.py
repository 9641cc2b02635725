"""Handlers for the pictures of link previews. They are drawn beside the event loop, kept, and limited in number."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict

from aiohttp import web

import gramy
from gramy import text
from gramy.table.lobby import Lobby
from gramy.table.threads import in_thread
from gramy.web.documents import Preview, game_preview, site_preview, table_preview
from gramy.web.limits import Limits, Meter
from gramy.web.visitor import check_rate

MAX_KEPT = 64
"""Pictures that are kept, 100 to 200 kB each."""
NAMED_LIFETIME = 5.0
"""Seconds that a picture with a player's name is kept: a name that is deleted is gone from memory as soon."""


class Previews:
    """The pictures of pages, games and tables."""

    def __init__(self, lobby: Lobby, limits: Limits) -> None:
        self._lobby = lobby
        self._meter = Meter("replay", limits)
        self._kept: OrderedDict[str, bytes] = OrderedDict()  # by the hash of what they say
        lobby.forget_listeners.append(lambda guest: self._kept.clear())

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/preview/{language}/gramy.png", self.site),
            web.get("/preview/{language}/game/{game}.png", self.game),
            web.get("/preview/{language}/table/{table}.png", self.table),
        ]

    async def site(self, request: web.Request) -> web.Response:
        return await self._picture(request, site_preview(_language(request)))

    async def game(self, request: web.Request) -> web.Response:
        game = gramy.game(request.match_info["game"]).name
        return await self._picture(request, game_preview(_language(request), game))

    async def table(self, request: web.Request) -> web.Response:
        language = _language(request)
        table = await self._lobby.find(request.match_info["table"])
        return await self._picture(request, table_preview(language, table.state))

    async def _picture(self, request: web.Request, preview: Preview) -> web.Response:
        key = hashlib.sha256(repr(preview).encode()).hexdigest()
        if (drawn := self._kept.get(key)) is None:
            check_rate(self._meter, request)
            drawn = await in_thread(_draw, preview)
            self._keep(key, drawn, preview.has_name)
        return web.Response(body=drawn, content_type="image/png")

    def _keep(self, key: str, drawn: bytes, named: bool) -> None:
        self._kept[key] = drawn
        if named:
            asyncio.get_running_loop().call_later(NAMED_LIFETIME, self._kept.pop, key, None)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)


def _draw(preview: Preview) -> bytes:
    from gramy.web.picture import draw  # imports Pillow: 8 MB that most servers at home never need

    return draw(preview)


def _language(request: web.Request) -> str:
    language = request.match_info["language"]
    if language not in text.LANGUAGES:
        raise web.HTTPNotFound
    return language
