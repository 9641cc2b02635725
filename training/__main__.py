"""Train the weights and tables of a game again: `make train GAME=face-to-face`.

    python -m training face-to-face
    python -m training quick-easy pro.bin --seed 7 --amount 100000 --out build/training

Each artefact is made by the command of its game's own program (`training/artefacts.py`). The file and its provenance go
to the folder, not into the package. The strength of a new artefact comes from the arena: see training/README.md.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from training.artefacts import ARTEFACTS, Artefact
from training.provenance import ROOT, record


def train(artefact: Artefact, folder: Path, seed: int | None, amount: int) -> Path:
    """Run the program that makes an artefact, write its provenance, and return the file."""
    out = folder / artefact.path
    out.parent.mkdir(parents=True, exist_ok=True)
    command = artefact.command_line(out, seed, amount)
    print(command, flush=True)
    words = shlex.split(command)
    subprocess.run([sys.executable, *words[1:]], cwd=ROOT, check=True)
    record(
        out,
        command=artefact.command_line(Path(artefact.name), seed, amount),
        seed=seed,
        amount=amount,
        unit=artefact.unit,
    )
    return out


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    description, _, examples = __doc__.partition("\n\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m training", description=description, epilog=examples, formatter_class=formatter
    )
    parser.add_argument("game", choices=ARTEFACTS)
    parser.add_argument("artefacts", nargs="*", metavar="FILE", help="for example pro.bin; default: all of the game")
    parser.add_argument("--seed", type=int, help="default: the seed of the artefact in the package")
    parser.add_argument("--amount", type=int, help="matches or iterations; default: as listed for the artefact")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "training", help="folder (build/training)")
    given = parser.parse_args(arguments)
    every = ARTEFACTS[given.game]
    if unknown := set(given.artefacts) - {artefact.name for artefact in every}:
        parser.error(f"no artefact {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in every)}")
    for artefact in every:
        if not given.artefacts or artefact.name in given.artefacts:
            seeded = artefact.seed is not None and given.seed is not None
            out = train(
                artefact, given.out.absolute(), given.seed if seeded else artefact.seed, given.amount or artefact.amount
            )
            print(f"wrote {out} and its provenance")


if __name__ == "__main__":
    main()
