"""How each partner plays, from the history alone: a posterior over the models of `partners`.

Every turn of a partner is evidence. A model that would hardly have made it loses weight. A card that the partner kept
is unknown, so the likelihood of a turn is averaged over the cards that it may be: with what the partner said, and with
what has been laid since. Before the first turn the way a partner talks counts: who describes every card probably plays
like the expert, and who says nothing probably does not.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log

from gramy.bots.kernel import is_compiled, kernel
from gramy.bots.quick_easy import rollouts
from gramy.bots.quick_easy.beliefs import Knowledge, ObservedTurn, Recognition
from gramy.bots.quick_easy.evaluation import new_evaluator, package_weights
from gramy.bots.quick_easy.partners import LIKE_ME, MODELS, NO_CARD
from gramy.bots.quick_easy.talk import BAND, SILENT
from gramy.cards import bit_of, positions, replace_at
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import DECK, State

MAX_LIKELIHOOD = 1000
"""The likelihood of the likeliest card. Cards that are 2000 times less likely are rounded to 0."""

MAX_WEIGHT = 1000
"""The sum of a seat's weights. Models with less than half of a thousandth are never sampled."""

LITERAL_PRIOR = (0.92, 0.02, 0.03, 0.02, 0.01)
"""Of a seat that describes its cards as closely as the rules allow: the probability of each model."""
SILENT_PRIOR = (0.2, 0.2, 0.2, 0.2, 0.2)
"""Of a seat that says less than the own one."""
QUIET_PRIOR = (0.8, 0.05, 0.05, 0.05, 0.05)
"""Where the own seat has said nothing either."""

DOUBT = 0.1
"""A seat that talks as the own one does counts as LIKE_ME until the probability of that is lower. So a team of equals
plays as if nothing were in doubt."""


def recognise(knowledge: Knowledge, state: State, told: int | None = None) -> tuple[Recognition, ...]:
    """Return how each seat plays, to `state.seat`; `state.deck` holds all cards that are hidden from it.

    If the model was told, it has all the weight, and only the kept cards are inferred.

    Plain functions take too long for this: without compiled ones nothing is recognised.
    """
    if not is_compiled():
        return ()
    found = tuple(_recognise_seat(knowledge, state, seat) for seat in range(state.players))
    if told is None:
        return found
    return tuple(
        seat._replace(weights=tuple(MAX_WEIGHT * (model == told) for model in range(MODELS))) for seat in found
    )


def talks_like_me(knowledge: Knowledge, state: State, seat: int) -> bool:
    """Return whether a seat describes its cards as closely as the own seat does; or whether neither says anything.

    In the pro game a seat may name colours only.
    """
    own, style = knowledge.styles[state.seat], knowledge.styles[seat]
    return own == SILENT or style == BAND or (state.pro == 1 and style != SILENT)


def prior(knowledge: Knowledge, state: State, seat: int) -> tuple[float, ...]:
    """Return the probability of each model by the way that a seat talks."""
    if knowledge.styles[state.seat] == SILENT:
        return QUIET_PRIOR
    return LITERAL_PRIOR if talks_like_me(knowledge, state, seat) else SILENT_PRIOR


def _recognise_seat(knowledge: Knowledge, state: State, seat: int) -> Recognition:
    turns = [turn for turn in knowledge.turns if turn.seat == seat]
    later, possible = state.deck, []
    for turn in reversed(turns):  # a kept card is laid later, or still hidden
        possible.append(later)
        later |= 1 << bit_of(turn.first) | (1 << bit_of(turn.second) if turn.second != NO_CARD else 0)
    possible.reverse()
    logs, kept = [], []
    for model, chance in enumerate(prior(knowledge, state, seat)):
        evidence, likely = _evidence(turns, possible, model, state)
        logs.append(log(chance) + evidence)
        kept.append(likely)
    most = max(logs)
    chances = [exp(one - most) for one in logs]
    chances = [chance / sum(chances) for chance in chances]
    if chances[LIKE_ME] >= DOUBT and talks_like_me(knowledge, state, seat):
        chances = [float(model == LIKE_ME) for model in range(MODELS)]
    single = bool(turns) and turns[-1].kept != 0
    return Recognition(tuple(round(MAX_WEIGHT * chance) for chance in chances), tuple(kept) if single else ())


def _evidence(
    turns: Sequence[ObservedTurn], possible: Sequence[int], model: int, state: State
) -> tuple[float, tuple[int, ...]]:
    """Return the log-likelihood of all turns under a model, and how likely it has kept each card since the last."""
    evidence, kept = 0.0, [1.0] * 50
    for turn, cards in zip(turns, possible, strict=True):
        likelihoods = turn_likelihoods(turn, state.players, state.pro)
        if turn.kept == 0:
            evidence += log(likelihoods[model * 50])
            kept = [1.0] * 50
            continue
        # The seat laid the card that it had kept, or it kept that card and laid the one that it had drawn.
        laid, total, explained = kept[bit_of(turn.first)], 0.0, 0.0
        after = [0.0] * 50
        for card in positions(turn.kept & cards & ~turn.laid):
            weight = kept[card] + laid
            total += weight
            after[card] = weight * likelihoods[model * 50 + card]
            explained += after[card]
        if explained > 0:
            evidence += log(explained / total)
            most = max(after)
            kept = [likelihood / most for likelihood in after]
        else:
            kept = [1.0] * 50
    return evidence, tuple(round(MAX_LIKELIHOOD * likelihood) for likelihood in kept)


@lru_cache(maxsize=4096)
def turn_likelihoods(turn: ObservedTurn, players: int, pro: int) -> Sequence[float]:
    """Return, for each model and each card that the seat may have kept (card 0 if none), the likelihood of a turn."""
    laid = 1 << bit_of(turn.first) | (1 << bit_of(turn.second) if turn.second != NO_CARD else 0)
    hands = replace_at((0, 0, 0, 0, 0, 0), turn.seat, laid)
    hidden = DECK & ~(turn.laid | laid)
    before = State(turn.up, turn.down, hands, hidden, turn.seat, 0, 0, 0, players, pro, 0)
    others = [(other, cards) for other, hand in enumerate(turn.hands) if other != turn.seat for cards in hand]
    holders, candidates = (array("q", part) for part in zip(*others, strict=True)) if others else (array("q"),) * 2
    into, evaluator = array("d", [0.0] * 50 * MODELS), new_evaluator(package_weights(bool(pro)))
    known = array("q", [DECK] * 50)
    kernel(RULES, rollouts.turn_likelihoods)(
        before, turn.first, turn.second, turn.kept & hidden, holders, candidates, known, evaluator, into
    )
    return into
