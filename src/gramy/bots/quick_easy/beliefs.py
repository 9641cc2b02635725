"""What is known of the hidden cards of Quick & Easy, from what was said, what was not said, and what was laid.

Silence is evidence only from a seat that has proved talkative. A seat that described every card before laying it, and
before any other seat laid one, holds no second kind of card when it describes only one. A seat that announced every
card with which it turned or closely followed a pile has no such card when it announces none. A seat that says little,
or says it late, may hold anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from gramy.bots.quick_easy.partners import LIKE_ME, MODELS, NO_CARD
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
from gramy.cards import bit_of, code_of, count, positions, row_of
from gramy.contract import View
from gramy.games.quick_easy.rules import DECK, HAND, PILES, State
from gramy.matches import Entry

PROOF = 2
"""Described cards after which the silence of a seat is evidence, if it has described every card."""


class Recognition(NamedTuple):
    """How a seat plays: the weight of each model, and for each model how likely it has kept each card (empty if the
    seat kept none, or if that is unknown)."""

    weights: tuple[int, ...]
    kept: tuple[tuple[int, ...], ...]


class ObservedTurn(NamedTuple):
    """A turn of a seat as all players saw it: the tops before it (0 for none), all cards laid before, and its one or
    two moves. `kept` is the set that the kept card is from, 0 if there was none; `hands` are the sets that all
    knew every seat's cards to be from."""

    seat: int
    up: int
    down: int
    laid: int
    first: int
    second: int
    kept: int
    hands: tuple[tuple[int, ...], ...]


class Knowledge(NamedTuple):
    """For each seat: the sets that its cards are from, its style of talk, and the one of these sets that a card kept
    since its last turn is from (0 if it kept none, or if nothing is inferred). And the turns of all seats, in order,
    and all cards that were laid."""

    cards: list[list[int]]
    styles: list[int]
    kept: list[int]
    turns: tuple[ObservedTurn, ...]
    laid: int


class SpeakerModel:
    """What one seat has said of its cards, and whether its silence is evidence."""

    def __init__(self) -> None:
        self.cards = [DECK] * HAND
        self.announcements: set[str] = set()
        self.style = SILENT
        self.described = self.undescribed = self.announced = self.unannounced = 0
        self.waiting = self.late = self.keeps_first = False

    def describe(self, meant: int, words: int) -> None:
        """Note a description: it narrows down the card that was described most closely, of those that it can mean; of
        equal ones the newest, because the other could have been described before."""
        self.style = max(self.style, words)
        if not any(cards & meant == cards for cards in self.cards):
            vague = [at for at, cards in enumerate(self.cards) if cards & meant]
            if vague:
                at = min(vague, key=lambda at: (count(self.cards[at]), -at))
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

    def end_turn(self) -> None:
        """Note the end of a turn: the seat draws behind the card that it has kept."""
        self.keeps_first = len(self.cards) == 1
        self.cards += [DECK] * (HAND - len(self.cards))

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


class TurnRecorder:
    """Collects the turns of a history while it is read."""

    def __init__(self, view: View, history: tuple[Entry, ...]) -> None:
        laid, drawn = [0] * len(view.board.in_hand), [0] * len(view.board.in_hand)
        seat = None
        for player, text, _ in history:
            verb, _, words = text.partition(" ")
            if verb in PILES:
                laid[player] += 1
            elif verb == "end":
                seat = player
            elif verb == "deal" and seat is not None:
                drawn[seat] += len(words.split())
        self.sizes = [now + out - new for now, out, new in zip(view.board.in_hand, laid, drawn, strict=True)]
        self.in_deck = view.board.in_deck + sum(drawn)
        self.turns: list[ObservedTurn] = []
        self.tops = [0, 0]
        self.laid = 0
        self.begun: ObservedTurn | None = None

    def lay(self, seat: int, move: int, speakers: Sequence[SpeakerModel]) -> None:
        """Note a card before it is laid."""
        if self.begun is None:
            hands = tuple(tuple(one.hand(size)) for one, size in zip(speakers, self.sizes, strict=True))
            up, down = self.tops
            self.begun = ObservedTurn(seat, up, down, self.laid, move, NO_CARD, 0, hands)
        else:
            self.begun = self.begun._replace(second=move)
        card = 1 << bit_of(move)
        self.tops[row_of(move)] = card
        self.laid |= card
        self.sizes[seat] -= 1

    def end(self, seat: int, speaker: SpeakerModel) -> None:
        """Note the end of a turn, before the draw."""
        if self.begun is not None:
            kept = speaker.hand(self.sizes[seat])
            self.turns.append(self.begun._replace(kept=kept[0] if kept else 0))
        self.begun = None
        drawn = min(HAND - self.sizes[seat], self.in_deck)
        self.sizes[seat] += drawn
        self.in_deck -= drawn


def infer(view: View, history: tuple[Entry, ...]) -> Knowledge:
    """Return what everybody knows of everybody's cards, silence included."""
    speakers = [SpeakerModel() for _ in view.board.in_hand]
    recorder = TurnRecorder(view, history)
    meant: dict[str, int] = {}
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
            recorder.lay(seat, code_of(PILES.index(verb), card), speakers)
            speakers[seat].lay(
                card, [phrase for phrase, cards in meant.items() if phrase.endswith(f" {verb}") and cards >> card & 1]
            )
            for phrase in PILE_PHRASES:
                if phrase.endswith(f" {verb}"):
                    meant[phrase] = announced_set(phrase, card)
                    for speaker in speakers:
                        speaker.announcements.discard(phrase)
        elif verb == "end":
            recorder.end(seat, speakers[seat])
            speakers[seat].end_turn()
    for speaker in speakers:
        speaker.stay_silent(meant)
    cards = [speaker.hand(size) for speaker, size in zip(speakers, view.board.in_hand, strict=True)]
    styles = [PILE if speaker.talkative and speaker.style == COLOUR else speaker.style for speaker in speakers]
    kept = [speaker.cards[0] if speaker.keeps_first and speaker.cards else 0 for speaker in speakers]
    return Knowledge(cards, styles, kept, tuple(recorder.turns), recorder.laid)


def take_literally(view: View, history: tuple[Entry, ...]) -> Knowledge:
    """Return what was said of cards, without any inference."""
    said = statements(history)
    cards = [[*said.cards.get(seat, []), *[DECK] * size][:size] for seat, size in enumerate(view.board.in_hand)]
    return Knowledge(cards, [_style(hand) for hand in cards], [0] * len(cards), (), said.laid)


def _style(hand: list[int]) -> int:
    """Return the style of talk that explains what is known of a hand."""
    closest = min(hand, key=count, default=DECK)
    if closest == DECK:
        return SILENT
    return BAND if closest in KINDS[BAND] else COLOUR


def beliefs_of(knowledge: Knowledge, state: State, recognised: Sequence[Recognition] = ()) -> Beliefs:
    """Return a seat's beliefs for sampled deals. Cards with few candidates come first, since they are dealt first.

    `recognised` says for each seat how it plays, and which card it has probably kept; by default every seat plays like
    the own one, and may have kept any card that agrees with what it said.
    """
    slots = [(cards, other) for other, hand in enumerate(knowledge.cards) if other != state.seat for cards in hand]
    slots.sort(key=lambda slot: count(slot[0] & state.deck))
    own_known = array("q", [DECK] * 50)
    own = knowledge.cards[state.seat]
    for card in positions(state.hands[state.seat]):
        own_known[card] = min([cards for cards in own if cards >> card & 1], key=count, default=DECK)
    likelihoods = array("q", [0] * 50 * len(slots) * MODELS)
    posterior = array("q", [0] * 6 * MODELS)
    for other, recognition in enumerate(recognised):
        if other != state.seat:
            posterior[other * MODELS : (other + 1) * MODELS] = array("q", recognition.weights)
        if recognition.kept and (knowledge.kept[other], other) in slots:
            slot = slots.index((knowledge.kept[other], other))
            for model, kept in enumerate(recognition.kept):
                at = 50 * (model * len(slots) + slot)
                likelihoods[at : at + 50] = array("q", kept)
    return Beliefs(
        holders=array("q", [other for _, other in slots]),
        candidates=array("q", [cards for cards, _ in slots]),
        likelihoods=likelihoods,
        posterior=posterior,
        styles=array("q", [*knowledge.styles, *[SILENT] * 6][:6]),
        own_known=own_known,
        known=array("q", [DECK] * 50),
        deck=array("q", [0] * 50),
        dealt_known=array("q", [DECK] * 50),
        models=array("q", [LIKE_ME] * 6),
    )
