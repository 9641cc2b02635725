"""How the team plays on: a turn by judgement, and whole roll-outs in deals that agree with what is known.

Written for both worlds, like `judgement`; `tried`, `weighed` and `shares` are what is compiled. In a roll-out every
player goes by his own cards and by what the others say, and says as much of a new card as he has said so far.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from gramy.bots.quick_easy.judgement import Floats, Ints, Judge, chance, value
from gramy.bots.quick_easy.talk import BAND, CLOSE, PILE, SILENT
from gramy.cards import code_of, count, lowest, replace_at, select
from gramy.games.quick_easy.rules import DECK, END, HAND, State, apply, colour, deal, higher, legal_moves, lower, won
from gramy.playout import below, following_word

NO = code_of(END, 0)
"""In place of a card that is not laid."""

DOUBT, DOUBTFUL = 0.05, 0.15
"""How often a player does not go by judgement, and a difference in value that leaves doubt."""

SURE = 100.0
"""The value of a table that is won."""


class Guess(NamedTuple):
    """What a player knows of the hidden cards, and room to work in.

    `holders` (until the first below 0) and `may_be` tell of each hidden card in a hand whose it is and what it may be,
    `likely` how well each of the fifty explains what its holder did (all 0 where that tells nothing); `manners` how
    each seat talks; `said` what the others know of each card of the own hand. `known` and `order` belong to one deal:
    what everybody knows of each card in a hand, and the deck from the top; `kept` is what was known when it was dealt.
    """

    holders: Ints
    may_be: Ints
    likely: Ints
    manners: Ints
    said: Ints
    known: Ints
    order: Ints
    kept: Ints


def ways(state: State, turns: Ints) -> int:
    """Every way to play a whole turn, as pairs of moves into `turns`; how many there are."""
    found = 0
    rows = legal_moves(state, state.seat)
    for row in range(END):
        cards = rows[row]
        while cards:
            first = code_of(row, lowest(cards))
            cards &= cards - 1
            turns[2 * found], turns[2 * found + 1] = first, NO
            found += 1
            more = legal_moves(apply(state, state.seat, first), state.seat)
            for other in range(row, END):  # on two piles, both orders come to the same
                rest = more[other]
                while rest:
                    turns[2 * found], turns[2 * found + 1] = first, code_of(other, lowest(rest))
                    rest &= rest - 1
                    found += 1
    return found


def laid(state: State, first: int, second: int) -> State:
    """The table as a turn leaves it, before the draw."""
    if first != NO:
        state = apply(state, state.seat, first)
    return state if second == NO else apply(state, state.seat, second)


def worth(state: State, known: Ints, judge: Judge) -> float:
    """The value of a table that is left, also if it is won."""
    return SURE if won(state) else value(state, known, judge)


def plan(state: State, known: Ints, judge: Judge) -> tuple[float, int, int]:
    """The best whole turn by judgement alone: its value, and its moves."""
    best, chosen = -SURE, 0
    for way in range(ways(state, judge.turns)):
        found = worth(laid(state, judge.turns[2 * way], judge.turns[2 * way + 1]), known, judge)
        if found > best:
            best, chosen = found, way
    return best, judge.turns[2 * chosen], judge.turns[2 * chosen + 1]


def told(manner: int, card: int) -> int:
    """The cards that a card may be after its holder has talked of it."""
    if manner == BAND:
        return 3 << (card - card % 2)
    return DECK if manner == SILENT else colour(card // 10)


def spoken(state: State, guess: Guess) -> None:
    """Everybody has said which piles he can turn or follow closely, or by his silence that he cannot."""
    for seat in range(state.players):
        if guess.manners[seat] == PILE:
            if state.up:
                top = lowest(state.up)
                back, on = lower(top % 10), higher(top % 10)
                _hint(
                    state.hands[seat], guess.known, colour(top // 10), back, on & lower(min(top % 10 + CLOSE + 1, 10))
                )
            if state.down:
                top = lowest(state.down)
                back, on = higher(top % 10), lower(top % 10)
                _hint(state.hands[seat], guess.known, colour(top // 10), back, on & ~lower(max(top % 10 - CLOSE, 0)))


def _hint(hand: int, known: Ints, suit: int, back: int, close: int) -> None:
    """What all know of a hand after talk of a pile: whether it can turn it (`suit` and `back`) or follow closely."""
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


def passed(state: State, guess: Guess, first: int, second: int, at: int) -> tuple[State, int]:
    """The table after a turn: cards laid, cards drawn from `order` and talked about; how many were drawn so far."""
    state = laid(state, first, second)
    if not won(state):
        state = apply(state, state.seat, NO)
    return served(state, guess, at)


def served(state: State, guess: Guess, at: int) -> tuple[State, int]:
    """Everybody who is owed cards has drawn them."""
    while state.draw > 0:
        seat, cards = state.seat, 0
        for _ in range(state.draw):
            card = guess.order[at]
            at += 1
            cards |= 1 << card
            guess.known[card] = told(guess.manners[seat], card)
        state = deal(state, cards)
    if state.pro:
        spoken(state, guess)
    return state, at


def drawn(cards: int, likely: Ints, at: int, word: int) -> int:
    """One of these cards, by how likely each is."""
    total, rest = 0, cards
    while rest:
        total += likely[at + lowest(rest)]
        rest &= rest - 1
    if total == 0:
        return select(cards, below(word, count(cards)))
    least = below(word, total)
    rest = cards
    while True:
        card = lowest(rest)
        least -= likely[at + card]
        if least < 0:
            return card
        rest &= rest - 1


def shares(state: State, first: int, known: Ints, judge: Judge, into: Floats) -> None:
    """How well each card that `state.seat` may have kept explains that it laid no other than `first`.

    `state` is the table before that turn; its hand is the card that was laid, and all hidden cards are in the deck.
    """
    seat, hand, maybe = state.seat, state.hands[state.seat], state.deck
    while maybe:
        kept = maybe & -maybe
        maybe &= maybe - 1
        deck, hands = state.deck & ~kept, replace_at(state.hands, seat, hand | kept)
        for other in range(state.players):
            if other != seat:  # any cards will do: they are not known
                for _ in range(HAND):
                    hands = replace_at(hands, other, hands[other] | deck & -deck)
                    deck &= deck - 1
        held = State(state.up, state.down, hands, deck, seat, 0, 0, 0, state.players, state.pro)
        into[lowest(kept)] = DOUBT + (1 - DOUBT) * _share(held, first, known, judge)


def _share(state: State, first: int, known: Ints, judge: Judge) -> float:
    """How often a player by judgement would lay just this card."""
    this, every = worth(laid(state, first, NO), known, judge), 0.0
    for way in range(ways(state, judge.turns)):
        left = laid(state, judge.turns[2 * way], judge.turns[2 * way + 1])
        every += exp((worth(left, known, judge) - this) / DOUBTFUL)
    return 1 / every


def dealt(state: State, guess: Guess, in_deck: int, word: int) -> tuple[State, int]:
    """A deal that agrees with what is known: hidden hands, and a shuffled deck in `order`; the next random word."""
    hidden = state.deck
    hands = state.hands
    for slot in range(len(guess.holders)):
        seat = guess.holders[slot]
        if seat < 0:
            break
        maybe = guess.may_be[slot] & hidden
        if maybe == 0:
            maybe = hidden  # somebody was mistaken
        word = following_word(word)
        card = drawn(maybe, guess.likely, slot * 50, word)
        hidden &= ~(1 << card)
        hands = replace_at(hands, seat, hands[seat] | 1 << card)
        guess.known[card] = guess.may_be[slot] | 1 << card
    size = 0
    while hidden:
        card = lowest(hidden)
        hidden &= hidden - 1
        word = following_word(word)
        other = below(word, size + 1)
        guess.order[size] = guess.order[other]
        guess.order[other] = card
        size += 1
    deck = 0
    for at in range(min(size, in_deck)):
        deck |= 1 << guess.order[at]
    mine = state.hands[state.seat]
    while mine:
        guess.known[lowest(mine)] = guess.said[lowest(mine)]
        mine &= mine - 1
    return State(state.up, state.down, hands, deck, state.seat, state.laid, 0, 0, state.players, state.pro), word


def played_on(state: State, guess: Guess, at: int, judge: Judge, turns: int) -> float:
    """The chance to win after so many turns by judgement: 1 or 0 if it came to an end before."""
    for _ in range(turns):
        if won(state):
            return 1.0
        if state.lost:
            return 0.0
        _, first, second = plan(state, guess.known, judge)
        state, at = passed(state, guess, first, second, at)
    if won(state):
        return 1.0
    if state.lost:
        return 0.0
    best, _, _ = plan(state, guess.known, judge)
    return chance(best)


def weighed(state: State, plans: Ints, in_deck: int, word: int, guess: Guess, judge: Judge, into: Floats) -> None:
    """What judgement alone makes of each plan (pairs of codes): it goes by what was said, so any deal will do."""
    world, _ = dealt(state, guess, in_deck, word)
    for way in range(len(into)):
        into[way] = chance(worth(laid(world, plans[2 * way], plans[2 * way + 1]), guess.known, judge))


def tried(
    state: State,
    plans: Ints,
    chosen: Ints,
    worlds: int,
    word: int,
    turns: int,
    in_deck: int,
    guess: Guess,
    judge: Judge,
    sums: Floats,
) -> int:
    """Add up what becomes of the chosen plans (pairs of codes) in so many deals; the next random word."""
    for _ in range(worlds):
        world, word = dealt(state, guess, in_deck, word)
        for card in range(50):
            guess.kept[card] = guess.known[card]
        for index in range(len(chosen)):
            for card in range(50):
                guess.known[card] = guess.kept[card]
            first, second = plans[2 * chosen[index]], plans[2 * chosen[index] + 1]
            after, at = passed(world, guess, first, second, 0)
            sums[index] += played_on(after, guess, at, judge, turns)
    return word
