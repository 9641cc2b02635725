"""The matrix of cross-play as text, as JSON and as a plot. The bots that play best with others come first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from gramy import text
from gramy.arena.crossplay import CrossPlay
from gramy.arena.figures import ConfidenceInterval
from gramy.arena.files import WRITERS as MATCH_WRITERS
from gramy.arena.files import rows
from gramy.arena.report import words
from gramy.arguments import game_title, writing
from gramy.messages import to_builtins
from gramy.optional import library
from gramy.options import format_options
from gramy.plot import ACCENT, INK, WARM, figure, plain
from gramy.plot import save as save_plot

COLOURS = "YlGnBu"
"""From light yellow to dark blue: it gets darker evenly, also for readers who are colour-blind and in grey print."""

DARK = 65
"""From this share on (in %) a cell is so dark that its numbers are white."""


def in_order(crossplay: CrossPlay) -> list[int]:
    """Return the bots by their mean over all partners, the best first."""
    numbers = range(len(crossplay.names))
    means = [sum(crossplay.cells[one, other].mean for other in numbers) for one in numbers]
    return sorted(numbers, key=lambda one: -means[one])


def report_lines(crossplay: CrossPlay, language: str) -> Iterator[str]:
    """Yield the lines of the report: the matrix, then self-play, cross-play and the worst partner of each bot."""
    comparison, order = crossplay.comparison, in_order(crossplay)
    setting = comparison.setting
    signs = dict(zip(order, column_signs(len(order)), strict=True))
    width = max(map(len, crossplay.names))
    yield game_title(setting.game)
    numbers = {"deals": comparison.deals, "matches": len(comparison.results), "seed": setting.seed}
    yield words("crossplay_head", language, **numbers)
    yield ""
    yield " " * (width + 4) + "".join(f"{signs[other]:>6}" for other in order)
    for one in order:
        cells = (f"{100 * crossplay.cells[one, other].mean:6.1f}" for other in order)
        yield f"{signs[one]:>2}  {crossplay.names[one]:{width}}{''.join(cells)}"
    yield ""
    yield words("crossplay_sum", language)
    for one in order:
        line = crossplay.summaries[one]
        values = {
            "alone": _share(line.self_play),
            "mixed": _share(line.cross_play),
            "gap": f"{100 * line.gap.mean:+5.1f} [{100 * line.gap.low:+.1f}, {100 * line.gap.high:+.1f}]".ljust(21),
            "worst": signs[line.worst],
            "share": _share(line.worst_share).strip(),
        }
        yield f"{signs[one]:>2}  {line.name:{width}}  {words('crossplay_line', language, **values)}"
    yield ""
    for bot, number in comparison.late.items():
        yield words("late", language, bot=bot, matches=number)


def column_signs(number: int) -> list[str]:
    """Return short names of columns: A to Z, then A1 to Z1 and so on."""
    return [ascii_uppercase[at % 26] + (str(at // 26) if at >= 26 else "") for at in range(number)]


def _share(share: ConfidenceInterval) -> str:
    return f"{100 * share.mean:5.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]".ljust(19)


def summary(crossplay: CrossPlay) -> dict[str, Any]:
    """Return the matrix as JSON types: `cells[row][column]`, bots in the order of `bots`."""
    setting, numbers = crossplay.comparison.setting, range(len(crossplay.names))
    found: dict[str, Any] = to_builtins(
        {
            "game": setting.game.name,
            "options": format_options(setting.game.options),
            "seed": setting.seed,
            "talk": setting.talk,
            "limit": setting.limit,
            "deals": crossplay.comparison.deals,
            "bots": crossplay.names,
            "cells": [[crossplay.cells[one, other] for other in numbers] for one in numbers],
            "summaries": crossplay.summaries,
            "late": crossplay.comparison.late,
        }
    )
    return found


def draw(crossplay: CrossPlay, path: Path, language: str) -> None:
    """Write the plot: the matrix, and beside it each bot with itself, with the others, and with its worst partner."""
    comparison, order = crossplay.comparison, in_order(crossplay)
    setting, size = comparison.setting, len(order)
    options = game_title(setting.game).partition(" ")[2]
    name = f"{text.find('title', setting.game.name, language)}, {options}"
    title = words("plot_title", language, name=name, deals=comparison.deals, seed=setting.seed)
    plot = figure(5.2 + 0.72 * size + 4.6, 2.6 + 0.52 * size, title)
    left, right = plot.subplots(1, 2, width_ratios=[0.72 * size + 1.2, 4.6])
    _draw_matrix(left, crossplay, order, language)
    _draw_summaries(right, crossplay, order, language)
    save_plot(plot, path)


def _draw_matrix(axes: Any, crossplay: CrossPlay, order: list[int], language: str) -> None:
    shares = [[100 * crossplay.cells[one, other].mean for other in order] for one in order]
    names = [crossplay.names[one] for one in order]
    axes.imshow(shares, cmap=COLOURS, vmin=0, vmax=100, aspect="auto")
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            colour, (_, low, high) = "white" if share >= DARK else INK, crossplay.cells[order[row], order[column]]
            centre = {"ha": "center", "va": "center", "color": colour}
            axes.text(column, row - 0.12, f"{share:.0f}", fontsize=11, **centre)
            axes.text(column, row + 0.24, f"{100 * low:.0f}–{100 * high:.0f}", fontsize=7, **centre)
        frame = {"fill": False, "edgecolor": "white" if line[row] >= DARK else INK, "linewidth": 1.4}
        axes.add_patch(_rectangle((row - 0.47, row - 0.47), 0.94, 0.94, **frame))  # the diagonal is self-play
    axes.set_xticks(range(len(order)), names, rotation=40, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(words("plot_partner", language), loc="right", style="italic")
    axes.set_ylabel(words("plot_joining", language), style="italic")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _rectangle(*arguments: Any, **style: Any) -> Any:
    return library("matplotlib.patches", "arena").Rectangle(*arguments, **style)


def _draw_summaries(axes: Any, crossplay: CrossPlay, order: list[int], language: str) -> None:
    """Draw a row for each bot, beside its row of the matrix."""
    kinds = (("self_play", ACCENT, "o", "plot_self", -0.16), ("cross_play", WARM, "D", "plot_cross", 0.16))
    for field, colour, marker, key, shift in kinds:
        for row, one in enumerate(order):
            mean, low, high = (100 * value for value in getattr(crossplay.summaries[one], field))
            axes.plot([low, high], [row + shift] * 2, color=colour, linewidth=3, alpha=0.35, solid_capstyle="round")
            label = words(key, language) if row == 0 else None
            axes.plot([mean], [row + shift], marker, color=colour, markersize=6, linestyle="", label=label)
    for row, one in enumerate(order):
        line = crossplay.summaries[one]
        label = words("plot_worst", language) if row == 0 else None
        axes.plot([100 * line.worst_share.mean], [row], "x", color=INK, markersize=7, linestyle="", label=label)
        axes.annotate(
            crossplay.names[line.worst],
            (1.02, row),
            xycoords=("axes fraction", "data"),
            va="center",
            color=INK,
            annotation_clip=False,
        )
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(-3, 103)
    axes.set_yticks(range(len(order)), [""] * len(order))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(words("plot_won", language))
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "annotation_clip": False}
    axes.annotate(words("plot_worst", language), (1.02, 1.0), (0, 10), color=INK, style="italic", **place)
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, columnspacing=1.2)
    plain(axes)


def _json(crossplay: CrossPlay, path: Path, language: str) -> None:
    whole = summary(crossplay) | {"matches": rows(crossplay.comparison)}
    path.write_text(json.dumps(whole) + "\n", "utf-8")


WRITERS: dict[str, Callable[[CrossPlay, Path, str], None]] = {
    ".csv": lambda crossplay, path, language: MATCH_WRITERS[".csv"](crossplay.comparison, path, language),
    ".parquet": lambda crossplay, path, language: MATCH_WRITERS[".parquet"](crossplay.comparison, path, language),
    ".json": _json,
    ".png": draw,
    ".svg": draw,
}


def save(crossplay: CrossPlay, path: Path, language: str = "en") -> None:
    """Write the matrix in the format of the path's suffix; a plot is labelled in the language."""
    with writing(path):
        WRITERS[path.suffix](crossplay, path, language)
