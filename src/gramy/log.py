"""The log of a match: its lines, and how each seat may read them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Entry(NamedTuple):
    """One line of the log. `reader` is the only seat that may read it whole, None when everybody may."""

    seat: int
    text: str
    reader: int | None = None


@lru_cache(20_000)
def shared_entry(seat: int, text: str, reader: int | None) -> Entry:
    """Return an entry that all logs share: the logs of all tables consist of the same few moves."""
    return Entry(seat, text, reader)


def as_read(entry: Entry, seat: int | None) -> Entry:
    """Return a log line as a seat may read it: the verb, and `?` for every word that is hidden from this seat."""
    if entry.reader is None or entry.reader == seat:
        return entry
    verb, *words = entry.text.split()
    return shared_entry(entry.seat, " ".join([verb, *("?" for _ in words)]), entry.reader)
