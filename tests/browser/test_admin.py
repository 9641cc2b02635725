"""The host's page in a browser: logging in, acting on a report, and what players see of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import violations
from tests.browser.server import Server
from tests.browser.users import BOT, PHONE, Users, join, open_table, text_of

TOKEN = "t0ken-of-the-host-0123456789abcdef"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with an admin page. Its log has the host's actions and nothing else."""
    (tmp_path / "token").write_text(TOKEN)
    with Server(tmp_path / "data", "--quick", "--admin-token-file", str(tmp_path / "token")) as server:
        yield server
    assert {json.loads(line)["event"] for line in server.logged().splitlines()} == {"the host acted"}


@pytest.fixture
def users(browser: Browser, server: Server) -> Iterator[Users]:
    users = Users(browser, server.address)
    users.allow("401|403")  # the page asks whether the host is logged in; a banned visitor is refused
    yield users
    users.close()
    assert users.unexpected() == []


def words(key: str, language: str = "en", **values: str) -> str:
    return text_of(key, language, "admin", **values)


def log_in(page: Page, language: str = "en") -> None:
    page.goto("/admin")
    page.get_by_label(words("token", language)).fill(TOKEN)
    page.get_by_role("button", name=words("log_in", language)).click()
    page.locator(".admin-facts").wait_for()


def fits(page: Page) -> bool:
    """Return whether nothing is wider than the screen."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


def test_a_host_acts_on_a_report_and_players_see_it(users: Users) -> None:
    ada, bob, host = users.open_page(None), users.open_page(None), users.open_page(None, viewport=PHONE)
    table = open_table(ada, "face-to-face", [None, None], name="A rude name")
    join(bob, table)
    bob.goto(f"/t/{table}")
    bob.locator("[data-card]").first.wait_for()
    assert bob.request.post(f"/api/tables/{table}/report", data={"seat": 0}).ok

    host.goto("/admin")
    host.get_by_label(words("token")).wait_for()
    assert violations(host) == []
    log_in(host)
    assert fits(host)
    assert violations(host) == []

    host.get_by_role("button", name=f"{words('remove_name')}: A rude name").click()
    expect(bob.locator(".table-page")).to_contain_text(text_of("nameless", number=1))
    expect(bob.get_by_text("A rude name")).to_have_count(0)

    host.get_by_role("textbox", name="English").fill("Tournament at eight")
    host.get_by_role("textbox", name="Polski").fill("Turniej o ósmej")
    host.get_by_role("button", name=words("announce"), exact=True).click()
    expect(bob.locator(".notices")).to_contain_text("Tournament at eight")
    lobby = users.open_page("/", locale="pl-PL")
    expect(lobby.locator(".notices")).to_contain_text("Turniej o ósmej")
    assert violations(lobby) == []

    host.get_by_role("button", name=f"{words('actions')}: {text_of('nameless', number=1)}").click()
    host.get_by_role("dialog").get_by_label(words("reason")).fill("a rude name")
    assert violations(host) == []
    host.get_by_role("dialog").get_by_role("button", name=words("ban"), exact=True).click()
    expect(ada.get_by_role("heading")).to_contain_text("a rude name")
    assert violations(ada) == []
    ada.goto("/")
    expect(ada.locator("p[lang=de]")).to_contain_text("gesperrt")
    assert violations(ada) == []
    expect(host.locator("#audit ~ ol")).to_contain_text(words("action", action="ban"))


def test_the_host_page_fits_a_phone_in_every_language(users: Users) -> None:
    open_table(users.open_page(None), "gra", [None, BOT])
    for language in ("pl", "de"):
        host = users.open_page(None, viewport=PHONE, locale=language)
        log_in(host, language)
        assert fits(host)
        host.get_by_role("button", name=words("close_table", language)).first.click()
        host.get_by_role("dialog").wait_for()
        assert fits(host)
