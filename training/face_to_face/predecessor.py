"""The earlier self-play network of Face to Face as a bot, with the code that it played by.

Code and weights come from a commit of this repository, in which the interfaces were other ones. So they run in a
process of their own. It gets each position as a line of JSON and returns the move as a line.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from gramy.bots.protocol import Bot, seat_of
from gramy.contract import View
from gramy.matches import Entry
from training.provenance import ROOT

COMMIT = "fb53fdd037439bdc3c760a32cf180a5668b1c2c7"
"""The last commit that played by the earlier network, `network.json`."""
FOLDER = ROOT / "build" / "predecessor"
PROGRAM = """
import json, random, sys
from types import SimpleNamespace
from gramy.bots import LEVELS

for line in sys.stdin:
    given = json.loads(line)
    halves = [SimpleNamespace(**half) for half in given["halves"]]
    board = SimpleNamespace(halves=halves, laid=given["laid"], helped=given["helped"])
    view = SimpleNamespace(seat=given["seat"], board=board, options=given["options"])
    history = tuple(SimpleNamespace(seat=seat, text=text) for seat, text in given["history"])
    bot = LEVELS[given["level"]]["face-to-face"]
    print(bot.choose(view, history, random.Random(given["seed"]), given["budget"]), flush=True)
"""
"""What the process runs. It imports the `gramy` of the old commit."""


@dataclass(frozen=True)
class EarlierBot(Bot):
    """A level of an old commit."""

    level: str
    commit: str = COMMIT

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        line = json.dumps(
            position(view, history) | {"level": self.level, "seed": rng.getrandbits(32), "budget": budget}
        )
        process = old_process(self.commit, os.getpid())
        assert process.stdin
        assert process.stdout
        process.stdin.write(line + "\n")
        process.stdin.flush()
        move = process.stdout.readline().strip()
        if move not in view.moves:
            raise RuntimeError(f"the earlier bot answered {move!r} to {line}")
        return move


def position(view: View, history: tuple[Entry, ...]) -> dict[str, object]:
    """Return all that a bot of the old commit reads from a view and a history."""
    halves = [
        {"up": half.up, "down": half.down, "hand": half.hand, "in_hand": half.in_hand, "in_deck": half.in_deck}
        for half in view.board.halves
    ]
    return {
        "seat": seat_of(view),
        "halves": halves,
        "laid": view.board.laid,
        "helped": view.board.helped,
        "options": dict(view.options),
        "history": [(entry.seat, entry.text) for entry in history],
    }


@cache
def old_process(commit: str, owner: int) -> subprocess.Popen[str]:
    """Return the process that plays by a commit; `owner` is the id of this process, so that no fork shares it."""
    environment = os.environ | {"PYTHONPATH": str(old_source(commit))}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def old_source(commit: str) -> Path:
    """Return the folder of a commit's source. Git extracts it if it is not there."""
    folder = FOLDER / commit[:12]
    if not folder.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
        with tempfile.TemporaryDirectory(dir=FOLDER) as part, tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(part, filter="data")
            with suppress(OSError):  # another process was faster
                os.rename(Path(part) / "src", folder)
    return folder


EXPERT = EarlierBot("expert")
HARD = EarlierBot("hard")
