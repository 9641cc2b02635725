"""Random matches as Parquet files: the matches, their moves, and what each seat knew before its moves.

These are the matches that `gramy.simulation` plays with the same seed. They are played and written in chunks, so the
memory does not grow with their number. docs/data.md describes the columns.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, MutableSequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from gramy import compiled, playout
from gramy.cards import Rows, lowest
from gramy.contract import DEALER, NOBODY, Game, State
from gramy.encoding import Feature, Spans, action_codes, slices, spans, width, write_mask
from gramy.optional import library
from gramy.options import format_options
from gramy.playout import first_word, random_deal, random_move
from gramy.simulation import CHUNK, Tally

FORMAT = 1
"""The version of the columns, in `dataset.json`."""

PART = 50
"""Chunks of a file: 50,000 matches."""

to_act: Callable[[State], int]  # the functions of a game: declared here, bound by `playout.specialise`
deal: Callable[[State, int], State]
legal_moves: Callable[[State, int], Rows]
apply: Callable[[State, int, int], State]
observe: Callable[[State, int, MutableSequence[int], int], None]


class Trace(NamedTuple):
    """The arrays that a match is written to, line by line: who acted, and the code of the move or the bits of the deal.
    For each move also what the seat knew (`observations`) and the legal actions (`masks`)."""

    seats: Any
    choices: Any
    observations: Any
    masks: Any


def trace_match(state: State, word: int, trace: Trace, blocks: Spans, features: int, actions: int) -> tuple[int, int]:
    """Play a random match like `playout.play_out` and write it down; return the number of lines and the next word."""
    line = decision = 0
    while to_act(state) and line < len(trace.seats):  # `bound` has room for every match; machine code checks no index
        if lowest(to_act(state)) == DEALER:
            picked, word = random_deal(state, word)
            trace.seats[line] = DEALER
            trace.choices[line] = picked
            state = deal(state, picked)
        else:
            seat, code, word = random_move(state, word)
            trace.seats[line] = seat
            trace.choices[line] = code
            observe(state, seat, trace.observations, decision * features)
            write_mask(legal_moves(state, seat), blocks, trace.masks, decision * actions)
            decision += 1
            state = apply(state, seat, code)
        line += 1
    return line, word


class Columns(NamedTuple):
    """The tables of a dataset, as column names with their types and meanings."""

    matches: dict[str, tuple[Any, str]]
    moves: dict[str, tuple[Any, str]]
    observations: dict[str, tuple[Any, str]]


def columns(game: Game) -> Columns:
    """Return the columns of a game's dataset."""
    arrow = library("pyarrow", "arena")
    name = arrow.dictionary(arrow.int32(), arrow.string())
    match = {"match": (arrow.int64(), "number of the match in the dataset, from 0")}
    line = {"line": (arrow.int32(), "line of the match's log, from 1")}
    return Columns(
        match
        | {
            "game": (name, "name of the game"),
            "options": (name, "options in force, as typed on the command line"),
            "seed": (arrow.int64(), "seed of the dataset"),
            "players": (arrow.int8(), "number of seats"),
            "winners": (arrow.list_(arrow.int8()), "seats that won; empty if nobody did"),
            "reason": (name, "why the match ended, as in a record"),
            "ending": (arrow.int8(), "the ending that `gramy simulate` counts"),
            "lines": (arrow.int32(), "lines of the log: moves and deals"),
        },
        match
        | line
        | {
            "seat": (arrow.int8(), "who acted; 6 is the dealer"),
            "receiver": (arrow.int8(), "the seat that a deal goes to; null for a move, and for the lot of who starts"),
            "move": (name, "the move or deal as text, as in a record"),
        },
        match
        | line
        | {
            "seat": (arrow.int8(), "the seat that moved in this line, whose view this is"),
            "action": (arrow.int32(), "number of the action that it chose"),
            "legal": (arrow.list_(arrow.int32()), "numbers of all legal actions"),
        }
        | {feature.name: (_feature_type(feature, arrow), feature.meaning) for feature in _features(game)},
    )


def _features(game: Game) -> tuple[Feature, ...]:
    return game.rules.observation(game.options)


def _feature_type(feature: Feature, arrow: Any) -> Any:
    return arrow.int8() if feature.size == 1 else arrow.list_(arrow.int8(), feature.size)


def write(
    game: Game,
    games: int,
    seed: int,
    folder: Path,
    *,
    plain: bool = False,
    progress: Callable[[int], object] = lambda games: None,
) -> Tally:
    """Play random matches, write them to an empty folder, and return their tally.

    The folder is complete when it has the file `dataset.json`.
    """
    tables, tally = columns(game), Tally(0, 0, {})
    chunks = _chunks(game, games, seed, plain or not compiled.available())
    for part in count():
        if tally.games >= games:
            break
        with ExitStack() as stack:
            writers = {table: stack.enter_context(_writer(folder, table, part, tables)) for table in Columns._fields}
            for _, (chunk, rows) in zip(range(PART), chunks, strict=False):
                for table, writer in writers.items():
                    writer.write_table(rows[table])
                tally = tally.plus(chunk)
                progress(chunk.games)
                if tally.games >= games:
                    break
    described = {
        "format": FORMAT,
        "game": game.name,
        "rules": game.rules.VERSION,
        "options": format_options(game.options),
        "seed": seed,
        "matches": games,
        "columns": {
            table: [{"name": name, "type": str(kind), "meaning": meaning} for name, (kind, meaning) in found.items()]
            for table, found in tables._asdict().items()
        },
    }
    (folder / "dataset.json").write_text(json.dumps(described, indent=1) + "\n", "utf-8")
    return tally


def _schema(found: dict[str, tuple[Any, str]]) -> Any:
    arrow = library("pyarrow", "arena")
    return arrow.schema([arrow.field(name, kind, metadata={"meaning": text}) for name, (kind, text) in found.items()])


def _writer(folder: Path, table: str, part: int, tables: Columns) -> Any:
    parquet = library("pyarrow.parquet", "arena")
    (folder / table).mkdir(exist_ok=True)
    path = folder / table / f"part-{part:05}.parquet"
    return parquet.ParquetWriter(path, _schema(getattr(tables, table)), compression="zstd")


def _chunks(game: Game, games: int, seed: int, plain: bool) -> Iterator[tuple[Tally, dict[str, Any]]]:
    """Yield the tally and the tables of each chunk."""
    recorder = _Recorder(game, plain)
    for at, first in enumerate(range(0, games, CHUNK)):
        recorder.begin(seed)
        word = first_word(seed << 32 ^ at)
        for match in range(first, min(first + CHUNK, games)):
            word = recorder.play(match, word)
        yield recorder.finish()


class _Recorder:
    """Plays the matches of a chunk, and collects the rows of the tables."""

    def __init__(self, game: Game, plain: bool) -> None:
        self.game, self.rules = game, game.rules
        self.numpy, self.arrow = library("numpy", "arena"), library("pyarrow", "arena")
        features, blocks = _features(game), game.rules.actions(game.options)
        self.features, self.blocks = features, spans(blocks)
        self.width, self.actions = width(features), width(blocks)
        self.action_numbers = {code: number for number, code in enumerate(action_codes(blocks))}
        self.trace_match = (playout.specialise if plain else compiled.compiled)(game.rules, trace_match)
        bound, zeros = game.rules.bound(game.options), self.numpy.zeros
        self.trace = Trace(
            zeros(bound, "int64"),
            zeros(bound, "int64"),
            zeros(bound * self.width, "int8"),
            zeros(bound * self.actions, "int8"),
        )

    def begin(self, seed: int) -> None:
        """Begin a chunk."""
        self.seed = seed
        self.matches: list[tuple[Any, ...]] = []
        self.moves: list[tuple[Any, ...]] = []
        self.decisions: list[tuple[int, int, int, int]] = []
        self.observed: list[Any] = []
        self.legal: list[Any] = []
        self.endings: Counter[int] = Counter()

    def play(self, match: int, word: int) -> int:
        """Play a match from this word of the random generator, collect its rows, and return the next word."""
        start, trace = self.game.start(), self.trace
        lines, word = self.trace_match(start, word, trace, self.blocks, self.width, self.actions)
        state, decisions = start, 0
        seats, choices = trace.seats[:lines].tolist(), trace.choices[:lines].tolist()
        for line, (seat, choice) in enumerate(zip(seats, choices, strict=True), 1):
            if seat == DEALER:
                receiver = self.rules.receiver(state)
                text = self.game.format_deal(state, choice)
                self.moves.append((match, line, seat, None if receiver == NOBODY else receiver, text))
                state = self.rules.deal(state, choice)
            else:
                self.moves.append((match, line, seat, None, self.rules.format_move(state, seat, choice)))
                self.decisions.append((match, line, seat, self.action_numbers[choice]))
                decisions += 1
                state = self.rules.apply(state, seat, choice)
        self.observed.append(trace.observations[: decisions * self.width].copy())
        self.legal.append(trace.masks[: decisions * self.actions].copy())
        outcome, ending = self.rules.outcome(state), self.rules.ending(state)
        assert outcome is not None
        self.matches.append((match, outcome.winners, outcome.key, ending, lines))
        self.endings[ending] += 1
        return int(word)

    def finish(self) -> tuple[Tally, dict[str, Any]]:
        """Return the tally and the tables of the chunk."""
        tally = Tally(len(self.matches), len(self.moves), dict(sorted(self.endings.items())))
        tables = columns(self.game)
        rows = {
            "matches": self._match_columns(),
            "moves": dict(zip(tables.moves, zip(*self.moves, strict=True), strict=True)),
            "observations": self._observation_columns(),
        }
        return tally, {name: self._table(getattr(tables, name), found) for name, found in rows.items()}

    def _match_columns(self) -> dict[str, Any]:
        numbers, winners, reasons, endings, lines = zip(*self.matches, strict=True)
        options = " ".join(f"{name}={value}" for name, value in format_options(self.game.options).items())
        constant = {"game": self.game.name, "options": options, "seed": self.seed, "players": self.game.players}
        same = {name: [value] * len(numbers) for name, value in constant.items()}
        return {"match": numbers, **same, "winners": winners, "reason": reasons, "ending": endings, "lines": lines}

    def _observation_columns(self) -> dict[str, Any]:
        numbers = dict(zip(("match", "line", "seat", "action"), zip(*self.decisions, strict=True), strict=True))
        masks = self.numpy.concatenate(self.legal).reshape(-1, self.actions)
        ends = self.numpy.concatenate(([0], masks.sum(axis=1, dtype="int32").cumsum()))
        legal = self.arrow.ListArray.from_arrays(ends.astype("int32"), masks.nonzero()[1].astype("int32"))
        observed = self.numpy.concatenate(self.observed).reshape(-1, self.width)
        found: dict[str, Any] = {**numbers, "legal": legal}
        for feature, where in zip(self.features, slices(self.features).values(), strict=True):
            flat = self.arrow.array(self.numpy.ascontiguousarray(observed[:, where]).reshape(-1))
            one = feature.size == 1
            found[feature.name] = flat if one else self.arrow.FixedSizeListArray.from_arrays(flat, feature.size)
        return found

    def _table(self, kinds: dict[str, tuple[Any, str]], found: dict[str, Any]) -> Any:
        arrays = [
            values if isinstance(values, self.arrow.Array) else self.arrow.array(values, kind)
            for (kind, _), values in zip(kinds.values(), (found[name] for name in kinds), strict=True)
        ]
        return self.arrow.Table.from_arrays(arrays, schema=_schema(kinds))
