"""GRA, a game of bluffing (Chris Handy's LIE in Polish). Rules page: docs/rules/gra.md; its numbers are the comments.

Source: the Polish rulebook, which contradicts itself on what a higher bid is (A-G1, option `bid_order`). Rulings: bids
are capped by the cards in play (A-G2), the deck is every pair of faces twice (A-G3), tie-breaks keep the size (A-G6).

A card is one of 30 bits, two for each pair of faces; which face counts is one bit a card in `picks`, in hand order. Six
numbers stand for six seats; eliminated seats are not `active`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gramy.cards import (
    PerSeat,
    Rows,
    bit_of,
    code_of,
    contains,
    count,
    deposit,
    highest,
    lowest,
    number_at,
    per_seat,
    replace_at,
    row_of,
    where,
)
from gramy.contract import DEALER, NOBODY, Outcome
from gramy.messages import Message, Reason

NAME = "gra"
VERSION = 2
OLDER: Mapping[int, Mapping[str, str]] = {1: {"starter": "lot"}}
SECRET = frozenset({"choose"})
COOPERATIVE = False

VALUES = 6
PAIRS = tuple((low, high) for low in range(1, VALUES) for high in range(low + 1, VALUES + 1))
DECK = (1 << 30) - 1  # G2: card 2p and card 2p + 1 both show pair p
LOWER, HIGHER = (
    tuple(sum(0b11 << 2 * at for at, pair in enumerate(PAIRS) if pair[face] == value) for value in range(VALUES + 1))
    for face in (0, 1)
)  # the cards whose lower or higher face is a value
FIRSTS = DECK // 3  # the first card of every pair
FULL = 6  # G12: a player who would draw six has lost
RIGHT, CHOOSE, CHECK = 6, 12, 13  # rows of the menu: six values to the left, six to the right, and two more;
START = code_of(CHECK, 1)  # the last one has `check` and `start`
LOT, DEALING, CHOOSING, BIDDING, OVER, STARTING = range(6)
PHASES = ("lot", "dealing", "choosing", "bidding", "over", "starting")


@dataclass(frozen=True)
class Options:
    """The variants in force; all combine (G20)."""

    players: Literal[2, 3, 4, 5, 6] = 2
    jokers: bool = False
    directions: bool = False
    fewer_cards: bool = False
    longer_game: bool = False
    bid_order: Literal["value_first", "quantity_first"] = "value_first"
    starter: Literal["agreed", "lot"] = "agreed"


class Variant(NamedTuple):
    """The options as numbers."""

    players: int
    jokers: int
    directions: int
    fewer: int
    longer: int
    quantity_first: int


class Score(NamedTuple):
    """How many cards each seat draws, the seats still in play, and whether a tie is being broken."""

    sizes: PerSeat
    active: int
    tie: int


class Bid(NamedTuple):
    """The standing bid; `opened` is the value that the round was opened on. All zero before the first bid."""

    number: int
    value: int
    bidder: int
    opened: int


class State(NamedTuple):
    """`turn` is to bid, or will open the round that is being prepared; `step` is 1 to the left, -1 to the right."""

    phase: int
    turn: int
    step: int
    bid: Bid
    hands: PerSeat
    picks: PerSeat
    ready: int
    score: Score
    variant: Variant


NO_BID = Bid(0, 0, 0, 0)
NONE = (0, 0, 0, 0, 0, 0)


def start(options: Options) -> State:
    """G3: everybody has one card to draw, with `fewer_cards` five (G18); who starts is agreed, or drawn (G22)."""
    variant = Variant(
        options.players,
        int(options.jokers),
        int(options.directions),
        int(options.fewer_cards),
        int(options.longer_game),
        int(options.bid_order == "quantity_first"),
    )
    sizes = per_seat([5 if options.fewer_cards else 1] * options.players)
    score = Score(sizes, (1 << options.players) - 1, 0)
    phase = STARTING if options.starter == "agreed" else LOT
    return State(phase, NOBODY, 1, NO_BID, NONE, NONE, 0, score, variant)


# --- seats to act -----------------------------------------------------------------------------------------------------


def to_act(state: State) -> int:
    if state.phase == OVER:
        return 0
    if state.phase == CHOOSING:
        return state.score.active & ~state.ready
    if state.phase == BIDDING:
        return 1 << state.turn
    return state.score.active if state.phase == STARTING else 1 << DEALER  # G3


def deal_pool(state: State) -> tuple[int, int]:
    if state.phase == LOT:
        return state.score.active, 1
    deck = DECK
    for hand in state.hands:
        deck &= ~hand
    return deck, number_at(state.score.sizes, receiver(state))


def receiver(state: State) -> int:
    """The first active seat without cards."""
    waiting = state.score.active & ~holders(state.hands)
    return NOBODY if state.phase == LOT or waiting == 0 else lowest(waiting)


def holders(hands: PerSeat) -> int:
    """The seats that have cards."""
    seats = 0
    for seat in range(6):
        seats |= int(hands[seat] != 0) << seat
    return seats


# --- legal moves ------------------------------------------------------------------------------------------------------


def in_play(score: Score) -> int:
    """G9: all cards of the active players together, the most that can be bid."""
    cards = 0
    for seat in range(6):
        cards += score.sizes[seat] if score.active >> seat & 1 else 0
    return cards


def higher(bid: Bid, value: int, most: int, quantity_first: int) -> int:
    """G8: the numbers that may be bid on a value, as bits 1..most."""
    allowed = (2 << most) - 2
    more, as_many = allowed & -(2 << bid.number), allowed & -(1 << bid.number)
    on_higher = where(quantity_first == 1, as_many, allowed)  # G6: any opening, because no bid has the value 0
    on_lower = where(quantity_first == 1, more, 0)
    return where(value == bid.value, more, where(value > bid.value, on_higher, on_lower))


def legal_moves(state: State, seat: int) -> Rows:
    if state.phase == CHOOSING and state.score.active >> seat & 1:
        ways = (1 << (1 << number_at(state.score.sizes, seat))) - 1  # G5: any combination of faces,
        if state.ready >> seat & 1:
            ways &= ~(1 << number_at(state.picks, seat))  # and another one until everybody has confirmed (A-G15)
        return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ways, 0
    if state.phase != BIDDING or seat != state.turn:
        return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (state.phase == STARTING) << bit_of(START)  # G3
    bid, most, order = state.bid, in_play(state.score), state.variant.quantity_first
    ones, twos, threes = higher(bid, 1, most, order), higher(bid, 2, most, order), higher(bid, 3, most, order)
    fours, fives, sixes = higher(bid, 4, most, order), higher(bid, 5, most, order), higher(bid, 6, most, order)
    if bid.number > 0:
        return ones, twos, threes, fours, fives, sixes, 0, 0, 0, 0, 0, 0, 0, 1  # G7
    if declaring(state):
        return ones, twos, threes, fours, fives, sixes, ones, twos, threes, fours, fives, sixes, 0, 0
    return ones, twos, threes, fours, fives, sixes, 0, 0, 0, 0, 0, 0, 0, 0


def declaring(state: State) -> bool:
    """G17: the opening bid names a direction; between two players it would change nothing (A-G9)."""
    return state.variant.directions == 1 and state.bid.number == 0 and count(state.score.active) > 2


# --- effect of a move -------------------------------------------------------------------------------------------------


def deal(state: State, picked: int) -> State:
    if state.phase == LOT:
        return prepared(state.score, lowest(picked), state.variant)
    pool, _ = deal_pool(state)
    hands = replace_at(state.hands, receiver(state), alike(pool, picked))
    after = State(DEALING, state.turn, 1, NO_BID, hands, NONE, 0, state.score, state.variant)
    if receiver(after) != NOBODY:
        return after
    return State(CHOOSING, state.turn, 1, NO_BID, hands, NONE, 0, state.score, state.variant)


def alike(pool: int, picked: int) -> int:
    """The picked cards, where of two equal ones the first goes first: equal cards make equal states."""
    first, second = picked & FIRSTS, picked >> 1 & FIRSTS
    both, one = first & second, first ^ second
    there = pool & FIRSTS
    return both | one & there | (both | one & ~there) << 1


def prepared(score: Score, starter: int, variant: Variant) -> State:
    """G4: a new round, all cards back in the deck."""
    return State(DEALING, starter, 1, NO_BID, NONE, NONE, 0, score, variant)


def apply(state: State, seat: int, code: int) -> State:
    row, bit = row_of(code), bit_of(code)
    if row == CHECK:
        return prepared(state.score, seat, state.variant) if code == START else scored(state, holds(state))
    if row == CHOOSE:
        picks, ready = replace_at(state.picks, seat, bit), state.ready | 1 << seat
        phase = BIDDING if ready == state.score.active else CHOOSING  # G5: locked when the last one has confirmed
        return State(phase, state.turn, 1, NO_BID, state.hands, picks, ready, state.score, state.variant)
    step = where(row >= RIGHT, -1, state.step)
    value = row % VALUES + 1
    bid = Bid(bit, value, seat, where(state.bid.number == 0, value, state.bid.opened))
    turn = following(seat, step, state.score.active)
    return State(BIDDING, turn, step, bid, state.hands, state.picks, state.ready, state.score, state.variant)


def following(seat: int, step: int, active: int) -> int:
    """The next active seat in a direction; the table twice side by side shows it without going round."""
    table = active | active << 6
    left = seat + 1 + lowest(table >> seat + 1)
    right = highest(table & (1 << seat + 6) - 1)
    found = where(step == 1, left, right)
    return where(found < 6, found, found - 6)


def tally(state: State, value: int) -> int:
    """G10: how many chosen faces count for a value. G16: ones count for all, unless the round was opened on ones."""
    low, high = 0, 0  # the cards whose lower or higher face is chosen
    for seat in range(6):
        turned = deposit(state.picks[seat], state.hands[seat])
        low |= state.hands[seat] & ~turned
        high |= turned
    found = count(low & number_at(LOWER, value) | high & number_at(HIGHER, value))
    if state.variant.jokers and state.bid.opened != 1 and value != 1:
        found += count(low & LOWER[1])  # a one is never the higher face
    return found


def holds(state: State) -> bool:
    """G10: whether the standing bid is true."""
    return tally(state, state.bid.value) >= state.bid.number


def scored(state: State, true: bool) -> State:
    """The result of a check: the next starter (G11), a hand size, an elimination, a tie-break, the end."""
    variant, (sizes, active, tie) = state.variant, state.score
    winner, loser = (state.bid.bidder, state.turn) if true else (state.turn, state.bid.bidder)
    if tie:
        active &= ~(1 << loser)  # G14
    else:
        size = number_at(sizes, loser) + (-1 if variant.fewer else 1)  # G11, G18
        sizes = replace_at(sizes, loser, size)
        if size == (0 if variant.fewer else FULL):
            active = active & ~(1 << loser) if variant.longer else best(sizes, active, variant.fewer)  # G19, G13
            tie = int(not variant.longer and count(active) > 1)
    score = Score(sizes, active, tie)
    if count(active) == 1:
        return State(OVER, winner, 1, state.bid, state.hands, state.picks, state.ready, score, variant)
    starter = winner if active >> winner & 1 else following(winner, 1, active)  # G14, A-G7
    return prepared(score, starter, variant)


def best(sizes: PerSeat, active: int, fewer: int) -> int:
    """G13: the seats with the fewest cards, with `fewer_cards` the most (G18)."""
    record = 0 if fewer else FULL
    seats = 0
    for seat in range(6):
        size = sizes[seat]
        if active >> seat & 1 and (size > record if fewer else size < record):
            record, seats = size, 1 << seat
        elif active >> seat & 1 and size == record:
            seats |= 1 << seat
    return seats


# --- outcome ----------------------------------------------------------------------------------------------------------


def ending(state: State) -> int:
    """The winner's seat: the one that is left."""
    return lowest(state.score.active)


def winners(state: State) -> int:
    return state.score.active if state.phase == OVER else 0


def outcome(state: State) -> Outcome | None:
    if state.phase != OVER:
        return None
    winner, fewer = ending(state), state.variant.fewer
    if state.variant.longer:
        return Outcome((winner,), "last_one_left")
    sizes = state.score.sizes[: state.variant.players]
    values = {"cards": sizes[winner], "loser": sizes.index(0 if fewer else FULL)}
    if state.score.tie:
        return Outcome((winner,), "tie_break_won", values)  # G14
    return Outcome((winner,), "most_cards" if fewer else "fewest_cards", values)


def undoable(state: State) -> bool:
    """Never: a bid cannot be unsaid, and faces are changed by choosing again."""
    return False


def phrases(options: Options) -> tuple[str, ...]:
    return ()


def bound(options: Options) -> int:
    """At most five lost rounds a seat until it is out or all is over, then fewer rounds than seats to break a tie; a
    round is at most a deal and a choice for each seat, six bids for each card in play, and a check. And who starts."""
    players = options.players
    rounds = 5 * players + players - 1
    return rounds * (2 * players + VALUES * 5 * players + 1) + 1


# --- reasons against moves --------------------------------------------------------------------------------------------


def refusals(state: State, seat: int, menu: Rows) -> dict[int, Reason]:
    """None: interfaces show only the legal bids, so a player tries nothing else."""
    return {}


def reason(state: State, seat: int, code: int) -> Reason | None:
    if contains(legal_moves(state, seat), code):
        return None
    row, number = row_of(code), bit_of(code)
    most = in_play(state.score)
    if state.phase == STARTING:
        return Message("start_first", {}, NAME)
    if code == START:
        return Message("already_started", {}, NAME)
    if state.phase == CHOOSING:
        return Message("same_faces" if row == CHOOSE else "choose_first", {}, NAME)
    if row == CHOOSE:
        return Message("faces_locked", {}, NAME)
    if row == CHECK:
        return Message("nothing_to_check", {}, NAME)
    if not 1 <= number <= most:
        return Message("bid_out_of_range", {"most": most}, NAME)
    if row >= RIGHT:
        return Message("no_direction_now", {}, NAME)
    standing = {"number": state.bid.number, "value": state.bid.value}
    if (state.bid.number, state.bid.value) == (most, VALUES):
        return Message("must_check", standing, NAME)  # A-G2
    if state.variant.quantity_first:
        return Message("bid_higher_quantity_first", standing, NAME)
    return Message("bid_more" if state.bid.value == VALUES else "bid_higher_value_first", standing, NAME)
