"""Measure the bots, and write the tables of docs/strength.md: `make strength`.

    python -m training.strength                        every row that was not measured on the present code (hours)
    python -m training.strength --only gra --fast      rows of one game, and only those without search
    python -m training.strength --rows medium          rows whose name or arguments contain a text
    python -m training.strength --deals 20             a sample of each row
    python -m training.strength --list                 what is measured, what is not, and what is older; plays nothing
    python -m training.strength --write                put what was measured into docs/strength.md; plays nothing
    python -m training.strength --replay COMMIT        keep figures of that commit where the present code plays the same
    python -m training.strength --sample               store again what the tests compare with (seconds)

A figure belongs to the rules, bots and weights that it was measured on. Results of other code have another fingerprint
and are measured again. A run that was interrupted goes on where it stopped. Results are in build/strength.

--replay plays the first deals (--deals, 1 by default) of the selected rows that were measured on the code of COMMIT: by
that code, and by the present code. If all matches are the same, the figure is no longer marked as one of older code.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from gramy.arguments import whole_number
from training.strength.document import PAGE, cells, filled, goal_of
from training.strength.fingerprint import fingerprint
from training.strength.measurements import (
    FOLDER,
    Measurement,
    Published,
    best,
    measure,
    read_published,
    read_results,
    write_published,
)
from training.strength.replay import code_of_commit, full_commit, replay
from training.strength.rows import Row, every_row
from training.strength.sample import write_sample


def selected(only: str | None, text: str, fast: bool) -> list[Row]:
    """Return the rows of a game (None for all) whose label or arguments contain a text; if `fast` without search."""
    return [
        row
        for row in every_row()
        if only in (None, row.game) and text in f"{row.label} {row.arguments}" and not (fast and row.searches)
    ]


def is_measured(row: Row, deals: int, results: Sequence[Measurement], code: str) -> bool:
    """Return whether a row has a result of this code with enough deals."""
    return any(one.is_of(row) and one.code == code and one.deals >= deals for one in results)


def write(folder: Path) -> list[Row]:
    """Write the results into the document, and return the rows that were not measured on the present code."""
    every, old = every_row(), read_published()
    code = {row.key: fingerprint(row) for row in every}
    results = [*old.results, *read_results(folder)]
    shown = [(row, best(row, results, code[row.key])) for row in every]
    published = Published(code=code, results=tuple(result for _, result in shown if result))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), published), encoding="utf-8")
    write_published(published)
    return [row for row, result in shown if not result or result.code != code[row.key]]


def replay_rows(commit: str, rows: Sequence[Row], deals: int, folder: Path, processes: int) -> None:
    """Keep the results of a commit for rows that the present code plays in the same way, and print each decision."""

    def report(row: Row, decision: str) -> None:
        print(f"{row.game}, {row.label}: {decision}", flush=True)

    with code_of_commit(commit, folder / "code") as old:
        kept = replay(rows, deals, folder, old, processes=processes, report=report)
    print(f"kept the figures of {len(kept)} of {len(rows)} rows; write them into {PAGE.name} with --write")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    description, _, examples = __doc__.partition("\n\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m training.strength", description=description, epilog=examples, formatter_class=formatter
    )
    parser.add_argument("--only", choices=sorted({row.game for row in every_row()}), help="rows of one game")
    parser.add_argument("--rows", default="", metavar="TEXT", help="rows whose label or arguments contain this")
    parser.add_argument("--fast", action="store_true", help="only rows in which no bot searches")
    parser.add_argument("--deals", type=whole_number(1), help="play at most so many deals of each row")
    parser.add_argument("--processes", type=whole_number(1, 1024), help="processes (default: one for each processor)")
    parser.add_argument("--list", action="store_true", help="list the rows and play nothing")
    parser.add_argument("--write", action="store_true", help="write docs/strength.md and play nothing")
    parser.add_argument("--replay", metavar="COMMIT", help="keep figures of a commit that played the same")
    parser.add_argument("--sample", action="store_true", help="play the sample of the tests, and store its wins")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="folder of the results (build/strength)")
    given = parser.parse_args(arguments)
    if given.sample:
        print("\n".join(f"{command}: {wins} wins" for command, wins in write_sample().items()))
        return
    if given.write:
        missing = write(given.folder)
        print(f"wrote {PAGE.name}; {len(missing)} of {len(every_row())} rows are not measured on the present code")
        return
    if given.replay:
        try:
            commit = full_commit(given.replay)
        except ValueError as error:
            parser.error(str(error))
        rows = selected(given.only, given.rows, given.fast)
        replay_rows(commit, rows, given.deals or 1, given.folder, given.processes or 1)
        return
    results = [*read_published().results, *read_results(given.folder)]
    for row in selected(given.only, given.rows, given.fast):
        deals, code = min(given.deals or row.deals, row.deals), fingerprint(row)
        found = best(row, results, code)
        if not given.list and not is_measured(row, deals, results, code):
            print(row.command, flush=True)
            found = measure(row, deals, given.folder, given.processes)
        label, wins, interval, goal, played, *_, measured = cells(row, found, code, goal_of(row, results))
        print(f"{row.game}, {label}: {wins} ({interval}), goal {goal}, {played} deals, {measured}", flush=True)


if __name__ == "__main__":
    main()
