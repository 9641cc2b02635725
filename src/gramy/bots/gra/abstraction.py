"""The abstraction of a round between two players in which a seat's strategy is computed, as a list of subgames.

An opener that bids only on the highest values needs one subgame, as bids rise by value. With jokers it may also open
with a single one, which ends the jokers: a second subgame, with replies on any value. A responder needs one subgame for
openings on high values and one for openings on a low value. The low values are equivalent, as it replies to them with
high values or a check. With jokers it has a third, for openings on ones. If bids rise by quantity first, one subgame
has all values.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

from gramy.bots.gra.bid_tree import OPENER, ActionAbstraction, BidTree
from gramy.bots.gra.hand_abstraction import AbstractHand, HandAbstraction, ShownFaces
from gramy.games.gra.rules import VALUES

InfoSet: TypeAlias = tuple[AbstractHand, ShownFaces]
"""The private part of an information set. Together with the bids so far it is an information set."""


class TwoPlayerRound(NamedTuple):
    """The hand sizes of both seats, and the variants that change the bidding."""

    opener_cards: int
    responder_cards: int
    jokers: bool
    quantity_first: bool

    @property
    def cards_in_play(self) -> int:
        """The cards of both seats together."""
        return self.opener_cards + self.responder_cards


class Abstraction(NamedTuple):
    """The round, the seat whose strategy is computed, and what that strategy distinguishes."""

    round: TwoPlayerRound
    seat: int
    high_values: int  # it bids only on so many of the highest values
    max_number: int
    max_bids: int
    max_jump: int
    recall_size: int  # larger hands have imperfect recall: they forget the faces that they do not show ...
    max_number_after_one: int = 0  # the highest number after the own opening with a one; 0: no such opening
    recall_values: tuple[int, ...] = ()  # ... except for cards with these values
    kept: bytes | None = None  # which bids within the limits are in the tree (see `BidTree`); None: all

    @property
    def actions(self) -> ActionAbstraction:
        """The limits of the seat's bids."""
        values = tuple(range(VALUES + 1 - self.high_values, VALUES + 1))
        cards, order = self.round.cards_in_play, self.round.quantity_first
        return ActionAbstraction(
            self.seat, cards, order, values, self.max_number, self.max_bids, self.max_jump, self.kept
        )


class Subgame:
    """The biddings after openings on some values, with the values that hands are distinguished by.

    The first `common` of the values are distinguished in every subgame of an abstraction. A last one beyond them stands
    for any low value. The subgame then counts `multiplicity` times, once for each low value that may be opened on.
    """

    def __init__(
        self,
        abstraction: Abstraction,
        values: tuple[int, ...],
        common: int,
        openings: tuple[int, ...],
        jokers: bool,
        multiplicity: int = 1,
        replies: tuple[int, ...] = (),
    ) -> None:
        self.values, self.common, self.jokers, self.multiplicity = values, common, jokers, multiplicity
        limits, round = abstraction.actions, abstraction.round
        if replies:
            limits = limits._replace(max_number=abstraction.max_number_after_one)
        self.tree = BidTree(limits, openings, replies)
        self.hands = HandAbstraction(values, round.opener_cards), HandAbstraction(values, round.responder_cards)
        self.perfect_recall = tuple(hands.size <= abstraction.recall_size for hands in self.hands)
        self.recalled = tuple(
            self.common_values if perfect else abstraction.recall_values for perfect in self.perfect_recall
        )
        """The values by which the information sets of each seat distinguish hands."""

    @property
    def common_values(self) -> tuple[int, ...]:
        """The values that are distinguished in every subgame of an abstraction."""
        return self.values[: self.common]

    def hits(self, seat: int, value: int) -> list[int]:
        """Return how many faces count for a value, in each private state of a seat."""
        if value not in self.values:
            return [0] * len(self.hands[seat].private_states)
        at, jokers = self.values.index(value), self.jokers and value != 1
        return [shown[at] + (shown[0] if jokers else 0) for _, shown in self.hands[seat].private_states]

    @cached_property
    def info_sets(self) -> tuple[dict[InfoSet, int], dict[InfoSet, int]]:
        """The index of each information set, for each seat."""
        first, second = (sorted(set(self.info_sets_of_states(seat))) for seat in (0, 1))
        return {key: at for at, key in enumerate(first)}, {key: at for at, key in enumerate(second)}

    def info_sets_of_states(self, seat: int) -> list[InfoSet]:
        """Return the information set of each private state of a seat."""
        hands, recalled = self.hands[seat], self.recalled[seat]
        known = [hands.coarsen(hand, recalled) for hand in hands.hands]
        return [(known[hand], shown) for hand, shown in hands.private_states]

    def info_set(self, seat: int, hand: int, shown: ShownFaces) -> InfoSet:
        """Return the information set of a private state: what the seat recalls of its hand, and all that it shows."""
        hands = self.hands[seat]
        return hands.coarsen(hands.hands[hand], self.recalled[seat]), shown


@cache
def subgames(abstraction: Abstraction) -> tuple[Subgame, ...]:
    """Return the subgames of an abstraction, openings on the highest values first.

    In the values of a subgame ones come first if they are jokers, and a low value comes last.
    """
    ones = (1,) if abstraction.round.jokers else ()
    high = abstraction.actions.values
    values = tuple(dict.fromkeys((*ones, *high)))
    low = [value for value in range(1, VALUES + 1) if value not in values]
    with_low, common, jokers = (*values, *low[:1]), len(values), bool(ones)
    on_high = Subgame(abstraction, values, common, tuple(value for value in high if value not in ones), jokers)
    if abstraction.seat == OPENER and not abstraction.round.quantity_first:
        if not abstraction.max_number_after_one:
            return (on_high,)
        return on_high, Subgame(abstraction, with_low, common, ones, jokers=False, replies=tuple(sorted(with_low)))
    on_low = [Subgame(abstraction, with_low, common, (low[0],), jokers, multiplicity=len(low))] if low else []
    on_ones = [Subgame(abstraction, values, common, ones, jokers=False)] if ones else []
    return on_high, *on_low, *on_ones
