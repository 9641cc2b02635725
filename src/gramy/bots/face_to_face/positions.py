"""The best states that a turn can leave, and roll-outs of them: calls of the one kernel that is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Any

from gramy import playout
from gramy.bots.face_to_face.evaluation import ACCUMULATOR_SIZES, Accumulators
from gramy.bots.face_to_face.habits import UNKNOWN
from gramy.bots.face_to_face.network import AGAINST_GREEDY, FILES, packed, read
from gramy.bots.face_to_face.rollouts import WHOLE_TURN, RollOuts, roll_out_candidates
from gramy.bots.face_to_face.turns import FIELDS, Workspace
from gramy.bots.kernel import floats, integers, is_compiled, kernel, zeros
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.rules import HAND, State

STRANGERS = UNKNOWN, UNKNOWN
"""The habits of both seats where nothing is known of them, or nothing depends on them."""


def best_positions(
    state: State, limit: int, policy: int, both: tuple[int, int] = STRANGERS, which: int = AGAINST_GREEDY
) -> tuple[list[int], list[float]]:
    """Return the best states that the turn can leave (FIELDS numbers each), and their values to a policy.

    `both` are the habits of both seats, and `which` is the network, for the policy that uses them.
    """
    workspace = new_workspace(limit, both, which)
    run_rollouts(state, [], [WHOLE_TURN], [playout.first_word(0)], [policy], 1, policy, workspace)
    values = [float(value) for value in workspace.values if value > -inf]
    return [int(number) for number in workspace.positions[: len(values) * FIELDS]], values


def run_rollouts(
    state: State,
    found: Sequence[int],
    candidates: Sequence[int],
    words: Sequence[int],
    reply_policies: Sequence[int],
    horizon: int,
    policy: int,
    workspace: Workspace,
) -> list[float]:
    """Call the kernel `roll_out_candidates`; return the sum of each candidate's results."""
    sums = floats([0.0] * len(candidates))
    rollouts = RollOuts(integers(found), integers(candidates), integers(words), integers(reply_policies), sums)
    kernel(RULES, roll_out_candidates)(state, rollouts, horizon, policy, workspace)
    return [float(value) for value in sums]


def new_workspace(limit: int, both: tuple[int, int] = STRANGERS, which: int = AGAINST_GREEDY) -> Workspace:
    """Return a workspace with room for the best `limit` states of a turn, a network and the habits of both seats."""
    accumulators = Accumulators(network(is_compiled(), which), *map(zeros, ACCUMULATOR_SIZES))
    accumulators.habits[0], accumulators.habits[1] = both
    return Workspace(zeros(1 << HAND), zeros(FIELDS * limit), floats([-inf] * limit), accumulators)


@cache
def network(compiled: bool, which: int = AGAINST_GREEDY) -> Any:
    """Return a network of the package, packed; an array if kernels are compiled, else a list."""
    return integers(packed(read(FILES[which])))
