"""A comparison in words, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean
from typing import Any

from gramy import text
from gramy.arena import Comparison
from gramy.arena.figures import Estimate
from gramy.game import Message

BAR = 24
"""The length of a whole bar."""


def told(comparison: Comparison, language: str) -> Iterator[str]:
    """The lines of the report."""
    setting = comparison.setting
    yield f"{setting.game}  {' '.join(f'{name}={value}' for name, value in setting.options.items())}"
    yield words("played", language, deals=comparison.deals, matches=len(comparison.results), seed=setting.seed)
    if comparison.accepted is not None:
        yield words("decided", language, bot=setting.entrants[0].name, share=f"{comparison.accepted:.1%}")
    yield ""
    width = max(len(entrant.name) for entrant in setting.entrants)
    for standing in comparison.standings:
        fair = words("fair", language, times=f"{standing.share.mean / standing.fair:.2f}") if standing.fair else ""
        bar = "▇" * round(BAR * standing.share.mean)
        yield f"{standing.name:{width}}  {interval(standing.share)}  {bar:{BAR}}  {fair}".rstrip()
    yield ""
    yield from _endings(comparison, language)


def _endings(comparison: Comparison, language: str) -> Iterator[str]:
    """How the matches went, whoever played."""
    results = comparison.results
    yield words("length", language, moves=f"{fmean(played.moves for played in results):.1f}")
    for ending, number in Counter(played.ending for played in results).most_common():
        yield f"{number / len(results):7.1%}  {ending}"
    if not comparison.setting.cooperative:
        seats = Counter(seat for played in results for seat in played.winners)
        shares = (f"{seats[seat] / len(results):.1%}" for seat in range(len(results[0].seating)))
        yield words("seats", language, shares=" ".join(shares))


def interval(estimate: Estimate) -> str:
    """A share with its interval."""
    return f"{estimate.mean:6.1%}  [{estimate.low:.1%}, {estimate.high:.1%}]"


def words(key: str, language: str, **values: Any) -> str:
    """A sentence of the arena's own catalogue."""
    return text.say(Message(key, values, "arena"), language)
