"""Rounds between two players by bids of quantity first: moves and values from the search.

The expert asks the search where there is no strategy table, and where a table's tree is too large for the value of a
choice of faces.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from gramy.bots.gra.abstraction import TwoPlayerRound
from gramy.bots.gra.hand_types import HandType, type_hits, type_index
from gramy.bots.gra.observation import Action, format_action, parse_bid, parse_faces
from gramy.bots.gra.round_search import RoundSearch, Solution
from gramy.bots.gra.round_starts import load_start
from gramy.bots.gra.table_play import TablePosition, chances_in_match, table_position
from gramy.bots.kernel import is_compiled
from gramy.contract import View
from gramy.games.gra.rules import VALUES
from gramy.matches import Entry


@lru_cache(4)
def round_search(round: TwoPlayerRound, budget: float) -> RoundSearch | None:
    """Return the search for a round; None if its beginning is not stored."""
    start = load_start(round)
    return RoundSearch(start, budget) if start else None


def choose(view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str | None:
    """Return a move drawn from the strategy that the search finds; None if it does not play this round."""
    position, search = _searched(view, history, budget)
    if position is None or search is None:
        return None
    types = type_index(len(position.cards))
    if view.board.phase == "choosing":
        weights = search.start.face_weights[position.seat]
        return rng.choices(view.moves, [weights[types[shown_type(parse_faces(move))]] for move in view.moves])[0]
    held = types[shown_type(position.faces)]
    shares = {action: share[held] for action, share in search.strategy(position.bids).items()}
    return format_action(rng.choices(list(shares), list(shares.values()))[0])


def evaluate(view: View, history: tuple[Entry, ...], budget: float) -> dict[str, float] | None:
    """Return the probability to win the match after each legal move; None if the search does not play this round."""
    position, search = _searched(view, history, budget)
    if position is None or search is None:
        return None
    types = type_index(len(position.cards))
    if view.board.phase == "choosing":
        values = search.start.values[position.seat]
        chances = {move: float(values[types[shown_type(parse_faces(move))]]) for move in view.moves}
        return chances_in_match(view, {move: min(1.0, max(0.0, chance)) for move, chance in chances.items()})
    solution, held = search.solution(position.bids), types[shown_type(position.faces)]
    known = {format_action(action): float(values[held]) for action, values in solution.action_values.items()}
    chances = {
        move: known[move] if move in known else _true(search, position, solution, parse_bid(move))
        for move in view.moves
    }
    return chances_in_match(view, {move: min(1.0, max(0.0, chance)) for move, chance in chances.items()})


def _searched(view: View, history: tuple[Entry, ...], budget: float) -> tuple[TablePosition | None, RoundSearch | None]:
    """Return the position and the search for its round; None for what there is not."""
    position = table_position(view, history) if is_compiled() else None
    return position, round_search(position.round, budget) if position else None


def warm_up() -> None:
    """Compile the search, or load it from disk. A match by the default options never needs it."""
    search = round_search(TwoPlayerRound(1, 5, jokers=False, quantity_first=True), 0.0) if is_compiled() else None
    if search is not None:
        search.solution(((1, 1),))


def shown_type(faces: Sequence[int]) -> HandType:
    """Return the type of a hand that shows these faces."""
    return tuple(faces.count(value) for value in range(1, VALUES + 1))


def _true(search: RoundSearch, position: TablePosition, solution: Solution, bid: Action) -> float:
    """Return the probability that a bid is true. The search does not consider it: it would be checked."""
    number, value = bid
    opened_on = position.bids[0][1] if position.bids else value
    jokers = int(search.start.jokers and opened_on != 1)
    mine, other = (type_hits(search.start.cards[seat])[jokers, value] for seat in (position.seat, 1 - position.seat))
    held = type_index(len(position.cards))[shown_type(position.faces)]
    factors = search.start.factors
    weights = solution.entered * (factors[1 - position.seat] @ factors[position.seat][held])
    return float(weights[mine[held] + other >= number].sum() / weights.sum())
