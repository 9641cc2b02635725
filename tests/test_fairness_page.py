"""The worked example of docs/fairness.md, computed again without our code and by the rules."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import gramy
from gramy.fair import Deal, Exchange, SeededDealer
from gramy.matches import Match
from tests.independent_verifier import commitment, lines_hash, picked

PAGE = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text("utf-8")


def example() -> dict[str, str]:
    found = re.search(r"```text example\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return {line[:16].strip(): line[16:].strip() for line in found[1].splitlines()}


def test_the_worked_example_is_right() -> None:
    shown = example()
    table, seed, seeds = shown["T"], shown["S"], (shown["C0"], shown["C1"])
    assert table == lines_hash("gramy table", shown["table id"]).hex()
    assert shown["P"] == hashlib.sha256(seed.encode()).hexdigest()
    for seat, one in enumerate(seeds):
        assert shown[f"K{seat}"] == commitment(table, 1, 1, seat, shown["P"], one)
    key = lines_hash("gramy deal 2", table, 1, 1, seed, *seeds)
    assert shown["key"] == key.hex()
    assert shown["deal 0, block 0"] == hashlib.sha256(key + bytes(8)).hexdigest()
    cards = [str(card) for card in range(2, 60)]
    assert shown["deal 0"] == f"deal first {picked(key, 0, ['0', '1'], 1)[0]}"
    assert [shown[f"deal {deal}"] for deal in (1, 2)] == [
        " ".join(["deal", *picked(key, deal, cards, 6)]) for deal in (1, 2)
    ]


def test_the_rules_deal_the_cards_of_the_worked_example() -> None:
    shown = example()
    deal = Deal(shown["S"], (shown["C0"], shown["C1"]), Exchange(shown["T"], 1, (shown["K0"], shown["K1"]), True))
    match = Match(gramy.game("face-to-face"), SeededDealer(deal))
    assert [entry.text for entry in match.log] == [shown[f"deal {number}"] for number in range(3)]
