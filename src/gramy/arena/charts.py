"""The plot of a comparison: the bots by strength and, for a bot with several budgets, a curve over the budget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gramy import text
from gramy.arena import Comparison, Standing
from gramy.arena.figures import ConfidenceInterval
from gramy.arena.rating import ratings
from gramy.arena.report import words
from gramy.plot import ACCENT, FAINT, INK, figure, plain, save


def draw(comparison: Comparison, path: Path, language: str) -> None:
    """Write the plot of a comparison as a PNG or SVG file."""
    standings = comparison.standings
    curves = budgets(comparison)
    setting = comparison.setting
    name = text.find("title", setting.game.name, language)
    title = words("plot_title", language, name=name, deals=comparison.deals, seed=setting.seed)
    plot = figure(7 + 5 * bool(curves), 1.6 + 0.45 * len(standings) + 1.2 * bool(curves), title)
    axes = plot.subplots(1, 1 + bool(curves), squeeze=False)[0]
    if setting.rated:
        _draw_ranking(axes[0], standings, ratings(comparison), words("plot_elo", language), 0)
    else:
        shares = [_percent(standing.share) for standing in standings]
        _draw_ranking(axes[0], standings, shares, words("plot_shares", language), 1)
        if not setting.cooperative:
            axes[0].axvline(100 * standings[0].fair, color=FAINT, linestyle=":")
    if curves:
        _draw_curves(axes[1], curves, language)
    save(plot, path)


def budgets(comparison: Comparison) -> dict[str, list[tuple[float, ConfidenceInterval]]]:
    """Return the share of wins by budget of each bot that competes with several budgets."""
    curves: dict[str, list[tuple[float, ConfidenceInterval]]] = {}
    by_name = {entrant.name: entrant for entrant in comparison.setting.entrants}
    for standing in comparison.standings:
        if entrant := by_name.get(standing.name):  # a team of several bots has no budget
            curves.setdefault(entrant.label, []).append((entrant.budget, standing.share))
    return {label: sorted(points) for label, points in curves.items() if len(points) > 1}


def _percent(share: ConfidenceInterval) -> ConfidenceInterval:
    return ConfidenceInterval(*(100 * value for value in share))


def _draw_ranking(
    axes: Any, standings: Sequence[Standing], values: Sequence[ConfidenceInterval], label: str, digits: int
) -> None:
    """Draw a row for each bot, the strongest at the top."""
    order = sorted(range(len(values)), key=lambda who: values[who].mean)
    for row, who in enumerate(order):
        mean, low, high = values[who]
        axes.plot([low, high], [row, row], color=ACCENT, linewidth=3, alpha=0.35, solid_capstyle="round")
        axes.plot([mean], [row], "o", color=ACCENT)
        axes.annotate(f"{mean:.{digits}f}", (mean, row), (0, 7), textcoords="offset points", ha="center", color=INK)
    axes.set_yticks(range(len(order)), [standings[who].name for who in order])
    axes.set_ylim(-0.6, len(order) - 0.3)
    axes.set_xlabel(label)
    plain(axes)


def _draw_curves(axes: Any, curves: dict[str, list[tuple[float, ConfidenceInterval]]], language: str) -> None:
    """Draw the share of wins by budget, a curve for each bot."""
    for label, points in curves.items():
        seconds = [budget for budget, _ in points]
        shares = [_percent(share) for _, share in points]
        below = [share.mean - share.low for share in shares]
        above = [share.high - share.mean for share in shares]
        means = [share.mean for share in shares]
        axes.errorbar(seconds, means, (below, above), marker="o", capsize=3, label=label)
    axes.set_xscale("log")
    axes.minorticks_off()
    ticks = sorted({budget for points in curves.values() for budget, _ in points})
    axes.set_xticks(ticks, [f"{budget:g}" for budget in ticks])
    axes.set_xlabel(words("plot_budget", language))
    axes.set_ylabel(words("plot_wins", language))
    axes.legend(frameon=False)
    plain(axes)
