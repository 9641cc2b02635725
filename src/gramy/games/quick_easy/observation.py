"""What a seat may know, and its moves, as numbers. Seats count from the observing one: it is 0, the next one 1.

A plane has a number for each card: red 1 to 10, then blue, green, yellow and grey. Talk is not part of a state.
"""

from collections.abc import MutableSequence

from gramy.cards import bit_of, count, number_at, row_of, spread, where, write
from gramy.contract import NOBODY
from gramy.encoding import ActionBlock, Feature
from gramy.games.quick_easy.rules import DOWN, END, HAND, START, UP, Options, State, required, takes, unstarted, winners

CARDS = 50


def observation(options: Options) -> tuple[Feature, ...]:
    return (
        Feature("hand", CARDS, 0, 1, "cards in the own hand"),
        Feature("unseen", CARDS, 0, 1, "cards in the draw pile or in other hands"),
        Feature("up_top", CARDS, 0, 1, "top of the rising pile; all 0 while it is empty"),
        Feature("down_top", CARDS, 0, 1, "top of the falling pile; all 0 while it is empty"),
        Feature("up_takes", CARDS, 0, 1, "cards that fit on the rising pile, whoever has them"),
        Feature("down_takes", CARDS, 0, 1, "cards that fit on the falling pile, whoever has them"),
        Feature("in_hand", options.players, 0, HAND, "cards in each hand, from the own seat on"),
        Feature("turn", options.players, 0, 1, "whose turn it is, from the own seat on; all 0 before the start"),
        Feature("in_deck", 1, 0, CARDS, "cards in the draw pile"),
        Feature("laid", 1, 0, 2, "cards laid in this turn"),
        Feature("required", 1, 0, 1, "cards that must still be laid before the turn may end"),
        Feature("result", 1, -1, 1, "1 won, -1 lost, 0 not over"),
        Feature("pro", 1, 0, 1, "option `pro`: 1 for `on`"),
    )


def observe(state: State, seat: int, out: MutableSequence[int], at: int = 0) -> None:
    """C7, and the cards that have been laid: everybody saw them."""
    unseen = state.deck
    for one in range(6):
        unseen |= where(one == seat, 0, state.hands[one])
    up, down = takes(state)
    at = spread(number_at(state.hands, seat), CARDS, out, at)
    at = spread(unseen, CARDS, out, at)
    at = spread(state.up, CARDS, out, at)
    at = spread(state.down, CARDS, out, at)
    at = spread(up, CARDS, out, at)
    at = spread(down, CARDS, out, at)
    turn = NOBODY if unstarted(state) else state.seat
    for offset in range(state.players):
        one = where(seat + offset < state.players, seat + offset, seat + offset - state.players)
        write((count(number_at(state.hands, one)),), out, at + offset)
        write((int(turn == one),), out, at + state.players + offset)
    at += 2 * state.players
    result = int(winners(state) != 0) - state.lost
    write((count(state.deck), state.laid, required(state), result, state.pro), out, at)


def actions(options: Options) -> tuple[ActionBlock, ...]:
    taking = ActionBlock("start", row_of(START), bit_of(START), 1, "take the start before anybody else does")
    return (
        ActionBlock("up", UP, 0, CARDS, "lay the card on the rising pile: red 1 to 10, blue, green, yellow, grey"),
        ActionBlock("down", DOWN, 0, CARDS, "lay the card on the falling pile, in the same order"),
        ActionBlock("end", END, 0, 1, "end the turn and draw"),
        *([taking] if options.starter == "agreed" else []),
    )
