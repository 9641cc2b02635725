"""Roll-outs of Face to Face: matches are played on in sampled deals, by a policy. All of it can be compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gramy.bots.face_to_face.evaluation import probability
from gramy.bots.face_to_face.turns import Workspace, best_turns, read_position
from gramy.bots.kernel import Floats
from gramy.cards import code_of, count, select
from gramy.contract import NOBODY
from gramy.games.face_to_face.rules import END, Side, State, apply, deal
from gramy.playout import below, following_word

WHOLE_TURN = -1
"""The candidate that stands for the turn itself, with all that it can leave."""


class RollOuts(NamedTuple):
    """What to roll out: states that the turn can leave, the places of those to roll out; for each sampled deal a random
    word and the policy that the other player replies by; and the sum of each candidate's results."""

    positions: Sequence[int]
    candidates: Sequence[int]
    words: Sequence[int]
    reply_policies: Sequence[int]
    sums: Floats


def draw_cards(pool: int, number: int, word: int) -> tuple[int, int]:
    """Draw cards of a pool at random; return them and the next random word."""
    drawn = 0
    for _ in range(number):
        word = following_word(word)
        card = 1 << select(pool, below(word, count(pool)))
        pool ^= card
        drawn |= card
    return drawn, word


def next_turn(left: State, word: int) -> tuple[State, int]:
    """End the turn and draw; return the next turn and the next random word."""
    state = apply(left, left.seat, code_of(END, 0))
    drawn, word = draw_cards(state.me.deck, state.draw, word)
    if drawn:
        state = deal(state, drawn)
    return state, word


def roll_out(
    state: State, seat: int, horizon: int, policy: int, reply_policy: int, workspace: Workspace, word: int
) -> float:
    """Play some turns; return the chance of `seat` to win, 1 or 0 if the match has ended before.

    `seat` plays by `policy` and the other one by `reply_policy`. The last turn is not played but evaluated by `policy`,
    and its best states are written into the workspace.
    """
    while state.winner == NOBODY:
        follows = policy if horizon == 1 or state.seat == seat else reply_policy
        best_turns(state, len(workspace.values) if horizon == 1 else 1, follows, workspace)
        if horizon == 1:
            value = probability(workspace.values[0])
            return value if state.seat == seat else 1.0 - value
        horizon -= 1
        state = read_position(state, workspace.positions, 0)
        if state.winner == NOBODY:
            state, word = next_turn(state, word)
    return float(int(state.winner == seat))


def roll_out_candidates(state: State, rollouts: RollOuts, horizon: int, policy: int, workspace: Workspace) -> None:
    """Roll out each candidate in the same sampled deals, and add up its results.

    In each deal the other player's hand is drawn from all cards that they have not laid. One kernel both finds the
    candidates (WHOLE_TURN) and rolls them out, so that only one has to be compiled.
    """
    hand_size, unseen = count(state.foe.hand), state.foe.hand | state.foe.deck
    for number in range(len(rollouts.words)):
        hand, word_after = draw_cards(unseen, hand_size, rollouts.words[number])
        reply_policy = rollouts.reply_policies[number]
        foe = Side(state.foe.up, state.foe.down, hand, unseen & ~hand)
        start = State(state.me, foe, state.seat, state.laid, state.helped, 0, NOBODY, state.lenient, state.grace)
        for k in range(len(rollouts.candidates)):
            at, next_word = start, word_after
            if rollouts.candidates[k] != WHOLE_TURN:
                at = read_position(start, rollouts.positions, rollouts.candidates[k])
                if at.winner == NOBODY:
                    at, next_word = next_turn(at, word_after)
            rollouts.sums[k] += roll_out(at, state.seat, horizon, policy, reply_policy, workspace, next_word)
