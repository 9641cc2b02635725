"""Handlers for the client's pages and files, the text catalogues, the rules pages and the list of games."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from aiohttp import web
from markdown_it import MarkdownIt

import gramy
from gramy import text
from gramy.bots import LEVELS
from gramy.options import choices, format_value
from gramy.table.threads import in_thread
from gramy.text.typography import bind, bind_entries
from gramy.web.files import File, make_file, read_static
from gramy.web.responses import file_response, json_response

SCOPES = ("common", "web", "analysis", *gramy.GAMES)
"""The catalogues that every page needs."""


class Pages:
    """Everything that is the same for all visitors."""

    def __init__(self, admin: bool = False) -> None:
        self._files = read_static()
        self._admin = admin  # whether the host has an admin page
        self._catalogues = {language: _catalogues(language, SCOPES) for language in text.LANGUAGES}
        self._room_texts = {language: _catalogues(language, ("room",)) for language in text.LANGUAGES}
        self._admin_texts = {language: _catalogues(language, ("admin",)) for language in text.LANGUAGES}

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self.page),
            web.get("/t/{table}", self.page),
            web.get("/replay/{table}/{round}", self.page),
            web.get("/rules/{game}", self.page),
            web.get("/learn/{game}", self.page),
            web.get("/fairness", self.page),
            web.get("/static/{path:.+}", self.static),
            web.get("/favicon.ico", self.icon),
            web.get("/api/games", self.games),
            web.get("/api/text/{language}", self.text),
            web.get("/api/text/{language}/room", self.room_text),
            web.get("/api/rules/{game}", self.rules),
            web.get("/api/fairness", self.fairness),
            *(self._admin_routes() if self._admin else []),
        ]

    def _admin_routes(self) -> list[web.RouteDef]:
        return [web.get("/admin", self.page), web.get("/api/admin/text/{language}", self.admin_text)]

    async def page(self, request: web.Request) -> web.Response:
        return file_response(request, self._files["index.html"])

    async def static(self, request: web.Request) -> web.Response:
        if (found := self._files.get(request.match_info["path"])) is None:
            raise web.HTTPNotFound
        return file_response(request, found)

    async def icon(self, request: web.Request) -> web.Response:
        return file_response(request, self._files["icon.svg"])

    async def text(self, request: web.Request) -> web.Response:
        return _catalogue_response(request, self._catalogues)

    async def room_text(self, request: web.Request) -> web.Response:
        return _catalogue_response(request, self._room_texts)

    async def admin_text(self, request: web.Request) -> web.Response:
        return _catalogue_response(request, self._admin_texts)

    async def rules(self, request: web.Request) -> web.Response:
        game = gramy.game(request.match_info["game"]).name
        language = _language(request)
        return json_response({"html": await in_thread(_rules_page, game, language)})

    async def fairness(self, request: web.Request) -> web.Response:
        return json_response({"html": await in_thread(_fairness_page, _language(request))})

    async def games(self, request: web.Request) -> web.Response:
        return json_response([_describe(name) for name in gramy.GAMES])


def _language(request: web.Request) -> str:
    """Return the language that a request names; English if we do not have it."""
    language = request.query.get("language", "en")
    return language if language in text.LANGUAGES else "en"


@cache
def _rules_page(game: str, language: str) -> str:
    """Return a rules page as HTML. There are nine pages, so the cache stays small. The first time takes about 20 ms."""
    return _to_html(text.family_page(game, language), language)


@cache
def _fairness_page(language: str) -> str:
    """Return the page about fair deals as HTML."""
    return _to_html(text.fairness_page(language), language)


def _to_html(page: str, language: str) -> str:
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(bind(page, language)))


def _describe(name: str) -> dict[str, Any]:
    """Return a game as the list of games shows it."""
    allowed = choices(gramy.GAMES[name].Options)
    players = allowed["players"]
    return {
        "name": name,
        "title": text.find("title", name, "en"),
        "seats": [players[0], players[-1]],
        "options": {option: [format_value(value) for value in values] for option, values in allowed.items()},
        "levels": [level for level, bots in LEVELS.items() if name in bots],
    }


def _catalogue_response(request: web.Request, catalogues: Mapping[str, File]) -> web.Response:
    if (found := catalogues.get(request.match_info["language"])) is None:
        raise web.HTTPNotFound
    return file_response(request, found)


def _catalogues(language: str, scopes: Iterable[str]) -> File:
    """Return texts that the client needs in a language, as one JSON file."""
    entries = {scope: bind_entries(text.catalogue(scope, language), language) for scope in scopes}
    return make_file(json.dumps(entries, ensure_ascii=False).encode(), "application/json")
