"""The long fuzzing run, guided by coverage: `make fuzz`, or `python -m tests.fuzz --inputs 1000000 --only bodies`.

Each target runs in a process of its own, under libFuzzer (by atheris). New inputs that reach more code are saved in
build/fuzz/TARGET, where the next run starts; an input that fails is saved in build/fuzz.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from pathlib import Path

SHARES = {
    "bodies": 600,
    "cookies": 140,
    "frames": 100,
    "names": 70,
    "positions": 50,
    "moves": 25,
    "records": 10,
    "tables": 5,
}
"""The inputs of each target per thousand; fast targets get more."""
FOLDER = Path("build/fuzz")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz")
    parser.add_argument("--inputs", type=int, default=10_000_000, help="number of inputs (default 10 million)")
    parser.add_argument("--only", choices=SHARES, help="fuzz one target only")
    args = parser.parse_args()
    tried = 0
    for name in [args.only] if args.only else SHARES:
        runs = args.inputs if args.only else args.inputs * SHARES[name] // 1000
        print(f"{name}: {runs:,} inputs", flush=True)
        lines, done = [], None
        with subprocess.Popen(
            [sys.executable, "-c", f"from tests.fuzz.__main__ import fuzz; fuzz({name!r}, {runs})"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        ) as running:  # fmt: skip
            for line in running.stdout or ():
                lines = [*lines[-60:], line]
                if found := re.match(r"Done (\d+) runs in (\d+) second", line):
                    done = found
        if running.returncode or done is None:
            print("".join(lines))
            return 1
        tried += int(done[1])
        print(f"{name}: {int(done[1]):,} tried in {done[2]} s, no failure", flush=True)
    print(f"{tried:,} inputs in all")
    return 0


def fuzz(name: str, runs: int) -> None:
    """Fuzz one target in this process."""
    import atheris

    with atheris.instrument_imports(include=["gramy"]):
        from tests.fuzz.targets import TARGETS, corpus
    begin = FOLDER / name
    begin.mkdir(parents=True, exist_ok=True)
    for good in corpus()[name]:
        (begin / hashlib.sha1(good).hexdigest()).write_bytes(good)
    limits = ["-max_len=4096", "-timeout=30", "-rss_limit_mb=2048", f"-artifact_prefix={FOLDER}/{name}-"]
    atheris.Setup([sys.argv[0], str(begin), f"-runs={runs}", *limits], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
