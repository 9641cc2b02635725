"""The contract that every game fulfils, and `Game`: rules together with options.

A game is a set of pure functions (`Rules`): no I/O, no clock, no randomness, no text for people. A state is a
NamedTuple of integers, and a set of moves is a few rows of 64 bits. The functions marked * below use nothing else, so
that Numba compiles them as they are. `Game` takes and returns moves as text.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias

from gramy import cards
from gramy.cards import Rows
from gramy.encoding import GameObservation
from gramy.errors import IllegalMove, MoveError, UnreadableMove
from gramy.messages import Event, Message, Payload, Reason
from gramy.options import format_options

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # `default` makes a plain `View` mean `View[Any]`

    BoardType = TypeVar("BoardType", default=Any, covariant=True)
else:
    from typing import TypeVar

    BoardType = TypeVar("BoardType")

DEALER = 6
"""The dealer's seat: one past the last that a player can have. A deal is a move of this seat."""

NOBODY = -1

START = "start"
"""The move by which a seat takes the start, where the players agree on who starts: the first to make it begins."""

State: TypeAlias = Any
"""The whole state of a match, hidden cards included; each game has its own NamedTuple of integers."""


class Outcome(Payload, frozen=True):
    """The winners, and the key of the reason. A co-operative loss has no winners."""

    winners: tuple[int, ...]
    key: str
    values: Mapping[str, Any] = {}


class View(Payload, Generic[BoardType], frozen=True):
    """Everything a seat may see (`seat` None: a spectator). `board` belongs to the game: `View[Board]` for its type."""

    game: str
    options: Mapping[str, Any]
    seat: int | None
    to_act: tuple[int, ...]
    moves: tuple[str, ...]
    undoable: bool
    board: BoardType
    outcome: Outcome | None


class GameRules(Protocol):
    """The contents of a game's module `rules`."""

    NAME: str
    VERSION: int
    """Recorded with each match; raised when a rule changes, so that an old record is not replayed by new rules."""
    OLDER: Mapping[int, Mapping[str, str]]
    """Older versions that these rules still play: for each, the options that make up for what has changed since."""
    SECRET: frozenset[str]
    """The verbs whose words only the mover may read until the match is over."""
    COOPERATIVE: bool
    """Whether all seats win or lose together."""
    Options: type[Any]
    """A frozen dataclass; `players` is one of its fields."""

    def start(self, options: Any, /) -> State:
        """Return the state before the first deal."""

    def to_act(self, state: State, /) -> int:
        """* Return the seats that must act, as bits (DEALER too); 0 when the match is over."""

    def deal_pool(self, state: State, /) -> tuple[int, int]:
        """* Return what the dealer picks from, as bits, and how many: cards, or (receiver NOBODY) the seat that
        starts."""

    def receiver(self, state: State, /) -> int:
        """Return the seat that the next deal goes to, NOBODY when the dealer picks the seat that starts."""

    def deal(self, state: State, picked: int, /) -> State:
        """* Return the state after the dealer picked these bits."""

    def legal_moves(self, state: State, seat: int, /) -> Rows:
        """* Return all legal moves of the seat, as rows of move codes."""

    def apply(self, state: State, seat: int, code: int, /) -> State:
        """* Return the state after a legal move."""

    def ending(self, state: State, /) -> int:
        """* Return how a finished match ended, as a number below 64, for tallies of many matches."""

    def winners(self, state: State, /) -> int:
        """* Return the seats that have won, as bits; 0 until the match is over, and after a co-operative loss."""

    def undoable(self, state: State, /) -> bool:
        """Return whether the last move may be undone: the same turn, and no hidden card shown since."""

    def reason(self, state: State, seat: int, code: int, /) -> Reason | None:
        """Return why a seat that must act may not make this move; None exactly when it is legal."""

    def refusals(self, state: State, seat: int, menu: Rows, /) -> Mapping[int, Reason]:
        """Return, by code, why moves that a player might try are not legal, so that an interface can explain them."""

    def outcome(self, state: State, /) -> Outcome | None:
        """Return the winners and the reason, None until the match is over."""

    def phrases(self, options: Any, /) -> tuple[str, ...]:
        """Return the phrases that may be said; empty where the rules allow no talk."""

    def bound(self, options: Any, /) -> int:
        """Return a number of moves that no match exceeds (faces chosen again and undo not counted)."""


class GameNotation(Protocol):
    """The contents of a game's module `notation`: cards, moves and positions as text."""

    def parse_card(self, word: str, /) -> int | None:
        """Return the card that a word names (of equal cards the lowest), None when it names none."""

    def format_card(self, card: int, /) -> str:
        """Return the word for a card."""

    def parse_move(self, state: State, seat: int, words: tuple[str, ...], /) -> int:
        """Return the code of a move; raises UnreadableMove, or IllegalMove where the words do not fit the hand."""

    def format_move(self, state: State, seat: int, code: int, /) -> str:
        """Return the text of a move: the inverse of `parse_move`."""

    def format_moves(self, state: State, seat: int, codes: Iterable[int], /) -> list[str]:
        """Return the texts of moves, in order."""

    def parse_position(self, options: Any, line: str, /) -> State:
        """Return the state that a line describes."""

    def format_position(self, state: State, /) -> str:
        """Return a state as one line: the inverse of `parse_position`."""


class GameView(Protocol):
    """The contents of a game's module `view`: everything that seats see of a state and of moves."""

    def board(self, state: State, seat: int | None, /) -> Any:
        """Return what the seat (None: a spectator) may see, as a payload of the game's own class."""

    def effects(self, state: State, seat: int, menu: Rows, /) -> Sequence[Mapping[str, Any]]:
        """Return what each legal move of the seat would do, in order, from what the seat may see. Empty where no move
        has an effect that can be foretold."""

    def events(self, before: State, seat: int, code: int, after: State, /) -> tuple[Event, ...]:
        """Return the public facts that followed from a player's move; `outcome` has the end of the match."""


class Rules(GameRules, GameNotation, GameView, GameObservation, Hashable, Protocol):
    """A game: everything in its modules `rules`, `notation`, `view` and `observation`."""


class Menu(NamedTuple):
    """The legal moves of a seat: as rows, and each by its code and its text."""

    rows: Rows
    codes: tuple[int, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Game:
    """The rules of one game with the options in force."""

    rules: Rules
    options: Any
    name: str = field(init=False)
    players: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.rules.NAME)
        object.__setattr__(self, "players", self.options.players)

    def __repr__(self) -> str:
        options = "".join(f", {item.name}={getattr(self.options, item.name)!r}" for item in fields(self.options))
        return f"gramy.game({self.name!r}{options})"

    def start(self) -> State:
        """Return the state before the first deal."""
        return self.rules.start(self.options)

    @cached_property
    def option_texts(self) -> dict[str, str]:
        """The options as texts by name. All callers share this dict and must not change it."""
        return format_options(self.options)

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """The names of the options whose values differ from the game's defaults, besides the number of players."""
        usual = format_options(type(self.options)(players=self.players))
        return tuple(name for name, value in self.option_texts.items() if value != usual[name])

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seats that must act."""
        return SEATS[self.rules.to_act(state)]

    def is_agreeing(self, state: State) -> bool:
        """Return whether the players still agree on who starts: each of them may play `start`, and nothing else."""
        seats = self.to_act(state)
        return len(seats) > 1 and self.moves(state, seats[0]) == (START,)

    def menu(self, state: State, seat: int) -> Menu:
        """Return the legal moves of a seat. The dealer's are too many to list: see `deal_pool`."""
        rules = self.rules
        rows = rules.legal_moves(state, seat) if 0 <= seat < self.players else ()
        if not any(rows):
            return Menu(rows, (), ())
        codes = tuple(cards.codes(rows))
        return Menu(rows, codes, tuple(rules.format_moves(state, seat, codes)))

    def moves(self, state: State, seat: int) -> tuple[str, ...]:
        """Return the legal moves of a seat as text."""
        return self.menu(state, seat).moves

    def deal_pool(self, state: State) -> tuple[tuple[str, ...], int]:
        """Return what the dealer picks from, as words, and how many."""
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
        """Return why a move is not legal (or cannot be read), None when it is legal."""
        try:
            self.apply(state, seat, move)
        except MoveError as error:
            return error.message
        return None

    def effects(self, state: State, seat: int, menu: Menu | None = None) -> dict[str, Mapping[str, Any]]:
        """Return what each legal move would do, by its text; empty where nothing can be foretold.

        Here and below: a caller that has the seat's menu already passes it on.
        """
        menu = menu or self.menu(state, seat)
        effects = self.rules.effects(state, seat, menu.rows) if menu.moves else ()
        return dict(zip(menu.moves, effects, strict=True)) if effects else {}

    def refusals(self, state: State, seat: int, menu: Menu | None = None) -> dict[str, Reason]:
        """Return why each move that a seat to act might try is not legal, by its text."""
        rules = self.rules
        if seat == DEALER or not rules.to_act(state) >> seat & 1:
            return {}
        refused = rules.refusals(state, seat, (menu or self.menu(state, seat)).rows)
        return dict(zip(rules.format_moves(state, seat, refused), refused.values(), strict=True))

    def view(self, state: State, seat: int | None, menu: Menu | None = None) -> View:
        """Return everything a seat may see (None: a spectator)."""
        if seat is not None and not 0 <= seat < self.players:
            raise IllegalMove(Message("no_such_seat", {"asked": seat, "last": self.players - 1}))
        to_act = self.to_act(state)
        return View(
            game=self.name,
            options=self.option_texts,
            seat=seat,
            to_act=to_act,
            moves=() if seat is None else (menu or self.menu(state, seat)).moves,
            undoable=seat in to_act and self.rules.undoable(state),
            board=self.rules.board(state, seat),
            outcome=self.rules.outcome(state),
        )

    def outcome(self, state: State) -> Outcome | None:
        """Return the winners and the reason, None until the match is over."""
        return self.rules.outcome(state)

    def phrases(self) -> tuple[str, ...]:
        """Return the phrases that may be said."""
        return self.rules.phrases(self.options)

    def parse_position(self, line: str) -> State:
        """Return the state that a line describes."""
        return self.rules.parse_position(self.options, line)

    def format_position(self, state: State) -> str:
        """Return a state as one line."""
        return self.rules.format_position(state)

    def _not_now(self, state: State, seat: int, verb: str, menu: Rows) -> Reason | None:
        """Return why the seat may make no move at all: the reasons that all games share."""
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
        return after, _dealt_events(receiver, picked.bit_count()) + self._ended(after)

    def _ended(self, state: State) -> tuple[Event, ...]:
        """Return the outcome as an event: a deal can end a match as well as a move."""
        outcome = self.rules.outcome(state)
        if outcome is None:
            return ()
        winner = {"winner": outcome.winners[0]} if len(outcome.winners) == 1 else {}
        return (Message(outcome.key, {**outcome.values, **winner}, self.name),)

    def _named(self, receiver: int, bits: int) -> list[str]:
        """Return what the dealer picks, as words: cards for a receiver, otherwise a seat."""
        name = str if receiver == NOBODY else self.rules.format_card
        return [name(bit) for bit in cards.positions(bits)]

    def _find(self, receiver: int, word: str, pool: int) -> int | None:
        """Return the lowest position in the pool with that name: equal cards have equal names."""
        first = None if receiver == NOBODY else self.rules.parse_card(word)
        if first is not None and pool >> first & 1:
            return first
        return next((bit for bit in cards.positions(pool) if self._named(receiver, 1 << bit) == [word]), None)


SEATS = tuple(cards.positions(seats) for seats in range(2 << DEALER))
"""The seats by their bits: `SEATS[0b101]` is `(0, 2)`."""


@cache  # the logs of all tables consist of these few events
def _dealt_events(seat: int, number: int) -> tuple[Event, ...]:
    return (Message("dealt", {"seat": seat, "number": number}),)
