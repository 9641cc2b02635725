"""How different partners play Quick & Easy: the reference bots that stand for people, as functions of numbers.

A model chooses a whole turn from the holder's own hand, the piles and, if it listens, from what is known of the other
hands. It never reads a hidden card. The same functions play the turns of the reference bots (`references`), play the
partner's turns in roll-outs, and tell how likely a model is to have made an observed turn (`recognition`). Everything
here can be compiled.
"""

from __future__ import annotations

from math import exp

from gramy.bots.kernel import Ints
from gramy.bots.quick_easy.features import EMPTY, STEPS, Extractor
from gramy.cards import bit_of, code_of, count, lowest, row_of
from gramy.games.quick_easy.rules import DOWN, END, UP, State, apply, higher, legal_moves, lower, won
from gramy.playout import below, following_word

LIKE_ME, CHEAP, CAREFUL, LISTENER, CHILD = range(5)
"""The models: a player who chooses by the evaluation as the expert does, and the four ways to play of the references.
A talker who never listens plays like CAREFUL."""
MODELS = 5

NO_CARD = code_of(END, 0)
"""In place of the move of a card that is not laid."""

MAX_TURNS = 10
"""Ways to play two cards: one of them on either pile, both on one in either order, or one on each."""

CHEAP_STEP, CHILD_STEP = 1, 2
"""The longest step for which these lay a second card."""

FORGETS_COLOUR = 30
"""A child forgets for this many of 100 cards that a card of the pile's colour fits."""
ANY_STEP = 99
"""Longer than any step."""

GAP_WEIGHT = 0.3
"""Weight of the gap in the value of a position for a careful player; the rest is what the next player makes of it."""
STUCK = -15.0
"""Value of a position in which the next player cannot lay a card, far below any gap."""
CARD_VALUE = 1.0
"""Value of each card laid, in steps."""
FINISHED = 100.0
"""Value of a won match."""

SHARPNESS = 2.0
"""Of the softmax by which a careful player is modelled: a turn worse by one step is 7 times less likely."""
SLIP = 0.05
"""Probability that a player makes any turn at random, in the likelihood of every model."""


# --- turns ------------------------------------------------------------------------------------------------------------


def list_turns(state: State, turns: Ints) -> int:
    """Write every whole turn into `turns` as a pair of moves; return how many there are."""
    found = 0
    rows = legal_moves(state, state.seat)
    for row in range(END):
        cards = rows[row]
        while cards:
            first = code_of(row, lowest(cards))
            cards &= cards - 1
            turns[2 * found], turns[2 * found + 1] = first, NO_CARD
            found += 1
            more = legal_moves(apply(state, state.seat, first), state.seat)
            for other in range(row, END):  # on two piles, both orders lead to the same position
                rest = more[other]
                while rest:
                    turns[2 * found], turns[2 * found + 1] = first, code_of(other, lowest(rest))
                    rest &= rest - 1
                    found += 1
    return found


def after_cards(state: State, first: int, second: int) -> State:
    """Return the position after the cards of a turn, before the draw."""
    if first != NO_CARD:
        state = apply(state, state.seat, first)
    return state if second == NO_CARD else apply(state, state.seat, second)


def room(state: State) -> int:
    """Return how many numbers lie between the tops: 11 while both piles are empty."""
    return (lowest(state.down) % 10 + 1 if state.down else 11) - (lowest(state.up) % 10 + 1 if state.up else 0)


# --- players who take the shortest step -------------------------------------------------------------------------------


def fitting(state: State, by_colour: bool) -> tuple[int, int]:
    """Return the cards of the hand that each pile takes; if not by colour, those that it takes by number alone. Where
    none does, the colour counts after all."""
    rows = legal_moves(state, state.seat)
    up, down = rows[0], rows[1]
    if by_colour:
        return up, down
    higher_up = up & higher(lowest(state.up) % 10) if state.up else up
    lower_down = down & lower(lowest(state.down) % 10) if state.down else down
    return (higher_up, lower_down) if higher_up | lower_down or state.laid else (up, down)


def shortest_steps(state: State, by_colour: bool) -> tuple[int, int, int]:
    """Return the length of the shortest step, and the cards that make it on each pile."""
    rows = fitting(state, by_colour)
    before, best, best_up, best_down = room(state), ANY_STEP, 0, 0
    for row in range(END):
        cards = rows[row]
        while cards:
            card = cards & -cards
            cards &= cards - 1
            step = before - room(apply(state, state.seat, code_of(row, lowest(card))))
            if step < best:
                best, best_up, best_down = step, 0, 0
            if step == best and row == UP:
                best_up |= card
            elif step == best:
                best_down |= card
    return best, best_up, best_down


def shortest_move(state: State, longest: int, forgets: int, word: int) -> tuple[int, int]:
    """Return the move with the shortest step, of equal ones a random one, and the next random word.

    The move is NO_CARD if the step is longer than `longest`. In `forgets` of 100 cases the player forgets the colours.
    """
    word = following_word(word)
    best, up, down = shortest_steps(state, below(word, 100) >= forgets)
    if best > longest:
        return NO_CARD, word
    word = following_word(word)
    chosen = below(word, count(up) + count(down))
    row, cards = UP, up
    if chosen >= count(up):
        chosen, row, cards = chosen - count(up), DOWN, down
    for _ in range(chosen):
        cards &= cards - 1
    return code_of(row, lowest(cards)), word


def short_turn(state: State, longest: int, forgets: int, word: int) -> tuple[int, int, int]:
    """Return the turn of a player who lays the card with the shortest step, and a second one if its step is at most
    `longest`; and the next random word."""
    first, second = NO_CARD, NO_CARD
    for card in range(2 - state.pro):
        move, word = shortest_move(state, longest if card else ANY_STEP, forgets, word)
        if card == 0:
            first = move
        else:
            second = move
        if move == NO_CARD or count(state.hands[state.seat]) == 1:
            break
        state = apply(state, state.seat, move)
    return first, second, word


def move_probability(state: State, move: int, longest: int, forgets: int) -> float:
    """Return the probability of a move, or of NO_CARD, by `shortest_move`."""
    chance = 0.0
    for forgotten in range(2 if forgets else 1):
        best, up, down = shortest_steps(state, forgotten == 0)
        weight = forgets / 100 if forgotten else 1 - forgets / 100
        if best > longest:
            chance += weight if move == NO_CARD else 0.0
        elif move != NO_CARD and (up if row_of(move) == UP else down) >> bit_of(move) & 1:
            chance += weight / (count(up) + count(down))
    return chance


def short_turn_probability(state: State, first: int, second: int, longest: int, forgets: int) -> float:
    """Return the probability of a turn by `short_turn`, in either order if the cards lie on different piles."""
    total = 0.0
    for order in range(2 if second != NO_CARD and row_of(first) != row_of(second) else 1):
        before, chance = state, 1.0
        for card in range(2 - state.pro):
            move = first if card == order else second
            chance *= move_probability(before, move, longest if card else ANY_STEP, forgets)
            if move == NO_CARD or chance == 0.0 or count(before.hands[state.seat]) == 1:
                break
            before = apply(before, state.seat, move)
        total += chance
    return total


# --- players who plan a whole turn ------------------------------------------------------------------------------------


def planned_value(left: State, known: Ints, listens: bool, extractor: Extractor) -> float:
    """Return the value of a position that a turn leaves: the gap, and the gap that the next player can leave.

    A player who does not listen takes any unseen card for as likely as any other. One who listens goes by `known`.
    """
    if won(left):
        return FINISHED
    seat, laid = left.seat, left.laid
    out = left.deck
    for hand in left.hands:
        out |= hand
    unseen = out & ~left.hands[seat]
    hand, after = 0, seat
    for _ in range(left.players):
        after = after + 1 if after + 1 < left.players else 0
        if hand == 0:
            hand = left.hands[after]
    if hand & left.hands[seat]:  # only the own cards are left, and all of them are known
        one, two = hand & -hand, hand & (hand - 1)
    else:
        one, two = unseen, unseen if hand & (hand - 1) else 0
        if listens:
            one = known[lowest(hand)] & unseen
            two = known[lowest(hand & (hand - 1))] & unseen if hand & (hand - 1) else 0
    if one == 0:
        one = unseen
    first = 1 / count(one)
    second = 1 / count(two) if two else 0.0
    up = lowest(left.up) if left.up else EMPTY
    down = lowest(left.down) if left.down else EMPTY
    fit, gain = 0.0, 0.0
    for step in range(STEPS):
        cards = extractor.up[up * STEPS + step] | extractor.down[down * STEPS + step]
        better = 1 - (1 - count(one & cards) * first) * (1 - count(two & cards) * second)
        if step == 0:
            fit = better
        else:
            gain += better
    gap = float(room(left))
    following = fit * (gap - 9) + gain + (1 - fit) * STUCK
    return GAP_WEIGHT * gap + (1 - GAP_WEIGHT) * following + CARD_VALUE * laid


def planned_turn(state: State, known: Ints, listens: bool, extractor: Extractor, turns: Ints) -> tuple[int, int]:
    """Return the turn that leaves the most valuable position; after a card has been laid, the rest of the turn."""
    best, first, second = -1e9, NO_CARD, NO_CARD
    number = list_turns(state, turns)
    for turn in range(-1 if state.laid else 0, number):  # -1: lay no more
        one = turns[2 * turn] if turn >= 0 else NO_CARD
        two = turns[2 * turn + 1] if turn >= 0 else NO_CARD
        found = planned_value(after_cards(state, one, two), known, listens, extractor)
        if found > best:
            best, first, second = found, one, two
    return first, second


def planned_turn_probability(
    state: State, first: int, second: int, known: Ints, listens: bool, extractor: Extractor, turns: Ints
) -> float:
    """Return the probability of a turn by a softmax over the values of all turns."""
    this, total = 0.0, 0.0
    for turn in range(-1, list_turns(state, turns)):
        one = turns[2 * turn] if turn >= 0 else first
        two = turns[2 * turn + 1] if turn >= 0 else second
        found = SHARPNESS * planned_value(after_cards(state, one, two), known, listens, extractor)
        if turn < 0:
            this = found
        else:
            total += exp(min(found - this, 100.0))
    return 1 / total


# --- any model --------------------------------------------------------------------------------------------------------


def model_turn(
    model: int, state: State, known: Ints, extractor: Extractor, turns: Ints, word: int
) -> tuple[int, int, int]:
    """Return the moves of a turn by a model other than LIKE_ME, and the next random word."""
    if model in (CHEAP, CHILD):
        longest, forgets = (CHEAP_STEP, 0) if model == CHEAP else (CHILD_STEP, FORGETS_COLOUR)
        return short_turn(state, longest, forgets, word)
    first, second = planned_turn(state, known, model == LISTENER, extractor, turns)
    return first, second, word


def model_probability(
    model: int, state: State, first: int, second: int, known: Ints, extractor: Extractor, turns: Ints
) -> float:
    """Return the probability that a model other than LIKE_ME makes this turn, if it never slips."""
    if model in (CHEAP, CHILD):
        longest, forgets = (CHEAP_STEP, 0) if model == CHEAP else (CHILD_STEP, FORGETS_COLOUR)
        return short_turn_probability(state, first, second, longest, forgets)
    return planned_turn_probability(state, first, second, known, model == LISTENER, extractor, turns)
