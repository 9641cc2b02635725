"""A table as one frozen value, and everything that may happen to it as pure functions.

A transition takes the state, the `Moment` and its own arguments, and returns the next state. It raises GramyError when
it is not possible, and returns the same object when there is nothing to change. It never waits, reads no clock and
touches nothing else: `table.py` stores the new state and shows it to people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gramy.contract import Game
from gramy.errors import GramyError
from gramy.fair import Deal, Exchange, VoidAttempt, table_hash
from gramy.matches import Entry, Match
from gramy.messages import Message
from gramy.table.clock import Clock, TimeControl, timed_seats
from gramy.table.names import begins_like_a_bot, confusable, distinct
from gramy.table.people import NOBODY, People
from gramy.table.seat import BOT, OPEN, PERSON, STAND_IN_LEVEL, Seat, other_names
from gramy.table.store import ABANDONED, CLOSED, FINISHED, PLAYING, WAITING

LONG_LOG = 4000
"""From this many lines on, a log grows only by moves that the match needs: no talk, no undo, no changed choice."""
TOUCH_EVERY = 60.0
"""Seconds between two updates of `touched` by moves, so that the store's index on it need not follow each move."""


NO_SEATS: frozenset[int] = frozenset()


class Refused(GramyError):
    """The table cannot do that now. Illegal moves are refused by the game itself."""


class TableState(Struct, frozen=True):
    """Everything about a table that is stored. Nothing in it is ever changed in place, the match included."""

    id: str
    game: Game
    seats: tuple[Seat, ...]
    deals: tuple[Deal, Deal]  # the seeds of this round and of the next one
    touched: float  # when something last happened here, in calendar seconds
    public: bool = False
    control: TimeControl | None = None
    status: str = WAITING
    round: int = 1
    match: Match | None = None
    clock: Clock | None = None
    rematch: frozenset[int] = frozenset()  # the seats that asked for another round, until its cards are dealt
    people: People = NOBODY  # who opened the table, who is blocked, and votes about absent players
    revision: int = 0  # of the stored table; 0 before it is stored

    @property
    def is_over(self) -> bool:
        """Whether the round has ended, by its rules or early."""
        return self.status == FINISHED or self.ended_early

    @property
    def ended_early(self) -> bool:
        """Whether the round was abandoned, or the host has closed the table."""
        return self.status in (ABANDONED, CLOSED)

    @property
    def is_full(self) -> bool:
        """Whether nobody else can sit down."""
        return all(seat.kind != OPEN for seat in self.seats)

    @property
    def is_ready(self) -> bool:
        """Whether the cards may be dealt: the table is full, and does not wait for the opener's start."""
        return self.is_full and not self.people.held

    @property
    def forfeited(self) -> frozenset[int]:
        """The seats that bots play in this round because their players withheld a client seed.

        It costs the seat when others had revealed theirs. When nobody had, it was probably the line to the server, and
        only the second time costs the seat: otherwise a server could claim that, and draw again as often as it likes.
        """
        exchange = self.deals[0].exchange
        if exchange is None or not exchange.voids or self.is_over:
            return NO_SEATS
        withheld = Counter(seat for void in exchange.voids for seat in void.withheld)
        after_others = {seat for void in exchange.voids if any(void.client_seeds) for seat in void.withheld}
        return frozenset(seat for seat, times in withheld.items() if times > 1 or seat in after_others)

    @property
    def names(self) -> list[str]:
        """The players' names, in the order of the seats."""
        return [seat.name for seat in self.seats]

    @property
    def allows_hints(self) -> bool:
        """Whether a hint is fair: there is no clock, no bot account, and all opponents are bots of this server."""
        people = [seat.bot_account for seat in self.seats if seat.kind == PERSON]
        return self.control is None and not any(people) and (len(people) == 1 or self.game.rules.COOPERATIVE)

    def seat_of(self, token: str | None, guest: str | None) -> int | None:
        """Return the seat that belongs to a token's hash or, without a token, to a guest."""
        for number, seat in enumerate(self.seats):
            if seat.kind == PERSON and (seat.token == token if token is not None else guest and seat.guest == guest):
                return number
        return None

    def owner(self, seat: int) -> str | None:
        """Return the hash of a seat's token; None if nobody has one, or the seat does not exist any more."""
        return self.seats[seat].token if seat < len(self.seats) else None

    def bots_to_act(self, now: float) -> list[int]:
        """Return the seats to act that a bot plays: its own, an absent person's, or one whose time is up."""
        if self.status != PLAYING or self.match is None:
            return []
        expired = self.clock.expired(now) if self.clock else ()
        return [seat for seat in self.match.to_act if seat in expired or self.seats[seat].bot_level is not None]

    def only_match_differs(self, other: TableState) -> bool:
        """Whether the two states differ in nothing but the moves of one round and what follows from them."""
        mine, its = self.match, other.match
        same = self.seats is other.seats and self.deals is other.deals and self.rematch is other.rematch
        same = same and self.people is other.people
        return same and mine is not None and its is not None and self.round == other.round and not self.ended_early


class Moment(NamedTuple):
    """The inputs of a transition besides the state: the time, who is present, and a source of new seeds."""

    now: float  # monotonic seconds, for clocks
    date: float  # calendar seconds
    new_seed: Callable[[], str]
    present: frozenset[int] = frozenset()  # seats with an open view on any server
    expected: frozenset[int] = frozenset()  # the same, and seats that were left so recently that they may come back
    overdue: frozenset[int] = frozenset()  # seats that have been absent for so long that the others may decide
    waits_for_seeds: bool = True  # whether a round waits for the clients' commitments
    gone: frozenset[int] = frozenset()  # seats that have been absent for so long that another person runs the table
    settings_shown: float = 0.0  # for so many seconds all see changed settings before a start


Step: TypeAlias = Callable[[TableState, Moment], TableState]
"""A transition whose own arguments are bound already, for example by `functools.partial`."""


def for_owner(state: TableState, moment: Moment, *, seat: int, token: str | None, step: Step) -> TableState:
    """Make a change for the owner of a seat; refuse it when the seat has another owner by now."""
    if refused := owner_refusal(state, seat, token):
        raise Refused(refused)
    return step(state, moment)


def owner_refusal(state: TableState, seat: int, token: str | None) -> Message | None:
    """Return why the former owner of a seat cannot act for it: they lost it, or sit in another one; otherwise None."""
    if seat < len(state.seats) and state.seats[seat].token == token:
        return None
    moved = token is not None and state.seat_of(token, None) is not None
    return Message("too_late" if moved else "spectators_watch")


def by_person(state: TableState, moment: Moment, *, seat: int, step: Step) -> TableState:
    """Let a person play; refuse it when a bot plays this round because their client seed was withheld."""
    if seat in state.forfeited:
        raise Refused(Message("bot_plays_round"))
    return step(state, moment)


def unseeded_deal(seed: str, seats: int) -> Deal:
    """Return a deal from a seed, before any client has added a seed of its own."""
    return Deal(seed, ("",) * seats)


def ready_deal(deal: Deal, table: str, round: int, voids: tuple[VoidAttempt, ...] = ()) -> Deal:
    """Return a deal of a round whose clients have not committed to anything yet."""
    nobody = ("",) * len(deal.client_seeds)
    return Deal(deal.seed, nobody, Exchange(table_hash(table), round, nobody, voids=voids))


def with_seat(state: TableState, moment: Moment, number: int, seat: Seat) -> TableState:
    """Return the state with another owner of a seat, or with the same one in another condition."""
    seats = (*state.seats[:number], seat, *state.seats[number + 1 :])
    return replace(state, seats=seats, people=state.people.seated(number, seats), touched=moment.date)


# --- sitting down and leaving -----------------------------------------------------------------------------------------


def sit(
    state: TableState,
    moment: Moment,
    *,
    name: str,
    guest: str,
    token: str,
    wanted: int | None = None,
    another: bool = False,
) -> TableState:
    """Give an open seat to a person. `token` is a hash."""
    if state.seat_of(token, None) is not None:
        return state  # it was stored before, and only the answer was lost
    if guest in state.people.blocked:
        raise Refused(Message("removed_from_table"))
    if not another and (taken := state.seat_of(None, guest)) is not None:
        raise Refused(Message("already_seated", {"number": taken + 1}))
    free = [number for number, seat in enumerate(state.seats) if seat.kind == OPEN]
    if wanted is not None and wanted not in free:
        raise Refused(Message("seat_taken", {"number": wanted + 1}))
    if not free or state.status == CLOSED:
        raise Refused(Message("table_full"))
    number = free[0] if wanted is None else wanted
    seated = with_seat(state, moment, number, Seat(PERSON, guest=guest, token=token))
    return named(replace(seated, people=replace(seated.people, held=False)), number, name)


def named(state: TableState, number: int, name: str) -> TableState:
    """Return the state with a person's name, distinct from the others. Bots whose names are like it get other names."""
    others = [seat for at, seat in enumerate(state.seats) if seat.kind == PERSON and at != number]
    people = [seat.name for seat in others] + [f"Bot {seat.name}" for seat in others if seat.bot_account]
    seats = list(state.seats)
    if not seats[number].bot_account and begins_like_a_bot(name):
        raise Refused(Message("name_of_a_bot"))
    seats[number] = seats[number]._replace(name=name and distinct(name, people))
    for at, seat in enumerate(seats):
        if name and seat.kind == BOT and confusable(seat.name, seats[number].name):
            seats[at] = Seat.for_bot(at, seat.level or STAND_IN_LEVEL, other_names(seats, at))
    return state if tuple(seats) == state.seats else replace(state, seats=tuple(seats))


def leave(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Open the seat again while the table waits. During a match a bot stands in; without other people it ends.

    From the closed list of commitments on, a deal counts as a match: leaving must not be a way to another deal.
    """
    if state.is_over:
        return state
    exchange = state.deals[0].exchange
    if state.match is None and state.round == 1 and not (exchange and exchange.closed) and seat not in state.forfeited:
        return _without_commitments(with_seat(state, moment, seat, Seat()))
    others = {number for number, one in enumerate(state.seats) if one.kind == PERSON and number != seat}
    return stand_in(state, moment, seat=seat) if others & moment.expected else abandon(state, moment)


def _without_commitments(state: TableState) -> TableState:
    """Drop all commitments: nobody commits before the table is full, so that the wait for the reveals is short."""
    deal, next_deal = state.deals
    voids = deal.exchange.voids if deal.exchange else ()
    return replace(state, deals=(ready_deal(deal, state.id, state.round, voids), next_deal))


def give_up(state: TableState, moment: Moment, *, seat: int, guest: str) -> TableState:
    """Leave for good, if the seat is this guest's: nothing of them stays, and during a match it becomes a bot's."""
    if seat >= len(state.seats) or state.seats[seat].guest != guest:
        return state
    left = leave(state, moment, seat=seat)
    if left.is_over or left.seats[seat].kind == OPEN:
        return left
    return give_seat_to_bot(left, moment, seat)


def give_seat_to_bot(state: TableState, moment: Moment, seat: int) -> TableState:
    """Make a person's seat a bot's for good."""
    bots = with_seat(state, moment, seat, Seat.for_bot(seat, STAND_IN_LEVEL, other_names(state.seats, seat)))
    return replace(bots, match=None if bots.match is None else bots.match.named(bots.names))


def stand_in(state: TableState, moment: Moment, *, seat: int, reason: str = "left") -> TableState:
    """Let a bot play for an absent person."""
    if state.seats[seat].stand_in:
        return state
    lines = len(state.match.log) if state.match else 0
    return with_seat(state, moment, seat, state.seats[seat].left_to_bot(reason, moment.date, state.round, lines))


def come_back(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Take the seat back from the bot that stood in, except after a withheld client seed."""
    if seat >= len(state.seats) or not state.seats[seat].stand_in or seat in state.forfeited:
        return state
    log = state.match.log if state.match else []
    return with_seat(state, moment, seat, state.seats[seat].taken_back(seat, state.round, log))


def abandon(state: TableState, moment: Moment) -> TableState:
    """End the match without a result."""
    return replace(state, status=ABANDONED, touched=moment.date)


# --- moves, undo and talk ---------------------------------------------------------------------------------------------


def play(state: TableState, moment: Moment, *, seat: int, at: int, move: str, round: int | None = None) -> TableState:
    """Make a move that was decided when the log had `at` lines."""
    if (match := _match_to_change(state, seat, at, round, move)) is None:
        return state
    if len(match.log) >= LONG_LOG and seat not in match.to_act:
        raise Refused(Message("talk_limit_reached"))
    ahead = match.copy()
    ahead.play(move, seat)
    return _advanced(state, moment, ahead)


def undo(state: TableState, moment: Moment, *, seat: int, at: int, round: int | None = None) -> TableState:
    """Take a seat's last move back, as decided when the log had `at` lines."""
    if (match := _match_to_change(state, seat, at, round, "undo")) is None:
        return state
    ahead = _short_enough(match).copy()
    ahead.undo(seat)
    return _advanced(state, moment, ahead)


def say(state: TableState, moment: Moment, *, seat: int, phrase: str, at: int, round: int | None = None) -> TableState:
    """Say a phrase, once however often the client sends it. Talk is in time whatever happened since line `at`."""
    log = state.match.log if state.match else []
    if (seat, f"say {phrase}") in [entry[:2] for entry in log[at:]]:
        return state
    if (match := _match_to_change(state, seat, max(at, len(log)), round, "")) is None:
        return state
    ahead = _short_enough(match).copy()
    ahead.say(phrase, seat)
    return _advanced(state, moment, ahead)


def _match_to_change(state: TableState, seat: int, at: int, round: int | None, text: str) -> Match | None:
    """Return the match that a command decided at line `at` may change, None if the command was carried out already.

    A client that lost the answer sends its command again. Then the first line since `at` that matters is that command.
    """
    log = state.match.log if state.match else []
    timely = round in (None, state.round) and 0 <= at <= len(log)
    since = [entry for entry in log[at:] if not _harmless(entry, seat)] if timely and at < len(log) else []
    if since and since[0][:2] == (seat, " ".join(text.split())):
        return None
    if since or (state.match and not timely):  # also when the moves since then have ended the match
        raise Refused(Message("too_late"))
    if state.status != PLAYING or state.match is None:
        raise Refused(Message("no_match_running"))
    return state.match


def _harmless(entry: Entry, seat: int) -> bool:
    """Whether a line changes nothing about a seat's decision: talk, or what another seat does in secret."""
    return entry.text.startswith("say ") or (entry.reader is not None and entry.reader == entry.seat != seat)


def _short_enough(match: Match) -> Match:
    if len(match.log) >= LONG_LOG:
        raise Refused(Message("talk_limit_reached"))
    return match


def _advanced(state: TableState, moment: Moment, match: Match) -> TableState:
    status = PLAYING if match.outcome is None else FINISHED
    clock = None if state.clock is None else state.clock.press(timed_seats(match), moment.now)
    touched = moment.date if moment.date - state.touched > TOUCH_EVERY else state.touched
    return replace(state, match=match, status=status, clock=clock, touched=touched)


# --- rounds -----------------------------------------------------------------------------------------------------------


def ask_rematch(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Ask for another round; its deal begins when everybody who is present has asked."""
    if not state.is_over or state.status == CLOSED:
        raise Refused(Message("match_not_over" if not state.is_over else "table_closed"))
    if seat not in state.rematch:
        state = replace(state, rematch=state.rematch | {seat}, touched=moment.date)
    return begin_if_agreed(state, moment)


def withdraw_rematch(state: TableState, moment: Moment, *, seat: int) -> TableState:
    """Drop a seat's request for another round because its player has gone; perhaps all who are left have asked."""
    if seat in state.rematch:
        state = replace(state, rematch=state.rematch - {seat})
    return begin_if_agreed(state, moment)


def begin_if_agreed(state: TableState, moment: Moment) -> TableState:
    """Go on to the next round when everybody who is present has asked for it; `dealing.py` deals its cards."""
    present = {number for number in moment.present if state.seats[number].kind == PERSON}
    if not (state.is_over and present and present <= state.rematch):
        return state
    back = replace(state, status=WAITING).forfeited  # their bots played one round only
    seats = tuple(seat._replace(stand_in=seat.stand_in and at not in back) for at, seat in enumerate(state.seats))
    deals = (
        ready_deal(state.deals[1], state.id, state.round + 1),
        unseeded_deal(moment.new_seed(), len(seats)),
    )
    return replace(
        state,
        round=state.round + 1,
        seats=seats,
        deals=deals,
        match=None,
        clock=None,
        status=WAITING,
        touched=moment.date,
    )
