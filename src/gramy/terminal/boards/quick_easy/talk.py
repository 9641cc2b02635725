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


class Spoken(NamedTuple):
    """A phrase, and the line of the log in which it was said."""

    phrase: str
    line: int


def standing_phrases(log: Sequence[LogRow]) -> dict[int, list[str]]:
    """Return what each seat has said and what still holds, the oldest phrase first; the browser has the same rule.

    A phrase about a card holds until its speaker lays a card that fits it, or says something else about it. A phrase
    about a pile holds until its speaker lays a card there; “I can turn it back” also until the pile has another
    colour. Whoever has laid all cards has said nothing about the next ones. A card that was taken back was never laid.
    """
    standing: dict[int, list[Spoken]] = {}
    held: dict[int, int] = {}  # how many cards each seat has
    undone = _undone_lines(log)
    for line, row in enumerate(log):
        for event in row.events if line not in undone else ():
            seat, values = event.values.get("seat", DEALER), event.values
            cards = held.get(seat, 0)
            if event.key == "dealt":
                held[seat] = cards + values["number"]
            elif event.key == "said":
                standing[seat] = _after_phrase(standing.get(seat, []), Spoken(values["phrase"], line), cards)
            elif event.key == "laid":
                held[seat] = cards - 1
                standing[seat] = _after_own_card(standing.get(seat, []), values["card"], values["on"])
                if values["top"] is None or values["top"][0] != values["card"][0]:
                    gone = f"turn {values['on']}"
                    standing = {one: [said for said in all if said.phrase != gone] for one, all in standing.items()}
                if cards == 1:
                    del standing[seat]
    return {seat: [said.phrase for said in all] for seat, all in standing.items()}


def _undone_lines(log: Sequence[LogRow]) -> set[int]:
    """Return the lines of cards that were taken back."""
    undone: set[int] = set()
    laid: dict[int, list[int]] = {}  # the lines of the cards that each seat has laid and not taken back
    for line, row in enumerate(log):
        keys = [event.key for event in row.events]
        if "undone" in keys and laid.get(row.seat):
            undone.add(laid[row.seat].pop())
        elif "laid" in keys:
            laid.setdefault(row.seat, []).append(line)
    return undone


def _is_about_card(phrase: str) -> bool:
    return phrase.split()[0] in COLOURS


def _after_phrase(said: list[Spoken], new: Spoken, cards: int) -> list[Spoken]:
    """Return a speaker's phrases after another one. Fewer cards than descriptions: the older ones are taken back."""
    colour, _, height = new.phrase.partition(" ")
    others = [one for one in said if one.phrase != new.phrase and not (height and one.phrase == colour)]
    if not _is_about_card(new.phrase):
        return [*others, new]
    if not height and any(one.phrase.startswith(f"{colour} ") for one in others):
        return said  # it says less than what was said before
    about = [one for one in others if _is_about_card(one.phrase)]
    # Of those that go, first the ones about the same colour, and of these the oldest.
    about.sort(key=lambda one: (not one.phrase.startswith(colour), one.line))
    gone = about[: max(0, len(about) + 1 - max(1, cards))]
    return [*(one for one in others if one not in gone), new]


def _after_own_card(said: list[Spoken], card: str, pile: str) -> list[Spoken]:
    """Return a speaker's phrases after they have laid a card."""
    described = next((one for one in said if describes(one.phrase, card)), None)
    return [one for one in said if one != described and one.phrase.partition(" ")[2] != pile]


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
