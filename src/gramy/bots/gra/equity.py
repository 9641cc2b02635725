"""What a round is worth: the chance to win the match from given hand sizes.

Every round is taken to be lost by each of its players with the same chance, which is what hand sizes alone can tell:
more cards also mean a stronger round, and the two nearly cancel out. The score is kept by the game's own rules.
"""

from __future__ import annotations

from functools import cache

from gramy.cards import count, positions, six
from gramy.game import View
from gramy.games.gra.rules import NO_BID, NONE, OVER, Score, State, Variant, scored


def after(score: Score, variant: Variant, winner: int, loser: int) -> State:
    """The match after a round."""
    bid = NO_BID._replace(bidder=winner)
    return scored(State(OVER, loser, 1, bid, NONE, NONE, 0, score, variant), True)


def score_of(view: View) -> Score:
    """The score as a view shows it."""
    board = view.board
    return Score(six(board.sizes), sum(1 << seat for seat in board.active), int(board.tie_break))


def variant_of(view: View) -> Variant:
    """The options as the rules' own numbers."""
    on, options = "on", view.options
    return Variant(
        int(options["players"]),
        int(options["jokers"] == on),
        int(options["directions"] == on),
        int(options["fewer_cards"] == on),
        int(options["longer_game"] == on),
        int(options["bid_order"] == "quantity_first"),
    )


def chance(score: Score, variant: Variant, seat: int) -> float:
    """The chance that a seat wins the match, before a round."""
    if not score.active >> seat & 1:
        return 0.0
    others = sorted(score.sizes[other] for other in positions(score.active) if other != seat)
    rules = Variant(1 + len(others), 0, 0, variant.fewer, variant.longer, 0)
    return _chance(Score(six([score.sizes[seat], *others]), (2 << len(others)) - 1, score.tie), rules)


@cache
def _chance(score: Score, variant: Variant) -> float:
    """The chance of seat 0; the others stand in the order of their sizes."""
    if count(score.active) == 1:
        return 1.0
    seats = positions(score.active)
    following = [after(score, variant, seats[loser == seats[0]], loser).score for loser in seats]
    return sum(chance(score, variant, 0) for score in following) / len(seats)


def worth(view: View, seat: int) -> list[float]:
    """The chance that a seat wins the match after this round, by the round's winner and loser: 6 × 6."""
    score, variant = score_of(view), variant_of(view)
    table = [0.0] * 36
    for loser in view.board.active:
        won = {winner for winner in view.board.active if winner != loser}
        equity = chance(after(score, variant, min(won), loser).score, variant, seat)
        for winner in won:
            table[winner * 6 + loser] = equity
    return table
