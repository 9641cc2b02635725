"""Measure play-outs against a C reference and other libraries, and write docs/benchmarks.md.

    python -m bench [--seconds 2] [--games 100000]

Each figure is a median of runs on one pinned core, in processor time, interleaved with those of the reference. Ratios
carry over to other machines, absolute figures do not.
"""

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy

import gramy
from bench import page, peers
from gramy import playout
from gramy.compiled import compiled
from gramy.contract import Game
from gramy.options import combinations

HERE = Path(__file__).parent
ROUNDS = 7


class Speed(NamedTuple):
    """Games and decisions per second of one contender."""

    games: float
    decisions: float


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure play-outs against other libraries.")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for each measurement (default 2)")
    parser.add_argument(
        "--games", type=int, default=100_000, help="matches of each game, compared state by state (default 100000)"
    )
    args = parser.parse_args()
    lines = [*_head(), *_start_up(), *_equal(args.games)]
    peers.pin()  # from here on all measurements run on one core
    lines += [*_reference(args.seconds), *_against_peers(args.seconds)]
    page.write(page.PLAYOUTS, lines)
    print("\n".join(lines))


def _head() -> list[str]:
    now = time.strftime("%Y-%m-%d", time.gmtime())
    return [
        "`make bench` writes this page; to change its words, edit the programs in `bench/`. Ratios carry over to other",
        "machines, absolute figures do not.",
        "",
        f"The sections about play-outs were measured on {now} by `{' '.join(['python -m bench', *sys.argv[1:]])}`:",
        "uniformly random play, one core, processor time.",
        f"Machine: Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores.",
    ]


# --- starting up ------------------------------------------------------------------------------------------------------


def _start_up() -> list[str]:
    """Measure the import, and the first compiled play-out with an empty and a filled cache, in fresh processes."""
    first = "import gramy, gramy.simulation as s; s.simulate(gramy.game('face-to-face'), 1)"
    with tempfile.TemporaryDirectory() as cache:
        imported = statistics.median(_timed("import gramy", cache) for _ in range(5))
        bare = statistics.median(_timed("pass", cache) for _ in range(5))
        cold = _timed(first, cache)
        warm = statistics.median(_timed(first, cache) for _ in range(3))
    return [
        "",
        "## Start-up time",
        "",
        "Processor time of fresh processes: medians of 5 runs (import) and 3 (from the cache), one run without cache.",
        "",
        "| what | seconds | limit |",
        "|---|---|---|",
        f"| `import gramy`, without the interpreter's own {bare:.2f} | {imported - bare:.2f} | 0.15 |",
        f"| first compiled play-out, whole process, empty cache | {cold:.1f} | 20 |",
        f"| first compiled play-out, whole process, from the cache | {warm:.2f} | 1.5 |",
    ]


def _timed(code: str, cache: str) -> float:
    """Return the processor time of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "GRAMY_CACHE": cache})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# --- against C --------------------------------------------------------------------------------------------------------


def _reference(seconds: float) -> list[str]:
    """Measure Face to Face against the C reference, interleaved."""
    with tempfile.TemporaryDirectory() as folder:
        contenders: dict[str, Callable[[int], Speed]] = {"Gramy, compiled by Numba": _own(gramy.game("face-to-face"))}
        for name, flags in (("C", []), ("C with PDEP", ["-DPDEP"])):
            if program := _build(Path(folder), flags):
                contenders[name] = _c(program)
        speeds = _in_turns(contenders, seconds)
    method = "Face to Face against `bench/face_to_face.c`, a program with the same rules written in C."
    medians = f"Medians of {ROUNDS} interleaved runs; lowest and highest ratio in brackets."
    lines = ["", "## Play-outs compared with C", "", method, medians, ""]
    lines += ["| program | games/s | placements/s | ratio to C |", "|---|---|---|---|"]
    for name, runs in speeds.items():
        games = statistics.median(run.games for run in runs)
        laid = statistics.median(run.decisions for run in runs)
        ratio = ""
        if "C" in speeds:
            ratios = [run.games / other.games for run, other in zip(runs, speeds["C"], strict=True)]
            ratio = f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})"
        lines.append(f"| {name} | {games:,.0f} | {laid / 1e6:.1f} M | {ratio} |")
    if "C" not in speeds:
        lines.append("\nNo C compiler was found, so there is no reference in this run.")
    return lines


def _in_turns(contenders: dict[str, Callable[[int], Speed]], seconds: float) -> dict[str, list[Speed]]:
    """Run every contender once a round, so that other load on the machine affects all of them."""
    games = {name: max(1000, round(run(20_000).games * seconds / ROUNDS)) for name, run in contenders.items()}
    speeds: dict[str, list[Speed]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            speeds[name].append(run(games[name]))
    return speeds


def _build(folder: Path, flags: Sequence[str]) -> Path | None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    program = folder / ("reference" + "".join(flags))
    if compiler is None:
        return None
    command = [compiler, "-O3", "-march=native", *flags, "-o", str(program), str(HERE / "face_to_face.c")]
    built = subprocess.run(command, capture_output=True)
    works = built.returncode == 0 and subprocess.run([program, "10", "1"], capture_output=True).returncode == 0
    return program if works else None


def _c(program: Path) -> Callable[[int], Speed]:
    def run(games: int) -> Speed:
        output = subprocess.run([program, str(games), "12345"], check=True, capture_output=True, text=True).stdout
        _, took, placements, *_ = output.split()
        return Speed(games / float(took), int(placements) / float(took))

    return run


def _own(game: Game) -> Callable[[int], Speed]:
    """Return a function that measures our compiled play-outs. Deals, and `end` in Face to Face, are no decisions."""
    play = compiled(game.rules, playout.play_many)
    share = _decisions_a_move(game)

    def run(games: int) -> Speed:
        endings = numpy.zeros(playout.ENDINGS, numpy.int64)
        began = time.process_time()
        moves, _ = play(game.start(), games, playout.first_word(7), endings)
        took = time.process_time() - began
        return Speed(games / took, moves * share / took)

    run(10)
    return run


def _decisions_a_move(game: Game, matches: int = 300) -> float:
    """Return the share of moves that are decisions of players, without deals and `end`."""
    decisions = moves = 0
    step = playout.specialise(game.rules, playout.step)
    rules: Any = game.rules
    word = playout.first_word(3)
    for _ in range(matches):
        state = game.start()
        while who := rules.to_act(state):
            before, seat = state, who.bit_length() - 1
            state, word = step(state, word)
            moves += 1
            decisions += seat != gramy.DEALER and not _only_ended(game, before, state)
    return decisions / moves


def _only_ended(game: Game, before: Any, after: Any) -> bool:
    """Return whether the move between two states was `end`."""
    seat = game.to_act(before)[0]
    if "end" not in game.moves(before, seat):
        return False
    return bool(game.apply(before, seat, "end")[0] == after)


# --- against other libraries ------------------------------------------------------------------------------------------


def _against_peers(seconds: float) -> list[str]:
    own = {
        f"{name}, {players} players": _own(gramy.game(name, players=players))
        for name, players in (("face-to-face", 2), ("quick-easy", 3), ("gra", 2), ("gra", 4))
    }
    speeds = _in_turns(own, seconds)
    lines = ["", "## Play-outs compared with other libraries", ""]
    lines += [
        f"Gramy: medians of {ROUNDS} interleaved runs. Others: one run of {seconds:g} s of processor time each, played",
        "as their documentation shows. A decision is a move of a player; deals and `end` do not count.",
        "",
    ]
    lines += ["| library | game | games/s | decisions/s | version and notes |", "|---|---|---|---|---|"]
    mine: dict[str, float] = {}
    for name, runs in speeds.items():
        mine[name] = statistics.median(run.decisions for run in runs)
        games = statistics.median(run.games for run in runs)
        lines.append(f"| **Gramy** | {name} | {games:,.0f} | {mine[name] / 1e6:.1f} M | |")
    rows = peers.measure(seconds)
    for row in rows:
        speeds_of = row["games_per_second"], row["decisions_per_second"]
        speed = " | ".join("none" if each is None else f"{each:,.0f}" for each in speeds_of)
        lines.append(f"| {row['name']} | {row['game']} ({row['kind']}) | {speed} | {row['note']} |")
    lines += ["", "Speed-up, decisions per second:", ""]
    lines += ["| against | " + " | ".join(mine) + " |", "|---|" + "---|" * len(mine)]
    for row in rows:
        if theirs := row["decisions_per_second"]:
            times = " | ".join(f"{speed / theirs:,.1f}x" for speed in mine.values())
            lines.append(f"| {row['name']} {row['game']} ({row['kind']}) | {times} |")
    return lines


# --- compiled equals plain --------------------------------------------------------------------------------------------


def _equal(games: int) -> list[str]:
    """Compare a fingerprint of all states of many random matches, compiled and interpreted, with all options."""
    lines = ["", "## Compiled rules compared with interpreted rules", ""]
    lines += [
        "Random matches with every combination of options, played by the compiled and by the interpreted rules; a",
        "fingerprint of all states must be equal.",
        "",
    ]
    lines += ["| game | option combinations | matches | differences |", "|---|---|---|---|"]
    for name, rules in gramy.GAMES.items():
        variants = [asdict(options) for options in combinations(rules.Options)]
        each = -(-games // len(variants))
        with ProcessPoolExecutor() as pool:
            different = sum(pool.map(_differs, [name] * len(variants), variants, [each] * len(variants)))
        lines.append(f"| {name} | {len(variants)} | {each * len(variants):,} | {different} |")
        if different:
            raise SystemExit(f"{name}: the compiled rules differ from the interpreted ones")
    return lines


def _differs(name: str, options: dict[str, Any], games: int) -> bool:
    game = gramy.game(name, **options)
    word = playout.first_word(games)
    plain = playout.specialise(game.rules, playout.fingerprint)(game.start(), games, word)
    return bool(plain != compiled(game.rules, playout.fingerprint)(game.start(), games, word))


if __name__ == "__main__":
    main()
