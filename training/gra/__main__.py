"""Compute the strategy tables of GRA for rounds between two players, or check tables and solver.

python -m training.gra solve --out value_first.zip                       all rounds, bids by value first
python -m training.gra solve --out value_first_jokers.zip --jokers 3v2   one round with jokers
python -m training.gra solve --out quantity_first.zip --quantity-first   4 cards a hand, 7 in all, at most
python -m training.gra starts --out quantity_first_starts.zip            where the search at play time begins
python -m training.gra search 1v1 1v2                                    best responses to that search
python -m training.gra search 3v3 --bids 1                               a lower bound, where that takes too long
python -m training.gra check                                             best responses to the tables in the package
python -m training.gra literature                                        liar's dice, beside published values

The computation is deterministic. The index of an archive has the abstraction and the iterations of every table.
The same code and arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from importlib.resources import as_file, files
from itertools import product
from pathlib import Path
from typing import Any

from gramy.bots.gra.abstraction import Abstraction, TwoPlayerRound
from gramy.bots.gra.round_search import RoundSearch
from gramy.bots.gra.round_starts import load_start, start_name
from gramy.bots.gra.strategy_tables import (
    SEAT_NAMES,
    archive_name,
    read_index,
    read_table,
    table_name,
)
from gramy.games.gra.rules import FULL
from training.gra import liars_dice
from training.gra.abstractions import (
    DRAFT_ITERATIONS,
    DRAFT_PROBABILITY,
    LARGEST_HAND,
    MOST_CARDS,
    MOST_CARDS_COMPLETE,
    PLAYED_PROBABILITY,
    TablePlan,
    abstraction_of,
    draft_abstraction,
    draft_opponent_values,
    plan_of,
    target_exploitability,
)
from training.gra.archive import archived, guaranteed_value, write_archive
from training.gra.pruning import prune, pruned_abstraction
from training.gra.round_starts import StartSolver, opener_wins, write_starts
from training.gra.search_exploitability import best_response_value
from training.gra.solver import Solver

ITERATIONS_PER_CHECK = 50
"""The exploitability is computed each time after so many iterations."""

HAND_SIZES = range(1, FULL)

HEADING = "round  opener's chance  exploitability  least   most    seconds"


def solve(abstraction: Abstraction, max_iterations: int) -> Solver:
    """Return a solver that has reached the target exploitability or the maximum of iterations.

    With imperfect recall the exploitability stays above the target, so it is not computed in between. Large rounds by
    quantity first have a plan with a fixed number of iterations.
    """
    plan = plan_of(abstraction.round, abstraction.seat)
    if plan is not None:
        return solve_by_plan(abstraction, plan, max_iterations)
    solver = Solver(abstraction)
    if not all(subgame.perfect_recall[abstraction.seat] for subgame in solver.subgames):
        solver.iterate(max_iterations)
    while solver.iterations < max_iterations:
        solver.iterate(ITERATIONS_PER_CHECK)
        if solver.exploitability() < target_exploitability(abstraction.round):
            break
    return solver


def solve_by_plan(abstraction: Abstraction, plan: TablePlan, max_iterations: int) -> Solver:
    """Return a solver with a strategy in a pruned tree, in which only the bids of a draft were computed.

    A plan without a draft gives a strategy in the whole tree.
    """
    if not plan.drafted:
        solver = Solver(abstraction, plan.opponent_values)
        solver.iterate(min(plan.iterations, max_iterations))
        return solver
    draft = Solver(draft_abstraction(abstraction), draft_opponent_values(abstraction.round, abstraction.seat))
    draft.iterate(min(DRAFT_ITERATIONS, max_iterations))
    kept = pruned_abstraction(draft, DRAFT_PROBABILITY).kept
    del draft  # its regrets take gigabytes
    solver = Solver(abstraction._replace(kept=kept), plan.opponent_values)
    solver.iterate(min(plan.iterations, max_iterations))
    return prune(solver, PLAYED_PROBABILITY)


def hand_sizes(name: str) -> tuple[int, int]:
    """Return the cards of opener and responder in a round such as 3v2."""
    opener, _, responder = name.partition("v")
    if not {opener, responder} <= set(map(str, HAND_SIZES)):
        raise argparse.ArgumentTypeError(f"{name} is not a round such as 3v2, with 1 to {FULL - 1} cards each")
    return int(opener), int(responder)


def rounds(asked: Any) -> Iterator[TwoPlayerRound]:
    """Return the rounds asked for, or all that have tables. Bids by quantity first need 4 GB of memory."""
    every = [(opener, responder) for opener in HAND_SIZES for responder in HAND_SIZES]
    if asked.quantity_first:
        every = [sizes for sizes in every if max(sizes) <= LARGEST_HAND and sum(sizes) <= MOST_CARDS]
    for opener, responder in asked.rounds or every:
        yield TwoPlayerRound(opener, responder, asked.jokers, asked.quantity_first)


def report(round: TwoPlayerRound, guaranteed: Sequence[float | None]) -> str:
    """Return a line on both tables of a round, from the probability that each guarantees its seat."""
    name, (opener, responder) = f"{round.opener_cards}v{round.responder_cards}", guaranteed
    if opener is None or responder is None:
        return f"{name}  one of the two tables is missing"
    least, most = opener, 1 - responder
    return f"{name}  {(least + most) / 2:15.4f}  {most - least:14.5f}  {least:.4f}  {most:.4f}"


def run_solve(asked: Any) -> None:
    """Compute the tables of each round and put them into the archive."""
    print(HEADING)
    for round in rounds(asked):
        began = time.process_time()
        entries, tables = {}, {}
        for seat in (0, 1) if asked.seat is None else (SEAT_NAMES.index(asked.seat),):
            solver = solve(abstraction_of(round, seat), asked.max_iterations)
            name = table_name(round, seat)
            entries[name], tables[name] = archived(solver)
        write_archive(asked.out, entries, tables)
        index = read_index(asked.out)
        found = [index[name].guaranteed if (name := table_name(round, seat)) in index else None for seat in (0, 1)]
        print(report(round, found), f"{time.process_time() - began:9.1f}", flush=True)


def run_check(asked: Any) -> None:
    """Compute best responses to the tables of an archive."""
    print(HEADING)
    packaged = files("gramy.bots.gra").joinpath("tables", archive_name(asked.jokers, asked.quantity_first))
    with as_file(packaged) as default:
        for round in rounds(asked):
            began = time.process_time()
            stored = [read_table(asked.tables or default, round, seat) for seat in (0, 1)]
            found = [None if table is None else guaranteed_value(table) for table in stored]
            print(report(round, found), f"{time.process_time() - began:9.1f}", flush=True)


def run_literature(asked: Any) -> None:
    """Print what the solver proves about liar's dice, beside published values."""
    for line in liars_dice.report(asked.iterations):
        print(line, flush=True)


def run_starts(asked: Any) -> None:
    """Compute where the search begins, and write an archive: all rounds with jokers, without them from five cards on.

    Without jokers all smaller rounds have tables that also evaluate choices of faces.
    """
    starts = {}
    for jokers in (False, True):
        every = [
            (opener, responder)
            for opener, responder in product(HAND_SIZES, repeat=2)
            if jokers or opener + responder > MOST_CARDS_COMPLETE
        ]
        for sizes in asked.rounds or every:
            began, solver = time.process_time(), StartSolver(sizes, jokers)
            solver.iterate(asked.iterations)
            name = start_name(TwoPlayerRound(sizes[0], sizes[1], jokers, quantity_first=True))
            starts[name] = solver.start(asked.iterations)
            print(f"{name:10}  {opener_wins(starts[name]):.4f}  {time.process_time() - began:6.1f}", flush=True)
    write_starts(asked.out, starts, asked.iterations)


def run_search(asked: Any) -> None:
    """Compute best responses to the search, from the stored beginning of a round or from one that is computed now."""
    print("round  opener is sure of  is held to  exploitability  seconds")
    for sizes in asked.rounds:
        began = time.process_time()
        start = load_start(TwoPlayerRound(sizes[0], sizes[1], asked.jokers, quantity_first=True))
        if start is None:
            solver = StartSolver(sizes, asked.jokers)
            solver.iterate(asked.iterations)
            start = solver.start(asked.iterations)
        search = RoundSearch(start, asked.budget)
        least, most = 1 - best_response_value(search, 1, asked.bids), best_response_value(search, 0, asked.bids)
        seconds = time.process_time() - began
        print(f"{sizes[0]}v{sizes[1]}  {least:19.4f}  {most:10.4f}  {most - least:14.4f}  {seconds:7.0f}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    description, _, examples = __doc__.partition("\n\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m training.gra", description=description, epilog=examples, formatter_class=formatter
    )
    variant = argparse.ArgumentParser(add_help=False)
    variant.add_argument(
        "rounds", nargs="*", type=hand_sizes, help="for example 3v2: the opener has three cards; default: all rounds"
    )
    variant.add_argument("--jokers", action="store_true", help="the variant in which ones count for every value")
    variant.add_argument(
        "--quantity-first", action="store_true", help="the variant in which bids rise by quantity first"
    )
    commands = parser.add_subparsers(required=True)
    solving = commands.add_parser("solve", parents=[variant], help="compute tables and write them to an archive")
    solving.add_argument("--out", type=Path, required=True, help="the archive; tables that it has already are kept")
    solving.add_argument("--max-iterations", type=int, default=1000, help="maximum of CFR+ iterations (1000)")
    solving.add_argument("--seat", choices=SEAT_NAMES, help="compute only the table of the opener or the responder")
    solving.set_defaults(run=run_solve)
    checking = commands.add_parser("check", parents=[variant], help="compute best responses to stored tables")
    checking.add_argument("--tables", type=Path, help="an archive; default: the one in the package")
    checking.set_defaults(run=run_check)
    starting = commands.add_parser("starts", help="compute where the search at play time begins; write an archive")
    starting.add_argument(
        "rounds", nargs="*", type=hand_sizes, help="default: all of five cards and more, and all with jokers"
    )
    starting.add_argument("--out", type=Path, required=True, help="the archive")
    starting.add_argument(
        "--iterations", type=int, default=300, help="CFR+ iterations of faces, and then of bids (300)"
    )
    starting.set_defaults(run=run_starts)
    searching = commands.add_parser("search", help="compute best responses to the search, in small rounds")
    searching.add_argument("rounds", nargs="+", type=hand_sizes, help="for example 1v2")
    searching.add_argument("--jokers", action="store_true", help="the variant in which ones count for every value")
    searching.add_argument("--iterations", type=int, default=1200, help="CFR+ iterations of a beginning, if not stored")
    searching.add_argument("--bids", type=int, help="bids of the opponent; default: any number (up to three cards)")
    searching.add_argument("--budget", type=float, default=0.001, help="seconds of budget for a move (0.001)")
    searching.set_defaults(run=run_search)
    literature = commands.add_parser("literature", help="solve liar's dice and compare with published values")
    literature.add_argument("--iterations", type=int, default=1000, help="CFR+ iterations a game (1000)")
    literature.set_defaults(run=run_literature)
    asked = parser.parse_args(arguments)
    asked.run(asked)


if __name__ == "__main__":
    main()
