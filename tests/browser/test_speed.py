"""How much the first load weighs, and how long a click takes to become a painted move."""

from __future__ import annotations

import statistics
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.players import Mouse
from tests.browser.visitors import BOT, Visitors

MOST_BYTES = 150_000
MOST_MILLISECONDS = 250  # on a machine that does other things too; docs/benchmarks.md has the figure of a quiet one

# From the pointer coming down on a pile to the frame after the pile shows another card.
STOPWATCH = """() => {
  window.painted = [];
  addEventListener('pointerdown', (event) => {
    const name = event.target.closest('[data-pile]')?.dataset.pile;
    if (!name) return;
    const from = performance.now();
    const top = () => document.querySelector(`[data-place="pile:${name}"]`)?.textContent;
    const before = top();
    const look = () => {
      if (performance.now() - from > 5000) return;
      if (top() === before) requestAnimationFrame(look);
      else requestAnimationFrame(() => window.painted.push(performance.now() - from));
    };
    requestAnimationFrame(look);
  }, true);
}"""

# The modules and styles that were loaded, but found only by those that ask for them: each is a round trip more.
FOUND_LATE = """() => {
  const ahead = 'link[rel=preload], link[rel=modulepreload], script[src], link[href$="/base.css"], [href$="/page.css"]';
  const sent = new Set([...document.head.querySelectorAll(ahead)].map((one) => one.href ?? one.src));
  return performance.getEntriesByType('resource').map((one) => one.name)
    .filter((name) => /\\.(js|css)$/.test(name) && !sent.has(name));
}"""


class Timed(Mouse):
    """Clicks, with a stopwatch on the page."""

    def sit_down(self, game: str) -> None:
        super().sit_down(game)
        self.page.evaluate(STOPWATCH)


def weighed(page: Page, path: str, shown: str) -> tuple[float, int]:
    """Bytes over the wire, headers included, until a page has everything; and in how many answers."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    page.goto(path, wait_until="networkidle")
    page.locator(shown).first.wait_for()
    return sum(sizes), len(sizes)


def test_the_first_load_of_the_lobby_is_light(visitors: Visitors, figures: list[str]) -> None:
    page = visitors.arrive(None)
    size, answers = weighed(page, "/", ".game:nth-child(3)")
    figures.append(f"first load of the lobby: {size / 1000:.1f} kB in {answers} answers")
    assert page.evaluate(FOUND_LATE) == []
    assert 10_000 < size < MOST_BYTES


@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
def test_whoever_comes_by_a_link_loads_little(visitors: Visitors, figures: list[str], game: str) -> None:
    host, guest = visitors.arrive(None), visitors.arrive(None)
    answer = host.request.post("/api/tables", data={"game": game, "options": {}, "seats": [None, BOT], "name": "Ada"})
    size, answers = weighed(guest, f"/t/{answer.json()['table']}", ".board-place > *")
    figures.append(f"first load of a table, {game}: {size / 1000:.1f} kB in {answers} answers")
    assert guest.evaluate(FOUND_LATE) == []
    assert 10_000 < size < MOST_BYTES


def test_a_click_is_a_painted_move_at_once(visitors: Visitors, figures: list[str]) -> None:
    about: dict[str, Any] = {"reduced_motion": "no-preference"}
    player = Timed(visitors.arrive("/", **about))
    player.play("face-to-face")
    painted = player.page.evaluate("window.painted")
    middle = statistics.median(painted)
    figures.append(
        f"from click to painted move: median {middle:.1f} ms of {len(painted)}, slowest {max(painted):.1f} ms"
    )
    assert len(painted) >= 2
    assert middle < MOST_MILLISECONDS
