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
    pieces = [options]
    every = options_by_info_set(solver.abstraction)
    for subgame, bidding, options_of in zip(solver.subgames, solver.biddings, every, strict=True):
        reached = {0: np.array([options[some].any() for some in options_of])}  # which information sets reach a node
        for at, node in enumerate(subgame.tree.nodes):
            first, edges = bidding.tree.first_edge[at], bidding.tree.edge_count[at]
            following = np.tile(reached[at], (edges, 1))
            if node.seat == seat:
                weights = round_columns(bidding.strategy_sum[seat][first : first + edges]) * reached[at]
                pieces.append(weights.ravel())
                following = weights > 0
            reached |= {edge.child: row for edge, row in zip(node.edges, following, strict=True)}
    return b"".join(piece.astype("<u2").tobytes() for piece in pieces)


def round_columns(weights: Array) -> Array:
    """Return each column in thousandths of its sum. A column of zeros stays so; the largest weight takes the rest."""
    total = weights.sum(0)
    shares = weights / np.where(total > 0, total, 1)
    shares = np.where(shares < MIN_PROBABILITY, 0, shares)
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
    weights = np.frombuffer(table.stored, "<u2").astype(float)
    solver.strategy_sum[seat] = weights[: len(solver.face_decisions[seat].info_set)]
    for bidding, offsets in zip(solver.biddings, table.node_offsets, strict=True):
        for node, offset in offsets.items():
            first, edges = bidding.tree.first_edge[node], bidding.tree.edge_count[node]
            rows = weights[offset : offset + edges * bidding.info_sets[seat]]
            bidding.strategy_sum[seat][first : first + edges] = rows.reshape(edges, -1)
    return solver


def guaranteed_value(table: StrategyTable) -> float:
    """Return the probability to win the round against a best response to a stored table."""
    return unpack(table).guaranteed_value()


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
