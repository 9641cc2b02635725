"""The style of all plots, and their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gramy.optional import library

INK, ACCENT, WARM, FAINT = "#1f2937", "#2563eb", "#d97706", "#9ca3af"


def figure(width: float, height: float, title: str) -> Any:
    """Return an empty figure that uses no window and none of matplotlib's global state."""
    plot = library("matplotlib.figure", "arena").Figure(figsize=(width, height), layout="constrained")
    plot.suptitle(title, color=INK)
    return plot


def plain(axes: Any) -> None:
    """Draw a faint grid, and no box around the axes."""
    axes.grid(color=FAINT, alpha=0.25)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def save(plot: Any, path: Path) -> None:
    """Write a figure as PNG or SVG, by the suffix of the path. The same figure gives the same bytes."""
    with library("matplotlib", "arena").rc_context({"svg.hashsalt": "gramy"}):
        plot.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else {})
