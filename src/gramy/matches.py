"""Match: one play of a game, and the one door for everybody's moves, the dealer's among them.

A move is checked and applied purely; only then do the log and the state change, both or neither. The log only grows,
taking back included, so that it can be stored line by line and replayed without a random generator.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from gramy import cards
from gramy.contract import DEALER, NOBODY, Event, Game, IllegalMove, Menu, Message, Outcome, State, View

Dealer: TypeAlias = Callable[[Game, State], str]
"""Says the next deal. Where its luck comes from is its own affair: randomness is a parameter."""


class Entry(NamedTuple):
    """One line of the log: who did what, and the only seat that may read it whole (None: everybody)."""

    seat: int
    text: str
    reader: int | None = None


@lru_cache(20_000)
def _entry(seat: int, text: str, reader: int | None) -> Entry:
    """The same few moves fill the logs of all tables: each is there once, and a log is a list of them."""
    return Entry(seat, text, reader)


@dataclass(frozen=True)
class ShuffledDealer:  # reads as what a match is given: Match(game, shuffling(rng))
    """A dealer that draws from a random generator."""

    rng: random.Random

    def __call__(self, game: Game, state: State) -> str:
        pool, number = game.rules.deal_pool(state)
        return game.deal(state, cards.together(self.rng.sample(cards.positions(pool), number)))

    def __deepcopy__(self, memo: dict[int, object]) -> ShuffledDealer:
        if isinstance(self.rng, random.SystemRandom):
            return self  # it has no state that could be used up
        return ShuffledDealer(deepcopy(self.rng, memo))


class Match:
    """A deal and a log of moves, with or without the players' names. With a dealer it deals by itself; without one,
    deals are played like any move."""

    __slots__ = ("_dealer", "_undoable", "_undone", "events_by_line", "game", "log", "names", "origin", "state")

    def __init__(
        self,
        game: Game,
        dealer: Dealer | None = None,
        names: Iterable[str] = (),
        position: State | None = None,
    ) -> None:
        self.game = game
        self.names = tuple(names)
        if self.names and len(self.names) != game.players:
            raise IllegalMove(Message("names_number", {"players": game.players, "names": len(self.names)}))
        for name in self.names:
            if name != name.encode("utf-8", "replace").decode():  # half a character: no file can hold it
                raise IllegalMove(Message("odd_name", {"name": name}))
        self.origin: State = game.start() if position is None else position
        self.state: State = self.origin
        self.log: list[Entry] = []
        self.events_by_line: list[tuple[Event, ...]] = []  # what followed from each line of the log
        self._undoable: tuple[tuple[int, State], ...] = ()  # moves that may be taken back: their line, the state before
        self._undone: frozenset[int] = frozenset()  # the lines of moves that were
        self._dealer = dealer
        self._deal()

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that the match waits for; empty when it is over."""
        return self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, None while the match is on."""
        return self.game.outcome(self.state)

    @property
    def position(self) -> str:
        """The state as one line of text."""
        return self.game.format_position(self.state)

    def moves(self, seat: int | None = None) -> tuple[str, ...]:
        """What a seat (by default the awaited one) may do now."""
        return self.game.moves(self.state, self._seat(seat)) if self.to_act or seat is not None else ()

    def view(self, seat: int | None, menu: Menu | None = None) -> View:
        """What a seat may know, None for a spectator; whoever has the seat's menu already hands it over."""
        view = self.game.view(self.state, seat, menu)
        return view if self._undoable or not view.undoable else replace(view, undoable=False)

    def play(self, move: str, seat: int | None = None) -> tuple[Event, ...]:
        """Make a move; what followed from it, deals included. Raises MoveError and changes nothing."""
        words = move.split()
        if words[:1] == ["say"]:
            return self.say(" ".join(words[1:]), seat)
        if words == ["undo"]:
            return self.undo(seat)
        facts = self._play(" ".join(words), self._seat(seat))
        return facts + self._deal()

    def say(self, phrase: str, seat: int | None = None) -> tuple[Event, ...]:
        """Say one of the game's phrases; it changes nothing but the log."""
        seat = self._seat(seat)
        if self.outcome is not None:
            raise IllegalMove(Message("match_over"))
        if seat not in range(self.game.players) or phrase not in self.game.phrases():
            raise IllegalMove(Message("no_such_phrase", {"phrase": phrase}, self.game.name))
        return self._note(
            Entry(seat, f"say {phrase}"), (Message("said", {"seat": seat, "phrase": phrase}, self.game.name),)
        )

    def undo(self, seat: int | None = None) -> tuple[Event, ...]:
        """Take back the seat's last move of this turn, as long as nothing hidden has appeared since."""
        seat = self._seat(seat)
        if not self._undoable or seat not in self.to_act:
            raise IllegalMove(Message("nothing_to_undo"))
        *before, (line, self.state) = self._undoable
        self._undoable, self._undone = tuple(before), self._undone | {line}
        return self._note(Entry(seat, "undo"), (Message("undone", {"seat": seat, "move": self.log[line].text}),))

    def history(self, seat: int | None) -> tuple[Entry, ...]:
        """The moves that stand and what was said, as a seat may read them: hidden words are `?`."""
        return tuple(
            as_read(entry, seat)
            for line, entry in enumerate(self.log)
            if line not in self._undone and entry.text != "undo"
        )

    def after(self, move: str, seat: int | None = None) -> tuple[Match, tuple[Event, ...]]:
        """The match as it would be after a move, and what would follow from it; this one stays as it is."""
        ahead = self._copy(_own(self._dealer))  # asking does not use up this match's luck
        return ahead, ahead.play(move, seat)

    def followed_by(self, entries: Iterable[Entry]) -> Match:
        """The match after more lines of its log, deals included; this one stays as it is."""
        ahead = self._copy(None)
        for entry in entries:
            ahead.play(entry.text, entry.seat)
        return ahead

    def dealt_by(self, dealer: Dealer | None) -> Match:
        """The same match with another dealer from now on."""
        ahead = self._copy(dealer)
        ahead._deal()
        return ahead

    def named(self, names: Iterable[str]) -> Match:
        """The match with other names; this one stays as it is."""
        other = self._copy(self._dealer)
        other.names = tuple(names)
        return other

    def _copy(self, dealer: Dealer | None) -> Match:
        ahead = object.__new__(type(self))
        ahead.game, ahead.names, ahead.origin, ahead.state = self.game, self.names, self.origin, self.state
        ahead._dealer, ahead.log, ahead.events_by_line = dealer, self.log.copy(), self.events_by_line.copy()
        ahead._undoable, ahead._undone = self._undoable, self._undone
        return ahead

    def at(self, lines: int) -> Match:
        """The match as it was after so many lines of its log."""
        return Match.replayed(self.game, self.log[:lines], None, self.names, self.origin)

    @classmethod
    def replayed(
        cls,
        game: Game,
        entries: Iterable[Entry],
        dealer: Dealer | None = None,
        names: Iterable[str] = (),
        position: State | None = None,
    ) -> Match:
        """A match from its log, deals included; from then on the dealer, if there is one, deals."""
        match = cls(game, None, names, position)
        for entry in entries:
            match.play(entry.text, entry.seat)
        match._dealer = dealer
        match._deal()
        return match

    def _seat(self, seat: int | None) -> int:
        """The seat meant: the one that is awaited, when there is just one."""
        if seat is not None:
            return seat
        if not self.to_act:
            raise IllegalMove(Message("match_over"))
        if len(self.to_act) > 1:
            raise IllegalMove(Message("which_seat", {"to_act": self.to_act}))
        return self.to_act[0]

    def _play(self, move: str, seat: int) -> tuple[Event, ...]:
        after, facts = self.game.apply(self.state, seat, move)
        entry = _entry(seat, move, self._reader(move, seat))
        self._undoable = (*self._undoable, (len(self.log), self.state)) if self.game.rules.undoable(after) else ()
        self.state = after
        return self._note(entry, facts)

    def _note(self, entry: Entry, facts: tuple[Event, ...]) -> tuple[Event, ...]:
        self.log.append(entry)
        self.events_by_line.append(facts)
        return facts

    def _reader(self, move: str, seat: int) -> int | None:
        if seat == DEALER:
            receiver = self.game.rules.receiver(self.state)
            return None if receiver == NOBODY else receiver
        secret = self.game.rules.SECRET
        return seat if secret and move.split()[0] in secret else None

    def _deal(self) -> tuple[Event, ...]:
        facts: tuple[Event, ...] = ()
        to_act = self.game.rules.to_act
        while self._dealer is not None and to_act(self.state) == 1 << DEALER:
            facts += self._play(self._dealer(self.game, self.state), DEALER)
        return facts


def _own(dealer: Dealer | None) -> Dealer | None:
    """A dealer of one's own, as lucky as this one; where he knows how to copy himself, without `deepcopy`'s ledger."""
    copying = getattr(dealer, "__deepcopy__", None)
    own: Dealer | None = copying({}) if copying else deepcopy(dealer)
    return own


def as_read(entry: Entry, seat: int | None) -> Entry:
    """A log line as a seat may read it: the verb, and `?` for every word that is not for this seat."""
    if entry.reader is None or entry.reader == seat:
        return entry
    verb, *words = entry.text.split()
    return entry._replace(text=" ".join([verb, *("?" for _ in words)]))
