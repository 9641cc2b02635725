"""The benchmark of the bots' move times."""

import pytest

import gramy
from bench.move_times import main, move_times
from gramy.bots import bot


def test_each_move_of_a_whole_match_is_timed() -> None:
    seconds = list(move_times(gramy.game("gra"), bot("gra", "easy"), 1, 0.01))
    assert len(seconds) > 10
    assert min(seconds) > 0


def test_the_command_prints_a_line_for_each_setting_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "quick-easy", "--levels", "easy", "medium", "--matches", "1"])
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.split(" | ")[:2] for line in lines] == [
        [f"| `quick-easy players={players}`", level] for players in (2, 5) for level in ("easy", "medium")
    ]
