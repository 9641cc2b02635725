"""Why a move of Quick & Easy is advised: what partners have said, what fits exactly, what turns back, what is kept.

All detectors use the own hand, the tops, and the statements that still stand. The room is how far the tops are apart.
"""

from __future__ import annotations

from typing import NamedTuple

from gramy.bots.quick_easy.opening import ROOM
from gramy.bots.quick_easy.talk import CARDS, Statements, announced_set, statements, visible_state
from gramy.bots.quick_easy.turns import gap, turn_options
from gramy.bots.reasons import Recommendation, by_figures, first_reason
from gramy.cards import code_of, lowest
from gramy.contract import START
from gramy.games.quick_easy import NAME
from gramy.games.quick_easy.rules import (
    COLOURS,
    DOWN,
    PILES,
    UP,
    State,
    apply,
    colour,
    format_card,
    takes,
    won,
)
from gramy.messages import Message, Reason

NEAR = 2
"""Steps up to which a kept card is near the top of a pile."""


class TeamLaying(NamedTuple):
    """A move that lays a card: the pile's row, the card, and the steps forward (turned back: negative).

    On an empty pile the steps are those from before the first number.
    """

    row: int
    card: int
    steps: int


class TeamPosition(NamedTuple):
    """An advised move with what the seat knows; `laid` and `other` are None for `end` and for no move."""

    state: State
    said: Statements
    laid: TeamLaying | None
    other: TeamLaying | None
    legal: tuple[TeamLaying, ...]


def explain(advised: Recommendation) -> Reason:
    """Return why a move of Quick & Easy is advised."""
    if advised.move == START:
        return opens(advised)
    if advised.instead is None:
        return by_figures(advised)
    return first_reason(DETECTORS, position_of(advised)) or by_figures(advised)


def opens(advised: Recommendation) -> Reason:
    """How much room the best first turn of the hand leaves."""
    state = visible_state(advised.view)
    room = max(gap(option.left.up, option.left.down) for option in turn_options(state))
    return Message("why_start", {"room": room, "all": ROOM}, NAME)


def position_of(advised: Recommendation) -> TeamPosition:
    """Return what the detectors need of a recommendation."""
    state = visible_state(advised.view)
    legal = {move: laying(state, move) for move in advised.view.moves if move != "end"}
    said = statements(advised.history)
    return TeamPosition(state, said, legal.get(advised.move), legal.get(advised.instead or ""), tuple(legal.values()))


def laying(state: State, move: str) -> TeamLaying:
    """Return a move that lays a card, with its steps."""
    pile, word = move.split()
    row, card = PILES.index(pile), CARDS[word]
    after = apply(state, state.seat, code_of(row, card))
    return TeamLaying(row, card, gap(state.up, state.down) - gap(after.up, after.down))


# --- partners ---------------------------------------------------------------------------------------------------------


def leaves_pile(at: TeamPosition) -> Reason | None:
    """A partner has asked for the pile that the other move would change, and this move does not."""
    if at.other is None or (at.laid is not None and at.laid.row == at.other.row):
        return None
    pile = PILES[at.other.row]
    asking = [seat for seat, piles in sorted(at.said.piles.items()) if seat != at.state.seat and pile in piles]
    return Message("why_leaves_pile", {"seat": asking[0], "pile": pile}, NAME) if asking else None


def partner_turns(at: TeamPosition) -> Reason | None:
    """A partner has described a card that can turn this pile back after the move, and may not have fitted before."""
    if at.laid is None:
        return None
    seat = _partner_with(at, at.laid, announced_set(f"turn {PILES[at.laid.row]}", at.laid.card))
    if seat is None:
        return None
    return Message("why_partner_turns", {"seat": seat, "colour": COLOURS[at.laid.card // 10]}, NAME)


def partner_fits(at: TeamPosition) -> Reason | None:
    """A partner has described a card that fits this pile by its colour after the move, and may not have before."""
    if at.laid is None:
        return None
    seat = _partner_with(at, at.laid, colour(at.laid.card // 10))
    if seat is None:
        return None
    return Message("why_partner_fits", {"seat": seat, "colour": COLOURS[at.laid.card // 10]}, NAME)


def _partner_with(at: TeamPosition, laid: TeamLaying, fitting: int) -> int | None:
    """Return the first partner of whose cards a described one is surely fitting, and may not have fitted before."""
    before, own = takes(at.state)[laid.row], at.state.hands[at.state.seat]
    for seat, described in sorted(at.said.cards.items()):
        for cards in described if seat != at.state.seat else ():
            possible = cards & ~(at.said.laid | own)
            if possible and possible & ~fitting == 0 and possible & ~before:
                return seat
    return None


# --- cards ------------------------------------------------------------------------------------------------------------


def wins(at: TeamPosition) -> Reason | None:
    """The card is the last one of all."""
    if at.laid is None or not won(apply(at.state, at.state.seat, code_of(at.laid.row, at.laid.card))):
        return None
    return Message("why_wins", {}, NAME)


def turns_back(at: TeamPosition) -> Reason | None:
    """The card turns the pile back by its colour."""
    if at.laid is None or at.laid.steps >= 0:
        return None
    return Message("why_turns", {"pile": PILES[at.laid.row], "steps": -at.laid.steps}, NAME)


def prepares_turn(at: TeamPosition) -> Reason | None:
    """The other card of the hand can turn this pile back in the same turn."""
    if at.laid is None or at.state.pro:
        return None
    turning = announced_set(f"turn {PILES[at.laid.row]}", at.laid.card)
    kept = at.state.hands[at.state.seat] & ~(1 << at.laid.card) & turning
    return Message("why_prepares_turn", {"kept": format_card(lowest(kept))}, NAME) if kept else None


def follows_exactly(at: TeamPosition) -> Reason | None:
    """The card is the next number."""
    if at.laid is None or at.laid.steps != 1 or not _tops(at)[at.laid.row]:
        return None
    return Message("why_exact", {"top": format_card(lowest(_tops(at)[at.laid.row]))}, NAME)


def keeps_for_other_pile(at: TeamPosition) -> Reason | None:
    """The card that the other move would lay stays in the hand; it turns or closely follows the pile that this move
    leaves alone."""
    if at.laid is None or at.other is None or at.laid.card == at.other.card:
        return None
    row = DOWN if at.laid.row == UP else UP
    near = [one for one in at.legal if (one.row, one.card) == (row, at.other.card) and one.steps <= NEAR]
    if not near or not _tops(at)[row]:
        return None
    values = {"kept": format_card(at.other.card), "pile": PILES[row]}
    return Message("why_keeps_turn" if near[0].steps < 0 else "why_keeps_near", values, NAME)


def less_room(at: TeamPosition) -> Reason | None:
    """The card takes less room between the piles than the card of the other move."""
    if at.laid is None or at.other is None or not 0 < at.laid.steps < at.other.steps:
        return None
    return Message("why_costs", {"steps": at.laid.steps, "other": at.other.steps}, NAME)


def least_room(at: TeamPosition) -> Reason | None:
    """Every other card takes more of the room between the piles."""
    if at.laid is None or at.laid.steps < 0:
        return None
    others = [one.steps for one in at.legal if one != at.laid]
    if not others or min(others) <= at.laid.steps:
        return None
    return Message("why_costs_least", {"steps": at.laid.steps, "other": min(others)}, NAME)


def another_card(at: TeamPosition) -> Reason | None:
    """A second card is laid although the turn may end: it costs little."""
    if at.laid is None or at.state.laid == 0 or not 0 < at.laid.steps <= NEAR:
        return None
    return Message("why_another", {"steps": at.laid.steps}, NAME)


def ends(at: TeamPosition) -> Reason | None:
    """A further card would take much room between the piles."""
    least = min((one.steps for one in at.legal), default=0)
    if at.laid is not None or least <= NEAR:
        return None
    return Message("why_ends", {"steps": least}, NAME)


def _tops(at: TeamPosition) -> tuple[int, int]:
    return at.state.up, at.state.down


DETECTORS = (
    *(wins, leaves_pile, turns_back, prepares_turn, partner_turns, follows_exactly, keeps_for_other_pile),
    *(partner_fits, less_room, least_room, another_card, ends),
)
