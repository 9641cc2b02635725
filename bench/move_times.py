"""Measure how long bots take for a move, at the budget that they have at a table.

    python -m bench.move_times [--games gra ...] [--levels expert ...] [--matches 2] [--budget 1.0]

In each setting one level plays whole matches at all seats, in this process. Run it on a quiet machine: a bot's work is
fixed, so a busy one takes longer. The code is compiled before, but strategy tables are read from disk in the first
match, as in a new process of a server. The talk before a move is not timed. The longest move of a level should stay
below 1.5 seconds. docs/strength.md has the table that this prints.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator, Sequence

import gramy
from gramy.bots import LEVELS, Bot, bot, prepare
from gramy.bots.gra import abstraction, strategy_tables
from gramy.contract import Game
from gramy.matches import Match, ShuffledDealer
from gramy.table.services import Times

SETTINGS: dict[str, tuple[dict[str, str], ...]] = {
    "face-to-face": ({},),
    "quick-easy": ({"players": "2"}, {"players": "5"}),
    "gra": (
        {"players": "2"},
        {"players": "2", "bid_order": "quantity_first"},
        {"players": "2", "bid_order": "quantity_first", "jokers": "on"},
        {"players": "6", "jokers": "on"},
    ),
}
"""The options of each game that are measured: the fewest and the most players, and the tables and the search of GRA."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table: for each setting and level the median and the longest time of a move."""
    parser = argparse.ArgumentParser(prog="python -m bench.move_times", description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(SETTINGS), choices=list(SETTINGS))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    parser.add_argument("--matches", type=int, default=2, help="matches of each level in each setting (2)")
    parser.add_argument("--budget", type=float, default=Times().budget, help="seconds of budget for a move")
    given = parser.parse_args(arguments)
    print("| setting | level | median | longest | moves |\n|---|---|---|---|---|")
    for name in given.games:
        for options in SETTINGS[name]:
            game = gramy.game(name, **options)
            setting = " ".join([name, *(f"{option}={value}" for option, value in options.items())])
            for level in given.levels:
                player = bot(name, level)
                prepare(game, [player])
                strategy_tables.load_table.cache_clear()
                abstraction.subgames.cache_clear()
                seconds = [
                    took for seed in range(given.matches) for took in move_times(game, player, seed, given.budget)
                ]
                median, longest = statistics.median(seconds), max(seconds)
                print(f"| `{setting}` | {level} | {median:.3f} s | {longest:.2f} s | {len(seconds)} |", flush=True)


def move_times(game: Game, player: Bot, seed: int, budget: float) -> Iterator[float]:
    """Yield how many seconds each move of a match takes, without the talk before it."""
    rng = random.Random(seed)
    match = Match(game, ShuffledDealer(rng))
    while match.to_act:
        seat = match.to_act[0]
        for talker in range(game.players):
            for phrase in player.say(match.view(talker), match.history(talker), rng):
                match.say(phrase, talker)
        began = time.perf_counter()
        move = player.choose(match.view(seat), match.history(seat), rng, budget)
        yield time.perf_counter() - began
        match.play(move, seat)


if __name__ == "__main__":
    main()
