"""How well bots decide: replay some deals of a comparison, and let the strongest bot evaluate every decision."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial

from gramy.analysis import Accuracy, Decision, accuracy, adviser, decision_points, evaluate_decision
from gramy.arena.deals import Setting, play_match
from gramy.parallel import in_order

BUDGET = 0.05
"""Seconds of a reference core to evaluate one decision. A match has about a hundred."""


def measure_accuracy(
    setting: Setting, deals: int, executor: Executor, progress: Callable[[int], object] = lambda deals: None
) -> tuple[Accuracy, ...]:
    """Return the accuracy of each entrant in the first deals."""
    found: list[list[Decision]] = [[] for _ in setting.entrants]
    for block in in_order(executor, partial(_decisions, setting), range(deals)):
        for decisions, more in zip(found, block, strict=True):
            decisions += more
        progress(1)
    return tuple(map(accuracy, found))


def _decisions(setting: Setting, deal: int) -> list[list[Decision]]:
    """Return the evaluated decisions of each entrant in all matches of a deal."""
    by = adviser(setting.game.name)
    found: list[list[Decision]] = [[] for _ in setting.entrants]
    for number, seating in enumerate(setting.seatings):
        seed = f"{setting.seed} {deal} {number}"
        for point in decision_points(play_match(setting, deal, seating)):
            decision = evaluate_decision(BUDGET, seed, by, point)
            found[seating[decision.seat]].append(decision)
    return found
