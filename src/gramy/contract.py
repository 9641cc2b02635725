"""THE CONTRACT: what a game is, and the words every other part speaks in.

A game is a module of pure functions (`Rules`): no I/O, no clock, no randomness, no text for people. States are
NamedTuples of integers, a set of moves is a few rows of 64 bits, and the functions marked "compiled too" below are
written so that Numba compiles those very functions. `Game` puts rules and options together and speaks in text moves.

    GramyError                      everything that can be wrong with what somebody asked for
    ├── UnknownGame                 no such game
    ├── BadOptions                  no such option, or not that value
    ├── BadPosition                 a position that cannot be read or cannot exist
    ├── BadRecord                   a damaged file; `line` says where
    └── MoveError
        ├── UnreadableMove          not a move of this game at all
        └── IllegalMove             a move, but not now, and the message says why
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from types import NoneType
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import Struct

from gramy import cards, text
from gramy.cards import Rows

DEALER = 6
"""The dealer's seat: one past the last that a player can have. Chance moves enter by the same door as everybody's."""

NOBODY = -1

State: TypeAlias = Any
"""The whole truth of a match; each game has its own NamedTuple of integers."""


class Payload(Struct, frozen=True, gc=False):
    """What somebody is told: made once and never changed, and JSON's encoder takes it as it is. It holds only what was
    there before it, so the garbage collector need not look at it."""


class Message(Payload, frozen=True):
    """A sentence before it has a language: a key, its values, and the game whose catalogue has it ('' for all)."""

    key: str
    values: Mapping[str, Any] = {}
    game: str = ""


Reason: TypeAlias = Message
"""Why a move is not allowed."""

Event: TypeAlias = Message
"""A public fact that followed from a move."""


class Outcome(Payload, frozen=True):
    """Who won, and why it ended. A co-operative loss has no winners."""

    winners: tuple[int, ...]
    key: str
    values: Mapping[str, Any] = {}


class View(Payload, frozen=True):
    """What one seat may know, built up from nothing. `seat` is None for a spectator, `board` is the game's own."""

    game: str
    options: Mapping[str, Any]
    seat: int | None
    to_act: tuple[int, ...]
    moves: tuple[str, ...]
    undoable: bool
    board: Any
    outcome: Outcome | None


class GramyError(Exception):
    """What was asked for cannot be done; `message` says why in any language, `str()` in English."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return text.say(self.message)


class UnknownGame(GramyError):
    """There is no game of that name."""


class BadOptions(GramyError):
    """An option that the game does not have, or a value that the option cannot take."""


class BadPosition(GramyError):
    """A position that cannot be read, or that no match can reach."""


class BadRecord(GramyError):
    """A file that is not a whole, correct record; `line` is where, counted from 1, or 0 for the file as a whole."""

    def __init__(self, line: int, cause: Message) -> None:
        super().__init__(Message("record_line", {"line": line, "cause": cause}) if line else cause)
        self.line, self.cause = line, cause

    def __reduce__(self) -> tuple[type[BadRecord], tuple[int, Message]]:
        return type(self), (self.line, self.cause)


class MoveError(GramyError):
    """The move was not made and nothing has changed."""


class UnreadableMove(MoveError):
    """The text is not a move of this game."""


class IllegalMove(MoveError):
    """The move exists but is not allowed here and now."""


class Rules(Protocol):
    """What a game's module provides. Functions marked * are compiled too: integers and NamedTuples only."""

    NAME: str
    VERSION: int
    """Recorded with each match; goes up when a rule changes, so that an old record is never replayed by other rules."""
    SECRET: frozenset[str]
    """The verbs whose words only the mover may read while the match is on."""
    COOPERATIVE: bool
    """Whether all seats win or lose as one."""
    Options: type[Any]
    """A frozen dataclass; `players` is one of its fields."""

    def start(self, options: Any, /) -> State:
        """The state before the first deal."""

    def to_act(self, state: State, /) -> int:
        """* The seats that the match waits for, as bits (DEALER too); 0 when it is over."""

    def deal_pool(self, state: State, /) -> tuple[int, int]:
        """* What the dealer picks from, as bits, and how many: cards, or (receiver NOBODY) the seat that starts."""

    def receiver(self, state: State, /) -> int:
        """The seat that the next deal goes to, NOBODY when the dealer names the seat that starts."""

    def deal(self, state: State, picked: int, /) -> State:
        """* The state after the dealer picked these."""

    def legal_moves(self, state: State, seat: int, /) -> Rows:
        """* Everything the seat may do now, as rows of move codes."""

    def apply(self, state: State, seat: int, code: int, /) -> State:
        """* The state after an offered move."""

    def ending(self, state: State, /) -> int:
        """* How a finished match ended, as a number below 64, for tallies of many matches."""

    def undoable(self, state: State, /) -> bool:
        """Whether the last move may be taken back: still the same turn, and nothing hidden has appeared."""

    def reason(self, state: State, seat: int, code: int, /) -> Reason | None:
        """Why the awaited seat may not make this move; None exactly when it is offered."""

    def refusals(self, state: State, seat: int, menu: Rows, /) -> Mapping[int, Reason]:
        """Why moves that the awaited seat might try are not on its menu, by code: for a door to explain before."""

    def effects(self, state: State, seat: int, menu: Rows, /) -> Sequence[Mapping[str, Any]]:
        """What each move of the seat's menu would mean, in order, from what the seat knows: for a door to show before
        it is made. Empty where no move has anything to tell."""

    def parse_card(self, word: str, /) -> int | None:
        """The card (lowest position) that a word names, None when it names none."""

    def format_card(self, card: int, /) -> str:
        """The word for a card."""

    def parse_move(self, state: State, seat: int, words: tuple[str, ...], /) -> int:
        """The code of a move; raises UnreadableMove, or IllegalMove where the words cannot fit this seat's hand."""

    def format_move(self, state: State, seat: int, code: int, /) -> str:
        """The text of a move: the inverse of `parse_move`."""

    def format_moves(self, state: State, seat: int, codes: Iterable[int], /) -> list[str]:
        """The texts of moves, in order."""

    def parse_position(self, options: Any, words: str, /) -> State:
        """The state that a position's line describes."""

    def format_position(self, state: State, /) -> str:
        """A state as one line: the inverse of `parse_position`."""

    def board(self, state: State, seat: int | None, /) -> Any:
        """What the seat (None: a spectator) may know of the table, as a `Told` of the game's own."""

    def events(self, before: State, seat: int, code: int, after: State, /) -> tuple[Event, ...]:
        """The public facts that followed from a player's move; the end of the match is told by `outcome`."""

    def outcome(self, state: State, /) -> Outcome | None:
        """Who won and why, None while the match is on."""

    def phrases(self, options: Any, /) -> tuple[str, ...]:
        """What may be said at the table; empty where the rules know no talk."""

    def bound(self, options: Any, /) -> int:
        """More moves than this no match has (changes of mind and undo aside)."""


class Menu(NamedTuple):
    """Everything a seat may do now: as rows, and each move by its code and its text."""

    rows: Rows
    codes: tuple[int, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Game:
    """The rules of one game with the options in force."""

    rules: Rules
    options: Any
    name: str = field(init=False)
    players: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.rules.NAME)
        object.__setattr__(self, "players", self.options.players)

    def start(self) -> State:
        """The state before the first deal."""
        return self.rules.start(self.options)

    @cached_property
    def words(self) -> dict[str, str]:
        """The options as words; everybody gets this one, so nobody changes it."""
        return format_options(self.options)

    def to_act(self, state: State) -> tuple[int, ...]:
        """The seats that the match waits for."""
        return SEATS[self.rules.to_act(state)]

    def menu(self, state: State, seat: int) -> Menu:
        """What the seat may do now. The dealer's deals are too many to list: see `owed`."""
        rules = self.rules
        rows = rules.legal_moves(state, seat) if 0 <= seat < self.players else ()
        if not any(rows):
            return Menu(rows, (), ())
        codes = tuple(cards.codes(rows))
        return Menu(rows, codes, tuple(rules.format_moves(state, seat, codes)))

    def moves(self, state: State, seat: int) -> tuple[str, ...]:
        """The menu as text."""
        return self.menu(state, seat).moves

    def deal_pool(self, state: State) -> tuple[tuple[str, ...], int]:
        """What the dealer deals from, as words, and how many of them he owes."""
        pool, number = self.rules.deal_pool(state)
        return tuple(self._named(self.rules.receiver(state), pool)), number

    def apply(self, state: State, seat: int, move: str) -> tuple[State, tuple[Event, ...]]:
        """Return the state after a move, and the events; raises MoveError."""
        return self.apply_words(state, seat, tuple(move.split()))

    def apply_words(self, state: State, seat: int, words: tuple[str, ...]) -> tuple[State, tuple[Event, ...]]:
        """Return the state after a move that is given as its words, and the events; raises MoveError."""
        if not words:
            raise UnreadableMove(Message("empty_move"))
        if seat == DEALER:
            return self._dealt(state, self.parse_deal(state, words))
        menu = self.rules.legal_moves(state, seat) if 0 <= seat < self.players else ()
        if reason := self._not_now(state, seat, words[0], menu):
            raise IllegalMove(reason)
        code = self.rules.parse_move(state, seat, words)
        if not cards.contains(menu, code) and (reason := self.rules.reason(state, seat, code)):
            raise IllegalMove(reason)
        after = self.rules.apply(state, seat, code)
        return after, self.rules.events(state, seat, code, after) + self._ended(after)

    def reason(self, state: State, seat: int, move: str) -> Reason | None:
        """Why the move is not allowed (or cannot be read), None when it is."""
        try:
            self.apply(state, seat, move)
        except MoveError as error:
            return error.message
        return None

    def effects(self, state: State, seat: int, menu: Menu | None = None) -> dict[str, Mapping[str, Any]]:
        """What each offered move would mean, by its text, where there is something to tell. Whoever has the seat's menu
        already hands it over, here and below."""
        menu = menu or self.menu(state, seat)
        known = self.rules.effects(state, seat, menu.rows) if menu.moves else ()
        return dict(zip(menu.moves, known, strict=True)) if known else {}

    def refusals(self, state: State, seat: int, menu: Menu | None = None) -> dict[str, Reason]:
        """Why each move that the awaited seat might try is not offered, by its text."""
        rules = self.rules
        if seat == DEALER or not rules.to_act(state) >> seat & 1:
            return {}
        refused = rules.refusals(state, seat, (menu or self.menu(state, seat)).rows)
        return dict(zip(rules.format_moves(state, seat, refused), refused.values(), strict=True))

    def view(self, state: State, seat: int | None, menu: Menu | None = None) -> View:
        """What a seat may know, None for a spectator."""
        if seat is not None and not 0 <= seat < self.players:
            raise IllegalMove(Message("no_such_seat", {"asked": seat, "last": self.players - 1}))
        to_act = self.to_act(state)
        return View(
            game=self.name,
            options=self.words,
            seat=seat,
            to_act=to_act,
            moves=() if seat is None else (menu or self.menu(state, seat)).moves,
            undoable=seat in to_act and self.rules.undoable(state),
            board=self.rules.board(state, seat),
            outcome=self.rules.outcome(state),
        )

    def outcome(self, state: State) -> Outcome | None:
        """Who won and why, None while the match is on."""
        return self.rules.outcome(state)

    def phrases(self) -> tuple[str, ...]:
        """What may be said at the table."""
        return self.rules.phrases(self.options)

    def parse_position(self, line: str) -> State:
        """The state that a position's line describes."""
        return self.rules.parse_position(self.options, line)

    def format_position(self, state: State) -> str:
        """A state as one line."""
        return self.rules.format_position(state)

    def _not_now(self, state: State, seat: int, verb: str, menu: Rows) -> Reason | None:
        """Why the seat may make no move at all: the reasons that every game shares."""
        if not 0 <= seat < self.players:
            return Message("no_such_seat", {"asked": seat, "last": self.players - 1})
        if verb == "deal":
            return Message("only_the_dealer_deals")
        if any(menu):
            return None
        to_act = self.to_act(state)
        if not to_act:
            return Message("match_over")
        if to_act == (DEALER,):
            return Message("wait_for_the_deal")
        return Message("not_your_turn", {"to_act": to_act})

    def deal(self, state: State, picked: int) -> tuple[State, tuple[Event, ...]]:
        """Return the state after the dealer picked these bits of the pool, and the events; raises IllegalMove."""
        pool, number = self._pool(state)
        if picked.bit_count() != number:
            raise IllegalMove(Message("deal_number", {"expected": number, "dealt": picked.bit_count()}))
        if others := picked & ~pool:
            raise IllegalMove(Message("not_to_deal", {"word": self._named(self.rules.receiver(state), others)[0]}))
        return self._dealt(state, picked)

    def format_deal(self, state: State, picked: int) -> str:
        """Return the text of the deal that picks these bits of the pool."""
        receiver = self.rules.receiver(state)
        lead = "deal first " if receiver == NOBODY else "deal "
        return lead + " ".join(self._named(receiver, picked))

    def parse_deal(self, state: State, words: tuple[str, ...]) -> int:
        """Return the bits of the pool that a deal picks: the inverse of `format_deal`; raises MoveError."""
        pool, number = self._pool(state)
        receiver = self.rules.receiver(state)
        lead = ("deal", "first") if receiver == NOBODY else ("deal",)
        if words[: len(lead)] != lead:
            raise UnreadableMove(Message("deal_expected", {"lead": " ".join(lead), "number": number}))
        named = words[len(lead) :]
        if len(named) != number:
            raise IllegalMove(Message("deal_number", {"expected": number, "dealt": len(named)}))
        picked = 0
        for word in named:
            bit = self._find(receiver, word, pool & ~picked)
            if bit is None:
                raise IllegalMove(Message("not_to_deal", {"word": word}))
            picked |= 1 << bit
        return picked

    def _pool(self, state: State) -> tuple[int, int]:
        """Return what the dealer picks from, and how many; raises IllegalMove when it is not the dealer's turn."""
        if self.rules.to_act(state) != 1 << DEALER:
            raise IllegalMove(Message("no_deal_now"))
        return self.rules.deal_pool(state)

    def _dealt(self, state: State, picked: int) -> tuple[State, tuple[Event, ...]]:
        receiver = self.rules.receiver(state)
        after = self.rules.deal(state, picked)
        if receiver == NOBODY:
            return after, (Message("starts", {"seat": cards.lowest(picked)}),)
        return after, _dealt(receiver, picked.bit_count()) + self._ended(after)

    def _ended(self, state: State) -> tuple[Event, ...]:
        """The outcome as an event: a draw can end a match as well as a move."""
        outcome = self.rules.outcome(state)
        if outcome is None:
            return ()
        winner = {"winner": outcome.winners[0]} if len(outcome.winners) == 1 else {}
        return (Message(outcome.key, {**outcome.values, **winner}, self.name),)

    def _named(self, receiver: int, bits: int) -> list[str]:
        """What the dealer picks, as words: cards for a receiver, otherwise a seat."""
        name = str if receiver == NOBODY else self.rules.format_card
        return [name(bit) for bit in cards.positions(bits)]

    def _find(self, receiver: int, word: str, pool: int) -> int | None:
        """The lowest position in the pool with that name: equal cards have equal names."""
        first = None if receiver == NOBODY else self.rules.parse_card(word)
        if first is not None and pool >> first & 1:
            return first
        return next((bit for bit in cards.positions(pool) if self._named(receiver, 1 << bit) == [word]), None)


SEATS = tuple(tuple(cards.positions(seats)) for seats in range(2 << DEALER))
"""The seats that are meant by bits."""


@cache  # these few facts fill the logs of all tables
def _dealt(seat: int, number: int) -> tuple[Event, ...]:
    return (Message("dealt", {"seat": seat, "number": number}),)


Choices: TypeAlias = Mapping[str, tuple[Any, ...]]


def choices(options: type[Any]) -> Choices:
    """The values that each option of a game may take, read from the types of its fields."""
    hints = get_type_hints(options, include_extras=True)
    return {item.name: _values(hints[item.name]) for item in fields(options)}


def split_options(words: Iterable[str]) -> dict[str, str]:
    """Return the options that words such as `players=3` give; raises BadOptions for a word without a value."""
    options = {}
    for option in words:
        name, equals, value = option.partition("=")
        if not equals:
            raise BadOptions(Message("option_form", {"word": option}))
        options[name] = value
    return options


def parse_options(rules: Rules, wanted: Mapping[str, Any]) -> Any:
    """A game's options from names and values; words (`on`, `3`) do as well as Python values."""
    allowed = choices(rules.Options)
    settled = {}
    for name, value in wanted.items():
        if name not in allowed:
            raise BadOptions(Message("no_such_option", {"game": rules.NAME, "option": name, "known": list(allowed)}))
        by_word = {word(choice): choice for choice in allowed[name]}
        if word(value) not in by_word:
            raise BadOptions(Message("no_such_value", {"option": name, "value": word(value), "known": list(by_word)}))
        settled[name] = by_word[word(value)]
    return rules.Options(**settled)


def format_options(options: Any) -> dict[str, str]:
    """Options as words, in order: the inverse of `chosen`."""
    return {item.name: word(getattr(options, item.name)) for item in fields(options)}


def _values(hint: Any) -> tuple[Any, ...]:
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Literal:
        return get_args(hint)
    raise TypeError(f"an option is a bool or a Literal, not {hint}")


def word(value: Any) -> str:
    """An option's value as a word."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def plain(value: Any) -> Any:
    """What is told and NamedTuples as dicts and tuples as lists, all the way down: what JSON can say."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, (tuple, list)):
        items = map(plain, value)
        return list(items) if kind in LISTS else dict(zip(kind._fields, items, strict=True))
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return value


ATOMS = frozenset({str, int, bool, float, NoneType})
"""What is plain already."""

LISTS = frozenset({tuple, list})
