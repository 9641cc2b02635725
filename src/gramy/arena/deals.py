"""Play one deal with every seating: the unit that all statistics of the arena are computed over.

The cards of a deal depend only on the seed and the number of the deal. The random generator of a seat depends only on
these and the seat. So the same deal can be played again exactly, in any process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gramy import cards
from gramy.arena.entrant import Entrant, load_bot
from gramy.contract import Game, State
from gramy.errors import GramyError
from gramy.matches import Match
from gramy.messages import Message


class Setting(NamedTuple):
    """Everything that the results depend on. A seating lists the entrant in each seat, by number."""

    game: Game
    entrants: tuple[Entrant, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int
    talk: bool

    @property
    def cooperative(self) -> bool:
        """Whether all seats win or lose together."""
        return self.game.rules.COOPERATIVE

    def parts(self, who: int) -> int:
        """Return how many results an entrant's score in one deal averages: its seats, or the matches of its team."""
        seats = [seating.count(who) for seating in self.seatings]
        return sum(map(bool, seats)) if self.cooperative else sum(seats)


class MatchResult(NamedTuple):
    """The result of one match: its deal, the entrant in each seat, the seats that won, the ending, and its length."""

    deal: int
    seating: tuple[int, ...]
    winners: tuple[int, ...]
    ending: str
    moves: int


class BotFailed(GramyError):
    """A bot raised an error or made an illegal move. The comparison stops, because its results would mean nothing."""


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


def play_deal(setting: Setting, deal: int) -> tuple[MatchResult, ...]:
    """Play a deal once for every seating, and return the results."""
    return tuple(_result(play_match(setting, deal, seating), deal, seating) for seating in setting.seatings)


def play_match(setting: Setting, deal: int, seating: tuple[int, ...]) -> Match:
    """Play the match of a deal with this seating, and return it."""
    game, seed = setting.game, f"{setting.seed} {deal}"
    match = Match(game, DuplicateDealer(seed), [setting.entrants[who].name for who in seating])
    players = [load_bot(game.name, setting.entrants[who]) for who in seating]
    rngs = [random.Random(f"{seed} seat {seat}") for seat in range(game.players)]
    talking = setting.talk and bool(game.phrases())
    while match.to_act:
        for seat in range(game.players) if talking else ():  # every bot may talk after every move
            with _blame(match.names[seat], deal):
                for phrase in players[seat].say(match.view(seat), match.history(seat), rngs[seat]):
                    match.say(phrase, seat)
        seat = match.to_act[0]
        with _blame(match.names[seat], deal):
            budget = setting.entrants[seating[seat]].budget
            move = players[seat].choose(match.view(seat), match.history(seat), rngs[seat], budget)
            match.play(move, seat)
    return match


@contextmanager
def _blame(bot: str, deal: int) -> Iterator[None]:
    """Attribute any exception in this block to the bot."""
    try:
        yield
    except GramyError as error:
        values = {"bot": bot, "deal": deal, "cause": error.message}
        raise BotFailed(Message("bot_refused", values, "arena")) from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise BotFailed(Message("bot_failed", {"bot": bot, "deal": deal, "why": why}, "arena")) from error


def _result(match: Match, deal: int, seating: tuple[int, ...]) -> MatchResult:
    outcome = match.outcome
    assert outcome is not None
    moves = sum(entry.seat < match.game.players and not entry.text.startswith("say ") for entry in match.log)
    return MatchResult(deal, seating, outcome.winners, outcome.key, moves)
