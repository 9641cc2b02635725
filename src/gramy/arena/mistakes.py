"""How well bots decide: some deals of a comparison again, every decision weighed by the strongest bot."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial

from gramy.analysis import Care, Decision, adviser, careful, judge, moments
from gramy.arena.bout import Setting, play_match
from gramy.parallel import in_order

BUDGET = 0.05
"""Seconds of a reference core to weigh one decision: a match has a hundred."""


def mistakes(
    setting: Setting, deals: int, executor: Executor, progress: Callable[[int], object] = lambda deals: None
) -> tuple[Care, ...]:
    """For each entrant, how well it decided in the first deals."""
    found: list[list[Decision]] = [[] for _ in setting.entrants]
    for block in in_order(executor, partial(_looked_at, setting), range(deals)):
        for decisions, more in zip(found, block, strict=True):
            decisions += more
        progress(1)
    return tuple(careful(decisions) for decisions in found)


def _looked_at(setting: Setting, deal: int) -> list[list[Decision]]:
    """The decisions of each entrant in all matches of a deal."""
    game, by = setting.rules, adviser(setting.game)
    found: list[list[Decision]] = [[] for _ in setting.entrants]
    for number, seating in enumerate(setting.seatings):
        seed = f"{setting.seed} {deal} {number}"
        for moment in moments(play_match(setting, game, deal, seating)):
            decision = judge(BUDGET, seed, by, moment)
            found[seating[decision.seat]].append(decision)
    return found
