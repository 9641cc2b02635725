"""A connection that is dead without being closed: the page notices it, says so and connects again."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from tests.browser.proxy import Proxy
from tests.browser.server import Server
from tests.browser.users import PHONE, Users, open_table, text_of

DEADLINE = 15.0  # seconds


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with Proxy(server.address) as proxy:
        yield proxy


@pytest.fixture
def users(browser: Browser, proxy: Proxy) -> Iterator[Users]:
    users = Users(browser, proxy.address)
    yield users
    users.close()
    assert users.unexpected() == []


@pytest.mark.parametrize("language", ["pl"])
def test_a_waiting_page_notices_a_dead_connection_and_connects_again(
    users: Users, proxy: Proxy, language: str, figures: list[str]
) -> None:
    page = users.open_page(None, viewport=PHONE, locale=language)
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    open_table(page, "face-to-face", [None, None])
    expect(page.get_by_role("heading", name=text_of("waiting_title", language))).to_be_visible()
    assert len(sockets) == 1

    proxy.freeze()
    began = time.monotonic()
    banner = page.get_by_role("status").get_by_text(text_of("reconnecting", language))
    expect(banner).to_be_visible(timeout=1000 * DEADLINE)
    said = time.monotonic() - began
    page.wait_for_function(
        "sentence => document.getElementById('announcements').textContent.includes(sentence)",
        arg=text_of("reconnected", language),
        timeout=1000 * (DEADLINE - said),
    )
    took = time.monotonic() - began
    expect(banner).to_have_count(0)
    assert len(sockets) == 2
    assert took < DEADLINE
    figures.append(f"dead connection: said after {said:.1f} s, connected again after {took:.1f} s")


def test_a_page_that_is_shown_again_checks_its_connection_at_once(users: Users) -> None:
    page = users.open_page(None)
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(text)))
    open_table(page, "face-to-face", [None, None])
    expect(page.get_by_role("heading", name=text_of("waiting_title"))).to_be_visible()
    for visible, ping in (("hidden", "check"), ("visible", "ping")):
        sent.clear()
        page.evaluate(
            """visibility => {
                Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            visible,
        )
        deadline = time.monotonic() + 2
        while ping not in sent and time.monotonic() < deadline:
            page.wait_for_timeout(20)
        assert ping in sent
