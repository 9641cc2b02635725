"""GRA as text: who has how many cards, the bids of the round, the own cards with both faces, and the reveal."""

from collections.abc import Sequence

from msgspec.structs import asdict

from gramy.contract import Event, View
from gramy.games.gra import Board
from gramy.games.gra.view import Shown
from gramy.matches import Entry
from gramy.terminal.pen import MARGIN, TIMES, Block, Pen, beside, box, indented, padded, pips, width

LATEST = 8
"""How many bids of the round are shown; the log has them all."""


def draw(view: View, history: Sequence[Entry], pen: Pen) -> str:
    """The board as the view's seat sees it."""
    board: Board = view.board
    lines = [*pen.heading(view), *_seats(view, pen)]
    if view.outcome is None:
        lines += ["", *_round(view, pen), *_bids(board, history, pen)]
    if view.outcome is None and board.hand and board.hand.cards:
        lines += ["", *indented(beside([_card(*pair, pen) for pair in _paired(board.hand)], gap=2))]
    if view.seat is not None and view.seat in view.to_act:
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
    """What holds for this round, in one line."""
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
    """The bids of the running round in their order, the one to beat last."""
    bids: list[Entry] = []
    for entry in reversed(history):
        if not entry.text.startswith("bid "):
            break
        bids.insert(0, entry)
    if board.bid is None or not bids:
        return []
    told = ["…"] if len(bids) > LATEST else []
    told += [f"{pen.name(entry.seat, 12)} {_bid(entry.text)}" for entry in bids[-LATEST:]]
    lines = pen.wrapped(f"{pen.words('bids')} {' → '.join(told)}")
    return [*lines, *indented([pen.paint("bold", pen.words("standing", **asdict(board.bid)))])]


def _bid(move: str) -> str:
    return move.split()[1].replace("x", TIMES)


def _paired(shown: Shown) -> list[tuple[str, int | None]]:
    """The cards with the face that counts, None before it is chosen."""
    faces: Sequence[int | None] = shown.faces or [None] * len(shown.cards)
    return list(zip(shown.cards, faces, strict=True))


def _card(card: str, chosen: int | None, pen: Pen) -> Block:
    """A card with a face at each end; the chosen one is marked."""

    def end(face: str) -> str:
        if chosen is None:
            return pen.paint("bold", face)
        return pen.paint("good", f"▸ {face} ◂") if face == str(chosen) else pen.paint("dim", face)

    return box([end(card[0]), pen.paint("dim", "╌╌╌"), end(card[1])], 7, pen)


def _task(view: View, pen: Pen) -> str:
    """What the seat is asked for."""
    board: Board = view.board
    if board.phase == "choosing":
        return pen.words("choose_faces", move=view.moves[0])
    if board.bid is None:
        return pen.words("open_bidding", move=view.moves[0])
    if view.moves == ("check",):
        return pen.words("only_check")
    return pen.words("raise_or_check", order=view.options["bid_order"])


def group(move: str) -> str:
    """Bids are listed by value and direction, anything else by its verb."""
    return move.partition("x")[2] or move.split()[0]


def tell(event: Event, pen: Pen) -> Block:
    """An event in lines: a check turns over every hand before it says whether the bid holds."""
    if event.key == "chose":
        return []  # the board shows who has chosen
    if event.key == "revealed":
        return [*_reveal(event, pen), *pen.wrapped(pen.say(event))]
    return pen.wrapped(pen.say(event))


def _reveal(event: Event, pen: Pen) -> Block:
    """Everybody's faces, the counting ones in brackets."""
    value, hands, count = event.values["value"], event.values["hands"], event.values["count"]
    jokers = sum(hand.faces.count(value) for hand in hands) < count  # more count than show the value: the ones do
    counting = {value, 1} if jokers else {value}
    shown = [(pen.name(seat), hand.faces) for seat, hand in enumerate(hands) if hand.faces]
    wide = max(width(name) for name, _ in shown)
    rows = []
    for name, faces in shown:
        marks = [pen.paint("good", f"[{face}]") if face in counting else f" {face} " for face in faces]
        rows.append(f"{MARGIN}    {padded(name, wide)}   {' '.join(marks)}".rstrip())
    return ["", *rows, ""]
