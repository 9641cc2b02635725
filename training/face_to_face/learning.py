"""TD(lambda) learning of the network of Face to Face. Everything but the `new_...` functions can be compiled.

In every episode two players play one match. Each position that the learner left is a sample: its active features, and
as the target the lambda-return. The next position is the next one that the same player left, because the other does not
see their hand. Sometimes the learner plays a turn that is not its best one (exploration).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf
from typing import Any, NamedTuple

import numpy

from gramy import compiled
from gramy.bots.face_to_face.evaluation import ACCUMULATOR_SIZES, ONE, SIZE, UNITS, Accumulators
from gramy.bots.face_to_face.features import (
    AT,
    ROWS,
    Outside,
    add_card,
    add_counts,
    add_hand,
    add_outside,
    add_top,
    paired,
    spread,
)
from gramy.bots.face_to_face.network import WEIGHTS, pack
from gramy.bots.face_to_face.rollouts import draw_cards, next_turn
from gramy.bots.face_to_face.turns import (
    FIELDS,
    G2,
    GO_PROMISING,
    NETWORK,
    Workspace,
    best_turns,
    read_position,
)
from gramy.bots.kernel import Floats, Ints, floats, zeros
from gramy.cards import lowest
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import HAND, State, deal
from gramy.playout import below, following_word
from training.optimiser import Adam, adam_step

MAX_TURNS_A_MATCH = 58
"""The longest match (F25)."""
MAX_ACTIVE = 800
"""More than the active features of one position."""
CANDIDATES = 6
"""Turns that exploration chooses from."""
EXPLORATION = 6
"""How often (%) the learner explores."""
LAMBDA = 0.8
"""Weight of the later returns in a target; the rest is the value of the next position."""
BATCH = 600
"""Samples for one step of the optimiser."""
EPSILON = 1e-6
"""Adam's term against division by zero."""


class Learner(NamedTuple):
    """The weights and the optimiser, and the samples of one episode."""

    weights: Floats
    adam: Adam
    rounded: Ints  # the weights as they are stored
    active: Any  # for each sample, its active features
    sizes: Ints  # for each sample, how many there are
    seats: Ints  # for each sample, the seat that left the position
    hidden: Any  # for each sample, the inputs of the hidden units
    following: Floats  # for each seat, the lambda-return of the next position; -1 for none


class Schedule(NamedTuple):
    """A part of the run: how many episodes, whether both play greedily, how often (%) the opponent is the learner
    itself, and the learning rate."""

    episodes: int
    warm_up: int
    self_play: int
    learning_rate: float


def new_learner(seed: int) -> Learner:
    """Return a learner with small random weights."""
    weights = numpy.random.default_rng(seed).uniform(-0.006, 0.006, WEIGHTS)
    return Learner(
        weights=_array(weights),
        adam=Adam(*(_array(numpy.zeros(WEIGHTS)) for _ in range(3))),
        rounded=zeros(WEIGHTS),
        active=_array(numpy.zeros((MAX_TURNS_A_MATCH, MAX_ACTIVE), numpy.int64)),
        sizes=zeros(MAX_TURNS_A_MATCH),
        seats=zeros(MAX_TURNS_A_MATCH),
        hidden=_array(numpy.zeros((MAX_TURNS_A_MATCH, UNITS))),
        following=floats([0.0, 0.0]),
    )


def _array(values: Any) -> Any:
    """Return an array as a kernel takes it."""
    return values if compiled.available() else values.tolist()


def new_training_workspace(limit: int) -> Workspace:
    """Return a workspace with a network of its own, which learning changes."""
    accumulators = Accumulators(zeros(SIZE), *map(zeros, ACCUMULATOR_SIZES))
    return Workspace(zeros(1 << HAND), zeros(FIELDS * limit), floats([-inf] * limit), accumulators)


# --- samples ----------------------------------------------------------------------------------------------------------


def active_features(left: State, rows: Ints) -> int:
    """Write the active features of a position; return how many. ROWS is added to those with their halves exchanged."""
    me, foe = left.me, left.foe
    others, end = foe.hand | foe.deck, 0
    tops = lowest(me.up), lowest(me.down), lowest(foe.up), lowest(foe.down)
    for pile in range(4):
        first, top, hand = end, tops[pile], me.hand
        outside = Outside(me.deck, paired(me.deck, pile), others, paired(others, pile))
        end = add_outside(pile, top, outside, rows, end)
        end = add_top(pile, top, rows, add_hand(pile, top, hand, rows, end))
        while hand:
            end = add_card(pile, top, lowest(hand), me.deck, rows, end)
            hand &= hand - 1
        if pile & 1:
            for k in range(first, end):
                rows[k] += ROWS
    first = end
    end = add_counts(left, rows, end)
    rows[end], rows[end + 1] = AT.spread + spread(me), AT.foe_spread + spread(foe)
    symmetric = end + 2 - first
    for k in range(first, first + symmetric):
        rows[k + symmetric] = rows[k] + ROWS
    return first + 2 * symmetric


def play_episode(
    state: State, policy: int, rival: int, workspace: Workspace, learner: Learner, word: int
) -> tuple[int, int, int]:
    """Play a match and record each position that the learner leaves; return how many, the winner, and the next random
    word. If both policies are the same, both seats learn."""
    samples = 0
    while state.draw > 0 or state.seat == NOBODY:
        pool, number = (0b11, 1) if state.seat == NOBODY else (state.me.deck, state.draw)
        drawn, word = draw_cards(pool, number, word)
        state = deal(state, drawn)
    while state.winner == NOBODY:
        learns = state.seat == 0 or rival == policy
        found = best_turns(state, CANDIDATES, policy if learns else rival, workspace)
        chosen = 0
        word = following_word(word)
        if learns and below(word, 100) < EXPLORATION:
            word = following_word(word)
            chosen = below(word, found)
        state = read_position(state, workspace.positions, chosen)
        if state.winner == NOBODY:
            if learns:
                learner.sizes[samples] = active_features(state, learner.active[samples])
                learner.seats[samples] = state.seat
                samples += 1
            state, word = next_turn(state, word)
    return samples, state.winner, word


# --- learning ---------------------------------------------------------------------------------------------------------


def output_sign(unit: int) -> int:
    """Return the output weight of a unit, 1 or -1: eight units of each in turn."""
    return 1 - (unit >> 2 & 2)


def predict(weights: Sequence[float], active: Sequence[int], size: int, hidden: Floats) -> float:
    """Return the chance to win by the active features, and write the inputs of the hidden units."""
    for unit in range(UNITS):
        hidden[unit] = 0.0
    for k in range(size):
        row, exchanged = active[k] % ROWS * UNITS, active[k] // ROWS * (UNITS // 2)
        for unit in range(UNITS):
            hidden[unit] += weights[row + (unit ^ exchanged)]
    logit = weights[ROWS * UNITS]
    for unit in range(UNITS):
        if hidden[unit] > 0.0:
            logit += output_sign(unit) * hidden[unit]
    return 1.0 / (1.0 + exp(-logit))


def add_gradient(gradient: Floats, active: Sequence[int], size: int, hidden: Sequence[float], error: float) -> None:
    """Add the gradient of the cross-entropy for an error of the predicted chance."""
    for k in range(size):
        row, exchanged = active[k] % ROWS * UNITS, active[k] // ROWS * (UNITS // 2)
        for unit in range(UNITS):
            if hidden[unit] > 0.0:
                gradient[row + (unit ^ exchanged)] += output_sign(unit) * error
    gradient[ROWS * UNITS] += error


def update_weights(learner: Learner, samples: int, step: int, learning_rate: float, network: Ints) -> None:
    """Make one step of the optimiser, and pack the new weights into the network that is played by."""
    adam_step(learner.weights, learner.adam, samples, step, learning_rate, EPSILON)
    for k in range(len(learner.weights)):
        learner.rounded[k] = round(learner.weights[k] * ONE)
    pack(learner.rounded, network)


def train(
    start: State, schedule: Schedule, steps: int, workspace: Workspace, learner: Learner, word: int
) -> tuple[int, int, float]:
    """Learn from some episodes; return the next random word, the steps of the optimiser so far, and the mean squared
    error of the predicted chances."""
    waiting, seen, errors, following = 0, 0, 0.0, learner.following
    for _ in range(schedule.episodes):
        word = following_word(word)
        policy = GO_PROMISING if schedule.warm_up else NETWORK
        lot = below(word, 200)
        rival = policy if lot < 2 * schedule.self_play else GO_PROMISING if lot & 1 else G2
        samples, winner, word = play_episode(start, policy, rival, workspace, learner, word)
        following[0], following[1] = -1.0, -1.0
        for at in range(samples - 1, -1, -1):
            seat, active, size = learner.seats[at], learner.active[at], learner.sizes[at]
            value = predict(learner.weights, active, size, learner.hidden[at])
            won = 1.0 if winner == seat else 0.0
            target = following[seat] if following[seat] >= 0.0 else won
            following[seat] = LAMBDA * target + (1.0 - LAMBDA) * value
            add_gradient(learner.adam.gradient, active, size, learner.hidden[at], value - target)
            errors += (value - won) ** 2
        waiting, seen = waiting + samples, seen + samples
        if waiting >= BATCH:
            steps += 1
            update_weights(learner, waiting, steps, schedule.learning_rate, workspace.accumulators.network)
            waiting = 0
    return word, steps, errors / max(seen, 1)
