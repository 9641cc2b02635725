"""How the judgement is learned: the team plays against the deck and corrects itself after every match.

    python -m gramy.bots.quick_easy.practice base --games 4000000

writes `base.bin` or `pro.bin` anew; it goes on from the weights that are there, or with `--afresh` from nothing. Every
table that was left is a lesson: what it was worth is what became of it, part of it (`TRUST`) as the next tables were
judged. Matches are of two to five players, silent or talking. With `--draws 6` the team looks ahead: at what the next
player makes of each turn, in six deals that agree with what was said. A team that tells its cards' heights wins more by
it, so it learns what a table is worth to those who search; that is slow, and the last thing to learn. (Silent players
do not: they need some fifty deals, and win less with six than by judgement alone.)

The weights that are kept were learned by these functions: in 2.8 million matches of the base and 3 million of the pro
game, from an older, smaller network on, and in 80,000 more of the base game by those who tell heights, looking at six
draws and the next player's very cards.
"""

from __future__ import annotations

import argparse
import random
from array import array
from math import log, sqrt
from typing import Literal, NamedTuple

from tqdm import trange

from gramy.bots.quick_easy.judgement import (
    BIASES,
    FEATURES,
    HIDDEN,
    OUTPUTS,
    WEIGHTS,
    Floats,
    Ints,
    Judge,
    chance,
    file,
    judge,
    value,
)
from gramy.bots.quick_easy.talk import BAND, COLOUR, PILE, SILENT
from gramy.bots.quick_easy.team import Guess, dealt, laid, passed, played_on, served, ways, worth
from gramy.bots.weights import write_weights
from gramy.cards import count, lowest, replace_at
from gramy.compiled import compiled
from gramy.games.quick_easy import RULES
from gramy.games.quick_easy.rules import DECK, Options, State, deal, ending, start, won
from gramy.playout import below, first_word, following_word

TURNS = 64
"""More turns than a match can have."""

SLOTS = 9
"""One more than there can be cards in the others' hands."""

TRUST = 0.2
"""How much of a lesson is the next table's judgement instead of what came of the match in the end."""

BATCH = 512
"""Tables from which one correction is made."""


class Pupil(NamedTuple):
    """A match's tables as they were described and judged, room for the units, and Adam's means for every weight."""

    seen: Floats
    judged: Floats
    hidden: Floats
    slope: Floats
    mean: Floats
    square: Floats
    counts: Ints  # tables since the last correction, corrections


def pupil() -> Pupil:
    """One that has learned nothing."""
    sizes = (TURNS * FEATURES, TURNS, HIDDEN, WEIGHTS, WEIGHTS, WEIGHTS)
    seen, judged, hidden, slope, mean, square = (array("d", [0.0] * size) for size in sizes)
    return Pupil(seen, judged, hidden, slope, mean, square, array("q", [0, 0]))


def curious(state: State, known: Ints, judge: Judge, noise: float, word: int) -> tuple[int, int, int]:
    """A turn that is mostly the best by judgement, and now and then another; its moves, and the next random word."""
    best, chosen = -1e9, 0
    for way in range(ways(state, judge.turns)):
        word = following_word(word)
        luck = -log(-log((below(word, 1 << 30) + 0.5) / (1 << 30)))
        found = worth(laid(state, judge.turns[2 * way], judge.turns[2 * way + 1]), known, judge) + noise * luck
        if found > best:
            best, chosen = found, way
    return judge.turns[2 * chosen], judge.turns[2 * chosen + 1], word


class Glance(NamedTuple):
    """Room to look ahead in: the turns, what they were worth, and the deals that a player imagines."""

    plans: Ints
    sums: Floats
    guess: Guess


def glance(manner: int) -> Glance:
    """Room for the thoughts of players who talk like this."""
    none = array("q", [-1] * SLOTS), array("q", [0] * SLOTS), array("q", [0] * SLOTS * 50)
    rooms = (array("q", [DECK] * 50) for _ in range(4))
    return Glance(array("q", [0] * 20), array("d", [0.0] * 10), Guess(*none, array("q", [manner] * 6), *rooms))


def imagined(state: State, known: Ints, guess: Guess) -> State:
    """The table as `state.seat` knows it: what it cannot see is in the deck, and in the guess what was said of it."""
    slot, hidden = 0, state.deck
    for other in range(state.players):
        rest = state.hands[other]
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if other == state.seat:
                guess.said[card] = known[card]
            else:
                guess.holders[slot], guess.may_be[slot] = other, known[card]
                hidden |= 1 << card
                slot += 1
    guess.holders[slot] = -1
    hands = replace_at((0, 0, 0, 0, 0, 0), state.seat, state.hands[state.seat])
    return State(state.up, state.down, hands, hidden, state.seat, 0, 0, 0, state.players, state.pro)


def foreseen(state: State, known: Ints, judge: Judge, room: Glance, draws: int, word: int) -> tuple[int, int, int]:
    """The turn after which the next player can do best, in so many deals that agree with what was said, as far as such
    are found; its moves, and the next random word."""
    number, guess = ways(state, judge.turns), room.guess
    for way in range(number):
        room.plans[2 * way], room.plans[2 * way + 1] = judge.turns[2 * way], judge.turns[2 * way + 1]
        room.sums[way] = 0.0
    seen, in_deck = imagined(state, known, guess), count(state.deck)
    for _ in range(draws):
        world, word = dealt(seen, guess, in_deck, word)
        for card in range(50):
            guess.kept[card] = guess.known[card]
        for way in range(number):
            for card in range(50):
                guess.known[card] = guess.kept[card]
            after, _ = passed(world, guess, room.plans[2 * way], room.plans[2 * way + 1], 0)
            room.sums[way] += played_on(after, guess, 0, judge, 0)
    chosen = 0
    for way in range(number):
        if room.sums[way] > room.sums[chosen]:
            chosen = way
    return room.plans[2 * chosen], room.plans[2 * chosen + 1], word


def practised(
    state: State,
    guess: Guess,
    judge: Judge,
    pupil: Pupil,
    room: Glance,
    games: int,
    draws: int,
    noise: float,
    rate: float,
    word: int,
) -> tuple[int, int]:
    """So many matches, learning on the way; how many were won, and the next random word."""
    wins = 0
    for _ in range(games):
        word = shuffled(guess.order, word)
        at_table, at = served(deal(state, 1), guess, 0)
        turns = 0
        while not (won(at_table) or at_table.lost):
            if draws:
                first, second, word = foreseen(at_table, guess.known, judge, room, draws, word)
            else:
                first, second, word = curious(at_table, guess.known, judge, noise, word)
            left = laid(at_table, first, second)
            if not won(left):
                pupil.judged[turns] = chance(value(left, guess.known, judge))
                for feature in range(FEATURES):
                    pupil.seen[turns * FEATURES + feature] = judge.features[feature]
                turns += 1
            at_table, at = passed(at_table, guess, first, second, at)
        wins += int(won(at_table))
        lesson = (ending(at_table) / 50) ** 4 if noise >= 1 else (1.0 if won(at_table) else 0.0)
        for turn in range(turns - 1, -1, -1):
            learn(judge, pupil, turn, lesson)
            lesson += TRUST * (pupil.judged[turn] - lesson)
        if pupil.counts[0] >= BATCH:
            correct(judge.weights, pupil, rate)
    return wins, word


def shuffled(order: Ints, word: int) -> int:
    """The whole deck in a new order; the next random word."""
    for card in range(50):
        word = following_word(word)
        other = below(word, card + 1)
        order[card] = order[other]
        order[other] = card
    return word


def learn(judge: Judge, pupil: Pupil, turn: int, lesson: float) -> None:
    """Note in which direction each weight would have judged a table better."""
    weights, hidden, slope = judge.weights, pupil.hidden, pupil.slope
    for unit in range(HIDDEN):
        hidden[unit] = weights[BIASES + unit]
    for feature in range(FEATURES):
        much = pupil.seen[turn * FEATURES + feature]
        if much != 0:
            for unit in range(HIDDEN):
                hidden[unit] += weights[feature * HIDDEN + unit] * much
    total = weights[WEIGHTS - 1]
    for unit in range(HIDDEN):
        total += max(hidden[unit], 0.0) * weights[OUTPUTS + unit]
    error = chance(total) - lesson
    slope[WEIGHTS - 1] += error
    for unit in range(HIDDEN):  # from here on `hidden` is each unit's part in the error
        slope[OUTPUTS + unit] += error * max(hidden[unit], 0.0)
        hidden[unit] = error * weights[OUTPUTS + unit] if hidden[unit] > 0 else 0.0
        slope[BIASES + unit] += hidden[unit]
    for feature in range(FEATURES):
        much = pupil.seen[turn * FEATURES + feature]
        if much != 0:
            for unit in range(HIDDEN):
                slope[feature * HIDDEN + unit] += hidden[unit] * much
    pupil.counts[0] += 1


def correct(weights: Floats, pupil: Pupil, rate: float) -> None:
    """One step of Adam (Kingma and Ba, 2015)."""
    pupil.counts[1] += 1
    steps = pupil.counts[1]
    for at in range(WEIGHTS):
        slope = pupil.slope[at] / pupil.counts[0]
        pupil.slope[at] = 0.0
        pupil.mean[at] += 0.1 * (slope - pupil.mean[at])
        pupil.square[at] += 0.001 * (slope * slope - pupil.square[at])
        mean, square = pupil.mean[at] / (1 - 0.9**steps), pupil.square[at] / (1 - 0.999**steps)
        weights[at] -= rate * mean / (sqrt(square) + 1e-8)
    pupil.counts[0] = 0


CHUNK = 500
PLAYERS: tuple[Literal[2, 3, 4, 5], ...] = (2, 2, 2, 3, 4, 5)
"""Two are the hardest team, so they practise most."""
TALK = {"base": (SILENT, BAND, BAND, BAND), "pro": (SILENT, COLOUR, PILE, PILE)}


STAGES = ((0.45, 0.15, 2e-3), (0.7, 0.07, 6e-4), (0.85, 0.02, 3e-4), (1.0, 0.0, 1e-4))
"""Until which part of all matches, how often something else is tried, and how fast is learned. In the end the team
plays as well as it can: what a table is worth depends on how it is played on."""


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("game", choices=TALK)
    asked.add_argument("--games", type=int, default=4_000_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--afresh", action="store_true", help="forget what was learned")
    asked.add_argument("--draws", type=int, default=0, help="in how many deals a team that talks looks ahead")
    given = asked.parse_args()
    rng, mind, learner = random.Random(given.seed), judge(given.game == "pro"), pupil()
    if given.afresh:
        for at in range(WEIGHTS):
            mind.weights[at] = rng.uniform(-0.3, 0.3) * (at < FEATURES * HIDDEN or at >= (FEATURES + 1) * HIDDEN)
    practise, word = compiled(RULES, practised, lean=True), first_word(given.seed)
    chunks = trange(0, given.games, CHUNK, unit_scale=CHUNK, unit=" matches")
    for number in chunks:
        past = number / given.games
        state = start(Options(rng.choice(PLAYERS), given.game == "pro"))
        manner = rng.choice(TALK[given.game])
        _, noise, rate = next(stage for stage in STAGES if past < stage[0])
        if given.afresh and past < 0.05:
            noise = 1.5
        guess, room = open_deal(manner), glance(manner)
        draws = 0 if manner == SILENT else given.draws
        wins, word = practise(state, guess, mind, learner, room, CHUNK, draws, noise, rate, word)
        chunks.set_postfix_str(f"{state.players} players, talk {manner}: {100 * wins / CHUNK:.1f} % won")
    write_weights(file(given.game == "pro"), "f", mind.weights)


def open_deal(manner: int) -> Guess:
    """Everybody talks alike, and nothing is dealt yet."""
    none = array("q")
    return Guess(none, none, none, array("q", [manner] * 6), none, *(array("q", [DECK] * 50) for _ in range(3)))


if __name__ == "__main__":
    main()
