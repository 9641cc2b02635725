"""The Game: Quick & Easy as text: the two piles and what fits them, the players' numbers of cards, and the hand.

Every colour is shown as a letter and a word too, so that nobody needs to tell colours apart.
"""

from collections.abc import Sequence

from gramy.contract import View
from gramy.drawing.pen import Block, Pen, beside, box, indented, pips
from gramy.games.quick_easy import NAME, Board
from gramy.games.quick_easy.rules import COLOURS, LETTERS
from gramy.log import Entry
from gramy.messages import Message

MARKS = {"up": "▲", "down": "▼"}
INNER = 11
LATEST = 3
"""The number of phrases shown; the log has them all."""


def draw(view: View, history: Sequence[Entry], pen: Pen) -> str:
    """Return the board as the seat of the view sees it."""
    board: Board = view.board
    deck = ["", "", pen.words("in_deck", number=board.in_deck), pips(-(-board.in_deck // 5))]
    piles = [_pile("up", board.up, pen), _pile("down", board.down, pen), deck]
    lines = [*pen.heading(view), *indented(beside(piles, gap=6)), "", *_seats(view, pen)]
    if board.hand:
        lines += ["", *indented(beside([_card(card, view.moves, pen) for card in board.hand], gap=2))]
    lines += [line for sentence in _talk(history, pen) for line in pen.wrapped(sentence)]
    if "end" in view.moves:
        lines += indented([pen.words("end_draws", draws=board.draws)])
    return "\n".join(lines).rstrip()


def _pile(pile: str, top: str | None, pen: Pen) -> Block:
    label = pen.paint("dim", f"{MARKS[pile]} {pen.typed(pile)}")
    if top is None:
        return [label, *box(["", ""], INNER, pen, "dim"), pen.words("takes_any")]
    key = "takes_above" if pile == "up" else "takes_below"
    takes = pen.words(key, number=int(top[1:]), colour=pen.words(_colour(top)))
    return [label, *_face(top, pen), takes]


def _card(card: str, moves: Sequence[str], pen: Pen) -> Block:
    """Return a card of the hand with the piles that it fits."""
    places = " ".join(mark for pile, mark in MARKS.items() if f"{pile} {card}" in moves)
    return [*_face(card, pen), f"    {places}"]


def _face(card: str, pen: Pen) -> Block:
    colour = _colour(card)
    return box([pen.paint("bold", card), pen.paint(colour, pen.words(colour))], INNER, pen, colour)


def _colour(card: str) -> str:
    return COLOURS[LETTERS.index(card[0])]


def _seats(view: View, pen: Pen) -> Block:
    board: Board = view.board
    names = []
    for seat in range(len(board.in_hand)):
        names.append(pen.mark(view, seat) + pen.paint("bold", pen.name(seat)))
    cards = [pips(number) for number in board.in_hand]
    return indented(beside([names, cards], gap=3))


def _talk(history: Sequence[Entry], pen: Pen) -> Block:
    """Return the latest phrases as sentences."""
    phrases = [entry for entry in history if entry.text.startswith("say ")][-LATEST:]
    return [
        pen.say(Message("said", {"seat": entry.seat, "phrase": entry.text.removeprefix("say ")}, NAME))
        for entry in phrases
    ]
