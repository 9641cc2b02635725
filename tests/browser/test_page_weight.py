"""The weight of the first load, and that all of it is requested at once."""

from __future__ import annotations

import pytest

from tests.browser.users import BOT, Users, measure_load

MOST_BYTES_LOBBY, MOST_BYTES_TABLE = 100_000, 150_000

# The modules and styles that were loaded but not preloaded: each costs another round trip.
FOUND_LATE = """() => {
  const early = 'link[rel=preload], link[rel=modulepreload], script[src], link[href^="/static/style/"]';
  const preloaded = new Set([...document.head.querySelectorAll(early)].map((link) => link.href ?? link.src));
  return performance.getEntriesByType('resource').map((entry) => entry.name)
    .filter((name) => /\\.(js|css)$/.test(name) && !preloaded.has(name));
}"""


def test_the_first_load_of_the_lobby_is_light(users: Users, figures: list[str]) -> None:
    page = users.open_page(None)
    size, responses = measure_load(page, "/", ".game:nth-child(3)")
    figures.append(f"first load of the lobby: {size / 1000:.1f} kB in {responses} responses")
    assert page.evaluate(FOUND_LATE) == []
    assert 10_000 < size < MOST_BYTES_LOBBY


@pytest.mark.parametrize("game", ["face-to-face", "quick-easy", "gra"])
def test_the_first_load_of_a_table_is_light(users: Users, figures: list[str], game: str) -> None:
    host, guest = users.open_page(None), users.open_page(None)
    answer = host.request.post("/api/tables", data={"game": game, "options": {}, "seats": [None, BOT], "name": "Ada"})
    size, responses = measure_load(guest, f"/t/{answer.json()['table']}", ".board-place > *")
    figures.append(f"first load of a table, {game}: {size / 1000:.1f} kB in {responses} responses")
    assert guest.evaluate(FOUND_LATE) == []
    assert 10_000 < size < MOST_BYTES_TABLE
