"""Measure how long the first move of a bot and the first hint take when nothing is compiled yet.

    python -m bench.cold_start [--before FOLDER [--before-levels expert ...]] [--games gra ...] [--levels expert ...]

Each figure comes from a server of its own, with an empty cache of compiled code; the click comes right after the server
says that it listens. `--before` names a checkout of an earlier version to measure in the same way. The program writes
its own section of docs/benchmarks.md and leaves the others.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from bench import page
from gramy.bots import LEVELS
from gramy.contract import DEALER
from gramy.games import GAMES

HERE = Path(__file__).parent.parent
LIMIT = 2.0
PATIENCE = 300.0
"""Seconds that the compiler may take before the benchmark gives up."""
PLAYERS = {"quick-easy": 3, "gra": 3}
"""Tables with more than two players, as in the browser's "Play now"."""
SEED = "0" * 32
"""The person's part of the deal in versions before protocol 3: a match began when it was there."""


class NotFirst(Exception):
    """A bot is to move before the person, so the first hint would not be the first thing to compute."""


class Figure(NamedTuple):
    """What was measured: seconds from the click to the first move of a bot, and to the first hint."""

    move: float
    hint: float


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the first move and the first hint on an empty cache.")
    parser.add_argument("--before", type=Path, help="checkout of an earlier version, to compare with")
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    parser.add_argument("--before-levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    args = parser.parse_args()
    load = os.getloadavg()[0]
    checkouts = [*([args.before] if args.before else []), HERE]
    rows = []
    for game in args.games:
        for level in args.levels:
            figures = [
                measure(checkout, game, level) if checkout == HERE or level in args.before_levels else None
                for checkout in checkouts
            ]
            rows.append("| " + " | ".join([game, level, *(cell for one in figures for cell in cells(one))]) + " |")
            print(rows[-1], flush=True)
    if args.games == list(GAMES) and args.levels == list(LEVELS):
        page.write(page.COLD_START, [*head(checkouts, load), "", *titles(checkouts), *rows])


def head(checkouts: Sequence[Path], load: float) -> list[str]:
    """Return the paragraph above the table."""
    before = f", before at commit {commit(checkouts[0])}" if len(checkouts) > 1 else ""
    command = "python -m bench.cold_start" + (" --before FOLDER" if before else "")
    today = time.strftime("%Y-%m-%d", time.gmtime())
    return [
        f"Measured on {today} at commit {commit(HERE)}{before} by `{command}`.",
        f"Load of the machine at the beginning: {load:.1f} on {os.cpu_count()} cores.",
        "Elapsed seconds from the click, right after the start of a server with an empty cache of compiled code. Each",
        "figure is one run, with a new server and cache. A move includes the pause of 0.9 s that lets people follow.",
        f"The limit is {LIMIT:.0f} s.",
    ]


def titles(checkouts: Sequence[Path]) -> list[str]:
    versions = ["before: ", ""] if len(checkouts) > 1 else [""]
    names = ["game", "level", *(f"{version}first {what}, s" for version in versions for what in Figure._fields)]
    return ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]


def cells(figure: Figure | None) -> list[str]:
    """Return the figures as text; in bold those beyond the limit."""
    if figure is None:
        return ["–"] * len(Figure._fields)
    return [f"{seconds:.2f}" if seconds <= LIMIT else f"**{seconds:.1f}**" for seconds in figure]


def commit(checkout: Path) -> str:
    command = ["git", "-C", str(checkout), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def measure(checkout: Path, game: str, level: str) -> Figure:
    with serving(checkout) as address:
        move = asyncio.run(first_move(address, game, level))
    while True:
        with serving(checkout) as address, contextlib.suppress(NotFirst):
            return Figure(move, asyncio.run(first_hint(address, game, level)))


@contextlib.contextmanager
def serving(checkout: Path) -> Iterator[str]:
    """Run a server of a version with an empty cache; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "GRAMY_CACHE": f"{folder}/cache"}
        command = [sys.executable, "-m", "gramy", "serve", "--port", "0", "--data", f"{folder}/data"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield server.stdout.readline().split()[3]
            finally:
                server.kill()  # its processes end with it


class Player:
    """A person at a table with bots."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.snapshot: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = await self.socket.receive_json(timeout=PATIENCE)
        if message["type"] == "snapshot":
            self.snapshot = message
            self.lines += message["log"]["lines"]
        return message

    async def do_without_a_seed(self) -> None:
        """Let the deal begin at once, when the server asks for a commitment to a client seed."""
        if self.snapshot.get("deal", {}).get("phase") == "commit":
            round = self.snapshot["table"]["round"]
            attempt = self.snapshot["deal"].get("attempt", 1)
            await self.socket.send_json({"type": "commit", "id": f"c{attempt}", "round": round, "attempt": attempt})

    @property
    def is_to_act(self) -> bool:
        view = self.snapshot.get("view")
        return bool(view and self.snapshot["you"] in view["to_act"])

    @property
    def bot_moved(self) -> bool:
        """Whether a bot has moved; deals and talk do not count."""
        people = (self.snapshot["you"], DEALER)
        return any(line["seat"] not in people and not line["move"].startswith("say ") for line in self.lines)


@contextlib.asynccontextmanager
async def playing(address: str, game: str, level: str) -> Any:
    """Open a table with bots of a level; yield the player when the match has begun."""
    seats = [None, *[{"bot": level}] * (PLAYERS.get(game, 2) - 1)]
    async with aiohttp.ClientSession() as session:
        body = {"game": game, "options": {"players": str(len(seats))}, "seats": seats, "name": "Ada"}
        async with session.post(f"{address}api/tables", json=body) as response:
            opened = await response.json()
        async with session.ws_connect(f"{address}ws/{opened['table']}") as socket:
            await socket.send_json({"type": "hello", "token": opened["token"], "client_seed": SEED})
            player = Player(socket)
            while not player.snapshot.get("view"):
                await player.receive()
                await player.do_without_a_seed()
            yield player


async def first_move(address: str, game: str, level: str) -> float:
    """Return the seconds until a bot moves, from the beginning of its turn."""
    async with playing(address, game, level) as player:
        clicked = time.perf_counter()
        sent = -1  # a match of GRA begins without a line: the first move is who starts
        while not player.bot_moved:
            if player.is_to_act and player.snapshot["lines"] > sent:
                lines, moves = player.snapshot["lines"], player.snapshot["view"]["moves"]
                sent, clicked = lines, time.perf_counter()
                move = "end" if "end" in moves else moves[0]
                await player.socket.send_json({"type": "move", "id": f"m{lines}", "at": lines, "move": move})
            await player.receive()
        return time.perf_counter() - clicked


async def first_hint(address: str, game: str, level: str) -> float:
    """Return the seconds until a hint is there."""
    async with playing(address, game, level) as player:
        if not player.is_to_act:
            raise NotFirst
        clicked = time.perf_counter()
        await player.socket.send_json({"type": "hint", "id": "h1"})
        while (await player.receive())["type"] != "hint":
            pass
        return time.perf_counter() - clicked


if __name__ == "__main__":
    main()
