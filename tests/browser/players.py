"""Players who play a whole match with a mouse, a keyboard, or by touch.

They know no rules. They read from the page what is possible, as users do: which cards are dimmed, which piles are open,
which buttons are enabled.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Position, TimeoutError

from tests.browser.users import TIMEOUT, text_of, title

# What the user can do now; null during another player's turn, or while the last command has no answer.
STATE = """lines => {
  const shown = (selector) => document.querySelector(selector);
  if (shown('#result')) return 'over';
  if (shown('.gra-reveal')) return 'reveal';
  if (shown('[data-pending]')) return null; // talk adds lines before the answer
  if (!shown('.table-page.my-turn') || document.querySelectorAll('.beside .log-line').length <= lines) return null;
  if (shown('.gra-confirm button[aria-disabled=false]')) return shown('button.gra-card') ? 'choose' : null;
  if (shown('.gra-picker:not(.waiting) .gra-send button')) return 'bid';
  if (shown('[data-button=end][aria-disabled=false]')) return 'end';
  return shown('[data-card]:not(.dead)') ? 'lay' : null;
}"""
COSTLIEST = """() => {
  const cost = (pile) => Number(pile.querySelector('.badge')?.textContent.replace('−', '-')) || 0;
  const open = [...document.querySelectorAll('.pile.open')].sort((one, two) => cost(two) - cost(one));
  return open[0]?.dataset.pile ?? null;
}"""
LIVE_CARD = "[data-card]:not(.dead)"
OPEN_PILE = ".pile.open"
END = "[data-button=end]"
CONFIRM = ".gra-confirm button"
CHECK = ".gra-check"
REVEAL = ".gra-reveal"
BID = ".gra-bids"
MORE = ".gra-stepper button:last-child"
VALUES = "button.gra-value[aria-disabled=false]"
CONTINUE = ".gra-reveal footer button"
MOST_STEPS = 600
FRAME, REST = 0.016, 0.15  # seconds


class Player:
    """Plays from the lobby to the result. Subclasses define the input device."""

    state = STATE
    without_lines = ("reveal",)  # what ends without new lines of the log

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page, self.language = page, language
        self.done: list[str] = []
        self._checked = False

    def play(self, game: str) -> None:
        """Play a whole match, beginning in the lobby."""
        self.sit_down(game)
        self.play_on()

    def play_on(self) -> None:
        """Play to the end of the match."""
        lines = -1
        for _ in range(MOST_STEPS):
            state = self.page.wait_for_function(self.state, arg=lines, timeout=TIMEOUT).json_value()
            lines = self.page.locator(".beside .log-line").count()
            if state == "over":
                return
            getattr(self, state)()
            self.done.append(state)
            if state in self.without_lines:
                lines = -1
        raise AssertionError(f"the match does not end: {self.done[-20:]}")

    def card(self) -> Locator:
        """Return a playable card from the middle of the hand."""
        cards = self.page.locator(LIVE_CARD)
        return cards.nth(cards.count() // 2)

    def pile(self) -> Locator:
        """Return the pile where the picked card costs most, so that the match ends soon."""
        name = self.page.wait_for_function(COSTLIEST).json_value()
        return self.page.locator(f'[data-pile="{name}"]')

    def sit_down(self, game: str) -> None:
        raise NotImplementedError

    def lay(self) -> None:
        raise NotImplementedError

    def end(self) -> None:
        raise NotImplementedError

    def choose(self) -> None:
        raise NotImplementedError

    def bid(self) -> None:
        raise NotImplementedError

    def reveal(self) -> None:
        raise NotImplementedError

    def _should_check(self) -> bool:
        """Return whether to check: at the first chance, later only if it is the only move."""
        possible = self.page.locator(CHECK).count() > 0
        forced = self.page.locator(BID).count() == 0
        should = possible and (forced or not self._checked)
        self._checked = self._checked or should
        return should


def play_now(page: Page, game: str, language: str = "en") -> Locator:
    """Return the button that starts a match against bots."""
    return page.get_by_role("button", name=f"{text_of('play_now', language)}: {title(game, language)}")


def edge(card: Locator) -> Position:
    """Return a point of a card that the next card does not cover."""
    box = card.bounding_box()
    assert box is not None
    return {"x": min(20, box["width"] / 3), "y": box["height"] / 2}


class Mouse(Player):
    """Plays with clicks."""

    def sit_down(self, game: str) -> None:
        play_now(self.page, game, self.language).click()

    def lay(self) -> None:
        card = self.card()
        card.click(position=edge(card))
        self.pile().click()

    def end(self) -> None:
        self.page.locator(END).click()

    def choose(self) -> None:
        self.page.locator("button.gra-card").first.click()
        self.page.locator(CONFIRM).click()

    def bid(self) -> None:
        if self._should_check():
            self.page.locator(CHECK).click()
            return
        self.page.locator(VALUES).last.click()
        if self.page.locator(MORE).get_attribute("aria-disabled") == "false":
            self.page.locator(MORE).click()
        self.page.locator(BID).click()

    def reveal(self) -> None:
        self._continue(self.page.locator(CONTINUE).first.click)

    @staticmethod
    def _continue(press: Callable[..., None]) -> None:
        """Press the button of a reveal, unless the reveal has already ended by itself."""
        with contextlib.suppress(TimeoutError):
            press(timeout=3000)


class Keyboard(Player):
    """Plays with keys only."""

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def sit_down(self, game: str) -> None:
        play_now(self.page, game, self.language).wait_for()
        self.tab_to(f"{text_of('play_now', self.language)}: {title(game, self.language)}")
        self.press("Enter")

    def tab_to(self, name: str, most: int = 60) -> None:
        """Press Tab until the element with that name has the focus."""
        for _ in range(most):
            self.press("Tab")
            named = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
            if self.page.evaluate(named) == name:
                return
        raise AssertionError(f"Tab does not reach “{name}”")

    def lay(self) -> None:
        live = "document.activeElement.matches('[data-card]:not(.dead)')"
        self.press("ArrowRight")
        for key in ("End", *["ArrowLeft"] * 7):
            if self.page.evaluate(live):
                break
            self.press(key)
        assert self.page.evaluate(live), "the arrow keys do not reach a playable card"
        self.press("Enter")
        self.press(self.pile().get_attribute("aria-keyshortcuts") or "")

    def end(self) -> None:
        self.press("e")

    def choose(self) -> None:
        self.press("1")
        self.press("Enter")

    def bid(self) -> None:
        if self._should_check():
            self.press("c")
            return
        for key in (*["ArrowRight"] * 5, "ArrowUp", "Enter"):
            self.press(key)

    def reveal(self) -> None:
        self.press("Enter")


class Touch(Mouse):
    """Plays by touch on a phone: taps, one drag, and swipes."""

    def __init__(self, page: Page, language: str = "en") -> None:
        super().__init__(page, language)
        self.dragged: list[str] = []
        self._wire = page.context.new_cdp_session(page)

    def sit_down(self, game: str) -> None:
        play_now(self.page, game, self.language).tap()

    def lay(self) -> None:
        card = self.card()
        card.tap(position=edge(card))
        pile = self.pile()
        if self.dragged:
            pile.tap()
        else:
            self.dragged.append(card.get_attribute("data-card") or "")
            self.drag_on(card, pile)

    def end(self) -> None:
        self.page.locator(END).tap()

    def choose(self) -> None:
        card = self.page.locator("button.gra-card").first
        if not self.dragged:
            before = card.get_attribute("aria-label") or ""
            box = card.bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8
            self.drag(x, y, 0, -box["height"] * 0.5)
            assert card.get_attribute("aria-label") != before, "a swipe does not turn the card"
            self.dragged.append(before)
        else:
            card.tap()
        self.page.locator(CONFIRM).tap()

    def bid(self) -> None:
        if self._should_check():
            self.page.locator(CHECK).tap()
            return
        self.page.locator(VALUES).last.tap()
        self.page.locator(BID).tap()

    def reveal(self) -> None:
        self._continue(self.page.locator(CONTINUE).first.tap)

    def drag_on(self, card: Locator, pile: Locator) -> None:
        """Drag a card by its visible edge until its middle is over the middle of the pile."""
        name = card.get_attribute("data-card")
        held, there = card.bounding_box(), pile.bounding_box()
        assert held is not None
        assert there is not None
        grip = edge(card)
        dx = there["x"] + there["width"] / 2 - held["x"] - held["width"] / 2
        dy = there["y"] + there["height"] / 2 - held["y"] - held["height"] / 2
        self.drag(held["x"] + grip["x"], held["y"] + grip["y"], dx, dy)
        self.page.locator(f'[data-card="{name}"]').wait_for(state="detached")

    def drag(self, x: float, y: float, dx: float, dy: float, steps: int = 8) -> None:
        """Move a finger, let it rest and lift it, by the timestamps: after a fling a browser ignores the next tap."""
        start = time.time() - 1
        points = [{"x": x + dx * step / steps, "y": y + dy * step / steps} for step in range(steps + 1)]
        self._touch("touchStart", points[:1], start)
        for number, point in enumerate(points[1:], 1):
            self._touch("touchMove", [point], start + number * FRAME)
        lifted = start + steps * FRAME + REST
        self._touch("touchMove", [{"x": x + dx, "y": y + dy + 0.5}], lifted - FRAME)
        self._touch("touchEnd", [], lifted)

    def _touch(self, kind: str, points: list[dict[str, float]], at: float) -> None:
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": at})
