"""A comparison as a file, of the kind that its name ends in: every match as a row (CSV, Parquet), everything (JSON), or
a plot (PNG, SVG)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gramy.arena import Comparison
from gramy.arena.charts import draw
from gramy.arena.rating import ratings
from gramy.contract import BadOptions, Message, plain
from gramy.optional import library


def summary(comparison: Comparison) -> dict[str, Any]:
    """The figures of a comparison, as JSON can say them; ratings where three or more compete."""
    setting = comparison.setting
    rated = len(setting.entrants) > 2 and not setting.cooperative
    said: dict[str, Any] = plain(
        {
            "game": setting.game,
            "options": setting.options,
            "seed": setting.seed,
            "talk": setting.talk,
            "deals": comparison.deals,
            "accepted": comparison.accepted,
            "standings": comparison.standings,
            "ratings": ratings(comparison) if rated else (),
            "endings": comparison.endings,
            "length": comparison.length,
            "seats": comparison.seats,
            "care": comparison.care,
        }
    )
    return said


def rows(comparison: Comparison) -> list[dict[str, Any]]:
    """A row for each match: its deal, who sat where, which seats won, how it ended and after how many moves."""
    setting = comparison.setting
    head = {"game": setting.game, "seed": setting.seed}
    return [
        head
        | {"deal": played.deal}
        | {f"seat_{seat}": setting.entrants[who].name for seat, who in enumerate(played.seating)}
        | {"winners": " ".join(map(str, played.winners)), "ending": played.ending, "moves": played.moves}
        for played in comparison.results
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


KINDS: dict[str, Callable[[Comparison, Path, str], None]] = {
    ".csv": _csv,
    ".parquet": _parquet,
    ".json": _json,
    ".png": draw,
    ".svg": draw,
}


def kind(path: str) -> Path:
    """The path, if its ending is one of a kind of file that can be written."""
    if Path(path).suffix not in KINDS:
        raise BadOptions(Message("file_kind", {"path": path, "known": list(KINDS)}))
    return Path(path)


def save(comparison: Comparison, path: Path, language: str = "en") -> None:
    """Write a comparison to a file; a plot is labelled in the language."""
    try:
        KINDS[path.suffix](comparison, path, language)
    except OSError as error:
        raise BadOptions(Message("file_failed", {"path": str(path), "why": str(error.strerror)})) from None
