"""Measure play-outs, batches and single matches against a C reference and other libraries; write docs/benchmarks.md.

    python -m bench [--seconds 2] [--games 100000] [--only c]

Each figure is a median of runs on one pinned core, in processor time, interleaved with those of the reference. Ratios
carry over to other machines, absolute figures do not. Each part writes its own section; `--only` measures one part.
"""

import argparse
import contextlib
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
from typing import Any

import gramy
from bench import own, page, peers
from bench.own import Speed
from gramy import playout
from gramy.compiled import compiled
from gramy.contract import Game
from gramy.options import combinations

HERE = Path(__file__).parent
ROUNDS = 7
BATCH = 4096
PEER_ROUNDS = 3  # of the other libraries, some of which take long to begin

Run = Callable[[float], Speed]
"""Plays for about that many seconds of processor time."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure Gramy against other libraries.")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for each contender (default 2)")
    parser.add_argument(
        "--games", type=int, default=100_000, help="matches of each game, compared state by state (default 100000)"
    )
    parser.add_argument("--only", choices=PARTS, help="measure only this part")
    args = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    page.write(page.HEAD, _head())
    for name, (title, part, pinned) in PARTS.items():
        if args.only in (None, name):
            if pinned:
                peers.pin()  # from here on all measurements run on one core
            lines = [*part(args), "", _when(f"python -m bench --only {name}")]
            page.write(title, lines)
            print("\n".join([title, "", *lines, ""]), flush=True)


def _head() -> list[str]:
    return [
        "`make bench` writes this page; to change its words, edit the programs in `bench/`. Ratios carry over to other",
        "machines, absolute figures do not. The first sections measure uniformly random play on one core, in processor",
        "time. A *decision* is an action of a player, forced or not, here and in the other libraries; deals are none.",
    ]


def _when(command: str) -> str:
    now, load = time.strftime("%Y-%m-%d", time.gmtime()), os.getloadavg()[0]
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    return f"Measured on {now} by `{command}` ({machine}); the load average was {load:.1f} at the end."


# --- starting up ------------------------------------------------------------------------------------------------------


def _start_up(_: argparse.Namespace) -> list[str]:
    """Measure the import, and the first compiled play-out with an empty and a filled cache, in fresh processes."""
    first = "import gramy, gramy.simulation as s; s.simulate(gramy.game('face-to-face'), 1)"
    with tempfile.TemporaryDirectory() as cache:
        imported = statistics.median(_timed("import gramy", cache) for _ in range(5))
        bare = statistics.median(_timed("pass", cache) for _ in range(5))
        cold = _timed(first, cache)
        warm = statistics.median(_timed(first, cache) for _ in range(3))
    return [
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


def _reference(args: argparse.Namespace) -> list[str]:
    """Measure Face to Face against the C reference, interleaved."""
    game = gramy.game("face-to-face")
    with tempfile.TemporaryDirectory() as folder:
        contenders: dict[str, Run] = {"Gramy, compiled by Numba": own.play_outs(game)}
        for name, flags in (("C", []), ("C with PDEP", ["-DPDEP"])):
            if program := _build(Path(folder), flags):
                contenders[name] = _c(program)
        speeds = _in_turns(contenders, args.seconds)
    share = own.choices_a_decision(game)
    lines = [
        "Face to Face against `bench/face_to_face.c`, a program with the same rules written in C. Both play whole",
        f"random matches in one thread, deals included. Medians of {ROUNDS} interleaved runs; lowest and highest ratio",
        "in brackets. The goal is 0.9.",
        "",
        *("| program | games/s | placements/s | ratio to C |", "|---|---|---|---|"),
    ]
    for name, runs in speeds.items():
        games = statistics.median(run.games for run in runs)
        laid = statistics.median(run.decisions for run in runs) * (1 if name.startswith("C") else share)
        ratio = ""
        if "C" in speeds:
            ratios = [run.games / other.games for run, other in zip(runs, speeds["C"], strict=True)]
            ratio = f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})"
        lines.append(f"| {name} | {games:,.0f} | {laid / 1e6:.1f} M | {ratio} |")
    if "C" not in speeds:
        lines.append("\nNo C compiler was found, so there is no reference in this run.")
    return lines


def _in_turns(contenders: dict[str, Run], seconds: float) -> dict[str, list[Speed]]:
    """Run every contender once a round, so that other load on the machine affects all of them."""
    speeds: dict[str, list[Speed]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            speeds[name].append(run(seconds / ROUNDS))
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


def _c(program: Path) -> Run:
    """Measure the C program; its decisions are the placements."""

    def play(games: int) -> tuple[float, int]:
        output = subprocess.run([program, str(games), "12345"], check=True, capture_output=True, text=True).stdout
        _, took, placements, *_ = output.split()
        return float(took), int(placements)

    pace = 20_000 / play(20_000)[0]

    def run(seconds: float) -> Speed:
        games = max(1000, round(pace * seconds))
        took, placements = play(games)
        return Speed(games / took, placements / took)

    return run


# --- against other libraries ------------------------------------------------------------------------------------------

OURS = (("face-to-face", 2), ("quick-easy", 3), ("gra", 2), ("gra", 4))


def _each_game(measure: Callable[[Game], Run]) -> dict[str, Run]:
    return {f"{name}, {players} players": measure(gramy.game(name, players=players)) for name, players in OURS}


def _versus(
    ours: dict[str, Run],
    kinds: Sequence[peers.Peer],
    args: argparse.Namespace,
    shares: dict[str, float] | None = None,
    counted: str = "decisions",
) -> list[str]:
    """Measure ours and the peers in turns; return a table of decisions per second, ours as multiples of each peer's.

    With `shares`, a second multiple counts only that share of our decisions and of theirs.
    """
    theirs = {f"{peer.name} {peer.game}": peer for peer in kinds}
    speeds: dict[str, list[float]] = {name: [] for name in (*ours, *theirs)}
    notes: dict[str, str] = {}
    for _ in range(PEER_ROUNDS):
        for name, run in ours.items():
            speeds[name].append(run(args.seconds / PEER_ROUNDS).decisions)
        for name, peer in theirs.items():
            row = peer.row(args.seconds / PEER_ROUNDS)
            notes[name] = row["note"]
            if row["decisions_per_second"]:
                speeds[name].append(row["decisions_per_second"])
    lines = [f"| {counted}/s | " + " | ".join(ours) + " |", "|---|" + "---|" * len(ours)]
    lines.append(
        "| **Gramy** | " + " | ".join(f"{statistics.median(speeds[name]) / 1e6:.2f} M" for name in ours) + " |"
    )
    for name in theirs:
        if not speeds[name]:
            lines.append(f"| {name}: {notes[name]} |" + " |" * len(ours))
            continue
        median = statistics.median(speeds[name])
        cells = []
        for mine in ours:
            pairs = zip(speeds[mine], speeds[name], strict=False)  # a peer may have failed in a round
            times = statistics.median(a / b for a, b in pairs)
            cells.append(f"**{times:.1f}x**" + (f" ({times * shares[mine] / shares[name]:.1f}x)" if shares else ""))
        lines.append(f"| {name}: {median:,.0f} ({notes[name]}) | " + " | ".join(cells) + " |")
    return lines


def _rollouts(args: argparse.Namespace) -> list[str]:
    shares = {
        f"{name}, {players} players": own.decisions_a_move(gramy.game(name, players=players)) for name, players in OURS
    }
    for peer in peers.ROLLOUT_PEERS:
        with contextlib.suppress(ImportError):
            shares[f"{peer.name} {peer.game}"] = peers.spiel_decisions_a_move(peer.game)
    return [
        f"Both sides play random games from positions after the deal, {peers.ROLLOUTS} from each, in one thread of",
        "compiled code, without Python between the moves: ours by `playout.play_many`, OpenSpiel by the C++ roll-outs",
        "of its tree search. A *move* is any change of the position on the way, on both sides: an action of a player,",
        "forced or not, or a chance move. One of ours may deal several cards; OpenSpiel makes one a card. Ratios",
        "are medians of interleaved runs; in brackets, only players' actions count on both sides. The goals are 10 for",
        "Face to Face and 8 for the others.",
        "",
        *_versus(_each_game(own.roll_outs), peers.ROLLOUT_PEERS, args, shares, "moves"),
    ]


def _from_python(args: argparse.Namespace) -> list[str]:
    return [
        "Both sides play one match at a time from a loop in Python: list the legal actions, choose one at random, make",
        "the move. Ours is `Batch(game, 1)` with `legal` and `play`. Deals are included on both sides; no observations",
        "are made. RLCard returns observations with each step. The goal is 1.",
        "",
        *_versus(_each_game(own.from_python), peers.PYTHON_PEERS, args),
    ]


def _environments(args: argparse.Namespace) -> list[str]:
    talking = {
        f"{game.name}, {game.players} players, talking": own.environment(game, talk=True)
        for game in [gramy.game("quick-easy", players=3)]
    }
    return [
        "Both sides play through PettingZoo's agent loop: `last` with observation and mask, a random legal action,",
        "`step`. PettingZoo's games come in their wrappers, ours is `gramy.env.aec`, silent unless it says otherwise.",
        "A decision is an action of an agent, phrases and `wait` included. The goal is 10.",
        "",
        *_versus(_each_game(own.environment) | talking, peers.ENVIRONMENT_PEERS, args),
    ]


def _batch(step: Callable[[gramy.Batch], None], arrays: bool) -> Callable[[Game], Run]:
    return lambda game: own.batch(game, BATCH, step, arrays)


def _batches(args: argparse.Namespace) -> list[str]:
    rows = {
        "play-outs": own.play_outs,
        "random step": _batch(own.random_step, arrays=False),
        "all arrays, random step": _batch(own.random_step, arrays=True),
        "choose, step": _batch(own.chosen_step, arrays=False),
        "all arrays, choose, step": _batch(own.chosen_step, arrays=True),
        "masks, NumPy chooses, step": _batch(own.numpy_step, arrays=False),
    }
    games = [gramy.game(name, players=players) for name, players in OURS]
    runs = {f"{row} {at}": make(game) for row, make in rows.items() for at, game in enumerate(games)}
    speeds = {
        name: statistics.median(run.decisions for run in found) for name, found in _in_turns(runs, args.seconds).items()
    }
    lines = [
        f"Batches of {BATCH} matches against compiled play-outs, in decisions per second and in brackets the share of",
        "the play-outs. All play at random in one thread, deals and new matches included. *Random step* is",
        "`batch.step()`: drawing a legal action and making the move in one compiled call, as a play-out does. *Choose,",
        "step* is `batch.step(batch.choose())`: the actions go through Python and are checked. *All arrays* reads",
        "`observations`, `masks`, `to_act`, `rewards` and `done` at each step, otherwise only `done`. The goal is 0.3",
        "with all arrays and random steps.",
        "",
        "| what | " + " | ".join(f"{name}, {players} players" for name, players in OURS) + " |",
        "|---|" + "---|" * len(games),
    ]
    for row in rows:
        cells = [
            f"{speeds[f'{row} {at}'] / 1e6:.1f} M ({speeds[f'{row} {at}'] / speeds[f'play-outs {at}']:.2f})"
            for at in range(len(games))
        ]
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    lines += [
        "",
        f"The same batches, with all arrays and random steps, against {peers.BATCH} matches of leduc in pgx. At each",
        "step both sides make observations, masks and rewards, draw random actions and begin new matches. pgx makes",
        f"{peers.STEPS} steps in one compiled call, we call from Python for each. Processor time of all threads is",
        "added up, on one core. The goal is 3.",
        "",
        *_versus(_each_game(_batch(own.random_step, arrays=True)), peers.BATCH_PEERS, args),
    ]
    return lines


def _policies(args: argparse.Namespace) -> list[str]:
    game = gramy.game("face-to-face")
    speeds = _in_turns({"random": own.play_outs(game), "greedy": own.play_outs(game, own.greedy)}, args.seconds)
    ratios = [one.decisions / other.decisions for one, other in zip(speeds["greedy"], speeds["random"], strict=True)]
    rows = [
        f"| {name} | {statistics.median(run.decisions for run in runs) / 1e6:.1f} M |" for name, runs in speeds.items()
    ]
    return [
        "Whole matches of Face to Face in one thread, by random players and by a policy written in Python, which lays",
        "the nearest card (`greedy` in `bench/own.py`) and is compiled with the rules, as by `gramy.simulate`.",
        "",
        *("| players | decisions/s |", "|---|---|", *rows),
        "",
        f"Ratio: **{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f}). The goal is 0.5.",
    ]


# --- compiled equals plain --------------------------------------------------------------------------------------------


def _equal(args: argparse.Namespace) -> list[str]:
    """Compare a fingerprint of all states of many random matches, compiled and interpreted, with all options."""
    lines = [
        "Random matches with every combination of options, played by the compiled and by the interpreted rules; a",
        "fingerprint of all states must be equal.",
        "",
    ]
    lines += ["| game | option combinations | matches | differences |", "|---|---|---|---|"]
    for name, rules in gramy.GAMES.items():
        variants = [asdict(options) for options in combinations(rules.Options)]
        each = -(-args.games // len(variants))
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


PARTS: dict[str, tuple[str, Callable[[argparse.Namespace], list[str]], bool]] = {
    "start-up": (page.START_UP, _start_up, False),
    "equal": (page.EQUAL, _equal, False),
    "c": (page.C, _reference, True),
    "roll-outs": (page.ROLLOUTS, _rollouts, True),
    "python": (page.FROM_PYTHON, _from_python, True),
    "environment": (page.ENVIRONMENTS, _environments, True),
    "batch": (page.BATCHES, _batches, True),
    "policy": (page.POLICIES, _policies, True),
}
"""The parts by name: their section, what measures them, and whether it is pinned to one core."""


if __name__ == "__main__":
    main()
