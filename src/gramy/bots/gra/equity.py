"""What a round is worth: the chance to win the match from given hand sizes.

Between two, every round is taken to go as the tables of equilibrium play say. Among more, each player is taken to lose
it with the same chance. The score is kept by the game's own rules.
"""

from __future__ import annotations

from functools import cache

from gramy.bots.gra.shape import Round
from gramy.bots.gra.store import opener_wins
from gramy.cards import count, positions, six
from gramy.contract import View
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


def chance(state: State, seat: int) -> float:
    """The chance that a seat wins the match, before a round that `turn` opens."""
    score, variant = state.score, state.variant
    if not score.active >> seat & 1:
        return 0.0
    if count(score.active) == 2:
        opening = _opener(score, variant, state.turn)
        return opening if seat == state.turn else 1 - opening
    others = sorted(score.sizes[other] for other in positions(score.active) if other != seat)
    rules = variant._replace(players=1 + len(others), directions=0)
    return _chance(Score(six([score.sizes[seat], *others]), (2 << len(others)) - 1, score.tie), rules)


@cache
def _chance(score: Score, variant: Variant) -> float:
    """The chance of seat 0; the others stand in the order of their sizes."""
    if count(score.active) == 1:
        return 1.0
    seats = positions(score.active)
    following = [after(score, variant, seats[loser == seats[0]], loser) for loser in seats]
    return sum(chance(state, 0) for state in following) / len(seats)


@cache
def _opener(score: Score, variant: Variant, seat: int) -> float:
    """The chance of the one who opens against the only other one."""
    other = next(other for other in positions(score.active) if other != seat)
    round = Round(score.sizes[seat], score.sizes[other], bool(variant.jokers), bool(variant.quantity_first))
    wins = opener_wins(round)
    won, lost = after(score, variant, seat, other), after(score, variant, other, seat)
    return wins * chance(won, seat) + (1 - wins) * chance(lost, seat)


def worth(view: View, seat: int) -> list[float]:
    """The chance that a seat wins the match after this round, by the round's winner and loser: 6 × 6."""
    score, variant = score_of(view), variant_of(view)
    table = [0.0] * 36
    for loser in view.board.active:
        for winner in view.board.active:
            if winner != loser:
                table[winner * 6 + loser] = chance(after(score, variant, winner, loser), seat)
    return table
