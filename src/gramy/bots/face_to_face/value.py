"""The chance to win with a table left like this, learned from matches of this player against itself.

A small network looks at each side through a few dozen counts of cards: how many are near a pile, passed by both, ten
back. It is told what the player who left the table knows: of the other hand only how many cards it has. All sums
run in one order over plain doubles, so that compiled and plain play come to the same.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import tanh

from gramy.cards import count, highest, lowest
from gramy.games.face_to_face.rules import DECK, HAND, State, draws

OWN, OTHER, HIDDEN = 54, 24, 16
INPUTS = OWN + OTHER
SIZE = INPUTS * HIDDEN + 2 * HIDDEN + 1
"""The network as one row of numbers: the weights of each input, the biases, the weights of the output, its bias."""


def within(cards: int, top: int, steps: int) -> int:
    """How many of the cards a rising pile reaches in so many steps."""
    at = lowest(top) + 1
    return count(cards >> at & (1 << steps) - 1)


def beneath(cards: int, top: int, steps: int) -> int:
    """How many of the cards a falling pile reaches in so many steps."""
    return count(cards & top - 1 & -(top >> min(steps, lowest(top))))


def look_own(left: State, seen: MutableSequence[float]) -> None:
    """What the player sees at home."""
    me = left.me
    up, down, hand, deck = me.up, me.down, me.hand, me.deck
    above, below = -(up << 1) & DECK, down - 1 & DECK
    draw = draws(left)
    held, rest = count(hand), count(deck)
    u, d = lowest(up), lowest(down)
    seen[0] = count(hand & above & below)
    seen[1] = count(hand & above & ~below)
    seen[2] = count(hand & below & ~above)
    seen[3] = count(hand & ~above & ~below)
    seen[4] = count(deck & above & below)
    seen[5] = count(deck & above & ~below)
    seen[6] = count(deck & below & ~above)
    seen[7] = count(deck & ~above & ~below)
    seen[8] = within(hand, up, 1)
    seen[9] = within(hand, up, 3)
    seen[10] = within(hand, up, 6)
    seen[11] = within(hand, up, 10)
    seen[12] = within(hand, up, 16)
    seen[13] = beneath(hand, down, 1)
    seen[14] = beneath(hand, down, 3)
    seen[15] = beneath(hand, down, 6)
    seen[16] = beneath(hand, down, 10)
    seen[17] = beneath(hand, down, 16)
    seen[18] = within(deck, up, 3)
    seen[19] = within(deck, up, 8)
    seen[20] = within(deck, up, 16)
    seen[21] = beneath(deck, down, 3)
    seen[22] = beneath(deck, down, 8)
    seen[23] = beneath(deck, down, 16)
    seen[24] = count(hand & up >> 10)
    seen[25] = count(hand & down << 10)
    seen[26] = count(deck & up >> 10)
    seen[27] = count(deck & down << 10)
    seen[28] = count(hand & hand << 10 & above)
    seen[29] = count(hand & hand >> 10 & below)
    seen[30] = count(hand & deck << 10 & above)
    seen[31] = count(hand & deck >> 10 & below)
    seen[32] = count(deck & hand << 10 & above)
    seen[33] = count(deck & hand >> 10 & below)
    seen[34] = count(deck & deck << 10 & above)
    seen[35] = count(deck & deck >> 10 & below)
    seen[36] = u
    seen[37] = 61 - d
    seen[38] = max(0, u - d)
    seen[39] = max(0, u - d + 15)
    seen[40] = max(0, d - u - 30)
    seen[41] = held + draw
    seen[42] = draw
    seen[43] = rest - draw
    seen[44] = int(rest == draw)
    seen[45] = int(held + rest == 1)
    seen[46] = lowest(hand & above) - u if hand & above else 30
    seen[47] = d - highest(hand & below) if hand & below else 30
    foe = left.foe
    seen[48] = int(hand & foe.up - 1 != 0)
    seen[49] = int(hand & -(foe.down << 1) != 0)
    seen[50] = lowest(foe.up) - highest(hand & foe.up - 1) if hand & foe.up - 1 else 30
    seen[51] = lowest(hand & -(foe.down << 1)) - lowest(foe.down) if hand & -(foe.down << 1) else 30
    seen[52] = beneath(deck, foe.up, 6)
    seen[53] = within(deck, foe.down, 6)


def look_other(left: State, seen: MutableSequence[float]) -> None:
    """What the player sees on the other side."""
    up, down, cards = left.foe.up, left.foe.down, left.foe.hand | left.foe.deck
    above, below = -(up << 1) & DECK, down - 1 & DECK
    held, rest = count(left.foe.hand), count(left.foe.deck)
    u, d = lowest(up), lowest(down)
    seen[0] = count(cards & above & below)
    seen[1] = count(cards & above & ~below)
    seen[2] = count(cards & below & ~above)
    seen[3] = count(cards & ~above & ~below)
    seen[4] = within(cards, up, 3)
    seen[5] = within(cards, up, 8)
    seen[6] = within(cards, up, 16)
    seen[7] = beneath(cards, down, 3)
    seen[8] = beneath(cards, down, 8)
    seen[9] = beneath(cards, down, 16)
    seen[10] = count(cards & up >> 10)
    seen[11] = count(cards & down << 10)
    seen[12] = count(cards & cards << 10 & above)
    seen[13] = count(cards & cards >> 10 & below)
    seen[14] = u
    seen[15] = 61 - d
    seen[16] = max(0, u - d)
    seen[17] = max(0, u - d + 15)
    seen[18] = max(0, d - u - 30)
    seen[19] = held
    seen[20] = rest
    seen[21] = int(rest == 0)
    seen[22] = int(held + rest < 7)
    seen[23] = int(held < HAND)


def weighed(
    net: Sequence[float], first: int, inputs: int, seen: Sequence[float], total: MutableSequence[float]
) -> None:
    """Add what so many inputs, from the first on, contribute to each hidden unit."""
    for at in range(0, HIDDEN, 8):  # eight at a time, which the compiler keeps in registers
        a, b, c, d = total[at], total[at + 1], total[at + 2], total[at + 3]
        e, f, g, h = total[at + 4], total[at + 5], total[at + 6], total[at + 7]
        for k in range(inputs):
            times = seen[k]
            if times != 0.0:
                row = (first + k) * HIDDEN + at
                a += times * net[row]
                b += times * net[row + 1]
                c += times * net[row + 2]
                d += times * net[row + 3]
                e += times * net[row + 4]
                f += times * net[row + 5]
                g += times * net[row + 6]
                h += times * net[row + 7]
        total[at], total[at + 1], total[at + 2], total[at + 3] = a, b, c, d
        total[at + 4], total[at + 5], total[at + 6], total[at + 7] = e, f, g, h


def logit(
    left: State,
    net: Sequence[float],
    seen: MutableSequence[float],
    total: MutableSequence[float],
    others: MutableSequence[float],
    at: int,
    fresh: bool,
) -> float:
    """The log-odds to win. What the other side contributes is kept in `others`, and looked at only when it is fresh."""
    if fresh:
        for unit in range(HIDDEN):
            total[unit] = net[INPUTS * HIDDEN + unit]
        look_other(left, seen)
        weighed(net, OWN, OTHER, seen, total)
        for unit in range(HIDDEN):
            others[at + unit] = total[unit]
    else:
        for unit in range(HIDDEN):
            total[unit] = others[at + unit]
    look_own(left, seen)
    weighed(net, 0, OWN, seen, total)
    out = net[(INPUTS + 2) * HIDDEN]
    for unit in range(HIDDEN):
        if total[unit] > 0.0:
            out += total[unit] * net[(INPUTS + 1) * HIDDEN + unit]
    return out


def chance(logit: float) -> float:
    """The chance that has these log-odds."""
    return 0.5 + 0.5 * tanh(0.5 * logit)
