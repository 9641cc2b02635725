"""The phrases of Quick & Easy: which ones a bot says, and what they mean.

A bot says what is true of its own cards, as soon as it is true, and nothing else:
- a colour, for each kind of card that it has not described yet; in the base game with the height (one of five bands);
- in the pro game, where heights are forbidden, `turn` for a pile that a card of the pile's colour leads back, and
  `mine` for a pile that it can follow in a step or two.
A phrase thus depends on the colours and bands of the own hand, and on what the hand can do with the piles; two cards of
one colour and band are described alike. In the base game bots say nothing of piles: with a band it could reveal a
number. A description stands until its speaker lays a card that it describes.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from gramy.bots.protocol import seat_of
from gramy.cards import count, from_positions, replace_at
from gramy.contract import View
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import COLOURS, DECK, PILES, State, band, colour, format_card, higher, lower, start
from gramy.matches import Entry
from gramy.options import parse_options

SILENT, COLOUR, BAND, PILE = range(4)
"""The styles of talk: nothing, the colours of cards, colours and heights, or colours and piles."""

CARDS = {format_card(card): card for card in range(50)}


def description(card: int) -> str:
    """Return the phrase that says as much of a card as the base game allows."""
    return f"{COLOURS[card // 10]} {band(card)}"


MEANINGS = {name: colour(index) for index, name in enumerate(COLOURS)} | {
    description(card): from_positions([other for other in range(50) if description(other) == description(card)])
    for card in range(50)
}
"""For each phrase about a card, the set that the card is from."""

PILE_PHRASES = {f"{verb} {pile}": (verb, pile) for verb in ("mine", "turn") for pile in PILES}
CLOSE = 2
"""Steps up to which a card follows a pile closely."""


def announced_set(phrase: str, top: int) -> int:
    """Return the cards with which a phrase about a pile is true: those that turn it, or follow it closely."""
    verb, pile = PILE_PHRASES[phrase]
    rank = top % 10
    if verb == "turn":
        return colour(top // 10) & (lower(rank) if pile == "up" else higher(rank))
    if pile == "up":
        return higher(rank) & lower(min(rank + CLOSE + 1, 10))
    return lower(rank) & ~lower(max(rank - CLOSE, 0))


class Statements(NamedTuple):
    """The statements that still stand: for each seat the sets that its cards are from, and the piles that it has asked
    for; and all cards that were laid."""

    cards: dict[int, list[int]]
    piles: dict[int, set[str]]
    laid: int


def statements(history: tuple[Entry, ...]) -> Statements:
    """Return what still stands of what was said. Laying a card ends its description and the speaker's requests."""
    cards: dict[int, list[int]] = {}
    piles: dict[int, set[str]] = {}
    laid = 0
    for seat, text, _ in history:
        verb, _, words = text.partition(" ")
        said = cards.setdefault(seat, [])
        if verb == "say" and words in MEANINGS:
            meant = MEANINGS[words]
            if not any(other & meant == other for other in said):
                said[:] = [other for other in said if other & meant != meant] + [meant]
        elif verb == "say":
            piles.setdefault(seat, set()).add(words.split()[1])
        elif verb in PILES:
            card = 1 << CARDS[words]
            laid |= card
            piles.pop(seat, None)
            if about := [meant for meant in said if meant & card]:
                said.remove(min(about, key=count))
    return Statements(cards, piles, laid)


def visible_state(view: View) -> State:
    """Return the state as the seat sees it: its own hand and the tops. All cards that it cannot see are in the deck."""
    board, seat = view.board, seat_of(view)
    up, down = (1 << CARDS[top] if top else 0 for top in (board.up, board.down))
    hand = from_positions([CARDS[word] for word in board.hand])
    elsewhere = board.in_deck + sum(board.in_hand) > len(board.hand)
    fresh = start(parse_options(RULES, view.options))
    hands, deck = replace_at(fresh.hands, seat, hand), DECK & ~(hand | up | down) if elsewhere else 0
    return fresh._replace(up=up, down=down, hands=hands, deck=deck, seat=seat, laid=board.laid, draw=0, agreed=0)


def card_phrases(view: View, history: tuple[Entry, ...], heights: bool) -> tuple[str, ...]:
    """Return the phrases for the cards of the own hand that no statement of the seat covers yet."""
    if view.outcome is not None:
        return ()
    seat = seat_of(view)
    said = statements(tuple(entry for entry in history if entry[0] == seat)).cards.get(seat, [])
    hand = [CARDS[word] for word in view.board.hand]
    heights = heights and view.options["pro"] == "off"
    phrases = [description(card) if heights else COLOURS[card // 10] for card in hand]
    return tuple(dict.fromkeys(phrase for phrase in phrases if MEANINGS[phrase] not in said))


def pile_phrases(view: View, history: tuple[Entry, ...]) -> tuple[str, ...]:
    """Return the phrases about piles that are true of the own hand, and that the seat has not said since the pile
    changed or since it laid a card."""
    if view.outcome is not None:
        return ()
    seat = seat_of(view)
    hand = from_positions([CARDS[word] for word in view.board.hand])
    tops = {"up": view.board.up, "down": view.board.down}
    true = [
        phrase
        for phrase, (_, pile) in PILE_PHRASES.items()
        if tops[pile] and hand & announced_set(phrase, CARDS[tops[pile]])
    ]
    unsaid, changed = set(true), set[str]()
    for speaker, text, _ in reversed(history):
        verb, _, words = text.partition(" ")
        if verb in PILES:
            changed.add(verb)
        elif verb == "say" and speaker == seat and words in unsaid and PILE_PHRASES[words][1] not in changed:
            unsaid.remove(words)
        if not unsaid or len(changed) == len(PILES) or (verb in PILES and speaker == seat):
            break
    return tuple(phrase for phrase in true if phrase in unsaid)


def say_vaguely(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return the colours of the own cards that were not said yet, and nothing of heights or piles."""
    return card_phrases(view, history, heights=False)


def say_literally(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return all that the rules allow to say of the own cards: heights in the base game, piles in the pro game."""
    about_piles = pile_phrases(view, history) if view.options["pro"] == "on" else ()
    return card_phrases(view, history, heights=True) + about_piles
