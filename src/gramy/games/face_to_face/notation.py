"""Face to Face as text: cards, moves and positions."""

from gramy import notation
from gramy.cards import code_of, count, lowest, positions
from gramy.contract import NOBODY
from gramy.errors import BadPosition
from gramy.games.face_to_face.rules import DECK, END, HAND, NAME, PILES, Options, Side, State, able, draws, fits, start
from gramy.messages import Message


def parse_card(word: str) -> int | None:
    known = word.isascii() and word.isdigit() and word[0] != "0" and len(word) < 3 and DECK >> int(word) & 1
    return int(word) if known else None


def format_card(card: int) -> str:
    return str(card)


MOVES = notation.FixedMoves(
    NAME,
    {(pile, str(card)): code_of(row, card) for row, pile in enumerate(PILES) for card in positions(DECK)}
    | {("end",): code_of(END, 0)},
)
parse_move, format_move, format_moves = MOVES.parse_move, MOVES.format_move, MOVES.format_moves

KEYS = ("seat", "laid", "helped", "draw", "up", "down", "hand", "deck")


def format_position(state: State) -> str:
    """Return a state as one line, seat 0 first:

    seat=0 laid=0 helped=0 draw=0 up=23,1 down=42,60 hand=8,13;27,31 deck=2~7;-
    """
    sides = (state.foe, state.me) if state.seat == 1 else (state.me, state.foe)
    words = {
        "seat": "-" if state.seat == NOBODY else str(state.seat),
        "laid": str(state.laid),
        "helped": str(state.helped),
        "draw": str(state.draw),
        "up": ",".join(str(lowest(side.up)) for side in sides),
        "down": ",".join(str(lowest(side.down)) for side in sides),
        "hand": ";".join(notation.format_set(side.hand) for side in sides),
        "deck": ";".join(notation.format_set(side.deck) for side in sides),
    }
    return " ".join(f"{key}={words[key]}" for key in KEYS)


def parse_position(options: Options, line: str) -> State:
    """Return the state of a position; whether the match is over follows from it."""
    words = notation.fields(line, KEYS)
    seat = notation.number("seat", words["seat"], range(-1, 2))
    laid = notation.number("laid", words["laid"], range(HAND + 1))
    helped = notation.number("helped", words["helped"], range(2))
    draw = notation.number("draw", words["draw"], range(HAND + 1))
    ups = notation.numbers("up", words["up"], range(1, 60), 2)
    downs = notation.numbers("down", words["down"], range(2, 61), 2)
    hands = [notation.parse_set("hand", part, parse_card) for part in notation.each("hand", words["hand"], 2)]
    decks = [notation.parse_set("deck", part, parse_card) for part in notation.each("deck", words["deck"], 2)]
    sides = [
        Side(1 << up, 1 << down, hand, deck) for up, down, hand, deck in zip(ups, downs, hands, decks, strict=True)
    ]
    for side in sides:
        if side.hand & side.deck:
            raise BadPosition(Message("position_card_twice", {"card": lowest(side.hand & side.deck)}))
        if count(side.hand) > HAND:
            raise BadPosition(Message("position_hand", {"most": HAND, "found": count(side.hand)}))
    fresh = start(options)
    if seat == NOBODY:
        if (laid, helped, draw) != (0, 0, 0) or sides != [fresh.me, fresh.foe]:
            raise BadPosition(Message("position_unstarted"))
        return fresh
    me, foe = sides[seat], sides[1 - seat]
    state = State(me, foe, seat, laid, helped, draw, NOBODY, fresh.lenient, fresh.grace)
    unstarted = draw == HAND and laid == 0 and me == fresh.me
    drawing = draw > 0 and laid >= 2 and draw == draws(state)
    playing = draw == 0 and (laid > 0 or me.hand != 0)
    possible = helped <= laid and laid + count(me.hand) <= HAND and foe.hand | foe.deck != 0
    if not possible or not (unstarted or drawing or playing):
        raise BadPosition(Message("position_turn"))
    return _settled(state)


def _settled(state: State) -> State:
    """Return a position with the loss or the win that follows from it."""
    if state.draw:
        return state
    if state.me.hand | state.me.deck == 0:
        return state._replace(winner=state.seat)
    stuck = not able(state) if state.laid == 0 else state.laid == 1 and not any(fits(state))
    return state._replace(winner=1 - state.seat) if stuck else state
