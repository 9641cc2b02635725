"""GRA as text: the number of cards of each player, the bids of the round, the hand with both faces, and the reveal."""

from collections.abc import Sequence

from msgspec.structs import asdict

from gramy.contract import START, View
from gramy.drawing.pen import MARGIN, TIMES, Block, Pen, beside, box, indented, padded, pips, width
from gramy.games.gra import Board
from gramy.games.gra.view import Shown
from gramy.log import Entry
from gramy.messages import Event

LATEST = 8
"""The number of bids shown; the log has them all."""


def draw(view: View, history: Sequence[Entry], pen: Pen) -> str:
    """Return the board as the seat of the view sees it."""
    board: Board = view.board
    lines = [*pen.heading(view), *_seats(view, pen)]
    if view.outcome is None:
        lines += ["", *_round(view, pen), *_bids(board, history, pen)]
    if view.outcome is None and board.hand and board.hand.cards:
        lines += ["", *indented(beside([_card(*pair, pen) for pair in _paired(board.hand)], gap=2))]
    if view.seat is not None and view.seat in view.to_act and view.moves != (START,):
        lines += pen.wrapped(_task(view, pen))
    return "\n".join(lines).rstrip()


def _seats(view: View, pen: Pen) -> Block:
    board: Board = view.board
    names, cards, remarks = [], [], []
    for seat, size in enumerate(board.sizes):
        there = seat in board.active or view.outcome is not None
        names.append(pen.mark(view, seat) + pen.paint("bold" if there else "dim", pen.name(seat)))
        cards.append(pips(size))
        facts = [] if there else [pen.words("out")]
        if there and board.phase == "choosing":
            facts.append(pen.words("has_chosen" if seat in board.ready else "is_choosing"))
        remarks.append(pen.paint("dim", " · ".join(facts)) if facts else "")
    return indented(beside([names, cards, remarks], gap=3))


def _round(view: View, pen: Pen) -> Block:
    """Return the facts of this round in one line."""
    board: Board = view.board
    facts = [pen.words("in_play", number=board.in_play)]
    if view.options["jokers"] == "on":
        facts.append(pen.words("ones_are_jokers" if board.ones_are_jokers else "ones_are_plain"))
    if view.options["directions"] == "on" and board.bid and len(board.active) > 2:
        facts.append(pen.words("goes_left" if board.way == "left" else "goes_right"))
    if board.tie_break:
        facts.append(pen.words("tie_break"))
    return pen.wrapped(" · ".join(facts))


def _bids(board: Board, history: Sequence[Entry], pen: Pen) -> Block:
    """Return the bids of the current round in order; the last one is to be raised."""
    bids: list[Entry] = []
    for entry in reversed(history):
        if not entry.text.startswith("bid "):
            break
        bids.insert(0, entry)
    if board.bid is None or not bids:
        return []
    words = ["…"] if len(bids) > LATEST else []
    words += [f"{pen.name(entry.seat, 12)} {_bid(entry.text)}" for entry in bids[-LATEST:]]
    lines = pen.wrapped(f"{pen.words('bids')} {' → '.join(words)}")
    return [*lines, *indented([pen.paint("bold", pen.words("standing", **asdict(board.bid)))])]


def _bid(move: str) -> str:
    return move.split()[1].replace("x", TIMES)


def _paired(shown: Shown) -> list[tuple[str, int | None]]:
    """Return the cards, each with its chosen face, None before the choice."""
    faces: Sequence[int | None] = shown.faces or [None] * len(shown.cards)
    return list(zip(shown.cards, faces, strict=True))


def _card(card: str, chosen: int | None, pen: Pen) -> Block:
    """Return a card with a face at each end, the chosen one marked."""

    def end(face: str) -> str:
        if chosen is None:
            return pen.paint("bold", face)
        return pen.paint("good", f"▸ {face} ◂") if face == str(chosen) else pen.paint("dim", face)

    return box([end(card[0]), pen.paint("dim", "╌╌╌"), end(card[1])], 7, pen)


def _task(view: View, pen: Pen) -> str:
    """Return what the seat has to do now."""
    board: Board = view.board
    if board.phase == "choosing":
        return pen.words("choose_faces", move=pen.typed(view.moves[0]))
    if board.bid is None:
        return pen.words("open_bidding", move=pen.typed(view.moves[0]))
    if view.moves == ("check",):
        return pen.words("only_check")
    return pen.words("raise_or_check", order=view.options["bid_order"])


def group(move: str) -> str:
    """Return the group of a move in a list: a bid's value and direction, otherwise the verb."""
    return move.partition("x")[2] or move.split()[0]


def describe(event: Event, pen: Pen) -> Block:
    """Return an event in lines. A check shows every hand before it says whether the bid holds."""
    if event.key == "chose":
        return []  # the board shows who has chosen
    if event.key == "revealed":
        return [*_reveal(event, pen), *pen.wrapped(pen.say(event))]
    return pen.wrapped(pen.say(event))


def _reveal(event: Event, pen: Pen) -> Block:
    """Return the faces of all hands; those that count are in brackets."""
    value, hands, count = event.values["value"], event.values["hands"], event.values["count"]
    jokers = sum(hand.faces.count(value) for hand in hands) < count  # if more count, the ones do too
    counting = {value, 1} if jokers else {value}
    shown = [(pen.name(seat), hand.faces) for seat, hand in enumerate(hands) if hand.faces]
    column = max(width(name) for name, _ in shown)
    rows = []
    for name, faces in shown:
        marks = [pen.paint("good", f"[{face}]") if face in counting else f" {face} " for face in faces]
        rows.append(f"{MARGIN}    {padded(name, column)}   {' '.join(marks)}".rstrip())
    return ["", *rows, ""]
