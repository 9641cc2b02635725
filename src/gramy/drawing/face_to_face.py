"""The Game: Face to Face as text: two halves that face each other, and the hand with the piles that each card fits."""

from collections.abc import Sequence

from gramy.contract import View
from gramy.drawing.pen import MARGIN, Block, Pen, beside, box, indented
from gramy.games.face_to_face import Board
from gramy.games.face_to_face.view import Half
from gramy.log import Entry

MARKS = {"up": "▲", "down": "▼", "help-up": "△", "help-down": "▽"}
"""The signs of the piles: the player's own are filled, the opponent's hollow."""


def draw(view: View, history: Sequence[Entry], pen: Pen) -> str:
    """Return the board as the seat of the view sees it; a spectator sees it from seat 0."""
    board: Board = view.board
    own = view.seat or 0
    lines = [
        *pen.heading(view),
        *_labels(("help-up", "help-down") if view.seat is not None else ("up", "down"), pen),
        *_half(view, 1 - own, pen),
        *_half(view, own, pen),
        *_labels(("up", "down"), pen),
    ]
    hand = board.halves[own].hand
    if hand:
        lines += ["", *indented(beside([_card(card, view.moves, pen) for card in hand]))]
    if view.seat is not None and view.seat in view.to_act:
        lines += _turn(view, history, pen)
    return "\n".join(lines).rstrip()


def _labels(piles: tuple[str, str], pen: Pen) -> Block:
    words = [f"{MARKS[pile]} {pen.typed(pile)}" for pile in piles]
    return [pen.paint("dim", f"{MARGIN}{words[0]:14}{words[1]}")]


def _half(view: View, seat: int, pen: Pen) -> Block:
    half: Half = view.board.halves[seat]
    facts = [
        f"{pen.mark(view, seat)}{pen.paint('bold', pen.name(seat))}",
        "  " + pen.words("in_hand", number=half.in_hand),
        "  " + pen.words("in_deck", number=half.in_deck),
    ]
    piles = [box([pen.paint("bold", str(top))], 8, pen) for top in (half.up, half.down)]
    return indented(beside([*piles, facts], gap=4))


def _card(card: int, moves: Sequence[str], pen: Pen) -> Block:
    """Return a card of the hand; a playable card stands out and shows its piles."""
    places = "".join(mark for pile, mark in MARKS.items() if f"{pile} {card}" in moves)
    style = "" if places else "dim"
    face = pen.paint("bold", str(card)) if places else pen.paint("dim", str(card))
    return [*box([face], 6, pen, style), f"  {places}"]


def _turn(view: View, history: Sequence[Entry], pen: Pen) -> Block:
    """Return the moves of this turn, and what ending it means."""
    board: Board = view.board
    laid = [entry.text for entry in history if not entry.text.startswith("say ")][-board.laid :] if board.laid else []
    lines = pen.wrapped(pen.words("laid_now", moves=[pen.typed(move) for move in laid]), "") if laid else []
    if "end" in view.moves:
        lines.append(pen.words("end_draws", draws=board.draws))
    elif board.required:
        lines.append(pen.words("still_to_lay", missing=board.required))
    return indented(lines)
