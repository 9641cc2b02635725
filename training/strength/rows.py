"""The rows of docs/strength.md: who plays, in which variant, how many deals, and what the goal is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gramy.bots.gra import EXPLOITERS
from training.gra.settings import options_text, sampled_settings

FACE_TO_FACE, QUICK_EASY, GRA = "face-to-face", "quick-easy", "gra"

GRA_BUDGET = "2ms"
"""The budget of bots that search at three to six players."""


class Row(NamedTuple):
    """A figure: the share of wins of the first bot or team of a comparison.

    `arguments` are those of `gramy arena GAME`, without the deals and the seed. `label` is the first cell in the
    document. `goal` is a share of wins; a goal that is 0 does not exist. With `goal_arguments` the goal is that many
    times the share of another row, which has these arguments and the same seed. With `at_most` it is an upper limit.
    """

    game: str
    label: str
    arguments: str
    deals: int
    seed: int
    goal: float = 0.0
    goal_arguments: str = ""
    at_most: bool = False

    @property
    def key(self) -> str:
        """What identifies the row: who plays what, from which seed."""
        return f"{self.game} {self.arguments} --seed {self.seed}"

    @property
    def command(self) -> str:
        """The command that gives the figure again."""
        return f"gramy arena {self.game} {self.arguments} --deals {self.deals} --seed {self.seed}"

    @property
    def budget(self) -> str:
        """The budgets of the bots that have one, for people: `10 ms`, or `10 ms, mc 1 s`."""
        found = re.findall(r"([\w+]+)(?:\.py)?:(\d+)(ms|s)\b", self.arguments)
        return ", ".join(f"{bot} {number} {unit}" for bot, number, unit in dict.fromkeys(found)) or "none"

    @property
    def searches(self) -> bool:
        """Whether a bot of this row searches. Such a row takes minutes or hours."""
        return re.search(r"\b(expert|mc)\b|\bhard:", self.arguments) is not None


class Table(NamedTuple):
    """A table of the document. It stands between the markers that have its name."""

    name: str
    first_column: str
    rows: tuple[Row, ...]


class MatrixLine(NamedTuple):
    """A line of a matrix: what its rows have in common, and what their shares are multiplied by to be shown."""

    label: str
    rows: tuple[Row, ...]
    scale: float


class Matrix(NamedTuple):
    """A table of the document in which every cell is a row of its own. It stands between markers, too."""

    name: str
    first_column: str
    columns: tuple[str, ...]
    lines: tuple[MatrixLine, ...]


def _face_to_face_levels() -> Iterator[Row]:
    game = FACE_TO_FACE
    yield Row(game, "expert – `go`", "expert:10ms go", 1000, 41, 0.92)
    yield Row(game, "expert – `g2`", "expert:10ms g2", 1000, 41, 0.92)
    yield Row(game, "expert – `mc`", "expert:10ms mc:1s", 1000, 41, 0.90)
    earlier = "training/face_to_face/players/predecessor.py:10ms"
    yield Row(game, "expert – earlier self-play network", f"expert:10ms {earlier}", 1000, 41, 0.55)
    yield Row(game, "expert – hard", "expert:10ms hard", 300, 41, 0.65)
    yield Row(game, "hard – medium", "hard medium", 1000, 41, 0.65)
    yield Row(game, "medium – easy", "medium easy", 1000, 41, 0.65)


def _face_to_face_people() -> Iterator[Row]:
    game = FACE_TO_FACE
    yield Row(game, "`g2` (careful beginner) – easy", "g2 easy", 1000, 41, 0.55)
    yield Row(game, "medium – `g2` (careful beginner)", "medium g2", 1000, 41, 0.55)
    yield Row(game, "medium – `go` (after an evening)", "medium go", 1000, 41)
    yield Row(game, "hard – `go` (after an evening)", "hard go", 1000, 41, 0.55)


def _quick_easy_teams() -> Iterator[Row]:
    """Teams of experts. The budgets are the smallest that reached the goals when they were set."""
    for variant, talk, budgets, goals in (
        ("base", True, ("20ms", "5ms", "10ms", "30ms"), (0.84, 0.95, 0.98, 0.99)),
        ("pro", True, ("50ms", "5ms", "30ms", "30ms"), (0.50, 0.65, 0.72, 0.75)),
        ("base", False, ("20ms", "20ms", "20ms", "20ms"), (0.36, 0.46, 0.50, 0.50)),
    ):
        for players, budget, goal in zip(range(2, 6), budgets, goals, strict=True):
            options = "pro=on starter=lot" if variant == "pro" else "starter=lot"
            arguments = f"expert:{budget} {options} --players {players}" + ("" if talk else " --no-talk")
            label = f"{variant}, {'talk' if talk else 'no talk'}, {players} players"
            yield Row(QUICK_EASY, label, arguments, 1000, 21, goal)


def _quick_easy_levels() -> Iterator[Row]:
    labels = {"easy": "easy", "careful": "`careful` (careful beginner)", "medium": "medium", "hard:10ms": "hard"}
    for variant, option in (("base", ""), ("pro", "pro=on ")):
        for level, label in labels.items():
            yield Row(QUICK_EASY, f"{label}, {variant}", f"{level} {option}starter=lot --players 2", 500, 21)


def _gra_levels() -> Iterator[Row]:
    yield Row(GRA, "expert – hard", "expert:10ms hard:10ms starter=lot", 500, 31, 0.65)
    yield Row(GRA, "hard – medium", "hard:10ms medium starter=lot", 500, 31, 0.65)
    yield Row(GRA, "medium – easy", "medium easy starter=lot", 500, 31, 0.65)
    yield Row(GRA, "`honest` (careful beginner) – easy", "honest easy starter=lot", 500, 31, 0.55)
    yield Row(GRA, "medium – `honest` (careful beginner)", "medium honest starter=lot", 500, 31)
    yield Row(GRA, "hard – `honest` (careful beginner)", "hard:10ms honest starter=lot", 500, 31)
    yield Row(GRA, "expert – `honest` (careful beginner)", "expert:10ms honest starter=lot", 500, 31, 0.55)
    yield Row(GRA, "medium – easy, 4 players", "medium easy players=4 starter=lot", 200, 31, 0.25 * 1.1)


def _gra_quantity_first() -> Iterator[Row]:
    """The expert between two players by quantity first. A search makes these rows slow, so they have fewer deals."""
    sampler = "training/gra/players/sampler.py:10ms"
    for options, label, opponents in (
        ("", "", {"hard:10ms": 60, sampler: 60, "naive": 60, **dict.fromkeys(EXPLOITERS, 40)}),
        ("jokers=on ", ", jokers", {"hard:10ms": 60, sampler: 60, "naive": 60, "honest": 40}),
    ):
        for opponent, deals in opponents.items():
            name = "sampled deals" if opponent == sampler else opponent.partition(":")[0]
            shown = name if name in ("hard", "sampled deals") else f"`{name}`"
            arguments = f"expert:10ms {opponent} {options}bid_order=quantity_first starter=lot"
            yield Row(GRA, f"expert – {shown}{label}", arguments, deals, 6)


def _gra_among_naive() -> Iterator[Row]:
    for players, deals in ((3, 200), (4, 200), (5, 200), (6, 100)):
        arguments = f"expert:2ms naive players={players} starter=lot"
        yield Row(GRA, f"{players} players", arguments, deals, 41, 1.5 / players)


def _cross_play() -> Iterator[Row]:
    """A level and a partner that stands for a person, in both orders of the seats."""
    for partner in ("cheap", "careful", "talker", "listener", "child"):
        for level in ("easy", "medium", "hard:10ms", "expert:10ms"):
            name, arguments = level.partition(":")[0], f"--team {level},{partner} starter=lot --players 2"
            other = f"--team medium,{partner} starter=lot --players 2"
            goal = (1.5, other) if name == "expert" else (0.0, "")
            yield Row(QUICK_EASY, f"`{partner}` with {name}", arguments, 1000, 51, *goal)
        yield Row(QUICK_EASY, f"`{partner}` with itself", f"{partner} starter=lot --players 2", 1000, 51)


def _gra_ladder() -> Iterator[MatrixLine]:
    """Each level against the next in the sampled settings: they share the seats, and half of the wins is fair."""
    steps = f"expert:{GRA_BUDGET} hard:{GRA_BUDGET}", f"hard:{GRA_BUDGET} medium", "medium easy"
    for options in sampled_settings():
        setting, scale = options_text(options), int(options["players"]) / 2
        yield MatrixLine(
            f"`{setting}`",
            tuple(
                Row(GRA, f"{step}, {setting}", f"{step} {setting} starter=lot --alternate", 100, 61, 0.55 / scale)
                for step in steps
            ),
            scale,
        )


def _gra_exploiters() -> Iterator[MatrixLine]:
    """One simple bot among experts in the sampled settings: it must not win more than half of its fair share."""
    for options in sampled_settings():
        setting, players = options_text(options), int(options["players"])
        rivals = f"expert:{GRA_BUDGET} {setting} starter=lot"
        yield MatrixLine(
            f"`{setting}`",
            tuple(
                Row(GRA, f"{name}, {setting}", f"{name} {rivals}", 50, 71, 0.5 / players, at_most=True)
                for name in EXPLOITERS
            ),
            players,
        )


TABLES: tuple[Table, ...] = (
    Table("face-to-face levels", "match-up", tuple(_face_to_face_levels())),
    Table("face-to-face people", "match-up", tuple(_face_to_face_people())),
    Table("quick-easy teams", "team of experts", tuple(_quick_easy_teams())),
    Table("quick-easy levels", "team of one level, 2 players", tuple(_quick_easy_levels())),
    Table("cross-play", "team of two", tuple(_cross_play())),
    Table("gra levels", "match-up", tuple(_gra_levels())),
    Table("gra quantity first", "match-up", tuple(_gra_quantity_first())),
    Table("gra three to six", "one expert among `naive` bots", tuple(_gra_among_naive())),
)
"""The tables in the order of the document."""

MATRICES: tuple[Matrix, ...] = (
    Matrix("gra ladder", "setting", ("expert – hard", "hard – medium", "medium – easy"), tuple(_gra_ladder())),
    Matrix("gra exploiters", "setting", tuple(f"`{name}`" for name in EXPLOITERS), tuple(_gra_exploiters())),
)


def every_row() -> list[Row]:
    """Return all rows, each comparison once."""
    rows = [row for table in TABLES for row in table.rows]
    rows += [row for matrix in MATRICES for line in matrix.lines for row in line.rows]
    return list({row.key: row for row in rows}.values())
