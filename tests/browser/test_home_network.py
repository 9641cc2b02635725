"""A server at home: plain http, by a name that is not localhost. Browsers offer less there, and the pages say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import violations
from tests.browser.players import play_now
from tests.browser.server import HOME_NAME, Server
from tests.browser.users import BOT, Users, finish, text_of

OPEN = """async ([game, seats]) => {
  const body = JSON.stringify({ game, seats, name: 'Ada', options: { players: String(seats.length) } });
  const answer = await fetch('/api/tables', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return (await answer.json()).table;
}"""
ADD_FIELD = """() => {
  const place = document.querySelector('dialog[open]') ?? document.body;
  const field = place.appendChild(document.createElement('textarea'));
  field.id = 'paste';
  field.focus();
}"""
SELECTED = (
    "() => { const { value, selectionStart: a, selectionEnd: b } = document.activeElement; return value.slice(a, b); }"
)


@pytest.fixture
def home_users(browser: Browser, server: Server) -> Iterator[Users]:
    """Users who reach the server by a name in the home network."""
    users = Users(browser, server.address.replace("localhost", HOME_NAME))
    users.allow("Cross-Origin-Opener-Policy")  # browsers warn that plain http has none
    yield users
    users.close()
    assert users.unexpected() == []


def sit_down(page: Page, game: str, *seats: dict[str, str] | None) -> str:
    """Open a table from within the page, because only the browser knows the name; go there."""
    table: str = page.evaluate(OPEN, [game, list(seats)])
    page.goto(f"/t/{table}")
    return table


def copied(page: Page) -> str:
    """Press Copy in the page; return what the clipboard has then."""
    page.locator(".link-row .button").first.click()
    expect(page.locator(".link-row .button").first).to_have_text(text_of("copied"))
    expect(page.locator("#announcements")).to_have_text(text_of("copied"))
    page.evaluate(ADD_FIELD)
    page.keyboard.press("Control+V")
    return page.locator("#paste").input_value()


def test_the_page_is_as_insecure_as_at_home(home_users: Users) -> None:
    page = home_users.open_page("/")
    play_now(page, "gra").wait_for()
    assert page.evaluate("[isSecureContext, 'clipboard' in navigator, 'serviceWorker' in navigator]") == [False] * 3


def test_the_invitation_is_copied_and_names_no_flag(home_users: Users) -> None:
    page = home_users.open_page("/")
    table = sit_down(page, "gra", None, None)
    page.get_by_label(text_of("invite"), exact=True).wait_for()
    assert page.get_by_text("HOST=0.0.0.0").count() == 0
    assert copied(page) == f"{home_users.address}/t/{table}"


def test_the_link_of_the_seat_is_copied(home_users: Users) -> None:
    page = home_users.open_page("/")
    play_now(page, "face-to-face").click()  # the client keeps the seat's token
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    page.get_by_label(text_of("other_device")).wait_for()
    link = page.get_by_label(text_of("other_device")).input_value()
    assert link.startswith(f"{page.url}#seat=")
    assert copied(page) == link


def test_the_link_of_the_replay_is_copied(home_users: Users) -> None:
    page = home_users.open_page("/")
    table = sit_down(page, "gra", None, BOT)
    page.locator(".table-page").wait_for()
    finish(page, table)
    page.goto(f"/replay/{table}/1")
    page.get_by_role("button", name=text_of("copy_link")).click()
    assert copied(page) == f"{home_users.address}/replay/{table}/1"


def test_where_copying_is_forbidden_the_link_is_selected_and_the_page_says_so(home_users: Users) -> None:
    page = home_users.open_page("/")
    table = sit_down(page, "gra", None, None)
    page.locator(".link-row").wait_for()
    page.evaluate("document.execCommand = () => false")  # as a browser with a strict policy does
    page.locator(".link-row .button").first.click()
    expect(page.locator(".link-state")).to_have_text(text_of("copy_selected"))
    assert page.evaluate(SELECTED) == f"{home_users.address}/t/{table}"
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_the_settings_say_that_plain_http_has_no_notifications(home_users: Users, language: str) -> None:
    page = home_users.open_page("/", locale=language)
    page.get_by_role("button", name=text_of("settings", language)).click()
    switch = page.get_by_role("switch", name=text_of("notify", language))
    expect(switch).to_be_disabled()
    expect(page.locator(".switch-row", has=switch)).to_contain_text(text_of("notify_insecure", language))
    assert violations(page, "light") == []
