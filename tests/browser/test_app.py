"""The client as an app: manifest, service worker, the page without a connection, and the signs of the user's turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.accessibility import violations
from tests.browser.players import LIVE_CARD, edge, play_now
from tests.browser.server import Server
from tests.browser.test_multiplayer import open_duel
from tests.browser.users import BOT, Users, open_table, text_of, title

KEPT = """async () => {
  const names = await caches.keys();
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
}"""
MISSING = {
    **dict.fromkeys(("/nonsense", "/rules/xyz", "/learn/xyz"), "not_found_title"),
    "/t/nowhere": "table_missing",
    "/replay/nowhere/1": "replay_missing",
}
READY = "async () => { await navigator.serviceWorker.ready; return Boolean(navigator.serviceWorker.controller); }"


def installed(users: Users, path: str = "/") -> Page:
    """Open a page and wait until the service worker has kept the client."""
    page = users.open_page(path, service_workers="allow")
    page.wait_for_function(READY)
    return page


def test_chromium_finds_nothing_that_keeps_the_app_from_being_installed(users: Users) -> None:
    page = installed(users)
    wire = page.context.new_cdp_session(page)
    manifest = wire.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest/en.webmanifest")
    problems = [error["errorId"] for error in wire.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [problem for problem in problems if problem != "in-incognito"] == []  # a test's browser keeps nothing


def test_the_manifest_follows_the_language(users: Users) -> None:
    page = users.open_page("/", locale="pl")
    link = page.locator("link[rel=manifest]")
    expect(link).to_have_attribute("href", "/manifest/pl.webmanifest")
    page.get_by_label(text_of("language", "pl")).select_option("de")
    expect(link).to_have_attribute("href", "/manifest/de.webmanifest")
    expect(page.locator("link[rel=apple-touch-icon]")).to_have_attribute("href", "/static/icons/apple-touch-icon.png")


def test_the_worker_keeps_the_client_and_nothing_private(users: Users) -> None:
    page = installed(users)
    play_now(page, "gra").click()
    page.locator(".table-page").wait_for()
    page.goto("/rules/gra")
    page.locator("article h1").wait_for()
    kept = page.evaluate(KEPT)
    assert len(kept["names"]) == 1
    assert "/static/app.js" in kept["paths"]
    assert [path for path in kept["paths"] if path != "/offline" and not path.startswith("/static/")] == []


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_without_a_connection_the_lobby_says_so_offers_lessons_and_comes_back(users: Users, language: str) -> None:
    users.allow("ERR_INTERNET_DISCONNECTED|Failed to load resource")
    page = users.open_page("/", locale=language, service_workers="allow")
    page.wait_for_function(READY)
    page.locator(".game").first.wait_for()
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_have_text(text_of("no_network", language))
    assert violations(page) == []
    page.get_by_role("link", name=text_of("lesson_of", language, title=title("gra", language))).click()
    page.locator(".lesson-page, .table-page").first.wait_for()
    page.goto("/")
    expect(page.locator("h1")).to_have_text(text_of("no_network", language))
    page.context.set_offline(False)
    expect(page.locator("h1")).to_have_text(text_of("tagline", language))


def test_a_table_that_is_opened_without_a_connection_comes_back_by_itself(users: Users) -> None:
    users.allow("ERR_INTERNET_DISCONNECTED|Failed to load resource|WebSocket")
    page = installed(users)
    open_table(page, "quick-easy", [None, BOT])
    page.locator("[data-card]").first.wait_for()
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("main")).to_contain_text(text_of("reconnecting"))
    page.context.set_offline(False)
    page.locator("[data-card]").first.wait_for()


def test_an_outdated_client_is_never_served(users: Users) -> None:
    """The worker deletes what it has kept as soon as a page of another version arrives."""
    users.allow("ERR_|Failed to load resource")
    page = installed(users)
    assert len(page.evaluate(KEPT)["names"]) == 1

    def upgrade(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "Gramy-Version": "0" * 20})

    page.context.route("**/fairness", upgrade)
    page.goto("/fairness")
    page.locator("article").wait_for()  # its script has come
    page.wait_for_function("async () => (await caches.keys()).length === 0")
    page.context.set_offline(True)
    with pytest.raises(Error, match="net::ERR_"):
        page.goto("/")


def test_the_tab_and_the_badge_show_the_users_turn(users: Users) -> None:
    _, first, second = open_duel(users)
    icon = "link[rel=icon]"
    expect(first.locator(icon)).to_have_attribute("href", "/static/icon-turn.svg")
    expect(second.locator(icon)).to_have_attribute("href", "/static/icon.svg")
    expect(first).to_have_title(text_of("title_turn", title="Face to Face"))
    first.get_by_role("link", name=text_of("home")).click()
    expect(first.locator(icon)).to_have_attribute("href", "/static/icon.svg")


@pytest.fixture
def phone(users: Users) -> Page:
    """A phone that notes its badges and vibrations."""
    page = users.open_page(None, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page.add_init_script(
        "window.noted = [];"
        "Navigator.prototype.setAppBadge = async () => { noted.push('badge'); };"
        "Navigator.prototype.clearAppBadge = async () => { noted.push('no badge'); };"
        "Navigator.prototype.vibrate = (pattern) => noted.push(`buzz ${pattern}`);"
    )
    return page


@pytest.mark.parametrize("wanted", [True, False])
def test_a_phone_vibrates_on_a_move_if_the_user_wants_it(phone: Page, wanted: bool) -> None:
    phone.goto("/")
    phone.get_by_role("button", name=text_of("settings")).click()
    switch = phone.get_by_role("switch", name=text_of("haptics"))
    expect(switch).to_be_checked()
    if not wanted:
        switch.uncheck()
    phone.keyboard.press("Escape")
    open_table(phone, "face-to-face", [None, BOT])
    phone.locator(".table-page.my-turn").wait_for()
    card = phone.locator(LIVE_CARD).first
    card.click(position=edge(card))
    phone.locator(".pile.open").first.click()
    phone.locator("[data-button=undo][aria-disabled=false]").wait_for()
    if wanted:  # when the server has confirmed the move
        phone.wait_for_function("() => noted.includes('buzz 12')")
    expect(phone.locator("[data-pending]")).to_have_count(0)
    noted = phone.evaluate("noted")
    assert "badge" in noted
    assert ("buzz 12" in noted) == wanted


def test_the_share_sheet_gets_the_link(users: Users) -> None:
    page = users.open_page(None)
    page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'share', { value: async (what) => { window.shared = what; } });"
    )
    table = open_table(page, "gra", [None, None])
    page.get_by_role("button", name=text_of("share")).click()
    assert page.evaluate("window.shared.url") == f"{users.address}/t/{table}"
    assert violations(page, "light") == []


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_a_missing_page_leads_home(users: Users, subtests: pytest.Subtests, language: str) -> None:
    users.allow("404")
    page = users.open_page(None, locale=language)
    for path, key in MISSING.items():
        with subtests.test(path):
            page.goto(path)
            expect(page.locator("h1")).to_have_text(text_of(key, language))
            expect(page).to_have_title(f"{text_of(key, language)} · Gramy")
            assert page.locator("main").count() == 1
            page.locator("main").get_by_role("link", name=text_of("home", language)).click()
            expect(page.locator("h1")).to_have_text(text_of("tagline", language))


def test_a_page_without_scripts_says_what_is_missing(users: Users, server: Server) -> None:
    users.allow("404")
    page = users.open_page("/nonsense", java_script_enabled=False, locale="pl")
    expect(page.locator("h1")).to_have_text(text_of("not_found_title", "pl"))
    assert page.get_by_role("link", name=text_of("home", "pl")).get_attribute("href") == "/"
    assert server.address in page.url
