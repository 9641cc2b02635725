"""Train the network of Face to Face, and measure it without search.

    python -m training.face_to_face --out first.bin --promising
    python -m training.face_to_face --out strong.bin --population strong --first first.bin
    python -m training.face_to_face --out self_play.bin --population self
    python -m training.face_to_face exploit --out exploiter.bin
    python -m training.face_to_face measure network.bin --against self_play.bin

The learner plays against itself, earlier selves, the reference bots and players of set habits, and from episode 400,000
on mostly against those who play unlike it (`population.py`). Other populations begin with the weights of another
network: `strong` is mostly the learner and its earlier selves, and `greedy` has greedy players alone. With `go` it
meets `go` alone: what it reaches says how much a network of this size can win against that player. With `--promising`
the learner keeps to promising turns, which takes half of the time; otherwise it chooses among all.

`exploit` trains another network only to beat a frozen one, from the weights of that one on: the share of wins that it
reaches is a lower bound of how much the frozen one can be exploited. A run goes on from its checkpoint.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gramy.arena.figures import win_share
from gramy.bots.face_to_face.network import FILE, TYPECODE, read
from gramy.bots.face_to_face.turns import G2, GO
from gramy.bots.weights import write_weights
from training.face_to_face.population import (
    GIVES_LATE,
    GIVES_LITTLE,
    GIVES_MUCH,
    GO_ALONE,
    GREEDY_PLAY,
    HELD_OUT,
    HURRIES,
    POPULATION,
    SELF_PLAY,
    STRONG_PLAY,
    STYLES,
)
from training.face_to_face.run import Plan, carry_out, continued_plan, exploiter_plan, wins

EPISODES = 900_000
FIRST = Path(__file__).with_name("first.bin")
"""The weights of a run from random ones, with promising turns: others begin with them."""
POPULATIONS = {"all": (POPULATION, STYLES), "self": (SELF_PLAY, ())}
"""The population in the first and in the second part of a run from random weights."""
CONTINUED = {"strong": STRONG_PLAY, "greedy": GREEDY_PLAY, "go": GO_ALONE}
"""The population of a run that begins with the weights of another network."""
MET = {
    "go": GO,
    "g2": G2,
    "gives_much": GIVES_MUCH,
    "gives_little": GIVES_LITTLE,
    "gives_late": GIVES_LATE,
    "hurries": HURRIES,
}
"""The fixed players that the learner meets."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["measure"]:
        measure(words[1:])
    else:
        learn(words)


def learn(words: list[str]) -> None:
    """Train a network, against the population or against one frozen network."""
    description, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m training.face_to_face",
        description=description,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    exploits = words[:1] == ["exploit"]
    parser.add_argument("--out", type=Path, required=True, help="the weight file to write; the curve goes beside it")
    parser.add_argument("--episodes", type=int, default=EPISODES, help=f"matches to learn from (default {EPISODES})")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same weights (default 0)")
    parser.add_argument("--checkpoint", type=Path, help="the file to go on from (default: OUT.checkpoint)")
    if exploits:
        parser.add_argument("--frozen", type=Path, default=FILE, help="the network to beat (default: the package's)")
    else:
        parser.add_argument(
            "--population", choices=[*POPULATIONS, *CONTINUED], default="all", help="self: self-play alone"
        )
        parser.add_argument(
            "--first",
            type=Path,
            default=FIRST,
            help="whose weights `strong`, `greedy` and `go` begin with (default: first.bin, beside this program)",
        )
        parser.add_argument(
            "--promising", action="store_true", help="the learner keeps to promising turns; takes half of the time"
        )
    given = parser.parse_args(words[int(exploits) :])
    if exploits:
        plan = exploiter_plan(read(given.frozen), given.episodes, given.seed)
    elif given.population in CONTINUED:
        plan = continued_plan(
            read(given.first), CONTINUED[given.population], given.episodes, given.seed, given.promising
        )
    else:
        first, later = POPULATIONS[given.population]
        plan = Plan(given.episodes, given.seed, first, later=later, promising=given.promising)
    run = carry_out(plan, given.checkpoint or beside(given.out, "checkpoint"), beside(given.out, "curve.csv"))
    write_weights(given.out, TYPECODE, run.weights())
    if exploits and plan.target is not None:
        report("exploiter", "frozen", wins(run.weights(), plan.target, MATCHES, given.seed + 1), MATCHES)


MATCHES = 10_000
"""Matches of a measurement without search."""


def measure(words: list[str]) -> None:
    """Print how often a network wins, without search, against other networks and all fixed players."""
    parser = argparse.ArgumentParser(prog="python -m training.face_to_face measure")
    parser.add_argument("network", type=Path)
    parser.add_argument("--against", type=Path, nargs="*", default=[], help="other networks")
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"matches for each (default {MATCHES})")
    parser.add_argument("--seed", type=int, default=41)
    given = parser.parse_args(words)
    weights = read(given.network)
    rivals: dict[str, int | Sequence[int]] = {file.name: read(file) for file in given.against}
    for name, rival in (rivals | MET | HELD_OUT).items():
        held_out = " (never met in training)" if name in HELD_OUT else ""
        report(given.network.name, name + held_out, wins(weights, rival, given.matches, given.seed), given.matches)


def report(name: str, rival: str, won: int, matches: int) -> None:
    """Print a share of wins with its 95% interval."""
    share = win_share([1.0] * won + [0.0] * (matches - won), 1)
    print(f"{name} - {rival}: {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}), {matches} matches", flush=True)


def beside(file: Path, ending: str) -> Path:
    """Return the path of a file beside another one."""
    return file.with_name(f"{file.name}.{ending}")


if __name__ == "__main__":
    main()
