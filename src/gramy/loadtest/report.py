"""The report of a load test, as text and as a plot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gramy import plot
from gramy.loadtest.figures import QUANTILES, Durations, Figures

LABELS = {
    "answered": "move to answer",
    "shown": "move to other viewers",
    "opening": "opening a table",
    "late": "delay of the generator",
}
INTERVALS = 60
"""Points of a curve over time."""


def report_lines(figures: Figures, title: str) -> Iterator[str]:
    """Yield the lines of the report."""
    found = figures.summary()
    yield f"{title}: {found['tables']:,} tables, {found['connections']:,} connections"
    yield f"{found['moves']:,} moves and {found['matches']:,} whole matches in {found['seconds']:.1f} s"
    moves, messages, size = (found[name] for name in ("moves_a_second", "messages_a_second", "bytes_a_message"))
    yield f"{moves:,.0f} moves/s, {messages:,.0f} messages/s of {size:,} bytes to viewers"
    yield ""
    yield f"{'milliseconds':26}" + "".join(f"{name:>10}" for name in QUANTILES)
    for kind, label in LABELS.items():
        if times := found["milliseconds"][kind]:
            yield f"{label:26}" + "".join(f"{milliseconds:10,.1f}" for milliseconds in times.values())
    yield ""
    if server := found.get("server"):
        each, table = server["microseconds_a_move"], server["kilobytes_a_table"]
        moves = server["moves_a_processor_second"]
        yield f"server: {each:,.0f} µs of CPU time a move ({moves:,.0f} moves per CPU second), {table:,.0f} kB a table"
    errors = ", ".join(f"{times:,} × {kind}" for kind, times in sorted(found["errors"].items()))
    yield f"errors: {errors or 'none'}"


def draw(figures: Figures, title: str, path: Path) -> None:
    """Write a plot as a PNG or SVG file: throughput and latency over time, and the quantiles of the latency."""
    drawing = plot.figure(11, 4.2, title)
    over_time, quantiles = drawing.subplots(1, 2)
    _draw_over_time(over_time, figures)
    _draw_quantiles(quantiles, figures)
    plot.save(drawing, path)


def _draw_over_time(axes: Any, figures: Figures) -> None:
    """Draw the moves per second in each interval of the run, and the 99th percentile of their latency."""
    length = (figures.ended - figures.began) / INTERVALS
    intervals: list[list[float]] = [[] for _ in range(INTERVALS)]
    for moment, seconds in zip(figures.answered.moments, figures.answered.seconds, strict=True):
        if figures.began <= moment < figures.ended:
            intervals[min(INTERVALS - 1, int((moment - figures.began) / length))].append(seconds)
    at = [length * number for number in range(INTERVALS)]
    axes.plot(at, [len(interval) / length for interval in intervals], color="tab:blue")
    axes.set_xlabel("seconds")
    axes.set_ylabel("moves per second", color="tab:blue")
    axes.set_ylim(bottom=0)
    slow = axes.twinx()
    slowest = [1000 * sorted(each)[round(0.99 * (len(each) - 1))] if each else None for each in intervals]
    slow.plot(at, slowest, color="tab:orange")
    slow.set_ylabel("p99 of the latency, ms", color="tab:orange")
    slow.set_ylim(bottom=0)


def _draw_quantiles(axes: Any, figures: Figures) -> None:
    """Draw the latency by quantile; 90%, 99% and 99.9% are at equal distances."""
    kinds: dict[str, Durations] = {LABELS["answered"]: figures.answered, LABELS["shown"]: figures.shown}
    for label, durations in kinds.items():
        if len(durations):
            ordered = sorted(durations.seconds)
            slower = [len(ordered) - at for at in range(len(ordered))]
            axes.plot([len(ordered) / rest for rest in slower], [1000 * seconds for seconds in ordered], label=label)
    axes.set_xscale("log")
    axes.set_xticks([1, 2, 10, 100, 1000], ["0", "p50", "p90", "p99", "p99.9"])
    axes.set_ylabel("milliseconds")
    axes.set_ylim(bottom=0)
    axes.grid(True, axis="x", alpha=0.3)
    axes.legend()
