"""How the network comes about: python -m gramy.bots.face_to_face.learning network.bin --matches 400000.

The player plays against itself and against `go` and `g2`, sometimes with one of its lesser ideas; in the end against
these two only, who play as people do that do not look ahead. After every match the chance of each table that it left is
drawn towards what its next own table seemed worth, and further on towards how the match ended: a player's next table,
because the other one does not see its hand. Steps are by Adam, and get smaller. All of it is written to be compiled.
"""

from __future__ import annotations

import argparse
from collections.abc import MutableSequence, Sequence
from math import exp, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from tqdm import trange

from gramy import compiled, playout
from gramy.bots.face_to_face.network import WEIGHTS, pack
from gramy.bots.face_to_face.searching import new_desk
from gramy.bots.face_to_face.turns import CHEAPEST, GREEDY, NETWORK, Desk, drawn, next_turn, noted_table, turns
from gramy.bots.face_to_face.value import (
    APART,
    APART_OF_OTHER,
    ONE,
    ROWS,
    SIZE,
    UNITS,
    apart,
    note_card,
    note_counts,
    note_decks,
    note_hand,
    note_top,
    paired,
)
from gramy.bots.kernel import kernel, zeros
from gramy.bots.weights import write_weights
from gramy.cards import lowest
from gramy.contract import NOBODY
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.rules import Options, State, deal, start
from gramy.playout import below, following_word

LONGEST = 58  # turns of a match (F25)
FACTS = 800  # about one table, more than there are
IDEAS, LESSER = 6, 6  # how many ideas, and how often (%) any of them is played
TRACE = 0.8  # how much of what became of a table is told to the one before it
BATCH = 600  # tables to a step
FIRST = 10_000  # matches that both sides play greedily: who knows nothing learns from them first
ROUND = 2000  # matches
SLOWEST = 5e-6


class Stage(NamedTuple):
    """A part of the matches, how often (%) the other player is the learner itself, and the pace at which it begins."""

    part: float
    itself: int
    pace: float


STAGES = Stage(0.93, 75, 5e-4), Stage(0.07, 0, 3e-4)


class Lesson(NamedTuple):
    """What learning keeps: the weights, how the last tables would change them, and the means and squares of that; of
    the match that was played the facts of every table that was left, how many, whose it was, and what its units added
    up to; and what the table after it seemed worth, for each seat."""

    weights: MutableSequence[float]
    change: MutableSequence[float]
    mean: MutableSequence[float]
    square: MutableSequence[float]
    rounded: MutableSequence[int]
    facts: Any
    number: MutableSequence[int]
    seat: MutableSequence[int]
    hidden: Any
    following: MutableSequence[float]


def note_table(left: State, facts: MutableSequence[int]) -> int:
    """Note all facts about a table that was left; how many. One that speaks to exchanged halves is ROWS further on."""
    me, foe = left.me, left.foe
    others, end = foe.hand | foe.deck, 0
    tops = lowest(me.up), lowest(me.down), lowest(foe.up), lowest(foe.down)
    for pile in range(4):
        first, top, hand = end, tops[pile], me.hand
        pairs, their_pairs = paired(me.deck, pile), paired(others, pile)
        end = note_decks(pile, me.deck, pairs, others, their_pairs, top, facts, end)
        end = note_top(pile, top, facts, note_hand(pile, hand, top, facts, end))
        while hand:
            end = note_card(pile, lowest(hand), me.deck, top, facts, end)
            hand &= hand - 1
        if pile & 1:
            for k in range(first, end):
                facts[k] += ROWS
    first = end
    end = note_counts(left, facts, end)
    facts[end], facts[end + 1] = APART + apart(me), APART_OF_OTHER + apart(foe)
    alike = end + 2 - first
    for k in range(first, first + alike):
        facts[k + alike] = facts[k] + ROWS
    return first + 2 * alike


def judged(weights: Sequence[float], facts: Sequence[int], number: int, hidden: MutableSequence[float]) -> float:
    """The chance to win that so many facts make, and what the units add up to."""
    for unit in range(UNITS):
        hidden[unit] = 0.0
    for k in range(number):
        row, other_half = facts[k] % ROWS * UNITS, facts[k] // ROWS * (UNITS // 2)
        for unit in range(UNITS):
            hidden[unit] += weights[row + (unit ^ other_half)]
    said = weights[ROWS * UNITS]
    for unit in range(UNITS):
        if hidden[unit] > 0.0:
            said += speaks(unit) * hidden[unit]
    return 1.0 / (1.0 + exp(-said))


def speaks(unit: int) -> int:
    """Whether a unit speaks for the player or against him: eight of them do so in turn."""
    return 1 - (unit >> 2 & 2)


def corrected(
    change: MutableSequence[float], facts: Sequence[int], number: int, hidden: Sequence[float], error: float
) -> None:
    """Add how the weights of these facts would change for an error of the chance."""
    for k in range(number):
        row, other_half = facts[k] % ROWS * UNITS, facts[k] // ROWS * (UNITS // 2)
        for unit in range(UNITS):
            if hidden[unit] > 0.0:
                change[row + (unit ^ other_half)] += speaks(unit) * error
    change[ROWS * UNITS] += error


def step(lesson: Lesson, tables: int, steps: int, pace: float, net: MutableSequence[int]) -> None:
    """Change the weights by what so many tables have told, and the network that is played by with them."""
    towards, size = 1.0 - 0.9**steps, 1.0 - 0.999**steps
    for k in range(len(lesson.weights)):
        change = lesson.change[k] / tables
        lesson.change[k] = 0.0
        lesson.mean[k] = 0.9 * lesson.mean[k] + 0.1 * change
        lesson.square[k] = 0.999 * lesson.square[k] + 0.001 * change * change
        lesson.weights[k] -= pace * lesson.mean[k] / towards / (sqrt(lesson.square[k] / size) + 1e-6)
        lesson.rounded[k] = round(lesson.weights[k] * ONE)
    pack(lesson.rounded, net)


def play(
    state: State, mind: int, rival: int, net: Sequence[int], desk: Desk, lesson: Lesson, word: int
) -> tuple[int, int, int]:
    """Play a match and note every table that the learner leaves: how many, the winner, and the next random word.
    Against itself both seats learn."""
    tables = 0
    while state.draw > 0 or state.seat == NOBODY:
        pool, number = (0b11, 1) if state.seat == NOBODY else (state.me.deck, state.draw)
        picked, word = drawn(pool, number, word)
        state = deal(state, picked)
    while state.winner == NOBODY:
        learns = state.seat == 0 or rival == mind
        noted = turns(state, IDEAS, mind if learns else rival, net, desk)
        idea = 0
        word = following_word(word)
        if learns and below(word, 100) < LESSER:
            word = following_word(word)
            idea = below(word, noted)
        state = noted_table(state, desk.tables, idea)
        if state.winner == NOBODY:
            if learns:
                lesson.number[tables] = note_table(state, lesson.facts[tables])
                lesson.seat[tables] = state.seat
                tables += 1
            state, word = next_turn(state, word)
    return tables, state.winner, word


def practise(
    fresh: State,
    matches: int,
    word: int,
    greedy: int,
    itself: int,
    pace: float,
    steps: int,
    net: MutableSequence[int],
    desk: Desk,
    lesson: Lesson,
) -> tuple[int, int, float]:
    """Learn from so many matches; the next random word, the steps made so far, and how well the winners were foretold:
    the mean of the chances' squared errors."""
    waiting, seen, errors, following = 0, 0, 0.0, lesson.following
    for _ in range(matches):
        word = following_word(word)
        mind = GREEDY if greedy else NETWORK
        lot = below(word, 200)
        rival = mind if lot < 2 * itself else GREEDY if lot & 1 else CHEAPEST
        tables, winner, word = play(fresh, mind, rival, net, desk, lesson, word)
        following[0], following[1] = -1.0, -1.0
        for at in range(tables - 1, -1, -1):
            seat, facts, number = lesson.seat[at], lesson.facts[at], lesson.number[at]
            judgement = judged(lesson.weights, facts, number, lesson.hidden[at])
            won = 1.0 if winner == seat else 0.0
            wanted = following[seat] if following[seat] >= 0.0 else won
            following[seat] = TRACE * wanted + (1.0 - TRACE) * judgement
            corrected(lesson.change, facts, number, lesson.hidden[at], judgement - wanted)
            errors += (judgement - won) ** 2
        waiting, seen = waiting + tables, seen + tables
        if waiting >= BATCH:
            steps += 1
            step(lesson, waiting, steps, pace, net)
            waiting = 0
    return word, steps, errors / max(seen, 1)


def new_lesson(seed: int) -> Lesson:
    """Small random weights, and nothing learned."""
    parts: list[Any] = [numpy.random.default_rng(seed).uniform(-0.006, 0.006, WEIGHTS)]
    parts += [numpy.zeros(WEIGHTS), numpy.zeros(WEIGHTS), numpy.zeros(WEIGHTS), numpy.zeros(WEIGHTS, numpy.int64)]
    parts += [numpy.zeros(size, numpy.int64) for size in ((LONGEST, FACTS), LONGEST, LONGEST)]
    parts += [numpy.zeros((LONGEST, UNITS)), numpy.zeros(2)]
    return Lesson(*(parts if compiled.available() else [part.tolist() for part in parts]))


def learned(matches: int, seed: int, round_of: int = ROUND) -> Sequence[int]:
    """The weights after so many matches."""
    practice = kernel(RULES, practise)
    lesson, desk, net, word, steps = new_lesson(seed), new_desk(IDEAS), zeros(SIZE), playout.first_word(seed), 0
    for stage in STAGES:
        number = round(matches * stage.part)
        bar = trange(0, number, round_of)
        for done in bar:
            pace = max(stage.pace * (1 - done / number) ** 2, SLOWEST)
            greedy = int(stage is STAGES[0] and done < FIRST)
            now = min(round_of, number - done)
            word, steps, error = practice(
                start(Options()), now, word, greedy, stage.itself, pace, steps, net, desk, lesson
            )
            bar.set_description(f"error {error:.4f}")
    return [round(weight * ONE) for weight in lesson.weights]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the network of Face to Face by playing.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--matches", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    write_weights(chosen.file, "h", learned(chosen.matches, chosen.seed))


if __name__ == "__main__":
    main()
