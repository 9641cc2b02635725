"""Measure what users wait for: the start of a server, first loads, a click until its move is painted; run Lighthouse.

    .venv/bin/python -m bench.browser [--only start loads clicks lighthouse]

Needs Chromium, and Node for Lighthouse (npx fetches it from the npm registry, once). With all parts it writes its
section of docs/benchmarks.md, with some it prints them; the exit code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from playwright.sync_api import sync_playwright

import gramy
from bench import page
from tests.browser.players import Mouse
from tests.browser.server import BROWSER_ARGUMENTS, BROWSERS, NO_BROWSER, Server, browser_path
from tests.browser.users import BOT, Users, measure_load

LIGHTHOUSE = "lighthouse@12"  # the newest that runs on Node 20
RUNS = 3
"""How often Lighthouse loads each page: its performance score differs by several points from run to run."""
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GAMES = ("face-to-face", "quick-easy", "gra")
PARTS = ("start", "loads", "clicks", "lighthouse")
GOAL_SECONDS, GOAL_MILLISECONDS, GOAL_SCORE = 3, 50, 95
GOAL_LOBBY, GOAL_TABLE = 100, 150  # kilobytes
MATCHES = 5
PATIENCE = 300

# Measures from the pointer down on a pile to the frame after the pile shows another card.
STOPWATCH = """() => {
  window.painted = [];
  addEventListener('pointerdown', (event) => {
    const name = event.target.closest('[data-pile]')?.dataset.pile;
    if (!name) return;
    const from = performance.now();
    const top = () => document.querySelector(`[data-place="pile:${name}"]`)?.textContent;
    const before = top();
    const look = () => {
      if (performance.now() - from > 5000) return;
      if (top() === before) requestAnimationFrame(look);
      else requestAnimationFrame(() => window.painted.push(performance.now() - from));
    };
    requestAnimationFrame(look);
  }, true);
}"""


class Timed(Mouse):
    """A player who clicks, with a stopwatch on the page."""

    def sit_down(self, game: str) -> None:
        super().sit_down(game)
        self.page.evaluate(STOPWATCH)


def start_times() -> tuple[float, float]:
    """Return the seconds until a server prints its address: without our bytecode, and the second time.

    pip compiles the packages that it installs, but not a working tree: the first start compiles all of ours.
    """
    for folder in Path(gramy.__file__).parent.rglob("__pycache__"):
        shutil.rmtree(folder)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as data, mock.patch.dict(os.environ, kept, clear=True):
        return _start_time(Path(data)), _start_time(Path(data))


def _start_time(data: Path) -> float:
    began = time.perf_counter()
    with Server(data):
        return time.perf_counter() - began


def first_loads(users: Users) -> dict[str, float]:
    """Return the kilobytes, headers included, of the lobby and of a table of each game opened by a link."""
    sizes = {"lobby": measure_load(users.open_page(None), "/", ".game:nth-child(3)")[0] / 1000}
    for game in GAMES:
        url = table_at(users.address, game)
        sizes[f"table, {game}"] = measure_load(users.open_page(None), url, ".board-place > *")[0] / 1000
    return sizes


def click_times(users: Users) -> list[float]:
    """Return the milliseconds from every click of some matches to its painted move."""
    painted: list[float] = []
    for _ in range(MATCHES):
        player = Timed(users.open_page("/", reduced_motion="no-preference"))
        player.play("face-to-face")
        painted += player.page.evaluate("window.painted")
    return painted


def scores(url: str, browser: str, preset: str, speeds: list[float]) -> dict[str, int]:
    """Return the median score of each category, 0 to 100, of some runs; add the machine's speed in each to `speeds`."""
    runs = [report(url, browser, preset) for _ in range(RUNS)]
    speeds += [run["environment"]["benchmarkIndex"] for run in runs]
    return {
        category: round(100 * median(run["categories"][category]["score"] for run in runs)) for category in CATEGORIES
    }


def report(url: str, browser: str, preset: str) -> dict[str, Any]:
    """Run Lighthouse once and return its report; print what costs points."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        command = ["npx", "--yes", "--loglevel=error", LIGHTHOUSE, url, "--quiet"]
        command += ["--output=json", f"--output-path={file}", f"--only-categories={','.join(CATEGORIES)}"]
        command += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
        command += ["--preset=desktop"] if preset == "desktop" else []
        for _ in range(2):  # sometimes Lighthouse does not find its browser
            done = subprocess.run(command, check=False, timeout=PATIENCE, env={**os.environ, "CHROME_PATH": browser})
            if done.returncode == 0:
                break
        else:
            raise SystemExit(f"Lighthouse failed at {url}")
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    for category in CATEGORIES:
        for part in found["categories"][category]["auditRefs"]:
            audit = found["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                print(f"    {category}: {audit['title']} {audit.get('displayValue', '')}".rstrip())
    return found


def table_at(address: str, game: str) -> str:
    """Return the address of a new table with a bot and a person who is not connected."""
    body = {"game": game, "options": {}, "seats": [None, BOT], "name": "Ada"}
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(body).encode(), {"Content-Type": "text/plain"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return f"{address}/t/{json.load(answer)['table']}"


def lighthouse(address: str, browser: str) -> tuple[dict[str, dict[str, int]], list[float]]:
    """Return the Lighthouse scores of three pages, with the phone and the desktop preset, and the machine's speeds."""
    pages = {"lobby": f"{address}/", "table": table_at(address, "face-to-face"), "rules": f"{address}/rules/gra"}
    speeds: list[float] = []
    found = {
        f"{name}, {preset}": scores(url, browser, preset, speeds)
        for name, url in pages.items()
        for preset in ("phone", "desktop")
    }
    return found, speeds


def start_lines(starts: tuple[float, float]) -> list[str]:
    return [
        f"Time from starting the server to the line with its address (goal: under {GOAL_SECONDS} s):",
        "",
        "| start | seconds |",
        "|---|---|",
        f"| first, without bytecode of ours | **{starts[0]:.1f}** |",
        f"| second | {starts[1]:.1f} |",
    ]


def load_lines(sizes: dict[str, float]) -> list[str]:
    goals = f"goals: lobby under {GOAL_LOBBY} kB, tables under {GOAL_TABLE} kB"
    rows = [f"| {name} | {size:.1f} |" for name, size in sizes.items()]
    return [f"First load over the network, headers included ({goals}):", "", "| page | kB |", "|---|---|", *rows]


def click_lines(painted: list[float]) -> list[str]:
    ordered = sorted(painted)
    return [
        f"Time from a click to the painted move (goal: under {GOAL_MILLISECONDS} ms at the median):",
        "",
        "| clicks | matches | median | p90 |",
        "|---|---|---|---|",
        f"| {len(ordered)} | {MATCHES} | **{median(ordered):.1f} ms** | {ordered[len(ordered) * 9 // 10]:.1f} ms |",
    ]


def score_lines(found: dict[str, dict[str, int]], speeds: list[float]) -> list[str]:
    return [
        "Lighthouse makes the processor four times slower for its phone, so these scores depend on the machine. By its",
        f"index this one had {min(speeds):.0f} to {max(speeds):.0f}; below 1,000 it warns that scores suffer.",
        "",
        "Lighthouse 12 scores, with its slow phone and its desktop preset; "
        f"medians of {RUNS} runs (goal: {GOAL_SCORE} everywhere):",
        "",
        f"| page | {' | '.join(CATEGORIES)} |",
        f"|---|{'---|' * len(CATEGORIES)}",
        *(f"| {name} | {' | '.join(map(str, each.values()))} |" for name, each in found.items()),
    ]


def measure(parts: Sequence[str], browser: str) -> tuple[list[list[str]], bool]:
    """Return the lines of each part, and whether a goal was missed."""
    lines, missed = [], False
    if "start" in parts:
        starts = start_times()
        lines.append(start_lines(starts))
        missed |= starts[0] >= GOAL_SECONDS
    with tempfile.TemporaryDirectory() as data, Server(Path(data), "--quick") as server:
        with sync_playwright() as playwright:
            running = playwright.chromium.launch(executable_path=browser, args=BROWSER_ARGUMENTS)
            users = Users(running, server.address)
            if "loads" in parts:
                sizes = first_loads(users)
                lines.append(load_lines(sizes))
                missed |= sizes["lobby"] >= GOAL_LOBBY or max(sizes.values()) >= GOAL_TABLE
            if "clicks" in parts:
                painted = click_times(users)
                lines.append(click_lines(painted))
                missed |= median(painted) >= GOAL_MILLISECONDS
            users.close()
            running.close()
        if "lighthouse" in parts:
            found, speeds = lighthouse(server.address, browser)
            lines.append(score_lines(found, speeds))
            missed |= min(score for each in found.values() for score in each.values()) < GOAL_SCORE
    return lines, missed


def main() -> int:
    """Measure, write or print the section, and return 1 if a goal was missed."""
    parser = argparse.ArgumentParser(description="Measure what users of the browser client wait for.")
    parser.add_argument("--only", nargs="+", default=list(PARTS), choices=PARTS, help="print these parts only")
    parts = parser.parse_args().only
    browser = browser_path(BROWSERS)  # what people use
    if browser is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    found, missed = measure(parts, browser)
    today = time.strftime("%Y-%m-%d", time.gmtime())
    head = f"Measured on {today} by `python -m bench.browser`, in Chromium."
    lines = [head, *(line for part in found for line in ("", *part))]
    if set(parts) == set(PARTS):
        page.write(page.BROWSER, lines)
    print("\n".join(lines))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
