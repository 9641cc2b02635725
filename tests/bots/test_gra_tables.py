"""Rounds of GRA between two: what the tables are made of, what they are sure of, and the play that comes of them."""

import random
from collections import Counter
from itertools import combinations, product
from math import isclose
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import gramy
from gramy.bots import bot
from gramy.bots.gra import compute, duel, store
from gramy.bots.gra.compute import certified, packed
from gramy.bots.gra.shape import Round, Shape, parts
from gramy.bots.gra.sight import Sight, joint
from gramy.bots.gra.solve import Solver
from gramy.bots.gra.tree import CHECK, Plan, Tree
from gramy.games.gra.rules import PAIRS
from gramy.matches import Match

SEED = 611
SIZES = range(1, 6)


# --- what a round is made of ------------------------------------------------------------------------------------------


def test_with_only_sixes_in_sight_a_hand_is_how_many_cards_have_one() -> None:
    sight = Sight([6], 3)
    assert sight.copies == [20, 10]
    assert sight.hands == [(0, 3), (1, 2), (2, 1), (3, 0)]
    assert sight.seen([(1, 6), (2, 3), (5, 6)]) == (1, 2)
    assert sight.shown([6, 2, 5]) == (1,)
    assert len(sight.states) == 10


def test_all_hands_together_are_certain() -> None:
    rows = joint(Sight([1, 6], 2), Sight([1, 6], 3))
    assert isclose(sum(map(sum, rows)), 1)


def test_all_values_in_sight_tell_every_hand_apart() -> None:
    assert [len(Sight(range(1, 7), size).hands) for size in (1, 2, 3)] == [15, 120, 665]


def test_the_owner_keeps_to_the_plan_and_checks_what_it_leaves_out() -> None:
    tree = Tree(Plan(owner=1, cards=3, quantity_first=False, values=(6,), most=2, raises=9, jump=9), (4,))
    root = tree.nodes[0]
    assert [(edge.move, edge.node >= 0) for edge in root.edges] == [((1, 4), True), ((2, 4), True), ((3, 4), False)]
    assert root.edges[-1].claim == (3, 4)  # three fours end the round: they are checked
    assert root.edges[-1].bidder == 0
    answers = tree.nodes[tree.node_of[((2, 4),)]].edges
    assert [edge.move for edge in answers] == [CHECK, (1, 6), (2, 6)]


def test_a_raise_goes_no_further_than_the_plan_and_what_is_checked_at_once_is_said_only_at_its_least() -> None:
    tree = Tree(Plan(owner=0, cards=4, quantity_first=True, values=(1, 6), most=3, raises=2, jump=0), (1, 6))
    answers = tree.nodes[tree.node_of[((1, 6),)]].edges
    assert [(edge.move, edge.node >= 0) for edge in answers] == [
        (CHECK, False),
        ((2, 1), True),
        ((2, 6), True),
        ((3, 1), False),
        ((3, 6), False),
    ]
    again = tree.nodes[tree.node_of[((1, 6), (2, 1))]].edges
    assert [edge.move for edge in again] == [CHECK, (2, 6), (3, 1)]
    last = tree.nodes[tree.node_of[((1, 6), (2, 1), (2, 6))]].edges
    assert [(edge.move, edge.node) for edge in last] == [(CHECK, -1), ((3, 1), -1), ((3, 6), -1)]


def test_after_an_opening_with_a_one_the_other_seat_answers_on_any_value() -> None:
    plan = Plan(owner=0, cards=3, quantity_first=False, values=(6,), most=2, raises=9, jump=9)
    tree = Tree(plan, (1,), replies=(1, 2, 6))
    assert [edge.move for edge in tree.nodes[0].edges] == [(1, 1)]
    answers = tree.nodes[tree.node_of[((1, 1),)]].edges
    assert [(edge.move, edge.node >= 0) for edge in answers] == [
        (CHECK, False),
        ((2, 1), True),
        ((3, 1), False),
        ((1, 2), True),
        ((2, 2), True),
        ((3, 2), False),
        ((1, 6), True),
        ((2, 6), True),
        ((3, 6), False),
    ]
    assert [edge.move for edge in tree.nodes[tree.node_of[((1, 1), (2, 2))]].edges] == [CHECK, (1, 6), (2, 6)]


def test_a_hand_too_large_to_be_told_apart_goes_by_what_it_shows() -> None:
    shape = Shape(Round(1, 3, jokers=False, quantity_first=True), owner=1, top=6, most=1, raises=1, jump=0, keen=2)
    (part,) = parts(shape)
    assert [len(labels) for labels in part.labels] == [30, 56]


# --- what it is sure of -----------------------------------------------------------------------------------------------


def test_learning_finds_the_known_value_of_one_card_each() -> None:
    """A linear program has -22/435 for it, in wins less losses."""
    round, sure = Round(1, 1, jokers=False, quantity_first=False), []
    for owner in (0, 1):
        solver = Solver(Shape(round, owner, top=2 + owner, most=2, raises=2, jump=2, keen=1))
        solver.learn(150)
        sure.append(solver.sure())
    known = (1 - 22 / 435) / 2
    assert known - 0.002 < sure[0] < known < 1 - sure[1] < known + 0.002


def test_an_opening_with_a_one_is_worth_something_with_jokers() -> None:
    round = Round(2, 3, jokers=True, quantity_first=False)
    sure = []
    for ones in (0, 4):
        solver = Solver(Shape(round, owner=0, top=1, most=5, raises=5, jump=5, keen=6, ones=ones))
        solver.learn(200)
        sure.append(solver.sure())
    assert sure[0] + 0.0005 < sure[1] < 1 - store.index(jokers=True, quantity_first=False)["2v3 answers"].sure


def test_a_play_that_opens_with_ones_is_stored_whole_and_read_back() -> None:
    """What is packed is sure of what was learnt, and the play read from it opens on ones and answers on any value."""
    solver = Solver(Shape(Round(2, 2, True, False), owner=0, top=1, most=4, raises=4, jump=4, keen=6, ones=4))
    solver.learn(60)
    play = store.Play(solver.shape, packed(solver))
    assert certified(play) == pytest.approx(solver.sure(), abs=0.002)
    shares: Counter[int] = Counter()
    for cards in combinations([pair for pair in PAIRS for _ in range(2)], 2):
        for shown, often in play.showing(cards).items():
            faces = next(faces for faces in product(*cards) if play.parts[0].sights[0].shown(faces) == shown)
            for (_, value), share in play.moves(cards, faces, ()).items() if often else ():
                shares[value] += share
    assert set(shares) == {1, 6}
    assert 0.02 < shares[1] / shares.total() < 0.5
    for low in (2, 3, 4, 5):
        said = ((1, 1), (1, low))
        moves = [
            play.moves(cards, faces, said)
            for cards in [((1, low), (1, 6)), ((1, 2), (1, 3)), ((1, 5), (4, 6))]
            for faces in product(*cards)
        ]
        assert any(moves)
        assert all(sum(shares.values()) == store.WHOLE for shares in moves if shares)


def test_an_archive_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "TABLES", tmp_path)
    archive = tmp_path / store.archive(jokers=True, quantity_first=True)
    entry = store.Entry(1, 1, 1, 1, 1, 1, 0.5)
    compute.write(True, True, {"1v1 opens": entry}, {"1v1 opens": b"first"})
    before = archive.read_bytes()
    with pytest.raises(KeyError):  # the second play is missing: writing breaks off in the middle
        compute.write(True, True, {"1v1 opens": entry, "1v2 opens": entry}, {"1v1 opens": b"second"})
    assert archive.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [archive.name]
    compute.write(True, True, {"1v1 opens": entry}, {"1v1 opens": b"second"})
    with ZipFile(archive) as written:
        assert written.read("1v1 opens") == b"second"


@pytest.mark.parametrize(
    ("round", "goal"),
    [
        (Round(1, 1, jokers=False, quantity_first=False), 0.001),
        (Round(1, 2, jokers=False, quantity_first=False), 0.001),
        (Round(2, 1, jokers=False, quantity_first=False), 0.001),
        (Round(2, 2, jokers=False, quantity_first=False), 0.001),
        (Round(3, 3, jokers=False, quantity_first=False), 0.001),
        (Round(1, 2, jokers=True, quantity_first=False), 0.01),
        (Round(2, 2, jokers=True, quantity_first=False), 0.01),
        (Round(3, 3, jokers=True, quantity_first=False), 0.01),
        (Round(1, 1, jokers=False, quantity_first=True), 0.01),
        (Round(1, 2, jokers=False, quantity_first=True), 0.01),
        (Round(2, 1, jokers=False, quantity_first=True), 0.01),
    ],
)
def test_the_stored_play_of_small_rounds_is_sure_of_what_its_index_says(round: Round, goal: float) -> None:
    plays = [store.play(round, owner) for owner in (0, 1)]
    sure = [certified(play) for play in plays if play is not None]
    index = store.index(round.jokers, round.quantity_first)
    assert sure == pytest.approx([index[store.name(round, owner)].sure for owner in (0, 1)], abs=1e-5)
    assert 0 <= 1 - sum(sure) <= goal


def test_every_round_has_its_tables_and_they_leave_little_open() -> None:
    index = store.index(jokers=False, quantity_first=False)
    for opens in SIZES:
        for answers in SIZES:
            round = Round(opens, answers, jokers=False, quantity_first=False)
            left = 1 - sum(index[store.name(round, owner)].sure for owner in (0, 1))
            assert 0 <= left <= 0.005


def test_more_cards_are_better_for_the_one_who_has_them() -> None:
    for opens in SIZES:
        chances = [store.opener_wins(Round(opens, answers, False, False)) for answers in SIZES]
        assert chances == sorted(chances, reverse=True)


# --- play -------------------------------------------------------------------------------------------------------------


def test_rounds_with_jokers_have_tables_that_leave_little_open_up_to_eight_cards() -> None:
    index = store.index(jokers=True, quantity_first=False)
    for opens in SIZES:
        for answers in range(1, min(5, 8 - opens) + 1):
            round = Round(opens, answers, jokers=True, quantity_first=False)
            assert 0 <= 1 - sum(index[store.name(round, owner)].sure for owner in (0, 1)) <= 0.01


def test_the_expert_plays_rounds_between_two_by_its_tables() -> None:
    rng = random.Random(SEED)
    for seed in range(6):
        match = gramy.match("gra", seed=seed)
        while match.to_act:
            seat = match.to_act[0]
            view, history = match.view(seat), match.history(seat)
            move = duel.choose(view, history, rng)
            assert move in view.moves
            match.play(move, seat)


@pytest.mark.parametrize("options", [{"jokers": True}, {"bid_order": "quantity_first"}])
def test_the_first_rounds_of_variants_are_played_by_their_tables(options: dict[str, Any]) -> None:
    rng = random.Random(SEED)
    for seed in range(6):
        match = gramy.match("gra", seed=seed, **options)
        while match.to_act and sum(match.view(0).board.sizes) <= 3:
            seat = match.to_act[0]
            view = match.view(seat)
            move = duel.choose(view, match.history(seat), rng)
            assert move in view.moves
            match.play(move, seat)


def test_what_the_tables_have_no_answer_to_is_left_to_imagination() -> None:
    game = gramy.game("gra")
    line = (
        "phase=bidding turn=0 way=left bid=- by=- opened=- sizes=2,2 active=0,1 tie=0 "
        "hands=16,26;36,46 picks=1,2;3,4 ready=0,1"
    )
    match = Match(game, position=game.parse_position(line))
    view, history = match.view(0), match.history(0)
    assert duel.choose(view, history, random.Random(SEED)) is None  # nobody turns down both sixes
    assert bot("gra", "expert").choose(view, history, random.Random(SEED), 0.001) in view.moves


def test_a_bid_that_the_tables_never_make_is_no_dead_end() -> None:
    rng = random.Random(SEED)
    for seed in range(12):
        match = gramy.match("gra", seed=seed, fewer_cards=True)
        while match.to_act and len(match.log) < 40:
            seat = match.to_act[0]
            move = duel.choose(match.view(seat), match.history(seat), rng)
            match.play(rng.choice(match.moves(seat)[:3]) if move is None or rng.random() < 0.4 else move, seat)


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 3}, {"jokers": True}, {"players": 4, "directions": True}, {"bid_order": "quantity_first"}],
)
def test_every_offered_move_is_weighed_by_the_chance_to_win_the_match(options: dict[str, Any]) -> None:
    expert = gramy.bots.gra.EXPERT
    rng = random.Random(SEED)
    match = gramy.match("gra", seed=SEED, **options)
    for _ in range(12):
        seat = match.to_act[0]
        view = match.view(seat)
        worth = expert.evaluate(view, match.history(seat), rng, 0.002)
        assert set(worth) == set(view.moves)
        assert all(0 <= chance <= 1 for chance in worth.values())
        match.play(rng.choice(view.moves[:4]), seat)


def test_a_position_without_its_bids_is_not_read_from_the_tables() -> None:
    game = gramy.game("gra")
    line = (
        "phase=bidding turn=1 way=left bid=2x6 by=0 opened=6 sizes=2,2 active=0,1 tie=0 "
        "hands=16,26;36,46 picks=6,6;6,6 ready=0,1"
    )
    match = Match(game, position=game.parse_position(line))
    assert duel.evaluate(match.view(1), match.history(1)) is None


def test_against_the_tables_truth_beats_a_hopeless_check() -> None:
    game = gramy.game("gra")
    line = (
        "phase=bidding turn=0 way=left bid=- by=- opened=- sizes=2,2 active=0,1 tie=0 "
        "hands=16,26;36,46 picks=6,6;6,6 ready=0,1"
    )
    match = Match(game, position=game.parse_position(line))
    match.play("bid 2x6", 0)
    worth = duel.evaluate(match.view(1), match.history(1))
    assert worth is not None
    assert worth["bid 3x6"] > worth["check"]  # who holds two sixes does not doubt two


def test_an_opening_with_a_one_can_be_answered_on_every_value_and_each_answer_is_weighed() -> None:
    game = gramy.game("gra", jokers=True)
    line = (
        "phase=bidding turn=0 way=left bid=- by=- opened=- sizes=4,3 active=0,1 tie=0 "
        "hands=23,26,36,46;14,24,35 picks=3,6,6,6;4,4,5 ready=0,1"
    )
    match = Match(game, position=game.parse_position(line))
    match.play("bid 1x1", 0)
    view = match.view(1)
    worth = duel.evaluate(view, match.history(1))
    assert worth is not None
    assert set(worth) == set(view.moves)
    assert worth["bid 2x4"] > worth["bid 2x3"]  # two fours are there for certain
    match.play("bid 2x4", 1)
    assert duel.choose(match.view(0), match.history(0), random.Random(SEED)) in match.view(0).moves
