"""The arena: bots against bots, the same deals in every seat, and what may be concluded from it.

Results follow from the seed alone: whichever executor plays the deals (`concurrent.futures.Executor`), in whatever
order they finish, they are read in their own order, and so is the decision to stop early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import combinations, groupby
from statistics import fmean
from typing import NamedTuple

from gramy.analysis import Care
from gramy.arena.bout import BotFailed, Played, Setting, play_deal, play_match
from gramy.arena.entrant import Entrant, entrant, mind
from gramy.arena.figures import Estimate, Sprt, share
from gramy.contract import BadOptions, Game, Message, choices, format_options
from gramy.parallel import in_order


class Standing(NamedTuple):
    """One entrant's figures: matches that it took part in, wins (shared ones in part), the share of wins of a seat of
    its, and what that share would be among equals (0 where all win or lose together)."""

    name: str
    matches: int
    wins: float
    share: Estimate
    fair: float


class Comparison(NamedTuple):
    """All results of a comparison, in the order of deals. `accepted` is the share that ended a sequential test; `care`
    is how well each entrant decided, where that was looked at."""

    setting: Setting
    results: tuple[Played, ...]
    accepted: float | None = None
    care: tuple[Care, ...] = ()

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.results) // len(self.setting.seatings)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The figures of every entrant, in the order they were named."""
        return tuple(self._standing(who) for who in range(len(self.setting.entrants)))

    @property
    def endings(self) -> dict[str, int]:
        """How often the matches ended in which way, the most frequent first."""
        return dict(Counter(played.ending for played in self.results).most_common())

    @property
    def length(self) -> float:
        """The moves of a match, on average."""
        return fmean(played.moves for played in self.results)

    @property
    def seats(self) -> tuple[float, ...]:
        """How often each seat won, whoever sat there."""
        won = Counter(seat for played in self.results for seat in played.winners)
        return tuple(won[seat] / len(self.results) for seat in range(len(self.setting.seatings[0])))

    def scores(self, who: int) -> tuple[float, ...]:
        """The entrant's share of wins in each deal."""
        blocks = (list(block) for _, block in groupby(self.results, lambda played: played.deal))
        return tuple(score(block, who, self.setting.cooperative) for block in blocks)

    def against(self, one: int, other: int) -> Estimate | None:
        """The one's share of wins in the matches that only these two played, None where there are none."""
        pair = {one, other}
        among = [played for played in self.results if set(played.seating) == pair]
        blocks = [list(block) for _, block in groupby(among, lambda played: played.deal)]
        scores = [score(block, one, self.setting.cooperative) for block in blocks]
        return share(scores, sum(played.seating.count(one) for played in blocks[0])) if scores else None

    def _standing(self, who: int) -> Standing:
        setting = self.setting
        scores, parts = self.scores(who), setting.parts(who)
        matches = sum(who in seating for seating in setting.seatings) * self.deals
        fair = 0 if setting.cooperative else 1 / len(setting.seatings[0])
        return Standing(setting.entrants[who].name, matches, sum(scores) * parts, share(scores, parts), fair)


def score(block: Sequence[Played], who: int, alike: bool) -> float:
    """The share of wins of the entrant's seats in the matches of one deal; winners of one match share its win."""
    seats = won = 0.0
    for played in block:
        for seat, sitting in enumerate(played.seating):
            if sitting == who:
                seats += 1
                won += (seat in played.winners) / (1 if alike else len(played.winners) or 1)
    return won / seats


def arrange(
    game: Game, bots: Sequence[Entrant], seed: int = 0, *, players: int | None = None, talk: bool = True
) -> Setting:
    """Who sits where. Where all win together each bot plays in every seat of its own team. Otherwise as many as there
    are seats sit down together, in every rotation; if there are more bots, every selection of them; if there are fewer,
    the last takes the seats that are left."""
    allowed = choices(type(game.options))["players"]
    if players is None:
        alone = game.rules.COOPERATIVE or len(bots) < 2
        players = game.players if alone else max(number for number in allowed if number <= len(bots))
    options = format_options(game.options) | {"players": str(players)}
    everybody = tuple(dict.fromkeys(bots))
    if not everybody:
        raise BadOptions(Message("no_bots", {}, "arena"))
    for bot in everybody:
        mind(game.name, bot)  # says here, and not in some process, which one there is not
    if game.rules.COOPERATIVE:
        seatings = [(who,) * players for who in range(len(everybody))]
    else:
        seats = [everybody.index(bot) for bot in bots]
        seats += seats[-1:] * (players - len(seats))
        tables = combinations(seats, players)
        seatings = [table[turn:] + table[:turn] for table in tables for turn in range(players)]
    return Setting(game.name, options, everybody, tuple(dict.fromkeys(seatings)), seed, talk)


def compare(
    setting: Setting,
    deals: int,
    executor: Executor,
    *,
    test: Sprt | None = None,
    progress: Callable[[int], object] = lambda deals: None,
) -> Comparison:
    """Play so many deals, or fewer where the test of the first entrant is decided sooner."""
    results: list[Played] = []
    scores: list[float] = []
    for block in in_order(executor, partial(play_deal, setting), range(deals)):
        results += block
        scores.append(score(block, 0, setting.cooperative))
        progress(1)
        if test is not None and (accepted := test.decided(scores, setting.parts(0))) is not None:
            return Comparison(setting, tuple(results), accepted)
    return Comparison(setting, tuple(results))


__all__ = [
    "BotFailed",
    "Comparison",
    "Entrant",
    "Estimate",
    "Played",
    "Setting",
    "Sprt",
    "Standing",
    "arrange",
    "compare",
    "entrant",
    "play_match",
]
