"""Which files in the package are made by training, and by which command: the list behind `make train`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

PACKAGE, TRAINING = "src/gramy/bots", "training"
"""The folders of artefacts: those that bots play by, and those that only training begins with."""


class Artefact(NamedTuple):
    """A file that a training program makes.

    `path` is its place below `folder`. `command` may contain {out}, {seed}, {amount} and {checkpoint}: the file
    to write, the seed, how much to train, and the file from which an interrupted run goes on. `seed` is None where no
    chance is involved.
    """

    path: str
    command: str
    seed: int | None
    amount: int
    unit: str
    folder: str = PACKAGE

    @property
    def name(self) -> str:
        """The name of the file."""
        return Path(self.path).name

    def command_line(self, out: Path, seed: int | None, amount: int) -> str:
        """Return the command that writes the artefact to a file."""
        checkpoint = out.with_name(out.name + ".checkpoint")
        quoted = {"out": shlex.quote(str(out)), "checkpoint": shlex.quote(str(checkpoint))}
        return self.command.format(seed=seed, amount=amount, **quoted)


ARTEFACTS: dict[str, tuple[Artefact, ...]] = {
    "face-to-face": (
        Artefact(
            "face_to_face/first.bin",
            "python -m training.face_to_face --out {out} --seed {seed} --episodes {amount} --checkpoint {checkpoint}"
            " --promising",
            0,
            900_000,
            "matches",
            TRAINING,
        ),
        Artefact(
            "face_to_face/network_population.bin",
            "python -m training.face_to_face --out {out} --seed {seed} --episodes {amount} --checkpoint {checkpoint}"
            " --population strong --first training/face_to_face/first.bin",
            0,
            750_000,
            "matches",
        ),
        Artefact(
            "face_to_face/network.bin",
            "python -m training.face_to_face --out {out} --seed {seed} --episodes {amount} --checkpoint {checkpoint}"
            " --population greedy --promising --first training/face_to_face/first.bin",
            0,
            600_000,
            "matches",
        ),
    ),
    "quick-easy": tuple(
        Artefact(
            f"quick_easy/{game}.bin",
            f"python -m training.quick_easy {game} --out {{out}} --seed {{seed}} --episodes {{amount}} --from-scratch"
            " --searched 400000 --checkpoint {checkpoint}",
            1,
            6_000_000,
            "matches",
        )
        for game in ("base", "pro")
    ),
    "gra": (
        *(
            Artefact(
                f"gra/tables/{name}.zip",
                f"python -m training.gra solve --out {{out}} --max-iterations {{amount}}{options}",
                None,
                1000,
                "iterations at most",
            )
            for name, options in (
                ("value_first", ""),
                ("value_first_jokers", " --jokers"),
                ("quantity_first", " --quantity-first"),
            )
        ),
        Artefact(
            "gra/tables/quantity_first_starts.zip",
            "python -m training.gra starts --out {out} --iterations {amount}",
            None,
            300,
            "iterations",
        ),
    ),
}
"""The artefacts of each game. A line here and the file in the package change together."""
