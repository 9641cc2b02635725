"""Write a comparison to a file: a row for each match (CSV, Parquet), everything (JSON), or a plot (PNG, SVG)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from gramy.arena import Comparison
from gramy.arena.charts import draw
from gramy.arena.rating import ratings
from gramy.arguments import writing
from gramy.contract import NOBODY
from gramy.messages import to_builtins
from gramy.optional import library
from gramy.options import format_options


def summary(comparison: Comparison) -> dict[str, Any]:
    """Return the results of a comparison as JSON types, with ratings for three or more competing entrants."""
    setting = comparison.setting
    rated = setting.rated
    standings = [standing._asdict() | {"wins": exact(standing.wins)} for standing in comparison.standings]
    found: dict[str, Any] = to_builtins(
        {
            "game": setting.game.name,
            "options": format_options(setting.game.options),
            "seed": setting.seed,
            "talk": setting.talk,
            "deals": comparison.deals,
            "accepted": comparison.accepted,
            "standings": standings,
            "ratings": ratings(comparison) if rated else (),
            "endings": comparison.endings,
            "limit": setting.limit,
            "late": comparison.late,
            "length": comparison.length,
            "seats": comparison.seats,
            "accuracy": comparison.accuracy,
        }
    )
    return found


def exact(number: Fraction) -> int | str:
    """Return a number of wins for JSON: a whole number or, where wins were shared, a text such as "127/2"."""
    return number.numerator if number.denominator == 1 else str(number)


def rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return a row for each match: its deal, the entrant in each seat, the winning seats, the ending and the length.

    With a limit, `late` is the seat that exceeded it.
    """
    setting = comparison.setting
    head = {"game": setting.game.name, "seed": setting.seed}
    return [
        head
        | {"deal": result.deal}
        | {f"seat_{seat}": setting.entrants[who].name for seat, who in enumerate(result.seating)}
        | {"winners": " ".join(map(str, result.winners)), "ending": result.ending, "moves": result.moves}
        | ({} if setting.limit is None else {"late": "" if result.late == NOBODY else str(result.late)})
        for result in comparison.results
    ]


def _csv(comparison: Comparison, path: Path, language: str) -> None:
    table = rows(comparison)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)


def _parquet(comparison: Comparison, path: Path, language: str) -> None:
    table = library("pyarrow", "arena").Table.from_pylist(rows(comparison))
    library("pyarrow.parquet", "arena").write_table(table, path)


def _json(comparison: Comparison, path: Path, language: str) -> None:
    path.write_text(json.dumps(summary(comparison) | {"matches": rows(comparison)}) + "\n", "utf-8")


WRITERS: dict[str, Callable[[Comparison, Path, str], None]] = {
    ".csv": _csv,
    ".parquet": _parquet,
    ".json": _json,
    ".png": draw,
    ".svg": draw,
}


def check_libraries(paths: Iterable[Path]) -> None:
    """Import what is needed to write these files; raises BadOptions, which says how to install it."""
    suffixes = {path.suffix for path in paths}
    if ".parquet" in suffixes:
        library("pyarrow.parquet", "arena")
    if suffixes & {".png", ".svg"}:
        library("matplotlib.figure", "arena")


def save(comparison: Comparison, path: Path, language: str = "en") -> None:
    """Write a comparison in the format of the path's suffix; a plot is labelled in the language."""
    with writing(path):
        WRITERS[path.suffix](comparison, path, language)
