"""At Python's prompt and in a bot: values that print, compare, pickle and have types."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import gramy
from gramy.errors import GramyError, UnknownLanguage
from gramy.fair import Deal, SeededDealer

PACKAGE = Path(gramy.__file__).parent

BOT = """
from collections.abc import Sequence
from random import Random

from gramy import Entry, View
from gramy.games.{game} import Board


def choose(view: View[Board], history: Sequence[Entry], rng: Random, budget: float) -> str:
    seen: {type} = view.board.{field}
    return view.moves[0] if seen else rng.choice(view.moves)
"""


@pytest.fixture(params=list(gramy.GAMES))
def match(request: pytest.FixtureRequest) -> gramy.Match:
    match = gramy.match(request.param, seed=1, names=("Ada", "Bo"))
    match.play(match.moves(0)[0] if 0 in match.to_act else match.moves(1)[0], match.to_act[0])
    return match


def test_a_pickled_match_is_the_same_match_and_goes_on_with_the_same_cards(match: gramy.Match) -> None:
    again = pickle.loads(pickle.dumps(match))
    assert again == match
    assert (again.state, again.events_by_line) == (match.state, match.events_by_line)
    for _ in range(12):
        for one in (match, again):
            one.play(one.moves(one.to_act[0])[-1], one.to_act[0])
    assert again == match


def test_a_match_with_a_seed_survives_pickling() -> None:
    match = gramy.Match(gramy.game("gra"), SeededDealer(Deal("seed", ("a", "b"))))
    assert pickle.loads(pickle.dumps(match)) == match


def test_matches_are_equal_when_game_names_and_log_are(match: gramy.Match) -> None:
    other = match.copy()
    assert other == match
    other.play(other.moves(other.to_act[0])[0], other.to_act[0])
    assert other != match
    assert match.named(("Ada", "Cy")) != match
    assert match != gramy.match(match.game.name, seed=2, names=("Ada", "Bo"))
    assert match != "match"
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)


def test_a_match_is_one_line_as_repr_and_a_board_as_text(match: gramy.Match) -> None:
    assert repr(match).startswith(f"<Match of gramy.game('{match.game.name}', players=2, ")
    assert "\n" not in repr(match)
    assert str(match) == match.board_text()
    assert "Ada" in str(match)


def test_a_finished_match_prints_its_result() -> None:
    game = gramy.game("face-to-face")
    line = "seat=0 laid=1 helped=0 draw=0 up=20,1 down=30,60 hand=21;5,6 deck=-;-"
    match = gramy.Match(game, position=game.parse_position(line))
    assert repr(match).endswith("0 lines, to act: 0>")
    match.play("up 21")
    assert repr(match).endswith("1 lines, all_laid, winners: (0,)>")
    assert "dealer" in repr(gramy.Match(game))


def test_a_printed_match_hides_what_a_seat_may_not_see() -> None:
    """Two matches that differ in seat 1's hand alone print alike for everybody else."""
    game = gramy.game("face-to-face")
    line = "seat=0 laid=0 helped=0 draw=0 up=1,1 down=60,60 hand=10,20,30;{} deck=40~49;2~19"
    one, other = (gramy.Match(game, position=game.parse_position(line.format(hand))) for hand in ("21,31", "22,32"))
    assert str(one) == str(other)
    assert one.board_text(0) == other.board_text(0)
    assert one.board_text(1) != other.board_text(1)
    assert repr(one) == repr(other)


def test_a_board_can_be_printed_in_every_language_and_without_names() -> None:
    match = gramy.match("quick-easy", seed=1)
    assert len({match.board_text(0, language) for language in gramy.text.LANGUAGES}) == 3


@pytest.mark.parametrize("language", ["xx", "", "EN", "../en", "en/.."])
def test_a_language_that_does_not_exist_is_refused(language: str) -> None:
    message = gramy.Message("match_over")
    for ask in (
        lambda: gramy.say(message, language),
        lambda: gramy.text.family_page("gra", language),
        lambda: gramy.match("gra", seed=1).board_text(None, language),
    ):
        with pytest.raises(UnknownLanguage, match="choose one of: en, pl, de") as caught:
            ask()
        assert isinstance(caught.value, GramyError)


@pytest.mark.parametrize(
    ("game", "type", "field", "misspelt"),
    [
        ("face_to_face", "int", "halves[0].up", "halves[0].upp"),
        ("quick_easy", "str | None", "down", "dwon"),
        ("gra", "tuple[int, ...]", "sizes", "size"),
    ],
)
def test_a_bot_that_reads_its_board_is_checked_by_mypy(
    tmp_path: Path, game: str, type: str, field: str, misspelt: str
) -> None:
    assert (PACKAGE / "py.typed").exists()
    (tmp_path / "right.py").write_text(BOT.format(game=game, type=type, field=field), encoding="utf-8")
    (tmp_path / "wrong.py").write_text(BOT.format(game=game, type=type, field=misspelt), encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "right.py", "wrong.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
    ).stdout
    lines = [line for line in found.splitlines() if line.startswith(("right", "wrong"))]
    assert len(lines) == 1, found
    assert lines[0].startswith("wrong.py")
    assert "has no attribute" in lines[0]
