"""Stored beginnings of rounds between two players: choices of faces and openings, from which the search goes on.

The archive has a file a round, of little-endian numbers of 16 and 32 bits in the order of `LAYOUT`, and an index with
the opener's probability to win. `training/gra` writes it. Reading a file needs NumPy; reading the index does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from gramy.bots.gra.abstraction import TwoPlayerRound
from gramy.bots.gra.bid_graph import bid_graph
from gramy.bots.gra.hand_types import RANK, hand_types
from gramy.bots.gra.round_search import RoundStart, graph_root

ARCHIVE = "quantity_first_starts.zip"

EXACT, ROUGH = "<f4", "<f2"

LARGEST = 60_000.0
"""The largest number in a file. Only types that are never shown have such values."""


class StartEntry(NamedTuple):
    """The description of a beginning in the index."""

    iterations: int
    opener_wins: float  # in the game that the search plays


def start_name(round: TwoPlayerRound) -> str:
    """Return the name of a round in the archive, such as `3v2` or `3v2 jokers`."""
    return f"{round.opener_cards}v{round.responder_cards}" + (" jokers" if round.jokers else "")


def pack_start(start: RoundStart) -> bytes:
    """Return a beginning as it is stored."""
    import numpy as np

    opening, replies = (np.stack(list(rows.values())) for rows in (start.opening, start.reply_values))
    arrays = (*start.ranges, *start.plain_ranges, *start.face_weights, *start.factors, *start.values, opening, replies)
    return b"".join(
        np.clip(array, -LARGEST, LARGEST).astype(kind).tobytes()
        for array, (_, kind) in zip(arrays, _layout(start), strict=True)
    )


def unpack_start(cards: tuple[int, int], jokers: bool, stored: bytes) -> RoundStart:
    """Return a stored beginning."""
    import numpy as np

    empty = RoundStart(cards, jokers, *((None, None),) * 5, {}, {})
    found, at = [], 0
    for shape, kind in _layout(empty):
        array = np.frombuffer(stored, kind, int(np.prod(shape)), at)
        at += array.nbytes
        found.append(array.reshape(shape).astype(float))
    bids = _openings(empty)
    opening, replies = (dict(zip(bids, rows, strict=True)) for rows in found[10:])
    pairs = [(found[at], found[at + 1]) for at in range(0, 10, 2)]
    ranges, plain_ranges, face_weights, factors, values = pairs
    return RoundStart(cards, jokers, ranges, plain_ranges, factors, face_weights, values, opening, replies)


def _openings(start: RoundStart) -> tuple[tuple[int, int], ...]:
    return bid_graph(graph_root(start, ()))[0].actions


def _layout(start: RoundStart) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the shape and the kind of numbers of each array in a file."""
    first, second = (len(hand_types(cards)) for cards in start.cards)
    bids = len(_openings(start))
    yield from (((first,), EXACT), ((second,), EXACT)) * 3
    yield from (((first, RANK), ROUGH), ((second, RANK), ROUGH), ((first,), ROUGH), ((second,), ROUGH))
    yield from (((bids, first), ROUGH), ((bids, second), ROUGH))


def read_start_index(archive: Path) -> dict[str, StartEntry]:
    """Return the index of an archive, by round."""
    with ZipFile(archive) as packed:
        return {name: StartEntry(*entry) for name, entry in json.loads(packed.read("index.json")).items()}


@cache
def load_start_index() -> dict[str, StartEntry]:
    """Return the index of the archive in this package; empty if there is none."""
    packaged = files(__package__).joinpath("tables", ARCHIVE)
    if not packaged.is_file():
        return {}
    with as_file(packaged) as path:
        return read_start_index(path)


@cache
def load_start(round: TwoPlayerRound) -> RoundStart | None:
    """Return the beginning of a round, if this package has it."""
    name = start_name(round)
    if not round.quantity_first or name not in load_start_index():
        return None
    with as_file(files(__package__).joinpath("tables", ARCHIVE)) as path, ZipFile(path) as packed:
        return unpack_start((round.opener_cards, round.responder_cards), round.jokers, packed.read(name))
