"""Train the network of Face to Face by self-play.

    python -m training.face_to_face --out network.bin --episodes 400000

The learner plays against itself and against the reference bots `go` and `g2`; in the last stage only against these two,
which play like people who do not look ahead. The learning rate falls within each stage.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import trange

from gramy import playout
from gramy.bots.face_to_face.evaluation import ONE
from gramy.bots.face_to_face.network import TYPECODE
from gramy.bots.kernel import kernel
from gramy.bots.weights import write_weights
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.rules import Options, start
from training.face_to_face.learning import CANDIDATES, Schedule, new_learner, new_training_workspace, train

WARM_UP = 10_000
"""First episodes, played greedily by both sides: an untrained network learns faster from reasonable play."""
CHUNK = 2000
"""Episodes with the same learning rate."""
MIN_LEARNING_RATE = 5e-6


class TrainingStage(NamedTuple):
    """A part of the run: its share of the episodes, how often (%) the opponent is the learner itself, and the learning
    rate at its start."""

    share: float
    self_play: int
    learning_rate: float


STAGES = TrainingStage(0.93, 75, 5e-4), TrainingStage(0.07, 0, 3e-4)


def trained(episodes: int, seed: int, chunk: int = CHUNK) -> Sequence[int]:
    """Return the weights after a run, as they are stored."""
    train_chunk = kernel(RULES, train)
    learner, workspace = new_learner(seed), new_training_workspace(CANDIDATES)
    word, steps = playout.first_word(seed), 0
    for stage in STAGES:
        number = round(episodes * stage.share)
        bar = trange(0, number, chunk, disable=None)
        for done in bar:
            warm_up = int(stage is STAGES[0] and done < WARM_UP)
            learning_rate = max(stage.learning_rate * (1 - done / number) ** 2, MIN_LEARNING_RATE)
            schedule = Schedule(min(chunk, number - done), warm_up, stage.self_play, learning_rate)
            word, steps, error = train_chunk(start(Options()), schedule, steps, workspace, learner, word)
            bar.set_description(f"error {error:.4f}")
    return [round(weight * ONE) for weight in learner.weights]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.face_to_face", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the weight file to write")
    parser.add_argument("--episodes", type=int, default=400_000, help="matches to learn from (default 400000)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same weights (default 0)")
    given = parser.parse_args()
    write_weights(given.out, TYPECODE, trained(given.episodes, given.seed))


if __name__ == "__main__":
    main()
