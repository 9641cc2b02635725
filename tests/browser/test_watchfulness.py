"""The watch over every other test works: what it looks for, it finds."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.access import violations
from tests.browser.serving import Server
from tests.browser.visitors import Visitors


def test_errors_breaches_of_the_policy_and_requests_elsewhere_do_not_go_unseen(
    browser: Browser, server: Server
) -> None:
    watched = Visitors(browser, server.address)
    page = watched.arrive("/")
    page.locator(".game").first.wait_for()
    assert watched.unexpected() == []
    page.evaluate("console.error('on purpose')")
    page.evaluate("setTimeout(() => { throw new Error('thrown on purpose') })")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.9/a.png' }))"
    )
    page.evaluate("document.body.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }))")
    page.wait_for_function("() => document.querySelector('body > style')")
    found = "\n".join(watched.unexpected())
    watched.close()
    assert "on purpose" in found
    assert "thrown on purpose" in found
    assert "Content Security Policy" in found
    assert "style-src" in found


def test_axe_finds_what_keeps_people_out(visitors: Visitors) -> None:
    page = visitors.arrive("/")
    page.locator(".game").first.wait_for()
    page.evaluate("document.querySelector('.game-picture').removeAttribute('alt')")
    page.evaluate("document.querySelector('.game button').removeAttribute('aria-label')")
    page.evaluate("document.querySelector('.game button').textContent = ''")
    page.evaluate("document.querySelector('.game h3').style.color = 'rgb(120 120 120 / .5)'")
    found = " ".join(violations(page, "dark"))
    assert "image-alt" in found
    assert "button-name" in found
    assert found.count("faint:") == 1
