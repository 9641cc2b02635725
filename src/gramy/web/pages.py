"""Handlers for the client's pages and files, the text catalogues, the rules pages and the list of games.

A page is the same document for everybody but for its language, its link preview, and a notice where there is nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from aiohttp import web
from markdown_it import MarkdownIt

import gramy
from gramy import text
from gramy.bots import LEVELS
from gramy.errors import GramyError
from gramy.options import choices, format_value
from gramy.table.lobby import Lobby
from gramy.table.store import StoreUnavailable
from gramy.table.threads import in_thread
from gramy.text.typography import bind, bind_entries
from gramy.web.app_files import client_version, manifests, service_worker
from gramy.web.documents import (
    Document,
    PageTemplate,
    Preview,
    game_preview,
    say,
    short_title,
    site_preview,
    table_preview,
)
from gramy.web.files import File, make_file, read_static
from gramy.web.hosts import Hosts
from gramy.web.languages import visitor_language
from gramy.web.preloads import (
    ADMIN,
    ANY_TABLE,
    LESSONS,
    LOBBY,
    NOTHING,
    RECORD,
    REPLAYS,
    TABLES,
    TEXT,
    WAITING_TABLES,
    Needs,
    Preloads,
)
from gramy.web.responses import HEADERS, file_response, json_response

SCOPES = ("common", "web", "analysis", *gramy.GAMES)
"""The catalogues that every page needs."""
FIGURE = re.compile(r'<p><img src="cards:([^"]*)" alt="([^"]*)" /></p>')
"""A row of cards with its caption, as our Markdown writes it: `![caption](cards:31-21)`."""


class Pages:
    """Everything that is the same for all visitors."""

    def __init__(self, lobby: Lobby, hosts: Hosts, admin: bool = False) -> None:
        self._lobby, self._hosts = lobby, hosts
        self._admin = admin  # whether the host has an admin page
        self._catalogues = {language: _catalogues(language, SCOPES) for language in text.LANGUAGES}
        self._room_texts = {language: _catalogues(language, ("room",)) for language in text.LANGUAGES}
        self._admin_texts = {language: _catalogues(language, ("admin",)) for language in text.LANGUAGES}
        files = read_static()
        source = files.pop("index.html").body.decode()
        worker = files.pop("service-worker.js").body.decode()
        self._files = files | {f"text/{language}.json": file for language, file in self._catalogues.items()}
        self._template = PageTemplate(source)
        self._preloads = Preloads(self._files)
        self._version = client_version(self._files, source + worker)
        self._shell = self._template.render(
            Document(site_preview("en"), "Gramy", "/", "/preview/en/gramy.png", preloads=self._preloads.links(NOTHING))
        )
        self._worker = service_worker(worker, self._version, self._files, {"/offline": self._shell})
        self._files |= self._preloads.styles  # the worker keeps the files that they were joined from
        self._manifests = manifests()

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self.home),
            web.get("/t/{table}", self.table),
            web.get(r"/replay/{table}/{round:\d+}", self.replay),
            web.get("/rules/{game}", self.game_rules),
            web.get("/learn/{game}", self.lesson),
            web.get("/record", self.record),
            web.get("/fairness", self.fair_deals),
            web.get("/offline", self.offline),
            web.get("/service-worker.js", self.worker),
            web.get("/manifest/{language}.webmanifest", self.manifest),
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
        return [web.get("/admin", self.host), web.get("/api/admin/text/{language}", self.admin_text)]

    async def home(self, request: web.Request) -> web.Response:
        language = visitor_language(request)
        return self._page(request, site_preview(language), "Gramy", LOBBY)

    async def host(self, request: web.Request) -> web.Response:
        return self._page(request, site_preview(visitor_language(request)), "Gramy", ADMIN)

    async def table(self, request: web.Request) -> web.Response:
        return await self._table_page(request, "{title} · Gramy", invitation=True)

    async def replay(self, request: web.Request) -> web.Response:
        return await self._table_page(request, say("replay_of", visitor_language(request), title="{title}"))

    async def _table_page(self, request: web.Request, tab: str, invitation: bool = False) -> web.Response:
        """Return the page of a table, or of a match that was played there; `tab` has a place for the game's title."""
        language, id = visitor_language(request), request.match_info["table"]
        try:
            state = (await self._lobby.find(id)).state
        except StoreUnavailable:  # the client says so, and tries again
            return self._page(request, site_preview(language), "Gramy", ANY_TABLE)
        except GramyError:
            return self.missing(request, "table_missing", "table_missing_about")
        game = state.game.name
        preview = table_preview(language, state) if invitation else game_preview(language, game)
        picture = f"table/{id}" if invitation else f"game/{game}"
        tables = TABLES if state.is_full else WAITING_TABLES
        needs = (tables if invitation else REPLAYS)[game]
        return self._page(request, preview, tab.replace("{title}", short_title(game, language)), needs, picture)

    async def game_rules(self, request: web.Request) -> web.Response:
        return self._game_page(request, f"{say('rules', visitor_language(request))} · {{title}}", TEXT)

    async def lesson(self, request: web.Request) -> web.Response:
        tab = say("lesson_of", visitor_language(request), title="{title}")
        return self._game_page(request, tab, LESSONS.get(request.match_info["game"], NOTHING))

    def _game_page(self, request: web.Request, tab: str, needs: Needs) -> web.Response:
        language, game = visitor_language(request), request.match_info["game"]
        if game not in gramy.GAMES:
            return self.missing(request)
        title = tab.replace("{title}", short_title(game, language))
        return self._page(request, game_preview(language, game), title, needs, f"game/{game}")

    async def record(self, request: web.Request) -> web.Response:
        """Return the page that replays a record which the browser keeps."""
        language = visitor_language(request)
        return self._page(request, site_preview(language), f"{say('replay', language)} · Gramy", RECORD)

    async def fair_deals(self, request: web.Request) -> web.Response:
        language = visitor_language(request)
        return self._page(request, site_preview(language), f"{say('fairness', language)} · Gramy", TEXT)

    def missing(self, request: web.Request, key: str = "not_found_title", about: str = "not_found") -> web.Response:
        """Return the page for an address where nothing is."""
        language = visitor_language(request)
        title = say(key, language)
        page = self._render(
            request, site_preview(language), f"{title} · Gramy", NOTHING, notice=(title, say(about, language))
        )
        return web.Response(body=page.body, status=404, headers={"Content-Type": page.type})

    def _page(
        self, request: web.Request, preview: Preview, title: str, needs: Needs, picture: str = "gramy"
    ) -> web.Response:
        response = file_response(request, self._render(request, preview, title, needs, picture))
        response.headers.update({"Vary": "Accept-Encoding, Accept-Language", "Gramy-Version": self._version})
        return response

    def _render(
        self,
        request: web.Request,
        preview: Preview,
        title: str,
        needs: Needs,
        picture: str = "gramy",
        notice: tuple[str, str] | None = None,
    ) -> File:
        address = self._hosts.address(request.scheme, request.host)
        drawn = f"{address}/preview/{preview.language}/{picture}.png"
        return self._template.render(
            Document(preview, title, address + request.path, drawn, needs.game, self._preloads.links(needs), notice)
        )

    async def offline(self, request: web.Request) -> web.Response:
        """Return the page that the service worker keeps for when there is no connection."""
        return file_response(request, self._shell)

    async def worker(self, request: web.Request) -> web.Response:
        response = file_response(request, self._worker)
        response.headers["Content-Security-Policy"] = HEADERS["Content-Security-Policy"]
        return response

    async def manifest(self, request: web.Request) -> web.Response:
        return _file_in_language(request, self._manifests)

    async def static(self, request: web.Request) -> web.Response:
        if (found := self._files.get(request.match_info["path"])) is None:
            raise web.HTTPNotFound
        return file_response(request, found)

    async def icon(self, request: web.Request) -> web.Response:
        return file_response(request, self._files["icon.svg"])

    async def text(self, request: web.Request) -> web.Response:
        return _file_in_language(request, self._catalogues)

    async def room_text(self, request: web.Request) -> web.Response:
        return _file_in_language(request, self._room_texts)

    async def admin_text(self, request: web.Request) -> web.Response:
        return _file_in_language(request, self._admin_texts)

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
    return _fold(FIGURE.sub(_figure, _to_html(text.illustrated_page(game, language), language)))


@cache
def _fairness_page(language: str) -> str:
    """Return the page about fair deals as HTML."""
    return _to_html(text.fairness_page(language), language)


def _fold(page: str) -> str:
    """Return a rules page with its last parts folded: nobody needs them to begin, and the page is long on a phone."""
    *shown, options, decisions, here, examples = page.split("<h2>")
    folded = (part.partition("</h2>")[::2] for part in (options, decisions, here, examples))
    return "<h2>".join(shown) + "".join(
        f"<details><summary><h2>{title}</h2></summary>{rest}</details>" for title, rest in folded
    )


def _figure(found: re.Match[str]) -> str:
    """Return a figure whose cards the client draws: static/page/figures.js explains the notation."""
    return '<figure data-cards="{}"><figcaption>{}</figcaption></figure>'.format(*found.groups())


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


def _file_in_language(request: web.Request, files: Mapping[str, File]) -> web.Response:
    if (found := files.get(request.match_info["language"])) is None:
        raise web.HTTPNotFound
    return file_response(request, found)


def _catalogues(language: str, scopes: Iterable[str]) -> File:
    """Return texts that the client needs in a language, as one JSON file."""
    entries = {scope: bind_entries(text.catalogue(scope, language), language) for scope in scopes}
    return make_file(json.dumps(entries, ensure_ascii=False).encode(), "application/json")
