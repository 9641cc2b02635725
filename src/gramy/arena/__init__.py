"""The arena: compare bots on the same deals, in every seat, with statistics.

The results depend only on the seed. Any executor (`concurrent.futures.Executor`) may play the deals, in any order. They
are evaluated in the order of their numbers, and so is the decision to stop early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from itertools import chain
from statistics import fmean
from typing import NamedTuple, TypeAlias

from gramy.analysis import Accuracy
from gramy.arena.deals import BotFailed, MatchResult, Setting, play_deal, play_match
from gramy.arena.entrant import Entrant, parse_entrant
from gramy.arena.figures import ConfidenceInterval, Sprt, win_share
from gramy.arena.seating import arrange, parse_team
from gramy.contract import NOBODY
from gramy.parallel import in_order


class Standing(NamedTuple):
    """The results of one entrant or, in a co-operative game, of one team.

    `wins` is exact: a shared win counts in part. `share` is the share of wins of one of its seats. `fair` is what that
    share would be among equals, 0 in a co-operative game.
    """

    name: str
    matches: int
    wins: Fraction
    share: ConfidenceInterval
    fair: float


class Comparison(NamedTuple):
    """All results of a comparison, in the order of the deals.

    `who` below is the number of an entrant or, in a co-operative game, of a team (`Setting.names`). `accepted` is the
    share that a sequential test accepted. `accuracy` says how well each entrant decided, if asked.
    """

    setting: Setting
    results: tuple[MatchResult, ...]
    accepted: float | None = None
    accuracy: tuple[Accuracy, ...] = ()

    @property
    def deals(self) -> int:
        """The number of deals played."""
        return len(self.results) // len(self.setting.seatings)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The results of every entrant or team, in the order they were named."""
        return tuple(self._standing(who) for who in range(len(self.setting.names)))

    @property
    def endings(self) -> dict[str, int]:
        """The number of matches by ending, the most frequent first."""
        return dict(Counter(result.ending for result in self.results).most_common())

    @property
    def late(self) -> dict[str, int]:
        """The number of matches in which each bot exceeded the limit; bots that never did are left out."""
        seats = (result.seating[result.late] for result in self.results if result.late != NOBODY)
        return dict(Counter(self.setting.entrants[who].name for who in seats).most_common())

    @property
    def length(self) -> float:
        """The mean number of moves of a match."""
        return fmean(result.moves for result in self.results)

    @property
    def seats(self) -> tuple[float, ...]:
        """The share of matches that each seat won, over all entrants."""
        won = Counter(seat for result in self.results for seat in result.winners)
        return tuple(won[seat] / len(self.results) for seat in range(len(self.setting.seatings[0])))

    def scores(self, who: int) -> tuple[float, ...]:
        """Return the share of wins in each deal."""
        return self._scores(who, self.setting.places(who), self.setting.parts(who))

    def against(self, one: int, other: int) -> ConfidenceInterval | None:
        """Return the share of wins of one entrant in matches between these two only; None if there are none."""
        seatings = self.setting.seatings
        places = [place for place, seating in enumerate(seatings) if set(seating) == {one, other}]
        if not places:
            return None
        parts = sum(seatings[place].count(one) for place in places)
        return win_share(self._scores(one, places, parts), parts)

    def _scores(self, who: int, places: Sequence[int], parts: int) -> tuple[float, ...]:
        size = len(self.setting.seatings)
        firsts = range(0, len(self.results), size)
        won = ([_won(self.results[first + place], self.setting, who) for place in places] for first in firsts)
        return tuple(float(sum(deal) / parts) for deal in won)

    def _standing(self, who: int) -> Standing:
        setting = self.setting
        places, parts, size = setting.places(who), setting.parts(who), len(setting.seatings)
        wins = sum(_won(result, setting, who) for place in places for result in self.results[place::size])
        fair = 0 if setting.cooperative else 1 / len(setting.seatings[0])
        share = win_share(self._scores(who, places, parts), parts)
        return Standing(setting.names[who], len(places) * self.deals, Fraction(wins), share, fair)


def _won(result: MatchResult, setting: Setting, who: int) -> int | Fraction:
    """Return what an entrant, or the team that played this match, won in it; the winners of a match share a win."""
    if setting.cooperative or not result.winners:
        return int(bool(result.winners))
    return Fraction(sum(result.seating[seat] == who for seat in result.winners), len(result.winners))


class Interrupted(KeyboardInterrupt):
    """A comparison was interrupted; `comparison` has the deals that were played."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__()
        self.comparison = comparison


def compare(
    setting: Setting,
    deals: int,
    executor: Executor,
    *,
    test: Sprt | None = None,
    progress: Callable[[int], object] = lambda deals: None,
    known: Sequence[tuple[MatchResult, ...]] = (),
    keep: Keep | None = None,
    records: bool = False,
) -> Comparison:
    """Play a number of deals and return the results; stop early once the test of the first entrant is decided.

    `known` are the results of the first deals, which are not played again. `keep` is called with the results of every
    other deal, in order; with `records` they have the record of each match. Raises Interrupted after Ctrl-C.
    """
    results: list[MatchResult] = []
    scores: list[float] = []
    played = in_order(executor, partial(play_deal, setting, records), range(len(known), deals))
    try:
        for deal in chain(known[:deals], map(partial(_kept, keep), played)):
            results += deal
            progress(1)
            scores += Comparison(setting, deal).scores(0) if test else ()
            if test and (accepted := test.decided(scores, setting.parts(0))) is not None:
                return Comparison(setting, tuple(results), accepted)
    except KeyboardInterrupt:
        raise Interrupted(Comparison(setting, tuple(results))) from None
    return Comparison(setting, tuple(results))


Keep: TypeAlias = Callable[[tuple[MatchResult, ...]], object]
"""Takes the results of a deal, to store them."""


def _kept(keep: Keep | None, deal: tuple[MatchResult, ...]) -> tuple[MatchResult, ...]:
    """Store the results of a deal and return them without the records, which would fill the memory."""
    if keep is None:
        return deal
    keep(deal)
    return tuple(result._replace(record="") for result in deal)


__all__ = [
    "BotFailed",
    "Comparison",
    "ConfidenceInterval",
    "Entrant",
    "Interrupted",
    "MatchResult",
    "Setting",
    "Sprt",
    "Standing",
    "arrange",
    "compare",
    "parse_entrant",
    "parse_team",
    "play_match",
]
