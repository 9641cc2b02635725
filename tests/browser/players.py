"""Somebody who plays a whole match with one kind of hands: a mouse, a keyboard, or a finger.

Nobody here knows a rule. They do what the page shows to be possible, and read it the way its reader would: which cards
are dim, which piles are open, which buttons are on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Position, TimeoutError

from tests.browser.visitors import PATIENCE, title, words

# What the page lets its reader do now; null while somebody else is on turn, or the last command is not answered yet.
STATE = """lines => {
  const shown = (selector) => document.querySelector(selector);
  if (shown('#result')) return 'over';
  if (shown('.gra-reveal')) return 'reveal';
  if (!shown('.table-page.my-turn') || document.querySelectorAll('.beside .log-line').length <= lines) return null;
  if (shown('.gra-confirm button[aria-disabled=false]')) return 'choose';
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
ONWARD = ".gra-reveal footer button"
MOST_STEPS = 600
REST = 150


class Player:
    """Goes from the lobby to the result; how things are pressed is the subclass's business."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.done: list[str] = []
        self._checked = False

    def play(self, game: str) -> None:
        """A whole match, from the lobby on."""
        self.sit_down(game)
        lines = -1
        for _ in range(MOST_STEPS):
            state = self.page.wait_for_function(STATE, arg=lines, timeout=PATIENCE).json_value()
            lines = self.page.locator(".beside .log-line").count()
            if state == "over":
                return
            getattr(self, state)()
            self.done.append(state)
            if state == "reveal":
                lines = -1  # it ends without anything new
        raise AssertionError(f"the match does not end: {self.done[-20:]}")

    def card(self) -> Locator:
        """A card that can be laid, from the middle of the hand."""
        cards = self.page.locator(LIVE_CARD)
        return cards.nth(cards.count() // 2)

    def pile(self) -> Locator:
        """Where the picked card costs most: a match should be soon over."""
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

    def _wants_to_check(self) -> bool:
        """The first doubt that is possible, then only bids that nobody believes: the match is soon over."""
        can = self.page.locator(CHECK).count() > 0
        must = self.page.locator(BID).count() == 0
        wants = can and (must or not self._checked)
        self._checked = self._checked or wants
        return wants


def play_now(page: Page, game: str) -> Locator:
    """The button that starts a match against bots."""
    return page.get_by_role("button", name=f"{words('play_now')}: {title(game)}")


def edge(card: Locator) -> Position:
    """A place on a card that the next one in the fan does not cover."""
    box = card.bounding_box()
    assert box is not None
    return {"x": min(20, box["width"] / 3), "y": box["height"] / 2}


class Mouse(Player):
    """Clicks."""

    def sit_down(self, game: str) -> None:
        play_now(self.page, game).click()

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
        if self._wants_to_check():
            self.page.locator(CHECK).click()
            return
        self.page.locator(VALUES).last.click()
        if self.page.locator(MORE).get_attribute("aria-disabled") == "false":
            self.page.locator(MORE).click()
        self.page.locator(BID).click()

    def reveal(self) -> None:
        self._go_on(self.page.locator(ONWARD).click)

    @staticmethod
    def _go_on(press: Callable[..., None]) -> None:
        """A reveal ends by itself too: whoever comes a moment late to its button has missed nothing."""
        with contextlib.suppress(TimeoutError):
            press(timeout=3000)


class Keyboard(Player):
    """Never touches anything else."""

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def sit_down(self, game: str) -> None:
        play_now(self.page, game).wait_for()
        self.tab_to(f"{words('play_now')}: {title(game)}")
        self.press("Enter")

    def tab_to(self, name: str, most: int = 60) -> None:
        """Walk until the focus is on what has that name."""
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
        assert self.page.evaluate(live), "the arrows do not reach a card that can be laid"
        self.press("Enter")
        self.press(self.pile().get_attribute("aria-keyshortcuts") or "")

    def end(self) -> None:
        self.press("e")

    def choose(self) -> None:
        self.press("1")
        self.press("Enter")

    def bid(self) -> None:
        if self._wants_to_check():
            self.press("c")
            return
        for key in (*["ArrowRight"] * 5, "ArrowUp", "Enter"):
            self.press(key)

    def reveal(self) -> None:
        self.press("Enter")


class Finger(Mouse):
    """Taps, drags a card at first, and swipes. On a phone."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.dragged: list[str] = []
        self._wire = page.context.new_cdp_session(page)

    def sit_down(self, game: str) -> None:
        play_now(self.page, game).tap()

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
        if self._wants_to_check():
            self.page.locator(CHECK).tap()
            return
        self.page.locator(VALUES).last.tap()
        self.page.locator(BID).tap()

    def reveal(self) -> None:
        self._go_on(self.page.locator(ONWARD).tap)

    def drag_on(self, card: Locator, pile: Locator) -> None:
        """Take the card at its visible edge, and carry its middle over the pile's."""
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
        """A finger comes down, moves, rests, and goes up: after a fling a browser swallows the next tap."""
        at = [{"x": x + dx * step / steps, "y": y + dy * step / steps} for step in range(steps + 1)]
        self._touch("touchStart", at[:1])
        for place in at[1:]:
            self._touch("touchMove", [place])
        self.page.wait_for_timeout(REST)
        self._touch("touchMove", [{"x": x + dx, "y": y + dy + 0.5}])
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
