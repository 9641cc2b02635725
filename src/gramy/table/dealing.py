"""How the cards of a round come about at a table: commitments, then client seeds, then the deal.

The phases are pure transitions, like those of `state.py`. The clients commit when the table is full and not before, so
the time between a commitment and its reveal is short. `Table` calls `proceed` after every transition, and `rounds.py`
calls `close_list` and `void_attempt` when a wait is over. `gramy.fair` explains what is exchanged and why.
"""

from __future__ import annotations

from msgspec.structs import replace

from gramy.fair import NO_COMMITMENT, Deal, Exchange, SeededDealer, VoidAttempt, client_commitment
from gramy.matches import Match
from gramy.messages import Message
from gramy.table.clock import Clock, timed_seats
from gramy.table.seat import PERSON, Seat
from gramy.table.state import Moment, Refused, TableState, ready_deal, unseeded_deal
from gramy.table.store import FINISHED, PLAYING, WAITING

WAIT, COMMIT, REVEAL, DEALT = "wait", "commit", "reveal", "dealt"
"""The phases of a deal: until the table is ready (`TableState.is_ready`), until the list of commitments is closed,
until all client seeds are revealed, and from then on."""


def phase_of(state: TableState) -> str:
    """Return the phase of this round's deal."""
    if state.match is not None:
        return DEALT
    if state.status != WAITING or not state.is_ready:
        return WAIT
    return REVEAL if exchange_of(state).closed else COMMIT


def deal_of(state: TableState) -> Deal:
    """Return this round's deal, with an exchange while it is collected: an older version stored none."""
    deal = state.deals[0]
    return deal if deal.exchange or state.match is not None else ready_deal(deal, state.id, state.round)


def exchange_of(state: TableState) -> Exchange:
    """Return the exchange of the deal that is being collected."""
    exchange = deal_of(state).exchange
    assert exchange is not None
    return exchange


def commit(
    state: TableState,
    moment: Moment,
    *,
    seat: int,
    round: int,
    attempt: int,
    commitment: str = NO_COMMITMENT,
    made_for: int | None = None,
) -> TableState:
    """Take a client's commitment, once; `-` says that this client takes part without one.

    `made_for` is the seat that the commitment names. A person who has moved meanwhile could never reveal it.
    """
    deal = _deal_at(state, round, attempt)
    exchange = deal and deal.exchange
    if deal is None or exchange is None or made_for not in (None, seat):
        raise Refused(Message("not_collecting"))
    if exchange.commitments[seat] == commitment:
        return state
    if phase_of(state) != COMMIT or seat not in _committers(state):
        raise Refused(Message("not_collecting"))
    if exchange.commitments[seat]:
        raise Refused(Message("already_committed"))
    return _with_deal(state, deal._replace(exchange=_listed(exchange, seat, commitment)))


def reveal(state: TableState, moment: Moment, *, seat: int, round: int, attempt: int, client_seed: str) -> TableState:
    """Take a client seed after the list is closed, if it is the one that the client committed to."""
    deal = _deal_at(state, round, attempt)
    exchange = deal and deal.exchange
    if deal is None or exchange is None:
        raise Refused(Message("not_collecting"))
    if exchange.closed and deal.client_seeds[seat] == client_seed:
        return state
    if phase_of(state) != REVEAL:
        raise Refused(Message("not_collecting"))
    place = exchange.table, round, attempt, seat
    if exchange.commitments[seat] != client_commitment(*place, deal.commitment, client_seed):
        raise Refused(Message("wrong_reveal"))
    seeds = (*deal.client_seeds[:seat], client_seed, *deal.client_seeds[seat + 1 :])
    return _with_deal(state, deal._replace(client_seeds=seeds))


def close_list(state: TableState, moment: Moment, *, round: int, attempt: int) -> TableState:
    """Close the list of commitments: the wait is over. Who has not committed takes part without a client seed."""
    deal = _deal_at(state, round, attempt)
    if deal is None or phase_of(state) != COMMIT:
        return state
    return _closed(state)


def void_attempt(state: TableState, moment: Moment, *, round: int, attempt: int) -> TableState:
    """Begin a new attempt with the next seed, because the wait is over and somebody has not revealed a client seed.

    Bots play this round for those who have forfeited their seats (`TableState.forfeited`). An attempt that costs no
    seat is the first that somebody withheld, so there are at most two void attempts for each person.
    """
    deal = _deal_at(state, round, attempt)
    if deal is None or phase_of(state) != REVEAL or not deal.missing_reveals:
        return state
    exchange = exchange_of(state)
    void = VoidAttempt(deal.seed, exchange.commitments, deal.client_seeds)
    again = ready_deal(state.deals[1], state.id, state.round, (*exchange.voids, void))
    deals = again, unseeded_deal(moment.new_seed(), len(state.seats))
    after = replace(state, deals=deals, touched=moment.date)
    return replace(after, seats=tuple(_played_by_bot(after, seat) for seat in range(len(state.seats))))


def proceed(state: TableState, moment: Moment) -> TableState:
    """Close the list when all have committed, and deal when all have revealed; otherwise return the same state."""
    if state.status != WAITING or not state.is_ready:
        return state
    if not exchange_of(state).closed and not (moment.waits_for_seeds and _awaited(state)):
        state = _closed(state)
    if exchange_of(state).closed and not deal_of(state).missing_reveals:
        return _begin(state, moment)
    return state


def _awaited(state: TableState) -> set[int]:
    """Return the seats whose commitment the list waits for: for a rematch, those that asked for it."""
    exchange = exchange_of(state)
    asked = _committers(state) & (state.rematch or _committers(state))
    return {seat for seat in asked if not exchange.commitments[seat]}


def _committers(state: TableState) -> set[int]:
    """Return the seats that may commit: those that people play themselves in this round."""
    forfeited = state.forfeited
    people = {at for at, seat in enumerate(state.seats) if seat.kind == PERSON and not seat.stand_in}
    return people - forfeited


def _deal_at(state: TableState, round: int, attempt: int) -> Deal | None:
    """Return the deal of this round, None if it is another round or attempt."""
    deal = deal_of(state)
    same = deal.exchange is not None and (deal.exchange.round, deal.exchange.attempt) == (round, attempt)
    return deal if same else None


def _with_deal(state: TableState, deal: Deal) -> TableState:
    return replace(state, deals=(deal, state.deals[1]))


def _listed(exchange: Exchange, seat: int, commitment: str) -> Exchange:
    return exchange._replace(commitments=(*exchange.commitments[:seat], commitment, *exchange.commitments[seat + 1 :]))


def _closed(state: TableState) -> TableState:
    """Close the list. A seat that has become a bot's meanwhile has no commitment: nobody is there to reveal it."""
    deal, exchange = deal_of(state), exchange_of(state)
    commitments = tuple(
        (commitment or NO_COMMITMENT) if seat.kind == PERSON else ""
        for commitment, seat in zip(exchange.commitments, state.seats, strict=True)
    )
    return _with_deal(state, deal._replace(exchange=exchange._replace(commitments=commitments, closed=True)))


def _played_by_bot(state: TableState, number: int) -> Seat:
    seat = state.seats[number]
    return seat._replace(stand_in=True) if seat.kind == PERSON and number in state.forfeited else seat


def _begin(state: TableState, moment: Moment) -> TableState:
    """Deal the first cards."""
    match = Match(state.game, SeededDealer(state.deals[0]), state.names)
    clock = None
    if state.control is not None:
        clock = Clock.start(state.control, len(state.seats), moment.now).press(timed_seats(match), moment.now)
    status = PLAYING if match.outcome is None else FINISHED
    return replace(state, match=match, clock=clock, status=status, rematch=frozenset(), touched=moment.date)
