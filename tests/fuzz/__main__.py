"""The long fuzzing run, guided by coverage: `make fuzz`, or `python -m tests.fuzz --inputs 1000000 --only bodies`.

Each target runs in a process of its own, under libFuzzer (by atheris). New inputs that reach more code are saved in
build/fuzz/TARGET, where the next run starts; an input that fails is saved in build/fuzz, and a table of all targets in
build/fuzz/report.txt. The same seed on the same code, without saved inputs, tries the same inputs in the same order.
With `--plain` the inputs are those of `make test`, in any number: many more in the same time, and less clever ones.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

SHARES = {
    "http": 3,
    "sockets": 2,
    "handshakes": 2,
    "admin": 2,
    "verify": 3,
    "tables": 3,
    "arguments": 5,
    "rows": 6,
    "records": 8,
    "frames": 6,
    "moves": 15,
    "positions": 30,
    "hosts": 30,
    "options": 50,
    "cookies": 60,
    "names": 80,
    "notes": 241,
    "bodies": 454,
}
"""The inputs of each target per thousand; fast targets get more. The slowest come first, for two jobs."""
FOLDER = Path("build/fuzz")
DONE = re.compile(r"Done (\d+) runs in (\d+) second")


class Result(NamedTuple):
    """The outcome of one target: the inputs that were tried, the seconds, and the last lines if it failed."""

    name: str
    tried: int
    seconds: int
    failure: str


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz")
    parser.add_argument("--inputs", type=int, default=10_000_000, help="number of inputs (default 10 million)")
    parser.add_argument("--only", choices=SHARES, help="fuzz one target only")
    parser.add_argument("--seed", type=int, help="seed of the fuzzer, 1 or more (default: a random one)")
    parser.add_argument(
        "--plain", action="store_true", help="change valid inputs at random, without coverage: ten times as fast"
    )
    parser.add_argument("--jobs", type=int, default=1, help="targets that run at the same time (default 1)")
    args = parser.parse_args()
    seed = args.seed or random.SystemRandom().randrange(1, 2**31)
    asked = (
        [(args.only, args.inputs)] if args.only else [(name, args.inputs * of // 1000) for name, of in SHARES.items()]
    )
    print(f"seed {seed}", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda one: run(*one, seed, args.plain), asked))
    lines = report(results, seed)
    (FOLDER / "report.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    return any(result.failure for result in results)


def run(name: str, runs: int, seed: int, plain: bool) -> Result:
    """Fuzz one target in a process of its own."""
    lines, done = [], None
    work = "fuzz_plainly" if plain else "fuzz"
    code = f"from tests.fuzz.__main__ import {work}; {work}({name!r}, {runs}, {seed})"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as running:
        for line in running.stdout or ():
            lines = [*lines[-60:], line]
            done = DONE.match(line) or done
    failed = running.returncode or done is None
    result = Result(name, int(done[1]) if done else 0, int(done[2]) if done else 0, "".join(lines) if failed else "")
    print(f"{name}: {result.failure or f'{result.tried:,} inputs in {result.seconds} s, no failure'}", flush=True)
    return result


def report(results: Sequence[Result], seed: int) -> list[str]:
    """Return the lines of a table: the inputs that each target tried."""
    rows = [f"{one.name:12} {one.tried:>12,} {one.seconds:>8,}  {'FAILED' if one.failure else 'ok'}" for one in results]
    tried, seconds = sum(one.tried for one in results), sum(one.seconds for one in results)
    head = f"{'target':12} {'inputs':>12} {'seconds':>8}"
    return [f"seed {seed}", head, *rows, f"{'all':12} {tried:>12,} {seconds:>8,}"]


def fuzz(name: str, runs: int, seed: int) -> None:
    """Fuzz one target in this process."""
    import atheris

    with atheris.instrument_imports(include=["gramy"]):
        from tests.fuzz.all_targets import TARGETS, corpus
    begin = FOLDER / name
    begin.mkdir(parents=True, exist_ok=True)
    for good in corpus()[name]:
        (begin / hashlib.sha1(good).hexdigest()).write_bytes(good)
    limits = ["-max_len=4096", "-timeout=30", "-rss_limit_mb=2048", f"-artifact_prefix={FOLDER}/{name}-"]
    limits += [f"-seed={seed}"]
    atheris.Setup([sys.argv[0], str(begin), f"-runs={runs}", *limits], TARGETS[name])
    atheris.Fuzz()


def fuzz_plainly(name: str, runs: int, seed: int) -> None:
    """Try mutations of valid inputs on one target in this process; the first failure ends it."""
    from tests.fuzz.all_targets import TARGETS, corpus
    from tests.fuzz.mutations import damaged

    rng, good, began = random.Random(f"{name} {seed}"), corpus()[name], time.monotonic()
    for _ in range(runs):
        data = damaged(rng, good)
        try:
            TARGETS[name](data)
        except Exception as error:
            error.add_note(f"input: {data!r}")
            raise
    print(f"Done {runs} runs in {time.monotonic() - began:.0f} second(s)")


if __name__ == "__main__":
    sys.exit(main())
