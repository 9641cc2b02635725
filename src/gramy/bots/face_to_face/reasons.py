"""Why a move of Face to Face is advised: what a card costs, the backwards trick, help and the refill, and pairs.

A pair is two cards ten apart: laid one after the other they move a pile ten back. All detectors use the state as the
seat knows it: its own hand and deck, and the tops.
"""

from __future__ import annotations

from typing import NamedTuple

from gramy.bots.face_to_face.heuristic import progress, turn_plans, visible_state
from gramy.bots.reasons import Recommendation, by_figures, first_reason
from gramy.cards import code_of, count, lowest, positions
from gramy.games.face_to_face import NAME
from gramy.games.face_to_face.rules import DOWN, HAND, HELP_DOWN, HELP_UP, PILES, UP, State, apply, fits
from gramy.messages import Message, Reason

TRICK = 10
"""Steps that the backwards trick takes a pile back."""
DEAR = 3
"""Steps from which on it is a reason to help, or to end the turn, that a card at home costs so much."""


class DuelLaying(NamedTuple):
    """A move that lays a card: the pile's row, the card, and the steps that the pile goes forward (back: negative).

    On the opponent's piles the steps are those by which the card helps.
    """

    row: int
    card: int
    steps: int

    @property
    def helps(self) -> bool:
        """Whether the card goes to the opponent's piles."""
        return self.row >= HELP_UP


class DuelPosition(NamedTuple):
    """An advised move with the state before it; `laid` and `other` are None for `end` and for no move.

    `same_turn` has the moves of exactly the same chance: the evaluation is of whole turns, so they mostly belong to the
    turn that the advised move begins. `even` says that the other move is about as good.
    """

    state: State
    laid: DuelLaying | None
    other: DuelLaying | None
    legal: tuple[DuelLaying, ...]
    same_turn: tuple[DuelLaying, ...]
    even: bool


def explain(advised: Recommendation) -> Reason:
    """Return why a move of Face to Face is advised."""
    if advised.instead is None:
        return by_figures(advised)
    return first_reason(DETECTORS, position_of(advised)) or by_figures(advised)


def position_of(advised: Recommendation) -> DuelPosition:
    """Return what the detectors need of a recommendation."""
    state = visible_state(advised.view, advised.history)
    legal = {move: laying(state, move) for move in advised.view.moves if move != "end"}
    chance = advised.chances[advised.move]
    same = tuple(one for move, one in legal.items() if advised.chances.get(move) == chance)
    laid, other = legal.get(advised.move), legal.get(advised.instead or "")
    return DuelPosition(state, laid, other, tuple(legal.values()), same, advised.even)


def laying(state: State, move: str) -> DuelLaying:
    """Return a move that lays a card, with its steps."""
    pile, card = move.split()
    row = PILES.index(pile)
    top = lowest((state.me.up, state.me.down, state.foe.up, state.foe.down)[row])
    rises = int(card) - top
    return DuelLaying(row, int(card), rises if row in (UP, HELP_DOWN) else -rises)


# --- the end of the match, and the backwards trick --------------------------------------------------------------------


def wins(at: DuelPosition) -> Reason | None:
    """The card is the last one of hand and deck."""
    state, laid = at.state, at.laid
    last = laid is not None and count(state.me.hand) == 1 and state.me.deck == 0
    return Message("why_wins", {}, NAME) if last else None


def does_trick(at: DuelPosition) -> Reason | None:
    """The card goes ten back on an own pile."""
    state, laid = at.state, at.laid
    if laid is None or laid.helps or laid.steps != -TRICK:
        return None
    top = lowest(state.me.up if laid.row == UP else state.me.down)
    return Message("why_trick", {"pile": PILES[laid.row], "card": laid.card, "top": top}, NAME)


def prepares_trick(at: DuelPosition) -> Reason | None:
    """After the card, another one of the hand goes ten back on the same pile."""
    state, laid = at.state, at.laid
    if laid is None or laid.helps:
        return None
    back = laid.card - TRICK if laid.row == UP else laid.card + TRICK
    if not 2 <= back <= 59 or not state.me.hand >> back & 1:
        return None
    return Message("why_prepares_trick", {"card": laid.card, "back": back}, NAME)


# --- helping and drawing ----------------------------------------------------------------------------------------------


def helps_to_refill(at: DuelPosition) -> Reason | None:
    """Helping refills the hand, by more cards than a turn without help draws."""
    state, laid = at.state, at.laid
    if laid is None or not laid.helps:
        return None
    still_to_lay = max(0, 1 - state.laid)
    refill = min(HAND - (count(state.me.hand) - 1 - still_to_lay), count(state.me.deck))
    if refill <= min(2, count(state.me.deck)):
        return None
    return Message("why_help_refills", {"steps": laid.steps, "draws": refill}, NAME)


def helps_to_spare(at: DuelPosition) -> Reason | None:
    """Helping spares the own piles, where every card is dear."""
    laid, legal = at.laid, at.legal
    if laid is None or not laid.helps:
        return None
    least = min((one.steps for one in legal if not one.helps), default=0)
    if least < DEAR:
        return None
    return Message("why_help_spares", {"steps": laid.steps, "least": least}, NAME)


def refills_anyway(at: DuelPosition) -> Reason | None:
    """After a help the draw refills the hand, so a further card is replaced."""
    state, laid = at.state, at.laid
    if laid is None or laid.helps or not state.helped or state.laid < 2:
        return None
    if HAND - (count(state.me.hand) - 1) > count(state.me.deck):
        return None
    return Message("why_refills_anyway", {"steps": laid.steps}, NAME)


def no_help(at: DuelPosition) -> Reason | None:
    """The other move would help the opponent and is worse; the turn that this one begins does not help."""
    other = at.other
    if other is None or at.even or not other.helps or any(one.helps for one in at.same_turn):
        return None
    return Message("why_no_help", {"card": other.card, "steps": other.steps}, NAME)


def helps_less(at: DuelPosition) -> Reason | None:
    """Both moves help, this one by less, and the other is worse."""
    laid, other = at.laid, at.other
    if laid is None or other is None or at.even or not (laid.helps and other.helps) or laid.steps >= other.steps:
        return None
    return Message("why_helps_less", {"steps": laid.steps, "other": other.steps}, NAME)


# --- pairs ------------------------------------------------------------------------------------------------------------


def keeps_pair(at: DuelPosition) -> Reason | None:
    """The turn keeps two cards together for the backwards trick; the other move, or a cheaper one, would part them."""
    state, laid, other, legal = at.state, at.laid, at.other, at.legal
    tempting = [one for one in legal if laid is not None and not one.helps and 0 < one.steps < laid.steps]
    rivals = [other] if other is not None else []
    after = apply(state, state.seat, code_of(laid.row, laid.card)) if laid else state
    for low in pairs(after):
        kept = not any(parts(low, one) for one in at.same_turn)
        if kept and any(parts(low, rival) for rival in [*rivals, *tempting]):
            return Message("why_keeps_pair", {"low": low, "high": low + TRICK}, NAME)
    return None


def pairs(state: State) -> list[int]:
    """Return the lower cards of the pairs in the hand with which an own pile can go ten back."""
    hand = state.me.hand
    up, down = lowest(state.me.up), lowest(state.me.down)
    return [low for low in positions(hand & hand >> TRICK) if low + TRICK > up or low < down]


def parts(low: int, rival: DuelLaying) -> bool:
    """Return whether a move lays one card of a pair without preparing the trick by it."""
    if rival.card not in (low, low + TRICK):
        return False
    prepares = (rival.row, rival.card) in ((UP, low + TRICK), (DOWN, low))
    return not prepares


# --- costs ------------------------------------------------------------------------------------------------------------


def cheapest_turn(at: DuelPosition) -> Reason | None:
    """The card belongs to the only cheapest turn of two cards at home, and so do all moves of the same turn."""
    state, laid = at.state, at.laid
    if laid is None or any(one.helps for one in at.same_turn) or state.laid or count(state.me.hand) < 2:
        return None
    costs: dict[int, int] = {}
    for plan in turn_plans(state, max_cards=2):
        if not plan.left.helped and plan.left.laid == 2:
            cards = state.me.hand & ~plan.left.me.hand
            cost = progress(plan.left.me) - progress(state.me)
            costs[cards] = min(cost, costs.get(cards, cost))
    best, *others = sorted(costs.items(), key=lambda item: item[1]) or [(0, 0)]
    if not others or others[0][1] <= best[1] or best[1] < 0:
        return None
    if any(not best[0] >> one.card & 1 for one in (laid, *at.same_turn)) or not _leads_to(
        state, laid, best[0], best[1]
    ):
        return None
    first, last = positions(best[0])
    values = {"first": first, "last": last, "steps": best[1], "other": others[0][1]}
    return Message("why_cheapest_turn", values, NAME)


def _leads_to(state: State, laid: DuelLaying, cards: int, cost: int) -> bool:
    """Return whether the other card of the turn completes it at this cost, after this one was laid on its pile."""
    after, rest = apply(state, state.seat, code_of(laid.row, laid.card)), lowest(cards & ~(1 << laid.card))
    up, down, _, _ = fits(after)
    ways = [laying(after, f"{PILES[row]} {rest}") for row, fit in ((UP, up), (DOWN, down)) if fit >> rest & 1]
    return any(laid.steps + way.steps == cost for way in ways)


def other_pile(at: DuelPosition) -> Reason | None:
    """The same card would cost more on the other own pile, which is the other move."""
    laid, other = at.laid, at.other
    if laid is None or other is None or laid.helps or other.helps:
        return None
    if laid.card != other.card or not 0 < laid.steps < other.steps:
        return None
    return Message("why_other_pile", {"card": laid.card, "steps": laid.steps, "other": other.steps}, NAME)


def cheaper(at: DuelPosition) -> Reason | None:
    """The card costs less than the card of the other move."""
    laid, other = at.laid, at.other
    if laid is None or other is None or laid.helps or other.helps:
        return None
    if laid.card == other.card or not 0 < laid.steps < other.steps:
        return None
    return Message("why_cheaper", {"steps": laid.steps, "card": other.card, "other": other.steps}, NAME)


def cheapest(at: DuelPosition) -> Reason | None:
    """No card costs less on the own piles."""
    laid, legal = at.laid, at.legal
    if laid is None or laid.helps or laid.steps < 0:
        return None
    others = [one.steps for one in legal if not one.helps and one != laid]
    if not others or min(others) <= laid.steps:
        return None
    return Message("why_cheapest", {"steps": laid.steps, "other": min(others)}, NAME)


def ends(at: DuelPosition) -> Reason | None:
    """Every further card on the own piles would be dear."""
    laid, legal = at.laid, at.legal
    least = min((one.steps for one in legal if not one.helps), default=0)
    if laid is not None or least < DEAR:
        return None
    return Message("why_ends", {"steps": least}, NAME)


DETECTORS = (
    *(wins, does_trick, prepares_trick, helps_to_refill, helps_to_spare, keeps_pair, refills_anyway),
    *(no_help, helps_less, cheapest_turn, other_pile, cheaper, cheapest, ends),
)
