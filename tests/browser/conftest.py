"""Fixtures: one browser and one server for the folder, and a check for errors in every page."""

from __future__ import annotations

import os
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.server import BROWSER_ARGUMENTS, NO_BROWSER, Server, browser_path
from tests.browser.users import TIMEOUT, Users

FOLDER = Path(__file__).parent
FIGURES: list[str] = []
LIMITED = ("requests-a-second", "files-a-second", "replays-a-minute", "tables-a-minute", "tables-a-day")
COUNTED = ("tables-an-address", "sockets-an-address")
NO_LIMITS = [word for limit in (*LIMITED, *COUNTED) for word in (f"--{limit}", "1000000")]
expect.set_options(timeout=TIMEOUT)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run each test that exists in several languages in one of them, always the same; in all with GRAMY_LANGUAGES=all.

    A page takes seconds of a core, and texts of all languages are compared by faster tests.
    """
    if os.environ.get("GRAMY_LANGUAGES") == "all":
        return
    alike: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        called = getattr(item, "callspec", None)
        parameters = dict(called.params) if called else {}
        if item.path.parent == FOLDER and parameters.pop("language", None):
            alike[f"{item.nodeid.partition('[')[0]} {sorted(map(str, parameters.values()))}"].append(item)
    left_out = [
        one for key, same in alike.items() for one in same if one is not same[zlib.crc32(key.encode()) % len(same)]
    ]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


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


@pytest.fixture(scope="package")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all modules whose bots do not pause. All users of all tests come from one address."""
    with Server(tmp_path_factory.mktemp("server"), "--quick", *NO_LIMITS) as server:
        yield server


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, shared_server: Server) -> Iterator[Server]:
    """The shared server; a module with `FLAGS` gets its own, with these options. Neither may log a warning."""
    flags = getattr(request.module, "FLAGS", None)
    if flags is None:
        before = shared_server.logged()
        yield shared_server
        assert shared_server.logged() == before
    else:
        folder = request.getfixturevalue("tmp_path_factory").mktemp("server")
        with Server(folder, "--quick", *flags) as server:
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
