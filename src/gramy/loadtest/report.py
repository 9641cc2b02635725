"""A run told: as lines for people, or drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gramy.contract import GramyError, Message
from gramy.loadtest.figures import SHARES, Figures, Times

KINDS = {
    "answered": "move to its answer",
    "shown": "move to another's screen",
    "opening": "a table opened and full",
    "late": "the generator's own delay",
}
PIECES = 60
"""A drawing over time has so many points."""


class CannotDraw(GramyError):
    """There is nothing to draw with, or not in that form."""


def report_lines(figures: Figures, title: str) -> Iterator[str]:
    """What was measured, line by line."""
    found = figures.summary()
    yield f"{title}: {found['tables']:,} tables, {found['connections']:,} connections"
    yield f"{found['moves']:,} moves and {found['matches']:,} whole matches in {found['seconds']:.1f} s"
    moves, messages, size = (found[name] for name in ("moves_a_second", "messages_a_second", "bytes_a_message"))
    yield f"{moves:,.0f} moves/s, {messages:,.0f} messages/s of {size:,} bytes to viewers"
    yield ""
    yield f"{'milliseconds':26}" + "".join(f"{share:>10}" for share in SHARES)
    for kind, sentence in KINDS.items():
        if times := found["milliseconds"][kind]:
            yield f"{sentence:26}" + "".join(f"{milliseconds:10,.1f}" for milliseconds in times.values())
    yield ""
    if server := found.get("server"):
        each, table = server["microseconds_a_move"], server["kilobytes_a_table"]
        moves = server["moves_a_processor_second"]
        yield f"server: {each:,.0f} µs of processor time a move ({moves:,.0f} a second of it), {table:,.0f} kB a table"
    wrong = ", ".join(f"{times:,} × {kind}" for kind, times in sorted(found["errors"].items()))
    yield f"errors: {wrong or 'none'}"


def draw(figures: Figures, title: str, path: Path) -> None:
    """Two pictures side by side: moves a second with their times as they went by, and the times by share."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CannotDraw(Message("needs_matplotlib", {}, "loadtest")) from None
    if path.suffix not in (".png", ".svg"):
        raise CannotDraw(Message("picture_form", {"path": str(path)}, "loadtest"))
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    over_time, by_share = figure.subplots(1, 2)
    _draw_over_time(over_time, figures)
    _draw_by_share(by_share, figures)
    figure.suptitle(title)
    figure.savefig(path, dpi=120)


def _draw_over_time(axes: Any, figures: Figures) -> None:
    """How many moves were answered in each piece of the run, and how long the slowest hundredth of them took."""
    length = (figures.ended - figures.began) / PIECES
    pieces: list[list[float]] = [[] for _ in range(PIECES)]
    for moment, seconds in zip(figures.answered.moments, figures.answered.seconds, strict=True):
        if figures.began <= moment < figures.ended:
            pieces[min(PIECES - 1, int((moment - figures.began) / length))].append(seconds)
    at = [length * piece for piece in range(PIECES)]
    axes.plot(at, [len(piece) / length for piece in pieces], color="tab:blue")
    axes.set_xlabel("seconds")
    axes.set_ylabel("moves a second", color="tab:blue")
    axes.set_ylim(bottom=0)
    slow = axes.twinx()
    slowest = [1000 * sorted(piece)[round(0.99 * (len(piece) - 1))] if piece else None for piece in pieces]
    slow.plot(at, slowest, color="tab:orange")
    slow.set_ylabel("p99 to the answer, ms", color="tab:orange")
    slow.set_ylim(bottom=0)


def _draw_by_share(axes: Any, figures: Figures) -> None:
    """Each share's time, drawn so that every further nine takes the same room."""
    kinds: dict[str, Times] = {KINDS["answered"]: figures.answered, KINDS["shown"]: figures.shown}
    for sentence, times in kinds.items():
        if len(times):
            ordered = sorted(times.seconds)
            slower = [len(ordered) - at for at in range(len(ordered))]
            axes.plot([len(ordered) / rest for rest in slower], [1000 * seconds for seconds in ordered], label=sentence)
    axes.set_xscale("log")
    axes.set_xticks([1, 2, 10, 100, 1000], ["0", "p50", "p90", "p99", "p99.9"])
    axes.set_ylabel("milliseconds")
    axes.set_ylim(bottom=0)
    axes.grid(True, axis="x", alpha=0.3)
    axes.legend()
