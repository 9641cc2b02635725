"""Train the networks of Quick & Easy by self-play.

    python -m training.quick_easy base --out base.bin --from-scratch --searched 80000
    python -m training.quick_easy base --out cheap.bin --partner cheap --episodes 2000000
    python -m training.quick_easy measure cheap.bin --partner cheap

The network learns what a position is worth to a team of equals. A run starts from the weights of the package, or from
random ones with `--from-scratch`. In the last episodes (`--searched`) a talking team chooses each turn by a search of
one turn in six sampled deals, so that the network learns what a position is worth to players who search. That is slow.
Silent players do not search: they would need about fifty deals, and with six they win less than by the evaluation.

With `--partner` one seat learns what a position is worth beside partners that play like a reference bot, however they
talk. No bot uses such a network: beside its partner it wins no more than that of a team of equals. `measure` plays
without search, or with `--deals` by a search that is told how the partners play.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from gramy.arena.figures import win_share
from gramy.bots.kernel import Floats
from gramy.bots.quick_easy.evaluation import TYPECODE, WEIGHTS
from gramy.bots.quick_easy.partners import CAREFUL, CHEAP, CHILD, LIKE_ME, LISTENER
from gramy.bots.weights import read_weights, write_weights
from training.quick_easy.measuring import STYLES, Search, Team, wins
from training.quick_easy.runs import CHUNK, CurvePoint, TrainingPlan, TrainingRun, read_checkpoint, write_checkpoint

PARTNERS = {"like-me": LIKE_ME, "cheap": CHEAP, "careful": CAREFUL, "listener": LISTENER, "child": CHILD}
"""How the other seats can play: as the learner does, or like a reference bot."""
CHECKPOINT_CHUNKS = 200
"""Chunks between two checkpoints: about a minute."""


def trained(plan: TrainingPlan, checkpoint: Path | None = None, curve: Path | None = None) -> Floats:
    """Return the weights after a run; it goes on from the checkpoint if there is one. The curve is written as CSV."""
    run, points = TrainingRun(plan), list[CurvePoint]()
    if checkpoint is not None and checkpoint.exists():
        stored = read_checkpoint(checkpoint)
        run.restore(stored["run"])
        points += [CurvePoint(*point) for point in stored["curve"]]
    with tqdm(total=plan.episodes, initial=run.done, unit=" matches", disable=None) as progress:
        for point in run.chunks():
            points.append(point)
            progress.update(CHUNK)
            progress.set_postfix_str(f"{point.players} players, style {point.style}: {100 * point.wins:.1f} % won")
            if checkpoint is not None and len(points) % CHECKPOINT_CHUNKS == 0:
                write_checkpoint(checkpoint, {"curve": points, "run": run.snapshot()})
    if curve is not None:
        with curve.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([CurvePoint._fields, *points])
    return run.weights


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["measure"]:
        measure(words[1:])
    else:
        learn(words)


def measure(words: Sequence[str]) -> None:
    """Print how often a network wins, without search or with one that was told how its partners play."""
    parser = argparse.ArgumentParser(prog="python -m training.quick_easy measure")
    parser.add_argument("network", type=Path)
    parser.add_argument("--players", type=int, choices=(2, 3, 4, 5), default=2)
    parser.add_argument("--pro", action="store_true", help="the pro game")
    parser.add_argument("--partner", choices=PARTNERS, default="like-me", help="how the other seats play (like-me)")
    parser.add_argument("--talk", choices=STYLES, default="silent", help="how the other seats talk (silent)")
    parser.add_argument("--matches", type=int, default=20_000, help="matches in each seat (default 20000)")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--deals", type=int, default=0, help="sampled deals in which each turn is rolled out (0)")
    parser.add_argument("--horizon", type=int, default=2, help="turns of a roll-out (2)")
    parser.add_argument("--sees", action="store_true", help="the search knows the partners' cards")
    given = parser.parse_args(words)
    team = Team(given.players, given.pro, PARTNERS[given.partner], STYLES[given.talk])
    search = Search(given.deals, given.horizon, given.sees)
    won, played = wins(read_weights(given.network, TYPECODE, WEIGHTS), team, given.matches, given.seed, search)
    share = win_share([1.0] * won + [0.0] * (played - won), 1)
    print(f"{given.network.name}: {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}), {played} matches")


def learn(words: Sequence[str]) -> None:
    """Train a network."""
    parser = argparse.ArgumentParser(prog="python -m training.quick_easy", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=("base", "pro"))
    parser.add_argument("--out", type=Path, required=True, help="the weight file to write")
    parser.add_argument("--episodes", type=int, default=4_000_000, help="matches to learn from (default 4000000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same weights (default 1)")
    parser.add_argument("--from-scratch", action="store_true", help="start from random weights")
    parser.add_argument("--searched", type=int, default=0, help="the last matches, in which talking teams search (0)")
    parser.add_argument("--partner", choices=PARTNERS, default="like-me", help="how the other seats play (like-me)")
    parser.add_argument("--checkpoint", type=Path, help="store the run here, and go on from it")
    parser.add_argument("--curve", type=Path, help="write the learning curve as CSV: wins in every chunk")
    given = parser.parse_args(words)
    partner = PARTNERS[given.partner]
    plan = TrainingPlan(given.game, given.episodes, given.seed, given.from_scratch, given.searched, partner)
    write_weights(given.out, TYPECODE, trained(plan, given.checkpoint, given.curve))


if __name__ == "__main__":
    main()
