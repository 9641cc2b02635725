"""Quick & Easy as text: cards, moves and positions."""

from gramy import notation
from gramy.cards import code_of, count, lowest, per_seat
from gramy.contract import NOBODY
from gramy.errors import BadPosition
from gramy.games.quick_easy.rules import (
    DECK,
    END,
    HAND,
    NAME,
    PILES,
    START,
    Options,
    State,
    draws,
    fits,
    start,
    unstarted,
)
from gramy.games.quick_easy.rules import format_card as format_card  # GameNotation requires it here
from gramy.messages import Message

CARDS = {format_card(card): card for card in range(50)}


def parse_card(word: str) -> int | None:
    return CARDS.get(word)


MOVES = notation.FixedMoves(
    NAME,
    {(pile, word): code_of(row, card) for row, pile in enumerate(PILES) for word, card in CARDS.items()}
    | {("end",): code_of(END, 0), ("start",): START},
)
parse_move, format_move, format_moves = MOVES.parse_move, MOVES.format_move, MOVES.format_moves

KEYS = ("seat", "laid", "draw", "up", "down", "hands", "deck")


def format_position(state: State) -> str:
    """Return a state as one line, in which laid cards are missing:

    seat=1 laid=0 draw=0 up=G8 down=- hands=R7,S1;B4,G2 deck=R1~R6
    """
    words = {
        "seat": "-" if state.seat == NOBODY else str(state.seat),
        "laid": str(state.laid),
        "draw": str(state.draw),
        "up": notation.format_set(state.up, format_card),
        "down": notation.format_set(state.down, format_card),
        "hands": ";".join(notation.format_set(hand, format_card) for hand in state.hands[: state.players]),
        "deck": notation.format_set(state.deck, format_card),
    }
    return " ".join(f"{key}={words[key]}" for key in KEYS)


def parse_position(options: Options, line: str) -> State:
    """Return the state of a position; whether the match is over follows from it."""
    words = notation.fields(line, KEYS)
    seat = notation.number("seat", words["seat"], range(-1, options.players))
    laid = notation.number("laid", words["laid"], range(3 - options.pro))
    draw = notation.number("draw", words["draw"], range(HAND + 1))
    up, down = (notation.parse_set(key, words[key], parse_card) for key in PILES)
    deck = notation.parse_set("deck", words["deck"], parse_card)
    parts = notation.each("hands", words["hands"], options.players)
    hands = per_seat(notation.parse_set("hands", part, parse_card) for part in parts)
    seen = 0
    for cards in (up, down, deck, *hands):
        if seen & cards:
            raise BadPosition(Message("position_card_twice", {"card": format_card(lowest(seen & cards))}))
        seen |= cards
    if (most := max(count(hand) for hand in hands)) > HAND:
        raise BadPosition(Message("position_hand", {"most": HAND, "found": most}))
    for key, pile in (("up", up), ("down", down)):
        if count(pile) > 1:
            raise BadPosition(Message("position_value", {"key": key, "value": words[key]}))
    fresh = start(options)
    state = fresh._replace(up=up, down=down, hands=hands, deck=deck, seat=seat, laid=laid, draw=draw)
    if unstarted(state):
        if state != fresh and not (state.agreed and _is_dealt(state)):
            raise BadPosition(Message("position_unstarted"))
        return state
    held = count(hands[seat])
    drawing = draw > 0 and draw == draws(state) and (laid > 0 or held == 0)
    playing = draw == 0 and held + laid in range(1, HAND + 1)
    if not (drawing or playing):
        raise BadPosition(Message("position_turn"))
    return state._replace(lost=int(laid == 0 and draw == 0 and not any(fits(state))))


def _is_dealt(state: State) -> bool:
    """Return whether nothing is laid, and the seats before `state.seat` (NOBODY: all) have their first hands (Q3)."""
    dealt, cards = state.players if state.seat == NOBODY else state.seat, state.deck
    for number, hand in enumerate(state.hands):
        if count(hand) != (HAND if number < dealt else 0):
            return False
        cards |= hand
    return cards == DECK and state.laid == 0 and state.draw == (0 if state.seat == NOBODY else HAND)
