"""A browser does not run a vendored library that differs from the one whose hash is in the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.server import Server


@pytest.mark.parametrize("changed", [False, True])
def test_a_library_that_was_changed_on_its_way_does_not_run(browser: Browser, server: Server, changed: bool) -> None:
    page = browser.new_page(base_url=server.address)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)

    def pass_on(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + ("globalThis.evil = 1;\n" if changed else ""))

    page.route("**/vendor/preact.js", pass_on)
    with page.expect_response("**/vendor/preact.js"):
        page.goto("/")
    if changed:
        assert page.evaluate("globalThis.evil") is None
        expect(page.locator(".game")).to_have_count(0)
        assert any("integrity" in error for error in errors)
    else:
        expect(page.locator(".game")).to_have_count(3)
        assert errors == []
    page.close()
