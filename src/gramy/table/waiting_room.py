"""What people arrange before the first cards are dealt: bots, settings, names, and who runs the table.

These are pure transitions, like those of `state.py`. They are refused once the deal has begun, so no commitment to a
client seed is ever made for another number of seats or for other variants (docs/fairness.md).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from gramy import games
from gramy.bots import bot
from gramy.contract import Game
from gramy.errors import BadOptions
from gramy.fair import Deal
from gramy.messages import Message
from gramy.table.clock import TimeControl
from gramy.table.dealing import WAIT, exchange_of, phase_of
from gramy.table.names import nickname
from gramy.table.people import next_person
from gramy.table.seat import BOT, OPEN, PERSON, Seat, other_names
from gramy.table.state import (
    Moment,
    Refused,
    TableState,
    named,
    ready_deal,
    stand_in,
    unseeded_deal,
    with_seat,
)
from gramy.table.store import CLOSED, WAITING


def set_bot(state: TableState, moment: Moment, *, opener: int, seat: int, level: str | None) -> TableState:
    """Give an open seat to a bot, change a bot's level, or with None open the bot's seat again.

    When the last open seat becomes a bot's, the match waits for `start`, so that the opener can change their mind.
    """
    _check_opener(state, opener)
    _check_waiting(state)
    if seat >= len(state.seats) or state.seats[seat].kind == PERSON:
        raise Refused(Message("seat_taken", {"number": seat + 1}))
    if level == state.seats[seat].level:
        return state
    changed = with_seat(state, moment, seat, Seat() if level is None else _bot_seat(state, seat, level))
    return _held_if_full(changed)


def start(state: TableState, moment: Moment, *, opener: int, bots: str | None) -> TableState:
    """Begin now: bots of this level take the open seats or, with None, the open seats are removed.

    People who have been away for a while keep their seats, and bots stand in until they are back. Right after a change
    of the settings a start is refused if others sit here: nobody plays by rules that they had no time to see.
    """
    _check_opener(state, opener)
    if state.match is not None or (state.status == WAITING and phase_of(state) != WAIT):
        return state  # it has begun
    _check_waiting(state)
    others = any(seat.kind == PERSON for number, seat in enumerate(state.seats) if number != opener)
    if others and moment.date < state.people.configured + moment.settings_shown:
        raise Refused(Message("settings_just_changed"))
    for seat in [number for number, one in enumerate(state.seats) if one.kind == OPEN and bots is not None]:
        state = with_seat(state, moment, seat, _bot_seat(state, seat, bots or ""))
    for seat in sorted(moment.overdue - {opener}):  # before seats are removed: the moment has the numbers of now
        if seat < len(state.seats) and state.seats[seat].kind == PERSON:
            state = stand_in(state, moment, seat=seat, reason="others")
    if not state.is_full:
        state = _resized(state, _game_for_those_here(state))
    return replace(state, people=replace(state.people, held=False), touched=moment.date)


def configure(
    state: TableState, moment: Moment, *, opener: int, options: Mapping[str, str], control: TimeControl | None
) -> TableState:
    """Change the variants, the number of players and the clock.

    With fewer players, open seats are removed first, then the bots' from the last one on; people keep their order.
    A person never loses a seat: then the change is refused.
    """
    _check_opener(state, opener)
    _check_waiting(state)
    game = games.game(state.game.name, options)
    if game.option_texts == state.game.option_texts and control == state.control:
        return state
    resized = _held_if_full(_resized(state, game))
    people = replace(resized.people, configured=moment.date)
    return replace(resized, control=control, people=people, touched=moment.date)


def rename(state: TableState, moment: Moment, *, seat: int, name: str) -> TableState:
    """Give a person another name. It gets a number if somebody else's looks the same."""
    _check_waiting(state)
    renamed = named(state, seat, nickname(name))
    return renamed if renamed is state else replace(renamed, touched=moment.date)


def hand_over(state: TableState, moment: Moment, *, opener: int, seat: int, name: str | None = None) -> TableState:
    """Let another person run the table. `name` is whom the opener means: somebody else may have taken the seat."""
    if seat == state.people.opener:
        return state
    _check_opener(state, opener)
    heir = state.seats[seat] if seat < len(state.seats) else Seat()
    if heir.kind != PERSON or name not in (None, heir.name) or state.status == CLOSED:
        raise Refused(Message("nobody_to_hand_over"))
    return replace(state, people=replace(state.people, opener=seat), touched=moment.date)


def inherit(state: TableState, moment: Moment) -> TableState:
    """Let the next person who is present run a waiting table whose opener has been away for long."""
    opener = state.people.opener
    if state.status != WAITING or phase_of(state) != WAIT or opener not in moment.gone or opener in moment.present:
        return state
    seat = heir(state, moment.present)
    return state if seat is None else replace(state, people=replace(state.people, opener=seat), touched=moment.date)


def heir(state: TableState, present: Collection[int]) -> int | None:
    """Return the seat of the person who runs the table if its opener does not come back; None if nobody is there."""
    opener = state.people.opener or 0
    return next_person(state.seats, opener, [seat for seat in present if seat != state.people.opener])


def _check_opener(state: TableState, seat: int) -> None:
    if state.people.opener != seat:
        raise Refused(Message("only_opener", {"seat": state.people.opener}))


def _check_waiting(state: TableState) -> None:
    if state.status != WAITING or phase_of(state) != WAIT:
        raise Refused(Message("only_before_deal"))


def _game_for_those_here(state: TableState) -> Game:
    """Return the game with as many players as there are; refuse it when they are too few."""
    taken = sum(seat.kind != OPEN for seat in state.seats)
    try:
        return games.game(state.game.name, {**state.game.option_texts, "players": str(taken)})
    except BadOptions:
        raise Refused(Message("too_few_players")) from None


def _bot_seat(state: TableState, number: int, level: str) -> Seat:
    bot(state.game.name, level)  # raises GramyError if there is no such level
    return Seat.for_bot(number, level, other_names(state.seats, number))


def _held_if_full(state: TableState) -> TableState:
    return replace(state, people=replace(state.people, held=state.is_full))


def _resized(state: TableState, game: Game) -> TableState:
    """Return the state with another game's options, and as many seats as they say. The server's seeds stay."""
    if game.players == len(state.seats):
        return replace(state, game=game)
    if exchange_of(state).voids:  # the record names the seats of the void attempts
        raise Refused(Message("players_fixed"))
    people = sum(seat.kind == PERSON for seat in state.seats)
    if people > game.players:
        raise Refused(Message("too_many_people", {"people": people, "players": game.players}))
    kept = _kept(state, game.players)
    seats = (*(state.seats[number] for number in kept), *(Seat() for _ in range(game.players - len(kept))))
    opener = state.people.opener
    people_after = replace(state.people, opener=None if opener is None else kept.index(opener))
    return replace(state, game=game, seats=seats, people=people_after, deals=_deals(state, game.players))


def _kept(state: TableState, players: int) -> list[int]:
    """Return the seats that stay: the last open seats go first, then the last bots'."""
    kept = list(range(len(state.seats)))
    for kind in (OPEN, BOT):
        for number in [number for number in reversed(kept) if state.seats[number].kind == kind]:
            if len(kept) > players:
                kept.remove(number)
    return kept


def _deals(state: TableState, players: int) -> tuple[Deal, Deal]:
    """Return the deals of the same seeds for another number of players; nobody has committed to anything yet."""
    this, following = (unseeded_deal(deal.seed, players) for deal in state.deals)
    return ready_deal(this, state.id, state.round), following
