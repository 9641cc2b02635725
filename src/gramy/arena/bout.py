"""One deal, played by everybody in every seat: the block that all figures of the arena are made of.

The cards of a deal follow from the seed and its number alone, and each seat's random generator from these and the seat,
so that the same deal is played again exactly, in whatever process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from gramy import cards
from gramy.arena.entrant import Entrant, mind
from gramy.contract import Game, GramyError, Message, State, parse_options
from gramy.games import GAMES
from gramy.matches import Match


class Setting(NamedTuple):
    """Everything that the results follow from. A seating names the entrant in each seat."""

    game: str
    options: Mapping[str, str]
    entrants: tuple[Entrant, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int
    talk: bool

    @property
    def rules(self) -> Game:
        """The game with its options."""
        return Game(GAMES[self.game], parse_options(GAMES[self.game], self.options))

    @property
    def cooperative(self) -> bool:
        """Whether all seats win or lose as one."""
        return GAMES[self.game].COOPERATIVE

    def parts(self, who: int) -> int:
        """How many wins or losses an entrant's score in one deal is made of: its seats, or its team's matches."""
        seats = [seating.count(who) for seating in self.seatings]
        return sum(map(bool, seats)) if self.cooperative else sum(seats)


class Played(NamedTuple):
    """What came of one match: the deal, the entrant in each seat, the seats that won, how it ended, moves made."""

    deal: int
    seating: tuple[int, ...]
    winners: tuple[int, ...]
    ending: str
    moves: int


class BotFailed(GramyError):
    """A bot raised an error, or made a move that is not offered: its figures would mean nothing, so all stops."""


class Decks:
    """A dealer with decks that were shuffled beforehand: whoever draws, and however many, the next card is the same.

    Each seat has its own order. A pool that holds more than was left for the seat last time has been shuffled anew.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._left: dict[int, int] = {}
        self._order: dict[int, list[int]] = {}
        self._shuffled: dict[int, int] = {}

    def __call__(self, game: Game, state: State) -> int:
        receiver = game.rules.receiver(state)
        pool, number = game.rules.deal_pool(state)
        if pool & ~self._left.get(receiver, 0):
            times = self._shuffled[receiver] = self._shuffled.get(receiver, 0) + 1
            order = list(range(64))
            random.Random(f"{self._seed} deck {receiver} {times}").shuffle(order)
            self._order[receiver] = order
        picked = cards.together([bit for bit in self._order[receiver] if pool >> bit & 1][:number])
        self._left[receiver] = pool & ~picked
        return picked


def play_deal(setting: Setting, deal: int) -> tuple[Played, ...]:
    """A deal, once for every seating."""
    return tuple(_played(setting, setting.rules, deal, seating) for seating in setting.seatings)


def play_match(setting: Setting, game: Game, deal: int, seating: tuple[int, ...]) -> Match:
    """The match of a deal with this seating."""
    seed = f"{setting.seed} {deal}"
    match = Match(game, Decks(seed), [setting.entrants[who].name for who in seating])
    players = [mind(game.name, setting.entrants[who]) for who in seating]
    rngs = [random.Random(f"{seed} seat {seat}") for seat in range(game.players)]
    talking = setting.talk and bool(game.phrases())
    while match.to_act:
        for seat in range(game.players) if talking else ():  # everybody may speak whenever something has happened
            with _blaming(match.names[seat], deal):
                for phrase in players[seat].say(match.view(seat), match.history(seat), rngs[seat]):
                    match.say(phrase, seat)
        seat = match.to_act[0]
        with _blaming(match.names[seat], deal):
            budget = setting.entrants[seating[seat]].budget
            move = players[seat].choose(match.view(seat), match.history(seat), rngs[seat], budget)
            match.play(move, seat)
    return match


@contextmanager
def _blaming(name: str, deal: int) -> Iterator[None]:
    """Whatever goes wrong here is the doing of this bot."""
    try:
        yield
    except GramyError as error:
        told = {"bot": name, "deal": deal, "cause": error.message}
        raise BotFailed(Message("bot_refused", told, "arena")) from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise BotFailed(Message("bot_failed", {"bot": name, "deal": deal, "why": why}, "arena")) from error


def _played(setting: Setting, game: Game, deal: int, seating: tuple[int, ...]) -> Played:
    match = play_match(setting, game, deal, seating)
    outcome = match.outcome
    assert outcome is not None
    moves = sum(entry.seat < game.players and not entry.text.startswith("say ") for entry in match.log)
    return Played(deal, seating, outcome.winners, outcome.key, moves)
