"""What a seat may know, and its moves, as numbers. Seats count from the observing one: it is 0, the next one 1.

Of two equal cards the first is dealt first, so their bits would show what others hold: cards are counted by pair. The
order of a hand, which the actions `choose` use, is the order of the pairs.
"""

from collections.abc import MutableSequence

from gramy.cards import bit_of, count, deposit, lowest, number_at, row_of, spread, where, write, write_bytes
from gramy.encoding import ActionBlock, Feature
from gramy.games.gra.rules import (
    CHECK,
    CHOOSE,
    FIRSTS,
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
LOW_FACES, HIGH_FACES = (sum(pair[face] << 4 * kind for kind, pair in enumerate(PAIRS)) for face in (0, 1))
NO_CARD = 1 << 2 * KINDS  # its faces are 0
TWO_BITS = 0x0303030303030303  # the lowest two bits of each byte
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
    jokers = variant.jokers & int(bid.opened != 1)
    at = write((bid.number, in_play(score), jokers, state.step, score.tie), out, at)
    at = spread(1 << state.phase, PHASE_NUMBER, out, at)
    players, sizes = variant.players, 0
    for one in range(6):
        sizes |= score.sizes[one] << 8 * one
    bidder = from_own_seat(int(bid.number > 0) << bid.bidder, seat, players)
    turn = from_own_seat(1 << state.turn + 1 >> 1, seat, players)  # NOBODY is -1
    active, ready = from_own_seat(score.active, seat, players), from_own_seat(state.ready, seat, players)
    sizes = sizes >> 8 * seat | (sizes & (1 << 8 * seat) - 1) << 8 * (players - seat)
    at = spread(bidder, players, out, at)
    at = spread(turn, players, out, at)
    at = spread(active, players, out, at)
    at = spread(ready, players, out, at)
    at = write_bytes(sizes, players, out, at)
    won = winners(state)
    at = write((2 * (won >> seat & 1) - int(won != 0), variant.jokers, variant.directions), out, at)
    write((variant.fewer, variant.longer, variant.quantity_first), out, at)


def from_own_seat(seats: int, seat: int, players: int) -> int:
    """Return seats as bits that count from the observing seat on; what stands for nobody is lost."""
    seats &= (1 << players) - 1
    return seats >> seat | seats << players - seat


def _observe_hand(state: State, seat: int, out: MutableSequence[int], at: int) -> int:
    hand, picks, chosen = number_at(state.hands, seat), number_at(state.picks, seat), state.ready >> seat & 1
    pairs = (hand & FIRSTS) + (hand >> 1 & FIRSTS)  # two bits for the number of each pair
    at = write_bytes(deposit(pairs, TWO_BITS), 8, out, at)
    at = write_bytes(deposit(pairs >> 16, TWO_BITS), KINDS - 8, out, at)
    turned = deposit(picks, hand)  # the cards whose higher face is chosen
    straight = hand & ~turned
    for slot in range(SLOTS):
        card = 2 * lowest(hand | NO_CARD) & -4  # four bits for a face of each pair
        low, high = LOW_FACES >> card & 15, HIGH_FACES >> card & 15
        write((low,), out, at + slot)
        write((high,), out, at + SLOTS + slot)
        write((chosen * where(picks >> slot & 1 == 1, high, low),), out, at + 2 * SLOTS + slot)
        hand &= hand - 1
    at += 3 * SLOTS
    for value in range(1, VALUES + 1):
        at = write((chosen * count(straight & LOWER[value] | turned & HIGHER[value]),), out, at)
    return at


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
