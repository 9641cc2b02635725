"""The search of GRA at play time: its graph of bids, its solver, what it concludes from bids, and its moves."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import gramy
from gramy.bots import kernel
from gramy.bots.gra import EXPERT, search_play, table_play
from gramy.bots.gra.abstraction import TwoPlayerRound
from gramy.bots.gra.bid_graph import GraphRoot, bid_graph
from gramy.bots.gra.bid_tree import TERMINAL
from gramy.bots.gra.hand_types import hand_types, type_hits, type_index
from gramy.bots.gra.match_value import opener_win_probability
from gramy.bots.gra.observation import CHECK
from gramy.bots.gra.plain_player import opening_likelihood, plain_strategy
from gramy.bots.gra.round_search import (
    LEAST_ITERATIONS,
    MOST_ITERATIONS,
    PLAIN_SHARE,
    RoundSearch,
    after,
    iterations_for,
    nearest,
)
from gramy.bots.gra.round_starts import load_start, load_start_index, pack_start, unpack_start
from gramy.games.gra.rules import FULL
from gramy.matches import Match

np = pytest.importorskip("numpy")

SEED = 3_107
SMALL = TwoPlayerRound(1, 4, jokers=False, quantity_first=True)


def search_of(round: TwoPlayerRound, budget: float = 0.0) -> RoundSearch:
    start = load_start(round)
    assert start is not None
    return RoundSearch(start, budget)


def match_of(sizes: tuple[int, int], hands: str, picks: str, **options: Any) -> Match:
    """Return a match before the opening bid of a round."""
    game = gramy.game("gra", bid_order="quantity_first", **options)
    line = "phase=bidding turn=0 way=left bid=- by=- opened=- active=0,1 tie=0 ready=0,1"
    return Match(game, position=game.parse_position(f"{line} sizes={sizes[0]},{sizes[1]} hands={hands} picks={picks}"))


def searched_rounds() -> Iterator[TwoPlayerRound]:
    """Yield all rounds with jokers, and without them those of five cards and more."""
    for opener, responder, jokers in product(range(1, FULL), range(1, FULL), (False, True)):
        if jokers or opener + responder >= 5:
            yield TwoPlayerRound(opener, responder, jokers, quantity_first=True)


# --- hand types and the graph of bids ---------------------------------------------------------------------------------


def test_a_hand_of_five_has_252_types_and_ones_count_for_every_value_as_jokers() -> None:
    assert [len(hand_types(cards)) for cards in range(1, 6)] == [6, 21, 56, 126, 252]
    at = type_index(3)[(1, 0, 0, 0, 0, 2)]
    assert list(type_hits(3)[0, :, at]) == [0, 1, 0, 0, 0, 0, 2]
    assert list(type_hits(3)[1, 1:, at]) == [1, 1, 1, 1, 1, 3]


def test_a_graph_has_the_check_first_and_only_higher_bids_which_the_other_seat_answers() -> None:
    nodes = bid_graph(GraphRoot((2, 4), 6, jokers=False))
    assert nodes[0].actions[:4] == (CHECK, (2, 5), (2, 6), (3, 1))
    for node in nodes:
        assert node.actions[0] == CHECK
        assert node.children[0] == TERMINAL
        for bid, child in zip(node.actions[1:], node.children[1:], strict=True):
            assert bid > node.standing
            assert (nodes[child].seat, nodes[child].standing) == (1 - node.seat, bid)


def test_ones_stay_jokers_unless_the_round_is_opened_on_ones() -> None:
    nodes = bid_graph(GraphRoot(CHECK, 5, jokers=True))
    jokers = {bid[1]: nodes[child].jokers for bid, child in zip(nodes[0].actions, nodes[0].children, strict=True)}
    assert jokers == {1: False, 2: True, 3: True, 4: True, 5: True, 6: True}
    assert all(node.jokers for node in bid_graph(GraphRoot((1, 4), 5, jokers=True)))


# --- what a bid tells -------------------------------------------------------------------------------------------------


def test_ranges_after_bids_follow_from_bayes_theorem() -> None:
    search = search_of(SMALL)
    opener, opening = search.start.ranges[0], search.start.opening
    solution = search.solution(((1, 6),))
    by_hand = [held * share for held, share in zip(opener, opening[1, 6], strict=True)]
    expected = [weight / sum(by_hand) for weight in by_hand]
    plain = search.start.plain_ranges[0] * opening_likelihood(1, False, (1, 6))
    assert np.allclose(solution.believed, (1 - PLAIN_SHARE) * np.array(expected) + PLAIN_SHARE * plain / plain.sum())
    later = search.solution(((1, 6), (2, 2), (2, 6)))
    assert np.allclose(later.held, after(search.start.ranges[1], solution.strategy, (2, 2)))
    assert np.allclose(later.believed, after(solution.believed, solution.replies[2, 2], (2, 6)))


def test_an_opener_that_shows_a_six_is_likelier_after_it_has_bid_on_sixes() -> None:
    search = search_of(SMALL)
    six = type_index(1)[(0, 0, 0, 0, 0, 1)]
    assert search.solution(((1, 6),)).believed[six] > 1.5 * search.start.ranges[0][six]


def test_a_bid_outside_the_strategies_tells_what_the_nearest_one_on_its_value_tells() -> None:
    assert nearest({(2, 6): "two", (3, 6): "three", (5, 5): "fives"}, (6, 6)) == "three"
    assert nearest({(2, 6): "two"}, (3, 1)) == "two"


def test_a_plain_player_makes_likely_claims() -> None:
    root = GraphRoot((1, 1), 6, jokers=False)
    strategy = plain_strategy(root, 3)
    first = next(node for node in bid_graph(root) if node.seat == 1 and node.standing == (3, 4))
    rows = [node for node in bid_graph(root) if node.seat == 1]
    at = sum(len(node.actions) for node in rows[: rows.index(first)])
    none, three = type_index(3)[(1, 1, 1, 0, 0, 0)], type_index(3)[(0, 0, 0, 3, 0, 0)]
    assert strategy[at, none] > 0.5 > strategy[at, three]
    assert np.allclose(strategy[at : at + len(first.actions)].sum(0), 1, atol=1e-5)


# --- stored beginnings ------------------------------------------------------------------------------------------------


def test_every_round_that_is_searched_has_a_beginning() -> None:
    assert set(load_start_index()) == {
        f"{round.opener_cards}v{round.responder_cards}" + (" jokers" if round.jokers else "")
        for round in searched_rounds()
    }
    for round in searched_rounds():
        assert 0.05 < opener_win_probability(round) < 0.95


def test_a_beginning_that_is_stored_and_read_again_is_the_same() -> None:
    start = load_start(SMALL)
    assert start is not None
    again = unpack_start(start.cards, start.jokers, pack_start(start))
    for mine, other in zip(start.ranges + start.face_weights, again.ranges + again.face_weights, strict=True):
        assert np.array_equal(mine, other)
    assert start.opening.keys() == again.opening.keys()


# --- moves ------------------------------------------------------------------------------------------------------------


def test_the_same_position_gives_the_same_solution_whatever_was_solved_before() -> None:
    bids = ((1, 3), (2, 4), (3, 4))
    fresh, used = search_of(SMALL), search_of(SMALL)
    for other in (((1, 6),), ((2, 2), (2, 6), (3, 6)), bids[:2]):
        used.solution(other)
    assert all(np.array_equal(fresh.strategy(bids)[action], share) for action, share in used.strategy(bids).items())


def test_more_budget_is_more_work_within_limits() -> None:
    assert iterations_for(0.001, 2_000_000) == LEAST_ITERATIONS
    assert LEAST_ITERATIONS < iterations_for(5.0, 2_000_000) < MOST_ITERATIONS
    assert iterations_for(5.0, 20_000) == MOST_ITERATIONS


@pytest.mark.parametrize("jokers", [False, True])
def test_the_expert_has_a_move_and_values_for_every_position_of_a_round(jokers: bool) -> None:
    rng = random.Random(SEED)
    match = match_of((2, 5), "16,26;12,15,24,36,46", "6,6;2,5,4,6,6", jokers=jokers)
    while True:
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        assert table_play.choose(view, history, rng) is None
        assert search_play.choose(view, history, rng, 0.001) in view.moves
        values = search_play.evaluate(view, history, 0.001)
        assert values is not None
        assert set(values) == set(view.moves)
        assert all(0 <= value <= 1 for value in values.values())
        if view.moves[0] == "check" and view.board.bid.number >= 4:
            break
        match.play(rng.choice([move for move in view.moves if move != "check"][:9]), seat)


def test_a_seat_that_holds_three_sixes_believes_a_bid_of_three_sixes() -> None:
    match = match_of((2, 3), "14,24;16,36,46", "4,4;6,6,6")
    match.play("bid 3x6", 0)
    values = search_play.evaluate(match.view(1), match.history(1), 0.001)
    assert values is not None
    assert values["check"] < values["bid 4x6"]


def test_the_move_depends_on_view_and_history_only() -> None:
    moves = []
    for hidden, picks in (("14,24", "4,4"), ("16,56", "6,6")):
        match = match_of((2, 5), f"{hidden};15,23,25,34,46", f"{picks};5,3,5,3,6")
        match.play("bid 2x6", 0)
        moves.append([EXPERT.choose(match.view(1), match.history(1), random.Random(seed), 0.001) for seed in range(20)])
    assert moves[0] == moves[1]
    assert len(set(moves[0])) > 1


def test_without_compiled_code_the_expert_plays_by_sampled_deals() -> None:
    match = match_of((2, 5), "16,26;12,15,24,36,46", "6,6;2,5,4,6,6")
    view, history = match.view(0), match.history(0)
    with kernel.plain():
        assert search_play.choose(view, history, random.Random(SEED), 0.001) is None
        assert EXPERT.choose(view, history, random.Random(SEED), 0.001) in view.moves
