"""Several people at one device: it is handed over, and nobody's cards are in the page before their owner says so."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.accessibility import violations
from tests.browser.geometry import resize
from tests.browser.players import CONFIRM, LIVE_CARD, STATE, Mouse
from tests.browser.users import DESK, PHONE, Users, text_of, title

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
# All texts of the page, the live region and what is not visible included.
TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim();
    if (words && !walker.currentNode.parentElement.closest('script, .skip')) texts.push(words);
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


def test_two_play_face_to_face_on_one_phone(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(DUEL)
    family.until("cover")
    for width, height in ((320, 568), (PHONE["width"], PHONE["height"])):
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []

    # Escape, Tab, Back and a reload show nothing.
    for key in ("Escape", "Escape", "Tab", "Tab", "Tab", "Tab", "Escape"):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('.cover')")
    family.next_name()
    page.go_back()
    page.locator(".lobby").wait_for()
    page.go_forward()
    family.until("cover")
    family.cover()
    page.wait_for_function("document.activeElement.id === 'content'")
    resize(page, DESK["width"], DESK["height"])
    page.evaluate("() => { window.busy = setInterval(() => dispatchEvent(new Event('wheel')), 500); }")
    family.until("hand_over")
    assert violations(page) == []
    page.evaluate("clearInterval(busy)")
    page.locator("dialog.cover").wait_for()  # without a press too, when the page was not touched for a while
    family.cover()
    family.until("lay")
    family.lay()
    page.reload()
    family.until("cover")
    assert family.next_name() == family.holders[-1]  # whose turn it still is
    family.play_on()

    assert set(family.holders) == {"Ada", "Bo"}
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
    page.get_by_role("button", name=text_of("rematch")).click()  # one press for both
    page.locator("dialog.cover").wait_for()
    family.next_name()


def test_two_agree_on_the_start_of_quick_and_easy_and_talk(users: Users) -> None:
    page = users.open_page(None)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(TEAM)  # a bot of a quick server would take the start at once
    family.until("cover")
    family.take("Ada")
    start = page.get_by_role("button", name=text_of("board_start", "en", TEAM))
    start.wait_for()
    expect(page.locator(".hand-over")).to_have_count(0)  # everybody may start, so nobody has to give the device away
    page.get_by_role("button", name=text_of("pass_tool")).click()
    assert family.next_name() == "Bo"
    family.take("Bo")
    page.locator(".phrasebook button").first.click()
    page.locator(".phrases button").first.click()
    expect(page.locator(".beside .log-line").last).to_contain_text("Bo")
    page.get_by_role("button", name=text_of("menu"), exact=True).click()
    link = page.get_by_label(text_of("other_device"), exact=True).input_value()
    assert link.endswith(page.evaluate("JSON.parse(localStorage['gramy.places'])[0].others[0]"))  # Bo's, not Ada's
    page.keyboard.press("Escape")
    page.get_by_role("button", name=text_of("pass_tool")).click()
    family.cover()
    assert family.holders == ["Ada", "Bo", "Ada"]
    assert page.locator(".phrases").count() == 0
    start.click()
    family.until("hand_over", "over")
    assert family.holders[-1] == "Ada"


def test_a_reveal_of_gra_with_a_bot_stays_until_it_was_read(users: Users) -> None:
    page = users.open_page(None, viewport=PHONE)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(DICE, "here", "bot")
    family.until("cover")
    family.cover()
    start = page.get_by_role("button", name=text_of("board_start", "en", DICE))
    page.locator(f"[data-button=start], {CONFIRM}").first.wait_for()
    if start.count():
        start.click()
    family.until("reveal")
    assert page.locator(".hand-over, .cover").count() == 0
    holder = family.holders[-1]
    family.reveal()
    family.until("choose", "hand_over", "over")
    assert family.holders[-1] == holder  # both have seen the reveal on the same screen
    assert {"Ada", "Bo"} == set(family.holders)


def test_two_here_and_one_on_another_device(users: Users) -> None:
    page, guest = users.open_page(None), users.open_page(None)
    family = Family(page, ["Ada", "Bo"])
    page.goto("/")
    family.sit_down(DICE, "open", "open")
    for name in ("Dot", "Bo"):
        page.get_by_role("button", name=text_of("here_add")).first.click()
        page.get_by_label(text_of("seat_here_name", number=2)).fill(name)
        page.get_by_role("button", name=text_of("sit_down"), exact=True).click()
        expect(page.locator(".waiting-seats .person")).to_have_count(2)
        if name == "Dot":
            page.get_by_role("button", name=text_of("player_options", name=name)).click()
            page.get_by_role("button", name=text_of("free_seat"), exact=True).click()
            expect(page.locator(".waiting-seats .person")).to_have_count(1)
    assert violations(page) == []

    guest.goto(page.url)
    expect(guest.locator(".waiting-seats .gone.person")).to_have_count(0)  # both are here
    guest.get_by_label(text_of("nickname")).fill("Cy")
    guest.get_by_role("button", name=text_of("sit_down"), exact=True).click()
    family.until("cover")
    family.cover()
    guest.locator(".gra").wait_for()
    seats: list[dict[str, Any]] = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["seats"]
    assert [(seat["name"], seat["online"]) for seat in seats] == [("Ada", True), ("Bo", True), ("Cy", True)]
    assert page.evaluate("JSON.parse(localStorage['gramy.places'])[0].others.length") == 1
