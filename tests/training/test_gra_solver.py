"""CFR+ for rounds of GRA between two players: known values, stored strategies, archives and the command."""

from collections import Counter
from itertools import combinations, product
from math import isclose
from pathlib import Path
from zipfile import ZipFile

import pytest

from gramy.bots.gra.abstraction import Abstraction, TwoPlayerRound, subgames
from gramy.bots.gra.hand_abstraction import HandAbstraction
from gramy.bots.gra.strategy_tables import (
    SCALE,
    StrategyTable,
    TableEntry,
    load_index,
    load_table,
    read_index,
    read_table,
    table_name,
)
from gramy.games.gra.rules import PAIRS
from training.gra.__main__ import main
from training.gra.abstractions import abstraction_of
from training.gra.archive import MIN_PROBABILITY, archived, guaranteed_value, own_weights, pack, unpack, write_archive
from training.gra.chance import deal_probabilities
from training.gra.pruning import prune
from training.gra.solver import Solver, info_sets_by_values
from training.provenance import BOTS


def test_the_probabilities_of_all_deals_sum_to_one() -> None:
    deal = deal_probabilities(HandAbstraction([1, 6], 2), HandAbstraction([1, 6], 3))
    assert isclose(sum(map(sum, deal)), 1)


# --- CFR+ -------------------------------------------------------------------------------------------------------------


def test_the_averages_converge_to_the_known_value_of_one_card_each() -> None:
    """A linear program gives -22/435 for it, in wins minus losses."""
    round, guaranteed = TwoPlayerRound(1, 1, jokers=False, quantity_first=False), []
    for seat in (0, 1):
        limits = {"max_number": 2, "max_bids": 2, "max_jump": 2, "recall_size": 1}
        solver = Solver(Abstraction(round, seat, high_values=2 + seat, **limits))
        solver.iterate(150)
        guaranteed.append(solver.guaranteed_value())
    known = (1 - 22 / 435) / 2
    assert known - 0.002 < guaranteed[0] < known < 1 - guaranteed[1] < known + 0.002


def test_an_opening_with_a_one_raises_the_value_with_jokers() -> None:
    round = TwoPlayerRound(2, 3, jokers=True, quantity_first=False)
    limits = {"high_values": 1, "max_number": 5, "max_bids": 5, "max_jump": 5, "recall_size": 6}
    guaranteed = []
    for max_number_after_one in (0, 4):
        solver = Solver(Abstraction(round, seat=0, **limits, max_number_after_one=max_number_after_one))
        solver.iterate(200)
        guaranteed.append(solver.guaranteed_value())
    responder = load_index(jokers=True, quantity_first=False)[table_name(round, 1)]
    assert guaranteed[0] + 0.0005 < guaranteed[1] < 1 - responder.guaranteed


def test_a_seat_that_learns_with_part_of_its_hand_knows_what_it_shows_and_the_cards_with_some_values() -> None:
    hands = HandAbstraction(range(1, 7), 2)
    for values, known in (((), 21), ((6,), 56), (range(1, 7), 465)):
        assert info_sets_by_values(hands, values).max() + 1 == known
    same = [
        {
            index
            for index, (hand, shown) in zip(info_sets, hands.private_states, strict=True)
            if shown == (1, 1, 0, 0, 0, 0)
        }
        for info_sets in (info_sets_by_values(hands, values) for values in ((), (6,)))
    ]
    assert [len(info_sets) for info_sets in same] == [1, 3]  # with no, one or two sixes that are turned down


def test_a_strategy_learnt_against_part_of_the_hand_is_nearly_as_good_against_the_whole_hand() -> None:
    round = TwoPlayerRound(1, 2, jokers=False, quantity_first=True)
    abstraction = Abstraction(round, seat=0, high_values=6, max_number=3, max_bids=2, max_jump=1, recall_size=2)
    guaranteed = []
    for opponent_values in (None, (5, 6), ()):
        solver = Solver(abstraction, opponent_values)
        solver.iterate(80)
        guaranteed.append(guaranteed_value(StrategyTable(abstraction, pack(solver))))
    assert all(value == pytest.approx(guaranteed[0], abs=0.01) for value in guaranteed)


# --- stored strategies ------------------------------------------------------------------------------------------------


def test_a_strategy_that_opens_with_ones_keeps_its_value_and_its_replies_when_it_is_packed() -> None:
    round = TwoPlayerRound(2, 2, jokers=True, quantity_first=False)
    limits = {"high_values": 1, "max_number": 4, "max_bids": 4, "max_jump": 4, "recall_size": 6}
    solver = Solver(Abstraction(round, seat=0, **limits, max_number_after_one=4))
    solver.iterate(60)
    table = StrategyTable(solver.abstraction, pack(solver))
    assert guaranteed_value(table) == pytest.approx(solver.guaranteed_value(), abs=0.002)
    openings: Counter[int] = Counter()
    hands = table.subgames[0].hands[0]
    for cards in combinations([pair for pair in PAIRS for _ in range(2)], 2):
        for shown, weight in table.face_weights(cards).items():
            faces = next(faces for faces in product(*cards) if hands.shown_faces(faces) == shown)
            for (_, value), share in table.action_weights(cards, faces, ()).items() if weight else ():
                openings[value] += share
    assert set(openings) == {1, 6}
    assert 0.02 < openings[1] / openings.total() < 0.5
    for low in (2, 3, 4, 5):
        bids = ((1, 1), (1, low))
        replies = [
            table.action_weights(cards, faces, bids)
            for cards in [((1, low), (1, 6)), ((1, 2), (1, 3)), ((1, 5), (4, 6))]
            for faces in product(*cards)
        ]
        assert any(replies)
        assert all(sum(weights.values()) == SCALE for weights in replies if weights)


def small_solver(seat: int, recall_size: int, recall_values: tuple[int, ...] = ()) -> Solver:
    """Return a solver of 2v1 by quantity first, for a few iterations."""
    round = TwoPlayerRound(2, 1, jokers=False, quantity_first=True)
    limits = {"high_values": 6, "max_number": 3, "max_bids": 2, "max_jump": 1}
    solver = Solver(Abstraction(round, seat, **limits, recall_size=recall_size, recall_values=recall_values))
    solver.iterate(40)
    return solver


@pytest.mark.parametrize("seat", [0, 1])
def test_a_pruned_table_plays_as_before_and_guarantees_as_much(seat: int) -> None:
    solver = small_solver(seat, recall_size=2)
    pruned = prune(solver, least=MIN_PROBABILITY)
    before = StrategyTable(solver.abstraction, pack(solver))
    after = StrategyTable(pruned.abstraction, pack(pruned))
    assert guaranteed_value(after) == pytest.approx(guaranteed_value(before), abs=1e-12)
    assert after.subgames[0].tree.edge_count < before.subgames[0].tree.edge_count
    hands = [((1, 2), (5, 6)), ((1, 6), (2, 6)), ((3, 4), (3, 4))] if seat == 0 else [((1, 6),), ((2, 5),)]
    for cards in hands:
        assert after.face_weights(cards) == before.face_weights(cards)
        for faces, node in product(product(*cards), before.subgames[0].tree.nodes):
            if node.seat == seat:
                weights = before.action_weights(cards, faces, node.bids)
                if weights:  # otherwise this hand has left its strategy
                    assert +Counter(after.action_weights(cards, faces, node.bids)) == +Counter(weights)


def test_a_pruned_table_never_plays_rarer_bids_and_is_read_back_as_it_was_packed() -> None:
    solver = small_solver(0, recall_size=1, recall_values=(5, 6))
    pruned = prune(solver, least=0.05)
    table = StrategyTable(pruned.abstraction, pack(pruned))
    assert guaranteed_value(table) == pytest.approx(pruned.guaranteed_value(), abs=1e-12)
    assert guaranteed_value(table) == pytest.approx(solver.guaranteed_value(), abs=0.01)
    assert pack(unpack(table)) == table.stored
    (weights,) = own_weights(unpack(table), 0)
    assert all(rows[rows > 0].min() >= 0.05 * SCALE for rows in weights.values() if rows.any())


def test_a_hand_that_remembers_more_of_its_cards_guarantees_more() -> None:
    forgetful, partly, perfect = (
        small_solver(0, recall_size, values).guaranteed_value()
        for recall_size, values in ((1, ()), (1, (5, 6)), (2, ()))
    )
    assert forgetful < partly - 0.0005
    assert partly < perfect


@pytest.mark.parametrize(
    ("round", "limit"),
    [
        (TwoPlayerRound(1, 1, jokers=False, quantity_first=False), 0.001),
        (TwoPlayerRound(1, 2, jokers=False, quantity_first=False), 0.001),
        (TwoPlayerRound(2, 1, jokers=False, quantity_first=False), 0.001),
        (TwoPlayerRound(2, 2, jokers=False, quantity_first=False), 0.001),
        (TwoPlayerRound(3, 3, jokers=False, quantity_first=False), 0.001),
        (TwoPlayerRound(1, 2, jokers=True, quantity_first=False), 0.01),
        (TwoPlayerRound(2, 2, jokers=True, quantity_first=False), 0.01),
        (TwoPlayerRound(3, 3, jokers=True, quantity_first=False), 0.01),
        (TwoPlayerRound(1, 1, jokers=False, quantity_first=True), 0.01),
        (TwoPlayerRound(1, 2, jokers=False, quantity_first=True), 0.01),
        (TwoPlayerRound(2, 1, jokers=False, quantity_first=True), 0.01),
        (TwoPlayerRound(2, 3, jokers=False, quantity_first=True), 0.01),
        (TwoPlayerRound(3, 2, jokers=False, quantity_first=True), 0.01),
    ],
)
def test_best_responses_to_the_tables_of_small_rounds_confirm_the_index(round: TwoPlayerRound, limit: float) -> None:
    tables = [load_table(round, seat) for seat in (0, 1)]
    guaranteed = [guaranteed_value(table) for table in tables if table is not None]
    index = load_index(round.jokers, round.quantity_first)
    assert guaranteed == pytest.approx([index[table_name(round, seat)].guaranteed for seat in (0, 1)], abs=1e-5)
    assert 0 <= 1 - sum(guaranteed) <= limit


# --- archives and the command -----------------------------------------------------------------------------------------


def test_an_archive_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    archive = tmp_path / "tables.zip"
    entry = TableEntry(1, 1, 1, 1, 1, 1, 0.5)
    write_archive(archive, {"1v1 opens": entry}, {"1v1 opens": b"first"})
    before = archive.read_bytes()
    with pytest.raises(KeyError):  # the second table is missing, so that writing stops in the middle
        write_archive(archive, {"1v1 opens": entry, "1v2 opens": entry}, {"1v1 opens": b"second"})
    assert archive.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [archive.name]
    write_archive(archive, {"1v1 opens": entry}, {"1v1 opens": b"second"})
    with ZipFile(archive) as written:
        assert written.read("1v1 opens") == b"second"


def test_an_archive_keeps_the_tables_that_are_not_replaced(tmp_path: Path) -> None:
    archive = tmp_path / "tables.zip"
    entries = {name: TableEntry(1, 2, 3, 4, 5, 6, 0.5, at) for at, name in enumerate(["1v1 opens", "1v1 answers"])}
    for name, entry in entries.items():
        write_archive(archive, {name: entry}, {name: name.encode()})
    assert read_index(archive) == entries
    with ZipFile(archive) as written:
        assert all(written.read(name) == name.encode() for name in entries)


def test_an_archive_says_what_a_pruned_table_recalls_and_which_bids_it_keeps(tmp_path: Path) -> None:
    solver = prune(small_solver(0, recall_size=1, recall_values=(5, 6)), least=0.01)
    name, (entry, stored) = table_name(solver.abstraction.round, 0), archived(solver)
    write_archive(tmp_path / "tables.zip", {name: entry}, {name: stored})
    table = read_table(tmp_path / "tables.zip", solver.abstraction.round, 0)
    assert table is not None
    assert table.abstraction == solver.abstraction
    assert table.stored == pack(solver)
    assert guaranteed_value(table) == pytest.approx(entry.guaranteed, abs=1e-12)


def test_the_index_of_a_table_without_a_pruned_tree_is_as_before() -> None:
    stored = {"top": 6, "most": 2, "raises": 3, "jump": 2, "keen": 2, "learnt": 150, "sure": 0.5, "ones": 0}
    entry = TableEntry.from_index(stored)
    assert (entry.recall_values, entry.kept_size) == ((), 0)
    assert entry.to_index() == stored


def test_the_command_gives_the_packaged_tables_byte_for_byte_and_checks_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "new" / "tables.zip"
    main(["solve", "--out", str(archive), "1v1"])
    packaged = BOTS / "gra" / "tables" / "value_first.zip"
    names = ["1v1 answers", "1v1 opens"]
    assert sorted(read_index(archive)) == names
    assert [read_index(archive)[name] for name in names] == [read_index(packaged)[name] for name in names]
    with ZipFile(archive) as made, ZipFile(packaged) as kept:
        assert [made.read(name) for name in names] == [kept.read(name) for name in names]
    main(["check", "--tables", str(archive), "1v1", "2v1"])
    lines = capsys.readouterr().out.splitlines()
    solved, checked, missing = [line for line in lines if not line.startswith("round")]
    assert solved.split()[:5] == checked.split()[:5]
    assert missing.split()[0] == "2v1"
    assert "missing" in missing


def test_the_command_gives_a_large_round_a_pruned_tree_and_the_same_bytes_again(tmp_path: Path) -> None:
    round = TwoPlayerRound(2, 3, jokers=False, quantity_first=True)
    for name in ("first.zip", "second.zip"):
        arguments = ["--quantity-first", "--max-iterations", "2", "--seat", "opens", "2v3"]
        main(["solve", "--out", str(tmp_path / name), *arguments])
    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()
    table = read_table(tmp_path / "first.zip", round, 0)
    assert table is not None
    assert table.abstraction == abstraction_of(round, 0)._replace(kept=table.abstraction.kept)
    assert table.subgames[0].tree.edge_count < subgames(abstraction_of(round, 0))[0].tree.edge_count


def test_the_command_names_a_round_that_it_cannot_compute(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["solve", "--out", str(tmp_path / "tables.zip"), "3x2"])
    assert "3x2 is not a round" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
