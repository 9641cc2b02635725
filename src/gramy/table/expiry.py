"""One pass over the expired tables, as SQL statements for both back ends. No wrong clock deletes a match.

An expired table is marked first. A marked table is not listed, any view removes the mark, and after a grace period the
table is deleted. The database stores the date of the last pass. Between two passes at most one day counts. If more has
passed, no server ran or the clock has jumped: then all marks are moved forward by the rest, and nothing is deleted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gramy.table.store import Expired, Expiry

MINUTE = 60.0
FIRST_RELEASE = 1_767_225_600.0  # 2026-01-01
PLAUSIBLE_GAP = 86_400.0
"""Seconds between two passes that count as time that has really passed."""
SEEN_EVERY = 3600.0
"""Seconds between two updates of `seen`."""
MOST_DELETED, MOST_MARKED = 500, 5000
"""How many tables one pass deletes and marks at most: a statement must not keep moves waiting."""

SELECT_LAST_PASS = "SELECT value FROM facts WHERE name='last pass'"
STORE_LAST_PASS = (
    "INSERT INTO facts (name, value) VALUES ('last pass', ?) ON CONFLICT (name) DO UPDATE SET value=excluded.value"
)
SELECT_MARKED = "SELECT id, game, status, marked FROM tables WHERE marked IS NOT NULL ORDER BY marked, id"
RESTORE = "UPDATE tables SET marked=NULL, seen=? WHERE marked IS NOT NULL AND id IN (SELECT value FROM MANY)"

_VIEWED = (
    "UPDATE tables SET seen=?, marked=NULL WHERE (seen<? OR marked IS NOT NULL) AND id IN (SELECT value FROM MANY)"
)
_MOVE_MARKS = "UPDATE tables SET marked=marked+? WHERE marked IS NOT NULL"
_LIMIT_MARKS = "UPDATE tables SET marked=? WHERE marked IS NOT NULL AND marked>?"
_EXPIRED = (
    "((status IN ('waiting', 'playing') AND touched<? AND seen<?)"
    " OR (status NOT IN ('waiting', 'playing') AND touched<? AND seen<?))"
)
_RESTORE_FRESH = f"UPDATE tables SET marked=NULL WHERE marked IS NOT NULL AND NOT {_EXPIRED}"
_DELETE = "DELETE FROM tables WHERE id IN (SELECT id FROM tables WHERE marked IS NOT NULL AND marked<=? LIMIT ?)"
_MARK = (
    "UPDATE tables SET marked=? WHERE id IN"
    f" (SELECT id FROM tables WHERE marked IS NULL AND {_EXPIRED} ORDER BY id LIMIT ?)"
)


class Statement(NamedTuple):
    """A statement of a pass. `counts` is the field of `Expired` to which its changed rows are added."""

    text: str
    parameters: tuple[Any, ...]
    counts: str = ""


class Pass(NamedTuple):
    """One pass over the expired tables, at a date of the database's clock."""

    date: float
    last: float  # the date of the pass before

    @classmethod
    def at(cls, date: float, last: str | None) -> Pass:
        """Return the pass at a date, after one whose date was stored as text."""
        return cls(date, date if last is None else float(last))

    @property
    def jump(self) -> float:
        """The seconds since the last pass if they are implausible, otherwise 0."""
        gap = self.date - self.last
        return 0.0 if -MINUTE <= gap <= PLAUSIBLE_GAP else gap

    def statements(self, viewed: Sequence[str], expiry: Expiry) -> Iterator[Statement]:
        """Yield the statements of the pass, in order."""
        date, open_here = self.date, json.dumps(list(viewed))
        if self.jump > 0:
            yield Statement(_MOVE_MARKS, (self.jump - PLAUSIBLE_GAP,))
        elif self.jump < 0:  # the clock was ahead: marks of that time lie in the future
            yield Statement(_LIMIT_MARKS, (date, date))
        yield Statement(RESTORE, (date, open_here), "restored")
        yield Statement(_VIEWED, (date, date - SEEN_EVERY, open_here))
        idle, finished = date - expiry.idle, date - expiry.finished
        expired = idle, idle, finished, finished
        yield Statement(_RESTORE_FRESH, expired, "restored")
        if not self.jump:
            yield Statement(_DELETE, (date - expiry.grace, MOST_DELETED), "deleted")
        yield Statement(_MARK, (date, *expired, MOST_MARKED), "marked")
        yield Statement(STORE_LAST_PASS, (repr(date),))

    def result(self, changed: Iterable[tuple[Statement, int]]) -> Expired:
        """Return what the statements did, from the numbers of rows that they changed."""
        numbers: Counter[str] = Counter()
        for statement, rows in changed:
            numbers[statement.counts] += rows
        return Expired(numbers["marked"], numbers["restored"], numbers["deleted"], self.jump)


def plausible_date(own: float, last: str | None) -> float:
    """Return this machine's date; if it is certainly wrong, that of the last pass if that is later.

    Machines without a battery start in 1970 until they have reached a time server.
    """
    return own if own >= FIRST_RELEASE or last is None else max(own, float(last))
