"""One browser for the folder, one server for each module, and nobody's error goes unseen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.serving import ARGUMENTS, NO_BROWSER, Server, browser_path
from tests.browser.visitors import PATIENCE, Visitors

FIGURES: list[str] = []
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. Without one the tests are skipped, and say how to get it, unless GRAMY_BROWSER=required."""
    path = browser_path()
    if path is None and os.environ.get("GRAMY_BROWSER") == "required":
        pytest.fail(NO_BROWSER)
    if path is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots do not pause; a module may ask for more by `FLAGS`."""
    flags = getattr(request.module, "FLAGS", ())
    with Server(tmp_path_factory.mktemp("server"), "--quick", *flags) as server:
        yield server
    assert server.logged() == ""


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, where several people come: more from one address than a server takes in a few seconds."""
    with Server(tmp_path, "--quick") as server:
        yield server
    assert server.logged() == ""


@pytest.fixture
def visitors(browser: Browser, server: Server) -> Iterator[Visitors]:
    """Those who come in one test. No error in any console, nothing against the policy, no request to another place."""
    visitors = Visitors(browser, server.address)
    yield visitors
    visitors.close()
    assert visitors.unexpected() == []


@pytest.fixture
def figures() -> list[str]:
    """What was measured: shown at the end of the run."""
    return FIGURES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FIGURES:
        terminalreporter.section("measured in the browser")
        terminalreporter.write_line("\n".join(FIGURES))
