"""What is said in Quick & Easy, and what it tells.

A bot says what is true of its own cards, as soon as it is true, and nothing else:
- a colour, for a kind of card it holds that it has not named yet; in the base game with its height (one of five bands);
- in the pro game, where heights are forbidden, `turn` for a pile that a card of its colour leads back, and `mine` for a
  pile that it can follow in a step or two: this is where it wants to lay.
So a phrase is a function of the own hand's colours and bands, and of what the hand can do with the piles; two cards of
one colour and band sound alike. In the base game nothing is said of piles: with a band it could give a number away.
What partners said stands until they lay a card that it describes.
"""

from __future__ import annotations

from typing import NamedTuple

from gramy.bots.protocol import seat_of
from gramy.cards import count, from_positions, replace_at
from gramy.contract import View
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import COLOURS, DECK, PILES, State, band, colour, format_card, higher, lower, start
from gramy.matches import Entry
from gramy.options import parse_options

SILENT, COLOUR, BAND, PILE = range(4)
"""How a seat talks: not at all, of its cards' colours, of their heights too, or of colours and of piles."""

CARDS = {format_card(card): card for card in range(50)}


def described(card: int) -> str:
    """The phrase that says as much of a card as the base game allows."""
    return f"{COLOURS[card // 10]} {band(card)}"


MEANINGS = {name: colour(index) for index, name in enumerate(COLOURS)} | {
    described(card): from_positions([other for other in range(50) if described(other) == described(card)])
    for card in range(50)
}
"""The cards that a phrase may speak of."""


WISHES = {f"{wish} {pile}": (wish, pile) for wish in ("mine", "turn") for pile in PILES}
CLOSE = 2


def wanted(wish: str, top: int) -> int:
    """The cards with which a wish for a pile is true: `turn` with those of its colour that lead it back, `mine` with
    those that follow in a step or two."""
    verb, pile = WISHES[wish]
    rank = top % 10
    if verb == "turn":
        return colour(top // 10) & (lower(rank) if pile == "up" else higher(rank))
    if pile == "up":
        return higher(rank) & lower(min(rank + CLOSE + 1, 10))
    return lower(rank) & ~lower(max(rank - CLOSE, 0))


class Heard(NamedTuple):
    """What the history tells: for each seat the sets that its cards are from, and the piles it wants; what is laid."""

    cards: dict[int, list[int]]
    wishes: dict[int, set[str]]
    laid: int


def heard(history: tuple[Entry, ...]) -> Heard:
    """What still stands of what was said: a card ends the talk about it, and the speaker's wishes."""
    cards: dict[int, list[int]] = {}
    wishes: dict[int, set[str]] = {}
    laid = 0
    for seat, text, _ in history:
        verb, _, words = text.partition(" ")
        said = cards.setdefault(seat, [])
        if verb == "say" and words in MEANINGS:
            meant = MEANINGS[words]
            if not any(other & meant == other for other in said):
                said[:] = [other for other in said if other & meant != meant] + [meant]
        elif verb == "say":
            wishes.setdefault(seat, set()).add(words.split()[1])
        elif verb in PILES:
            card = 1 << CARDS[words]
            laid |= card
            wishes.pop(seat, None)
            if about := [meant for meant in said if meant & card]:
                said.remove(min(about, key=count))
    return Heard(cards, wishes, laid)


def table(view: View) -> State:
    """The table as the seat knows it: its own hand and the tops; the deck stands in for all that it cannot see."""
    board, seat = view.board, seat_of(view)
    up, down = (1 << CARDS[top] if top else 0 for top in (board.up, board.down))
    hand = from_positions([CARDS[word] for word in board.hand])
    elsewhere = board.in_deck + sum(board.in_hand) > len(board.hand)
    fresh = start(parse_options(RULES, view.options))
    hands, deck = replace_at(fresh.hands, seat, hand), DECK & ~(hand | up | down) if elsewhere else 0
    return fresh._replace(up=up, down=down, hands=hands, deck=deck, seat=seat, laid=board.laid)


def describe(view: View, history: tuple[Entry, ...], heights: bool) -> tuple[str, ...]:
    """The phrases for the own cards that what one has said does not cover."""
    if view.outcome is not None:
        return ()
    seat = seat_of(view)
    said = heard(tuple(entry for entry in history if entry[0] == seat)).cards.get(seat, [])
    hand = [CARDS[word] for word in view.board.hand]
    heights = heights and view.options["pro"] == "off"
    phrases = [described(card) if heights else COLOURS[card // 10] for card in hand]
    return tuple(dict.fromkeys(phrase for phrase in phrases if MEANINGS[phrase] not in said))


def announce(view: View, history: tuple[Entry, ...]) -> tuple[str, ...]:
    """The wishes that are true of the own hand and were not said since the pile changed, or since one laid a card."""
    if view.outcome is not None:
        return ()
    seat = seat_of(view)
    hand = from_positions([CARDS[word] for word in view.board.hand])
    tops = {"up": view.board.up, "down": view.board.down}
    true = [wish for wish, (_, pile) in WISHES.items() if tops[pile] and hand & wanted(wish, CARDS[tops[pile]])]
    unsaid, changed = set(true), set[str]()
    for speaker, text, _ in reversed(history):
        verb, _, words = text.partition(" ")
        if verb in PILES:
            changed.add(verb)
        elif verb == "say" and speaker == seat and words in unsaid and WISHES[words][1] not in changed:
            unsaid.remove(words)
        if not unsaid or len(changed) == len(PILES) or (verb in PILES and speaker == seat):
            break
    return tuple(wish for wish in true if wish in unsaid)
