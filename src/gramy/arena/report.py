"""The report of a comparison, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gramy import text
from gramy.analysis.report import accuracy_line
from gramy.arena import Comparison
from gramy.arena.figures import ConfidenceInterval, difference
from gramy.arena.rating import ratings
from gramy.arguments import game_title
from gramy.messages import Message

BAR = 24
"""Columns of a bar that stands for 100%."""


def report_lines(comparison: Comparison, language: str) -> Iterator[str]:
    """Yield the lines of the report."""
    setting = comparison.setting
    yield game_title(setting.game)
    yield words("played", language, deals=comparison.deals, matches=len(comparison.results), seed=setting.seed)
    if comparison.accepted is not None:
        yield words("decided", language, bot=setting.names[0], share=f"{comparison.accepted:.1%}")
    yield ""
    names = setting.names
    width = max(map(len, names))
    for standing in comparison.standings:
        fair = words("fair", language, times=f"{standing.share.mean / standing.fair:.2f}") if standing.fair else ""
        bar = "▇" * round(BAR * standing.share.mean)
        yield f"{standing.name:{width}}  {interval(standing.share):24}  {bar:{BAR}}  {fair}".rstrip()
    if len(names) > 1:
        yield from _gaps(comparison, language) if setting.cooperative else _ranks(comparison, language, width)
    yield ""
    yield from _endings(comparison, language)


def _gaps(comparison: Comparison, language: str) -> Iterator[str]:
    """Yield how much more the first team wins than each other team."""
    names = comparison.setting.names
    first = comparison.scores(0)
    for who, name in enumerate(names[1:], 1):
        mean, low, high = difference(first, comparison.scores(who))
        yield words("gap", language, bot=names[0], other=name, gap=f"{mean:+.1%}  [{low:+.1%}, {high:+.1%}]")


def _ranks(comparison: Comparison, language: str, width: int) -> Iterator[str]:
    """Yield the ratings of three or more entrants, the strongest first, and the share of wins of each pair."""
    names = comparison.setting.names
    if len(names) < 3:
        return
    rated = sorted(zip(ratings(comparison), names, range(len(names)), strict=True), reverse=True)
    order = [who for _, _, who in rated]
    yield ""
    for (elo, low, high), name, _ in rated:
        yield f"{name:{width}}  {words('rating', language, elo=f'{elo:+.0f}', low=f'{low:+.0f}', high=f'{high:+.0f}')}"
    pairs = {(one, other): comparison.against(one, other) for one in order for other in order if one != other}
    if not any(pairs.values()):
        return
    yield ""
    yield words("against", language)
    columns = [max(6, len(names[who])) for who in order]
    heads = (f"{names[who]:>{column}}" for who, column in zip(order, columns, strict=True))
    yield "  ".join([" " * width, *heads])
    for one in order:
        shares = (_cell(pairs.get((one, other)), column) for other, column in zip(order, columns, strict=True))
        yield "  ".join([f"{names[one]:{width}}", *shares])


def _cell(share: ConfidenceInterval | None, width: int) -> str:
    return f"{share.mean:{width}.1%}" if share else " " * width


def _endings(comparison: Comparison, language: str) -> Iterator[str]:
    """Yield the length and endings of the matches, the wins by seat, and the accuracy of each entrant."""
    yield words("length", language, moves=f"{comparison.length:.1f}")
    for ending, number in comparison.endings.items():
        yield f"{number / len(comparison.results):7.1%}  {ending}"
    for bot, number in comparison.late.items():
        yield words("late", language, bot=bot, matches=number)
    if not comparison.setting.cooperative:
        yield words("seats", language, shares=" ".join(f"{share:.1%}" for share in comparison.seats))
    for entrant, accuracy in zip(comparison.setting.entrants, comparison.accuracy, strict=False):
        yield f"{entrant.name}: {accuracy_line(accuracy, language)}"


def interval(estimate: ConfidenceInterval) -> str:
    """Return a share with its interval."""
    return f"{estimate.mean:6.1%}  [{estimate.low:.1%}, {estimate.high:.1%}]"


def words(key: str, language: str, **values: Any) -> str:
    """Return a sentence of the catalogue `arena`."""
    return text.say(Message(key, values, "arena"), language)
