"""Steps that the tests of every game take: moves, refused moves, refused positions, and a test for each paragraph."""

import random
import re
from pathlib import Path

import pytest

import gramy

PAGES = Path(__file__).parents[2] / "docs" / "rules"


def refused(match, move, seat=0):
    """Check that a move is refused and changes nothing, and that `reason` says the same; return the reason."""
    before = match.position
    with pytest.raises(gramy.IllegalMove) as caught:
        match.play(move, seat)
    assert match.position == before
    assert match.game.reason(match.state, seat, move) == caught.value.message
    return caught.value.message


def play(match, *moves, seat=0):
    """Play the moves and return the keys of all events."""
    return [event.key for move in moves for event in match.play(move, seat)]


def random_match(name, seed, **options):
    """Return a match that deals by itself, with a generator of random moves until it is over. Any seat may start."""
    match, rng = gramy.match(name, seed=seed, **options), random.Random(seed)
    if len(match.to_act) > 1:
        match.play("start", rng.choice(match.to_act))

    def moves():
        while match.outcome is None:
            yield rng.choice(match.moves())

    return match, moves()


def check_a_position_is_written_as_it_is_read(name, line, **options):
    game = gramy.game(name, **options)
    assert game.format_position(game.parse_position(line)) == line


def check_a_changed_position_is_refused(name, line, change, key):
    """Replace parts of a position that can be read, and check that it is refused for this reason."""
    for old, new in change.items():
        assert old in line
        line = line.replace(old, new, 1)
    with pytest.raises(gramy.BadPosition) as caught:
        gramy.game(name).parse_position(line)
    assert caught.value.message.key == key


def check_every_paragraph_has_its_test(name, letter, module):
    """Check that each paragraph of a rules page has a test of its number, and each ruling one that names it."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    tests = {name: test.__doc__ or "" for name, test in module.items() if name.startswith("test_")}
    for number, part in re.findall(rf"^\*\*{letter}(\d+)(a?)\*\*", page, re.MULTILINE):
        named = f"test_{letter.lower()}{int(number):02}{part}_"
        assert any(name.startswith(named) for name in tests), f"{letter}{number}{part}"
    for number in re.findall(rf"^- \*\*A-{letter}(\d+)\*\*", page, re.MULTILINE):
        named, mentioned = f"test_ruling_a_{letter.lower()}{number}_", rf"A-{letter}{number}\b"
        assert any(name.startswith(named) or re.search(mentioned, doc) for name, doc in tests.items()), number
