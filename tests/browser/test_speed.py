"""How much the first load weighs, and that all of it is asked for at once."""

from __future__ import annotations

import pytest

from tests.browser.visitors import BOT, Visitors, weighed

MOST_BYTES = 150_000

# The modules and styles that were loaded, but found only by those that ask for them: each is a round trip more.
FOUND_LATE = """() => {
  const ahead = 'link[rel=preload], link[rel=modulepreload], script[src], link[href^="/static/style/"]';
  const sent = new Set([...document.head.querySelectorAll(ahead)].map((one) => one.href ?? one.src));
  return performance.getEntriesByType('resource').map((one) => one.name)
    .filter((name) => /\\.(js|css)$/.test(name) && !sent.has(name));
}"""


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
