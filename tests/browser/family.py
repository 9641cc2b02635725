"""People who share one device. They check that nobody's cards are shown before their owner says so."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.players import LIVE_CARD, STATE, Mouse
from tests.browser.users import text_of, title
from tests.starting import by_lot

DUEL, TEAM, DICE = "face-to-face", "quick-easy", "gra"
# What can be done now, as in STATE; and the two steps of handing the device over.
STATE_HERE = f"""lines => {{
  if (document.querySelector('dialog.cover[open]')) return 'cover';
  if (document.querySelector('.gra-reveal')) return 'reveal';
  return document.querySelector('.hand-over') ? 'hand_over' : ({STATE})(lines);
}}"""
# Notes every moment in which cards were in the page while it was covered, and who has taken the device.
WATCH = """() => {
  window.leaks = [];
  const look = () => {
    const table = document.querySelector('.table-page, [data-card], .gra-card, .phrasebook');
    if (document.querySelector('.cover') && table) window.leaks.push(table.outerHTML.slice(0, 200));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
}"""
# All texts of the page but those of a clock, the live region and what is not visible included.
TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim();
    if (words && !walker.currentNode.parentElement.closest('script, .skip, .cover-clock')) texts.push(words);
  }
  return texts;
}"""


def record_hands(page: Page) -> dict[int, list[str]]:
    """Return the latest hand of each seat, as the page's sockets receive them from now on."""
    hands: dict[int, list[str]] = {}

    def receive(payload: str | bytes) -> None:
        if payload == "pong" or (message := json.loads(payload))["type"] != "snapshot" or not message["view"]:
            return
        board, you = message["view"]["board"], message["you"]
        held = board["halves"][you]["hand"] if "halves" in board else board["hand"]
        hands[you] = [str(card) for card in held["cards"] if card] if isinstance(held, dict) else list(map(str, held))

    def watch(socket: WebSocket) -> None:
        socket.on("framereceived", receive)

    page.on("websocket", watch)
    return hands


class Family(Mouse):
    """Plays all seats of one device. At each hand-over it compares what the page shows with what it may show."""

    state = STATE_HERE
    without_lines = ("reveal", "cover", "hand_over")

    def __init__(self, page: Page, names: list[str]) -> None:
        super().__init__(page)
        self.names = names
        self.holders: list[str] = []
        self.game = ""
        self._low = False
        page.add_init_script(f"({WATCH})()")
        self.hands = record_hands(page)

    def sit_down(self, game: str, *others: str) -> None:
        """Open a table by the form: `others` are the kinds of the other seats."""
        page, self.game = self.page, game
        page.get_by_label(text_of("nickname")).fill(self.names[0])
        page.get_by_role("button", name=f"{text_of('open_table')}: {title(game)}").click()
        kinds = others or ("here",)
        if len(kinds) > 1:
            page.locator(".open-form").get_by_text(str(len(kinds) + 1), exact=True).first.click()
        names = iter(self.names[1:])
        for number, kind in enumerate(kinds, 2):
            seat = page.get_by_role("group", name=text_of("seat_label", number=number))
            seat.get_by_text(text_of(f"seat_{kind}"), exact=True).click()
            if kind == "here":
                page.get_by_label(text_of("seat_here_name", number=number)).fill(next(names))
        page.get_by_role("button", name=text_of("open_now")).click()

    def open_table(self, game: str, *others: dict[str, str] | None, **settings: Any) -> list[str]:
        """Open a table for the first two people without the form; return their tokens. `others` are further seats."""
        page, self.game = self.page, game
        seats = [None, None, *others]
        options = {"players": str(len(seats)), **by_lot(game)}
        body = {"game": game, "options": options, "seats": seats, "name": self.names[0], **settings}
        opened = page.request.post("/api/tables", data=body).json()
        about = {"name": self.names[1], "seat": 1, "another_seat": True}
        joined = page.request.post(f"/api/tables/{opened['table']}/join", data=about).json()
        saved = {**opened, "game": game, "others": [joined["token"]], "when": 0}
        page.goto("/")
        page.evaluate("saved => localStorage.setItem('gramy.places', JSON.stringify([saved]))", saved)
        page.goto(f"/t/{opened['table']}")
        return [opened["token"], joined["token"]]

    def until(self, *states: str) -> str:
        """Play until one of these states; return it."""
        lines = -1
        for _ in range(100):
            state: str = self.page.wait_for_function(self.state, arg=lines).json_value()
            if state in states:
                return state
            lines = self.page.locator(".beside .log-line").count()
            getattr(self, state)()
            lines = -1 if state in self.without_lines else lines
        raise AssertionError(f"none of {states}")

    def next_name(self) -> str:
        """Return for whom the cover asks, after checking that it shows nothing else."""
        cover = self.page.locator("dialog.cover")
        titles = {text_of("pass_to", name=name): name for name in self.names}
        name = titles[cover.get_by_role("heading").inner_text()]
        others = [text_of("pass_other", name=other) for other in self.names if other != name]
        words = [text_of("pass_about", name=name), text_of("pass_take", name=name)]
        shown = self.page.evaluate(TEXTS)
        assert shown[:4] == [name[0], text_of("pass_to", name=name), *words]
        assert sorted(shown[4:]) == sorted(others)
        expect(self.page).to_have_title(re.compile("^(Gramy|[^!]+ · Gramy)$"))  # not that it is somebody's turn
        expect(self.page.locator("link[rel=icon]")).to_have_attribute("href", "/static/icon.svg")
        assert self.page.evaluate("window.leaks") == []
        return name

    def cover(self) -> None:
        self.take(self.next_name())

    def take(self, name: str) -> None:
        """Take the device as this person; the table shows their cards."""
        self.page.locator("dialog.cover button").filter(has_text=text_of("pass_other", name=name)).click()
        self.page.locator(".table-page").wait_for()
        self.holders.append(name)
        assert self.page.evaluate("window.leaks") == []
        if self.game != DICE:  # whose cards have no names
            self.page.locator("[data-card]").first.wait_for()
            shown = self.page.evaluate("[...document.querySelectorAll('[data-card]')].map((one) => one.dataset.card)")
            assert sorted(shown) == sorted(self.hands[self.names.index(name)])

    def card(self) -> Locator:
        """Return the lowest and the highest playable card in turn: their large steps end a match soon."""
        self._low = not self._low
        cards = self.page.locator(LIVE_CARD)
        return cards.first if self._low else cards.last

    def hand_over(self) -> None:
        self.page.locator(".hand-over").click()
