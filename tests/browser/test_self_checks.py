"""The checks that all browser tests rely on find what they look for."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.accessibility import violations
from tests.browser.server import Server
from tests.browser.users import Users


def test_errors_policy_breaches_and_requests_to_other_hosts_are_found(browser: Browser, server: Server) -> None:
    checked = Users(browser, server.address)
    page = checked.open_page("/")
    page.locator(".game").first.wait_for()
    assert checked.unexpected() == []
    page.evaluate("console.error('on purpose')")
    page.evaluate("setTimeout(() => { throw new Error('thrown on purpose') })")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.9/a.png' }))"
    )
    page.evaluate("document.body.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }))")
    page.wait_for_function("() => document.querySelector('body > style')")
    found = "\n".join(checked.unexpected())
    checked.close()
    assert "on purpose" in found
    assert "thrown on purpose" in found
    assert "Content Security Policy" in found
    assert "style-src" in found


def test_axe_and_the_contrast_check_find_violations(users: Users) -> None:
    page = users.open_page("/")
    page.locator(".game").first.wait_for()
    page.evaluate("document.querySelector('.game-picture').removeAttribute('alt')")
    page.evaluate("document.querySelector('.game button').removeAttribute('aria-label')")
    page.evaluate("document.querySelector('.game button').textContent = ''")
    page.evaluate("document.querySelector('.game h3').style.color = 'rgb(120 120 120 / .5)'")
    found = " ".join(violations(page, "dark"))
    assert "image-alt" in found
    assert "button-name" in found
    assert found.count("low contrast:") == 1
