"""Play one deal with every seating: the unit that all statistics of the arena are computed over.

The cards of a deal depend only on the seed and the number of the deal. The random generator of a seat depends only on
these and the seat. So the same deal can be played again exactly, in any process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gramy import cards, record
from gramy.arena.bot_process import BotRaised, LimitedPlayers, OutOfTime
from gramy.arena.entrant import Entrant, own_traceback
from gramy.arena.players import LocalPlayers, Players
from gramy.bots.protocol import keenest
from gramy.contract import NOBODY, Game, State
from gramy.errors import GramyError
from gramy.matches import Match
from gramy.messages import Message

OUT_OF_TIME = "out_of_time"
"""The ending of a match in which a bot exceeded the limit."""


class Setting(NamedTuple):
    """Everything that the results depend on. A seating lists the entrant in each seat, by number.

    `limit` is the time in seconds that a bot may take for one move, or for what it says; None for no limit.
    """

    game: Game
    entrants: tuple[Entrant, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int
    talk: bool
    limit: float | None = None

    @property
    def cooperative(self) -> bool:
        """Whether all seats win or lose together."""
        return self.game.rules.COOPERATIVE

    @property
    def rated(self) -> bool:
        """Whether the entrants get ratings: three or more that compete."""
        return len(self.entrants) > 2 and not self.cooperative

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The teams of a co-operative game: the entrants of each, sorted, in the order of the seatings."""
        return tuple(dict.fromkeys(tuple(sorted(seating)) for seating in self.seatings))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what is compared: the entrants or, in a co-operative game, the teams."""
        if not self.cooperative:
            return tuple(entrant.name for entrant in self.entrants)
        first = {tuple(sorted(seating)): seating for seating in reversed(self.seatings)}
        return tuple(self._team_name(first[team]) for team in self.teams)

    def _team_name(self, seating: tuple[int, ...]) -> str:
        members = seating[:1] if len(set(seating)) == 1 else seating
        return ",".join(self.entrants[who].name for who in members)

    def places(self, who: int) -> tuple[int, ...]:
        """Return the numbers of the seatings in which an entrant, or a team, plays."""
        if self.cooperative:
            team = self.teams[who]
            return tuple(place for place, seating in enumerate(self.seatings) if tuple(sorted(seating)) == team)
        return tuple(place for place, seating in enumerate(self.seatings) if who in seating)

    def parts(self, who: int) -> int:
        """Return how many results the score of an entrant or team in one deal averages: its seats, or its matches."""
        places = self.places(who)
        return len(places) if self.cooperative else sum(self.seatings[place].count(who) for place in places)


class MatchResult(NamedTuple):
    """The result of one match: its deal, the entrant in each seat, the seats that won, the ending, and its length.

    `late` is the seat that exceeded the limit, or NOBODY. `record` is the match as a record, if it was asked for.
    """

    deal: int
    seating: tuple[int, ...]
    winners: tuple[int, ...]
    ending: str
    moves: int
    late: int = NOBODY
    record: str = ""


class BotFailed(GramyError):
    """A bot raised an error or made an illegal move. The comparison stops, because its results would mean nothing.

    A note of the exception has the bot's own traceback.
    """


class DuplicateDealer:
    """A dealer whose decks are shuffled beforehand, so that the next card does not depend on who draws or how many.

    Each seat has a deck of its own. When a seat's pool contains a card that its deck no longer has, the dealer shuffles
    a new deck.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._left: dict[int, int] = {}
        self._order: dict[int, list[int]] = {}
        self._shuffles: dict[int, int] = {}

    def __call__(self, game: Game, state: State) -> int:
        receiver = game.rules.receiver(state)
        pool, number = game.rules.deal_pool(state)
        if pool & ~self._left.get(receiver, 0):
            times = self._shuffles[receiver] = self._shuffles.get(receiver, 0) + 1
            order = list(range(64))
            random.Random(f"{self._seed} deck {receiver} {times}").shuffle(order)
            self._order[receiver] = order
        picked = cards.from_positions([bit for bit in self._order[receiver] if pool >> bit & 1][:number])
        self._left[receiver] = pool & ~picked
        return picked


def play_deal(setting: Setting, records: bool, deal: int) -> tuple[MatchResult, ...]:
    """Play a deal once for every seating, and return the results, if asked with the record of each match."""
    return tuple(_play_seating(setting, records, deal, seating) for seating in setting.seatings)


def _play_seating(setting: Setting, records: bool, deal: int, seating: tuple[int, ...]) -> MatchResult:
    match, late = _play(setting, deal, seating)
    moves = sum(entry.seat < match.game.players and not entry.text.startswith("say ") for entry in match.log)
    text = record.format(match) if records else ""
    if late != NOBODY:
        winners = () if setting.cooperative else tuple(seat for seat in range(len(seating)) if seat != late)
        return MatchResult(deal, seating, winners, OUT_OF_TIME, moves, late, text)
    assert match.outcome is not None
    return MatchResult(deal, seating, match.outcome.winners, match.outcome.key, moves, NOBODY, text)


def play_match(setting: Setting, deal: int, seating: tuple[int, ...]) -> Match:
    """Play the match of a deal with this seating, and return it; it is unfinished if a bot exceeded the limit."""
    return _play(setting, deal, seating)[0]


def _play(setting: Setting, deal: int, seating: tuple[int, ...]) -> tuple[Match, int]:
    """Play a match and return it, with the seat that exceeded the limit or NOBODY."""
    game, seed = setting.game, f"{setting.seed} {deal}"
    entrants = [setting.entrants[who] for who in seating]
    match = Match(game, DuplicateDealer(seed), [entrant.name for entrant in entrants])
    seeds = [f"{seed} seat {seat}" for seat in range(game.players)]
    players: Players
    if setting.limit is None:
        players = LocalPlayers(game.name, entrants, seeds)
    else:
        players = LimitedPlayers(game, entrants, seeds, setting.limit)
    talking = setting.talk and bool(game.phrases())
    try:
        while match.to_act:
            for seat in range(game.players) if talking else ():  # every bot may talk after every move
                with _blame(match.names[seat], deal):
                    for phrase in players.say(seat, match.view(seat), match.history(seat)):
                        match.say(phrase, seat)
            seat = _starter(match, players, deal, seed) if match.agreeing else match.to_act[0]
            with _blame(match.names[seat], deal):
                match.play(players.choose(seat, match.view(seat), match.history(seat)), seat)
    except OutOfTime as late:
        return match, late.seat
    return match, NOBODY


def _starter(match: Match, players: Players, deal: int, seed: str) -> int:
    """Return the seat whose bot wants the start most. Of equal ones the deal picks one, whoever sits there."""
    eagerness = {}
    for seat in match.to_act:
        with _blame(match.names[seat], deal):
            eagerness[seat] = players.eagerness(seat, match.view(seat), match.history(seat))
    return keenest(eagerness, random.Random(f"{seed} starter"))


@contextmanager
def _blame(bot: str, deal: int) -> Iterator[None]:
    """Attribute any exception in this block to the bot."""
    try:
        yield
    except OutOfTime:
        raise
    except GramyError as error:
        values = {"bot": bot, "deal": deal, "cause": error.message}
        raise BotFailed(Message("bot_refused", values, "arena")) from error
    except Exception as error:
        remote = error if isinstance(error, BotRaised) else None
        why = remote.why if remote else f"{type(error).__name__}: {error}"
        failed = BotFailed(Message("bot_failed", {"bot": bot, "deal": deal, "why": why}, "arena"))
        failed.add_note(remote.traceback if remote else own_traceback(error))
        raise failed from error
