"""Pages before any script runs: language, titles, link previews, missing pages, and the files of the installed app."""

from __future__ import annotations

import html
import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from gramy import text
from gramy.web.documents import PICTURE_SIZE, Preview
from gramy.web.hosts import Hosts, is_this_machine
from gramy.web.languages import accepted_language
from gramy.web.limits import Limits
from gramy.web.picture import can_write, draw
from gramy.web.previews import NAMED_LIFETIME
from tests.web.client import BOT, Visitor, on_shared_server, serving, visiting

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


async def page_of(ada: Visitor, path: str, language: str = "en") -> tuple[int, str]:
    return await ada.get(path, headers={**BROWSER, "Accept-Language": language})


def tags(page: str) -> dict[str, str]:
    """Return the meta tags of a page by name or property."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: html.unescape(content) for name, content in found}


def title(page: str) -> str:
    found = re.search("<title>(.*?)</title>", page)
    assert found
    return html.unescape(found[1])


# --- the visitor's language ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("pl", "pl"),
        ("pl-PL,pl;q=0.9,en;q=0.8", "pl"),
        ("fr-FR,fr;q=0.9,de;q=0.5,en;q=0.2", "de"),
        ("en;q=0.3, DE-at;q=0.7", "de"),
        ("fr, ja", "en"),
        ("de;q=0, pl;q=0.1", "pl"),
        ("de;q=0", "en"),
        ("de;q=x, pl;q=9, ;;,", "en"),
        (",".join(["fr"] * 30 + ["pl"]), "en"),
    ],
)
def test_the_language_is_the_one_that_the_browser_likes_best(header: str, language: str) -> None:
    assert accepted_language(header) == language


# --- missing pages -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", text.LANGUAGES)
@pytest.mark.parametrize("path", ["nonsense", "rules/xyz", "learn/xyz", "no/such/page", "replay/x/y", "t/nowhere"])
@on_shared_server
async def test_a_missing_page_is_a_page_with_a_way_home(ada: Visitor, path: str, language: str) -> None:
    status, page = await page_of(ada, path, language)
    assert status == 404
    assert f'<html lang="{language}"' in page
    words = text.catalogue("web", language)
    heading = words["table_missing" if path == "t/nowhere" else "not_found_title"]
    assert f"<h1>{heading}</h1>" in page.replace("\u00a0", " ")
    assert title(page).replace("\u00a0", " ") == f"{heading} · Gramy"
    assert f'href="/">{words["home"]}</a>' in page.replace("\u00a0", " ")


@pytest.mark.parametrize("path", ["api/nonsense", "api/rules/xyz", "static/nowhere.js", "preview/xx/gramy.png"])
@on_shared_server
async def test_the_api_answers_in_json_even_to_a_browser(ada: Visitor, path: str) -> None:
    status, error = await ada.get(path, headers=BROWSER)
    assert status == 404
    assert error["error"]["key"] in ("no_such_page", "unknown_game")


@on_shared_server
async def test_a_client_that_asks_for_no_page_gets_json(ada: Visitor) -> None:
    for path in ("nonsense", "no/such/page"):
        status, error = await ada.get(path, headers={"Accept": "application/json"})
        assert (status, error["error"]["key"]) == (404, "no_such_page")


# --- link previews -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", text.LANGUAGES)
@on_shared_server
async def test_the_lobby_describes_itself_in_the_visitors_language(ada: Visitor, language: str) -> None:
    status, page = await page_of(ada, "", language)
    found = tags(page)
    assert status == 200
    assert title(page) == "Gramy"
    assert found["description"].replace("\u00a0", " ") == text.catalogue("web", language)["tagline"]
    assert found["og:locale"].startswith(language)
    assert found["og:url"] == ada.address
    assert found["og:image"] == f"{ada.address}preview/{language}/gramy.png"
    assert f'<link rel="manifest" href="/manifest/{language}.webmanifest" />' in page


@on_shared_server
async def test_a_game_page_has_a_true_title_and_its_own_picture(ada: Visitor) -> None:
    _, page = await page_of(ada, "rules/quick-easy", "pl")
    assert title(page) == "Zasady · Quick & Easy"
    assert tags(page)["og:image"].endswith("/preview/pl/game/quick-easy.png")
    _, page = await page_of(ada, "learn/gra", "de")
    assert title(page) == "Lektion · GRA"


@on_shared_server
async def test_an_invitation_names_the_game_who_invites_and_the_variants(ada: Visitor) -> None:
    opened = await ada.open(
        "gra",
        [None, None, BOT],
        name='Zoë <"&',
        options={"players": "3", "jokers": "on", "bid_order": "quantity_first"},
    )
    _, page = await page_of(ada, f"t/{opened['table']}", "en")
    found = tags(page)
    assert found["og:title"] == 'Zoë <"& invites you to GRA'
    for words in ("3 players", "Jokers", "Bid order: quantity first"):
        assert words in found["og:description"]
    assert 'Zoë <"' not in page  # escaped
    status, _ = await ada.get(found["og:image"].removeprefix(ada.address).replace("/table/", "/game/"))
    assert status == 404
    async with ada.session.get(found["og:image"]) as response:
        assert (response.status, response.content_type) == (200, "image/png")
        assert response.headers["Cache-Control"] == "no-store"
        picture = Image.open(io.BytesIO(await response.read()))
    assert picture.size == PICTURE_SIZE == (1200, 630)
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")


@on_shared_server
async def test_a_preview_names_nobody_but_who_invites_and_nobody_once_the_match_is_on(ada: Visitor) -> None:
    opened = await ada.open("quick-easy", [None, None, None], name="Grażyna", options={"players": "3"})
    table = opened["table"]
    async with visiting(ada.address) as bob:
        await bob.join(table, "Bogumił")
        _, page = await page_of(ada, f"t/{table}", "pl")
        assert "Grażyna" in page
        assert "Bogumił" not in page
        async with visiting(ada.address) as eve:
            await eve.join(table, "Ewa")
            client = await ada.sit(table, opened["token"])
            await client.until(lambda now: now["table"]["status"] == "playing")
        for path in (f"t/{table}", f"replay/{table}/1"):
            status, page = await page_of(ada, path, "pl")
            assert status == 200
            assert not re.search("Grażyna|Bogumił|Ewa", page)
            assert tags(page)["og:title"] == "Quick & Easy"


@pytest.mark.parametrize("path", ["gramy", "game/gra", "game/quick-easy", "game/face-to-face"])
@pytest.mark.parametrize("language", text.LANGUAGES)
@on_shared_server
async def test_pictures_of_the_site_and_of_games_exist_in_every_language(
    ada: Visitor, path: str, language: str
) -> None:
    async with ada.session.get(f"{ada.address}preview/{language}/{path}.png") as response:
        body = await response.read()
        assert response.status == 200
    assert Image.open(io.BytesIO(body)).size == PICTURE_SIZE
    assert len(body) < 300_000  # some chats show no larger ones


@on_shared_server
async def test_a_preview_of_nothing_is_not_found(ada: Visitor) -> None:
    for path in ("xx/gramy", "en/game/nowhere", "en/table/nowhere", "en/table/%00", "en/nowhere"):
        status, error = await ada.get(f"preview/{path}.png")
        assert status == 404, path
        assert "error" in error


async def test_pictures_are_limited_but_one_that_is_kept_costs_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=Limits(replays_a_minute=2)) as (address, _), visiting(address) as ada:
        for _ in range(5):
            assert (await ada.session.get(f"{address}preview/en/gramy.png")).status == 200
        statuses = [
            (await ada.session.get(f"{address}preview/{path}.png")).status
            for path in ("pl/gramy", "de/gramy", "de/game/gra")
        ]
        assert statuses == [200, 429, 429]


async def test_a_forgotten_name_is_in_no_kept_picture(tmp_path: Path) -> None:
    async with serving(tmp_path) as (address, lobby), visiting(address) as ada:
        table = (await ada.open("gra", [None, None], name="Grażyna"))["table"]
        path = f"preview/pl/table/{table}.png"
        async with ada.session.get(address + path) as response:
            named = await response.read()
        assert (await ada.session.delete(f"{address}api/guest")).status == 204
        async with ada.session.get(address + path) as response:
            assert response.status == 200
            assert await response.read() != named
        assert len(lobby.forget_listeners) >= 2
    assert NAMED_LIFETIME <= 5  # as docs/privacy.md says of other servers


def test_the_picture_leaves_out_a_name_that_the_font_cannot_write() -> None:
    assert can_write("Małgorzata Żółć – “Zoë”…")
    assert not can_write("Ада")
    assert not can_write("Ada 🎉")
    nameless = Preview("en", "An invitation to GRA", "", "gra", ("2 players",), "An invitation to GRA")
    cyrillic = nameless._replace(title="Ада invites you to GRA")
    assert draw(cyrillic) == draw(nameless)
    assert draw(nameless._replace(title="Ada invites you to GRA")) != draw(nameless)


@pytest.mark.parametrize("name", ["W" * 24, "a b c d e f g h i j k l m", "i"])
def test_the_longest_title_fits_beside_the_cards(name: str) -> None:
    chips = ("6 players", "Jokers", "Directions", "Fewer cards", "Longer game", "Bid order: quantity first")
    picture = Image.open(io.BytesIO(draw(Preview("en", f"{name} invites you to Quick & Easy", "", "gra", chips, "x"))))
    gap = picture.crop((562, 0, 578, 630))  # between the words and the panel with the cards
    assert gap.getcolors() == [(16 * 630, (20, 21, 29))]


# --- the installed app ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", text.LANGUAGES)
@on_shared_server
async def test_each_language_has_a_manifest_whose_icons_exist(ada: Visitor, language: str) -> None:
    async with ada.session.get(f"{ada.address}manifest/{language}.webmanifest") as response:
        assert response.content_type == "application/manifest+json"
        manifest = json.loads(await response.read())
    assert manifest["lang"] == language
    assert manifest["description"].replace("\u00a0", " ") == text.catalogue("web", language)["tagline"]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"] if icon["type"] == "image/png"}
    for icon in manifest["icons"]:
        async with ada.session.get(ada.address + icon["src"].removeprefix("/")) as response:
            assert (response.status, response.content_type) == (200, icon["type"])
            if icon["type"] == "image/png":
                size = Image.open(io.BytesIO(await response.read())).size
                assert "x".join(map(str, size)) == icon["sizes"]
    assert (await ada.get("manifest/xx.webmanifest"))[0] == 404


@on_shared_server
async def test_the_worker_names_each_file_with_its_hash_and_nothing_private(ada: Visitor) -> None:
    async with ada.session.get(f"{ada.address}service-worker.js") as response:
        assert response.content_type == "text/javascript"
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        source = await response.text()
    async with ada.session.get(ada.address) as response:
        version = response.headers["Gramy-Version"]
    assert f'const VERSION = "{version}";' in source
    found = re.search(r"const FILES = (\{.*\});", source)
    assert found
    files = json.loads(found[1])
    assert {"/offline", "/static/app.js", "/static/text/pl.json", "/static/lessons/gra.json"} <= set(files)
    assert all(path == "/offline" or path.startswith("/static/") for path in files)
    assert not [path for path in files if "admin" in path]
    for path, etag in files.items():
        async with ada.session.get(ada.address + path.removeprefix("/")) as response:
            assert (response.status, response.headers["ETag"]) == (200, etag), path
            assert "Set-Cookie" not in response.headers


# --- the address that others can open --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost:8484", "http://192.168.1.5:8484"),
        ("localhost", "http://192.168.1.5"),
        ("127.0.0.1:80", "http://192.168.1.5:80"),
        ("[::1]:8484", "http://192.168.1.5:8484"),
        ("[::1]", "http://192.168.1.5"),
        ("family.test:8484", "http://family.test:8484"),
        ("192.168.1.7:8484", "http://192.168.1.7:8484"),
    ],
)
def test_a_server_in_the_home_network_invites_by_its_address_there(host: str, address: str) -> None:
    assert Hosts(in_network=lambda: "192.168.1.5").address("http", host) == address
    assert Hosts().address("http", host) == f"http://{host}"
    assert Hosts(in_network=lambda: None).address("http", host) == f"http://{host}"
    assert Hosts(["https://cards.test"], lambda: "192.168.1.5").address("http", "cards.test") == "https://cards.test"
    assert is_this_machine(host) == (not host.startswith(("family", "192")))


@on_shared_server
async def test_a_local_server_says_that_only_this_machine_can_open_it(ada: Visitor) -> None:
    assert await ada.get("api/address") == (200, {"address": ada.address.rstrip("/"), "only_here": True})
    status, found = await ada.get("api/address", headers={"Host": "family.test:80"})
    assert (status, found) == (200, {"address": "http://family.test:80", "only_here": False})
