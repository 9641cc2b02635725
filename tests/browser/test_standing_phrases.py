"""What was said in Quick & Easy and still holds, as the page works it out from the log."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

import gramy
from gramy.bots.quick_easy.talk import MEANINGS, card_phrases, statements
from gramy.games.quick_easy.rules import BANDS, band
from tests.browser.users import Users

TEAM = "quick-easy"
STANDING = """async (lines) => {
  const { standingPhrases } = await import('/static/games/quick-easy-said.js');
  return [...standingPhrases(lines)].map(([seat, said]) => [seat, said.map(({ phrase }) => phrase)]);
}"""


def dealt(seat: int, number: int = 2) -> dict[str, Any]:
    return {"seat": 6, "move": "deal ?", "events": [event("dealt", seat=seat, number=number)]}


def event(key: str, **values: Any) -> dict[str, Any]:
    return {"key": key, "values": values, "game": TEAM}


def said(seat: int, phrase: str) -> dict[str, Any]:
    return {"seat": seat, "move": f"say {phrase}", "events": [event("said", seat=seat, phrase=phrase)]}


def laid(seat: int, pile: str, card: str, top: str | None = None) -> dict[str, Any]:
    return {"seat": seat, "move": f"{pile} {card}", "events": [event("laid", seat=seat, card=card, on=pile, top=top)]}


def undone(seat: int) -> dict[str, Any]:
    return {"seat": seat, "move": "undo", "events": [event("undone", seat=seat, move="?")]}


TALK: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "both cards": ([said(0, "red low"), said(0, "blue high")], ["red low", "blue high"]),
    "the end of a turn changes nothing": (
        [said(0, "red low"), said(0, "blue high"), laid(0, "up", "R1"), dealt(0, 1), dealt(1, 0)],
        ["blue high"],
    ),
    "a card that does not fit leaves it": ([said(0, "red low"), laid(0, "up", "R3")], ["red low"]),
    "another colour leaves it": ([said(0, "red"), laid(0, "up", "G3")], ["red"]),
    "a colour ends with any height": ([said(0, "red"), laid(0, "up", "R9")], []),
    "a partner's card leaves it": ([said(0, "red low"), dealt(1), laid(1, "up", "R1")], ["red low"]),
    "an empty hand ends everything": ([said(0, "red low"), laid(0, "up", "G3"), laid(0, "down", "G9")], []),
    "a card taken back brings it back": ([said(0, "red low"), laid(0, "up", "R1"), undone(0)], ["red low"]),
    "two cards taken back": (
        [said(0, "red low"), laid(0, "up", "R1"), laid(0, "up", "G2"), undone(0), undone(0)],
        ["red low"],
    ),
    "what was said before taking back stays": (
        [said(0, "red low"), laid(0, "up", "R1"), said(0, "blue"), undone(0)],
        ["red low", "blue"],
    ),
    "more exact": ([said(0, "red"), said(0, "red low")], ["red low"]),
    "less exact": ([said(0, "red low"), said(0, "red")], ["red low"]),
    "said twice": ([said(0, "red low"), said(0, "blue"), said(0, "red low")], ["blue", "red low"]),
    "a third card takes back the same colour": (
        [said(0, "blue high"), said(0, "red low"), said(0, "red high")],
        ["blue high", "red high"],
    ),
    "a third card takes back the oldest": (
        [said(0, "blue high"), said(0, "red low"), said(0, "green")],
        ["red low", "green"],
    ),
    "one card left": ([said(0, "blue"), laid(0, "up", "G1"), said(0, "red")], ["red"]),
    "piles": ([said(0, "mine up"), said(0, "turn down"), laid(0, "up", "R1")], ["turn down"]),
    "a wish survives the partner's card": ([said(0, "mine up"), dealt(1), laid(1, "up", "R1")], ["mine up"]),
    "the same colour can still be turned": (
        [said(0, "turn up"), dealt(1), laid(1, "up", "R5", "R4")],
        ["turn up"],
    ),
    "another colour cannot": ([said(0, "turn up"), dealt(1), laid(1, "up", "G5", "R4")], []),
}


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
