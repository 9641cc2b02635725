"""The Game: Face to Face, a duel. Rules page: docs/rules/face-to-face.md; its paragraph numbers are the comments here.

Source: the Polish and German rulebooks. Departures and rulings: a first card that would leave no second one is refused
(A-F1, option `dead_end`); a single last card loses (A-F2, option `last_card_grace`); a turn always ends by `end`, so
that cards can be taken back until the draw.

A pile is the bit of its top card, a hand and a deck are sets of bits 2..59. `me` is the side whose turn it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from gramy.cards import Rows, bit_of, code_of, contains, count, highest, leaves_one, lowest, positions, row_of, where
from gramy.contract import DEALER, NOBODY, Outcome
from gramy.messages import Message, Reason

NAME = "face-to-face"
VERSION = 1
OLDER: Mapping[int, Mapping[str, str]] = {}
SECRET: frozenset[str] = frozenset()
COOPERATIVE = False

HAND = 6
ROW_UP, ROW_DOWN = 1 << 1, 1 << 60  # F1: the row cards are the 1 and the 60
DECK = (1 << 60) - (1 << 2)  # F1: number cards 2..59
UP, DOWN, HELP_UP, HELP_DOWN, END = range(5)  # the rows of the menu
PILES = ("up", "down", "help-up", "help-down")


@dataclass(frozen=True)
class Options:
    """The variants in force."""

    players: Literal[2] = 2
    dead_end: Literal["reject", "loss"] = "reject"
    last_card_grace: bool = False


class Side(NamedTuple):
    """One player's half of the table."""

    up: int
    down: int
    hand: int
    deck: int


class State(NamedTuple):
    """A position. Sets of cards are bits."""

    me: Side  # the side of the seat whose turn it is
    foe: Side
    seat: int  # whose turn it is, NOBODY before the start
    laid: int  # cards laid in this turn
    helped: int  # whether a card was laid on the opponent's piles in this turn
    draw: int  # cards that the dealer must deal to `seat`
    winner: int  # NOBODY until the match is over
    lenient: int  # whether a move into a dead end is allowed: the option dead_end is "loss"
    grace: int  # whether the option last_card_grace is on


def start(options: Options) -> State:
    """F3: two fresh sides; the dealer's first move names the seat that starts (F4)."""
    side = Side(ROW_UP, ROW_DOWN, 0, DECK)
    return State(side, side, NOBODY, 0, 0, 0, NOBODY, int(options.dead_end == "loss"), int(options.last_card_grace))


# --- seats to act -----------------------------------------------------------------------------------------------------


def to_act(state: State) -> int:
    if state.winner != NOBODY:
        return 0
    if state.seat == NOBODY or state.draw > 0:
        return 1 << DEALER
    return 1 << state.seat


def deal_pool(state: State) -> tuple[int, int]:
    if state.seat == NOBODY:
        return 0b11, 1  # F4: by lot
    return state.me.deck, state.draw


def receiver(state: State) -> int:
    return state.seat


# --- legal moves ------------------------------------------------------------------------------------------------------


def fits(state: State) -> tuple[int, int, int, int]:
    """The cards of the hand that each pile takes, whatever comes after."""
    me, foe, hand = state.me, state.foe, state.me.hand
    up = hand & (-(me.up << 1) | me.up >> 10)  # F5: higher, or ten back
    down = hand & (me.down - 1 | me.down << 10)  # F6: lower, or ten back
    spare = hand & state.helped - 1  # F13: one card a turn, so none once it is given
    return up, down, spare & foe.up - 1, spare & -(foe.down << 1)  # F7, F8: it must improve


def completing(state: State) -> tuple[int, int, int, int]:
    """The first cards that leave a second one (C5), in closed form: another pile takes another card, or this one does.

    On the own rising pile a card can be followed by any higher one of the hand or by the one ten below it.
    """
    up, down, help_up, help_down = fits(state)
    hand = state.me.hand
    own, helps = leaves_one(up | down), help_up | help_down
    followed_up = (1 << highest(hand)) - 1 | hand << 10
    followed_down = -2 << lowest(hand) | hand >> 10
    return (
        up & (leaves_one(down | helps) | followed_up),
        down & (leaves_one(up | helps) | followed_down),
        help_up & own,  # F14: the second card must go home
        help_down & own,
    )


def graced(state: State) -> bool:
    """A-F2: with `last_card_grace` the very last card may be laid alone, at home (F14)."""
    return state.grace == 1 and state.me.deck == 0 and count(state.me.hand) == 1 and state.laid == 0


def legal_moves(state: State, seat: int) -> Rows:
    if seat != state.seat or state.draw > 0 or state.winner != NOBODY:
        return 0, 0, 0, 0, 0
    if graced(state):
        up, down, _, _ = fits(state)
        return up, down, 0, 0, 0
    if state.laid == 0 and not state.lenient:
        up, down, help_up, help_down = completing(state)
        return up, down, help_up, help_down, 0
    up, down, help_up, help_down = fits(state)
    return up, down, help_up, help_down, int(state.laid >= 2)  # F12, F16


def required(state: State) -> int:
    """F12: how many cards the player to act must still lay before the turn may end; the last one alone with A-F2."""
    if state.seat == NOBODY or state.draw > 0 or state.winner != NOBODY:
        return 0
    return 1 if graced(state) else max(2 - state.laid, 0)


# --- effect of a move -------------------------------------------------------------------------------------------------


def deal(state: State, picked: int) -> State:
    if state.seat == NOBODY:
        return State(state.me, state.foe, lowest(picked), 0, 0, HAND, NOBODY, state.lenient, state.grace)
    me = state.me
    me = Side(me.up, me.down, me.hand | picked, me.deck & ~picked)
    return turn(state.foe, me, 1 - state.seat, state.lenient, state.grace)


def turn(me: Side, foe: Side, seat: int, lenient: int, grace: int) -> State:
    """The seat's turn begins: its first hand is dealt (F3), or it is able to move, or it has lost (F23)."""
    if me.hand == 0:
        return State(me, foe, seat, 0, 0, HAND, NOBODY, lenient, grace)
    state = State(me, foe, seat, 0, 0, 0, NOBODY, lenient, grace)
    if able(state):
        return state
    return State(me, foe, seat, 0, 0, 0, 1 - seat, lenient, grace)


def able(state: State) -> bool:
    """C4: whether a complete turn exists."""
    if graced(state):
        up, down, _, _ = fits(state)
        return up | down != 0
    up, down, help_up, help_down = fits(state)
    if count(up | down) > 1:  # any two at home can follow each other, the right one first
        return True
    up, down, help_up, help_down = completing(state)
    return up | down | help_up | help_down != 0


def draws(state: State) -> int:
    """How many cards `end` draws: two, or after a help as many as fill the hand (F18, F19), if they last (C6, F20)."""
    wanted = where(state.helped == 1, HAND - count(state.me.hand), 2)
    return min(wanted, count(state.me.deck))


def apply(state: State, seat: int, code: int) -> State:
    row, card = row_of(code), 1 << bit_of(code)
    me, foe, lenient, grace = state.me, state.foe, state.lenient, state.grace
    if row == END:
        draw = draws(state)
        if draw == 0:
            return turn(foe, me, 1 - seat, lenient, grace)
        return State(me, foe, seat, state.laid, state.helped, draw, NOBODY, lenient, grace)
    me = Side(where(row == UP, card, me.up), where(row == DOWN, card, me.down), me.hand & ~card, me.deck)
    foe = Side(where(row == HELP_UP, card, foe.up), where(row == HELP_DOWN, card, foe.down), foe.hand, foe.deck)
    after = State(me, foe, seat, state.laid + 1, state.helped | int(row >= HELP_UP), 0, NOBODY, lenient, grace)
    winner = NOBODY
    if me.hand | me.deck == 0:  # F22
        winner = seat
    elif lenient and after.laid == 1:
        up, down, help_up, help_down = fits(after)
        if up | down | help_up | help_down == 0:  # A-F1, option `dead_end=loss`
            winner = 1 - seat
    return State(me, foe, seat, after.laid, after.helped, 0, winner, lenient, grace)


# --- outcome ----------------------------------------------------------------------------------------------------------


def ending(state: State) -> int:
    """The winner's seat, plus 2 when all of the winner's cards are laid."""
    return state.winner + 2 * int(state.me.hand | state.me.deck == 0)


def winners(state: State) -> int:
    return 0 if state.winner == NOBODY else 1 << state.winner


def outcome(state: State) -> Outcome | None:
    if state.winner == NOBODY:
        return None
    if state.winner == state.seat:
        return Outcome((state.winner,), "all_laid")
    return Outcome((state.winner,), "dead_end" if state.laid else "stuck", {"seat": state.seat})


def undoable(state: State) -> bool:
    """F17: until the draw."""
    return state.laid > 0 and state.draw == 0 and state.winner == NOBODY


def phrases(options: Options) -> tuple[str, ...]:
    return ()


def bound(options: Options) -> int:
    """F25: 58 placements and at most 29 ends and 29 draws a player, two first hands and the lot."""
    return 2 * (58 + 29 + 29) + 3


# --- reasons against moves --------------------------------------------------------------------------------------------


def reason(state: State, seat: int, code: int) -> Reason | None:
    return None if contains(legal_moves(state, seat), code) else _why(state, fits(state), code)


def refusals(state: State, seat: int, menu: Rows) -> dict[int, Reason]:
    """A player may try every card of the hand on every pile, and `end`. Nearly always the pile is the reason."""
    me, foe, fitting = state.me, state.foe, fits(state)
    hand, refused = positions(me.hand), dict[int, Reason]()
    for row, pile in enumerate((me.up, me.down, foe.up, foe.down)):
        code, legal, fit = code_of(row, 0), menu[row], fitting[row]
        if row >= HELP_UP and state.helped:
            reason = _say("one_help_per_turn")
            refused |= {code + card: reason for card in hand}
            continue
        for card in hand:
            if not legal >> card & 1:
                plainly = not fit >> card & 1
                refused[code + card] = _unfit(row, card, pile) if plainly else _why(state, fitting, code + card)
    if not menu[END]:
        refused[code_of(END, 0)] = _why(state, fitting, code_of(END, 0))
    return refused


def _why(state: State, fitting: Rows, code: int) -> Reason:
    """Return why a move is not legal, given the cards that fit."""
    row, card = row_of(code), bit_of(code)
    if row == END:
        return _say("lay_two", missing=required(state))
    if not state.me.hand >> card & 1:
        return _say("not_in_hand", card=card)
    if row >= HELP_UP and state.helped:
        return _say("one_help_per_turn")
    if not fitting[row] >> card & 1:
        side = state.me if row < HELP_UP else state.foe
        return _unfit(row, card, side.up if row in (UP, HELP_UP) else side.down)
    if graced(state):
        return _say("last_card_at_home", card=card)
    return _say("leaves_no_second_card", card=card)


@cache
def _unfit(row: int, card: int, pile: int) -> Reason:
    """Return why a pile does not take a card; the reason names ten back only where such a card exists (F11)."""
    top = lowest(pile)
    back = top - 10 if row == UP else top + 10
    if row >= HELP_UP and top in (1, 60):
        return _say("nothing_to_improve")
    if row >= HELP_UP:
        return _say("must_improve_up" if row == HELP_UP else "must_improve_down", card=card, top=top)
    if not 2 <= back <= 59:
        return _say("too_low_no_trick" if row == UP else "too_high_no_trick", card=card, top=top)
    return _say("too_low" if row == UP else "too_high", card=card, top=top, back=back)


@cache
def _say(key: str, **values: int) -> Message:
    return Message(key, values, NAME)
