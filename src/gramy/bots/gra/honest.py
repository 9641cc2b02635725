"""The honest chance that a bid holds: what a fair-minded player in that seat would reckon."""

from __future__ import annotations

from functools import cache
from math import comb

from gramy.bots.gra.plain import bids, hits
from gramy.bots.protocol import seat_of
from gramy.contract import View
from gramy.games.gra.rules import PAIRS
from gramy.matches import Entry


def holds(view: View, history: tuple[Entry, ...], bid: tuple[int, int]) -> float:
    """The chance that a bid, number and value, holds, given what the view's seat knows. Its faces must be chosen.

    It assumes that the others hold any of the unseen cards alike; that a seat which has bid on the value in this round
    turned every card to it that has it (a one, where ones are jokers, does as well); and that every other card shows
    either face alike. It believes in no more than that: a bluffer has less, and who bids high has more.
    """
    number, value = bid
    board, me, said = view.board, seat_of(view), bids(history)
    opened = said[0].value if said else value
    wild = view.options["jokers"] == "on" and opened != 1 and value != 1
    counting = {1, value} if wild else {value}
    own = hits(board.hand.faces, wild)[value]
    unseen = [face_count(pair, counting) for pair in PAIRS for _ in range(2)]
    for word in board.hand.cards:
        unseen.remove(face_count((int(word[0]), int(word[1])), counting))
    keen = {bid.seat for bid in said if bid.value == value}
    eager = sum(board.sizes[seat] for seat in board.active if seat != me and seat in keen)
    return tail(
        number - own, unseen.count(2), unseen.count(1), unseen.count(0), eager, board.in_play - len(board.hand.cards)
    )


def claims(view: View, history: tuple[Entry, ...]) -> dict[str, float]:
    """The chance that each offered bid holds, and for a check that the bid on the table does not."""
    found: dict[str, float] = {}
    for move in view.moves:
        verb, *words = move.split()
        if verb == "bid":
            number, value = map(int, words[0].split("x"))
            found[move] = holds(view, history, (number, value))
        elif verb == "check":
            found[move] = 1 - holds(view, history, (view.board.bid.number, view.board.bid.value))
    return found


def face_count(pair: tuple[int, int], counting: set[int]) -> int:
    """How many faces of a card count."""
    return sum(face in counting for face in pair)


@cache
def tail(need: int, both: int, one: int, none: int, eager: int, drawn: int) -> float:
    """The chance of at least `need` hits among `drawn` cards of a pile in which so many count with both faces, one,
    or none; the first `eager` cards drawn count whenever they can, the others with each face alike."""
    if need <= 0:
        return 1.0
    found = 0.0
    for sure in range(min(both, drawn) + 1):
        for half in range(min(one, drawn - sure) + 1):
            ways = comb(both, sure) * comb(one, half) * comb(none, drawn - sure - half)
            if not ways:
                continue
            for turned in range(max(0, half - (drawn - eager)), min(half, eager) + 1):
                place = comb(eager, turned) * comb(drawn - eager, half - turned) / comb(drawn, half)
                loose, lacking = half - turned, max(0, need - sure - turned)
                luck = sum(comb(loose, hit) for hit in range(lacking, loose + 1)) / 2**loose
                found += ways * place * luck
    return found / comb(both + one + none, drawn)
