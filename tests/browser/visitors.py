"""People with browsers. Whatever goes wrong unseen in one of them, an error or a request elsewhere, is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from gramy import text
from gramy.contract import Message
from gramy.text.typography import bind

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PATIENCE = 30_000
BOT = {"bot": "easy"}

# Plays at random through a socket of its own, in the seat of whoever has the page, until the match is over.
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


def words(key: str, language: str = "en", scope: str = "web", names: Sequence[str] = (), **values: Any) -> str:
    """A sentence as a reader of that language sees it."""
    return bind(text.say(Message(key, values, scope), language, names), language)


def title(game: str, language: str = "en") -> str:
    """A game's name."""
    return words("title", language, game)


class Visitors:
    """Opens browsers' windows at one server, and closes them all."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.problems: list[str] = []
        self._tolerated: list[str] = []
        self._contexts: list[BrowserContext] = []

    def arrive(self, path: str | None = "/", **about: Any) -> Page:
        """A new person with an own browser: `path` None does not go anywhere yet."""
        about = {"viewport": DESK, "locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "dark", **about}
        context = self.browser.new_context(base_url=self.address, **about)
        context.set_default_timeout(PATIENCE)
        context.on("console", lambda said: self._heard(said.text) if said.type in ("error", "warning") else None)
        context.on("weberror", lambda broken: self._heard(f"uncaught: {broken.error}"))
        context.on("request", lambda asked: self._asked(asked.url))
        self._contexts.append(context)
        page = context.new_page()
        page.on("websocket", lambda socket: self._asked(socket.url))
        if path is not None:
            page.goto(path)
        return page

    def tolerate(self, pattern: str) -> None:
        """A problem that this story is about."""
        self._tolerated.append(pattern)

    def unexpected(self) -> list[str]:
        """What went wrong that nobody meant to."""
        return [what for what in self.problems if not any(re.search(pattern, what) for pattern in self._tolerated)]

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def _heard(self, what: str) -> None:
        self.problems.append(what)

    def _asked(self, url: str) -> None:
        ours = self.address.partition("://")[2]
        if not url.startswith(("data:", "blob:")) and not re.match(rf"(http|ws)://{re.escape(ours)}(/|$)", url):
            self.problems.append(f"a request to somewhere else: {url}")


def open_table(page: Page, game: str, seats: Sequence[dict[str, str] | None], **wishes: Any) -> str:
    """Opens a table for the page's person and goes there; `None` is an open seat, the first one is the person's own."""
    asked = {"game": game, "options": {"players": str(len(seats))}, "seats": list(seats), "name": "Ada", **wishes}
    answer = page.request.post("/api/tables", data=asked)
    assert answer.ok, answer.text()
    table: str = answer.json()["table"]
    page.goto(f"/t/{table}")
    return table


def join(page: Page, table: str, name: str = "Bo") -> None:
    """Takes a free seat, as the page's person, and does not look at the table yet."""
    answer = page.request.post(f"/api/tables/{table}/join", data={"name": name})
    assert answer.ok, answer.text()


def finish(page: Page, table: str) -> int:
    """Plays the page's seat to the end of the match, at the speed of a socket; the round that ended."""
    number: int = page.evaluate(FINISH, table)
    return number


def my_turn(page: Page) -> bool:
    """Whether the page says that it waits for its reader."""
    return page.locator(".table-page.my-turn").count() > 0


def on_turn(*pages: Page) -> tuple[Page, ...]:
    """The pages of a table, the one on turn first."""
    for page in pages:
        page.locator("[data-card]").first.wait_for()
        page.wait_for_function("() => document.querySelector('.seat[aria-current]')")
    return tuple(sorted(pages, key=my_turn, reverse=True))


def hand(page: Page) -> list[str]:
    """The cards that a reader sees in the own hand."""
    return [card.get_attribute("data-card") or "" for card in page.locator("[data-card]").all()]


def weighed(page: Page, path: str, shown: str) -> tuple[float, int]:
    """Bytes over the wire, headers included, until a page has everything; and in how many answers."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    page.goto(path, wait_until="networkidle")
    page.locator(shown).first.wait_for()
    return sum(sizes), len(sizes)
