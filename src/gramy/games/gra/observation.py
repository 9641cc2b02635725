"""What a seat may know, and its moves, as numbers. Seats count from the observing one: it is 0, the next one 1.

Of two equal cards the first is dealt first, so their bits would show what others hold: cards are counted by pair. The
order of a hand, which the actions `choose` use, is the order of the pairs.
"""

from collections.abc import MutableSequence

from gramy.cards import bit_of, count, deposit, lowest, number_at, row_of, spread, where
from gramy.encoding import ActionBlock, Feature
from gramy.games.gra.rules import (
    CHECK,
    CHOOSE,
    FULL,
    HIGHER,
    LOWER,
    PAIRS,
    PHASES,
    RIGHT,
    START,
    VALUES,
    Options,
    State,
    in_play,
    winners,
)  # fmt: skip

SLOTS = FULL - 1  # the most cards in a hand
KINDS = len(PAIRS)
FACES = (*PAIRS, (0, 0))  # the faces of each pair, and of no card
NO_CARD = 1 << 2 * KINDS
PHASE_NUMBER = len(PHASES)


def observation(options: Options) -> tuple[Feature, ...]:
    players, most = options.players, SLOTS * options.players
    return (
        Feature(
            "hand", KINDS, 0, 2, "own cards of each pair: 12, 13, 14, 15, 16, 23, 24, 25, 26, 34, 35, 36, 45, 46, 56"
        ),
        Feature("low_faces", SLOTS, 0, VALUES, "lower face of each own card, in hand order; 0 without a card"),
        Feature("high_faces", SLOTS, 0, VALUES, "higher face of each own card, in hand order; 0 without a card"),
        Feature("chosen_faces", SLOTS, 0, VALUES, "chosen face of each own card, in hand order; 0 before the choice"),
        Feature("faces", VALUES, 0, SLOTS, "own chosen faces of each value 1 to 6; all 0 before the choice"),
        Feature("bid_value", VALUES, 0, 1, "value of the standing bid, 1 to 6; all 0 without a bid"),
        Feature("bid_number", 1, 0, most, "number of the standing bid; 0 without a bid"),
        Feature("in_play", 1, 0, most, "cards in all hands together"),
        Feature("ones_are_jokers", 1, 0, 1, "whether ones count as every value in this round"),
        Feature("direction", 1, -1, 1, "1 the turn passes to the left, -1 to the right"),
        Feature("tie_break", 1, 0, 1, "whether a tie is being broken"),
        Feature("phase", PHASE_NUMBER, 0, 1, ", ".join(PHASES)),
        Feature("bidder", players, 0, 1, "who made the standing bid, from the own seat on; all 0 without a bid"),
        Feature(
            "turn", players, 0, 1, "who bids, or will open the round, from the own seat on; all 0 before the start"
        ),
        Feature("active", players, 0, 1, "who is still in play, from the own seat on"),
        Feature("ready", players, 0, 1, "who has chosen faces, from the own seat on"),
        Feature("sizes", players, 0, FULL, "hand sizes, from the own seat on"),
        Feature("result", 1, -1, 1, "1 won, -1 lost, 0 not over"),
        Feature("jokers", 1, 0, 1, "option `jokers`: 1 for `on`"),
        Feature("directions", 1, 0, 1, "option `directions`: 1 for `on`"),
        Feature("fewer_cards", 1, 0, 1, "option `fewer_cards`: 1 for `on`"),
        Feature("longer_game", 1, 0, 1, "option `longer_game`: 1 for `on`"),
        Feature("quantity_first", 1, 0, 1, "option `bid_order`: 1 for `quantity_first`"),
    )


def observe(state: State, seat: int, out: MutableSequence[int], at: int = 0) -> None:
    """G5: the own choice is known when it is made, and changes until the last one has confirmed."""
    at = _observe_hand(state, seat, out, at)
    bid, score, variant = state.bid, state.score, state.variant
    at = spread(1 << bid.value >> 1, VALUES, out, at)  # the value 0 means no bid
    out[at] = bid.number
    out[at + 1] = in_play(score)
    out[at + 2] = variant.jokers & int(bid.opened != 1)
    out[at + 3] = state.step
    out[at + 4] = score.tie
    at = spread(1 << state.phase, PHASE_NUMBER, out, at + 5)
    players = variant.players
    for offset in range(players):
        one = where(seat + offset < players, seat + offset, seat + offset - players)
        out[at + offset] = int(bid.number > 0 and bid.bidder == one)
        out[at + players + offset] = int(state.turn == one)
        out[at + 2 * players + offset] = score.active >> one & 1
        out[at + 3 * players + offset] = state.ready >> one & 1
        out[at + 4 * players + offset] = number_at(score.sizes, one)
    at += 5 * players
    won = winners(state)
    out[at] = 2 * (won >> seat & 1) - int(won != 0)
    out[at + 1] = variant.jokers
    out[at + 2] = variant.directions
    out[at + 3] = variant.fewer
    out[at + 4] = variant.longer
    out[at + 5] = variant.quantity_first


def _observe_hand(state: State, seat: int, out: MutableSequence[int], at: int) -> int:
    hand, picks, chosen = number_at(state.hands, seat), number_at(state.picks, seat), state.ready >> seat & 1
    for kind in range(KINDS):
        out[at + kind] = (hand >> 2 * kind & 1) + (hand >> 2 * kind + 1 & 1)
    at += KINDS
    turned = deposit(picks, hand)  # the cards whose higher face is chosen
    for value in range(1, VALUES + 1):
        faces = count(hand & ~turned & LOWER[value] | turned & HIGHER[value])
        out[at + 3 * SLOTS + value - 1] = chosen * faces
    for slot in range(SLOTS):
        low, high = FACES[lowest(hand | NO_CARD) // 2]
        out[at + slot] = low
        out[at + SLOTS + slot] = high
        out[at + 2 * SLOTS + slot] = chosen * (high if picks >> slot & 1 else low)
        hand &= hand - 1
    return at + 3 * SLOTS + VALUES


def actions(options: Options) -> tuple[ActionBlock, ...]:
    most = SLOTS * options.players
    lefts = [
        ActionBlock(f"bid {value}", value - 1, 1, most, f"bid 1 to {most} of the value {value}")
        for value in range(1, VALUES + 1)
    ]
    rights = [
        ActionBlock(
            f"bid {value} right", RIGHT + value - 1, 1, most, f"open with 1 to {most} of the value {value}, right"
        )
        for value in range(1, VALUES + 1)
    ]
    choices = "choose faces: bit i of the index is 1 for the higher face of card i, in hand order"
    taking = ActionBlock("start", row_of(START), bit_of(START), 1, "take the start before anybody else does")
    return (
        *lefts,
        *(rights if options.directions and options.players > 2 else []),
        ActionBlock("choose", CHOOSE, 0, 1 << SLOTS, choices),
        ActionBlock("check", CHECK, 0, 1, "check the standing bid"),
        *([taking] if options.starter == "agreed" else []),
    )
