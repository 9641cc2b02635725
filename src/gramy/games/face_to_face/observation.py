"""What a seat may know, and its moves, as numbers. Own means the observing seat's; every plane has a number a card."""

from collections.abc import MutableSequence

from gramy.cards import count, lowest, spread, write
from gramy.encoding import ActionBlock, Feature
from gramy.games.face_to_face.rules import (
    DOWN,
    END,
    HAND,
    HELP_DOWN,
    HELP_UP,
    UP,
    Options,
    State,
    draws,
    required,
    winners,
)  # fmt: skip

FIRST = 2  # the lowest number card
CARDS = 58


def observation(options: Options) -> tuple[Feature, ...]:
    return (
        Feature("hand", CARDS, 0, 1, "cards 2 to 59 in the own hand"),
        Feature("deck", CARDS, 0, 1, "cards in the own draw pile; their order is secret"),
        Feature("opponent_cards", CARDS, 0, 1, "cards that the opponent has not laid, in hand or in the draw pile"),
        Feature("up_ahead", CARDS, 0, 1, "numbers 2 to 59 above the top of the own rising pile"),
        Feature("down_ahead", CARDS, 0, 1, "numbers 2 to 59 below the top of the own falling pile"),
        Feature("opponent_up_ahead", CARDS, 0, 1, "numbers 2 to 59 above the top of the opponent's rising pile"),
        Feature("opponent_down_ahead", CARDS, 0, 1, "numbers 2 to 59 below the top of the opponent's falling pile"),
        Feature("tops", 4, 1, 60, "tops of the piles: own rising, own falling, opponent's rising, opponent's falling"),
        Feature("in_hand", 2, 0, HAND, "cards in hand: own, opponent's"),
        Feature("in_deck", 2, 0, CARDS, "cards in the draw pile: own, opponent's"),
        Feature("turn", 2, 0, 1, "whose turn it is: own, opponent's; both 0 before the start"),
        Feature("laid", 1, 0, HAND, "cards laid in this turn"),
        Feature("required", 1, 0, 2, "cards that must still be laid before the turn may end"),
        Feature("helped", 1, 0, 1, "whether a card was laid on the other side's piles in this turn"),
        Feature("draws", 1, 0, HAND, "cards that `end` would draw now"),
        Feature("result", 1, -1, 1, "1 won, -1 lost, 0 not over"),
        Feature("dead_end", 1, 0, 1, "option `dead_end`: 1 for `loss`"),
        Feature("last_card_grace", 1, 0, 1, "option `last_card_grace`: 1 for `on`"),
    )


def observe(state: State, seat: int, out: MutableSequence[int], at: int = 0) -> None:
    """F3: both begin with the same cards, so the cards that a side has not laid follow from those it has."""
    me, foe = (state.me, state.foe) if state.seat == seat else (state.foe, state.me)
    at = spread(me.hand >> FIRST, CARDS, out, at)
    at = spread(me.deck >> FIRST, CARDS, out, at)
    at = spread((foe.hand | foe.deck) >> FIRST, CARDS, out, at)
    at = spread(-(me.up << 1) >> FIRST, CARDS, out, at)
    at = spread((me.down - 1) >> FIRST, CARDS, out, at)
    at = spread(-(foe.up << 1) >> FIRST, CARDS, out, at)
    at = spread((foe.down - 1) >> FIRST, CARDS, out, at)
    at = write((lowest(me.up), lowest(me.down), lowest(foe.up), lowest(foe.down)), out, at)
    at = write((count(me.hand), count(foe.hand), count(me.deck), count(foe.deck)), out, at)
    at = write((int(state.seat == seat), int(state.seat == 1 - seat)), out, at)
    at = write((state.laid, required(state), state.helped, draws(state)), out, at)
    won = winners(state)
    write(((won >> seat & 1) - (won >> (1 - seat) & 1), state.lenient, state.grace), out, at)


def actions(options: Options) -> tuple[ActionBlock, ...]:
    return (
        ActionBlock("up", UP, FIRST, CARDS, "lay the card 2 to 59 on the own rising pile"),
        ActionBlock("down", DOWN, FIRST, CARDS, "lay the card 2 to 59 on the own falling pile"),
        ActionBlock("help-up", HELP_UP, FIRST, CARDS, "lay the card 2 to 59 on the opponent's rising pile"),
        ActionBlock("help-down", HELP_DOWN, FIRST, CARDS, "lay the card 2 to 59 on the opponent's falling pile"),
        ActionBlock("end", END, 0, 1, "end the turn and draw"),
    )
