"""The links in a page's head: every file that its modules import, and one file for their styles."""

from __future__ import annotations

import re

import gramy
from gramy.web.files import read_static
from gramy.web.preloads import LOBBY, NOTHING, PAGES, TABLES, WAITING_TABLES, Preloads, follow

SOURCES = {
    "app.js": 'import { a } from "./ui/a.js";\nimport "./b.js";\nconst later = () => import("./later.js");\n',
    "ui/a.js": 'import {\n  b,\n} from "../b.js";\nawait loadStyles(["./a.css", "../all.css"], import.meta.url);\n',
    "b.js": 'export { c } from "./c.js";\nawait loadStyles("./all.css", import.meta.url);\n',
    "c.js": "export const c = 1;\n",
    "later.js": "",
}


def hrefs(links: str, rel: str) -> list[str]:
    return re.findall(rf'<link rel="{rel}" href="/static/([^"]+)"', links)


def test_imports_are_followed_in_the_order_in_which_modules_run() -> None:
    assert follow(SOURCES, ["app.js"]) == (["c.js", "b.js", "ui/a.js", "app.js"], ["all.css", "ui/a.css"])


def test_every_import_of_the_client_is_found() -> None:
    sources = {path: file.body.decode() for path, file in read_static().items() if path.endswith(".js")}
    for path, source in sources.items():
        if path.startswith("vendor/"):
            continue
        named = [match[1] for match in re.finditer(r'(?:\bfrom|^import) "(\.[^"]+)"', source, re.MULTILINE)]
        found, _ = follow(dict.fromkeys(sources, "") | {path: source}, [path])
        assert len(found) == len(set(named)) + 1, path


def test_every_page_names_files_that_exist_and_each_once() -> None:
    files = read_static()
    preloads = Preloads(files)
    for needs in PAGES:
        named = re.findall(r'href="/static/([^"]+)"', preloads.links(needs))
        assert len(named) == len(set(named)), needs
        assert set(named) <= {*files, *preloads.styles}, needs


def test_a_table_names_the_files_of_its_own_board_only() -> None:
    preloads = Preloads(read_static())
    for game in gramy.GAMES:
        boards = [path for path in hrefs(preloads.links(TABLES[game]), "modulepreload") if path.startswith("games/")]
        assert f"games/{game}.js" in boards
        assert all(path.startswith(f"games/{game}") for path in boards)


def test_only_a_table_with_a_free_seat_names_the_invitation() -> None:
    preloads = Preloads(read_static())
    assert "table/invitation.js" in hrefs(preloads.links(WAITING_TABLES["gra"]), "modulepreload")
    assert "table/invitation.js" not in hrefs(preloads.links(TABLES["gra"]), "modulepreload")


def test_a_style_is_preloaded_only_as_part_of_the_joined_styles() -> None:
    """They are used by every visitor of the page; a style of its own may not be, and browsers warn about that."""
    preloads = Preloads(read_static())
    for needs in PAGES:
        styles = [path for path in hrefs(preloads.links(needs), "preload") if path.endswith(".css")]
        assert styles == ([f"joined/{needs.name}.css"] if needs.name else []), needs
    assert " style/room.css" in preloads.links(WAITING_TABLES["gra"])
    assert "style/room.css" not in preloads.links(TABLES["gra"])


def test_joined_styles_are_those_of_the_modules_in_their_order() -> None:
    files = read_static()
    preloads = Preloads(files)
    names = re.search(r'data-joined="([^"]+)"', preloads.links(TABLES["face-to-face"]))
    assert names
    joined = preloads.styles["joined/table-face-to-face.css"].body
    assert joined == b"\n".join(files[name].body for name in names[1].split(" "))
    assert b"url(" not in joined  # a relative address would have another base
    assert names[1].index("style/table.css") < names[1].index("games/face-to-face.css")


def test_a_page_without_modules_of_its_own_has_no_joined_styles() -> None:
    preloads = Preloads(read_static())
    assert "data-joined" not in preloads.links(NOTHING)
    assert "lobby/lobby.js" in hrefs(preloads.links(LOBBY), "modulepreload")
