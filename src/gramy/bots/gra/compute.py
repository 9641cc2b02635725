"""The command that makes the tables of equilibrium play, and the one that checks them.

    python -m gramy.bots.gra.compute                   all rounds, bids by value first
    python -m gramy.bots.gra.compute --jokers 3v2      one round with jokers
    python -m gramy.bots.gra.compute --quantity-first  rounds of up to four cards, bids by number first
    python -m gramy.bots.gra.compute --certify         best responses to the tables as they are stored

Everything follows from the shapes and goals below; nothing is drawn at random. Some of the tables that are kept were
learnt with smaller shapes: the index in each archive names them.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from gramy.bots.gra.shape import Round, Shape
from gramy.bots.gra.solve import Array, Root, Solver
from gramy.bots.gra.store import OWNERS, WHOLE, Entry, Play, archive, index, name, options_of, play
from gramy.games.gra.rules import FULL, VALUES

TABLES = Path(__file__).parent / "tables"
CHUNK = 50
SLIGHT = 0.001
"""Shares below this are stored as nothing: what is hardly ever played is hardly ever meant."""


def shape_of(round: Round, owner: int) -> Shape:
    """How much a play tells apart: as much as it takes, found by trying."""
    opens, answers, cards = round.opens, round.answers, round.cards
    if round.quantity_first:
        jump = 2 if cards == 4 else owner + 1 if cards < 4 else 1 - owner  # larger plans do not fit into the memory
        return Shape(round, owner, VALUES, cards, 3 if cards == 2 else 2, jump, keen=2)
    if round.jokers:
        ones = (cards + 4) // 2 if owner == 0 and cards > 4 else 0
        return Shape(round, owner, 2 if cards <= 4 else 1, min(cards, 9), cards, cards, FULL, ones)
    if opens == 1 or (answers == 1 and opens <= 3):
        top = 3 if (opens, answers, owner) == (1, 1, 1) else 2
        most = 4 if owner == 1 else min(cards, 5)
        raises = 3 if (opens, answers) == (1, 5) else 2
        return Shape(round, owner, top, min(cards, most), raises if cards > 4 and owner == 1 else cards, cards, FULL)
    return Shape(round, owner, 1, min(cards, 7), cards, cards, FULL)


def goal(round: Round) -> float:
    """How near to the equilibrium of its small game a play is brought."""
    small = round.cards <= 4 or (round.opens, round.answers) == (3, 3)
    if round.jokers:
        return 0.0005
    return 0.0002 if small else 0.001


def learnt(shape: Shape, most: int) -> Solver:
    """A play that is near enough, or the best of so many rounds of learning. A play that forgets hands gets no nearer
    than that lets it."""
    solver = Solver(shape)
    if not all(part.keen[shape.owner] for part in solver.parts):
        solver.learn(most)
    while solver.learnt < most:
        solver.learn(CHUNK)
        if solver.gap() < goal(shape.round):
            break
    return solver


def packed(solver: Solver) -> bytes:
    """The owner's play in bytes."""
    owner = solver.shape.owner
    pieces = [in_groups(solver.roots[owner], solver.average[owner])]
    for field, labels in zip(solver.fields, options_of(solver.shape), strict=True):
        coming = {0: np.array([pieces[0][options].any() for options in labels])}  # labels that get to a node at all
        for number, node in enumerate(field.part.tree.nodes):
            first, edges = field.bids.first[number], field.bids.edges[number]
            rows = np.tile(coming[number], (edges, 1))
            if node.seat == owner:
                pieces.append((rounded(field.average[owner][first : first + edges]) * coming[number]).ravel())
                rows = pieces[-1].reshape(edges, -1) > 0
            coming |= {edge.node: row for edge, row in zip(node.edges, rows, strict=True)}
    return b"".join(piece.astype("<u2").tobytes() for piece in pieces)


def rounded(table: Array) -> Array:
    """Columns in thousandths. Nothing stays nothing; what rounding leaves over goes to the largest."""
    total = table.sum(0)
    shares = table / np.where(total > 0, total, 1)
    shares = np.where(shares < SLIGHT, 0, shares)
    kept = shares.sum(0)
    whole = np.rint(WHOLE * shares / np.where(kept > 0, kept, 1))
    largest = whole.argmax(0)
    whole[largest, np.arange(whole.shape[1])] += np.where(total > 0, WHOLE - whole.sum(0), 0)
    return whole


def in_groups(root: Root, table: Array) -> Array:
    """The same for options, group by group."""
    out = np.zeros(len(table))
    for group in range(root.group.max() + 1):
        options = np.nonzero(root.group == group)[0]
        out[options] = rounded(root.play(table)[options][:, None])[:, 0]
    return out


def unpacked(stored: Play) -> Solver:
    """A solver with a stored play as its owner's average."""
    solver, owner = Solver(stored.shape), stored.shape.owner
    numbers = np.frombuffer(stored.stored, "<u2").astype(float)
    solver.average[owner] = numbers[: len(solver.roots[owner].group)]
    for field, places in zip(solver.fields, stored.places, strict=True):
        for number, place in places.items():
            first, edges = field.bids.first[number], field.bids.edges[number]
            rows = numbers[place : place + edges * field.labels[owner]]
            field.average[owner][first : first + edges] = rows.reshape(edges, -1)
    return solver


def certified(stored: Play) -> float:
    """What a stored play is sure of, by the best response to it."""
    return unpacked(stored).sure()


def rounds(words: Sequence[str], jokers: bool, quantity_first: bool) -> Iterator[Round]:
    """The rounds asked for, or all; by number first, all of up to four cards, which take 2.5 GB of memory."""
    sizes = [(opens, answers) for opens in range(1, FULL) for answers in range(1, FULL)]
    asked = words or [f"{opens}v{answers}" for opens, answers in sizes if not quantity_first or opens + answers <= 4]
    for word in asked:
        opens, _, answers = word.partition("v")
        yield Round(int(opens), int(answers), jokers, quantity_first)


def write(jokers: bool, quantity_first: bool, entries: dict[str, Entry], plays: dict[str, bytes]) -> None:
    """The archive with these plays put in, and those it had before."""
    path = TABLES / archive(jokers, quantity_first)
    old = index(jokers, quantity_first)
    if path.exists():
        with ZipFile(path) as before:
            plays = {key: before.read(key) for key in old} | plays
    entries = dict(sorted((old | entries).items()))
    path.parent.mkdir(exist_ok=True)
    aside = path.with_suffix(".new")  # who reads, or is interrupted, has the old archive or the new one, whole
    try:
        with ZipFile(aside, "w", ZIP_LZMA) as after:
            after.writestr(ZipInfo("index.json"), json.dumps({key: entry._asdict() for key, entry in entries.items()}))
            for key in entries:
                after.writestr(ZipInfo(key), plays[key], ZIP_LZMA)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    index.cache_clear()
    play.cache_clear()


def row(round: Round, certify: bool) -> str:
    """What both tables of a round are sure of: by the index, or by best responses to them."""
    word, entries = f"{round.opens}v{round.answers}", index(round.jokers, round.quantity_first)
    plays = [play(round, owner) for owner in (0, 1)]
    sure = [
        certified(stored) if certify else entries[name(round, owner)].sure
        for owner, stored in enumerate(plays)
        if stored is not None
    ]
    if len(sure) < len(plays):
        return f"{word}  has no tables for both"
    least, most = sure[0], 1 - sure[1]
    return f"{word}  {(least + most) / 2:15.4f}  {most - least:14.5f}  {least:.4f}  {most:.4f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m gramy.bots.gra.compute", description=__doc__.splitlines()[0])
    parser.add_argument("rounds", nargs="*", help="for example 3v2: the one who opens has three cards; default all")
    parser.add_argument("--jokers", action="store_true")
    parser.add_argument("--quantity-first", action="store_true")
    parser.add_argument("--most", type=int, default=1000, help="rounds of learning at most (1000)")
    parser.add_argument("--seat", choices=OWNERS, help="make the table of the one who opens, or answers, only")
    parser.add_argument("--certify", action="store_true", help="compute nothing, check what is stored")
    asked: Any = parser.parse_args(arguments)
    print("round  opener's chance  exploitability  least   most    seconds")
    for round in rounds(asked.rounds, asked.jokers, asked.quantity_first):
        began = time.process_time()
        if not asked.certify:
            entries, plays = {}, {}
            for owner in (0, 1) if asked.seat is None else (OWNERS.index(asked.seat),):
                solver = learnt(shape_of(round, owner), asked.most)
                key, stored = name(round, owner), packed(solver)
                sure = certified(Play(solver.shape, stored))
                shape = solver.shape
                entries[key] = Entry(*shape[2:7], solver.learnt, sure, shape.ones)
                plays[key] = stored
            write(asked.jokers, asked.quantity_first, entries, plays)
        print(row(round, asked.certify), f"{time.process_time() - began:9.1f}", flush=True)


if __name__ == "__main__":
    main()
