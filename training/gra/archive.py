"""Strategies as stored tables: rounding to thousandths, reading back for best responses, and writing archives."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from gramy.bots.gra.strategy_tables import SCALE, StrategyTable, TableEntry, options_by_info_set, read_index
from training.gra.cfr import Array
from training.gra.face_decision import FaceDecision
from training.gra.solver import Solver

MIN_PROBABILITY = 0.001
"""Smaller probabilities are stored as 0."""


def pack(solver: Solver) -> bytes:
    """Return the average strategy of the abstracted seat as a stored table (see `strategy_tables` for the format)."""
    seat = solver.abstraction.seat
    options = round_options(solver.face_decisions[seat], solver.strategy_sum[seat])
    rows = [weights for of_nodes in own_weights(solver, MIN_PROBABILITY) for weights in of_nodes.values()]
    if solver.abstraction.kept is None:
        return b"".join(as_bytes(piece) for piece in (options, *rows))
    masks = [np.packbits(weights > 0, axis=1, bitorder="little").tobytes() for weights in rows]
    return b"".join([as_bytes(options), *masks, *(as_bytes(weights[weights > 0]) for weights in rows)])


def as_bytes(weights: Array) -> bytes:
    """Return weights as 16-bit numbers."""
    return bytes(weights.astype("<u2").tobytes())


def own_weights(solver: Solver, least: float) -> list[dict[int, Array]]:
    """Return for each subgame the weights in each node of the abstracted seat, one row an action.

    Probabilities below `least` become 0, unless no other is larger. So are all weights of information sets that do not
    get to the node.
    """
    seat, found = solver.abstraction.seat, []
    options = round_options(solver.face_decisions[seat], solver.strategy_sum[seat])
    every = options_by_info_set(solver.abstraction)
    for subgame, bidding, options_of in zip(solver.subgames, solver.biddings, every, strict=True):
        reached = {0: np.array([options[some].any() for some in options_of])}  # which information sets reach a node
        weights: dict[int, Array] = {}
        for at, node in enumerate(subgame.tree.nodes):
            first, edges = bidding.tree.first_edge[at], bidding.tree.edge_count[at]
            following = np.tile(reached[at], (edges, 1))
            if node.seat == seat:
                rounded = round_columns(bidding.strategy_sum[seat][first : first + edges], least)
                weights[at] = (rounded * reached[at]).astype(np.uint16)
                following = weights[at] > 0
            reached |= {edge.child: row for edge, row in zip(node.edges, following, strict=True)}
        found.append(weights)
    return found


def round_columns(weights: Array, least: float = MIN_PROBABILITY) -> Array:
    """Return each column in thousandths of its sum; the largest weight takes the rest. A column of zeros stays so.

    Probabilities below `least` become 0, unless none is larger.
    """
    total = weights.sum(0)
    shares = weights / np.where(total > 0, total, 1)
    shares = np.where(shares < np.minimum(least, shares.max(0)), 0, shares)
    kept = shares.sum(0)
    rounded = np.rint(SCALE * shares / np.where(kept > 0, kept, 1))
    largest = rounded.argmax(0)
    rounded[largest, np.arange(rounded.shape[1])] += np.where(total > 0, SCALE - rounded.sum(0), 0)
    return rounded


def round_options(decision: FaceDecision, weights: Array) -> Array:
    """Return the strategy of a choice of faces in thousandths, for each of its information sets."""
    out = np.zeros(len(weights))
    strategy = decision.strategy(weights)
    for info_set in range(decision.info_set.max() + 1):
        options = np.nonzero(decision.info_set == info_set)[0]
        out[options] = round_columns(strategy[options][:, None])[:, 0]
    return out


def unpack(table: StrategyTable) -> Solver:
    """Return a solver whose average strategy is that of a stored table."""
    solver, seat = Solver(table.abstraction), table.abstraction.seat
    options = len(solver.face_decisions[seat].info_set)
    solver.strategy_sum[seat] = np.frombuffer(table.stored, "<u2", options).astype(float)
    for at, (subgame, bidding) in enumerate(zip(solver.subgames, solver.biddings, strict=True)):
        own = [node for node, each in enumerate(subgame.tree.nodes) if each.seat == seat]
        spans = [(bidding.tree.first_edge[node], bidding.tree.edge_count[node]) for node in own]
        rows = np.concatenate([np.arange(first, first + edges) for first, edges in spans])
        bidding.strategy_sum[seat][rows] = stored_rows(table, at, len(rows), bidding.info_sets[seat])
    return solver


def stored_rows(table: StrategyTable, at: int, rows: int, columns: int) -> Array:
    """Return the rows of a subgame: the weights of each action of the seat, by information set."""
    if table.sparse_rows is None:
        return np.frombuffer(table.stored, "<u2", rows * columns, 2 * table.row_offsets[at]).reshape(rows, columns)
    first, mask_size = table.sparse_rows.first, table.sparse_rows.mask_size
    masks = np.frombuffer(table.stored, np.uint8, rows * mask_size, first).reshape(rows, mask_size)
    found = np.zeros((rows, columns), np.uint16)
    played = np.unpackbits(masks, axis=1, count=columns, bitorder="little").astype(bool)
    found[played] = np.frombuffer(table.stored, "<u2", offset=first + rows * mask_size)
    return found


def guaranteed_value(table: StrategyTable) -> float:
    """Return the probability to win the round against a best response to a stored table."""
    return unpack(table).guaranteed_value()


def archived(solver: Solver) -> tuple[TableEntry, bytes]:
    """Return the average strategy of the abstracted seat as an archive has it: its entry in the index, and its file."""
    abstraction, stored = solver.abstraction, pack(solver)
    kept = abstraction.kept or b""
    entry = TableEntry(
        high_values=abstraction.high_values,
        max_number=abstraction.max_number,
        max_bids=abstraction.max_bids,
        max_jump=abstraction.max_jump,
        recall_size=abstraction.recall_size,
        iterations=solver.iterations,
        guaranteed=guaranteed_value(StrategyTable(abstraction, stored)),
        max_number_after_one=abstraction.max_number_after_one,
        recall_values=abstraction.recall_values,
        kept_size=len(kept),
    )
    return entry, kept + stored


def write_archive(path: Path, entries: dict[str, TableEntry], tables: dict[str, bytes]) -> None:
    """Add tables to an archive, or replace those of the same name. The file is replaced as a whole or not at all."""
    if path.exists():
        old = read_index(path)
        with ZipFile(path) as before:
            tables = {name: before.read(name) for name in old} | tables
        entries = old | entries
    entries = dict(sorted(entries.items()))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    try:
        with ZipFile(temporary, "w", ZIP_LZMA) as packed:
            index = {name: entry.to_index() for name, entry in entries.items()}
            packed.writestr(ZipInfo("index.json"), json.dumps(index))
            for name in entries:
                packed.writestr(ZipInfo(name), tables[name], ZIP_LZMA)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
