"""The tables of docs/strength.md, written from results between two markers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from training.provenance import ROOT
from training.strength.measurements import Measurement, Published, best
from training.strength.rows import MATRICES, TABLES, Matrix, Row, Table

PAGE = ROOT / "docs" / "strength.md"
COLUMNS = ("wins", "95% interval", "goal", "deals", "budget", "arguments", "measured at")
OLDER = "older code"
NOT_MEASURED = "not measured"


def percent(share: float) -> str:
    """Return a share for people: 90.2%."""
    return f"{100 * share:.1f}%"


def goal_of(row: Row, results: Sequence[Measurement]) -> float:
    """Return the goal of a row as a share of wins; 0 if it has none, or if it depends on a row without a result."""
    if not row.goal_arguments:
        return row.goal
    of_other = [one for one in results if one.is_of(row._replace(arguments=row.goal_arguments))]
    return row.goal * of_other[-1].share if of_other else 0.0


def emphasised(text: str, row: Row, result: Measurement, reach: float) -> str:
    """Return the text of a figure, in bold type if the figure reaches its goal."""
    reached = result.share <= reach if row.at_most else round(result.share, 3) >= reach
    return f"**{text}**" if reach and reached else text


def measured_at(result: Measurement, code: str) -> str:
    """Return the commit of a figure, that of code which plays the same, and whether the figure is of older code."""
    replayed = f", replayed at {result.replayed}" if result.replayed else ""
    return result.commit + replayed + f", {OLDER}" * (result.code != code)


def cells(row: Row, result: Measurement | None, code: str, reach: float) -> list[str]:
    """Return the cells of a row. A figure that reaches its goal is bold; one of older code is marked."""
    goal = f"{100 * reach:.3g}%" if reach else "–"
    if result is None:
        command = f"`{row.arguments} --deals {row.deals} --seed {row.seed}`"
        return [row.label, "–", "–", goal, "–", row.budget, command, NOT_MEASURED]
    return [
        row.label,
        emphasised(percent(result.share), row, result, reach),
        f"{100 * result.low:.1f}–{100 * result.high:.1f}",
        goal,
        f"{result.deals:,}",
        row.budget,
        f"`{row.arguments} --deals {result.deals} --seed {row.seed}`",
        measured_at(result, code),
    ]


def table_lines(table: Table, published: Published) -> list[str]:
    """Return a table as lines of Markdown."""
    heading = [table.first_column, *COLUMNS]
    lines = [heading, ["---"] * len(heading)]
    for row in table.rows:
        code = published.code[row.key]
        result = best(row, published.results, code)
        lines.append(cells(row, result, code, goal_of(row, published.results)))
    return _as_markdown(lines)


def matrix_lines(matrix: Matrix, published: Published) -> list[str]:
    """Return a matrix as lines of Markdown: shares with their intervals; the fewest deals of a line; all commits."""
    heading = [matrix.first_column, *matrix.columns, "deals", "measured at"]
    lines = [heading, ["---"] * len(heading)]
    for label, rows, scale in matrix.lines:
        found = [(row, best(row, published.results, published.code[row.key])) for row in rows]
        known = [(row, result) for row, result in found if result]
        origins = {measured_at(result, published.code[row.key]) for row, result in known}
        origins |= {NOT_MEASURED for _, result in found if not result}
        deals = f"{min(result.deals for _, result in known):,}" if known else "–"
        shown = [_matrix_cell(row, result, scale) for row, result in found]
        lines.append([label, *shown, deals, "; ".join(sorted(origins))])
    return _as_markdown(lines)


def _matrix_cell(row: Row, result: Measurement | None, scale: float) -> str:
    if result is None:
        return "–"
    low, high = (100 * scale * share for share in (result.low, result.high))
    if not row.at_most:
        high = min(high, 100.0)  # all wins; an exploiter may win more than its fair share
    return f"{emphasised(percent(scale * result.share), row, result, row.goal)} ({low:.0f}–{high:.0f})"


def _as_markdown(lines: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(line) + " |" if line[0] != "---" else "|" + "---|" * len(line) for line in lines]


def markers(name: str) -> tuple[str, str]:
    """Return the lines before and after the table of this name."""
    return f"<!-- strength: {name} -->", f"<!-- end of strength: {name} -->"


def filled(page: str, published: Published, tables: Iterable[Table | Matrix] = (*TABLES, *MATRICES)) -> str:
    """Return the page with every table written from these results; raises ValueError if one has no place in it."""
    for table in tables:
        first, last = markers(table.name)
        lines = table_lines(table, published) if isinstance(table, Table) else matrix_lines(table, published)
        before, found, rest = page.partition(first)
        _, ended, after = rest.partition(last)
        if not found or not ended:
            raise ValueError(f"the page has no place for the table {table.name!r}")
        page = "\n".join([before + first, "", *lines, "", last + after])
    return page
