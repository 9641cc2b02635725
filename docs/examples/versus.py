"""Let learner.py learn, and play its policy against a reference bot: each deal twice, with the seats swapped.

    python docs/examples/versus.py --minutes 8 --deals 1000 --opponent g2

prints rows of a table: minutes of learning, steps of the batch, matches against the bot, matches won. The exit status
says whether it beats the bot in the end.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence

import learner
import numpy as np

import gramy
from gramy import bots
from gramy.encoding import action_codes, spans, width, write_mask

GAME = gramy.game("face-to-face")
SIZE = width(GAME.rules.observation(GAME.options))
BLOCKS = GAME.rules.actions(GAME.options)
CODES = action_codes(BLOCKS)


def choose(weights: np.ndarray, match: gramy.Match, seat: int) -> str:
    """Return the move that the policy likes best. It gets what a batch shows: the observation and the mask."""
    observation, mask = np.zeros((1, SIZE), np.int8), np.zeros(len(CODES), np.int8)
    GAME.rules.observe(match.state, seat, observation[0], 0)
    write_mask(GAME.rules.legal_moves(match.state, seat), spans(BLOCKS), mask, 0)
    legal = np.flatnonzero(mask)
    scores = learner.features(observation, np.zeros(len(legal), int), legal) @ weights
    return GAME.rules.format_move(match.state, seat, CODES[legal[scores.argmax()]])


def results(weights: np.ndarray, deals: int, opponent: str = "g2", seed: int = 1) -> Iterator[int]:
    """Yield 1 for each match that the policy wins, and 0 for each that it loses."""
    bot = bots.REFERENCES[opponent][GAME.name]
    for deal in range(deals):
        for own in range(2):
            match, rng = gramy.match(GAME.name, seed=seed + deal), random.Random(deal)
            while match.to_act:
                seat = match.to_act[0]
                if seat == own:
                    match.play(choose(weights, match, seat), seat)
                else:
                    match.play(bot.choose(match.view(seat), match.history(seat), rng, 1.0), seat)
            assert match.outcome
            yield int(match.outcome.winners == (own,))


def won(weights: np.ndarray, deals: int, opponent: str = "g2") -> float:
    """Return the share of matches won: half of them from each seat."""
    return float(np.mean(list(results(weights, deals, opponent))))


def main(words: Sequence[str] | None = None) -> bool:
    """Learn and print the curve; return whether the policy wins more than half of the last matches, beyond chance."""
    parser = argparse.ArgumentParser(description="Learn, and play against a reference bot on the way.")
    parser.add_argument("--minutes", type=float, default=8, help="time to learn, without the matches against the bot")
    parser.add_argument("--checks", type=int, default=8, help="points of the curve")
    parser.add_argument("--deals", type=int, default=1000, help="deals at the end, each from both seats")
    parser.add_argument("--opponent", default="g2")
    arguments = parser.parse_args(words)
    learning, spent, steps, share, error = learner.learn(), 0.0, 0, 0.0, 0.0
    next(learning)  # compiles
    for check in range(1, arguments.checks + 1):
        began = time.monotonic()
        while spent + time.monotonic() - began < 60 * arguments.minutes * check / arguments.checks:
            next(learning)
            steps += 1
        weights = next(learning)
        spent += time.monotonic() - began
        deals = arguments.deals if check == arguments.checks else max(arguments.deals // 10, 1)
        share, number = won(weights, deals, arguments.opponent), 2 * deals
        error = 1.96 * (share * (1 - share) / number) ** 0.5
        print(f"| {spent / 60:.1f} | {steps:,} | {number:,} | {share:.1%} ± {error:.1%} |", flush=True)
    return share - error > 0.5


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
