"""Who sits where: the seatings of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from math import factorial, prod

from gramy import games
from gramy.arena.deals import Setting
from gramy.arena.entrant import BUDGET, Entrant, load_bot, parse_entrant
from gramy.contract import Game
from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.options import choices, format_options

MOST_ORDERS = 24
"""A team with more orders than this plays only its rotations, in which each bot sits once in each seat."""


def parse_team(spec: str, budget: float = BUDGET) -> tuple[Entrant, ...]:
    """Return the entrants of a team such as `expert,easy:50ms`; raises BadOptions."""
    return tuple(parse_entrant(word, budget) for word in spec.split(","))


def arrange(
    game: Game,
    bots: Sequence[Entrant],
    seed: int = 0,
    *,
    teams: Sequence[Sequence[Entrant]] = (),
    players: int | None = None,
    talk: bool = True,
    limit: float | None = None,
) -> Setting:
    """Return the setting of a comparison: which bots sit where.

    In a co-operative game each bot plays all seats of its own team, and each of `teams` plays in every order of its
    seats. Otherwise as many bots as there are seats play together, in every rotation. With more bots than seats every
    selection of them plays. With fewer, the last bot takes the remaining seats, in a team as well.
    """
    if teams and not game.rules.COOPERATIVE:
        raise BadOptions(Message("no_teams", {"game": game.name}, "arena"))
    game = _with_players(game, players or _players(game, bots, teams))
    entrants = tuple(dict.fromkeys([*bots, *(bot for team in teams for bot in team)]))
    if not entrants:
        raise BadOptions(Message("no_bots", {}, "arena"))
    for entrant in entrants:
        load_bot(game.name, entrant)  # raises an error here, not in another process, if there is no such bot
    if game.rules.COOPERATIVE:
        seatings = [
            order
            for team in [*([bot] for bot in bots), *teams]
            for order in seat_orders(_filled([entrants.index(bot) for bot in team], game.players))
        ]
    else:
        tables = combinations(_filled([entrants.index(bot) for bot in bots], game.players, many=True), game.players)
        seatings = [order for table in tables for order in rotations(table)]
    return Setting(game, entrants, tuple(dict.fromkeys(seatings)), seed, talk, limit)


def rotations(seating: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the seating with every entrant moved on by 0, 1, 2 ... seats."""
    return [seating[turn:] + seating[:turn] for turn in range(len(seating))]


def seat_orders(team: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every order of a team, each once; only the rotations if there are more than MOST_ORDERS."""
    orders = factorial(len(team)) // prod(map(factorial, Counter(team).values()))
    return list(dict.fromkeys(permutations(team) if orders <= MOST_ORDERS else rotations(team)))


def _filled(seats: list[int], players: int, many: bool = False) -> tuple[int, ...]:
    """Return the seats, the remaining ones taken by the last entrant; raises BadOptions if a team is too large."""
    if len(seats) > players and not many:
        raise BadOptions(Message("team_size", {"members": len(seats), "players": players}, "arena"))
    return (*seats, *seats[-1:] * (players - len(seats)))


def _players(game: Game, bots: Sequence[Entrant], teams: Sequence[Sequence[Entrant]]) -> int:
    """Return the number of seats: that of the largest team, or one for each bot where bots compete."""
    if teams:
        return max([2, *map(len, teams)])
    if game.rules.COOPERATIVE or len(bots) < 2:
        return game.players
    return max(int(number) for number in choices(type(game.options))["players"] if number <= len(bots))


def _with_players(game: Game, players: int) -> Game:
    return games.game(game.name, format_options(game.options) | {"players": str(players)})
