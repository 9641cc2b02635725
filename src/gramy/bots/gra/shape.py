"""The shape of a seat's play in a round between two: what it tells apart, and which bids it has an answer to.

The one who opens, if he bids on the highest values only, never meets another one: bids rise by value. One *part* is
enough for him. With jokers he may also open with a single one, which ends the jokers: a second part, in which the other
seat may answer on any value. The one who answers needs a part for openings on high values, one for openings on each low
value (all alike, as he answers them with high values or a check), and with jokers one for openings on ones. With bids
that rise by number first, one part has all values.

Large hands of many values are too many to tell apart: they go by the faces that they show and forget the others.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

from gramy.bots.gra.sight import Hand, Shown, Sight
from gramy.bots.gra.tree import Plan, Tree
from gramy.games.gra.rules import VALUES

Label: TypeAlias = tuple[Hand, Shown]


class Round(NamedTuple):
    """Hand sizes of the one who opens and the one who answers, and the variants that matter."""

    opens: int
    answers: int
    jokers: bool
    quantity_first: bool

    @property
    def cards(self) -> int:
        return self.opens + self.answers


class Shape(NamedTuple):
    """A seat's play in a round as far as it is left to choice: `top` is how many of the highest values it bids on,
    `most` how many of a value, `raises` how often, `jump` by how much more than it must.
    Hands of more than `keen` cards forget the faces that they do not show. The opener may also open with a one, if
    `ones` is how many of a value he then goes on to bid, and not 0."""

    round: Round
    owner: int
    top: int
    most: int
    raises: int
    jump: int
    keen: int
    ones: int = 0

    @property
    def plan(self) -> Plan:
        values = tuple(range(VALUES + 1 - self.top, VALUES + 1))
        return Plan(self.owner, self.round.cards, self.round.quantity_first, values, self.most, self.raises, self.jump)


class Part:
    """What can follow openings on some values. `values` are told apart, the first `high` of them in every part; with a
    low one at their end, `times` values look alike. In answer to the opener's one `replies` may come; there each low
    value looks alike as well. `keen` is how many values each seat's play tells hands apart by."""

    def __init__(
        self,
        shape: Shape,
        values: tuple[int, ...],
        high: int,
        openings: tuple[int, ...],
        wild: bool,
        times: int,
        replies: tuple[int, ...] = (),
    ) -> None:
        self.values, self.high, self.wild, self.times = values, high, wild, times
        self.tree = Tree(shape.plan._replace(most=shape.ones) if replies else shape.plan, openings, replies)
        self.sights = (Sight(values, shape.round.opens), Sight(values, shape.round.answers))
        self.keen = tuple(high if sight.size <= shape.keen else 0 for sight in self.sights)

    def hits(self, seat: int, value: int) -> list[int]:
        """How many faces count for a value, for each state of a seat."""
        if value not in self.values:
            return [0] * len(self.sights[seat].states)
        at, wild = self.values.index(value), self.wild and value != 1
        return [shown[at] + (shown[0] if wild else 0) for _, shown in self.sights[seat].states]

    @cached_property
    def labels(self) -> tuple[dict[Label, int], dict[Label, int]]:
        """What each seat's play goes by, numbered."""
        first, second = (sorted({self.label(seat, *state) for state in self.sights[seat].states}) for seat in (0, 1))
        return {label: at for at, label in enumerate(first)}, {label: at for at, label in enumerate(second)}

    def label(self, seat: int, hand: int, shown: Shown) -> Label:
        """The hand as the high values tell it apart, and all that is shown: a seat forgets the faces of a low value
        that it has turned down."""
        sight = self.sights[seat]
        return sight.without(sight.hands[hand], self.keen[seat]), shown


@cache
def parts(shape: Shape) -> tuple[Part, ...]:
    """The parts of a play, openings on the highest values first. Ones come first among values, a low value last."""
    ones = (1,) if shape.round.jokers else ()
    high = shape.plan.values
    told = tuple(dict.fromkeys((*ones, *high)))
    first = Part(shape, told, len(told), tuple(value for value in high if value not in ones), bool(ones), 1)
    low = [value for value in range(1, VALUES + 1) if value not in told]
    if shape.owner == 0 and not shape.round.quantity_first:
        with_low = (*told, low[0])
        second = [Part(shape, with_low, len(told), ones, False, 1, tuple(sorted(with_low)))] if shape.ones else []
        return (first, *second)
    rest = [Part(shape, (*told, low[0]), len(told), (low[0],), bool(ones), len(low))] if low else []
    return (first, *rest, *(Part(shape, told, len(told), ones, False, 1) for _ in ones))
