"""What the code of a work tree plays in the first deals of a row.

As a program it answers requests of `training.strength.replay`, one per line. A process that runs an old commit gets its
text, so it imports only what old commits have.
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import gramy
from gramy import compiled
from gramy.arena import compare
from gramy.arena.command import read_setting
from gramy.arena.files import exact
from gramy.arena.workers import workers
from gramy.cli import parser
from training.strength.fingerprint import SOURCE, fingerprint
from training.strength.rows import Row, every_row


def play(row: Row, deals: int, processes: int) -> dict[str, object]:
    """Play the first deals of a row, and return every match and the figures that follow, as JSON types.

    A match is its deal, who sat where, who won, the ending, the number of moves, and who was late.
    """
    args = parser().parse_args(["arena", row.game, *shlex.split(row.arguments), "--seed", str(row.seed)])
    with workers(processes) as executor:
        comparison = compare(read_setting(args), deals, executor)
    share = comparison.standings[0].share
    return {
        "matches": [
            [one.deal, list(one.seating), list(one.winners), one.ending, one.moves, one.late]
            for one in comparison.results
        ],
        "figures": [str(exact(comparison.standings[0].wins)), share.mean, share.low, share.high],
    }


def check_code() -> None:
    """Raise RuntimeError unless matches are played by compiled code, and by that of this work tree."""
    if not compiled.available():
        raise RuntimeError("a replay needs compiled code: install Numba")
    if not Path(gramy.__file__).resolve().is_relative_to(SOURCE.resolve()):
        raise RuntimeError(f"gramy is imported from {gramy.__file__}, not from {SOURCE}: set PYTHONPATH")


def main() -> None:
    """Answer each request with a line of JSON: for 0 deals a row's fingerprint, otherwise what `play` returns.

    A request has the key of a row, the number of deals and that of processes. An unknown row has an empty fingerprint.
    """
    check_code()
    rows = {f"{row.game} {row.arguments} --seed {row.seed}": row for row in every_row()}
    for line in sys.stdin:
        key, deals, processes = json.loads(line)
        row = rows.get(key)
        if deals:
            assert row
            answer: object = play(row, deals, processes)
        else:
            answer = fingerprint(row) if row else ""
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # the other process reports it
        main()
