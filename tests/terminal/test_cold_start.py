"""On an empty cache nobody at the keyboard waits for the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gramy.games import GAMES

AT_ONCE = 2.0
"""Seconds between two prompts, in which all bots make their moves."""

SCRIPT = """
import random, sys, time, gramy
from gramy.terminal.plain import play

waits, typed = [], []

def answer(prompt):
    waits.append(time.monotonic() - (typed[-1] if typed else time.monotonic()))
    if len(waits) > 40:
        raise EOFError
    typed.append(time.monotonic())
    return ("end", "?", "1")[len(waits) % 3]

if __name__ == "__main__":
    match = play(gramy.game(sys.argv[1]), 1, random.Random(3), level="expert", read=answer, write=lambda text: None)
    assert any(entry.seat not in (0, 6) for entry in match.log)
    print(max(waits))
"""


@pytest.mark.parametrize("game", GAMES)
def test_on_an_empty_cache_expert_bots_move_at_once(tmp_path: Path, game: str) -> None:
    script = tmp_path / "play.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "GRAMY_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, str(script), game]
    for _ in range(3):  # other programs may take the processor, so it has more than one chance
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        if float(done.stdout) < AT_ONCE:
            return
    raise AssertionError(f"a person waited for {done.stdout} seconds")
