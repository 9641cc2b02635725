"""The board as each seat sees it, and the public events of a move."""

from functools import cache

from gramy.cards import Rows, bit_of, positions, row_of
from gramy.contract import NOBODY
from gramy.games.gra.notation import chosen_faces, format_card
from gramy.games.gra.rules import (
    CHECK,
    CHOOSE,
    NAME,
    OVER,
    PHASES,
    RIGHT,
    START,
    VALUES,
    State,
    declaring,
    holds,
    in_play,
    tally,
)  # fmt: skip
from gramy.messages import Event, Message, Payload


class Standing(Payload, frozen=True):
    """The bid to beat or to check."""

    number: int
    value: int
    bidder: int


class Shown(Payload, frozen=True):
    """One seat's cards and the faces that count, in hand order."""

    cards: tuple[str, ...]
    faces: tuple[int, ...]


class Board(Payload, frozen=True):
    """The table as a seat sees it. `turn` opens or bids; `hand` is the seat's own, without faces until it has chosen.
    `revealed` has all hands when the match is over. Between rounds an event reveals them: the cards are in the deck."""

    phase: str
    turn: int | None
    way: str
    bid: Standing | None
    ones_are_jokers: bool
    in_play: int
    sizes: tuple[int, ...]
    active: tuple[int, ...]
    tie_break: bool
    ready: tuple[int, ...]
    hand: Shown | None
    revealed: tuple[Shown, ...] | None


def board(state: State, seat: int | None) -> Board:
    """Hand sizes, bids and confirmed seats are public (C7, G9); cards and faces only after a check (G10)."""
    bid, players = state.bid, state.variant.players
    chosen = seat is not None and state.ready >> seat & 1 == 1
    return Board(
        phase=PHASES[state.phase],
        turn=None if state.turn == NOBODY else state.turn,
        way="left" if state.step == 1 else "right",
        bid=Standing(bid.number, bid.value, bid.bidder) if bid.number else None,
        ones_are_jokers=state.variant.jokers == 1 and bid.opened != 1,
        in_play=in_play(state.score),
        sizes=state.score.sizes[:players],
        active=positions(state.score.active),
        tie_break=state.score.tie == 1,
        ready=positions(state.ready),
        hand=None if seat is None else _shown(state, seat, chosen),
        revealed=tuple(_shown(state, one, True) for one in range(players)) if state.phase == OVER else None,
    )


def _shown(state: State, seat: int, chosen: bool) -> Shown:
    hand = state.hands[seat]
    cards = tuple(format_card(card) for card in positions(hand))
    return Shown(cards, chosen_faces(hand, state.picks[seat]) if chosen else ())


def effects(state: State, seat: int, menu: Rows) -> tuple[()]:
    """Nothing: the effect of a choice, a bid or a check depends on hidden cards."""
    return ()


def events(before: State, seat: int, code: int, after: State) -> tuple[Event, ...]:
    row, number = row_of(code), bit_of(code)
    if row == CHOOSE:
        return _chose(seat)
    if code == START:
        return _started(seat)
    if row != CHECK:
        return _bid(seat, number, row, declaring(before))
    return (*_reveal(before, seat), *_scored(before, after))


@cache  # the logs of all tables consist of these few events
def _chose(seat: int) -> tuple[Event, ...]:
    return (Message("chose", {"seat": seat}, NAME),)


@cache
def _started(seat: int) -> tuple[Event, ...]:
    return (Message("starts", {"seat": seat}),)


@cache
def _bid(seat: int, number: int, row: int, declared: bool) -> tuple[Event, ...]:
    way = ("right" if row >= RIGHT else "left") if declared else None
    return (Message("bid", {"seat": seat, "number": number, "value": row % VALUES + 1, "way": way}, NAME),)


def _reveal(before: State, checker: int) -> list[Event]:
    bid, players = before.bid, before.variant.players
    asked = {"number": bid.number, "value": bid.value}
    hands = [_shown(before, seat, True) for seat in range(players)]
    found = {"hands": hands, "count": tally(before, bid.value), "holds": holds(before)}
    return [
        Message("checked", {"seat": checker, "bidder": bid.bidder, **asked}, NAME),
        Message("revealed", {**asked, **found}, NAME),
    ]


def _scored(before: State, after: State) -> list[Event]:
    loser = before.turn if holds(before) else before.bid.bidder
    facts = [Message("round_lost", {"seat": loser, "size": after.score.sizes[loser]}, NAME)]
    gone = before.score.active & ~after.score.active
    if before.score.tie or before.variant.longer:
        facts += [Message("eliminated", {"seat": seat}, NAME) for seat in positions(gone)]
    elif after.score.tie and after.phase != OVER:
        facts.append(Message("tie_break", {"seats": list(positions(after.score.active))}, NAME))
    return facts
