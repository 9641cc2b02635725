"""What was said in Quick & Easy and still holds, as the page works it out from the log."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page

import gramy
from gramy.bots.quick_easy.talk import MEANINGS, card_phrases, statements
from gramy.games.quick_easy.rules import BANDS, band
from tests.browser.users import Users
from tests.standing_phrases import TALK, TEAM, dealt

STANDING = """async (lines) => {
  const { standingPhrases } = await import('/static/games/quick-easy-said.js');
  return [...standingPhrases(lines)].map(([seat, said]) => [seat, said.map(({ phrase }) => phrase)]);
}"""


def test_a_phrase_holds_until_its_speaker_lays_the_card_or_says_something_else(
    users: Users, subtests: pytest.Subtests
) -> None:
    page = users.open_page("/")
    for case, (lines, expected) in TALK.items():
        with subtests.test(case):
            standing = dict(page.evaluate(STANDING, [dealt(0), *lines]))
            assert standing.get(0, []) == expected


def test_the_page_and_the_bots_agree_on_what_still_holds(users: Users, subtests: pytest.Subtests) -> None:
    page = users.open_page("/")
    for seed in range(6):
        with subtests.test(seed=seed):
            compare_with_bots(page, seed)


def compare_with_bots(page: Page, seed: int) -> None:
    """Play a match whose bots talk; after each move the page and the bots must agree on what still holds."""
    rng = random.Random(seed)
    match = gramy.match(TEAM, seed=seed, players=2 + seed % 4, starter="lot")
    compared = 0
    while match.outcome is None:
        for seat in range(match.game.players):
            for phrase in card_phrases(match.view(seat), match.history(seat), heights=bool(seed % 3)):
                match.say(phrase, seat)
        match.play(rng.choice(match.moves()))
        lines = [
            {"seat": entry.seat, "move": entry.text, "events": [{"key": e.key, "values": e.values} for e in events]}
            for entry, events in zip(match.log, match.events_by_line, strict=True)
        ]
        shown = {seat: {MEANINGS[one] for one in phrases} for seat, phrases in page.evaluate(STANDING, lines)}
        known = {seat: set(meant) for seat, meant in statements(match.history(None)).cards.items() if meant}
        assert {seat: meant for seat, meant in shown.items() if meant} == known
        compared += 1
    assert compared > 3


def test_the_heights_are_those_of_the_rules(users: Users) -> None:
    heights = users.open_page("/").evaluate("async () => (await import('/static/games/quick-easy-said.js')).HEIGHTS")
    numbers = {word: [card % 10 + 1 for card in range(10) if band(card) == word] for word in BANDS}
    assert heights == numbers
