"""The report of an analysis, as text and as a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gramy import text
from gramy.analysis import BLUNDER, MISTAKE, Accuracy, Analysis, CurvePoint, Decision
from gramy.games import GAMES
from gramy.messages import Message
from gramy.plot import FAINT, figure, plain, save

BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 60
"""Columns of a curve."""

SIGNS = {"": "", "mistake": "?", "blunder": "??"}


def report_lines(analysis: Analysis, language: str) -> Iterator[str]:
    """Yield the lines of the report: every decision, then each player's curve and accuracy."""
    names = [player_name(seat, analysis, language) for seat in range(len(analysis.curves))]
    width = max(len(name) for name in names)
    yield f"{text.find('title', analysis.game, language)}\n"
    for decision in analysis.decisions:
        yield f"{decision.line:4}  {names[decision.seat]:{width}}  {_decision_line(decision, language)}"
        if decision.reason is not None:
            yield f"{'':{width + 8}}{text.say(decision.reason, language, analysis.names)}"
    yield ""
    for curve, name in _curves(analysis, language):
        yield f"{name:{width}}  {sparkline(curve)}"
    yield ""
    for name, accuracy in zip(names, analysis.accuracy, strict=True):
        yield f"{name:{width}}  {accuracy_line(accuracy, language)}"
    yield words("marks", language, mistake=f"{MISTAKE:.0%}", blunder=f"{BLUNDER:.0%}")


def _decision_line(decision: Decision, language: str) -> str:
    claim = "" if decision.claim is None else words("claim", language, chance=f"{decision.claim:.0%}")
    better = words("better", language, move=decision.best, chance=f"{decision.best_chance:.1%}")
    notes = [claim, better if decision.mark else ""]
    line = f"{decision.move:20}  {decision.chance:6.1%}  {SIGNS[decision.mark]:2}  "
    return (line + "; ".join(note for note in notes if note)).rstrip()


def accuracy_line(accuracy: Accuracy, language: str) -> str:
    """Return a player's accuracy as a sentence."""
    counts = {"decisions": accuracy.decisions, "mistakes": accuracy.mistakes, "blunders": accuracy.blunders}
    counted = ", ".join(words(key, language, number=number) for key, number in counts.items())
    return f"{counted}; {words('cost', language, cost=f'{accuracy.cost:.2%}')}"


def sparkline(curve: Sequence[CurvePoint], width: int = WIDTH) -> str:
    """Return a curve as one line of block characters, thinned out if it is too long."""
    step = max(1.0, len(curve) / width)
    points = [curve[int(at * step)] for at in range(min(len(curve), width) - 1)] + list(curve[-1:])
    return "".join(BLOCKS[min(len(BLOCKS) - 1, int(point.chance * len(BLOCKS)))] for point in points)


def draw(analysis: Analysis, path: Path, language: str) -> None:
    """Write a plot as a PNG or SVG file: the curves, the legend beside them, and below a row of marks for each player
    who made a mistake."""
    curves, together = list(_curves(analysis, language)), GAMES[analysis.game].COOPERATIVE
    owners = sorted({decision.seat for decision in analysis.decisions if decision.mark})
    plot = figure(10, 3.8 + 0.3 * len(owners), text.find("title", analysis.game, language))
    axes, *below = plot.subplots(
        1 + bool(owners), 1, sharex=True, squeeze=False, height_ratios=[3.4, 0.3 * len(owners)][: 1 + bool(owners)]
    )[:, 0]
    for (curve, name), style in zip(curves, LINES, strict=False):
        axes.plot(*_xy(curve), label=name, drawstyle="steps-post", color=style.colour, linestyle=style.dashes)
    for decision in analysis.decisions:
        if decision.mark:
            colour = LINES[0 if together else decision.seat].colour
            curve = analysis.curves[decision.seat]
            chance = next(point.chance for point in curve if point.line == decision.line)
            axes.plot(decision.line, 100 * chance, "o", color=colour, markersize=4)
    if len(curves) == 2:
        axes.axhline(50, color=FAINT, linestyle=":", zorder=0)
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 20))
    axes.set_ylabel(words("axis_chance", language))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    plain(axes)
    for marks in below:
        _draw_marks(marks, analysis, owners, language)
    (below or [axes])[-1].set_xlabel(words("axis_line", language))
    save(plot, path)


def _draw_marks(axes: Any, analysis: Analysis, owners: Sequence[int], language: str) -> None:
    """Draw a row for each of these players, with their mistakes at the lines of the log where they made them."""
    for decision in analysis.decisions:
        if decision.mark:
            colour = LINES[decision.seat].colour
            place = {"ha": "center", "va": "center", "color": colour, "fontsize": 11}
            axes.text(decision.line, owners.index(decision.seat), SIGNS[decision.mark], **place)
    axes.set_yticks(range(len(owners)), [player_name(seat, analysis, language) for seat in owners])
    axes.set_ylim(len(owners) - 0.5, -0.5)
    plain(axes)


class LineStyle(NamedTuple):
    """How a player's curve looks: colours and dashes, because some readers tell colours apart badly."""

    colour: str
    dashes: str | tuple[int, tuple[int, ...]]


LINES = (
    LineStyle("#0072b2", "-"),
    LineStyle("#d55e00", "--"),
    LineStyle("#009e73", "-."),
    LineStyle("#7b3294", ":"),
    LineStyle("#8c6d1f", (0, (5, 1, 1, 1, 1, 1))),
    LineStyle("#4d4d4d", (0, (1, 1))),
)
"""A style for each seat, dark enough for text on white."""


def _curves(analysis: Analysis, language: str) -> Iterator[tuple[Sequence[CurvePoint], str]]:
    """Yield the curve and name of each player; one curve for all in a co-operative game."""
    if GAMES[analysis.game].COOPERATIVE:
        yield analysis.curves[0], words("everybody", language)
        return
    for seat, curve in enumerate(analysis.curves):
        yield curve, player_name(seat, analysis, language)


def _xy(curve: Sequence[CurvePoint]) -> tuple[list[int], list[float]]:
    return [point.line for point in curve], [100 * point.chance for point in curve]


def player_name(seat: int, analysis: Analysis, language: str) -> str:
    """Return the player's name, or the name of the seat."""
    return text.word("seat", seat, language, analysis.names)


def words(key: str, language: str, **values: Any) -> str:
    """Return a sentence of the catalogue `analysis`."""
    return text.say(Message(key, values, "analysis"), language)
