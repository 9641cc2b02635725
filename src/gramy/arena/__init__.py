"""The arena: compare bots on the same deals, in every seat, with statistics.

The results depend only on the seed. Any executor (`concurrent.futures.Executor`) may play the deals, in any order. They
are evaluated in the order of their numbers, and so is the decision to stop early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import combinations, groupby
from statistics import fmean
from typing import NamedTuple

from gramy import games
from gramy.analysis import Accuracy
from gramy.arena.deals import BotFailed, MatchResult, Setting, play_deal, play_match
from gramy.arena.entrant import Entrant, load_bot, parse_entrant
from gramy.arena.figures import ConfidenceInterval, Sprt, win_share
from gramy.contract import Game
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.options import choices, format_options
from gramy.parallel import in_order


class Standing(NamedTuple):
    """The results of one entrant.

    `wins` counts a shared win in part. `share` is the share of wins of one of its seats. `fair` is what that share
    would be among equals, 0 in a co-operative game.
    """

    name: str
    matches: int
    wins: float
    share: ConfidenceInterval
    fair: float


class Comparison(NamedTuple):
    """All results of a comparison, in the order of the deals.

    `accepted` is the share that a sequential test accepted. `accuracy` says how well each entrant decided, if asked.
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
        """The results of every entrant, in the order they were named."""
        return tuple(self._standing(who) for who in range(len(self.setting.entrants)))

    @property
    def endings(self) -> dict[str, int]:
        """The number of matches by ending, the most frequent first."""
        return dict(Counter(result.ending for result in self.results).most_common())

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
        """Return an entrant's share of wins in each deal."""
        return _scores(self.results, who, self.setting.cooperative)

    def against(self, one: int, other: int) -> ConfidenceInterval | None:
        """Return the share of wins of one entrant in matches between these two only; None if there are none."""
        results = [result for result in self.results if set(result.seating) == {one, other}]
        if not results:
            return None
        parts = sum(result.seating.count(one) for result in results if result.deal == results[0].deal)
        return win_share(_scores(results, one, self.setting.cooperative), parts)

    def _standing(self, who: int) -> Standing:
        setting = self.setting
        scores, parts = self.scores(who), setting.parts(who)
        matches = sum(who in seating for seating in setting.seatings) * self.deals
        fair = 0 if setting.cooperative else 1 / len(setting.seatings[0])
        return Standing(setting.entrants[who].name, matches, sum(scores) * parts, win_share(scores, parts), fair)


def _scores(results: Sequence[MatchResult], who: int, cooperative: bool) -> tuple[float, ...]:
    by_deal = (list(block) for _, block in groupby(results, lambda result: result.deal))
    return tuple(_score(block, who, cooperative) for block in by_deal)


def _score(deal: Sequence[MatchResult], who: int, cooperative: bool) -> float:
    """Return the share of wins of an entrant's seats in the matches of one deal; the winners of a match share a win."""
    seats = won = 0.0
    for result in deal:
        for seat, sitting in enumerate(result.seating):
            if sitting == who:
                seats += 1
                won += (seat in result.winners) / (1 if cooperative else len(result.winners) or 1)
    return won / seats


def arrange(
    game: Game, bots: Sequence[Entrant], seed: int = 0, *, players: int | None = None, talk: bool = True
) -> Setting:
    """Return the setting of a comparison: which bots sit where.

    In a co-operative game each bot plays all seats of its own team. Otherwise as many bots as there are seats play
    together, in every rotation. With more bots than seats every selection of them plays; with fewer, the last bot takes
    the remaining seats.
    """
    allowed = choices(type(game.options))["players"]
    if players is None:
        alone = game.rules.COOPERATIVE or len(bots) < 2
        players = game.players if alone else max(number for number in allowed if number <= len(bots))
    game = games.game(game.name, format_options(game.options) | {"players": str(players)})
    entrants = tuple(dict.fromkeys(bots))
    if not entrants:
        raise BadOptions(Message("no_bots", {}, "arena"))
    for entrant in entrants:
        load_bot(game.name, entrant)  # raises an error here, not in another process, if there is no such bot
    if game.rules.COOPERATIVE:
        seatings = [(who,) * players for who in range(len(entrants))]
    else:
        seats = [entrants.index(bot) for bot in bots]
        seats += seats[-1:] * (players - len(seats))
        tables = combinations(seats, players)
        seatings = [table[turn:] + table[:turn] for table in tables for turn in range(players)]
    return Setting(game, entrants, tuple(dict.fromkeys(seatings)), seed, talk)


def compare(
    setting: Setting,
    deals: int,
    executor: Executor,
    *,
    test: Sprt | None = None,
    progress: Callable[[int], object] = lambda deals: None,
) -> Comparison:
    """Play a number of deals and return the results; stop early once the test of the first entrant is decided."""
    results: list[MatchResult] = []
    scores: list[float] = []
    for deal in in_order(executor, partial(play_deal, setting), range(deals)):
        results += deal
        scores.append(_score(deal, 0, setting.cooperative))
        progress(1)
        if test is not None and (accepted := test.decided(scores, setting.parts(0))) is not None:
            return Comparison(setting, tuple(results), accepted)
    return Comparison(setting, tuple(results))


__all__ = [
    "BotFailed",
    "Comparison",
    "ConfidenceInterval",
    "Entrant",
    "MatchResult",
    "Setting",
    "Sprt",
    "Standing",
    "arrange",
    "compare",
    "parse_entrant",
    "play_match",
]
