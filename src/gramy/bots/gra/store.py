"""The tables of equilibrium play: an archive for each variant, and in it a file for each seat of each round.

A file is numbers of two bytes, shares in thousandths: first how often each option of showing faces is taken, then for
every part of the play and every moment in it, a row for each move with a number for each label. Nothing else is stored:
the shape, which the archive's index names, says what each number is about.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.resources import as_file, files
from typing import NamedTuple, TypeAlias
from zipfile import ZipFile

from gramy.bots.gra.shape import Label, Part, Round, Shape, parts
from gramy.bots.gra.sight import Shown
from gramy.bots.gra.tree import CHECK, Claim
from gramy.games.gra.rules import VALUES

WHOLE = 1000
OWNERS = ("opens", "answers")

Card: TypeAlias = tuple[int, int]


class Entry(NamedTuple):
    """What the index says of a file; `sure` is the chance to win the round that the play is sure of."""

    top: int
    most: int
    raises: int
    jump: int
    keen: int
    learnt: int
    sure: float
    ones: int = 0

    def shape(self, round: Round, owner: int) -> Shape:
        return Shape(round, owner, self.top, self.most, self.raises, self.jump, self.keen, self.ones)


class Play:
    """A seat's play of a round, as stored."""

    def __init__(self, shape: Shape, stored: bytes) -> None:
        self.shape, self.stored = shape, stored
        self.parts = parts(shape)

    def showing(self, cards: Sequence[Card]) -> dict[Shown, int]:
        """How often a hand shows what of the high values."""
        sight = self.parts[0].sights[self.shape.owner]
        hand = sight.number_of[sight.seen(cards)]
        return {
            shown: sum(self.option(first + at) for first in self.firsts)
            for at, (number, shown) in enumerate(sight.states)
            if number == hand
        }

    def moves(self, cards: Sequence[Card], faces: Sequence[int], said: tuple[Claim, ...]) -> dict[Claim, int]:
        """How often which move is made after these bids; nothing where the seat itself has left its play."""
        if said:
            return self._moves(*self.part(said), cards, faces, said)
        sight = self.parts[0].sights[0]
        state = sight.state_of[sight.number_of[sight.seen(cards)], sight.shown(faces)]
        return {
            move: share * often
            for at, first in enumerate(self.firsts)
            if (often := self.option(first + state))
            for move, share in self._moves(at, {}, cards, faces, said).items()
        }

    def _moves(
        self, at: int, names: dict[int, int], cards: Sequence[Card], faces: Sequence[int], said: tuple[Claim, ...]
    ) -> dict[Claim, int]:
        """The same in one part."""
        part, owner = self.parts[at], self.shape.owner
        cards, faces, said = renamed(names, cards, faces, said)
        node = part.tree.node_of.get(said)
        if node is None:
            return {CHECK: WHOLE} if said[:-1] in part.tree.node_of else {}
        sight = part.sights[owner]
        label = part.labels[owner][part.label(owner, sight.number_of[sight.seen(cards)], sight.shown(faces))]
        if not self.taken[at][label]:
            return {}
        edges = part.tree.nodes[node].edges
        moves = {edge.move: self.share(at, node, row, label) for row, edge in enumerate(edges)}
        return moves if any(moves.values()) else {}

    def option(self, at: int) -> int:
        """How often an option of showing faces is taken."""
        return self.stored[2 * at] | self.stored[2 * at + 1] << 8

    def share(self, at: int, node: int, row: int, label: int) -> int:
        """How often a move is made: the part, the moment in it, which move, and by which label."""
        return self.option(self.places[at][node] + row * len(self.parts[at].labels[self.shape.owner]) + label)

    def part(self, said: tuple[Claim, ...], value: int = 0) -> tuple[int, dict[int, int]]:
        """The part that bids lead to, if the next is on a value (0: any high one), and which values change their names
        in it: low values all look like one."""
        opening, *more = [about for _, about in said] or [value]
        for at, part in enumerate(self.parts):
            if opening in part.tree.openings or not opening:
                reply = more[0] if more else value if said else 0
                return at, alike(reply, part) if part.tree.replies and reply > 1 else {}
        for at, part in enumerate(self.parts):
            if part.times > 1:
                return at, alike(opening, part)
        return 0, {}

    def next_values(self, said: tuple[Claim, ...]) -> Sequence[int]:
        """The values that the other seat has to look at one by one for its next bid, as low ones look alike; 0 if all
        can be looked at together."""
        at, _ = self.part(said)
        apart = self.parts[at].tree.replies and len(said) == 1
        return range(1, VALUES + 1) if apart or not said else (0,)

    @property
    def firsts(self) -> list[int]:
        """Where the options of showing faces begin: the one who opens picks what to show together with the part."""
        parts = len(self.parts) if self.shape.owner == 0 else 1
        return [at * len(self.parts[0].sights[self.shape.owner].states) for at in range(parts)]

    @cached_property
    def taken(self) -> list[list[bool]]:
        """Part by part, which labels come of what is ever shown."""
        return [[any(self.option(option) for option in options) for options in part] for part in options_of(self.shape)]

    @cached_property
    def places(self) -> list[dict[int, int]]:
        """Where the rows of each moment begin, part by part."""
        owner = self.shape.owner
        at = len(self.firsts) * len(self.parts[0].sights[owner].states)
        places = []
        for part in self.parts:
            found = {}
            for number, node in enumerate(part.tree.nodes):
                if node.seat == owner:
                    found[number] = at
                    at += len(node.edges) * len(part.labels[owner])
            places.append(found)
        return places


@cache
def options_of(shape: Shape) -> list[list[list[int]]]:
    """Part by part, the options of showing faces that each label comes of."""
    owner, found = shape.owner, []
    first = parts(shape)[0].sights[owner]
    for at, part in enumerate(parts(shape)):
        options: dict[Label, list[int]] = defaultdict(list)
        for option, (hand, shown) in enumerate(first.states, at * len(first.states) if owner == 0 else 0):
            options[first.without(first.hands[hand], part.keen[owner]), shown].append(option)
        found.append([options[hand, shown[: part.high]] for hand, shown in part.labels[owner]])
    return found


def alike(value: int, part: Part) -> dict[int, int]:
    """The names of values in a part where a low one stands for all: it changes places with the one that is meant."""
    if value in part.values[: part.high]:
        return {}
    return {value: part.values[-1], part.values[-1]: value}


def renamed(
    names: dict[int, int], cards: Sequence[Card], faces: Sequence[int], said: tuple[Claim, ...]
) -> tuple[list[Card], list[int], tuple[Claim, ...]]:
    """Cards, faces and bids with other names for some values."""
    both = [sorted(names.get(face, face) for face in card) for card in cards]
    return (
        [(low, high) for low, high in both],
        [names.get(face, face) for face in faces],
        tuple((number, names.get(value, value)) for number, value in said),
    )


def name(round: Round, owner: int) -> str:
    return f"{round.opens}v{round.answers} {OWNERS[owner]}"


def archive(jokers: bool, quantity_first: bool) -> str:
    """The name of a variant's archive."""
    return ("quantity" if quantity_first else "value") + "_first" + ("_jokers" if jokers else "") + ".zip"


@cache
def index(jokers: bool, quantity_first: bool) -> dict[str, Entry]:
    """What there is for a variant."""
    found = files(__package__).joinpath("tables", archive(jokers, quantity_first))
    if not found.is_file():
        return {}
    with as_file(found) as path, ZipFile(path) as packed:
        return {key: Entry(**entry) for key, entry in json.loads(packed.read("index.json")).items()}


def opener_wins(round: Round) -> float:
    """The opener's chance to win a round, if both play by their tables; even, if there are none."""
    entries = index(round.jokers, round.quantity_first)
    opens, answers = (entries.get(name(round, owner)) for owner in (0, 1))
    return (opens.sure + 1 - answers.sure) / 2 if opens and answers else 0.5


@cache
def play(round: Round, owner: int) -> Play | None:
    """The play of a seat of a round, if there is a table for it."""
    key = name(round, owner)
    entry = index(round.jokers, round.quantity_first).get(key)
    if entry is None:
        return None
    found = files(__package__).joinpath("tables", archive(round.jokers, round.quantity_first))
    with as_file(found) as path, ZipFile(path) as packed:
        return Play(entry.shape(round, owner), packed.read(key))
