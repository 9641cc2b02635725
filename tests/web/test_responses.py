"""Responses: headers, errors, metrics, and table ids."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gramy.table.lobby import ID_LETTERS
from gramy.web.responses import HEADERS, SUBRESOURCE_HEADERS
from tests.web.client import (
    BOT,
    TABLE,
    Visitor,
    check_server_works,
    on_shared_server,
    raw,
    serving,
    visiting,
)

NOWHERE = [
    b"/nowhere",
    b"/api",
    b"/api/games/",
    b"/api/text/xx",
    b"/api/text/../../secret",
    b"/api/tables/%00",
    b"/api/tables/%ED%A0%80",
    b"/api/tables/%FF%FE",
    b"/api/tables/" + b"x" * 5000,
    b"/api/tables/' OR 1=1 --".replace(b" ", b"%20"),
    b"/api/replay/nowhere/1",
    b"/api/record/nowhere/1",
    b"/api/rules/nowhere",
    b"/static/",
    b"/static/nowhere.js",
    b"/static/../app.py",
    b"/static/..%2fapp.py",
    b"/static/%2e%2e/app.py",
    b"/static/%2e%2e%2f%2e%2e%2ftext%2fen%2fcommon.toml",
    b"/static//etc/passwd",
    b"/static/%2fetc%2fpasswd",
    b"/static/..\\app.py",
    b"/static/index.html%00.js",
]


@pytest.mark.parametrize("path", NOWHERE, ids=lambda path: path[:40].decode())
@on_shared_server
async def test_an_unknown_path_gets_an_error_with_all_headers(ada: Visitor, path: bytes) -> None:
    answer = await raw(ada.address, b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 ")
    for name, value in HEADERS.items():
        assert f"{name}: {value}".encode() in head
    assert json.loads(body)["error"]["key"] in ("no_such_page", "no_such_table", "unknown_game")


@on_shared_server
async def test_every_response_has_the_headers_and_head_has_no_body(ada: Visitor) -> None:
    opened = await ada.open("gra", [None, BOT])
    table = opened["table"]
    paths = ["", f"t/{table}", f"replay/{table}/1", "rules/gra", "static/icon.svg", "favicon.ico", "api/games"]
    paths += ["api/text/pl", "api/rules/gra", "api/tables", f"api/tables/{table}", f"api/tables/{table}/qr.svg"]
    paths += [f"api/replay/{table}/1", f"api/record/{table}/1", "health", "metrics", f"ws/{table}", "nowhere"]
    for path in paths:
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            async with ada.session.request(method, ada.address + path) as response:
                assert HEADERS.items() <= dict(response.headers).items(), (method, path, response.status)
                assert response.status < 500
                assert method != "HEAD" or await response.read() == b""
                assert method in ("GET", "HEAD", "POST") or response.status in (404, 405)
    for path, headers in (("static/app.js", SUBRESOURCE_HEADERS), ("", HEADERS)):
        async with ada.session.get(ada.address + path) as response:
            tag = response.headers["ETag"]
        async with ada.session.get(ada.address + path, headers={"If-None-Match": tag}) as response:
            assert response.status == 304
            assert headers.items() <= dict(response.headers).items()


@pytest.mark.parametrize("path", ["static/app.js", "static/style/base.css", "static/font/figtree-latin.woff2"])
@on_shared_server
async def test_subresources_forbid_sniffing_and_other_origins(ada: Visitor, path: str) -> None:
    async with ada.session.get(ada.address + path) as response:
        assert response.status == 200
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert response.content_type in ("text/javascript", "text/css", "font/woff2")


def test_the_content_security_policy_allows_only_own_files() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    allowed = {word for name in policy if name.endswith("-src") for word in policy[name].split()}
    assert allowed <= {"'none'", "'self'", "data:"}
    assert policy["script-src"] == "'self'"


async def test_with_a_full_disk_the_error_has_headers_and_a_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:

        def pages(limit: str) -> Callable[[Any], Any]:
            return lambda file: file.execute(f"PRAGMA max_page_count={limit}").fetchone()

        store: Any = lobby.services.store
        await store.run(pages("1"))
        for number in range(40):
            async with ada.session.post(f"{address}api/tables", json={**TABLE, "name": f"Ada {number}"}) as response:
                if response.status == 201:
                    continue  # the last page still had room
                assert response.status in (500, 503)
                assert HEADERS.items() <= dict(response.headers).items()
                assert set((await response.json())["error"]) == {"key", "values", "game"}
                break
        else:
            pytest.fail("the disk is never full")
        await store.run(pages("1000000"))
        await check_server_works(ada)


@on_shared_server
async def test_metrics_name_no_table_and_no_person(ada: Visitor) -> None:
    opened = await ada.open("gra", [None, BOT], name="Grażyna77")
    client = await ada.sit(opened["table"], opened["token"])
    await client.do("rematch")
    for path in (
        f"t/{opened['table']}",
        f"api/tables/{opened['table']}",
        "t/wild",
        "nowhere/at/all",
        "static/x.js",
    ):
        await ada.get(path)
    await raw(ada.address, b"WILD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    _, page = await ada.get("metrics")
    for word in (opened["table"], opened["token"], "Grażyna77", "wild", "WILD", "at/all", "x.js", "127.0.0.1"):
        assert word not in page
    assert set(re.findall(r"(\w+)=\"", page)) <= {"method", "route", "status", "le", "part"}
    assert re.search(r"gramy_viewers [1-9]", page)


@on_shared_server
async def test_unknown_methods_do_not_become_metric_labels(ada: Visitor) -> None:
    rare = ("PROPFIND", "MKCOL", "REPORT", "SEARCH", "LOCK", "NOTIFY", "UNLINK", "REBIND", "ACL", "PURGE")
    for method in rare:
        await raw(ada.address, f"{method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    _, page = await ada.get("metrics")
    assert not set(re.findall(r'method="([^"]*)"', page)) & set(rare)


@on_shared_server
async def test_table_ids_cannot_be_guessed(ada: Visitor) -> None:
    opened = [await ada.open("gra", [None, BOT]) for _ in range(20)]
    names = {one["table"] for one in opened}
    assert len(names) == 20
    assert all(len(name) == 12 and set(name) <= set(ID_LETTERS) for name in names)
    assert len(set(ID_LETTERS)) ** 12 > 2**59
    for place in range(12):
        assert len({name[place] for name in names}) > 5  # every place is random: no counter, no clock
    assert len({one["token"] for one in opened}) == 20
    assert all(re.fullmatch(r"[\w-]{22}", one["token"]) for one in opened)  # 128 bits
    _, listed = await ada.get("api/tables")
    assert not names & {table["table"] for table in listed}
