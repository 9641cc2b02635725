"""Keep the figures of older code whose bots play like those of the present code.

A fingerprint changes with every line of the files that it covers, also if no match of a row changes. So the first deals
of such a row are played twice: by the commit that it was measured on, and by the present code. If all matches have the
same winners, endings and lengths, the result is stored again under the present fingerprint. It says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Protocol

import msgspec

from training.provenance import ROOT, commit_of_work_tree
from training.strength import matches as program
from training.strength.fingerprint import fingerprint
from training.strength.measurements import Measurement, best, read_published, read_results, store
from training.strength.rows import Row

KEPT, DIFFERENT = "plays the same", "plays otherwise"
OTHER_CODE = "was not measured on the code of that commit"


class Player(Protocol):
    """The code of a commit: the fingerprint that a row has there, and what it plays."""

    def code(self, row: Row) -> str:
        """Return the fingerprint of a row, empty if the commit does not have the row."""

    def play(self, row: Row, deals: int, processes: int) -> object:
        """Play the first deals of a row and return what `training.strength.matches.play` returns."""


class OldCode:
    """A process that runs the code of a commit in its own folder."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def code(self, row: Row) -> str:
        """Return the fingerprint of a row, empty if the commit does not have the row."""
        return str(self._ask(row, 0, 1))

    def play(self, row: Row, deals: int, processes: int) -> object:
        """Play the first deals of a row and return what `training.strength.matches.play` returns."""
        return self._ask(row, deals, processes)

    def _ask(self, row: Row, deals: int, processes: int) -> object:
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps([row.key, deals, processes]) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"the code of the older commit failed (above) at {row.command}")
        answer: object = json.loads(line)
        return answer


def full_commit(name: str) -> str:
    """Return the full name of a commit; raises ValueError if there is none."""
    words = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        raise ValueError(f"there is no commit {name!r}")
    return found.stdout.strip()


def extracted(commit: str, folder: Path) -> Path:
    """Return the folder with the files of a commit. Git extracts them if they are not there."""
    path = folder / commit
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        with tempfile.TemporaryDirectory(dir=folder) as part, tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(Path(part) / "all", filter="data")
            os.rename(Path(part) / "all", path)
    return path


@contextmanager
def code_of_commit(commit: str, folder: Path) -> Iterator[Player]:
    """Run the code of a commit, which is extracted into the folder, in a process."""
    root = extracted(commit, folder).resolve()
    git = subprocess.run(
        ["git", "rev-parse", "--absolute-git-dir"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)]),
        "GIT_DIR": git.stdout.strip(),  # some bots extract their code from a still older commit
    }
    words = [sys.executable, "-c", Path(program.__file__).read_text(encoding="utf-8")]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=root, env=environment) as process:
        try:
            yield OldCode(process)
        finally:
            process.kill()
            assert process.stdin
            with suppress(BrokenPipeError):  # it had ended before it read a request
                process.stdin.close()


def replayed(found: Measurement, code: str, commit: str, deals: int) -> Measurement:
    """Return a result under the fingerprint of code that played so many deals the same."""
    if found.replayed:  # the weakest link of the chain counts
        deals = min(deals, found.replayed_deals)
    return msgspec.structs.replace(found, code=code, replayed=commit, replayed_deals=deals)


def replay(
    rows: Sequence[Row],
    deals: int,
    folder: Path,
    old: Player,
    *,
    processes: int = 1,
    report: Callable[[Row, str], object] = lambda row, decision: None,
) -> list[Measurement]:
    """Play the first deals of rows whose shown result is of the old code again; store and return the results to keep.

    `report` is called with every row of older code and what was decided about it.
    """
    program.check_code()
    commit, changed = commit_of_work_tree()
    results = [*read_published().results, *read_results(folder)]
    kept = []
    for row in rows:
        code = fingerprint(row)
        found = best(row, results, code)
        if found is None or found.code == code:
            continue
        if not found.code or found.code != old.code(row):
            report(row, OTHER_CODE)
            continue
        number = min(deals, row.deals)
        if old.play(row, number, processes) != program.play(row, number, processes):
            report(row, DIFFERENT)
            continue
        kept.append(replayed(found, code, commit + "+" * changed, number))
        store(kept[-1], folder)
        report(row, KEPT)
    return kept
