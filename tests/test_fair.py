"""Provably fair deals, checked by the documented algorithm and without our code."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from pathlib import Path

import pytest

import gramy
from gramy import record
from gramy.cli import main
from gramy.contract import DEALER
from gramy.fair import Deal, SeededDealer, drawn, every_deal, first_unfair
from gramy.matches import Match

DEAL = Deal("91b7", ("k3Vx", "-"))


def played(deal: Deal = DEAL, seed: int = 1, game: str = "face-to-face") -> Match:
    """Return a match dealt from a seed and client seeds, played at random."""
    rng, match = random.Random(seed), Match(gramy.game(game), SeededDealer(deal))
    while match.to_act:
        seat = match.to_act[0]
        match.play(rng.choice(match.moves(seat)), seat)
    return match


def test_cards_are_drawn_by_the_documented_algorithm() -> None:
    """A second implementation of the algorithm."""
    key = hashlib.sha256(b"gramy deal 1\n91b7\nk3Vx\n-\n").digest()
    assert DEAL.key == key
    stream = b"".join(hashlib.sha256(key + bytes([0, 0, 0, 5, 0, 0, 0, block])).digest() for block in range(3))
    pool, picked = list(range(2, 60)), []
    for at in range(0, 48, 8):
        picked.append(pool.pop(int.from_bytes(stream[at : at + 8], "big") % len(pool)))
    assert drawn(key, 5, range(2, 60), 6) == picked


def test_a_number_that_would_favour_the_first_cards_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramy.fair._numbers", lambda key, deal: iter([2**64 - 1, 2**64 - 2, 7]))
    assert drawn(b"", 0, [10, 11, 12], 1) == [12]  # the last number is one too many for thirds


def test_every_card_is_as_likely_as_every_other() -> None:
    counted = Counter(drawn(Deal(str(seed), ()).key, 0, range(10), 1)[0] for seed in range(5000))
    assert set(counted) == set(range(10))
    assert all(400 < times < 600 for times in counted.values())


def test_another_client_seed_gives_other_cards() -> None:
    deals = [
        DEAL,
        Deal("91b8", DEAL.client_seeds),
        Deal("91b7", ("k3Vy", "-")),
        Deal("91b7", ("k3Vx", "")),
        Deal("91b7", ()),
    ]
    hands = [Match(gramy.game("face-to-face"), SeededDealer(deal)).position for deal in deals]
    assert len(set(hands)) == len(deals)


def test_a_dealer_that_begins_in_the_middle_deals_the_same_cards() -> None:
    whole = played()
    for lines in (0, 1, 3, len(whole.log) // 2):
        before = whole.log[:lines]
        dealt = sum(entry.seat == DEALER for entry in before)
        match = Match.replayed(whole.game, before, SeededDealer(DEAL, dealt))
        for entry in whole.log[len(match.log) :]:
            if entry.seat != DEALER:
                match.replay(entry)
        assert match.log == whole.log


def test_a_copied_match_is_dealt_the_same_cards() -> None:
    match = Match(gramy.game("quick-easy", starter="lot"), SeededDealer(DEAL))
    match.play(match.moves()[0])
    copied = match.copy()
    for one in (copied, match):
        one.play("end")
    assert copied == match
    assert first_unfair(copied, DEAL) is None


def test_a_match_is_fair_until_a_card_was_not_dealt_from_its_seed() -> None:
    match = played()
    assert first_unfair(match, DEAL) is None
    assert first_unfair(match, DEAL._replace(client_seeds=("other", "-"))) is not None
    other = played(Deal("other", ("k3Vx", "-")))
    same_start = Match.replayed(match.game, [match.log[0]], SeededDealer(other_deal := Deal("other", ("k3Vx", "-")), 1))
    assert first_unfair(same_start, DEAL) == 1
    assert first_unfair(other, other_deal) is None


@pytest.mark.parametrize("game", gramy.GAMES)
def test_every_deal_can_be_dealt_again_by_its_words_alone(game: str) -> None:
    match = played(game=game)
    deals = every_deal(match)
    assert [one.line for one in deals] == [at for at, entry in enumerate(match.log, 1) if entry.seat == DEALER]
    for number, (line, pool, dealt) in enumerate(deals):
        picked = sorted(drawn(DEAL.key, number, range(len(pool)), len(dealt)))
        assert tuple(pool[at] for at in picked) == dealt
        assert match.log[line - 1].text.endswith(" ".join(["", *dealt]))


def test_the_command_line_confirms_a_fair_record_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, match = tmp_path / "match.gramy", played()
    file.write_text(record.format(match, DEAL))
    assert main(["verify", str(file)]) == 0
    assert DEAL.commitment in capsys.readouterr().out
    assert main(["verify", str(file), "--commitment", DEAL.commitment]) == 0
    assert main(["verify", str(file), "--commitment", "0" * 64]) == 1
    assert "failed  The server’s seed is not the one" in capsys.readouterr().out
    file.write_text(record.format(match, DEAL._replace(seed="other")))
    assert main(["verify", str(file)]) == 1
    found = capsys.readouterr()
    assert "do not follow from the seed" in found.out
    assert "failed a check" in found.err
    file.write_text(record.format(match))
    assert main(["verify", str(file)]) == 1
    assert "cannot be checked" in capsys.readouterr().err


def test_a_match_that_began_with_cards_on_the_table_proves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The author of such a record chooses the cards of its position, whatever the seed."""
    begun = Match(gramy.game("face-to-face"), SeededDealer(Deal("chosen", ("", ""))))
    file, match = tmp_path / "match.gramy", Match(begun.game, SeededDealer(DEAL), (), begun.state)
    file.write_text(record.format(match, DEAL))
    assert main(["verify", str(file)]) == 1
    assert "cannot be checked" in capsys.readouterr().err
