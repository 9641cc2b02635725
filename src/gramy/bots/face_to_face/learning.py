"""How the network came about: python -m gramy.bots.face_to_face.learning network.json --rounds 100.

In each round the player plays against itself, sometimes with one of its lesser ideas. Then the chance of every table
that it left is drawn towards what its next own table seemed worth, and further on towards how the match ended: a
player's next table, because the other one does not see its hand. Tables are learned upside down as well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import MutableSequence, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray
from tqdm import trange

from gramy import compiled, playout
from gramy.bots.face_to_face.searching import new_desk
from gramy.bots.face_to_face.turns import GREEDY, NETWORK, Desk, drawn, next_turn, noted_table, turns
from gramy.bots.face_to_face.value import HIDDEN, INPUTS, OWN, SIZE, look_other, look_own
from gramy.game import NOBODY
from gramy.games import face_to_face
from gramy.games.face_to_face.rules import Options, State, deal, start
from gramy.playout import below, following_word

Numbers: TypeAlias = NDArray[numpy.float64]

LONGEST = 58  # turns of a match (F25)
IDEAS, LESSER = 8, 8  # how many ideas, and how often (%) any of them is played
TRACE = 0.8  # how much of what became of a table is told to the one before it
KEPT = 4  # rounds whose matches are still learned from
BATCH, PACE = 1024, 1e-3

MIRROR = numpy.arange(INPUTS)
"""Where each input comes from when the table is turned upside down, 61 less every card."""
for one, other, pairs in (
    *((1, 2, 1), (5, 6, 1), (8, 13, 5), (18, 21, 3), (46, 47, 1), (48, 49, 1), (50, 51, 1), (52, 53, 1)),
    *((at, at + 1, 1) for at in range(24, 38, 2)),
    *((OWN + 1, OWN + 2, 1), (OWN + 4, OWN + 7, 3), (OWN + 10, OWN + 11, 1), (OWN + 12, OWN + 13, 1)),
    (OWN + 14, OWN + 15, 1),
):
    MIRROR[one : one + pairs], MIRROR[other : other + pairs] = (
        numpy.arange(other, other + pairs),
        numpy.arange(one, one + pairs),
    )


def play(
    fresh: State,
    matches: int,
    word: int,
    mind: int,
    net: Sequence[float],
    desk: Desk,
    seen: Any,
    ends: MutableSequence[int],
) -> tuple[int, int]:
    """Play, and write down the inputs of every table left and, in one number, its match, its seat and whether that won;
    how many tables, and the next random word. Written to be compiled."""
    tables = 0
    for match in range(matches):
        state, first = fresh, tables
        while state.draw > 0 or state.seat == NOBODY:
            pool, number = (0b11, 1) if state.seat == NOBODY else (state.me.deck, state.draw)
            picked, word = drawn(pool, number, word)
            state = deal(state, picked)
        while state.winner == NOBODY:
            noted = turns(state, IDEAS, mind, net, desk)
            word = following_word(word)
            idea = 0
            if below(word, 100) < LESSER:
                word = following_word(word)
                idea = below(word, noted)
            state = noted_table(state, desk.tables, idea)
            if state.winner == NOBODY:
                look_own(state, seen[tables])
                look_other(state, seen[tables, OWN:])
                ends[tables] = state.seat
                tables += 1
                state, word = next_turn(state, word)
        for at in range(first, tables):
            ends[at] = 4 * match + 2 * ends[at] + int(ends[at] == state.winner)
    return tables, word


def targets(chances: Numbers, ends: NDArray[numpy.int64]) -> Numbers:
    """What the chance of each table shall be drawn to: what became of it, as far as TRACE tells."""
    wanted, following = numpy.zeros(len(ends)), dict[int, float]()
    for at in reversed(range(len(ends))):
        whose, won = divmod(int(ends[at]), 2)
        wanted[at] = following.get(whose, float(won))
        following[whose] = TRACE * wanted[at] + (1 - TRACE) * chances[at]
    return wanted


class Learner:
    """The network while it learns, with inputs of about the same size; steps by Adam."""

    def __init__(self, seed: int) -> None:
        self.rng = numpy.random.default_rng(seed)
        self.size: Numbers | None = None
        self.parts = [
            self.rng.normal(size=(INPUTS, HIDDEN)) * 0.15,
            self.rng.normal(size=HIDDEN) * 0.1,
            self.rng.normal(size=HIDDEN) * 0.3,
            numpy.zeros(1),
        ]
        self._steps, self._mean, self._square = 0, [0 * part for part in self.parts], [0 * part for part in self.parts]

    def network(self) -> Numbers:
        """As `value.logit` reads it."""
        size = numpy.ones(INPUTS) if self.size is None else self.size
        inputs, *others = self.parts
        return numpy.concatenate([(inputs / size[:, None]).ravel(), *others])

    def chances(self, seen: Numbers) -> Numbers:
        return self._forward(seen)[1]

    def learn(self, seen: Numbers, wanted: Numbers, pace: float) -> None:
        """Go through all tables once."""
        order = self.rng.permutation(len(seen))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[at : at + BATCH]
            hidden, chances = self._forward(seen[batch])
            error = (chances - wanted[batch]) / BATCH
            back = numpy.outer(error, self.parts[2]) * (hidden > 0)
            self._step([seen[batch].T @ back, back.sum(0), hidden.T @ error, error.sum(keepdims=True)], pace)

    def _forward(self, seen: Numbers) -> tuple[Numbers, Numbers]:
        inputs, bias, outputs, last = self.parts
        hidden = numpy.maximum(seen @ inputs + bias, 0)
        return hidden, 1 / (1 + numpy.exp(-(hidden @ outputs + last)))

    def _step(self, gradients: list[Numbers], pace: float) -> None:
        self._steps += 1
        for k, gradient in enumerate(gradients):
            self._mean[k] = 0.9 * self._mean[k] + 0.1 * gradient
            self._square[k] = 0.999 * self._square[k] + 0.001 * gradient**2
            mean, square = self._mean[k] / (1 - 0.9**self._steps), self._square[k] / (1 - 0.999**self._steps)
            self.parts[k] = self.parts[k] - pace * mean / (numpy.sqrt(square) + 1e-8)


def learned(rounds: int, matches: int, seed: int) -> Numbers:
    """The network after so many rounds of so many matches."""
    rules: Any = face_to_face
    player = (compiled.compiled if compiled.available() else playout.linked)(rules, play)
    learner, word = Learner(seed), playout.first_word(seed)
    kept: list[tuple[Numbers, NDArray[numpy.int64]]] = []
    for number in trange(rounds):
        mind = NETWORK if number else GREEDY  # who knows nothing yet learns from the greedy first
        seen, ends = numpy.zeros((matches * LONGEST, INPUTS)), numpy.zeros(matches * LONGEST, numpy.int64)
        tables, word = player(start(Options()), matches, word, mind, learner.network(), new_desk(IDEAS), seen, ends)
        if learner.size is None:
            learner.size = numpy.maximum(seen[:tables].std(0), 0.1)
        kept = [*kept[1 - KEPT :], (seen[:tables] / learner.size, ends[:tables])]
        wanted = numpy.concatenate([targets(learner.chances(some), ended) for some, ended in kept])
        every = numpy.concatenate([some for some, _ in kept])
        turned = learner.rng.random(len(every)) < 0.5
        every[turned] = every[turned][:, MIRROR]
        learner.learn(every, wanted, PACE * (1 - number / rounds))
    return learner.network()


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the network of Face to Face by self-play.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--matches", type=int, default=2000, help="in each round")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    net = [float(f"{weight:.5g}") for weight in learned(chosen.rounds, chosen.matches, chosen.seed)]
    assert len(net) == SIZE
    chosen.file.write_text(json.dumps(net) + "\n")


if __name__ == "__main__":
    main()
