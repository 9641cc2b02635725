"""The probability to win the match from a score: the terminal utility of a round.

Between two players the strategy tables give the probability to win each round, or the beginnings of the search where
there are none. Among more, every player loses a round with the same probability. The rules of the game keep the score.
"""

from __future__ import annotations

from functools import cache

from gramy.bots.gra.abstraction import TwoPlayerRound
from gramy.bots.gra.observation import score_of, variant_of
from gramy.bots.gra.round_starts import load_start_index, start_name
from gramy.bots.gra.strategy_tables import load_index, table_name
from gramy.cards import count, per_seat, positions
from gramy.contract import View
from gramy.games.gra.rules import NO_BID, NONE, OVER, Score, State, Variant, scored


def opener_win_probability(round: TwoPlayerRound) -> float:
    """Return the opener's probability to win a round in which both seats play by tables, or else by the search."""
    index = load_index(round.jokers, round.quantity_first)
    opener, responder = (index.get(table_name(round, seat)) for seat in (0, 1))
    if opener and responder:
        return (opener.guaranteed + 1 - responder.guaranteed) / 2
    start = load_start_index().get(start_name(round)) if round.quantity_first else None
    return start.opener_wins if start else 0.5


def after_round(score: Score, variant: Variant, winner: int, loser: int) -> State:
    """Return the state of the match after a round."""
    bid = NO_BID._replace(bidder=winner)
    return scored(State(OVER, loser, 1, bid, NONE, NONE, 0, score, variant), True)


def win_probability(state: State, seat: int) -> float:
    """Return the probability that a seat wins the match, before a round that `state.turn` opens."""
    score, variant = state.score, state.variant
    if not score.active >> seat & 1:
        return 0.0
    if count(score.active) == 2:
        opener = _opener_wins_match(score, variant, state.turn)
        return opener if seat == state.turn else 1 - opener
    others = sorted(score.sizes[other] for other in positions(score.active) if other != seat)
    rules = variant._replace(players=1 + len(others), directions=0)
    return _first_seat_wins_match(
        Score(per_seat([score.sizes[seat], *others]), (2 << len(others)) - 1, score.tie), rules
    )


@cache
def _first_seat_wins_match(score: Score, variant: Variant) -> float:
    """Return the probability that seat 0 wins. The other seats are in the order of their sizes."""
    if count(score.active) == 1:
        return 1.0
    seats = positions(score.active)
    following = [after_round(score, variant, seats[loser == seats[0]], loser) for loser in seats]
    return sum(win_probability(state, 0) for state in following) / len(seats)


@cache
def _opener_wins_match(score: Score, variant: Variant, seat: int) -> float:
    """Return the probability that a seat wins which opens a round against the only other one."""
    other = next(other for other in positions(score.active) if other != seat)
    round = TwoPlayerRound(score.sizes[seat], score.sizes[other], bool(variant.jokers), bool(variant.quantity_first))
    wins = opener_win_probability(round)
    won, lost = after_round(score, variant, seat, other), after_round(score, variant, other, seat)
    return wins * win_probability(won, seat) + (1 - wins) * win_probability(lost, seat)


def round_utilities(view: View, seat: int) -> list[float]:
    """Return the probability that a seat wins the match after this round, by [winner][loser] of the round: 6 × 6."""
    score, variant = score_of(view), variant_of(view)
    table = [0.0] * 36
    for loser in view.board.active:
        for winner in view.board.active:
            if winner != loser:
                table[winner * 6 + loser] = win_probability(after_round(score, variant, winner, loser), seat)
    return table
