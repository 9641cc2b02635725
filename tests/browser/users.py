"""Users with browsers. Errors in a page and requests to other hosts are collected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from gramy import text
from gramy.messages import Message
from gramy.text.typography import bind
from tests.starting import by_lot

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
TIMEOUT = 30_000
BOT = {"bot": "easy"}
BY_LOT = {"starter": "lot"}  # the option of those games whose players otherwise agree on who starts
WORKER_BLOCKED = "Service Worker registration blocked by Playwright"

# Plays random moves through a second socket, in the seat of the page's user, until the match is over.
FINISH = """table => new Promise((done) => {
  const socket = new WebSocket(`ws://${location.host}/ws/${table}`);
  let number = 0, seen = -1;
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello' }));
  socket.onmessage = ({ data }) => {
    const { view, you, lines, table } = JSON.parse(data);
    if (!table) return;
    if (table.status === 'finished') { socket.close(); done(table.round); return; }
    if (!view?.to_act.includes(you) || lines === seen) return; // or nothing is dealt yet
    seen = lines;
    const move = view.moves.includes('check') ? 'check' : view.moves[Math.floor(Math.random() * view.moves.length)];
    setTimeout(() => socket.send(JSON.stringify({ type: 'move', id: `finish${number++}`, at: lines, move })), 30);
  };
})"""

# Presses Escape until no reveal is shown.
CLOSE_REVEALS = """() => {
  if (!document.querySelector('.gra-reveal')) return true;
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return false;
}"""


def text_of(key: str, language: str = "en", scope: str = "web", names: Sequence[str] = (), **values: Any) -> str:
    """Return a sentence of the catalogues in a language; the browser's are `web` and `room`."""
    if scope == "web" and key in text.catalogue("room", language):
        scope = "room"
    return bind(text.say(Message(key, values, scope), language, names), language)


def title(game: str, language: str = "en") -> str:
    """Return a game's title."""
    return text_of("title", language, game)


class Users:
    """Opens pages of one server, each in its own browser context, and closes them all."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.problems: list[str] = []
        self._allowed: list[str] = []
        self._contexts: list[BrowserContext] = []

    def open_page(self, path: str | None = "/", **about: Any) -> Page:
        """Open a page for a new user; with `path` None it stays blank.

        The service worker is off: tests/browser/test_app.py tests it, and others need not fetch all files once more.
        """
        usual = {"viewport": DESK, "locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "dark"}
        context = self.browser.new_context(base_url=self.address, **{"service_workers": "block", **usual, **about})
        context.set_default_timeout(TIMEOUT)
        context.on("console", self._check_console)
        context.on("weberror", lambda error: self._report(f"uncaught: {error.error}"))
        context.on("request", lambda request: self._check_host(request.url))
        self._contexts.append(context)
        page = context.new_page()
        page.on("websocket", lambda socket: self._check_host(socket.url))
        if path is not None:
            page.goto(path)
        return page

    def allow(self, pattern: str) -> None:
        """Allow problems that match a pattern in this test."""
        self._allowed.append(pattern)

    def unexpected(self) -> list[str]:
        """Return the problems that the test does not allow."""
        return [
            problem for problem in self.problems if not any(re.search(pattern, problem) for pattern in self._allowed)
        ]

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def _check_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.text != WORKER_BLOCKED:
            self._report(message.text)

    def _report(self, problem: str) -> None:
        self.problems.append(problem)

    def _check_host(self, url: str) -> None:
        host = self.address.partition("://")[2]
        if not url.startswith(("data:", "blob:")) and not re.match(rf"(http|ws)://{re.escape(host)}(/|$)", url):
            self.problems.append(f"a request to another host: {url}")


def open_table(page: Page, game: str, seats: Sequence[dict[str, str] | None], **settings: Any) -> str:
    """Open a table for the page's user and go there. The first seat is the user's; None is an open seat.

    Unless the options say otherwise a lot decides who starts, so that a match begins without a click.
    """
    options = {"players": str(len(seats)), **by_lot(game), **settings.pop("options", {})}
    body = {"game": game, "options": options, "seats": list(seats), "name": "Ada", **settings}
    answer = page.request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    table: str = answer.json()["table"]
    page.goto(f"/t/{table}")
    return table


def join(page: Page, table: str, name: str = "Bo", **settings: Any) -> None:
    """Take a free seat for the page's user without opening the table."""
    answer = page.request.post(f"/api/tables/{table}/join", data={"name": name, **settings})
    assert answer.ok, answer.text()


def finish(page: Page, table: str) -> int:
    """Play the page's seat to the end of the match, through a socket; return the round that ended.

    If the page shows the table, the reveals that wait there for their reader are closed.
    """
    number: int = page.evaluate(FINISH, table)
    if page.url.endswith(f"/t/{table}"):
        page.locator(".table-page[data-status=finished]").wait_for()
        page.wait_for_function(CLOSE_REVEALS)
    return number


def my_turn(page: Page) -> bool:
    """Return whether the page shows that it is its user's turn."""
    return page.locator(".table-page.my-turn").count() > 0


def in_turn_order(*pages: Page) -> tuple[Page, ...]:
    """Return the pages of a table, the one whose turn it is first."""
    for page in pages:
        page.locator("[data-card]").first.wait_for()
        page.wait_for_function("() => document.querySelector('.seat[aria-current]')")
    return tuple(sorted(pages, key=my_turn, reverse=True))


def hand(page: Page) -> list[str]:
    """Return the cards of the user's hand."""
    return [card.get_attribute("data-card") or "" for card in page.locator("[data-card]").all()]


def collect_said(page: Page) -> None:
    """Collect what the page's live region says, in `window.said`."""
    page.evaluate(
        """() => {
          window.said = '';
          const region = document.getElementById('announcements');
          new MutationObserver(() => { window.said += ` ${region.textContent}`; })
            .observe(region, { childList: true, characterData: true, subtree: true });
        }"""
    )


def measure_load(page: Page, path: str, shown: str) -> tuple[float, int]:
    """Load a page; return the bytes over the wire, headers included, and the number of responses."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    page.goto(path, wait_until="networkidle")
    page.locator(shown).first.wait_for()
    return sum(sizes), len(sizes)
