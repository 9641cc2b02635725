"""The files that a page needs, as links in its head, so that a browser asks for all of them at once.

Without these links a browser finds a module only when it has read the one that imports it. The server follows the
imports instead. It also joins the styles of a page: over HTTP/1.1 a browser has six connections, and every file
occupies one of them for a round trip.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import dirname, join, normpath
from typing import NamedTuple

import gramy
from gramy.web.files import File, make_file

APP = "app.js"
"""The module that starts the client."""
IN_TEMPLATE = frozenset({APP, "vendor/preact.js"})
"""Modules that index.html names itself: the first as a script, the library with its hash."""
IMPORT = re.compile(r'^(?:(?:import|export) |\} from )(?:[^"\n]* from )?"(\.[^"]+\.js)";', re.MULTILINE)
"""A static import, as our formatter writes it: on one line, or the last of its lines. `import()` is not one."""
STYLE = re.compile(r'"(\.[^"]+\.css)"')
"""A style that a module loads."""


class Needs(NamedTuple):
    """What a page needs besides the files that all pages need."""

    name: str = ""  # of its joined styles
    game: str = ""  # whose board it shows
    modules: tuple[str, ...] = ()
    data: tuple[str, ...] = ()  # addresses that it fetches
    images: tuple[str, ...] = ()


NOTHING = Needs()
LOBBY = Needs(
    "lobby",
    modules=("lobby/lobby.js",),
    data=("/api/games",),
    images=tuple(f"pictures/{game}.svg" for game in gramy.GAMES),
)
TEXT = Needs("text", modules=("rules.js",))
RECORD = Needs("record", modules=("record.js",))
ADMIN = Needs("admin", modules=("admin/admin.js",))
ANY_TABLE = Needs("table", modules=("table/table.js",))
"""A table whose game the server cannot look up now."""
TABLES = {game: Needs(f"table-{game}", game, ("table/table.js", f"games/{game}.js")) for game in gramy.GAMES}
WAITING_TABLES = {
    game: Needs(f"waiting-{game}", game, (*needs.modules, "table/invitation.js")) for game, needs in TABLES.items()
}
REPLAYS = {game: Needs(f"replay-{game}", game, ("replay.js", f"games/{game}.js")) for game in gramy.GAMES}
LESSONS = {game: Needs(f"lesson-{game}", game, ("lesson.js", f"games/{game}.js")) for game in gramy.GAMES}
OF_GAMES = (TABLES, WAITING_TABLES, REPLAYS, LESSONS)
PAGES = (NOTHING, LOBBY, TEXT, RECORD, ADMIN, ANY_TABLE, *(needs for kind in OF_GAMES for needs in kind.values()))


class Preloads:
    """The links of each kind of page, and the joined styles that they name."""

    def __init__(self, files: Mapping[str, File]) -> None:
        self._sources = {path: file.body.decode() for path, file in files.items() if path.endswith((".js", ".css"))}
        self.styles: dict[str, File] = {}
        self._links = {needs: "\n    ".join(self._tags(needs)) for needs in PAGES}

    def links(self, needs: Needs) -> str:
        """Return the links for the head of a page."""
        return self._links[needs]

    def _tags(self, needs: Needs) -> list[str]:
        modules, styles = follow(self._sources, (APP, *needs.modules))
        tags = [self._join(needs.name, styles)] if styles else []
        # The first paint needs the styles of all pages and the font, but no module.
        others = (path for path in modules if path not in IN_TEMPLATE)
        tags += [_link("modulepreload", f"/static/{path}", 'fetchpriority="low"') for path in others]
        tags += [_link("preload", address, 'as="fetch" crossorigin') for address in needs.data]
        tags += [_link("preload", f"/static/{path}", 'as="image"') for path in needs.images]
        return tags

    def _join(self, name: str, styles: list[str]) -> str:
        """Join styles into one file; return its link, which says what is in it to ui/styles.js."""
        path = f"joined/{name}.css"
        self.styles[path] = make_file(
            "\n".join(map(self._sources.__getitem__, styles)).encode(), "text/css; charset=utf-8"
        )
        return _link("preload", f"/static/{path}", f'as="style" data-joined="{" ".join(styles)}"')


def follow(sources: Mapping[str, str], modules: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return these modules and all that they import, and the styles of all, in the order in which they are run."""
    found: list[str] = []
    styles: list[str] = []
    seen: set[str] = set()

    def visit(module: str) -> None:
        if module in seen:
            return
        seen.add(module)
        source = sources[module]
        for path in IMPORT.findall(source):
            visit(_resolve(module, path))
        found.append(module)
        styles.extend(_resolve(module, path) for path in STYLE.findall(source))

    for module in modules:
        visit(module)
    return found, list(dict.fromkeys(styles))


def _resolve(module: str, path: str) -> str:
    """Return the path of a file that a module names relative to itself."""
    return normpath(join(dirname(module), path))


def _link(rel: str, href: str, more: str = "") -> str:
    return f'<link rel="{rel}" href="{href}" {more}'.rstrip() + " />"
