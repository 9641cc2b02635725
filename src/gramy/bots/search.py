"""Sequential halving: spending a number of trials on the candidates that deserve them.

In each round every candidate left is tried in the same new worlds, so that luck does not tell them apart; then the
worse half is dropped. The trials are the caller's, many at once: a call of a compiled function costs more than a trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

Trial: TypeAlias = Callable[[Sequence[int], int, int], Sequence[float]]
"""The sum of each candidate's values in `worlds` worlds, numbered from `first_world`."""


class Ranking(NamedTuple):
    """The candidates, best first: those that stayed longest before those dropped; and every candidate's mean value."""

    order: tuple[int, ...]
    means: tuple[float, ...]


def halving(candidates: int, trials: int, trial: Trial, guesses: Sequence[float] = (), trust: float = 0.0) -> Ranking:
    """Rank so many candidates by so many trials, shared evenly by the rounds; each is tried at least once. What each
    seems worth beforehand counts as much as `trust` trials."""
    order, tried = list(range(candidates)), 0
    sums = [trust * guess for guess in guesses] or [0.0] * candidates
    means = [0.0] * candidates
    rounds = max(1, (candidates - 1).bit_length())
    left = candidates
    for _ in range(rounds):
        worlds = max(1, trials // (rounds * left))
        for candidate, value in zip(order[:left], trial(order[:left], tried, worlds), strict=True):
            sums[candidate] += value
            means[candidate] = sums[candidate] / (trust + tried + worlds)
        tried += worlds
        order[:left] = sorted(order[:left], key=lambda candidate: -means[candidate])
        left = (left + 1) // 2
    return Ranking(tuple(order), tuple(means))
