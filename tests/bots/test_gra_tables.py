"""Rounds of GRA between two players: the abstraction, the stored strategy tables, and the moves drawn from them."""

import random
from itertools import product
from typing import Any

import pytest

import gramy
from gramy.bots import bot
from gramy.bots.gra import EXPERT, table_play
from gramy.bots.gra.abstraction import Abstraction, TwoPlayerRound, subgames
from gramy.bots.gra.bid_tree import TERMINAL, ActionAbstraction, BidTree
from gramy.bots.gra.hand_abstraction import HandAbstraction
from gramy.bots.gra.match_value import opener_win_probability
from gramy.bots.gra.observation import CHECK
from gramy.bots.gra.sparse_rows import SparseRows
from gramy.bots.gra.strategy_tables import SEAT_NAMES, load_index, load_table, table_name
from gramy.matches import Match

SEED = 611
SIZES = range(1, 6)


# --- the abstraction --------------------------------------------------------------------------------------------------


def test_if_only_sixes_are_distinguished_a_hand_is_the_number_of_cards_with_a_six() -> None:
    hands = HandAbstraction([6], 3)
    assert hands.class_sizes == [20, 10]
    assert hands.hands == [(0, 3), (1, 2), (2, 1), (3, 0)]
    assert hands.abstract_hand([(1, 6), (2, 3), (5, 6)]) == (1, 2)
    assert hands.shown_faces([6, 2, 5]) == (1,)
    assert len(hands.private_states) == 10


def test_if_all_values_are_distinguished_every_hand_is_its_own_abstract_hand() -> None:
    assert [len(HandAbstraction(range(1, 7), size).hands) for size in (1, 2, 3)] == [15, 120, 665]


def test_the_abstracted_seat_keeps_within_its_limits_and_checks_higher_bids() -> None:
    limits = ActionAbstraction(
        seat=1, cards_in_play=3, quantity_first=False, values=(6,), max_number=2, max_bids=9, max_jump=9
    )
    tree = BidTree(limits, (4,))
    root = tree.nodes[0]
    assert [(edge.action, edge.child == TERMINAL) for edge in root.edges] == [
        ((1, 4), False),
        ((2, 4), False),
        ((3, 4), True),
    ]
    assert root.edges[-1].claim == (3, 4)
    assert root.edges[-1].bidder == 0
    replies = tree.nodes[tree.node_of[((2, 4),)]].edges
    assert [edge.action for edge in replies] == [CHECK, (1, 6), (2, 6)]


def test_raises_are_limited_and_of_the_bids_that_are_checked_only_the_lowest_is_in_the_tree() -> None:
    limits = ActionAbstraction(
        seat=0, cards_in_play=4, quantity_first=True, values=(1, 6), max_number=3, max_bids=2, max_jump=0
    )
    tree = BidTree(limits, (1, 6))
    replies = tree.nodes[tree.node_of[((1, 6),)]].edges
    assert [(edge.action, edge.child == TERMINAL) for edge in replies] == [
        (CHECK, True),
        ((2, 1), False),
        ((2, 6), False),
        ((3, 1), True),
        ((3, 6), True),
    ]
    second = tree.nodes[tree.node_of[((1, 6), (2, 1))]].edges
    assert [edge.action for edge in second] == [CHECK, (2, 6), (3, 1)]
    last = tree.nodes[tree.node_of[((1, 6), (2, 1), (2, 6))]].edges
    assert [(edge.action, edge.child) for edge in last] == [(CHECK, TERMINAL), ((3, 1), TERMINAL), ((3, 6), TERMINAL)]


def test_after_an_opening_with_a_one_the_other_seat_replies_on_any_value() -> None:
    limits = ActionAbstraction(
        seat=0, cards_in_play=3, quantity_first=False, values=(6,), max_number=2, max_bids=9, max_jump=9
    )
    tree = BidTree(limits, (1,), replies=(1, 2, 6))
    assert [edge.action for edge in tree.nodes[0].edges] == [(1, 1)]
    replies = tree.nodes[tree.node_of[((1, 1),)]].edges
    assert [(edge.action, edge.child == TERMINAL) for edge in replies] == [
        (CHECK, True),
        ((2, 1), False),
        ((3, 1), True),
        ((1, 2), False),
        ((2, 2), False),
        ((3, 2), True),
        ((1, 6), False),
        ((2, 6), False),
        ((3, 6), True),
    ]
    assert [edge.action for edge in tree.nodes[tree.node_of[((1, 1), (2, 2))]].edges] == [CHECK, (1, 6), (2, 6)]


def test_a_hand_with_imperfect_recall_is_known_by_the_faces_that_it_shows() -> None:
    round = TwoPlayerRound(1, 3, jokers=False, quantity_first=True)
    abstraction = Abstraction(round, seat=1, high_values=6, max_number=1, max_bids=1, max_jump=0, recall_size=2)
    (subgame,) = subgames(abstraction)
    assert [len(info_sets) for info_sets in subgame.info_sets] == [30, 56]


def test_a_larger_hand_remembers_its_cards_with_some_values() -> None:
    round = TwoPlayerRound(1, 3, jokers=False, quantity_first=True)
    limits = {"high_values": 6, "max_number": 1, "max_bids": 1, "max_jump": 0, "recall_size": 2}
    abstractions = [
        Abstraction(round, seat=1, **limits, recall_values=values) for values in ((5, 6), (1, 2, 3, 4, 5, 6))
    ]
    found = [subgames(abstraction)[0].info_sets[1] for abstraction in abstractions]
    assert [len(info_sets) for info_sets in found] == [564, 4880]
    hands = subgames(abstractions[0])[0].hands[1]
    shown = hands.shown_faces([1, 1, 1])
    same, other = (
        [subgames(abstractions[0])[0].info_set(1, hands.hand_index(cards), shown) for cards in pair]
        for pair in (
            ([(1, 2), (1, 3), (1, 6)], [(1, 3), (1, 4), (1, 6)]),
            ([(1, 2), (1, 3), (1, 6)], [(1, 2), (1, 3), (1, 5)]),
        )
    )
    assert same[0] == same[1]
    assert other[0] != other[1]


def test_a_pruned_tree_has_the_bids_whose_bits_are_set() -> None:
    limits = ActionAbstraction(
        seat=1, cards_in_play=3, quantity_first=True, values=(5, 6), max_number=2, max_bids=1, max_jump=0
    )
    openings, replies = [1, 1, 1, 0], [1, 0, 0, 0, 1]  # which openings it replies to, and which replies it makes
    full = BidTree(limits, (5, 6))
    assert full.bids_within_limits(()) == [(1, 5), (1, 6), (2, 5), (2, 6)]
    assert [full.bids_within_limits((bid,)) for bid in full.bids_within_limits(())[:3]] == [
        [(1, 6), (2, 5)],
        [(2, 5), (2, 6)],
        [(2, 6)],
    ]
    flags = [*openings, *replies]
    kept = sum(flag << at for at, flag in enumerate(flags)).to_bytes(2, "little")
    tree = BidTree(limits._replace(kept=kept), (5, 6))
    assert [(edge.action, edge.child == TERMINAL) for edge in tree.nodes[0].edges] == [
        ((1, 5), False),
        ((1, 6), False),
        ((2, 5), False),
        ((2, 6), True),
        ((3, 5), True),
    ]
    replies_made = [
        [edge.action for edge in tree.nodes[tree.node_of[(bid,)]].edges] for bid in [(1, 5), (1, 6), (2, 5)]
    ]
    assert replies_made == [[CHECK, (1, 6)], [CHECK], [CHECK, (2, 6)]]


def test_sparse_rows_give_the_weights_that_were_stored() -> None:
    rows = [[0, 0, 7, 0, 0, 0, 0, 0, 0, 1000], [0] * 10, [300, 0, 0, 0, 0, 0, 0, 1, 2, 0]]
    masks = [sum((weight > 0) << at for at, weight in enumerate(row)).to_bytes(2, "little") for row in rows]
    weights = [weight.to_bytes(2, "little") for row in rows for weight in row if weight]
    stored = SparseRows(b"".join([b"before", *masks, *weights]), first=6, rows=3, columns=10)
    found = [dict(stored.weights(row, range(10))) for row in range(3)]
    assert found == [{at: weight for at, weight in enumerate(row) if weight} for row in rows]


# --- the stored tables ------------------------------------------------------------------------------------------------


def exploitability(round: TwoPlayerRound) -> float:
    """Return what both tables of a round from_positions can lose to best responses, by the index."""
    index = load_index(round.jokers, round.quantity_first)
    return 1 - sum(index[table_name(round, seat)].guaranteed for seat in (0, 1))


def test_every_round_has_tables_with_an_exploitability_of_at_most_0_005() -> None:
    for opener in SIZES:
        for responder in SIZES:
            assert 0 <= exploitability(TwoPlayerRound(opener, responder, jokers=False, quantity_first=False)) <= 0.005


def test_every_round_of_up_to_eight_cards_with_jokers_has_an_exploitability_of_at_most_0_01() -> None:
    for opener in SIZES:
        for responder in range(1, min(5, 8 - opener) + 1):
            assert 0 <= exploitability(TwoPlayerRound(opener, responder, jokers=True, quantity_first=False)) <= 0.01


def test_rounds_by_quantity_first_have_tables_up_to_four_cards_in_a_hand_and_seven_in_all() -> None:
    limits = {4: 0.005, 5: 0.01, 6: 0.03, 7: 0.06}
    found = {}
    for opener, responder in product(SIZES, SIZES):
        round = TwoPlayerRound(opener, responder, jokers=False, quantity_first=True)
        if all(table_name(round, seat) in load_index(jokers=False, quantity_first=True) for seat in (0, 1)):
            found[opener, responder] = exploitability(round)
    assert found.keys() == {sizes for sizes in product(SIZES, SIZES) if max(sizes) <= 4 and sum(sizes) <= 7}
    assert all(0 <= lost <= limits[max(4, sum(sizes))] for sizes, lost in found.items())


def test_pruned_trees_are_small_enough_to_be_built_when_a_round_begins() -> None:
    for name, entry in load_index(jokers=False, quantity_first=True).items():
        if entry.kept_size:
            sizes, seat = name.split()
            opener, responder = map(int, sizes.split("v"))
            round = TwoPlayerRound(opener, responder, jokers=False, quantity_first=True)
            table = load_table(round, SEAT_NAMES.index(seat))
            assert table is not None
            assert table.subgames[0].tree.edge_count < 50_000
            assert len(table.stored) < 8_000_000


def test_the_more_cards_the_responder_has_the_less_often_the_opener_wins() -> None:
    for opener in SIZES:
        rounds = [TwoPlayerRound(opener, responder, jokers=False, quantity_first=False) for responder in SIZES]
        chances = [opener_win_probability(round) for round in rounds]
        assert chances == sorted(chances, reverse=True)


# --- moves ------------------------------------------------------------------------------------------------------------


def at_position(line: str, **options: Any) -> Match:
    """Return a match at a position of two players."""
    game = gramy.game("gra", **options)
    return Match(game, position=game.parse_position(f"{line} active=0,1 tie=0 ready=0,1"))


def test_the_tables_have_a_move_for_every_position_of_a_match_played_by_them() -> None:
    rng = random.Random(SEED)
    for seed in range(6):
        match = gramy.match("gra", seed=seed, starter="lot")
        while match.to_act:
            seat = match.to_act[0]
            view, history = match.view(seat), match.history(seat)
            move = table_play.choose(view, history, rng)
            assert move in view.moves
            match.play(move, seat)


@pytest.mark.parametrize("options", [{"jokers": True}, {"bid_order": "quantity_first"}])
def test_the_tables_have_a_move_in_the_first_rounds_of_variants(options: dict[str, Any]) -> None:
    rng = random.Random(SEED)
    for seed in range(6):
        match = gramy.match("gra", seed=seed, starter="lot", **options)
        while match.to_act and sum(match.view(0).board.sizes) <= 5:
            seat = match.to_act[0]
            view = match.view(seat)
            move = table_play.choose(view, match.history(seat), rng)
            assert move in view.moves
            match.play(move, seat)


def test_a_position_that_the_tables_do_not_have_is_played_by_sampled_deals() -> None:
    match = at_position("phase=bidding turn=0 way=left bid=- by=- opened=- sizes=2,2 hands=16,26;36,46 picks=1,2;3,4")
    view, history = match.view(0), match.history(0)
    assert table_play.choose(view, history, random.Random(SEED)) is None  # no strategy turns down both sixes
    assert bot("gra", "expert").choose(view, history, random.Random(SEED), 0.001) in view.moves


def test_bids_outside_the_strategies_raise_no_error() -> None:
    rng = random.Random(SEED)
    for seed in range(12):
        match = gramy.match("gra", seed=seed, starter="lot", fewer_cards=True)
        while match.to_act and len(match.log) < 40:
            seat = match.to_act[0]
            move = table_play.choose(match.view(seat), match.history(seat), rng)
            match.play(rng.choice(match.moves(seat)[:3]) if move is None or rng.random() < 0.4 else move, seat)


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 3}, {"jokers": True}, {"players": 4, "directions": True}, {"bid_order": "quantity_first"}],
)
def test_the_expert_evaluates_every_legal_move_by_the_probability_to_win_the_match(options: dict[str, Any]) -> None:
    rng = random.Random(SEED)
    match = gramy.match("gra", seed=SEED, starter="lot", **options)
    for _ in range(12):
        seat = match.to_act[0]
        view = match.view(seat)
        values = EXPERT.evaluate(view, match.history(seat), rng, 0.002)
        assert set(values) == set(view.moves)
        assert all(0 <= value <= 1 for value in values.values())
        match.play(rng.choice(view.moves[:4]), seat)


def test_a_position_without_the_history_of_its_bids_is_not_looked_up_in_the_tables() -> None:
    match = at_position("phase=bidding turn=1 way=left bid=2x6 by=0 opened=6 sizes=2,2 hands=16,26;36,46 picks=6,6;6,6")
    assert table_play.evaluate(match.view(1), match.history(1)) is None


def test_a_choice_of_faces_is_evaluated_unless_the_tree_of_the_other_seat_is_large() -> None:
    game = gramy.game("gra", bid_order="quantity_first")
    line = "phase=choosing turn=0 way=left bid=- by=- opened=- sizes=3,3 active=0,1 tie=0 ready=-"
    match = Match(game, position=game.parse_position(f"{line} hands=16,26,35;12,15,36 picks=1,2,3;1,1,3"))
    against_responder, against_opener = (table_play.evaluate(match.view(seat), match.history(seat)) for seat in (0, 1))
    assert against_responder is None
    assert against_opener is not None
    assert set(against_opener) == set(match.view(1).moves)


def test_a_seat_with_two_sixes_rates_a_raise_above_a_check_of_two_sixes() -> None:
    match = at_position("phase=bidding turn=0 way=left bid=- by=- opened=- sizes=2,2 hands=16,26;36,46 picks=6,6;6,6")
    match.play("bid 2x6", 0)
    values = table_play.evaluate(match.view(1), match.history(1))
    assert values is not None
    assert values["bid 3x6"] > values["check"]


def test_every_reply_to_an_opening_with_a_one_is_evaluated() -> None:
    match = at_position(
        "phase=bidding turn=0 way=left bid=- by=- opened=- sizes=4,3 hands=23,26,36,46;14,24,35 picks=3,6,6,6;4,4,5",
        jokers=True,
    )
    match.play("bid 1x1", 0)
    view = match.view(1)
    values = table_play.evaluate(view, match.history(1))
    assert values is not None
    assert set(values) == set(view.moves)
    assert values["bid 2x4"] > values["bid 2x3"]  # the seat shows two fours
    match.play("bid 2x4", 1)
    assert table_play.choose(match.view(0), match.history(0), random.Random(SEED)) in match.view(0).moves
