"""A good listener's knowledge of everybody's cards: what was said of them, and what was not.

Silence tells something only of a seat that has proved talkative. Whoever described every card before laying it, and
before anybody else laid one, holds no card of another kind when he is silent about one; whoever announced every card
that turned or closely followed a pile has none when he announces none. A person who says little, or says it late, is
taken to hold anything.
"""

from __future__ import annotations

from typing import NamedTuple

from gramy.bots.quick_easy.talk import BAND, CARDS, COLOUR, MEANINGS, PILE, SILENT, WISHES, heard, wanted
from gramy.cards import code_of, count
from gramy.contract import View
from gramy.games.quick_easy.rules import DECK, DOWN, HAND, PILES, UP
from gramy.matches import Entry

PROOF = 2
"""A seat that described so many cards before laying them, and every one, is taken at its silence."""


class Past(NamedTuple):
    """A turn in which one card was laid and one kept: the tops before (0 for none), what was laid by then, the move."""

    up: int
    down: int
    laid: int
    move: int


class Known(NamedTuple):
    """For each seat, what each of its cards may be, how it talks, and its turns since its hand was all new; all that
    was laid."""

    cards: list[list[int]]
    manners: list[int]
    pasts: list[tuple[Past, ...]]
    laid: int


class Voice:
    """What one seat has told of its cards, and how far its silence can be trusted."""

    def __init__(self) -> None:
        self.cards = [DECK] * HAND
        self.wishes: set[str] = set()
        self.manner = SILENT
        self.described = self.undescribed = self.announced = self.unannounced = 0
        self.waiting = self.late = False

    def describe(self, meant: int, words: int) -> None:
        """A card is of this kind: one that was described less closely, or not at all."""
        self.manner = max(self.manner, words)
        if not any(cards & meant == cards for cards in self.cards):
            vague = [at for at, cards in enumerate(self.cards) if cards & meant]
            if vague:
                at = min(vague, key=lambda at: count(self.cards[at]))
                self.late |= self.waiting and self.cards[at] == DECK
                self.cards[at] &= meant

    def announce(self, wish: str, meant: int) -> None:
        """A card is among these; which one is plain when only one can be."""
        self.wishes.add(wish)
        able = [at for at, cards in enumerate(self.cards) if cards & meant]
        if len(able) == 1:
            self.cards[able[0]] &= meant

    def stay_silent(self, meant: dict[str, int]) -> None:
        """No card is among those that would have been announced."""
        if self.talkative:
            for wish, cards in meant.items():
                if wish not in self.wishes:
                    self.cards = [card & ~cards or card for card in self.cards]

    def lay(self, card: int, wishes: list[str]) -> None:
        """A card is laid that these wishes would have announced."""
        able = [at for at, cards in enumerate(self.cards) if cards >> card & 1]
        if self.cards:
            was = self.cards.pop(min(able, key=lambda at: count(self.cards[at])) if able else 0)
            self.described += was != DECK
            self.undescribed += was == DECK
        self.waiting = False
        missed = [wish for wish in wishes if wish not in self.wishes]
        self.announced += len(wishes) - len(missed)
        self.unannounced += len(missed)
        self.wishes.clear()

    @property
    def talkative(self) -> bool:
        """Whether this seat announces what it can do with a pile."""
        return self.announced > 0 and self.unannounced == 0 and not self.late

    @property
    def thorough(self) -> bool:
        """Whether this seat describes every kind of card that it holds."""
        return self.described >= PROOF and self.undescribed == 0 and not self.late

    def held(self, size: int) -> list[int]:
        """What each of so many cards may be."""
        cards = sorted(self.cards, key=count)[:size]
        cards += [DECK] * (size - len(cards))
        if self.thorough and len(cards) == HAND and cards[0] != DECK == cards[1]:
            cards[1] = next(meant for meant in KINDS[self.manner] if cards[0] & meant)
        return cards


KINDS = {
    COLOUR: [meant for phrase, meant in MEANINGS.items() if " " not in phrase],
    BAND: [meant for phrase, meant in MEANINGS.items() if " " in phrase],
}


def listened(view: View, history: tuple[Entry, ...]) -> Known:
    """What everybody knows of everybody's cards by now."""
    voices = [Voice() for _ in view.board.in_hand]
    pasts: list[tuple[Past, ...]] = [() for _ in voices]
    tops = [0, 0]
    meant: dict[str, int] = {}
    laid, turn = 0, False
    for seat, text, _ in history:
        verb, _, words = text.partition(" ")
        if verb == "say" and words in MEANINGS:
            voices[seat].describe(MEANINGS[words], len(words.split()))
        elif verb == "say":
            voices[seat].announce(words, meant.get(words, 0))
        elif verb in PILES:
            card = CARDS[words]
            for voice in voices:
                voice.stay_silent(meant)
                voice.waiting |= DECK in voice.cards
            voices[seat].lay(
                card, [wish for wish, cards in meant.items() if wish.endswith(f" {verb}") and cards >> card & 1]
            )
            pile = PILES.index(verb)
            past = Past(tops[UP], tops[DOWN], laid, code_of(pile, card))
            pasts[seat] = () if turn else (*pasts[seat], past)
            laid, turn = laid | 1 << card, True
            tops[pile] = 1 << card
            for wish in WISHES:
                if wish.endswith(f" {verb}"):
                    meant[wish] = wanted(wish, card)
                    for voice in voices:
                        voice.wishes.discard(wish)
        elif verb == "end":
            turn = False
            voices[seat].cards += [DECK] * (HAND - len(voices[seat].cards))
    for voice in voices:
        voice.stay_silent(meant)
    cards = [voice.held(size) for voice, size in zip(voices, view.board.in_hand, strict=True)]
    manners = [PILE if voice.talkative and voice.manner == COLOUR else voice.manner for voice in voices]
    return Known(cards, manners, pasts, laid)


def heard_only(view: View, history: tuple[Entry, ...]) -> Known:
    """What was said in so many words, and only of cards."""
    told = heard(history)
    cards = [[*told.cards.get(seat, []), *[DECK] * size][:size] for seat, size in enumerate(view.board.in_hand)]
    return Known(cards, [_manner(held) for held in cards], [() for _ in cards], told.laid)


def _manner(held: list[int]) -> int:
    """How somebody seems to talk by what is known of his cards."""
    least = min(held, key=count, default=DECK)
    if least == DECK:
        return SILENT
    return BAND if least in KINDS[BAND] else COLOUR
