"""What is known of the hidden cards of Quick & Easy, from what was said, what was not said, and what was laid.

Silence is evidence only from a seat that has proved talkative. A seat that described every card before laying it, and
before any other seat laid one, holds no second kind of card when it describes only one. A seat that announced every
card with which it turned or closely followed a pile has no such card when it announces none. A seat that says little,
or says it late, may hold anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gramy.bots.kernel import is_compiled, kernel
from gramy.bots.quick_easy import rollouts
from gramy.bots.quick_easy.evaluation import new_evaluator, package_weights
from gramy.bots.quick_easy.rollouts import Beliefs
from gramy.bots.quick_easy.talk import (
    BAND,
    CARDS,
    COLOUR,
    MEANINGS,
    PILE,
    PILE_PHRASES,
    SILENT,
    announced_set,
    statements,
)
from gramy.cards import bit_of, code_of, count, positions, replace_at
from gramy.contract import View
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import DECK, DOWN, HAND, PILES, UP, State
from gramy.matches import Entry

PROOF = 2
"""Described cards after which the silence of a seat is evidence, if it has described every card."""

MAX_LIKELIHOOD = 1000
"""The likelihood of the likeliest card. Cards that are 2000 times less likely are rounded to 0."""


class SingleCardTurn(NamedTuple):
    """A turn in which a seat laid one card and kept one: the tops before (0 for none), all cards laid before, and the
    move."""

    up: int
    down: int
    laid: int
    move: int


class Knowledge(NamedTuple):
    """For each seat: the sets that its cards are from, its style of talk, and its single-card turns since both of its
    cards were new. And all cards that were laid."""

    cards: list[list[int]]
    styles: list[int]
    turns: list[tuple[SingleCardTurn, ...]]
    laid: int


class SpeakerModel:
    """What one seat has said of its cards, and whether its silence is evidence."""

    def __init__(self) -> None:
        self.cards = [DECK] * HAND
        self.announcements: set[str] = set()
        self.style = SILENT
        self.described = self.undescribed = self.announced = self.unannounced = 0
        self.waiting = self.late = False

    def describe(self, meant: int, words: int) -> None:
        """Note a description: it narrows down the card that was described most closely, of those that it can mean."""
        self.style = max(self.style, words)
        if not any(cards & meant == cards for cards in self.cards):
            vague = [at for at, cards in enumerate(self.cards) if cards & meant]
            if vague:
                at = min(vague, key=lambda at: count(self.cards[at]))
                self.late |= self.waiting and self.cards[at] == DECK
                self.cards[at] &= meant

    def announce(self, phrase: str, meant: int) -> None:
        """Note a phrase about a pile: one card is in this set. If only one card can be, it is that one."""
        self.announcements.add(phrase)
        able = [at for at, cards in enumerate(self.cards) if cards & meant]
        if len(able) == 1:
            self.cards[able[0]] &= meant

    def stay_silent(self, meant: dict[str, int]) -> None:
        """Note silence: no card is in a set that the seat would have announced."""
        if self.talkative:
            for phrase, cards in meant.items():
                if phrase not in self.announcements:
                    self.cards = [card & ~cards or card for card in self.cards]

    def lay(self, card: int, phrases: list[str]) -> None:
        """Note that the seat lays a card, which these phrases would have announced."""
        able = [at for at, cards in enumerate(self.cards) if cards >> card & 1]
        if self.cards:
            was = self.cards.pop(min(able, key=lambda at: count(self.cards[at])) if able else 0)
            self.described += was != DECK
            self.undescribed += was == DECK
        self.waiting = False
        missed = [phrase for phrase in phrases if phrase not in self.announcements]
        self.announced += len(phrases) - len(missed)
        self.unannounced += len(missed)
        self.announcements.clear()

    @property
    def talkative(self) -> bool:
        """Whether this seat announces what it can do with a pile."""
        return self.announced > 0 and self.unannounced == 0 and not self.late

    @property
    def thorough(self) -> bool:
        """Whether this seat describes every kind of card that it holds."""
        return self.described >= PROOF and self.undescribed == 0 and not self.late

    def hand(self, size: int) -> list[int]:
        """Return the set that each card of a hand of this size is from."""
        cards = sorted(self.cards, key=count)[:size]
        cards += [DECK] * (size - len(cards))
        if self.thorough and len(cards) == HAND and cards[0] != DECK == cards[1]:
            cards[1] = next(meant for meant in KINDS[self.style] if cards[0] & meant)
        return cards


KINDS = {
    COLOUR: [meant for phrase, meant in MEANINGS.items() if " " not in phrase],
    BAND: [meant for phrase, meant in MEANINGS.items() if " " in phrase],
}
"""The sets that phrases of a style tell apart."""


def infer(view: View, history: tuple[Entry, ...]) -> Knowledge:
    """Return what everybody knows of everybody's cards, silence included."""
    speakers = [SpeakerModel() for _ in view.board.in_hand]
    turns: list[tuple[SingleCardTurn, ...]] = [() for _ in speakers]
    tops = [0, 0]
    meant: dict[str, int] = {}
    laid, second_card = 0, False
    for seat, text, _ in history:
        verb, _, words = text.partition(" ")
        if verb == "say" and words in MEANINGS:
            speakers[seat].describe(MEANINGS[words], len(words.split()))
        elif verb == "say":
            speakers[seat].announce(words, meant.get(words, 0))
        elif verb in PILES:
            card = CARDS[words]
            for speaker in speakers:
                speaker.stay_silent(meant)
                speaker.waiting |= DECK in speaker.cards
            speakers[seat].lay(
                card, [phrase for phrase, cards in meant.items() if phrase.endswith(f" {verb}") and cards >> card & 1]
            )
            pile = PILES.index(verb)
            turn = SingleCardTurn(tops[UP], tops[DOWN], laid, code_of(pile, card))
            turns[seat] = () if second_card else (*turns[seat], turn)
            laid, second_card = laid | 1 << card, True
            tops[pile] = 1 << card
            for phrase in PILE_PHRASES:
                if phrase.endswith(f" {verb}"):
                    meant[phrase] = announced_set(phrase, card)
                    for speaker in speakers:
                        speaker.announcements.discard(phrase)
        elif verb == "end":
            second_card = False
            speakers[seat].cards += [DECK] * (HAND - len(speakers[seat].cards))
    for speaker in speakers:
        speaker.stay_silent(meant)
    cards = [speaker.hand(size) for speaker, size in zip(speakers, view.board.in_hand, strict=True)]
    styles = [PILE if speaker.talkative and speaker.style == COLOUR else speaker.style for speaker in speakers]
    return Knowledge(cards, styles, turns, laid)


def take_literally(view: View, history: tuple[Entry, ...]) -> Knowledge:
    """Return what was said of cards, without any inference."""
    said = statements(history)
    cards = [[*said.cards.get(seat, []), *[DECK] * size][:size] for seat, size in enumerate(view.board.in_hand)]
    return Knowledge(cards, [_style(hand) for hand in cards], [() for _ in cards], said.laid)


def _style(hand: list[int]) -> int:
    """Return the style of talk that explains what is known of a hand."""
    closest = min(hand, key=count, default=DECK)
    if closest == DECK:
        return SILENT
    return BAND if closest in KINDS[BAND] else COLOUR


def beliefs_of(knowledge: Knowledge, state: State) -> Beliefs:
    """Return a seat's beliefs for sampled deals. Cards with few candidates come first, since they are dealt first.

    What a silent seat has kept is inferred only by compiled functions: plain ones would take longer than a move may.
    """
    slots = [(cards, other) for other, hand in enumerate(knowledge.cards) if other != state.seat for cards in hand]
    slots.sort(key=lambda slot: count(slot[0] & state.deck))
    own_known = array("q", [DECK] * 50)
    own = knowledge.cards[state.seat]
    for card in positions(state.hands[state.seat]):
        own_known[card] = min([cards for cards in own if cards >> card & 1], key=count, default=DECK)
    likelihoods = array("q", [0] * 50 * len(slots))
    for other, turns in enumerate(knowledge.turns if is_compiled() else ()):
        hand = knowledge.cards[other]
        if other != state.seat and turns and hand and all(cards == DECK for cards in hand):
            at = 50 * slots.index((DECK, other))
            likelihoods[at : at + 50] = kept_card_likelihoods(turns, other, state.players, state.pro)
    return Beliefs(
        holders=array("q", [other for _, other in slots]),
        candidates=array("q", [cards for cards, _ in slots]),
        likelihoods=likelihoods,
        styles=array("q", [*knowledge.styles, *[SILENT] * 6][:6]),
        own_known=own_known,
        known=array("q", [DECK] * 50),
        deck=array("q", [0] * 50),
        dealt_known=array("q", [DECK] * 50),
    )


def kept_card_likelihoods(turns: Sequence[SingleCardTurn], seat: int, players: int, pro: int) -> array[int]:
    """Return how likely a silent seat has kept each card, after turns in which it laid just one card.

    In each turn it laid the card that it had kept, or it kept that card and laid the one that it had drawn.
    """
    kept = [1.0] * 50
    for turn in turns:
        laid = kept[bit_of(turn.move)]
        likelihoods = _likelihoods(turn, seat, players, pro)
        kept = [(before + laid) * likelihood for before, likelihood in zip(kept, likelihoods, strict=True)]
        most = max(kept) or 1.0
        kept = [likelihood / most for likelihood in kept]
    return array("q", [round(MAX_LIKELIHOOD * likelihood) for likelihood in kept])


@lru_cache(maxsize=1024)
def _likelihoods(turn: SingleCardTurn, seat: int, players: int, pro: int) -> Sequence[float]:
    """Return, for each card, the likelihood of this turn by a seat that held that card too."""
    laid = 1 << bit_of(turn.move)
    hands = replace_at((0, 0, 0, 0, 0, 0), seat, laid)
    before = State(turn.up, turn.down, hands, DECK & ~(turn.laid | laid), seat, 0, 0, 0, players, pro, 0)
    into, evaluator = array("d", [0.0] * 50), new_evaluator(package_weights(bool(pro)))
    kernel(RULES, rollouts.keep_likelihoods)(before, turn.move, array("q", [DECK] * 50), evaluator, into)
    return into
