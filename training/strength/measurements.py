"""Results of the arena for rows of docs/strength.md: measuring, storing and finding them.

`build/strength/results.jsonl` gets a line for each measured row; `published.json` beside this file has those that the
document shows. A row that is being measured has a journal of the arena, so an interrupted run goes on from there.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from gramy.arena import Comparison
from gramy.arena.command import read_setting
from gramy.arena.files import exact
from gramy.arena.runs import run
from gramy.cli import parser
from gramy.errors import BadOptions
from training.provenance import ROOT, commit_of_work_tree
from training.strength.fingerprint import fingerprint
from training.strength.rows import Row

FOLDER = ROOT / "build" / "strength"
PUBLISHED = Path(__file__).with_name("published.json")


class Measurement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The share of wins of the first bot or team of a row, with its 95% interval, and the code that it was measured on.

    `code` is a fingerprint; it is empty for results from before there were any. `wins` is the exact number.
    The bots of `commit` played. If `replayed` names another commit, its code, to which `code` belongs, plays the first
    `replayed_deals` deals in the same way (`training.strength.replay`).
    """

    game: str
    arguments: str
    seed: int
    deals: int
    share: float
    low: float
    high: float
    code: str
    commit: str
    date: str
    wins: str = ""
    replayed: str = ""
    replayed_deals: int = 0

    def is_of(self, row: Row) -> bool:
        """Return whether this is a result of the row, of any number of deals."""
        return (self.game, self.arguments, self.seed) == (row.game, row.arguments, row.seed)


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The results that the document shows, and the fingerprint of each row's code when the document was written."""

    code: dict[str, str]
    results: tuple[Measurement, ...]


def measure(row: Row, deals: int, folder: Path, processes: int | None) -> Measurement:
    """Play the deals of a row, or the rest of them, store the result in the folder and return it."""
    commit, changed = commit_of_work_tree()
    code = fingerprint(row)
    found = _compare(row, deals, folder, processes)
    standing = found.standings[0]
    measured = Measurement(
        game=row.game,
        arguments=row.arguments,
        seed=row.seed,
        deals=found.deals,
        share=round(standing.share.mean, 5),
        low=round(standing.share.low, 5),
        high=round(standing.share.high, 5),
        code=code,
        commit=commit + "+" * changed,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        wins=str(exact(standing.wins)),
    )
    store(measured, folder)
    return measured


def store(result: Measurement, folder: Path) -> None:
    """Add a result to those of this work tree."""
    with (folder / "results.jsonl").open("ab") as file:
        file.write(msgspec.json.encode(result) + b"\n")


def _compare(row: Row, deals: int, folder: Path, processes: int | None) -> Comparison:
    """Play the deals of a row; those in its journal are not played again."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = folder / f"{sha256(f'{row.game} {row.arguments} {row.seed} {deals}'.encode()).hexdigest()[:16]}.journal"
    words = ["arena", row.game, *shlex.split(row.arguments), "--deals", str(deals), "--seed", str(row.seed)]
    words += ["--journal", str(journal), *(["--processes", str(processes)] if processes else [])]
    comparisons: list[Comparison] = []
    for resume in (["--resume"], []) if journal.exists() else ([],):
        args = parser().parse_args([*words, *resume])
        args.typed, args.language = [*words, *resume], "en"
        try:
            run(args, read_setting(args), comparisons.append)
            break
        except BadOptions as error:
            if not resume or error.message.key not in ("journal_differs", "journal_damaged"):
                raise
            journal.unlink()  # the code has changed since, so its results do not fit
    journal.unlink()
    (found,) = comparisons
    return found


def read_results(folder: Path) -> list[Measurement]:
    """Return the results that were measured in this work tree, in order."""
    path = folder / "results.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Measurement) for line in lines]


def read_published() -> Published:
    """Return the results that the document shows."""
    return msgspec.json.decode(PUBLISHED.read_bytes(), type=Published)


def write_published(published: Published) -> None:
    """Write the results that the document shows: a line for each, so that changes are easy to read."""
    lines = ",\n".join(f"  {json.dumps(msgspec.to_builtins(one), ensure_ascii=False)}" for one in published.results)
    code = json.dumps(published.code, ensure_ascii=False, indent=2)
    PUBLISHED.write_text(f'{{"code": {code},\n "results": [\n{lines}\n]}}\n', encoding="utf-8")


def best(row: Row, results: Iterable[Measurement], code: str) -> Measurement | None:
    """Return the result of a row to show: one of this code with the most deals, otherwise the last one there is.

    Of two with equally many deals, one that this code has played is better than one that was kept for it.
    """
    of_row = [one for one in results if one.is_of(row)]
    present = [one for one in of_row if one.code == code]
    if present:
        return max(present, key=lambda one: (one.deals, not one.replayed))
    return of_row[-1] if of_row else None
