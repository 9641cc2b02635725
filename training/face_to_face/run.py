"""A training run of Face to Face: its schedule, its pool of earlier selves, its checkpoint and its learning curve.

A run that was stopped goes on from its checkpoint and gives the same weights as one that was not: the checkpoint holds
all that the rest of the run depends on.
"""

from __future__ import annotations

import csv
import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy
from tqdm import tqdm

from gramy import compiled, playout
from gramy.bots.face_to_face.evaluation import ONE
from gramy.bots.face_to_face.turns import NETWORK, NETWORK_PROMISING, Workspace
from gramy.bots.kernel import integers, zeros
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.rules import Options, start
from gramy.playout import below, following_word
from training.face_to_face.learning import Learner, Schedule, count_wins, new_learner, new_players, set_network, train
from training.face_to_face.population import EARLIER, EXPLOITER, MEMBERS, value_of

WARM_UP = 10_000
"""First episodes, played greedily by the learner: an untrained network learns faster from reasonable play."""
CHUNK = 1000
"""Episodes with the same learning rate and the same earlier self."""
SNAPSHOT = 10_000
"""Episodes after which the learner joins the pool of earlier selves."""
CHECKPOINT = 10_000
"""Episodes after which a checkpoint is written."""
LEARNING_RATE = 1e-3
EXPLOITER_LEARNING_RATE = 3e-4
"""Lower, because an exploiter begins with the weights of its target."""
CONTINUED_LEARNING_RATE = 6e-4
"""The same for a network that goes on against other players."""
HALVED = 30_000
"""Episodes after which the learning rate is half of that; after twice as many it is a third, and so on. It does not
depend on the length of the run: a run can be made longer, and its first part stays the same."""
SECOND_PART = 400_000
"""Episodes after which a run with a second part begins it, with other shares of the population."""
LATER_LEARNING_RATE, LATER_HALVED = 6e-4, 100_000
"""The learning rate at the start of the second part, and the episodes of it after which it is half of that."""
CURVE = ("episodes", "learning_rate", "error", *MEMBERS)
"""The columns of the learning curve; under a member's name is the share of wins against it since the last line."""


@dataclass(frozen=True)
class Plan:
    """What a run is given: the same plan gives the same weights. A run of more episodes begins with the same ones.

    `shares` says how often (%) the learner meets each member of the population, `later` the same for the second part of
    the run if there is one. The learner begins with the weights of `target`, if it is given, which need not be learned
    again. An exploiter has it for all earlier selves, to be beaten. With `promising` the learner and its earlier selves
    keep to promising turns, which takes half of the time.
    """

    episodes: int
    seed: int
    shares: Sequence[int]
    target: Sequence[int] | None = None
    later: Sequence[int] = ()
    second_part: int = SECOND_PART
    chunk: int = CHUNK
    snapshot: int = SNAPSHOT
    warm_up: int = WARM_UP
    learning_rate: float = LEARNING_RATE
    promising: bool = False
    exploits: bool = False

    def shares_at(self, done: int) -> Sequence[int]:
        """Return the share (%) of each member of the population in the episodes that follow the first `done`."""
        return self.later if self.later and done >= self.second_part else self.shares

    def learning_rate_at(self, done: int) -> float:
        """Return the learning rate of the episodes that follow the first `done`."""
        if self.later and done >= self.second_part:
            return LATER_LEARNING_RATE / (1 + (done - self.second_part) / LATER_HALVED)
        return self.learning_rate / (1 + done / HALVED)


@dataclass
class Run:
    """A run so far. `step` goes on by one chunk."""

    plan: Plan
    learner: Learner
    players: tuple[Workspace, Workspace]
    word: int
    done: int = 0
    pool: list[list[int]] = field(default_factory=list)
    curve: list[list[float]] = field(default_factory=list)

    def step(self) -> None:
        """Learn from one chunk of episodes, and add a line to the learning curve."""
        plan, learner = self.plan, self.learner
        number = min(plan.chunk, plan.episodes - self.done)
        rate = plan.learning_rate_at(self.done)
        compiled_for_training(set_network)(self.players[EARLIER], self._earlier())
        policy = NETWORK_PROMISING if plan.promising else NETWORK
        schedule = Schedule(number, int(self.done < plan.warm_up), rate, policy)
        shares = integers(plan.shares_at(self.done))
        self.word, error = compiled_for_training(train)(
            start(Options()), schedule, shares, self.players, learner, self.word
        )
        self.done += number
        if self.done % plan.snapshot == 0:
            self.pool.append(self.weights())
        won = [learner.won[k] / learner.met[k] if learner.met[k] else numpy.nan for k in range(len(MEMBERS))]
        self.curve.append([self.done, rate, error, *won])

    def weights(self) -> list[int]:
        """Return the result so far, the averaged weights, as they are stored."""
        return [round(weight * ONE) for weight in self.learner.average]

    def _earlier(self) -> Any:
        """Return the network of the opponent `earlier` in the next chunk: the target, or one of the pool at random."""
        if self.plan.target is not None and self.plan.exploits:
            return integers(self.plan.target)
        if not self.pool or not self.plan.shares_at(self.done)[EARLIER]:
            return integers(self.weights())
        self.word = following_word(self.word)
        return integers(self.pool[below(self.word, len(self.pool))])

    def save(self, file: Path) -> None:
        """Write a checkpoint. It replaces the last one at once, so that a run stopped meanwhile loses nothing."""
        part = file.with_name(file.name + ".part")
        learner = self.learner
        with part.open("wb") as out:
            numpy.savez_compressed(
                out,
                plan=numpy.array(fingerprint(self.plan)),
                numbers=numpy.array([self.word, self.done]),
                weights=numpy.array([learner.weights, learner.average]),
                adam=numpy.array([*learner.adam]),
                progress=numpy.array(learner.progress),
                pool=numpy.array(self.pool, numpy.int16),
                curve=numpy.array(self.curve),
            )
        os.replace(part, file)

    def load(self, file: Path) -> None:
        """Go on from a checkpoint of the same plan; raises ValueError if it is one of another plan."""
        with numpy.load(file) as saved:
            if str(saved["plan"]) != fingerprint(self.plan):
                raise ValueError(f"{file} belongs to another run: remove it, or give the arguments of that run")
            learner = self.learner
            self.word, self.done = (int(number) for number in saved["numbers"])
            arrays = (learner.weights, learner.average), learner.adam
            for values, stored in zip(chain(*arrays), chain(saved["weights"], saved["adam"]), strict=True):
                values[:] = stored.tolist()
            learner.progress[:] = saved["progress"].tolist()
            self.pool = saved["pool"].tolist()
            self.curve = saved["curve"].tolist()
        self.play_by_weights()

    def play_by_weights(self) -> None:
        """Let the learner play by its present weights."""
        current = [round(weight * ONE) for weight in self.learner.weights]
        compiled_for_training(set_network)(self.players[0], integers(current))


def fingerprint(plan: Plan) -> str:
    """Return a text that tells this plan from others; the number of episodes may grow."""
    target = 0 if plan.target is None else zlib.crc32(repr([*plan.target]).encode())
    shares = *plan.shares, *plan.later, plan.second_part, plan.promising, plan.exploits
    return repr((plan.seed, *shares, target, plan.chunk, plan.snapshot, plan.warm_up, plan.learning_rate))


def new_run(plan: Plan) -> Run:
    """Return a run that has not begun."""
    run = Run(plan, new_learner(plan.seed), new_players(), playout.first_word(plan.seed))
    if plan.target is not None:
        run.learner.weights[:] = run.learner.average[:] = [weight / ONE for weight in plan.target]
        run.pool.append([*plan.target])
    run.play_by_weights()
    return run


def exploiter_plan(target: Sequence[int], episodes: int, seed: int) -> Plan:
    """Return the plan of a learner that meets nobody but the frozen network `target`."""
    return Plan(episodes, seed, EXPLOITER, target, warm_up=0, learning_rate=EXPLOITER_LEARNING_RATE, exploits=True)


def continued_plan(
    first: Sequence[int], shares: Sequence[int], episodes: int, seed: int, promising: bool = False
) -> Plan:
    """Return the plan of a learner that begins with the weights `first` and meets the population of these shares."""
    return Plan(episodes, seed, shares, first, warm_up=0, learning_rate=CONTINUED_LEARNING_RATE, promising=promising)


def carry_out(plan: Plan, checkpoint: Path | None = None, curve: Path | None = None) -> Run:
    """Make a run, from its checkpoint if there is one, and show its progress."""
    run = new_run(plan)
    if checkpoint and checkpoint.exists():
        run.load(checkpoint)
    with tqdm(total=plan.episodes, initial=run.done, disable=None, unit="match") as bar:
        while run.done < plan.episodes:
            before = run.done
            run.step()
            bar.update(run.done - before)
            bar.set_description(f"error {run.curve[-1][2]:.4f}")
            if run.done // CHECKPOINT > before // CHECKPOINT or run.done >= plan.episodes:
                if checkpoint:
                    run.save(checkpoint)
                if curve:
                    write_curve(curve, run.curve)
    return run


def write_curve(file: Path, lines: Sequence[Sequence[float]], every: int = 10) -> None:
    """Write the learning curve as CSV, the mean of each ten chunks a line."""
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(CURVE)
        for first in range(0, len(lines), every):
            part = numpy.array(lines[first : first + every])
            with numpy.errstate(invalid="ignore"):
                known = (~numpy.isnan(part)).sum(0)
                means = numpy.nansum(part, 0) / known
            texts = ["" if numpy.isnan(mean) else f"{mean:.4g}" for mean in means]
            writer.writerow([int(part[-1][0]), *texts[1:]])


def compiled_for_training(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel in which the policies of the population are known besides those of the bots."""
    if compiled.available():
        return compiled.compiled(RULES, function, True, (("value_of", value_of),))
    kernel: Callable[..., Any] = playout.specialise(RULES, function, others={"value_of": value_of})
    return kernel


def wins(weights: Sequence[int], rival: int | Sequence[int], matches: int, seed: int) -> int:
    """Return how many matches a network wins, without search, against a policy or another network."""
    players = new_players(1)
    compiled_for_training(set_network)(players[0], integers(weights))
    policies = NETWORK, NETWORK
    if isinstance(rival, int):
        policies = NETWORK, rival
    else:
        compiled_for_training(set_network)(players[1], integers(rival))
    counted, _ = compiled_for_training(count_wins)(
        start(Options()), policies, players, zeros(6), matches, playout.first_word(seed)
    )
    return int(counted)
