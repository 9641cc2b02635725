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
from gramy.bots.face_to_face.evaluation import ACCUMULATOR_SIZES, ONE, SIZE, UNITS, Accumulators, forget_network
from gramy.bots.face_to_face.features import (
    ROWS,
    Outside,
    add_card,
    add_counts,
    add_hand,
    add_outside,
    add_top,
    foe_spread_row,
    own_spread_row,
    paired,
)
from gramy.bots.face_to_face.habits import UNKNOWN, habits_of
from gramy.bots.face_to_face.network import WEIGHTS, pack
from gramy.bots.face_to_face.rollouts import draw_cards, next_turn
from gramy.bots.face_to_face.turns import (
    FIELDS,
    GO_PROMISING,
    Workspace,
    best_turns,
    read_position,
)
from gramy.bots.kernel import Floats, Ints, floats, zeros
from gramy.cards import lowest
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import HAND, State, deal
from gramy.playout import below, following_word
from training.face_to_face.population import EARLIER, MEMBERS, POLICIES, SELF
from training.optimiser import Adam, adam_step

HALF = UNITS // 2
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
BATCH = 400
"""Samples for one step of the optimiser."""
AVERAGED = 10
"""The weights are averaged over about the last tenth of the steps. This removes noise as a falling learning rate does,
but needs no end of the run that is known from the start."""
EPSILON = 1e-6
"""Adam's term against division by zero."""


class Learner(NamedTuple):
    """The weights and the optimiser, the samples of one episode, and what is counted."""

    weights: Floats
    average: Floats  # of the weights over the last steps: the result
    adam: Adam
    rounded: Ints  # the weights as they are stored
    active: Any  # for each sample, its active features
    sizes: Ints  # for each sample, how many there are
    seats: Ints  # for each sample, the seat that left the position
    hidden: Any  # for each sample, the inputs of the hidden units
    following: Floats  # for each seat, the lambda-return of the next position; -1 for none
    conduct: Ints  # for each seat, in this match: turns, turns with a card given, cards laid
    progress: Ints  # steps of the optimiser so far, and samples since the last one
    met: Ints  # for each member of the population, the matches of this chunk
    won: Ints  # those that the learner won


class Schedule(NamedTuple):
    """A part of the run: how many episodes, whether both play greedily, the learning rate, and the learner's policy."""

    episodes: int
    warm_up: int
    learning_rate: float
    policy: int


def new_learner(seed: int) -> Learner:
    """Return a learner with small random weights."""
    weights = numpy.random.default_rng(seed).uniform(-0.006, 0.006, WEIGHTS)
    return Learner(
        weights=_array(weights),
        average=_array(weights.copy()),
        adam=Adam(*(_array(numpy.zeros(WEIGHTS)) for _ in range(3))),
        rounded=zeros(WEIGHTS),
        active=_array(numpy.zeros((MAX_TURNS_A_MATCH, MAX_ACTIVE), numpy.int64)),
        sizes=zeros(MAX_TURNS_A_MATCH),
        seats=zeros(MAX_TURNS_A_MATCH),
        hidden=_array(numpy.zeros((MAX_TURNS_A_MATCH, UNITS))),
        following=floats([0.0, 0.0]),
        conduct=zeros(6),
        progress=zeros(2),
        met=zeros(len(MEMBERS)),
        won=zeros(len(MEMBERS)),
    )


def _array(values: Any) -> Any:
    """Return an array as a kernel takes it."""
    return values if compiled.available() else values.tolist()


def new_players(limit: int = CANDIDATES) -> tuple[Workspace, Workspace]:
    """Return two workspaces with networks of their own, which change, and with the same habits of both seats."""
    first, second = (Accumulators(zeros(SIZE), *map(zeros, ACCUMULATOR_SIZES)) for _ in range(2))
    return _workspace(limit, first), _workspace(limit, second._replace(habits=first.habits))


def _workspace(limit: int, accumulators: Accumulators) -> Workspace:
    return Workspace(zeros(1 << HAND), zeros(FIELDS * limit), floats([-inf] * limit), accumulators)


def set_network(workspace: Workspace, weights: Sequence[int]) -> None:
    """Let a workspace play by these weights (as they are stored)."""
    pack(weights, workspace.accumulators.network)
    forget_network(workspace.accumulators)


# --- samples ----------------------------------------------------------------------------------------------------------


def active_features(left: State, other: int, rows: Ints) -> int:
    """Write the active features of a position; return how many. ROWS is added to those with their halves exchanged.

    `other` are the habits of the player who did not leave it.
    """
    me, foe = left.me, left.foe
    others, end = foe.hand | foe.deck, 0
    tops = lowest(me.up), lowest(me.down), lowest(foe.up), lowest(foe.down)
    for pile in range(4):
        first, top, hand = end, tops[pile], me.hand
        outside = Outside(me.deck, paired(me.deck, pile), others, paired(others, pile))
        end = add_outside(pile, top, outside, rows, end)
        end = add_top(pile, top, other, rows, add_hand(pile, top, hand, rows, end))
        while hand:
            end = add_card(pile, top, lowest(hand), me.deck, rows, end)
            hand &= hand - 1
        if pile & 1:
            for k in range(first, end):
                rows[k] += ROWS
    first = end
    end = add_counts(left, other, rows, end)
    rows[end], rows[end + 1] = own_spread_row(me, other), foe_spread_row(foe, other)
    symmetric = end + 2 - first
    for k in range(first, first + symmetric):
        rows[k + symmetric] = rows[k] + ROWS
    return first + 2 * symmetric


def begin_match(state: State, conduct: Ints, habits: Ints, word: int) -> tuple[State, int]:
    """Deal the first hands; nothing is known of either player. Return the first turn and the next random word."""
    for k in range(len(conduct)):
        conduct[k] = 0
    habits[0], habits[1] = UNKNOWN, UNKNOWN
    while state.draw > 0 or state.seat == NOBODY:
        pool, number = (0b11, 1) if state.seat == NOBODY else (state.me.deck, state.draw)
        drawn, word = draw_cards(pool, number, word)
        state = deal(state, drawn)
    return state, word


def note_turn(left: State, conduct: Ints, habits: Ints) -> None:
    """Add a finished turn to what is known of the player who leaves this state."""
    at = 3 * left.seat
    conduct[at] += 1
    conduct[at + 1] += left.helped
    conduct[at + 2] += left.laid
    habits[left.seat] = habits_of(conduct[at], conduct[at + 1], conduct[at + 2])


def play_episode(
    state: State,
    policies: tuple[int, int],
    both: int,
    players: tuple[Workspace, Workspace],
    learner: Learner,
    word: int,
) -> tuple[int, int, int]:
    """Play a match and record each position that the learner leaves; return how many, the winner, and the next random
    word. The learner has seat 0; if `both`, it plays both seats. The players' workspaces share their habits."""
    samples, habits = 0, players[0].accumulators.habits
    state, word = begin_match(state, learner.conduct, habits, word)
    while state.winner == NOBODY:
        learns = both == 1 or state.seat == 0
        workspace = players[0] if learns else players[1]
        found = best_turns(state, CANDIDATES, policies[0] if learns else policies[1], workspace)
        chosen = 0
        word = following_word(word)
        if learns and below(word, 100) < EXPLORATION:
            word = following_word(word)
            chosen = below(word, found)
        state = read_position(state, workspace.positions, chosen)
        if state.winner == NOBODY:
            if learns:
                learner.sizes[samples] = active_features(state, habits[1 - state.seat], learner.active[samples])
                learner.seats[samples] = state.seat
                samples += 1
            note_turn(state, learner.conduct, habits)
            state, word = next_turn(state, word)
    return samples, state.winner, word


def count_wins(
    state: State,
    policies: tuple[int, int],
    players: tuple[Workspace, Workspace],
    conduct: Ints,
    matches: int,
    word: int,
) -> tuple[int, int]:
    """Play matches between two policies; return how many the first one won, and the next random word."""
    won, habits = 0, players[0].accumulators.habits
    for _ in range(matches):
        at, word = begin_match(state, conduct, habits, word)
        while at.winner == NOBODY:
            workspace = players[0] if at.seat == 0 else players[1]
            best_turns(at, 1, policies[0] if at.seat == 0 else policies[1], workspace)
            at = read_position(at, workspace.positions, 0)
            if at.winner == NOBODY:
                note_turn(at, conduct, habits)
                at, word = next_turn(at, word)
        won += int(at.winner == 0)
    return won, word


# --- learning ---------------------------------------------------------------------------------------------------------


def output_sign(unit: int) -> int:
    """Return the output weight of a unit, 1 or -1: eight units of each in turn."""
    return 1 - (unit >> 2 & 2)


def predict(weights: Sequence[float], active: Sequence[int], size: int, hidden: Floats) -> float:
    """Return the chance to win by the active features, and write the inputs of the hidden units."""
    for unit in range(UNITS):
        hidden[unit] = 0.0
    for k in range(size):
        first, second = halves(active[k])
        for unit in range(HALF):  # without a condition or an exchange inside, so that it becomes vector instructions
            hidden[unit] += weights[first + unit]
            hidden[HALF + unit] += weights[second + unit]
    logit = weights[ROWS * UNITS]
    for unit in range(UNITS):
        if hidden[unit] > 0.0:
            logit += output_sign(unit) * hidden[unit]
    return 1.0 / (1.0 + exp(-logit))


def halves(feature: int) -> tuple[int, int]:
    """Return where the weights of an active feature for each half of the units begin."""
    if feature >= ROWS:
        return (feature - ROWS) * UNITS + HALF, (feature - ROWS) * UNITS
    return feature * UNITS, feature * UNITS + HALF


def add_gradient(gradient: Floats, active: Sequence[int], size: int, hidden: Floats, error: float) -> None:
    """Add the gradient of the cross-entropy for an error of the predicted chance. It replaces the inputs of the hidden
    units by the derivatives."""
    for unit in range(UNITS):
        hidden[unit] = output_sign(unit) * error if hidden[unit] > 0.0 else 0.0
    for k in range(size):
        first, second = halves(active[k])
        for unit in range(HALF):
            gradient[first + unit] += hidden[unit]
            gradient[second + unit] += hidden[HALF + unit]
    gradient[ROWS * UNITS] += error


def update_weights(learner: Learner, samples: int, step: int, learning_rate: float, acc: Accumulators) -> None:
    """Make one step of the optimiser, and pack the new weights into the network that is played by."""
    adam_step(learner.weights, learner.adam, samples, step, learning_rate, EPSILON)
    share = min(1.0, AVERAGED / step)
    for k in range(len(learner.weights)):
        learner.average[k] += share * (learner.weights[k] - learner.average[k])
        learner.rounded[k] = round(learner.weights[k] * ONE)
    pack(learner.rounded, acc.network)
    forget_network(acc)


def drawn_member(shares: Sequence[int], word: int) -> int:
    """Return a member of the population, drawn by the members' shares (%)."""
    lot, member = below(word, 100), 0
    while lot >= shares[member]:
        lot -= shares[member]
        member += 1
    return member


def train(
    start: State,
    schedule: Schedule,
    shares: Sequence[int],
    players: tuple[Workspace, Workspace],
    learner: Learner,
    word: int,
) -> tuple[int, float]:
    """Learn from some episodes; return the next random word, and the mean squared error of the predicted chances."""
    seen, errors, following, progress = 0, 0.0, learner.following, learner.progress
    for k in range(len(MEMBERS)):
        learner.met[k], learner.won[k] = 0, 0
    for _ in range(schedule.episodes):
        word = following_word(word)
        member = drawn_member(shares, word)
        policies = schedule.policy, schedule.policy if member <= EARLIER else POLICIES[member]
        if schedule.warm_up:
            policies = GO_PROMISING, GO_PROMISING if member <= EARLIER else POLICIES[member]
        samples, winner, word = play_episode(start, policies, int(member == SELF), players, learner, word)
        learner.met[member] += 1
        learner.won[member] += int(winner == 0)
        following[0], following[1] = -1.0, -1.0
        for at in range(samples - 1, -1, -1):
            seat, active, size = learner.seats[at], learner.active[at], learner.sizes[at]
            value = predict(learner.weights, active, size, learner.hidden[at])
            won = 1.0 if winner == seat else 0.0
            target = following[seat] if following[seat] >= 0.0 else won
            following[seat] = LAMBDA * target + (1.0 - LAMBDA) * value
            add_gradient(learner.adam.gradient, active, size, learner.hidden[at], value - target)
            errors += (value - won) ** 2
        seen += samples
        progress[1] += samples
        if progress[1] >= BATCH:
            progress[0] += 1
            update_weights(learner, progress[1], progress[0], schedule.learning_rate, players[0].accumulators)
            progress[1] = 0
    return word, errors / max(seen, 1)
