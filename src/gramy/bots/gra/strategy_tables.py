"""Stored equilibrium strategies for rounds between two players: an archive a variant, a file a seat of each round.

A file holds 16-bit little-endian weights. They are probabilities in thousandths: first of every choice of faces, then
for each subgame and node of the seat one row an action, with one weight an information set. The abstraction, which the
archive's index describes, determines what each weight belongs to. `training/gra` writes the archives.

The file of a pruned tree begins with the bits of the bids that are in the tree (see `BidTree`), and its rows are
sparse. Without the bits it is a `StrategyTable`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from gramy.bots.gra.abstraction import Abstraction, InfoSet, Subgame, TwoPlayerRound, subgames
from gramy.bots.gra.bid_tree import OPENER, Bids
from gramy.bots.gra.hand_abstraction import ShownFaces
from gramy.bots.gra.observation import CHECK, Action, Card
from gramy.bots.gra.sparse_rows import SparseRows
from gramy.games.gra.rules import VALUES

SCALE = 1000
"""The stored weight of probability 1."""

SEAT_NAMES = ("opens", "answers")
"""How the names of files call the opener and the responder."""

INDEX_KEYS = {
    "top": "high_values",
    "most": "max_number",
    "raises": "max_bids",
    "jump": "max_jump",
    "keen": "recall_size",
    "learnt": "iterations",
    "sure": "guaranteed",
    "ones": "max_number_after_one",
    "recalls": "recall_values",
    "pruned": "kept_size",
}
"""The keys of an index, and the fields of `TableEntry` that they stand for."""


class TableEntry(NamedTuple):
    """The description of a table in the index. `guaranteed` is the probability to win against a best response."""

    high_values: int
    max_number: int
    max_bids: int
    max_jump: int
    recall_size: int
    iterations: int
    guaranteed: float
    max_number_after_one: int = 0
    recall_values: tuple[int, ...] = ()
    kept_size: int = 0  # the table begins with so many bytes that say which bids are in the tree; 0: all bids are

    @classmethod
    def from_index(cls, stored: dict[str, Any]) -> TableEntry:
        """Return an entry as read from an index."""
        fields = {INDEX_KEYS[key]: value for key, value in stored.items()}
        return cls(**fields | {"recall_values": tuple(fields.get("recall_values", ()))})

    def to_index(self) -> dict[str, Any]:
        """Return the entry as it is written to an index. Tables without a pruned tree have no key for it."""
        found = {key: getattr(self, field) for key, field in INDEX_KEYS.items()}
        return {key: value for key, value in found.items() if value or key not in ("recalls", "pruned")}

    def table(self, round: TwoPlayerRound, seat: int, stored: bytes) -> StrategyTable:
        """Return a table as read from an archive."""
        abstraction = self._abstraction(round, seat)
        if not self.kept_size:
            return StrategyTable(abstraction, stored)
        return StrategyTable(abstraction._replace(kept=stored[: self.kept_size]), stored[self.kept_size :])

    def _abstraction(self, round: TwoPlayerRound, seat: int) -> Abstraction:
        """Return the abstraction in which the strategy was computed, without what the table says of it."""
        return Abstraction(
            round,
            seat,
            self.high_values,
            self.max_number,
            self.max_bids,
            self.max_jump,
            self.recall_size,
            self.max_number_after_one,
            self.recall_values,
        )


class StrategyTable:
    """The average strategy of a seat in a round, as stored."""

    def __init__(self, abstraction: Abstraction, stored: bytes) -> None:
        self.abstraction, self.stored = abstraction, stored
        self.subgames = subgames(abstraction)

    def face_weights(self, cards: Sequence[Card]) -> dict[ShownFaces, int]:
        """Return how often a hand shows each combination of the high values."""
        hands = self.subgames[0].hands[self.abstraction.seat]
        hand = hands.hand_index(cards)
        return {
            shown: sum(self.weight(offset + at) for offset in self.option_offsets)
            for at, (index, shown) in enumerate(hands.private_states)
            if index == hand
        }

    def action_weights(self, cards: Sequence[Card], faces: Sequence[int], bids: Bids) -> dict[Action, int]:
        """Return how often each action is taken after these bids; nothing if the seat itself has left its strategy."""
        if bids:
            return self._action_weights(*self.subgame_after(bids), cards, faces, bids)
        hands = self.subgames[0].hands[OPENER]
        state = hands.state_of[hands.hand_index(cards), hands.shown_faces(faces)]
        return {
            action: weight * option
            for at, offset in enumerate(self.option_offsets)
            if (option := self.weight(offset + state))
            for action, weight in self._action_weights(at, {}, cards, faces, bids).items()
        }

    def _action_weights(
        self, at: int, renaming: dict[int, int], cards: Sequence[Card], faces: Sequence[int], bids: Bids
    ) -> dict[Action, int]:
        """Return the same in one subgame."""
        subgame, seat = self.subgames[at], self.abstraction.seat
        cards, faces, bids = rename_values(renaming, cards, faces, bids)
        node = subgame.tree.node_of.get(bids)
        if node is None:
            return {CHECK: SCALE} if bids[:-1] in subgame.tree.node_of else {}
        hands = subgame.hands[seat]
        key = subgame.info_set(seat, hands.hand_index(cards), hands.shown_faces(faces))
        info_set = subgame.info_sets[seat][key]
        if not self.reached[at][info_set]:
            return {}
        edges = subgame.tree.nodes[node].edges
        weights = {
            edge.action: sum(weight for _, weight in self.action_weights_by_info_set(at, node, row, [info_set]))
            for row, edge in enumerate(edges)
        }
        return weights if any(weights.values()) else {}

    def weight(self, index: int) -> int:
        """Return a stored number. The first ones are the weights of the choices of faces."""
        return self.stored[2 * index] | self.stored[2 * index + 1] << 8

    def action_weights_by_info_set(
        self, at: int, node: int, row: int, info_sets: Iterable[int]
    ) -> list[tuple[int, int]]:
        """Return those of the information sets that take an action, each with its weight.

        The action is a row of a node of a subgame.
        """
        row += self.first_rows[at][node]
        if self.sparse_rows is not None:
            return self.sparse_rows.weights(row, info_sets)
        offset = self.row_offsets[at] + row * self._columns(at)
        return [(info_set, weight) for info_set in info_sets if (weight := self.weight(offset + info_set))]

    def _columns(self, at: int) -> int:
        """Return the number of information sets of the seat in a subgame."""
        return len(self.subgames[at].info_sets[self.abstraction.seat])

    def subgame_after(self, bids: Bids, next_value: int = 0) -> tuple[int, dict[int, int]]:
        """Return the index of the subgame that bids lead to, and the values to exchange in it.

        Low values are equivalent. The subgame has one of them, which changes places with the one that was bid.
        `next_value` is the value of the next bid, where that matters; 0 is any high one.
        """
        opening, *more = [value for _, value in bids] or [next_value]
        for at, subgame in enumerate(self.subgames):
            if opening in subgame.tree.openings or not opening:
                reply = more[0] if more else next_value if bids else 0
                return at, low_value_renaming(reply, subgame) if subgame.tree.replies and reply > 1 else {}
        for at, subgame in enumerate(self.subgames):
            if subgame.multiplicity > 1:
                return at, low_value_renaming(opening, subgame)
        return 0, {}

    def next_values(self, bids: Bids) -> Sequence[int]:
        """Return the values for which the other seat must evaluate its next bid one by one; only 0 if for all at once.

        They lead to different subgames, or to other values to exchange.
        """
        at, _ = self.subgame_after(bids)
        separate = self.subgames[at].tree.replies and len(bids) == 1
        return range(1, VALUES + 1) if separate or not bids else (0,)

    @property
    def option_offsets(self) -> list[int]:
        """Where the weights of the choices of faces begin: an opener chooses faces and subgame together."""
        choices = len(self.subgames) if self.abstraction.seat == OPENER else 1
        return [at * len(self.subgames[0].hands[self.abstraction.seat].private_states) for at in range(choices)]

    @cached_property
    def reached(self) -> list[list[bool]]:
        """For each subgame, which information sets follow from choices of faces that are ever made."""
        return [
            [any(self.weight(option) for option in options) for options in by_info_set]
            for by_info_set in options_by_info_set(self.abstraction)
        ]

    @cached_property
    def first_rows(self) -> list[dict[int, int]]:
        """For each subgame, the first row of each node of the seat. Rows are numbered within a subgame."""
        return [self._rows_of_nodes(subgame)[0] for subgame in self.subgames]

    @cached_property
    def row_offsets(self) -> list[int]:
        """For each subgame, where its rows begin."""
        offset, found = self._options, []
        for at, subgame in enumerate(self.subgames):
            found.append(offset)
            offset += self._rows_of_nodes(subgame)[1] * self._columns(at)
        return found

    @cached_property
    def sparse_rows(self) -> SparseRows | None:
        """The rows, if the tree is pruned. There is one subgame then."""
        if self.abstraction.kept is None:
            return None
        return SparseRows(self.stored, 2 * self._options, self._rows_of_nodes(self.subgames[0])[1], self._columns(0))

    @property
    def _options(self) -> int:
        """The number of choices of faces. Their weights come first."""
        return len(self.option_offsets) * len(self.subgames[0].hands[self.abstraction.seat].private_states)

    def _rows_of_nodes(self, subgame: Subgame) -> tuple[dict[int, int], int]:
        """Return the first row of each node of the seat, and the number of all rows."""
        found, rows = {}, 0
        for at, node in enumerate(subgame.tree.nodes):
            if node.seat == self.abstraction.seat:
                found[at] = rows
                rows += len(node.edges)
        return found, rows


@cache
def options_by_info_set(abstraction: Abstraction) -> list[list[list[int]]]:
    """Return for each subgame and information set the choices of faces that lead to it."""
    seat, found = abstraction.seat, []
    first = subgames(abstraction)[0].hands[seat]
    for at, subgame in enumerate(subgames(abstraction)):
        options: dict[InfoSet, list[int]] = defaultdict(list)
        known = [first.coarsen(hand, subgame.recalled[seat]) for hand in first.hands]
        for option, (hand, shown) in enumerate(first.private_states, at * len(first.private_states) * (seat == OPENER)):
            options[known[hand], shown].append(option)
        found.append([options[hand, shown[: subgame.common]] for hand, shown in subgame.info_sets[seat]])
    return found


def low_value_renaming(value: int, subgame: Subgame) -> dict[int, int]:
    """Return the exchange of a low value with the one that the subgame has for all of them."""
    if value in subgame.values[: subgame.common]:
        return {}
    return {value: subgame.values[-1], subgame.values[-1]: value}


def rename_values(
    renaming: dict[int, int], cards: Sequence[Card], faces: Sequence[int], bids: Bids
) -> tuple[list[Card], list[int], Bids]:
    """Return cards, faces and bids with some values exchanged."""
    pairs = [sorted(renaming.get(face, face) for face in card) for card in cards]
    return (
        [(low, high) for low, high in pairs],
        [renaming.get(face, face) for face in faces],
        tuple((number, renaming.get(value, value)) for number, value in bids),
    )


# --- archives ---------------------------------------------------------------------------------------------------------


def table_name(round: TwoPlayerRound, seat: int) -> str:
    """Return the name of a table in its archive, such as `3v2 opens`."""
    return f"{round.opener_cards}v{round.responder_cards} {SEAT_NAMES[seat]}"


def archive_name(jokers: bool, quantity_first: bool) -> str:
    """Return the file name of a variant's archive."""
    return ("quantity" if quantity_first else "value") + "_first" + ("_jokers" if jokers else "") + ".zip"


def read_index(archive: Path) -> dict[str, TableEntry]:
    """Return the index of an archive, by table name."""
    with ZipFile(archive) as packed:
        return {name: TableEntry.from_index(entry) for name, entry in json.loads(packed.read("index.json")).items()}


def read_table(archive: Path, round: TwoPlayerRound, seat: int) -> StrategyTable | None:
    """Return a table of an archive, or None if the archive does not have it."""
    name = table_name(round, seat)
    entry = read_index(archive).get(name)
    if entry is None:
        return None
    with ZipFile(archive) as packed:
        return entry.table(round, seat, packed.read(name))


@cache
def load_index(jokers: bool, quantity_first: bool) -> dict[str, TableEntry]:
    """Return the index of the variant's archive in this package; empty if there is none."""
    archive = files(__package__).joinpath("tables", archive_name(jokers, quantity_first))
    if not archive.is_file():
        return {}
    with as_file(archive) as path:
        return read_index(path)


@cache
def load_table(round: TwoPlayerRound, seat: int) -> StrategyTable | None:
    """Return the table of a seat in a round, if this package has one."""
    if table_name(round, seat) not in load_index(round.jokers, round.quantity_first):
        return None
    archive = files(__package__).joinpath("tables", archive_name(round.jokers, round.quantity_first))
    with as_file(archive) as path:
        return read_table(path, round, seat)
