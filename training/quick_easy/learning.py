"""TD(lambda) learning of the evaluation of Quick & Easy. Everything but the `new_...` functions can be compiled.

In every episode a team plays one match. Each position that it left is a sample: its features, and as the target the
lambda-return, a mix of the match's result and of the evaluations of the positions that followed.
"""

from __future__ import annotations

from array import array
from math import log
from typing import NamedTuple

from gramy.bots.kernel import Floats, Ints
from gramy.bots.quick_easy.evaluation import (
    BIASES,
    HIDDEN,
    OUTPUTS,
    WEIGHTS,
    Evaluator,
    evaluate,
    probability,
)
from gramy.bots.quick_easy.features import FEATURES
from gramy.bots.quick_easy.partners import LIKE_ME, MAX_TURNS, MODELS, after_cards, list_turns, model_turn
from gramy.bots.quick_easy.rollouts import (
    Beliefs,
    draw_cards,
    play_turn,
    restore_known,
    roll_out,
    sample_deal,
    save_known,
    value,
)
from gramy.cards import count, lowest, replace_at
from gramy.games.quick_easy.rules import DECK, State, deal, ending, won
from gramy.playout import below, following_word
from training.optimiser import Adam, adam_step

MAX_TURNS_A_MATCH = 64
"""More turns than a match can have."""

MAX_HIDDEN_CARDS = 9
"""One more than the most cards in the hands of the other players."""

LAMBDA = 0.8
"""Weight of the later returns in a target; the rest is the evaluation of the next position."""

BATCH = 512
"""Samples for one step of the optimiser."""

EPSILON = 1e-8
"""Adam's term against division by zero."""


class TeamLearner(NamedTuple):
    """The samples of one episode, a buffer for the hidden units, and the optimiser."""

    features: Floats
    values: Floats
    hidden: Floats
    adam: Adam
    counts: Ints  # samples since the last step, steps


class TurnSearch(NamedTuple):
    """A search of one turn: its buffers (the turns as pairs of moves, the sums of their results, sampled deals), the
    turns of a roll-out, and whether it cheats: with `sees` it knows the cards of the other players."""

    turns: Ints
    sums: Floats
    beliefs: Beliefs
    horizon: int
    sees: bool


class TeamPlay(NamedTuple):
    """How the team plays: the deal and what all know of it, the evaluation, and how a turn is chosen: by a search in
    sampled deals, or if `deals` is 0 by the evaluation, with exploration noise."""

    beliefs: Beliefs
    evaluator: Evaluator
    search: TurnSearch
    deals: int
    noise: float


def new_learner() -> TeamLearner:
    """Return a learner that has seen nothing."""
    sizes = (MAX_TURNS_A_MATCH * FEATURES, MAX_TURNS_A_MATCH, HIDDEN)
    features, values, hidden = (array("d", [0.0] * size) for size in sizes)
    adam = Adam(*(array("d", [0.0] * WEIGHTS) for _ in range(3)))
    return TeamLearner(features, values, hidden, adam, array("q", [0, 0]))


def new_beliefs(style: int) -> Beliefs:
    """Return the beliefs before a deal in which all talk in one style."""
    return _empty_beliefs(style, 0)


def _empty_beliefs(style: int, slots: int) -> Beliefs:
    """Return beliefs with room for hidden cards in this number of slots."""
    return Beliefs(
        holders=array("q", [-1] * slots),
        candidates=array("q", [0] * slots),
        likelihoods=array("q", [0] * slots * 50 * MODELS),
        posterior=array("q", [0] * 6 * MODELS),
        styles=array("q", [style] * 6),
        own_known=array("q", [DECK] * 50),
        known=array("q", [DECK] * 50),
        deck=array("q", [0] * 50),
        dealt_known=array("q", [DECK] * 50),
        models=array("q", [LIKE_ME] * 6),
    )


def new_search(style: int, horizon: int = 0, sees: bool = False) -> TurnSearch:
    """Return a search with empty buffers, by players who talk in this style."""
    beliefs = _empty_beliefs(style, MAX_HIDDEN_CARDS)
    return TurnSearch(array("q", [0] * 2 * MAX_TURNS), array("d", [0.0] * MAX_TURNS), beliefs, horizon, sees)


# --- choosing a turn --------------------------------------------------------------------------------------------------


def explore(state: State, known: Ints, evaluator: Evaluator, noise: float, word: int) -> tuple[int, int, int]:
    """Choose the best turn by the evaluation plus Gumbel noise; return its moves and the next random word."""
    best, chosen, turns = -1e9, 0, evaluator.turns
    for turn in range(list_turns(state, turns)):
        word = following_word(word)
        gumbel = -log(-log((below(word, 1 << 30) + 0.5) / (1 << 30)))
        after = after_cards(state, turns[2 * turn], turns[2 * turn + 1])
        found = value(after, known, evaluator) + noise * gumbel
        if found > best:
            best, chosen = found, turn
    return turns[2 * chosen], turns[2 * chosen + 1], word


def own_information(state: State, known: Ints, beliefs: Beliefs, sees: bool) -> State:
    """Return the state as `state.seat` sees it, with the hidden cards in the deck; write what is known of them, or with
    `sees` what they are."""
    slot, hidden = 0, state.deck
    for other in range(state.players):
        rest = state.hands[other]
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if other == state.seat:
                beliefs.own_known[card] = known[card]
            else:
                beliefs.holders[slot] = other
                beliefs.candidates[slot] = 1 << card if sees else known[card]
                hidden |= 1 << card
                slot += 1
    beliefs.holders[slot] = -1
    hands = replace_at((0, 0, 0, 0, 0, 0), state.seat, state.hands[state.seat])
    return State(state.up, state.down, hands, hidden, state.seat, 0, 0, 0, state.players, state.pro, state.agreed)


def search_turn(
    state: State, known: Ints, evaluator: Evaluator, search: TurnSearch, deals: int, word: int
) -> tuple[int, int, int]:
    """Choose the turn with the best roll-outs on average over sampled deals; return its moves and the next random
    word. At a horizon of 0 a roll-out is the next player's best turn."""
    turns, beliefs = search.turns, search.beliefs
    number = list_turns(state, evaluator.turns)
    for turn in range(number):
        turns[2 * turn], turns[2 * turn + 1] = evaluator.turns[2 * turn], evaluator.turns[2 * turn + 1]
        search.sums[turn] = 0.0
    visible, in_deck = own_information(state, known, beliefs, search.sees), count(state.deck)
    for _ in range(deals):
        start, word = sample_deal(visible, beliefs, in_deck, word)
        save_known(beliefs)
        for turn in range(number):
            restore_known(beliefs)
            after, at = play_turn(start, beliefs, turns[2 * turn], turns[2 * turn + 1], 0)
            search.sums[turn] += roll_out(after, beliefs, at, evaluator, search.horizon, word)
    chosen = 0
    for turn in range(number):
        if search.sums[turn] > search.sums[chosen]:
            chosen = turn
    return turns[2 * chosen], turns[2 * chosen + 1], word


# --- learning ---------------------------------------------------------------------------------------------------------


def shuffle(deck: Ints, word: int) -> int:
    """Put all fifty cards into a new order; return the next random word."""
    for card in range(50):
        word = following_word(word)
        other = below(word, card + 1)
        deck[card] = deck[other]
        deck[other] = card
    return word


def play_episode(state: State, play: TeamPlay, learner: TeamLearner, word: int) -> tuple[State, int, int]:
    """Play a match and record each position that is left; return the last state, how many, and the next word."""
    beliefs, evaluator = play.beliefs, play.evaluator
    word = shuffle(beliefs.deck, word)
    state, at = draw_cards(deal(state, 1), beliefs, 0)
    turns = 0
    while not (won(state) or state.lost):
        model = beliefs.models[state.seat]
        if model != LIKE_ME:
            extractor, buffer = evaluator.extractor, evaluator.turns
            first, second, word = model_turn(model, state, beliefs.known, extractor, buffer, word)
        elif play.deals:
            first, second, word = search_turn(state, beliefs.known, evaluator, play.search, play.deals, word)
        else:
            first, second, word = explore(state, beliefs.known, evaluator, play.noise, word)
        left = after_cards(state, first, second)
        if model == LIKE_ME and not won(left):
            learner.values[turns] = probability(evaluate(left, beliefs.known, evaluator))
            for feature in range(FEATURES):
                learner.features[turns * FEATURES + feature] = evaluator.extractor.features[feature]
            turns += 1
        state, at = play_turn(state, beliefs, first, second, at)
    return state, turns, word


def train(
    state: State, play: TeamPlay, learner: TeamLearner, episodes: int, learning_rate: float, word: int
) -> tuple[int, int]:
    """Learn from some episodes; return how many were won, and the next random word."""
    wins, weights = 0, play.evaluator.weights
    for _ in range(episodes):
        last, turns, word = play_episode(state, play, learner, word)
        wins += int(won(last))
        target = (ending(last) / 50) ** 4 if play.noise >= 1 else (1.0 if won(last) else 0.0)
        for turn in range(turns - 1, -1, -1):
            add_gradient(weights, learner, turn, target)
            target += (1.0 - LAMBDA) * (learner.values[turn] - target)
        if learner.counts[0] >= BATCH:
            learner.counts[1] += 1
            adam_step(weights, learner.adam, learner.counts[0], learner.counts[1], learning_rate, EPSILON)
            learner.counts[0] = 0
    return wins, word


def add_gradient(weights: Floats, learner: TeamLearner, turn: int, target: float) -> None:
    """Add the gradient of the cross-entropy between the evaluation of a recorded position and its target."""
    hidden, gradient = learner.hidden, learner.adam.gradient
    for unit in range(HIDDEN):
        hidden[unit] = weights[BIASES + unit]
    for feature in range(FEATURES):
        amount = learner.features[turn * FEATURES + feature]
        if amount != 0:
            for unit in range(HIDDEN):
                hidden[unit] += weights[feature * HIDDEN + unit] * amount
    logit = weights[WEIGHTS - 1]
    for unit in range(HIDDEN):
        logit += max(hidden[unit], 0.0) * weights[OUTPUTS + unit]
    error = probability(logit) - target
    gradient[WEIGHTS - 1] += error
    for unit in range(HIDDEN):  # from here on `hidden` holds the gradient of each unit's input
        gradient[OUTPUTS + unit] += error * max(hidden[unit], 0.0)
        hidden[unit] = error * weights[OUTPUTS + unit] if hidden[unit] > 0 else 0.0
        gradient[BIASES + unit] += hidden[unit]
    for feature in range(FEATURES):
        amount = learner.features[turn * FEATURES + feature]
        if amount != 0:
            for unit in range(HIDDEN):
                gradient[feature * HIDDEN + unit] += hidden[unit] * amount
    learner.counts[0] += 1
