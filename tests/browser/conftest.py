"""Fixtures: one browser for the folder, one server for each module, and a check for errors in every page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.server import BROWSER_ARGUMENTS, NO_BROWSER, Server, browser_path
from tests.browser.users import TIMEOUT, Users

FIGURES: list[str] = []
expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. Without it the tests are skipped, or fail if GRAMY_BROWSER=required."""
    path = browser_path()
    if path is None and os.environ.get("GRAMY_BROWSER") == "required":
        pytest.fail(NO_BROWSER)
    if path is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots do not pause. A module may add options by `FLAGS`."""
    flags = getattr(request.module, "FLAGS", ())
    with Server(tmp_path_factory.mktemp("server"), "--quick", *flags) as server:
        yield server
    assert server.logged() == ""


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test: several users from one address would exceed the limits of a shared one."""
    with Server(tmp_path, "--quick") as server:
        yield server
    assert server.logged() == ""


@pytest.fixture
def users(browser: Browser, server: Server) -> Iterator[Users]:
    """The users of one test. Fails on console errors, breaches of the content policy and requests to other hosts."""
    users = Users(browser, server.address)
    yield users
    users.close()
    assert users.unexpected() == []


@pytest.fixture
def figures() -> list[str]:
    """Lines with measurements, shown at the end of the run."""
    return FIGURES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FIGURES:
        terminalreporter.section("measured in the browser")
        terminalreporter.write_line("\n".join(FIGURES))
