"""Roll-outs of Quick & Easy: whole turns are played on in sampled deals, by the turn that the evaluation likes best.

In a roll-out every player goes by their own cards and by what the others have said, and describes a new card as closely
as they have described cards so far. A partner that was recognised to play otherwise plays by its model (`partners`).
Everything here can be compiled; `roll_out_turns`, `prior_values` and `turn_likelihoods` are the kernels.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from gramy.bots.kernel import Floats, Ints
from gramy.bots.quick_easy.evaluation import Evaluator, evaluate, probability
from gramy.bots.quick_easy.partners import (
    LIKE_ME,
    MODELS,
    NO_CARD,
    SLIP,
    after_cards,
    list_turns,
    model_probability,
    model_turn,
)
from gramy.bots.quick_easy.talk import BAND, CLOSE, PILE, SILENT
from gramy.cards import count, lowest, replace_at, select
from gramy.games.quick_easy.rules import DECK, State, apply, colour, deal, higher, lower, won
from gramy.playout import below, following_word

TEMPERATURE = 0.15
"""Of the softmax over log-odds by which a player who is LIKE_ME is modelled."""

WON = 100.0
"""The log-odds of a position that is won."""


class Beliefs(NamedTuple):
    """What a player knows of the hidden cards, with the buffers of a sampled deal."""

    holders: Ints  # the seat of each hidden card in a hand; ends at the first number below 0
    candidates: Ints  # the set that each of these cards is from
    likelihoods: Ints  # 50 for each model and card: how well a card explains what such a holder did; all 0 if unknown
    posterior: Ints  # MODELS for each seat: the weight of each model of this player; all 0: LIKE_ME
    styles: Ints  # how each seat talks: SILENT, COLOUR, BAND or PILE
    own_known: Ints  # for each card of the own hand, the set that the others know
    known: Ints  # buffer: for each held card of this deal, the set that all players know
    deck: Ints  # buffer: the deck of this deal, from the top
    dealt_known: Ints  # buffer: `known` as it was when the cards were dealt
    models: Ints  # buffer: the model of each seat in this deal


class CandidateTurns(NamedTuple):
    """Turns to compare, as pairs of moves; the indices of those to roll out, and the sums of their results."""

    turns: Ints
    chosen: Ints
    sums: Floats


class RolloutPlan(NamedTuple):
    """How many deals to sample, the random word of the first, and for how many turns to roll out in each."""

    deals: int
    word: int
    horizon: int


# --- turns ------------------------------------------------------------------------------------------------------------


def value(state: State, known: Ints, evaluator: Evaluator) -> float:
    """Return the log-odds of a position before the draw; it may be won."""
    return WON if won(state) else evaluate(state, known, evaluator)


def best_turn(state: State, known: Ints, evaluator: Evaluator) -> tuple[float, int, int]:
    """Return the value and the moves of the turn that the evaluation likes best."""
    best, chosen, turns = -WON, 0, evaluator.turns
    for turn in range(list_turns(state, turns)):
        found = value(after_cards(state, turns[2 * turn], turns[2 * turn + 1]), known, evaluator)
        if found > best:
            best, chosen = found, turn
    return best, turns[2 * chosen], turns[2 * chosen + 1]


def play_turn(state: State, beliefs: Beliefs, first: int, second: int, at: int) -> tuple[State, int]:
    """Play a turn, with its draw from `deck[at]` on and the talk about it; return the next turn and the new `at`."""
    state = after_cards(state, first, second)
    if not won(state):
        state = apply(state, state.seat, NO_CARD)
    return draw_cards(state, beliefs, at)


def draw_cards(state: State, beliefs: Beliefs, at: int) -> tuple[State, int]:
    """Draw for all seats that must, from `deck[at]` on; return the state and the new `at`."""
    while state.draw > 0:
        seat, cards = state.seat, 0
        for _ in range(state.draw):
            card = beliefs.deck[at]
            at += 1
            cards |= 1 << card
            beliefs.known[card] = described_set(beliefs.styles[seat], card)
        state = deal(state, cards)
    if state.pro:
        announce_piles(state, beliefs)
    return state, at


# --- talk in a roll-out -----------------------------------------------------------------------------------------------


def described_set(style: int, card: int) -> int:
    """Return the set that a card is known to be from after its holder has described it."""
    if style == BAND:
        return 3 << (card - card % 2)
    return DECK if style == SILENT else colour(card // 10)


def announce_piles(state: State, beliefs: Beliefs) -> None:
    """Update `known` as if all who talk about piles had said now which they can turn or follow closely."""
    for seat in range(state.players):
        if beliefs.styles[seat] == PILE:
            hand = state.hands[seat]
            if state.up:
                top = lowest(state.up)
                back, on = lower(top % 10), higher(top % 10)
                close = on & lower(min(top % 10 + CLOSE + 1, 10))
                _learn_of_pile(hand, beliefs.known, colour(top // 10), back, close)
            if state.down:
                top = lowest(state.down)
                back, on = higher(top % 10), lower(top % 10)
                close = on & ~lower(max(top % 10 - CLOSE, 0))
                _learn_of_pile(hand, beliefs.known, colour(top // 10), back, close)


def _learn_of_pile(hand: int, known: Ints, suit: int, back: int, close: int) -> None:
    """Update what all know of a hand that has said whether it can turn a pile (`suit` and `back`) or follow closely."""
    able, which, rest = 0, 0, hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if suit >> card & 1:
            known[card] &= suit & back if back >> card & 1 else ~(suit & back)
        if hand & close == 0:
            known[card] &= ~close
        elif known[card] & close:
            able += 1
            which = card
    if able == 1:
        known[which] &= close


# --- sampled deals ----------------------------------------------------------------------------------------------------


def sample_deal(state: State, beliefs: Beliefs, in_deck: int, word: int) -> tuple[State, int]:
    """Deal the hidden cards at random in agreement with the beliefs; return the state and the next random word."""
    hidden = state.deck
    hands = state.hands
    for slot in range(len(beliefs.holders)):
        seat = beliefs.holders[slot]
        if seat < 0:
            break
        candidates = beliefs.candidates[slot] & hidden
        if candidates == 0:
            candidates = hidden  # a player was mistaken
        word = following_word(word)
        row = beliefs.models[seat] * len(beliefs.holders) + slot
        card = sample_card(candidates, beliefs.likelihoods, row * 50, word)
        hidden &= ~(1 << card)
        hands = replace_at(hands, seat, hands[seat] | 1 << card)
        beliefs.known[card] = beliefs.candidates[slot] | 1 << card
    size = 0
    while hidden:
        card = lowest(hidden)
        hidden &= hidden - 1
        word = following_word(word)
        other = below(word, size + 1)
        beliefs.deck[size] = beliefs.deck[other]
        beliefs.deck[other] = card
        size += 1
    deck = 0
    for at in range(min(size, in_deck)):
        deck |= 1 << beliefs.deck[at]
    own = state.hands[state.seat]
    while own:
        beliefs.known[lowest(own)] = beliefs.own_known[lowest(own)]
        own &= own - 1
    seat, laid = state.seat, state.laid
    return State(state.up, state.down, hands, deck, seat, laid, 0, 0, state.players, state.pro, state.agreed), word


def sample_models(state: State, beliefs: Beliefs, word: int) -> int:
    """Draw a model for every other seat by its weights; return the next random word."""
    for seat in range(state.players):
        beliefs.models[seat] = LIKE_ME
        total = 0
        for model in range(MODELS):
            total += beliefs.posterior[seat * MODELS + model]
        if seat != state.seat and total > beliefs.posterior[seat * MODELS + LIKE_ME]:
            word = following_word(word)
            remaining = below(word, total)
            for model in range(MODELS):
                if remaining >= 0:
                    beliefs.models[seat] = model
                remaining -= beliefs.posterior[seat * MODELS + model]
    return word


def sample_card(cards: int, likelihoods: Ints, at: int, word: int) -> int:
    """Return one of these cards, in proportion to the likelihoods from `at` on; uniformly if all are 0."""
    total, rest = 0, cards
    while rest:
        total += likelihoods[at + lowest(rest)]
        rest &= rest - 1
    if total == 0:
        return select(cards, below(word, count(cards)))
    remaining = below(word, total)
    rest = cards
    while True:
        card = lowest(rest)
        remaining -= likelihoods[at + card]
        if remaining < 0:
            return card
        rest &= rest - 1


def save_known(beliefs: Beliefs) -> None:
    """Keep what is known at the start of a deal, for `restore_known`."""
    for card in range(50):
        beliefs.dealt_known[card] = beliefs.known[card]


def restore_known(beliefs: Beliefs) -> None:
    """Go back to what was known at the start of the deal."""
    for card in range(50):
        beliefs.known[card] = beliefs.dealt_known[card]


# --- kernels ----------------------------------------------------------------------------------------------------------


def roll_out(state: State, beliefs: Beliefs, at: int, evaluator: Evaluator, horizon: int, word: int) -> float:
    """Play some turns on; return the chance to win then: 1 or 0 if the match has ended before.

    Seats that are LIKE_ME play by the evaluation, others by their models. The last position is one that a player by the
    evaluation leaves, because the network evaluates only such positions.
    """
    while not won(state):
        if state.lost:
            return 0.0
        model = beliefs.models[state.seat]
        if model == LIKE_ME:
            best, first, second = best_turn(state, beliefs.known, evaluator)
            if horizon <= 0:
                return probability(best)
        else:
            first, second, word = model_turn(model, state, beliefs.known, evaluator.extractor, evaluator.turns, word)
        state, at = play_turn(state, beliefs, first, second, at)
        horizon -= 1
    return 1.0


def roll_out_turns(
    state: State,
    in_deck: int,
    candidates: CandidateTurns,
    plan: RolloutPlan,
    beliefs: Beliefs,
    evaluator: Evaluator,
) -> None:
    """Roll out the chosen turns in the same sampled deals, and add up the results of each."""
    turns, word = candidates.turns, plan.word
    for _ in range(plan.deals):
        word = sample_models(state, beliefs, word)
        start, word = sample_deal(state, beliefs, in_deck, word)
        save_known(beliefs)
        for index in range(len(candidates.chosen)):
            restore_known(beliefs)
            turn = candidates.chosen[index]
            after, at = play_turn(start, beliefs, turns[2 * turn], turns[2 * turn + 1], 0)
            candidates.sums[index] += roll_out(after, beliefs, at, evaluator, plan.horizon, word)


def prior_values(
    state: State, in_deck: int, turns: Ints, word: int, beliefs: Beliefs, evaluator: Evaluator, into: Floats
) -> None:
    """Write the evaluation of each turn (pairs of moves). It depends on what was said, so any one deal will do."""
    start, _ = sample_deal(state, beliefs, in_deck, word)
    for turn in range(len(into)):
        after = after_cards(start, turns[2 * turn], turns[2 * turn + 1])
        into[turn] = probability(value(after, beliefs.known, evaluator))


def turn_likelihoods(
    state: State,
    first: int,
    second: int,
    kept: int,
    holders: Ints,
    candidates: Ints,
    known: Ints,
    evaluator: Evaluator,
    into: Floats,
) -> None:
    """Write, for each model and each card that `state.seat` may have kept, the likelihood of the turn `first, second`.

    `state` is the position before that turn; its hand is what was laid, and all hidden cards are in the deck. The other
    hands are known by their sets only: any cards stand in for them. Without a kept card (`kept` is 0) the likelihood is
    written for card 0.
    """
    rest = kept if kept else 1
    while rest:
        card = rest & -rest
        rest &= rest - 1
        more = card if kept else 0
        hands = replace_at(state.hands, state.seat, state.hands[state.seat] | more)
        deck = state.deck & ~more
        hidden = deck
        for slot in range(len(holders)):
            stand_in = deck & -deck
            deck &= deck - 1
            hands = replace_at(hands, holders[slot], hands[holders[slot]] | stand_in)
            known[lowest(stand_in)] = candidates[slot] if candidates[slot] & hidden else DECK
        before = State(state.up, state.down, hands, deck, state.seat, 0, 0, 0, state.players, state.pro, state.agreed)
        for model in range(MODELS):
            if model == LIKE_ME:
                chance = evaluated_turn_probability(before, first, second, known, evaluator)
            else:
                extractor, turns = evaluator.extractor, evaluator.turns
                chance = model_probability(model, before, first, second, known, extractor, turns)
            into[model * 50 + lowest(card)] = (1 - SLIP) * chance + SLIP / list_turns(before, evaluator.turns)


def evaluated_turn_probability(state: State, first: int, second: int, known: Ints, evaluator: Evaluator) -> float:
    """Return the probability of a turn by a softmax over the evaluation of all turns."""
    this, total, turns = 0.0, 0.0, evaluator.turns
    for turn in range(-1, list_turns(state, turns)):
        one = turns[2 * turn] if turn >= 0 else first
        two = turns[2 * turn + 1] if turn >= 0 else second
        found = value(after_cards(state, one, two), known, evaluator) / TEMPERATURE
        if turn < 0:
            this = found
        else:
            total += exp(min(found - this, 100.0))
    return 1 / total
