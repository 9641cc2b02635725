"""A sample of the rows that the tests play again: the first deals of rows in which no bot searches.

    python -m training.strength --sample        play the sample and store its wins, after an intended change of a bot

The wins must be exactly those stored. So a change that alters how a bot plays cannot go unnoticed.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from gramy.arena import compare
from gramy.arena.command import read_setting
from gramy.arena.files import exact
from gramy.arena.workers import workers
from gramy.cli import parser
from training.strength.rows import FACE_TO_FACE, GRA, QUICK_EASY, Row, every_row

STORED = Path(__file__).with_name("sample.json")
DEALS = {
    (FACE_TO_FACE, "g2 easy"): 6,
    (FACE_TO_FACE, "medium easy"): 1,
    (QUICK_EASY, "easy starter=lot --players 2"): 30,
    (QUICK_EASY, "careful starter=lot --players 2"): 10,
    (QUICK_EASY, "--team easy,cheap starter=lot --players 2"): 10,
    (GRA, "medium easy starter=lot"): 30,
    (GRA, "honest easy starter=lot"): 30,
}
"""How many deals of which rows: few enough for seconds of a core."""


def sample_rows() -> list[tuple[Row, int]]:
    """Return the rows of the sample, and how many deals of each."""
    return [(row, DEALS[row.game, row.arguments]) for row in every_row() if (row.game, row.arguments) in DEALS]


def name_of(row: Row, deals: int) -> str:
    """Return the command that plays the sample of a row."""
    return f"gramy arena {row.game} {row.arguments} --deals {deals} --seed {row.seed}"


def play(row: Row, deals: int) -> int | str:
    """Play the first deals of a row in this process, and return the exact number of wins of its first bot or team."""
    args = parser().parse_args(["arena", row.game, *shlex.split(row.arguments), "--seed", str(row.seed)])
    with workers(processes=1) as executor:
        return exact(compare(read_setting(args), deals, executor).standings[0].wins)


def write_sample() -> dict[str, int | str]:
    """Play the sample, store its wins and return them."""
    found = {name_of(row, deals): play(row, deals) for row, deals in sample_rows()}
    STORED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return found


def read_sample() -> dict[str, int | str]:
    """Return the stored wins of the sample."""
    found: dict[str, int | str] = json.loads(STORED.read_text(encoding="utf-8"))
    return found
