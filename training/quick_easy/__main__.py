"""Train the network of Quick & Easy by self-play.

    python -m training.quick_easy base --out base.bin --episodes 4000000

A run starts from the weights of the package, or from random ones with `--from-scratch`. With `--deals 6` a talking team
chooses each turn by a search of one turn in six sampled deals, so that the network learns what a position is worth to
players who search. That is slow, so do it last. Silent players do not search: they would need about fifty deals, and
with six they win less than by the evaluation alone.

The weights in the package come from this algorithm. They saw 2.8 million matches of the base game and 3 million of the
pro game, starting from an older, smaller network. Then 80,000 more of the base game by talking teams followed, with six
deals and the next player's true cards.
"""

from __future__ import annotations

import argparse
import random
from array import array
from pathlib import Path
from typing import Literal, NamedTuple

from tqdm import trange

from gramy.bots.kernel import Floats, kernel
from gramy.bots.quick_easy.evaluation import BIASES, OUTPUTS, TYPECODE, WEIGHTS, new_evaluator, package_weights
from gramy.bots.quick_easy.talk import BAND, COLOUR, PILE, SILENT
from gramy.bots.weights import write_weights
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import Options, start
from gramy.playout import first_word
from training.quick_easy.learning import TeamPlay, new_beliefs, new_learner, new_search, train

CHUNK = 500
"""Episodes with the same number of players and style of talk."""
PLAYERS: tuple[Literal[2, 3, 4, 5], ...] = (2, 2, 2, 3, 4, 5)
"""Teams of two win least, so they train most."""
STYLES = {"base": (SILENT, BAND, BAND, BAND), "pro": (SILENT, COLOUR, PILE, PILE)}


class Stage(NamedTuple):
    """A part of the run: the share of all episodes at which it ends, its exploration noise and its learning rate."""

    until: float
    noise: float
    learning_rate: float


STAGES = (Stage(0.45, 0.15, 2e-3), Stage(0.7, 0.07, 6e-4), Stage(0.85, 0.02, 3e-4), Stage(1.0, 0.0, 1e-4))
"""At the end there is no exploration: the value of a position depends on how it is played on."""
WARM_UP, WARM_UP_NOISE = 0.05, 1.5
"""The first share of the episodes of a run from scratch, and its exploration noise."""


def random_weights(rng: random.Random) -> Floats:
    """Return random weights, with biases of 0."""
    return array("d", [rng.uniform(-0.3, 0.3) * (at < BIASES or at >= OUTPUTS) for at in range(WEIGHTS)])


def trained(game: str, episodes: int, seed: int, from_scratch: bool, deals: int) -> Floats:
    """Return the weights after a run."""
    rng, pro, learner = random.Random(seed), game == "pro", new_learner()
    evaluator = new_evaluator(random_weights(rng) if from_scratch else array("d", package_weights(pro)))
    train_chunk, word = kernel(RULES, train), first_word(seed)
    chunks = trange(0, episodes, CHUNK, unit_scale=CHUNK, unit=" matches", disable=None)
    for number in chunks:
        done = number / episodes
        state = start(Options(rng.choice(PLAYERS), pro, "lot"))
        style = rng.choice(STYLES[game])
        _, noise, learning_rate = next(stage for stage in STAGES if done < stage.until)
        if from_scratch and done < WARM_UP:
            noise = WARM_UP_NOISE
        play = TeamPlay(new_beliefs(style), evaluator, new_search(style), 0 if style == SILENT else deals, noise)
        wins, word = train_chunk(state, play, learner, CHUNK, learning_rate, word)
        chunks.set_postfix_str(f"{state.players} players, style {style}: {100 * wins / CHUNK:.1f} % won")
    return evaluator.weights


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.quick_easy", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=STYLES)
    parser.add_argument("--out", type=Path, required=True, help="the weight file to write")
    parser.add_argument("--episodes", type=int, default=4_000_000, help="matches to learn from (default 4000000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same weights (default 1)")
    parser.add_argument("--from-scratch", action="store_true", help="start from random weights")
    parser.add_argument("--deals", type=int, default=0, help="sampled deals of a talking team's search (default 0)")
    given = parser.parse_args()
    weights = trained(given.game, given.episodes, given.seed, given.from_scratch, given.deals)
    write_weights(given.out, TYPECODE, weights)


if __name__ == "__main__":
    main()
