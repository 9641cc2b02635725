"""A match: one play of a game, as a state and a log.

A move is checked and applied first; only then do the log and the state change, both or neither. The log only grows: a
move that is taken back adds a line. So a log can be stored line by line and replayed without a random generator.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from gramy import cards, drawing
from gramy.contract import DEALER, NOBODY, Game, Menu, Outcome, State, View
from gramy.errors import IllegalMove
from gramy.log import Entry as Entry
from gramy.log import as_read as as_read
from gramy.log import shared_entry
from gramy.messages import Event, Message

Dealer: TypeAlias = Callable[[Game, State], int]
"""Picks what is dealt next: a set of bits from `Rules.deal_pool`. Each dealer has its own source of randomness."""


@dataclass(frozen=True)
class ShuffledDealer:
    """A dealer that draws from a random generator."""

    rng: random.Random

    def __call__(self, game: Game, state: State) -> int:
        pool, number = game.rules.deal_pool(state)
        return cards.from_positions(self.rng.sample(cards.positions(pool), number))

    def __deepcopy__(self, memo: dict[int, object]) -> ShuffledDealer:
        if isinstance(self.rng, random.SystemRandom):
            return self  # it has no state that could be used up
        return ShuffledDealer(deepcopy(self.rng, memo))


class Match:
    """A match of a game. With a dealer it deals by itself; without one, deals are played like any other move."""

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
        self.events_by_line: list[tuple[Event, ...]] = []  # the events that followed each line of the log
        self._undoable: tuple[tuple[int, State], ...] = ()  # moves that can be undone: their line, the state before
        self._undone: frozenset[int] = frozenset()  # the lines of moves that were undone
        self._dealer = dealer
        self._deal()

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act; empty when the match is over."""
        return self.game.to_act(self.state)

    @property
    def agreeing(self) -> bool:
        """Whether the players still agree on who starts; whoever first plays `start` begins."""
        return self.game.is_agreeing(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The winners and the reason, None until the match is over."""
        return self.game.outcome(self.state)

    @property
    def position(self) -> str:
        """The state as one line of text."""
        return self.game.format_position(self.state)

    def __eq__(self, other: object) -> bool:
        """Return whether the two are the same match so far: game, names, first state and log; dealers may differ."""
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = (self.game, self.names, self.origin), (other.game, other.names, other.origin)
        return mine == theirs and self.log == other.log

    __hash__ = None  # type: ignore[assignment]  # a match changes with every move

    def __repr__(self) -> str:
        waiting = f"to act: {', '.join('dealer' if seat == DEALER else str(seat) for seat in self.to_act)}"
        result = f"{self.outcome.key}, winners: {self.outcome.winners}" if self.outcome else waiting
        return f"<Match of {self.game!r}: {len(self.log)} lines, {result}>"

    def __str__(self) -> str:
        return self.board_text()

    def board_text(self, seat: int | None = None, language: str = "en") -> str:
        """Return the board as text, as a seat sees it; by default as a spectator does, without any hidden card."""
        view, history = self.view(seat), self.history(seat)
        return drawing.board_text(view, history, self.names, self.game.players, language)

    def moves(self, seat: int | None = None) -> tuple[str, ...]:
        """Return the legal moves of a seat, by default of the only seat to act."""
        return self.game.moves(self.state, self._seat(seat)) if self.to_act or seat is not None else ()

    def view(self, seat: int | None, menu: Menu | None = None) -> View:
        """Return what a seat may see (None: a spectator). A caller that has the seat's menu passes it on."""
        view = self.game.view(self.state, seat, menu)
        return view if self._undoable or not view.undoable else replace(view, undoable=False)

    def play(self, move: str, seat: int | None = None) -> tuple[Event, ...]:
        """Play a move of the game and return the events, those of the deals that follow included.

        Raises MoveError and then changes nothing.
        """
        return self._play(tuple(move.split()), self._seat(seat)) + self._deal()

    def say(self, phrase: str, seat: int | None = None) -> tuple[Event, ...]:
        """Say one of the game's phrases. Only the log changes."""
        seat = self._seat(seat)
        if self.outcome is not None:
            raise IllegalMove(Message("match_over"))
        if seat not in range(self.game.players) or phrase not in self.game.phrases():
            raise IllegalMove(Message("no_such_phrase", {"phrase": phrase}, self.game.name))
        said = Message("said", {"seat": seat, "phrase": phrase}, self.game.name)
        return self._append(Entry(seat, f"say {phrase}"), (said,))

    def undo(self, seat: int | None = None) -> tuple[Event, ...]:
        """Take back the seat's last move of this turn, as long as no hidden card has been shown since."""
        seat = self._seat(seat)
        if not self._undoable or seat not in self.to_act:
            raise IllegalMove(Message("nothing_to_undo"))
        *before, (line, self.state) = self._undoable
        self._undoable, self._undone = tuple(before), self._undone | {line}
        return self._append(Entry(seat, "undo"), (Message("undone", {"seat": seat, "move": self.log[line].text}),))

    def replay(self, entry: Entry) -> tuple[Event, ...]:
        """Play a line of a log again: a move, a deal, `undo` or `say ...`."""
        words = tuple(entry.text.split())
        if words[:1] == ("say",):
            return self.say(" ".join(words[1:]), entry.seat)
        if words == ("undo",):
            return self.undo(entry.seat)
        return self._play(words, entry.seat) + self._deal()

    def history(self, seat: int | None) -> tuple[Entry, ...]:
        """Return the moves that were not undone and the talk, as a seat may read them: hidden words are `?`."""
        return tuple(
            as_read(entry, seat)
            for line, entry in enumerate(self.log)
            if line not in self._undone and entry.text != "undo"
        )

    def copy(self) -> Match:
        """Return an independent match with its own copy of the dealer: the same moves lead to the same deals."""
        return self._copy(_copy_dealer(self._dealer))

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Match:
        return self.copy()  # everything else that the two share is immutable

    def followed_by(self, entries: Iterable[Entry]) -> Match:
        """Return the match after more lines of its log, deals included; this one does not change."""
        longer = self._copy(None)
        for entry in entries:
            longer.replay(entry)
        return longer

    def dealt_by(self, dealer: Dealer | None) -> Match:
        """Return the same match with another dealer from now on."""
        other = self._copy(dealer)
        other._deal()
        return other

    def named(self, names: Iterable[str]) -> Match:
        """Return the match with other names; this one does not change."""
        other = self.copy()
        other.names = tuple(names)
        return other

    def at(self, lines: int) -> Match:
        """Return the match as it was after this many lines of its log."""
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
        """Return a match from its log, deals included; the dealer, if there is one, deals from then on."""
        match = cls(game, None, names, position)
        for entry in entries:
            match.replay(entry)
        match._dealer = dealer
        match._deal()
        return match

    def _copy(self, dealer: Dealer | None) -> Match:
        other = object.__new__(type(self))
        other.game, other.names, other.origin, other.state = self.game, self.names, self.origin, self.state
        other._dealer, other.log, other.events_by_line = dealer, self.log.copy(), self.events_by_line.copy()
        other._undoable, other._undone = self._undoable, self._undone
        return other

    def _seat(self, seat: int | None) -> int:
        """Return the seat; None stands for the seat to act, when there is just one."""
        if seat is not None:
            return seat
        if not self.to_act:
            raise IllegalMove(Message("match_over"))
        if len(self.to_act) > 1:
            raise IllegalMove(Message("which_seat", {"to_act": self.to_act}))
        return self.to_act[0]

    def _play(self, words: tuple[str, ...], seat: int) -> tuple[Event, ...]:
        after, events = self.game.apply_words(self.state, seat, words)
        secret = words[0] in self.game.rules.SECRET
        reader = self._receiver() if seat == DEALER else seat if secret else None
        return self._advance(shared_entry(seat, " ".join(words), reader), after, events)

    def _deal(self) -> tuple[Event, ...]:
        """Let the dealer deal for as long as it is its turn."""
        events: tuple[Event, ...] = ()
        game = self.game
        while self._dealer is not None and game.rules.to_act(self.state) == 1 << DEALER:
            picked = self._dealer(game, self.state)
            after, dealt = game.deal(self.state, picked)
            events += self._advance(
                shared_entry(DEALER, game.format_deal(self.state, picked), self._receiver()), after, dealt
            )
        return events

    def _receiver(self) -> int | None:
        """Return the seat that the next deal goes to, None when everybody may read it."""
        receiver = self.game.rules.receiver(self.state)
        return None if receiver == NOBODY else receiver

    def _advance(self, entry: Entry, after: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Change the state and append to the log."""
        self._undoable = (*self._undoable, (len(self.log), self.state)) if self.game.rules.undoable(after) else ()
        self.state = after
        return self._append(entry, events)

    def _append(self, entry: Entry, events: tuple[Event, ...]) -> tuple[Event, ...]:
        self.log.append(entry)
        self.events_by_line.append(events)
        return events


def _copy_dealer(dealer: Dealer | None) -> Dealer | None:
    """Copy a dealer by its own `__deepcopy__` where it has one: `deepcopy` itself keeps a memo that costs time."""
    copying = getattr(dealer, "__deepcopy__", None)
    copied: Dealer | None = copying({}) if copying else deepcopy(dealer)
    return copied
