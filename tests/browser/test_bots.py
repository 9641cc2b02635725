"""Bots of other programs: the lobby lists those that are online, a sheet challenges one, and its seat is marked."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.geometry import resize
from tests.browser.server import Server
from tests.browser.users import DESK, PHONE, Users, text_of

FLAGS = ["--tables-a-minute", "1000"]  # a server of its own: others count what their lobby loads


@contextlib.contextmanager
def running_bot(server: Server) -> Iterator[subprocess.Popen[bytes]]:
    """Run `gramy bot` at the server under a new account, and interrupt it at the end."""
    gramy = [sys.executable, "-m", "gramy"]
    issue = [*gramy, "bot-token", "add", "Zorro", "--json", "--data", str(server.data)]
    account = json.loads(subprocess.check_output(issue))
    environment = {**os.environ, "GRAMY_BOT_TOKEN": account["token"]}
    bot = subprocess.Popen([*gramy, "bot", server.address, "--level", "easy"], env=environment, stdout=subprocess.PIPE)
    try:
        yield bot
    finally:
        bot.send_signal(signal.SIGINT)
        bot.communicate()
        subprocess.check_call([*gramy, "bot-token", "revoke", account["bot"], "--data", str(server.data)])


def test_a_user_challenges_an_online_bot_and_sees_that_it_is_one(users: Users, server: Server) -> None:
    with running_bot(server):
        page = users.open_page("/")
        bots = page.locator("section.bots")
        expect(bots.locator("li")).to_contain_text("Zorro", timeout=30_000)  # the list is asked for every few seconds
        for device in (DESK, PHONE):
            page.set_viewport_size(device)  # type: ignore[arg-type]
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        bots.get_by_role("button", name=text_of("challenge_label", name="Zorro")).click()
        sheet = page.locator("dialog[open]")
        assert violations(page) == []
        sheet.get_by_role("button", name=text_of("challenge"), exact=True).click()
        page.wait_for_url("**/t/*")
        resize(page, DESK["width"], DESK["height"])
        expect(page.get_by_text(text_of("bot_name", name="Zorro")).filter(visible=True).first).to_be_visible()
        seats: list[dict[str, Any]] = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["seats"]
        assert [seat["bot_account"] for seat in seats] == [False, True]


@pytest.mark.parametrize("language", ["pl", "de"])
def test_a_bot_that_does_not_answer_leaves_the_user_an_open_table(users: Users, language: str) -> None:
    """No program asks for events here: the list is the server's own, shown to a page that is slow."""
    page = users.open_page(None, locale=language)
    listed = [{"bot": "gone", "name": "Zorro", "games": ["gra"]}]
    page.route("**/api/bots", lambda route: route.fulfill(json=listed))
    page.goto("/")
    page.locator("section.bots button").click()
    sheet = page.locator("dialog[open]")
    users.allow("409")
    sheet.get_by_role("button", name=text_of("challenge", language), exact=True).click()
    expect(sheet.get_by_role("alert")).to_be_visible()
    sheet.get_by_role("link", name=text_of("to_table", language)).click()
    page.wait_for_url("**/t/*")
