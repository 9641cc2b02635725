"""Sequential halving (Karnin, Koren and Somekh, 2013): how to spend a number of roll-outs on the best candidates.

In each round all remaining candidates are rolled out in the same new deals, so that chance does not tell them apart;
then the worse half is dropped. The caller does the roll-outs, many in one call: a call of a compiled function costs
more than a roll-out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

RollOut: TypeAlias = Callable[[Sequence[int], int, int], Sequence[float]]
"""Takes candidates, the number of the first deal and how many deals; returns the sum of each candidate's results."""


class Ranking(NamedTuple):
    """The candidates, best first (those dropped later come before those dropped earlier), and each one's mean."""

    order: tuple[int, ...]
    means: tuple[float, ...]


def sequential_halving(
    candidates: int,
    rollouts: int,
    roll_out: RollOut,
    priors: Sequence[float] = (),
    prior_weight: float = 0.0,
    stop: Callable[[], bool] = lambda: False,
) -> Ranking:
    """Rank candidates by a number of roll-outs, shared evenly by the rounds; each gets at least one.

    A candidate's prior counts as much as `prior_weight` roll-outs. When `stop` is true before a round, the ranking is
    that of the rounds before, or of the priors.
    """
    order, done = list(range(candidates)), 0
    sums = [prior_weight * prior for prior in priors] or [0.0] * candidates
    means = list(priors) or [0.0] * candidates
    rounds = max(1, (candidates - 1).bit_length())
    left = candidates
    for _ in range(rounds):
        if stop():
            break
        deals = max(1, rollouts // (rounds * left))
        for candidate, result in zip(order[:left], roll_out(order[:left], done, deals), strict=True):
            sums[candidate] += result
            means[candidate] = sums[candidate] / (prior_weight + done + deals)
        done += deals
        order[:left] = sorted(order[:left], key=lambda candidate: -means[candidate])
        left = (left + 1) // 2
    if not done:
        order.sort(key=lambda candidate: -means[candidate])
    return Ranking(tuple(order), tuple(means))
