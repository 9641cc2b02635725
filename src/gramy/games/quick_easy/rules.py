"""The Game: Quick & Easy, together against the deck. Rules page: docs/rules/quick-easy.md.

Source: the Polish rulebook. Rulings: an empty pile takes any card (A-Q1), an equal number of another colour does not
fit (A-Q2), a player without cards is skipped (A-Q3). A turn always ends by `end`, so that cards can be taken back until
the draw. Talk is part of the rules: `phrases` are all that may be said.

The 50 cards are bits: ten to a colour, so that one comparison of numbers covers all five colours at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gramy.cards import (
    PerSeat,
    Rows,
    bit_of,
    code_of,
    codes,
    contains,
    count,
    lowest,
    number_at,
    replace_at,
    row_of,
    where,
    without,
)
from gramy.contract import DEALER, NOBODY, Outcome
from gramy.messages import Message, Reason

NAME = "quick-easy"
VERSION = 2
OLDER: Mapping[int, Mapping[str, str]] = {1: {"starter": "lot"}}
SECRET: frozenset[str] = frozenset()
COOPERATIVE = True

HAND = 2
DECK = (1 << 50) - 1  # Q1
LOWEST_CARDS = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40  # the lowest card of every colour
UP, DOWN, END = range(3)  # the rows of the menu; the last one has `end` and `start`
START = code_of(END, 1)
PILES = ("up", "down")
COLOURS = ("red", "blue", "green", "yellow", "grey")
LETTERS = "RBGYS"
BANDS = ("low", "lowish", "middle", "highish", "high")
"""Q16: heights that may be named, two numbers each, so that no exact value follows."""


@dataclass(frozen=True)
class Options:
    """The variants in force."""

    players: Literal[2, 3, 4, 5] = 2
    pro: bool = False
    starter: Literal["agreed", "lot"] = "agreed"


class State(NamedTuple):
    """A position. Sets of cards are bits."""

    up: int  # the top card of the rising pile, 0 while it is empty
    down: int  # the top card of the falling pile, 0 while it is empty
    hands: PerSeat
    deck: int
    seat: int  # whose turn it is, NOBODY before the start
    laid: int  # cards laid in this turn
    draw: int  # cards that the dealer must deal to `seat`
    lost: int
    players: int
    pro: int  # whether the pro variant is played
    agreed: int  # whether the players agree on who starts (Q3), 0 for the lot (Q20)


def start(options: Options) -> State:
    """Q3: nothing laid, nothing dealt; the first hand goes to seat 0. Q20: the dealer first draws who starts."""
    agreed = options.starter == "agreed"
    seat, draw = (0, HAND) if agreed else (NOBODY, 0)
    return State(0, 0, (0, 0, 0, 0, 0, 0), DECK, seat, 0, draw, 0, options.players, int(options.pro), int(agreed))


# --- seats to act -----------------------------------------------------------------------------------------------------


def to_act(state: State) -> int:
    if state.lost or won(state):
        return 0
    if state.draw > 0:
        return 1 << DEALER
    if state.seat == NOBODY:
        return (1 << state.players) - 1 if state.agreed else 1 << DEALER  # Q3, Q20
    return 1 << state.seat


def deal_pool(state: State) -> tuple[int, int]:
    if state.seat == NOBODY:
        return (1 << state.players) - 1, 1
    return state.deck, state.draw


def receiver(state: State) -> int:
    return state.seat


def unstarted(state: State) -> bool:
    """Q3: whether nobody has started yet. By lot (Q20) somebody has before the first hand is dealt."""
    return state.seat == NOBODY or (state.agreed == 1 and state.draw > 0 and state.laid == 0)


# --- legal moves ------------------------------------------------------------------------------------------------------


def fits(state: State) -> tuple[int, int]:
    """The cards of the hand that each pile takes."""
    hand = number_at(state.hands, state.seat)
    up, down = takes(state)
    return hand & up, hand & down


def takes(state: State) -> tuple[int, int]:
    """All cards that each pile takes."""
    up, down = DECK, DECK  # Q4: an empty pile takes any
    if state.up:
        top = lowest(state.up)
        up = higher(top % 10) | colour(top // 10)  # Q5
    if state.down:
        top = lowest(state.down)
        down = lower(top % 10) | colour(top // 10)  # Q6
    return up, down


def higher(rank: int) -> int:
    """All cards above a rank, 0 for the ones to 9 for the tens."""
    return ((1 << 10) - (2 << rank)) * LOWEST_CARDS


def lower(rank: int) -> int:
    """All cards below a rank."""
    return ((1 << rank) - 1) * LOWEST_CARDS


def colour(index: int) -> int:
    """All cards of a colour: on its own colour a card may have any number."""
    return 0b1111111111 << 10 * index


def legal_moves(state: State, seat: int) -> Rows:
    if seat != state.seat or state.draw > 0 or state.lost or won(state):
        return 0, 0, (state.seat == NOBODY and state.agreed == 1) << bit_of(START)  # Q3
    if state.laid == 2 - state.pro:  # Q8, Q17
        return 0, 0, 1
    up, down = fits(state)
    return up, down, int(state.laid > 0)


def required(state: State) -> int:
    """Q8: how many cards the player to act must still lay before the turn may end."""
    playing = state.seat != NOBODY and state.draw == 0 and not state.lost and not won(state)
    return int(playing and state.laid == 0)


# --- effect of a move -------------------------------------------------------------------------------------------------


def deal(state: State, picked: int) -> State:
    if state.seat == NOBODY:
        return State(0, 0, state.hands, DECK, lowest(picked), 0, HAND, 0, state.players, state.pro, state.agreed)
    hands = replace_at(state.hands, state.seat, number_at(state.hands, state.seat) | picked)
    if state.agreed and state.laid == 0 and state.seat == state.players - 1:  # Q3: everybody has a first hand
        deck = state.deck & ~picked
        return State(0, 0, hands, deck, NOBODY, 0, 0, 0, state.players, state.pro, state.agreed)
    return turn(
        State(
            state.up,
            state.down,
            hands,
            state.deck & ~picked,
            state.seat,
            0,
            0,
            0,
            state.players,
            state.pro,
            state.agreed,
        )
    )


def turn(state: State) -> State:
    """Pass the turn on: to a first hand to deal (Q3), past empty hands (Q14). If the next player cannot lay a card, all
    lose (Q13)."""
    seat = following(state.seat, state.players)
    while state.deck == 0 and number_at(state.hands, seat) == 0:
        seat = following(seat, state.players)
    draw = HAND if number_at(state.hands, seat) == 0 else 0
    after = State(
        state.up, state.down, state.hands, state.deck, seat, 0, draw, 0, state.players, state.pro, state.agreed
    )
    up, down = fits(after)
    lost = int(draw == 0 and up | down == 0)
    return State(
        state.up, state.down, state.hands, state.deck, seat, 0, draw, lost, state.players, state.pro, state.agreed
    )


def following(seat: int, players: int) -> int:
    """The next seat round the table."""
    return where(seat + 1 < players, seat + 1, 0)


def apply(state: State, seat: int, code: int) -> State:
    row, card = row_of(code), 1 << bit_of(code)
    if row == END:
        if code == START:
            return State(0, 0, state.hands, state.deck, seat, 0, 0, 0, state.players, state.pro, state.agreed)
        draw = draws(state)
        if draw == 0:
            return turn(state)
        return State(
            state.up,
            state.down,
            state.hands,
            state.deck,
            seat,
            state.laid,
            draw,
            0,
            state.players,
            state.pro,
            state.agreed,
        )
    return State(
        where(row == UP, card, state.up),
        where(row == DOWN, card, state.down),
        replace_at(state.hands, seat, number_at(state.hands, seat) & ~card),
        state.deck,
        seat,
        state.laid + 1,
        0,
        0,
        state.players,
        state.pro,
        state.agreed,
    )


def draws(state: State) -> int:
    """How many cards `end` draws: back to two, as far as the deck lasts (Q9, A-Q5)."""
    return min(HAND - count(number_at(state.hands, state.seat)), count(state.deck))


# --- outcome ----------------------------------------------------------------------------------------------------------


def left(state: State) -> int:
    """How many cards are not laid yet."""
    held = 0
    for hand in state.hands:
        held += count(hand)
    return count(state.deck) + held


def won(state: State) -> bool:
    return state.deck == 0 and left(state) == 0  # Q12


def ending(state: State) -> int:
    """Q15: how many cards were laid; 50 is a win."""
    return 50 - left(state)


def winners(state: State) -> int:
    return (1 << state.players) - 1 if won(state) else 0


def outcome(state: State) -> Outcome | None:
    if won(state):
        return Outcome(tuple(range(state.players)), "all_laid", {"laid": 50})
    if state.lost:
        return Outcome((), "stuck", {"seat": state.seat, "laid": ending(state)})
    return None


def undoable(state: State) -> bool:
    return state.laid > 0 and state.draw == 0 and not won(state)


def bound(options: Options) -> int:
    """50 placements, each with at most one end and one draw, a first hand for each seat, and the lot or `start`."""
    return 3 * 50 + options.players + 1


# --- talk -------------------------------------------------------------------------------------------------------------


def phrases(options: Options) -> tuple[str, ...]:
    """Q16: colours, vague heights, `mine` (leave this pile to me), `turn` (I can turn it). Q18: no heights in pro."""
    wishes = tuple(f"{wish} {pile}" for wish in ("mine", "turn") for pile in PILES)
    if options.pro:
        return COLOURS + wishes
    return COLOURS + tuple(f"{name} {band}" for name in COLOURS for band in BANDS) + wishes


def format_card(card: int) -> str:
    """`G8` is the green eight."""
    return f"{LETTERS[card // 10]}{card % 10 + 1}"


def band(card: int) -> str:
    """The height that describes a card truly."""
    return BANDS[card % 10 // 2]


# --- reasons against moves --------------------------------------------------------------------------------------------


def reason(state: State, seat: int, code: int) -> Reason | None:
    return None if contains(legal_moves(state, seat), code) else _why(state, seat, code)


def refusals(state: State, seat: int, menu: Rows) -> dict[int, Reason]:
    """A player may try every card of the hand on both piles, and `end`."""
    hand = state.hands[seat]
    return {code: _why(state, seat, code) for code in codes(without((hand, hand, 1), menu))}


def _why(state: State, seat: int, code: int) -> Reason:
    """Return why a move is not legal."""
    row, card = row_of(code), bit_of(code)
    if state.seat == NOBODY:
        return Message("start_first", {}, NAME)
    if code == START:
        return Message("already_started", {}, NAME)
    if row == END:
        return Message("lay_one", {}, NAME)
    if not state.hands[seat] >> card & 1:
        return Message("not_in_hand", {"card": format_card(card) if DECK >> card & 1 else str(card)}, NAME)
    values: dict[str, object] = {"card": format_card(card)}
    if state.laid == 2 - state.pro:
        return Message("one_card_in_pro" if state.pro else "two_cards_laid", {}, NAME)
    top = lowest((state.up, state.down)[row])
    values |= {"top": format_card(top), "number": top % 10 + 1, "colour": COLOURS[top // 10]}
    if values["number"] == (10 if row == UP else 1):
        return Message("only_colour", values, NAME)
    return Message("too_low" if row == UP else "too_high", values, NAME)
