"""What partners have said and what of it still holds, and the phrases to choose from. Only public facts count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gramy.contract import DEALER
from gramy.games.quick_easy.rules import COLOURS, LETTERS
from gramy.terminal.scene import LogRow
from gramy.terminal.words import Words

SIGNS = {"red": "▲", "blue": "●", "green": "♣", "yellow": "★", "grey": "■", "up": "↑", "down": "↓"}
"""A symbol for each colour, so that nobody needs to tell colours apart, and one for each pile."""
HEIGHTS = {"low": (1, 2), "lowish": (3, 4), "middle": (5, 6), "highish": (7, 8), "high": (9, 10)}
"""The lowest and the highest number that the word of a height means."""


def standing_phrases(log: Sequence[LogRow]) -> dict[int, list[str]]:
    """Return what each seat has said and what still holds, the oldest phrase first.

    A phrase about a card holds until its speaker lays a card that fits it, one about a pile until its speaker lays a
    card there. A more exact phrase about a colour replaces the plain one.
    """
    standing: dict[int, list[str]] = {}
    before: dict[int, list[str]] = {}
    for row in log:
        for event in row.events:
            seat = event.values.get("seat", DEALER)
            if event.key == "said":
                phrase = event.values["phrase"]
                kept = [one for one in standing.get(seat, []) if one != phrase and not phrase.startswith(f"{one} ")]
                standing[seat] = [*kept, phrase]
            elif event.key == "laid":
                before[seat] = standing.get(seat, [])
                standing[seat] = _after_card(before[seat], event.values["card"], event.values["on"])
            elif event.key == "undone":
                standing[seat] = before.get(seat, standing.get(seat, []))
    return standing


def _after_card(said: list[str], card: str, pile: str) -> list[str]:
    """Return a speaker's phrases after they have laid a card."""
    described = next((phrase for phrase in said if describes(phrase, card)), None)
    return [phrase for phrase in said if phrase != described and not phrase.endswith(f" {pile}")]


def describes(phrase: str, card: str) -> bool:
    """Return whether a phrase about a card describes this one."""
    colour, _, height = phrase.partition(" ")
    lowest, highest = HEIGHTS.get(height, (1, 10))
    return colour == COLOURS[LETTERS.index(card[0])] and lowest <= int(card[1:]) <= highest


class Phrasebook(NamedTuple):
    """The phrases of a table, for a person with this hand and these tops of the piles."""

    phrases: tuple[str, ...]
    words: Words
    hand: tuple[str, ...]
    tops: Mapping[str, str | None]

    def rows(self) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """Return the phrases in rows: the style and the title of each, and its phrases with short labels."""
        topics = [(colour, self._about(colour)) for colour in COLOURS]
        wishes = [self._about(wish) for wish in dict.fromkeys(phrase.split()[0] for phrase in self.phrases)]
        rows = [
            (f"{colour}.text", f"{SIGNS[colour]} {self.words.words(colour)}", self._labelled(found))
            for colour, found in topics
            if found
        ]
        piles = [("bold", "↑ ↓", self._labelled(found)) for found in wishes if found[0].split()[0] not in COLOURS]
        return [*rows, *piles]

    def _about(self, topic: str) -> list[str]:
        """Return the phrases that begin with a word."""
        return [phrase for phrase in self.phrases if phrase.split()[0] == topic]

    def _labelled(self, phrases: list[str]) -> list[tuple[str, str]]:
        return [(phrase, self._label(phrase)) for phrase in phrases]

    def _label(self, phrase: str) -> str:
        first, _, second = phrase.partition(" ")
        if first in COLOURS:
            return self.words.board("board_band", band=second or "any")
        return f"{SIGNS[second]} {self.words.board('board_wish', wish=first)}"

    def short(self, phrase: str) -> tuple[str, str]:
        """Return a phrase as a symbol and a word, with its style."""
        first, _, second = phrase.partition(" ")
        if first in COLOURS:
            height = f" {self.words.board('board_band', band=second)}" if second else ""
            return f"{SIGNS[first]}{height}", f"{first}.text"
        return f"{SIGNS[second]} {self.words.board('board_wish_short', wish=first)}", "accent"

    def doubt(self, phrase: str) -> str | None:
        """Return what is not true about a phrase, given the hand; None if it is true or a wish."""
        first, _, second = phrase.partition(" ")
        if first in COLOURS:
            true = any(describes(phrase, card) for card in self.hand)
        else:
            true = first != "turn" or any(self._turns(card, second) for card in self.hand)
        return None if true else self.words.board("board_untrue", phrase=phrase)

    def _turns(self, card: str, pile: str) -> bool:
        top = self.tops[pile]
        if top is None or card[0] != top[0]:
            return False
        steps = int(card[1:]) - int(top[1:])
        return steps < 0 if pile == "up" else steps > 0
