"""Rounds between two players by the strategy tables: equilibrium moves, and the value of each move against a table."""

from __future__ import annotations

import random
from typing import NamedTuple

from gramy.bots.gra.abstraction import TwoPlayerRound
from gramy.bots.gra.best_response import BestResponse
from gramy.bots.gra.bid_tree import OPENER, RESPONDER, Bids
from gramy.bots.gra.match_value import round_utilities
from gramy.bots.gra.observation import Card, bids_of_round, format_action, own_cards, parse_faces, variant_of
from gramy.bots.gra.strategy_tables import StrategyTable, load_table
from gramy.bots.protocol import seat_of
from gramy.contract import View
from gramy.matches import Entry

LARGEST_TREE, LARGEST_PRUNED_TABLE = 100_000, 1_500_000
"""Choices of faces are not evaluated against a tree with more edges, nor against a pruned tree with more bytes of
weights, as the best responses to it would take seconds."""


class TablePosition(NamedTuple):
    """A position as the tables describe it. `seat` is OPENER or RESPONDER, not the seat at the table."""

    round: TwoPlayerRound
    seat: int
    cards: tuple[Card, ...]
    faces: tuple[int, ...]
    bids: Bids


def table_position(view: View, history: tuple[Entry, ...]) -> TablePosition | None:
    """Return the position; None unless two players are left and the history has all bids of the round."""
    board, me = view.board, seat_of(view)
    bids = bids_of_round(history) if board.phase == "bidding" else []
    if len(board.active) != 2 or (board.bid is not None) != bool(bids):
        return None
    opener = bids[0].seat if bids else board.turn
    responder = next(seat for seat in board.active if seat != opener)
    variant = variant_of(view)
    return TablePosition(
        TwoPlayerRound(board.sizes[opener], board.sizes[responder], bool(variant.jokers), bool(variant.quantity_first)),
        OPENER if me == opener else RESPONDER,
        own_cards(view),
        board.hand.faces,
        tuple((bid.number, bid.value) for bid in bids),
    )


def choose(view: View, history: tuple[Entry, ...], rng: random.Random) -> str | None:
    """Return a move drawn from the equilibrium strategy; None if the tables do not have this position."""
    position = table_position(view, history)
    table = load_table(position.round, position.seat) if position else None
    if position is None or table is None:
        return None
    if view.board.phase == "choosing":
        hands = table.subgames[0].hands[position.seat]
        weights = table.face_weights(position.cards)
        shown = rng.choices(list(weights), list(weights.values()))[0]
        return rng.choice([move for move in view.moves if hands.shown_faces(parse_faces(move)) == shown])
    actions = table.action_weights(position.cards, position.faces, position.bids)
    return format_action(rng.choices(list(actions), list(actions.values()))[0]) if actions else None


def evaluate(view: View, history: tuple[Entry, ...]) -> dict[str, float] | None:
    """Return the probability to win the match after each legal move; None without a table.

    The other seat plays by its table, the own seat by a best response. A choice of faces is evaluated for bids on the
    highest values only, and not at all if the other seat's tree is large.
    """
    position = table_position(view, history)
    opponent = load_table(position.round, 1 - position.seat) if position else None
    if position is None or opponent is None:
        return None
    cards, bids = position.cards, position.bids
    if view.board.phase == "choosing":
        if best_responses_are_slow(opponent):
            return None
        chances = {move: BestResponse(opponent, cards, parse_faces(move), ()).win_probability() for move in view.moves}
    else:
        chances = {
            format_action(action): chance
            for value in opponent.next_values(bids)
            for action, chance in BestResponse(opponent, cards, position.faces, bids, value).action_values().items()
        }
    return chances_in_match(view, chances) or None


def best_responses_are_slow(table: StrategyTable) -> bool:
    """Return whether best responses to a table from the first bid on take seconds."""
    if table.abstraction.kept is not None:
        return len(table.stored) > LARGEST_PRUNED_TABLE
    return table.subgames[0].tree.edge_count > LARGEST_TREE


def chances_in_match(view: View, chances: dict[str, float]) -> dict[str, float]:
    """Return the probability to win the match after each move, from that to win the round."""
    me = seat_of(view)
    other = next(seat for seat in view.board.active if seat != me)
    utilities = round_utilities(view, me)
    won, lost = utilities[me * 6 + other], utilities[other * 6 + me]
    return {move: chance * won + (1 - chance) * lost for move, chance in chances.items()}
