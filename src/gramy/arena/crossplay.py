"""Cross-play: how well each bot of a co-operative game plays with every other, on the same deals.

In the cell of a row and a column, one bot of the row plays in a team whose other bots are all of the column. With two
players the matrix is symmetric. Its diagonal is self-play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from gramy import bots
from gramy.arena import Comparison, Setting, arrange
from gramy.arena.entrant import Entrant, parse_entrant
from gramy.arena.figures import ConfidenceInterval, difference, win_share
from gramy.contract import Game
from gramy.errors import BadOptions
from gramy.messages import Message


class PartnerSummary(NamedTuple):
    """How a bot does with itself and with the others.

    `cross_play` is its mean over all other bots, and `gap` is self-play minus that, on the same deals. `worst` is the
    number of the bot with which it wins least, and `worst_share` how much it wins with it.
    """

    name: str
    self_play: ConfidenceInterval
    cross_play: ConfidenceInterval
    gap: ConfidenceInterval
    worst: int
    worst_share: ConfidenceInterval


def arrange_pairs(
    game: Game, entrants: Sequence[Entrant], seed: int = 0, *, talk: bool = True, limit: float | None = None
) -> Setting:
    """Return the setting in which one bot of every entrant joins a team of every entrant."""
    if not game.rules.COOPERATIVE:
        raise BadOptions(Message("no_teams", {"game": game.name}, "arena"))
    entrants = tuple(dict.fromkeys(entrants))
    if len(entrants) < 2:
        raise BadOptions(Message("no_partners", {}, "arena"))
    teams = [(one, *[other] * (game.players - 1)) for one in entrants for other in entrants if one != other]
    return arrange(game, entrants, seed, teams=teams, players=game.players, talk=talk, limit=limit)


def default_entrants(game: Game, budget: float) -> list[Entrant]:
    """Return every level and reference bot of a game, and its strongest level in every style of talk."""
    strongest = [level for level, by_game in bots.LEVELS.items() if game.name in by_game][-1:]
    speakers = [f"{level}+{style}" for level in strongest for style in bots.styles(game.name)]
    return [parse_entrant(spec, budget) for spec in [*bots.names(game.name), *speakers]]


class CrossPlay:
    """The matrix of a comparison that `arrange_pairs` arranged. Bots are numbered as in `names`."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.names = tuple(entrant.name for entrant in comparison.setting.entrants)

    @cached_property
    def scores(self) -> dict[tuple[int, int], tuple[float, ...]]:
        """The share of wins in each deal, by row and column."""
        by_team = {team: self.comparison.scores(at) for at, team in enumerate(self.comparison.setting.teams)}
        return {pair: by_team[self._team(*pair)] for pair in self._pairs}

    @cached_property
    def cells(self) -> dict[tuple[int, int], ConfidenceInterval]:
        """The share of wins, by row and column."""
        return {pair: win_share(scores, self._parts(*pair)) for pair, scores in self.scores.items()}

    @cached_property
    def summaries(self) -> tuple[PartnerSummary, ...]:
        """Self-play, cross-play and the worst partner of every bot."""
        return tuple(self._summary(one) for one in range(len(self.names)))

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        numbers = range(len(self.names))
        return [(one, other) for one in numbers for other in numbers]

    def _team(self, one: int, other: int) -> tuple[int, ...]:
        return tuple(sorted((one, *[other] * (self.comparison.setting.game.players - 1))))

    def _parts(self, one: int, other: int) -> int:
        setting = self.comparison.setting
        return setting.parts(setting.teams.index(self._team(one, other)))

    def _summary(self, one: int) -> PartnerSummary:
        others = [other for other in range(len(self.names)) if other != one]
        alone = self.scores[one, one]
        mixed = [fmean(deal) for deal in zip(*(self.scores[one, other] for other in others), strict=True)]
        parts = sum(self._parts(one, other) for other in others)
        worst = min(others, key=lambda other: self.cells[one, other].mean)
        return PartnerSummary(
            self.names[one],
            self.cells[one, one],
            win_share(mixed, parts),
            difference(alone, mixed),
            worst,
            self.cells[one, worst],
        )
