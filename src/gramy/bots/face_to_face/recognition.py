"""How the other player of Face to Face plays, from the history alone: greedily, or like one of the networks.

Every finished turn of theirs is evidence. Which cards they held is unknown, so some hands are sampled that contain the
cards they laid. The likelihood of the turn to a model is the mean, over these hands, of its softmax over the best turns
by the model's values. Cards are laid face up, so all of it follows from public moves.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log
from statistics import fmean
from typing import NamedTuple

from gramy import playout
from gramy.bots.face_to_face.greedy import GREEDY_MODELS
from gramy.bots.face_to_face.habits import conduct, habits_of
from gramy.bots.face_to_face.network import AGAINST_GREEDY, AGAINST_STRONG, FILES
from gramy.bots.face_to_face.positions import best_positions
from gramy.bots.face_to_face.rollouts import draw_cards
from gramy.bots.face_to_face.turns import FIELDS, GREEDY, NETWORK
from gramy.bots.kernel import is_compiled
from gramy.cards import count, from_positions, positions
from gramy.contract import View
from gramy.games.face_to_face.rules import DECK, HAND, PILES, ROW_DOWN, ROW_UP, Side, State, draws, start
from gramy.games.face_to_face.rules import Options as Variants
from gramy.matches import Entry

HANDS = 8
"""Hands that are sampled for each turn."""
BEST = 32
"""Turns of a hand that share the probability of a model."""
UNLIKELY = 0.01
"""Added to the likelihood of every turn: nobody plays exactly by a model."""
GREEDY_TEMPERATURE = 2.0
"""Steps of a pile by which a turn may be worse and is made e times less often."""
NETWORK_TEMPERATURE = 0.2
"""The same in log-odds to win."""
CAUTION = 20
"""How many times likelier greedy play must be than a network before a reply is as likely greedy as by the network. A
strong player who is taken for greedy makes better replies than expected, which costs more than the other mistake."""
HUNDREDTHS = 100
"""The weights of the greedy models are hundredths; what is missing to 100 is the weight of the network."""


MOST_ODDS = 600.0
"""Log-odds are cut off here, as their exponential would be too large a number."""


class RecognisedPlayer(NamedTuple):
    """How the other player plays: which network is better against them, and how often they reply like each greedy
    model, in hundredths. Otherwise they reply like the network that the roll-outs follow."""

    network: int
    greedy: tuple[int, ...]


UNRECOGNISED = RecognisedPlayer(AGAINST_GREEDY, (0,) * GREEDY_MODELS)
"""What a bot assumes that recognises nobody: all replies are those of the network."""
STRONG = RecognisedPlayer(AGAINST_STRONG, (0,) * GREEDY_MODELS)
"""What a bot assumes of a player who is taken for strong without evidence."""


class FinishedTurn(NamedTuple):
    """A finished turn: the state before it and the one that it left, with any cards in the place of hidden ones; the
    cards laid; and the habits of both seats at that time."""

    before: State
    left: State
    laid: int
    both: tuple[int, int]


def recognise(view: View, history: tuple[Entry, ...], seat: int) -> RecognisedPlayer:
    """Return how the other player of `seat` plays, by the turns that they have finished.

    Plain functions take too long for this: without compiled ones nobody is recognised.
    """
    if not is_compiled():
        return UNRECOGNISED
    greedy, strong = model_likelihoods(finished_turns(view, history, 1 - seat))
    odds = strong_odds(greedy, strong)
    share = 1 / (1 + CAUTION * exp(min(odds, MOST_ODDS)))
    return RecognisedPlayer(
        AGAINST_STRONG if odds > 0 else AGAINST_GREEDY,
        tuple(round(HUNDREDTHS * share * likelihood / sum(greedy)) for likelihood in greedy),
    )


def model_likelihoods(turns: list[FinishedTurn]) -> tuple[list[float], list[float]]:
    """Return the likelihood of these turns to each greedy model and to each network, up to a common factor."""
    likelihoods = [turn_likelihoods(turn) for turn in turns]
    evidence = [sum(log(turn[model]) for turn in likelihoods) for model in range(GREEDY_MODELS + len(FILES))]
    most = max(evidence)
    found = [exp(max(one - most, -MOST_ODDS)) for one in evidence]
    return found[:GREEDY_MODELS], found[GREEDY_MODELS:]


def strong_odds(greedy: list[float], strong: list[float]) -> float:
    """Return the log-odds of a network against a greedy player, from the likelihoods; 0 without evidence.

    Both are equally likely before the first turn, and so are all models of each kind.
    """
    return log(fmean(strong)) - log(fmean(greedy))


@lru_cache(maxsize=4096)
def turn_likelihoods(turn: FinishedTurn) -> tuple[float, ...]:
    """Return the likelihood of a turn to each greedy model, and to each network."""
    hands = sampled_hands(turn)
    greedy = [likelihood(turn, hands, GREEDY + model, GREEDY_TEMPERATURE) for model in range(GREEDY_MODELS)]
    strong = [likelihood(turn, hands, NETWORK, NETWORK_TEMPERATURE, which) for which in range(len(FILES))]
    return *greedy, *strong


def likelihood(
    turn: FinishedTurn, hands: tuple[int, ...], policy: int, temperature: float, which: int = AGAINST_GREEDY
) -> float:
    """Return the mean probability of a turn, over these hands, to a player who prefers turns by a policy's values."""
    before, left, total = turn.before, turn.left, 0.0
    for hand in hands:
        me = Side(before.me.up, before.me.down, hand, (before.me.hand | before.me.deck) & ~hand)
        found, values = best_positions(before._replace(me=me), BEST, policy, turn.both, which)
        made = [left.me.up, left.me.down, hand & ~turn.laid, left.foe.up, left.foe.down]
        weights = [exp((value - values[0]) / temperature) for value in values]
        places = [k for k in range(len(values)) if found[k * FIELDS : k * FIELDS + len(made)] == made]
        total += UNLIKELY + sum(weights[k] for k in places) / sum(weights)
    return total / len(hands)


def sampled_hands(turn: FinishedTurn) -> tuple[int, ...]:
    """Return hands that the player may have had at this turn, the same ones whenever they are asked for."""
    me, found = turn.before.me, []
    word = playout.first_word(me.hand | me.deck)  # another one at every turn
    for _ in range(HANDS):
        kept, word = draw_cards((me.hand | me.deck) & ~turn.laid, count(me.hand) - count(turn.laid), word)
        found.append(kept | turn.laid)
    return tuple(found)


def finished_turns(view: View, history: tuple[Entry, ...], seat: int) -> list[FinishedTurn]:
    """Return the turns that a seat has finished; none if the history does not lead from the start to the view."""
    fresh = start(Variants())
    options = fresh._replace(
        lenient=int(view.options["dead_end"] == "loss"), grace=int(bool(view.options["last_card_grace"]))
    )
    sides, turns, laid = [unseen(ROW_UP, ROW_DOWN, DECK, HAND)] * 2, [], 0
    before, entries = sides, [(k, entry) for k, entry in enumerate(history) if entry.seat in (0, 1)]
    for k, entry in entries:
        me = entry.seat
        if entry.text == "end":
            left = options._replace(me=sides[me], foe=sides[1 - me], seat=me, helped=int(helped(before, sides, me)))
            if me == seat:
                at = options._replace(me=before[me], foe=before[1 - me], seat=me)
                both = habits_of(*conduct(0, history[:k])), habits_of(*conduct(1, history[:k]))
                turns.append(FinishedTurn(at, left, laid, both))
            hand, cards = count(sides[me].hand) + draws(left), sides[me].hand | sides[me].deck
            sides = [unseen(side.up, side.down, cards, hand) if s == me else side for s, side in enumerate(sides)]
            before, laid = sides, 0
        else:
            pile, card = entry.text.split()
            sides, laid = lay(sides, me, PILES.index(pile), 1 << int(card)), laid | 1 << int(card)
    return turns if agrees(sides, view) else []


def unseen(up: int, down: int, cards: int, hand: int) -> Side:
    """Return a side with so many cards in the hand, any of those that were not laid."""
    held = from_positions(positions(cards)[:hand])
    return Side(up, down, held, cards & ~held)


def lay(sides: list[Side], seat: int, pile: int, card: int) -> list[Side]:
    """Return the sides after a seat has laid a card on a pile, by its place in PILES."""
    me, target = sides[seat], seat if pile < 2 else 1 - seat
    hers = unseen(me.up, me.down, (me.hand | me.deck) & ~card, count(me.hand) - 1)
    after = [hers if k == seat else side for k, side in enumerate(sides)]
    top = after[target]
    after[target] = top._replace(down=card) if pile % 2 else top._replace(up=card)
    return after


def helped(before: list[Side], after: list[Side], seat: int) -> bool:
    """Return whether a seat has laid on the piles of the other one between these two."""
    return before[1 - seat][:2] != after[1 - seat][:2]


def agrees(sides: list[Side], view: View) -> bool:
    """Return whether the piles and the numbers of cards are those of the view."""
    seen = [(1 << half.up, 1 << half.down, half.in_hand, half.in_deck) for half in view.board.halves]
    return seen == [(side.up, side.down, count(side.hand), count(side.deck)) for side in sides]
